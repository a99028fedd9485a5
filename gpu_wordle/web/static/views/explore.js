// Explore: the spectrum of any guess at any position, its statistics, and the words behind each bar.

import { say } from "../announcer.js";
import { isServed, Line, once } from "../data.js";
import { button, field, fill, h, select } from "../dom.js";
import { isSolved } from "../feedback.js";
import { counted, shown, whole } from "../figures.js";
import { isKnown, written } from "../known.js";
import { answered, section } from "../notes.js";
import { Spectrum } from "../spectrum.js";
import { capitals } from "../spelling.js";
import { addressOf, go, isSamePosition, positionOf, turnsOf, writeTurns } from "../state.js";
import { tiles } from "../tiles.js";
import { setWord, wordField } from "../words.js";

export const title = "Explore";

const FIRST = "salet";
const FIGURES = [
  ["total", "total guesses", 0],
  ["mean", "guesses on average", 4],
  ["worst", "worst case", 0],
];
const MOST_TOLD = 8;

export function openView(place) {
  return new Explore(place);
}

class Explore {
  #lines = [new Line(), new Line()];
  #values = [new Line(), new Line()];

  constructor(place) {
    this.fields = [
      wordField((word) => go({ guess: word, part: null }), { placeholder: FIRST }),
      wordField((word) => go({ other: word }), { placeholder: "none" }),
    ];
    this.order = select(
      [
        ["pattern", "by feedback"],
        ["size", "largest first"],
      ],
      "pattern",
      (order) => go({ order: order === "pattern" ? null : order }),
    );
    this.spectrum = new Spectrum({ hovered: (pattern) => this.#tell(pattern), picked: (part) => go({ part }) });
    this.position = h("div", { class: "position" });
    this.told = h("div", { class: "told hover" });
    this.chart = h("div", { class: "stack close" });
    this.table = h("div");
    this.words = h("div", { "aria-live": "polite" });
    place.append(
      h(
        "div",
        { class: "stack" },
        h(
          "div",
          { class: "bar" },
          field("Guess", this.fields[0]),
          field("Compare with", this.fields[1]),
          field("Order of bars", this.order),
        ),
        this.position,
        this.told,
        this.spectrum.element,
        this.chart,
        h("div", { class: "halves" }, this.words, section("Statistics", { class: "stack close" }, this.table)),
      ),
    );
  }

  update(state) {
    const before = this.state;
    this.state = state;
    this.guess = state.guess ?? FIRST;
    setWord(this.fields[0], state.guess);
    setWord(this.fields[1], state.other);
    this.order.value = state.order ?? "pattern";
    this.#showPosition();
    const isAsked = before && isSamePosition(before, state);
    if (!isAsked || before.guess !== state.guess || before.other !== state.other) this.#ask();
    else this.#draw();
  }

  leave() {
    for (const line of [...this.#lines, ...this.#values]) line.cancel();
    this.spectrum.close();
  }

  #showPosition() {
    const turns = turnsOf(this.state.turns);
    if (!turns.length && !isKnown(this.state)) {
      fill(
        this.position,
        h("p", { class: "note" }, "Start of the game. Click a bar to see its words and to continue from there."),
      );
      return;
    }
    fill(
      this.position,
      h(
        "div",
        { class: "bar spread" },
        h(
          "div",
          { class: "made" },
          turns.map(({ guess, pattern }) => tiles(guess, pattern, { class: "tiles small" })),
          isKnown(this.state) && h("p", { class: "note" }, written(this.state)),
        ),
        h(
          "div",
          { class: "bar tight" },
          turns.length > 0 && button("Undo turn", () => this.#to(turns.slice(0, -1))),
          button("Back to start", () => go({ turns: null, template: null, present: null, absent: null, part: null })),
          h("a", { href: addressOf("advise", this.state) }, "Advise here"),
        ),
      ),
    );
  }

  #to(turns) {
    go({ turns: writeTurns(turns), part: null });
  }

  // Spectra come at once; exact values may take a while. Answers to questions that are no longer
  // `asked` are dropped.
  async #ask() {
    const guesses = [this.guess, this.state.other].filter(Boolean);
    const question = (guess) => ({ ...positionOf(this.state), guess });
    for (const line of [...this.#lines, ...this.#values]) line.cancel();
    const asked = { values: guesses.map(() => null) };
    this.asked = asked;
    this.spectra = null;
    const spectra = Promise.all(guesses.map((guess, i) => this.#lines[i].get("spectrum", question(guess))));
    await answered(this.chart, spectra, (found) => {
      this.spectra = found;
      this.#draw();
      const { parts, answers } = found[0];
      say(`${capitals(guesses[0])} splits ${counted(answers, "answer")} into ${counted(parts, "group")}`);
      return null;
    });
    if (asked !== this.asked) return;
    this.spectrum.element.hidden = !this.spectra;
    if (this.spectra) guesses.forEach((guess, i) => this.#askValue(asked, i, question(guess)));
    else for (const place of [this.words, this.table]) fill(place);
  }

  async #askValue(asked, i, question) {
    asked.values[i] = await this.#values[i].get("value", question).then(
      (found) => found.rows[0],
      (error) => (isServed() ? { failed: error.message } : {}), // an exported site has the values of openers
    );
    if (asked === this.asked) this.#showStatistics();
  }

  #draw() {
    if (!this.spectra) return;
    const [sizes, otherSizes] = this.spectra.map(
      ({ rows }) => new Map(rows.map(({ pattern, part_size }) => [pattern, part_size])),
    );
    this.spectrum.show({
      guess: this.guess,
      sizes,
      otherSizes,
      order: this.order.value,
      picked: this.state.part,
    });
    this.#tell(null);
    this.#showWords();
    this.#showStatistics();
  }

  // The tiles of the bar under the pointer, with the answers behind it.
  #tell(pattern) {
    const at = pattern ?? this.state.part;
    if (!at || !this.spectra) {
      fill(this.told, tiles(this.guess, null), h("span", { class: "quiet" }, "point at a bar, or use the arrow keys"));
      return;
    }
    const told = this.spectra.map(({ rows }, i) => {
      const row = rows.find((each) => each.pattern === at);
      const words = capitals((row?.remaining ?? []).slice(0, MOST_TOLD).join(" "));
      return h(
        "div",
        { class: `bar tight${i ? " of-other" : ""}` },
        tiles(i ? this.state.other : this.guess, at),
        h("span", {}, `${counted(row?.part_size ?? 0, "answer")} ${words}`),
      );
    });
    fill(this.told, told);
  }

  #showWords() {
    const row = this.spectra[0].rows.find((each) => each.pattern === this.state.part);
    if (!row) {
      fill(this.words);
      return;
    }
    const list = h(
      "ul",
      { class: "words long", tabindex: "0", "aria-label": "Answers behind this bar" },
      row.remaining.map((word) => h("li", {}, capitals(word))),
    );
    const turns = [...turnsOf(this.state.turns), { guess: this.guess, pattern: row.pattern }];
    fill(
      this.words,
      section(
        counted(row.part_size, "answer"),
        { class: "stack close" },
        tiles(this.guess, row.pattern),
        list,
        isSolved(row.pattern)
          ? null
          : h(
              "div",
              { class: "bar" },
              button("Continue from here", () => this.#to(turns), { class: "main" }),
            ),
      ),
    );
  }

  async #showStatistics() {
    const { statistics } = await once("choices");
    if (!this.spectra) return;
    const columns = this.spectra.map((each) => each.statistics ?? each);
    const heads = [this.guess, this.state.other].filter(Boolean).slice(0, columns.length);
    const exact = FIGURES.map(([key, name, digits]) => [
      name,
      this.asked.values.map((value) => valueShown(value, key, digits)),
      "exact",
      "",
    ]);
    const listed = statistics
      .filter(({ name }) => columns[0][name] !== undefined)
      .map(({ name, heading, description, decimals }) => [
        heading,
        columns.map((each) => shown(each[name], decimals)),
        "",
        description,
      ]);
    const row = ([name, values, kind, meaning]) =>
      h(
        "tr",
        { class: kind, title: meaning },
        h("th", { scope: "row" }, name),
        values.map((value) => h("td", { class: "n" }, value)),
      );
    const head = h(
      "tr",
      {},
      h("td", {}),
      heads.map((word, i) => h("th", { scope: "col", class: `n${i ? " of-other" : ""}` }, capitals(word))),
    );
    fill(
      this.table,
      h("table", { class: "statistics" }, h("thead", {}, head), h("tbody", {}, [...exact, ...listed].map(row))),
    );
    for (const { failed } of this.asked.values.filter((value) => value?.failed))
      this.table.append(h("p", { class: "note failed" }, failed));
  }
}

function valueShown(value, key, digits) {
  if (value === null) return "…";
  if (value.failed) return "–";
  if (value.infeasible || value.status === "infeasible") return key === "total" ? "no guaranteed win" : "–";
  return key === "mean" ? shown(value.mean, digits) : whole(value[key]);
}
