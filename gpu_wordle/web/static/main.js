// The page: opens the view that its address names.

import { say } from "./announcer.js";
import { isServed, openSite, UNREACHED } from "./data.js";
import { fill, h } from "./dom.js";
import { percent } from "./figures.js";
import { gameButton } from "./game.js";
import { lookButton } from "./look.js";
import { failure } from "./notes.js";
import { learn } from "./parameters.js";
import { learnAlphabets } from "./spelling.js";
import { addressToReturn, listen, read, remember, viewOf } from "./state.js";

const MOST_REFUSED = 5;
const ONLY_SERVED = ["watch", "review", "history"]; // an exported site has no data for these views

const main = document.getElementById("main");
const refused = document.getElementById("refused");
const links = [...document.querySelectorAll("nav.views a")];

let open = null;

async function show(state) {
  const lines = state.refused.slice(0, MOST_REFUSED);
  fill(refused, lines.map((line) => h("p", { class: "note failed" }, line)));
  remember(state);
  for (const link of links) mark(link, state);
  if (open?.name !== state.view) await enter(state.view);
  if (open?.name === state.view) open.view.update(state);
}

// A view that could not be fetched is asked for again the next time.
async function viewNamed(name) {
  try {
    return await import(`./views/${name}.js`);
  } catch {
    open = null;
    throw new Error(UNREACHED);
  }
}

function mark(link, state) {
  const name = link.dataset.view;
  link.href = addressToReturn(name, state);
  if (name === state.view) link.setAttribute("aria-current", "page");
  else link.removeAttribute("aria-current");
}

// Leaving a view cancels its questions; entering one builds it, empty.
async function enter(name) {
  open?.view.leave();
  open = { name, view: { update() {}, leave() {} } };
  const { title, openView } = await viewNamed(name);
  if (open.name !== name) return;
  main.replaceChildren();
  main.dataset.view = name;
  document.title = `${title} · gpu-wordle`;
  open.view = openView(main);
  say(`${title} view`);
}

// Following the link would change the address, which names the view.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

async function start() {
  lookButton(document.getElementById("look"));
  const view = viewNamed(viewOf()); // fetch it while the site opens
  try {
    const site = await openSite(compiling);
    learn(site.parameters);
    learnAlphabets(site);
    for (const link of links) link.hidden = !isServed() && ONLY_SERVED.includes(link.dataset.view);
    document.getElementById("version").textContent = `gpu-wordle ${site.version}.`;
    gameButton(document.getElementById("game"), site);
    listen((state) => show(state).catch(broken));
    await view;
    await show(read());
    navigator.serviceWorker?.register("worker.js").catch(() => {}); // without it, the page needs its server
  } catch (error) {
    broken(error);
  }
}

function compiling(share) {
  const told = `Compiling the search, once on this machine: ${percent(share)}`;
  main.replaceChildren(
    h("h2", {}, "Getting ready"),
    h("p", { class: "note waiting" }, told),
    h("progress", { value: share, "aria-label": "Compiled" }),
  );
}

function broken(error) {
  main.replaceChildren(h("h2", {}, "The page could not be opened"), failure(error));
}

start();
