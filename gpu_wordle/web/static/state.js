// The state of the page is its address, as in `#advise?turns=salet:BYBBG&rule=hard`.
// Any view can be bookmarked and sent on, and the back button takes steps back.

import { readPattern } from "./feedback.js";
import { KNOWN } from "./known.js";
import { readAll, refusal } from "./parameters.js";
import { isLetter, normalise, signsOf, spellBy } from "./spelling.js";

export const VIEWS = ["advise", "watch", "explore", "review", "history", "browse", "play"];
export const GAME = ["guesses", "answers", "rule", "objective", "max_guesses", "weights"];

// What a link takes along to another view: the game always, the position between some views.
const POSITION = ["turns", ...KNOWN];
const SHARED = { advise: POSITION, explore: POSITION, review: ["turns"] };

const TURNS = ["turns", "draft"];
const MOST_LETTERS = 12;

// Views that show one position: a turn made in one is made in the other.
const OF_POSITION = ["advise", "explore"];

const listeners = [];

function changed(refused = []) {
  const state = read();
  for (const heard of listeners) heard({ ...state, refused: [...refused, ...state.refused] });
}

// The state without refused parameters, and a line for each of them.
export function read(hash = location.hash) {
  const [name, query] = parted(hash);
  const { values, refused } = readAll(query);
  spellBy(values.guesses);
  for (const key of TURNS.filter((each) => values[each] && !isTurns(values[each]))) {
    refused.push(refusal(key, values[key]));
    delete values[key];
  }
  const view = viewOf(hash);
  if (name !== "" && name !== view) refused.push(`unknown view; choose one of ${VIEWS.join(", ")}`);
  return { ...values, view, refused };
}

export function viewOf(hash = location.hash) {
  const [name] = parted(hash);
  return VIEWS.includes(name) ? name : VIEWS[0];
}

function parted(hash) {
  const [name, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  return [name, query];
}

export function address(state) {
  const { view, refused, ...rest } = state;
  const pairs = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const query = pairs.map((pair) => pair.map(readable).join("=")).join("&");
  return `#${view}${query ? `?${query}` : ""}`;
}

// Colons and commas stay unescaped, which the grammar of addresses allows.
function readable(text) {
  return encodeURIComponent(text).replaceAll("%3A", ":").replaceAll("%2C", ",");
}

// Change parts of the state. With `replace`, the back button skips the change. Refused values are dropped.
export function go(changes, { replace = false } = {}) {
  const now = read();
  const next = address({ ...now, ...changes });
  const { refused } = read(next);
  if (next === (location.hash || "#")) return;
  if (replace && !refused.length) history.replaceState(null, "", next);
  else if (!refused.length) history.pushState(null, "", next);
  changed(replace ? [...refused, ...now.refused] : refused);
}

export function addressOf(view, state, changes = {}) {
  const shared = state.view in SHARED ? (SHARED[view] ?? []) : [];
  return address({ ...picked(state, [...GAME, ...shared]), ...changes, view });
}

const left = {}; // how each view was left: the values of its address

export function remember(state) {
  left[state.view] = state;
  if (!OF_POSITION.includes(state.view)) return;
  for (const view of OF_POSITION) left[view] = { ...left[view], ...positionOf(state) };
}

// The address of a view as it was left, under the game of now; other words make all of it void.
export function addressToReturn(view, state) {
  const before = left[view];
  if (!before || ["guesses", "answers"].some((key) => before[key] !== state[key])) return addressOf(view, state);
  return address({ ...before, ...gameOf(state), view });
}

// Call a function on every change of the address.
export function listen(heard) {
  listeners.push(heard);
}

window.addEventListener("popstate", () => changed());

function picked(state, keys) {
  return Object.fromEntries(keys.map((key) => [key, state[key]]));
}

export function gameOf(state) {
  return picked(state, GAME);
}

// The parameters of a question about the position of a state.
export function positionOf(state) {
  return picked(state, [...GAME, ...POSITION]);
}

export function isSamePosition(one, other) {
  return [...GAME, ...POSITION].every((key) => one?.[key] === other?.[key]);
}

// Turns from a text of the state, such as `salet:BYBBG,crony:BBYBB`.
export function turnsOf(text) {
  return text ? turnsIn(text) : [];
}

export function isTurns(text) {
  return turnsIn(text) !== null;
}

// Turns from a text; null if it cannot be read.
function turnsIn(text) {
  const turns = text.split(",").map((each) => normalise(each).split(":"));
  const read = turns.map(([guess, colours]) => ({ guess, pattern: readPattern(colours) }));
  const isReadable = ({ guess, pattern }) => {
    const signs = [...signsOf(guess)];
    return signs.length <= MOST_LETTERS && signs.every(isLetter) && signs.length === pattern?.length;
  };
  return read.every(isReadable) ? read : null;
}

export function writeTurns(turns) {
  return turns.map(({ guess, pattern }) => `${guess}:${pattern}`).join(",");
}
