// The expected length of a game by turn: what each choice cost and what luck gave. A turn goes from the
// value before it up by its regret, then down by its luck, or up without any.

import { fill, h, svg } from "./dom.js";
import { decimal } from "./figures.js";
import { capitals } from "./spelling.js";

const HEIGHT = 190;
const MARGIN = { left: 34, right: 8, top: 12, bottom: 34 };
const LEAST_SPAN = 1; // of the vertical axis, in guesses
const WIDEST = 130; // pixels of a turn

// `picked(row)` is called for the turn that was clicked or entered.
export class GameChart {
  constructor(rows, picked) {
    this.turns = lengthsOf(rows);
    this.picked = picked;
    this.at = null;
    const events = {
      pointermove: (event) => this.#point(this.#nearest(event)),
      click: (event) => this.#pick(this.#nearest(event)),
      keydown: (event) => this.#key(event),
    };
    const label = "Expected length of the game by turn; Enter goes to a turn";
    this.list = h("div", { role: "listbox", tabindex: "0", class: "course", "aria-label": label, on: events });
    this.told = h("p", { class: "told", "aria-live": "polite" }, "Each turn: what the choice cost, what luck gave.");
    this.element = h("div", { class: "picture noprint" }, this.list, this.told);
    new ResizeObserver(() => this.#draw()).observe(this.element);
  }

  #draw() {
    const { turns } = this;
    if (!this.element.clientWidth || !turns.length) return;
    const room = this.element.clientWidth - MARGIN.left - MARGIN.right;
    this.slot = Math.min(WIDEST, room / turns.length);
    const known = turns.flatMap(({ ends }) => ends).filter((end) => end !== null);
    const least = Math.floor(Math.min(...known));
    const most = Math.max(Math.ceil(Math.max(...known)), least + LEAST_SPAN);
    const full = HEIGHT - MARGIN.top - MARGIN.bottom;
    const y = (value) => MARGIN.top + (full * (most - value)) / (most - least);
    const width = MARGIN.left + MARGIN.right + this.slot * turns.length;
    fill(
      this.list,
      svg(
        "svg",
        { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: "none" },
        svg("g", { "aria-hidden": "true" }, this.#grid(least, most, width, y)),
        turns.map((turn, i) => this.#turn(turn, i, y)),
      ),
    );
    this.#mark();
  }

  #grid(least, most, width, y) {
    const step = Math.ceil((most - least) / 6);
    const ticks = [];
    for (let tick = least; tick <= most; tick += step) {
      ticks.push(svg("line", { class: "grid", x1: MARGIN.left, x2: width - MARGIN.right, y1: y(tick), y2: y(tick) }));
      ticks.push(svg("text", { class: "axis", x: MARGIN.left - 6, y: y(tick) + 4, "text-anchor": "end" }, String(tick)));
    }
    return ticks;
  }

  #turn({ row, ends }, i, y) {
    const [before, chosen, after] = ends;
    const x = MARGIN.left + this.slot * i;
    const place = (share) => x + this.slot * share;
    const bar = (kind, share, from, to) =>
      from !== null &&
      to !== null &&
      svg("rect", {
        class: `step ${kind}`,
        x: place(share),
        width: this.slot * 0.3,
        y: y(Math.max(from, to)),
        height: Math.max(1.5, Math.abs(y(from) - y(to))),
      });
    const named = (line, text) =>
      svg("text", { class: "axis", x: place(0.5), y: HEIGHT - line, "text-anchor": "middle" }, text);
    return svg(
      "g",
      { id: `course-${i}`, role: "option", class: "turn", "aria-selected": "false", "aria-label": spoken(row) },
      svg("rect", { class: "slot", x, y: 0, width: this.slot, height: HEIGHT }),
      bar("cost", 0.2, before, chosen),
      bar(after > chosen ? "cost" : "gain", 0.5, chosen, after),
      named(18, row.turn),
      named(4, capitals(row.guess)),
    );
  }

  #nearest(event) {
    const { left } = this.list.getBoundingClientRect();
    const i = Math.floor((event.clientX - left - MARGIN.left) / this.slot);
    return Math.min(Math.max(i, 0), this.turns.length - 1);
  }

  #point(at) {
    if (at === this.at) return;
    this.at = at;
    fill(this.told, h("b", {}, `${this.turns[at].row.turn}. `), spoken(this.turns[at].row));
    this.#mark();
  }

  #pick(at) {
    this.#point(at);
    this.picked(this.turns[at].row);
  }

  // The arrow keys move between turns, Enter goes to one.
  #key(event) {
    const [now, last] = [this.at ?? -1, this.turns.length - 1];
    const next = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: last }[event.key];
    if (next !== undefined) this.#point(Math.min(Math.max(next, 0), last));
    else if (event.key === "Enter" || event.key === " ") this.#pick(Math.max(now, 0));
    else return;
    event.preventDefault();
  }

  #mark() {
    this.list.querySelectorAll(".turn").forEach((turn, i) => {
      turn.setAttribute("aria-selected", String(i === this.at));
    });
    if (this.at !== null) this.list.setAttribute("aria-activedescendant", `course-${this.at}`);
  }
}

// The expected length of the game before each turn, after its guess, and after its feedback.
function lengthsOf(rows) {
  let made = 0;
  return rows
    .filter((row) => row.value_guess !== null)
    .map((row) => {
      const { value_before: before, value_guess: guess, value_after: after, luck } = row;
      const start = made;
      const price = luck === null ? 1 : guess - luck - after; // of a turn, which is 1 unless turns have prices
      made += price;
      const ends = [before === null ? null : start + before, start + guess, after === null ? null : made + after];
      return { row, ends };
    });
}

function spoken({ guess, label, regret, luck }) {
  const said = [
    label,
    regret !== null && `choice cost ${decimal(regret)}`,
    luck !== null && (luck < 0 ? `luck cost ${decimal(-luck)}` : `luck gave ${decimal(luck)}`),
  ];
  return `${capitals(guess)}: ${said.filter(Boolean).join(", ")}`;
}
