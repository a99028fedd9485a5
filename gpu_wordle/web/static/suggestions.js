// Suggested guesses, as they tighten and as they end: by exact value, by information, by greens.

import { fill, h } from "./dom.js";
import { counted, decimal, likely, meanOf, sharedBy, whole } from "./figures.js";
import { waiting } from "./notes.js";
import { suggestion } from "./tiles.js";

const LISTS = {
  entropy_bits: { title: "By information", figure: (row) => `${decimal(row.entropy_bits, 2)} bits` },
  greens: { title: "By green tiles", figure: (row) => counted(row.greens, "green") },
};

// `pressed` hears of words that are clicked.
export class Suggestions {
  constructor(pressed) {
    this.pressed = pressed;
    this.element = h("div", { class: "stack" });
  }

  clear() {
    fill(this.element);
  }

  wait(text = "Weighing guesses …") {
    fill(this.element, waiting(text));
  }

  // Bounds that tighten, while the search goes on.
  tighten({ rows, open, exact }, position) {
    const candidates = new Set(position.remaining);
    const told = exact ? "these are exact" : "these have bounds";
    const shown = rows.map((row) => ({ ...row, candidate: candidates.has(row.guess) }));
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
    fill(
      this.element,
      h("div", { class: "stack close" }, h("h3", {}, "Best by exact value"), this.#table(best, weight, names)),
      h(
        "div",
        { class: "lists" },
        others.filter(([, list]) => list.length).map(([list, each]) => this.#list(list, each, weight)),
      ),
      h(
        "p",
        { class: "note legend" },
        h("span", { class: "word candidate sample", "aria-hidden": "true" }, "green border"),
        " can be the answer. ",
        h("b", {}, "★"),
        " no guess is better; all with a star are equal.",
      ),
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

  #list({ title, figure }, rows, weight) {
    const items = rows.map((row) =>
      h(
        "li",
        {},
        wordOf(row, this.pressed),
        h("span", {}, h("b", {}, figure(row)), h("small", {}, meanOf(row, weight))),
      ),
    );
    return h("div", { class: "stack close" }, h("h3", {}, title), h("ul", { class: "suggested" }, items));
  }
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
    title: "guesses of an answer on average from here, this one included",
    cell: meanOf,
  },
  within: { heading: "in time", kind: "n", title: "answers found in time", cell: (row) => whole(row.within) },
  failures: { heading: "lost", kind: "n", title: "answers not found in time", cell: (row) => whole(row.failures) },
  worst: {
    heading: "worst",
    kind: "n",
    title: "guesses after which every answer is found",
    cell: (row) => whole(row.worst),
  },
  chance: { heading: "chance", kind: "n", title: "how likely it is the answer", cell: (row) => likely(row.chance) },
  entropy: {
    heading: "bits",
    kind: "n spare",
    title: "information that the feedback gives on average",
    cell: (row) => decimal(row.entropy_bits, 2),
  },
  parts: { heading: "parts", kind: "n spare", title: "patterns that can be seen", cell: (row) => whole(row.parts) },
};
