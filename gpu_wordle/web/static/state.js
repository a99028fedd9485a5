// The state of the page is its address, as in `#advise?turns=salet:BYBBG&rule=hard`.
// Any view can be bookmarked and sent on, and the back button takes steps back.

export const VIEWS = ["advise", "watch", "explore", "review", "browse", "play"];
export const GAME = ["guesses", "answers", "rule", "objective", "max_guesses", "weights"];

// What goes along to another view: everywhere the game, and between some of them the position.
const SHARED = { advise: ["turns"], explore: ["turns"], review: ["turns"] };

const listeners = [];

function changed() {
  const state = read();
  for (const heard of listeners) heard(state);
}

export function read() {
  const [name, query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const state = Object.fromEntries(new URLSearchParams(query));
  state.view = VIEWS.includes(name) ? name : VIEWS[0];
  return state;
}

export function address(state) {
  const { view, ...rest } = state;
  const pairs = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const query = pairs.map((pair) => pair.map(readable).join("=")).join("&");
  return `#${view}${query ? `?${query}` : ""}`;
}

// Colons and commas stay as they are, which the grammar of addresses allows.
function readable(text) {
  return encodeURIComponent(text).replaceAll("%3A", ":").replaceAll("%2C", ",");
}

// Change some of the state. What replaces an entry of the history is no step for the back button.
export function go(changes, { replace = false } = {}) {
  const next = address({ ...read(), ...changes });
  if (next === (location.hash || "#")) return;
  if (replace) history.replaceState(null, "", next);
  else history.pushState(null, "", next);
  changed();
}

export function addressOf(view, state, changes = {}) {
  const shared = state.view in SHARED ? (SHARED[view] ?? []) : [];
  const kept = Object.fromEntries([...GAME, ...shared].map((key) => [key, state[key]]));
  return address({ ...kept, ...changes, view });
}

// Hear of every change of the address, whoever makes it.
export function listen(heard) {
  listeners.push(heard);
}

window.addEventListener("popstate", changed);

export function gameOf(state) {
  return Object.fromEntries(GAME.map((key) => [key, state[key]]));
}

// Turns from `salet:BYBBG,crony:BBYBB`; what cannot be read ends the list.
export function turnsOf(text) {
  const turns = [];
  for (const each of (text ?? "").split(",").filter(Boolean)) {
    const [guess, pattern, more] = each.trim().toLowerCase().split(":");
    if (more !== undefined || !/^\p{L}{1,12}$/u.test(guess) || !/^[byg]+$/.test(pattern ?? "")) break;
    if (guess.length !== pattern.length || turns.length === MAX_TURNS) break;
    turns.push({ guess, pattern: pattern.toUpperCase() });
  }
  return turns;
}

const MAX_TURNS = 12;

export function writeTurns(turns) {
  return turns.map(({ guess, pattern }) => `${guess}:${pattern}`).join(",");
}
