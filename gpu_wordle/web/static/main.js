// The page: opens the view that its address names.

import { say } from "./announcer.js";
import { openSite } from "./data.js";
import { fill, h } from "./dom.js";
import { gameButton } from "./game.js";
import { lookButton } from "./look.js";
import { failure } from "./notes.js";
import { learn } from "./parameters.js";
import { addressToReturn, listen, read, remember, viewOf } from "./state.js";

const MOST_REFUSED = 5;

const main = document.getElementById("main");
const refused = document.getElementById("refused");
const links = [...document.querySelectorAll("nav.views a")];

let open = null;

async function show(state) {
  const lines = state.refused.slice(0, MOST_REFUSED);
  fill(refused, lines.map((line) => h("p", { class: "note failed" }, line)));
  for (const link of links) mark(link, state);
  if (open?.name !== state.view) await enter(state.view);
  remember(state);
  if (open?.name === state.view) open.view.update(state);
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
  const { title, openView } = await import(`./views/${name}.js`);
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
  const view = import(`./views/${viewOf()}.js`); // fetch it while the site opens
  try {
    const site = await openSite();
    learn(site.parameters);
    document.getElementById("version").textContent = `gpu-wordle ${site.version}.`;
    gameButton(document.getElementById("game"), site);
    listen((state) => show(state).catch(broken));
    await view;
    await show(read());
  } catch (error) {
    broken(error);
  }
}

function broken(error) {
  main.replaceChildren(h("h2", {}, "The page could not be opened"), failure(error));
}

start();
