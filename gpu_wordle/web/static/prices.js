// The prices of the turns under the objective cost: whole numbers from the first turn to the last.

import { field, fill, h } from "./dom.js";
import { counted } from "./figures.js";

const COST = "cost:";

export function isCost(objective) {
  return objective.startsWith(COST);
}

// An objective with one price for each turn: those of another objective, then one more for each turn.
export function costOf(turns, objective = "") {
  const prices = isCost(objective) ? objective.slice(COST.length).split(",").map(Number) : [];
  while (prices.length < turns) prices.push((prices.at(-1) ?? 0) + 1);
  return COST + prices.slice(0, turns).join(",");
}

// A field for the prices of an objective; `changed` receives the new objective.
export function priceField(objective, changed) {
  const prices = objective.slice(COST.length);
  const turns = prices.split(",").length;
  const told = h("p", { class: "note bad", "aria-live": "polite" });
  const heard = (event) => {
    const given = event.target.value.split(/[\s,;]+/).filter(Boolean);
    const wrong = problem(given, turns);
    fill(told, wrong);
    event.target.setAttribute("aria-invalid", String(wrong !== null));
    if (wrong === null) changed(COST + given.join(","));
  };
  const text = h("input", { type: "text", value: prices, inputmode: "numeric", on: { change: heard } });
  return [field(`Prices of turns 1 to ${turns}`, text, "Whole numbers that never fall, such as 1,2,3,4,5,20"), told];
}

function problem(given, turns) {
  if (given.length !== turns) return `Give ${counted(turns, "price")}, one for each turn`;
  const odd = given.find((price) => !/^\d{1,9}$/.test(price));
  if (odd !== undefined) return `${odd} is not a price: give whole numbers`;
  const falls = given.findIndex((price, i) => i > 0 && Number(price) < Number(given[i - 1]));
  return falls > 0 ? `Turn ${falls + 1} costs less than turn ${falls}: prices never fall` : null;
}
