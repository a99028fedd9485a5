// Suggested guesses, during and after the search: by exact value, by information, by greens.

import { fill, h } from "./dom.js";
import { counted, decimal, likely, meanOf, sharedBy, whole } from "./figures.js";
import { waiting } from "./notes.js";
import { suggestion } from "./tiles.js";

const MOST_NEAR = 3; // of the best guesses, where there is little room

const LISTS = {
  entropy_bits: { title: "By information", figure: (row) => `${decimal(row.entropy_bits, 2)} bits` },
  greens: {
    title: "By green tiles per answer",
    figure: (row, answers) => `${decimal(row.greens / answers, 2)} greens`,
  },
};

// `pressed` is called with each clicked word.
export class Suggestions {
  constructor(pressed) {
    this.pressed = pressed;
    this.element = h("div", { class: "stack" });
    this.near = h("ul", { class: "nearest", "aria-label": "Best guesses" }); // beside the board of a phone
  }

  clear() {
    fill(this.element);
    fill(this.near);
  }

  wait(text = "Evaluating guesses …") {
    fill(this.element, waiting(text));
    fill(this.near, h("li", {}, waiting(text)));
  }

  // Show the bounds so far, during the search.
  tighten({ rows, open, exact }, position) {
    const candidates = new Set(position.remaining);
    const told = exact ? "values are exact" : "values are bounds so far";
    const shown = rows.map((row) => ({ ...row, candidate: candidates.has(row.guess) }));
    this.#showNear(shown, sharedBy(position));
    fill(
      this.element,
      h(
        "div",
        { class: "stack close" },
        this.#table(shown, sharedBy(position), ["guess", "mean"]),
        waiting(`${told}; ${counted(open, "guess", "guesses")} to rule out`),
      ),
    );
  }

  show(found) {
    const { rows } = found;
    const weight = sharedBy(found);
    const names = Object.keys(COLUMNS).filter((name) => !AIMS.includes(name) || rows.some((row) => name in row));
    const best = rows.filter((row) => row.by === "total");
    const others = Object.keys(LISTS).map((by) => [LISTS[by], rows.filter((row) => row.by === by)]);
    this.#showNear(best.length ? best : rows.filter((row) => row.by === "entropy_bits"), weight);
    fill(
      this.element,
      found.note && h("p", { class: "note" }, found.note),
      best.length > 0 &&
        h("div", { class: "stack close" }, h("h3", {}, "Best by exact value"), this.#table(best, weight, names)),
      h(
        "div",
        { class: "lists" },
        others.filter(([, list]) => list.length).map(([list, each]) => this.#list(list, each, found)),
      ),
      h(
        "p",
        { class: "note legend" },
        h("span", { class: "word candidate sample", "aria-hidden": "true" }, "coloured border"),
        " can be the answer. ",
        h("b", {}, "★"),
        " best guess; all guesses with a star are equally good.",
      ),
    );
  }

  #showNear(rows, weight) {
    const near = rows.slice(0, MOST_NEAR);
    fill(
      this.near,
      near.map((row) => h("li", {}, wordOf(row, this.pressed), h("small", {}, nearly(row, weight)))),
    );
  }

  #table(rows, weight, names) {
    const columns = names.map((name) => COLUMNS[name]);
    const head = columns.map(({ heading, title, kind }) => h("th", { scope: "col", class: kind, title }, heading));
    const body = rows.map((row) =>
      h(
        "tr",
        {},
        columns.map(({ kind, cell }) => h("td", { class: kind }, cell(row, weight, this.pressed))),
      ),
    );
    return h(
      "div",
      { class: "scroll" },
      h("table", { class: "best" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, body)),
    );
  }

  #list({ title, figure }, rows, found) {
    const weight = sharedBy(found);
    const items = rows.map((row) =>
      h(
        "li",
        {},
        wordOf(row, this.pressed),
        h("span", {}, h("b", {}, figure(row, found.answers)), !found.note && h("small", {}, meanOf(row, weight))),
      ),
    );
    return h("div", { class: "stack close" }, h("h3", {}, title), h("ul", { class: "suggested" }, items));
  }
}

// A figure for a narrow place: the mean, or the information where there are no values.
function nearly(row, weight) {
  if (row.infeasible) return "";
  return row.mean === null && row.by === "entropy_bits" ? LISTS.entropy_bits.figure(row) : meanOf(row, weight);
}

function wordOf(row, pressed) {
  return suggestion(row.guess, { candidate: row.candidate, optimal: row.optimal === true, pressed });
}

// Figures that only some objectives have.
const AIMS = ["within", "failures"];

const COLUMNS = {
  guess: { heading: "guess", cell: (row, weight, pressed) => wordOf(row, pressed) },
  mean: {
    heading: "guesses",
    kind: "n strong",
    title: "average number of guesses from here, including this one",
    cell: meanOf,
  },
  within: { heading: "in time", kind: "n", title: "answers found in time", cell: (row) => whole(row.within) },
  failures: { heading: "lost", kind: "n", title: "answers not found in time", cell: (row) => whole(row.failures) },
  worst: {
    heading: "worst",
    kind: "n",
    title: "most guesses for any answer",
    cell: (row) => whole(row.worst),
  },
  chance: { heading: "chance", kind: "n", title: "probability that it is the answer", cell: (row) => likely(row.chance) },
  entropy: {
    heading: "bits",
    kind: "n spare",
    title: "expected information from the feedback",
    cell: (row) => decimal(row.entropy_bits, 2),
  },
  parts: { heading: "parts", kind: "n spare", title: "number of possible feedback patterns", cell: (row) => whole(row.parts) },
};
