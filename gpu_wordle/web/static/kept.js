// The games that the reader keeps: in this browser and nowhere else. A game has guesses, patterns or the
// answer, and a title; without guesses it is a share grid.

import { button } from "./dom.js";

const KEY = "gpu-wordle-games";

let inMemory = null; // where the browser forbids storage, games last until the page is closed

// All kept games, in order; what does not look like a game is passed over.
export function keptGames() {
  return stored().filter(isGame);
}

// Keep further games; a game that is there already is not kept twice, except grids that have no title.
export function keep(games) {
  const known = new Set(keptGames().map(nameOf));
  const fresh = [];
  for (const game of games) {
    const name = nameOf(game);
    if (known.has(name) && (game.guesses || game.title)) continue;
    known.add(name);
    fresh.push(game);
  }
  store([...stored(), ...fresh]);
  return fresh.length;
}

// Delete the game at a place among keptGames(), or all games.
export function forget(place = null) {
  store(place === null ? [] : keptGames().filter((_, i) => i !== place));
}

export function isStored() {
  return inMemory === null;
}

// Games as a file that `gpu-wordle analyse --games` and this page read.
export function asLines(games) {
  return games.map((game) => `${JSON.stringify(game)}\n`).join("");
}

// A button that keeps a finished game.
export function keepButton(turns) {
  const game = { guesses: turns.map(({ guess }) => guess), patterns: turns.map(({ pattern }) => pattern) };
  const made = button("Add to my history", () => {
    made.textContent = keep([game]) ? "Added to my history" : "In my history already";
    made.disabled = true;
  });
  return made;
}

function nameOf({ title, guesses, patterns, answer }) {
  return JSON.stringify([title, guesses, patterns, answer]);
}

function stored() {
  if (inMemory) return inMemory;
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function store(games) {
  try {
    localStorage.setItem(KEY, JSON.stringify(games));
    inMemory = null;
  } catch {
    inMemory = games;
  }
}

function isGame(game) {
  const isText = (value) => value === undefined || typeof value === "string";
  const areTexts = (value) => Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string");
  if (game === null || typeof game !== "object" || !isText(game.title) || !isText(game.answer)) return false;
  if (game.guesses === undefined) return areTexts(game.patterns);
  const isColoured = areTexts(game.patterns) && game.patterns.length === game.guesses.length;
  return areTexts(game.guesses) && (game.patterns === undefined ? typeof game.answer === "string" : isColoured);
}
