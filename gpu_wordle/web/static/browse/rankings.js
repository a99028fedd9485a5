// The available rankings and their columns.

import { once } from "../data.js";
import { select } from "../dom.js";
import { chosen } from "../game.js";

const FIGURES = [
  { key: "total", heading: "total", title: "guesses over all answers", decimals: 0 },
  { key: "mean", heading: "mean", title: "mean number of guesses", decimals: 4 },
  { key: "worst", heading: "worst", title: "turn on which the last answer is found", decimals: 0 },
];

// All rankings, and the one of the state: by default that of the game.
export async function rankingOf(state) {
  const { rankings } = await once("rankings");
  const named = rankings.find(({ name }) => name === state.ranking);
  const own = rankings.find(
    ({ guesses, rule }) => guesses === chosen(state, "guesses") && rule === chosen(state, "rule"),
  );
  if (rankings.length === 0)
    throw new Error("no ranking is published for this game; show your own with gpu-wordle serve FILE");
  return { rankings, ranking: named ?? own ?? rankings[0] };
}

export async function columnsOf(name) {
  const { columns } = await once(`rankings/${name}`);
  return { ...columns, opener: columns.opener ?? columns.guess };
}

// The figures of a ranking, with their headings.
export async function figuresOf(columns) {
  const { statistics } = await once("choices");
  const named = statistics.map(({ name, heading, description, decimals, most_first: mostFirst }) => ({
    key: name,
    heading,
    title: description,
    decimals,
    mostFirst,
  }));
  return [...FIGURES, ...named].filter(({ key }) => columns[key]?.some((value) => typeof value === "number"));
}

export function rankingSelect(rankings, chosen, changed) {
  return select(
    rankings.map(({ name }) => name),
    chosen,
    changed,
  );
}
