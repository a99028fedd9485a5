// The spectrum of a guess: a bar for each possible pattern. Its height is the logarithm of the number of
// answers, its colour the mean of the tiles. A second guess is drawn over it in outlines.

import { fill, h, svg } from "./dom.js";
import { numberOf } from "./feedback.js";
import { counted, whole } from "./figures.js";
import { signsOf } from "./spelling.js";
import { colourOf, MEANING, paletteInUse } from "./tiles.js";

const HEIGHT = 280;
const MARGIN = { left: 38, right: 6, top: 12, bottom: 22 };
const LEAST_SLOT = 3; // pixels; below that, the picture scrolls
const LEAST_BAR = 0.14; // of the height, so that a bar of one answer is visible
const MOST_NUMBERED = 5; // letters; with longer words, most patterns never occur
const TICKS = [1, 3, 10, 30, 100, 300, 1000, 3000];

// `told.hovered(pattern)` is called for the bar under the pointer or the keys, with null if there is
// none; `told.picked(pattern)` for the clicked bar.
export class Spectrum {
  constructor(told) {
    this.told = told;
    this.at = null;
    const events = {
      pointermove: (event) => this.#point(this.#nearest(event)),
      pointerleave: () => this.#point(null),
      click: (event) => this.#pick(this.#nearest(event)),
      keydown: (event) => this.#key(event),
    };
    this.list = h("div", { class: "bars", role: "listbox", tabindex: "0", "aria-label": "Spectrum", on: events });
    this.element = h("div", { class: "picture scroll" }, this.list);
    new ResizeObserver(() => this.#draw()).observe(this.element);
    this.redraw = () => this.#draw();
    document.addEventListener("look", this.redraw);
  }

  close() {
    document.removeEventListener("look", this.redraw);
  }

  // `shown`: { guess, sizes, otherSizes, order, picked }; sizes are maps from patterns.
  show(shown) {
    this.shown = shown;
    this.#draw();
  }

  // The patterns from left to right: those of either guess, by their number or the largest first.
  #slots() {
    const { guess, sizes, otherSizes, order } = this.shown;
    if (order === "size" || signsOf(guess).length > MOST_NUMBERED) {
      const all = new Set([...sizes.keys(), ...(otherSizes?.keys() ?? [])]);
      const size = (pattern) => [sizes.get(pattern) ?? 0, otherSizes?.get(pattern) ?? 0];
      return [...all].sort((one, next) => size(next)[0] - size(one)[0] || size(next)[1] - size(one)[1]);
    }
    const slots = new Array(3 ** signsOf(guess).length).fill(null);
    for (const each of [sizes, otherSizes ?? []]) for (const [pattern] of each) slots[numberOf(pattern)] = pattern;
    return slots;
  }

  #draw() {
    if (!this.shown || !this.element.clientWidth) return;
    const slots = this.#slots();
    const room = MARGIN.left + MARGIN.right;
    this.slot = Math.max(LEAST_SLOT, Math.min(24, (this.element.clientWidth - room) / slots.length));
    const width = room + this.slot * slots.length;
    const most = Math.max(...this.shown.sizes.values(), ...(this.shown.otherSizes?.values() ?? []));
    this.patterns = slots;
    fill(
      this.list,
      svg(
        "svg",
        { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: "none" },
        this.#grid(most, width),
        this.#bars(most),
        this.#outlines(most),
      ),
    );
    this.#mark();
  }

  #grid(most, width) {
    const bottom = HEIGHT - MARGIN.bottom;
    const ticks = TICKS.filter((tick) => tick <= most).map((tick) => {
      const y = bottom - this.#height(tick, most);
      return [
        svg("line", { class: "grid", x1: MARGIN.left, x2: width - MARGIN.right, y1: y, y2: y }),
        svg("text", { class: "axis", x: MARGIN.left - 6, y: y + 4, "text-anchor": "end" }, whole(tick)),
      ];
    });
    const ends = this.shown.order === "size" ? ["largest group", "smallest"] : ["all absent", "all in place"];
    const told = ends.map((end, i) =>
      svg(
        "text",
        { class: "axis", x: i ? width - MARGIN.right : MARGIN.left, y: HEIGHT - 6, "text-anchor": i ? "end" : "start" },
        end,
      ),
    );
    return svg("g", { "aria-hidden": "true" }, ticks, told);
  }

  #height(size, most) {
    const full = HEIGHT - MARGIN.top - MARGIN.bottom;
    return full * (LEAST_BAR + (1 - LEAST_BAR) * (most === 1 ? 0 : Math.log(size) / Math.log(most)));
  }

  #bars(most) {
    const palette = paletteInUse();
    const gap = this.slot > 5 ? 1 : 0;
    return this.#each(this.shown.sizes, (pattern, size, x) => {
      const height = this.#height(size, most);
      const said = `${[...pattern].map((colour) => MEANING[colour]).join(", ")}: ${counted(size, "answer")}`;
      const attributes = {
        id: `bar-${pattern}`,
        class: "bar-of",
        role: "option",
        "aria-label": said,
        "aria-selected": "false",
      };
      return svg("rect", {
        ...attributes,
        x,
        y: HEIGHT - MARGIN.bottom - height,
        width: this.slot - gap,
        height,
        fill: `rgb(${colourOf(pattern, palette).join(" ")})`,
      });
    });
  }

  #outlines(most) {
    if (!this.shown.otherSizes) return null;
    return this.#each(this.shown.otherSizes, (pattern, size, x) => {
      const [y, inner] = [HEIGHT - MARGIN.bottom - this.#height(size, most), Math.max(1.5, this.slot - 1)];
      return [
        svg("line", { class: "stem", x1: x + inner / 2, x2: x + inner / 2, y1: HEIGHT - MARGIN.bottom, y2: y }),
        svg("line", { class: "cap", x1: x - 0.5, x2: x + inner + 0.5, y1: y, y2: y }),
      ];
    });
  }

  #each(sizes, draw) {
    const made = this.patterns.map(
      (pattern, i) => sizes.has(pattern) && draw(pattern, sizes.get(pattern), MARGIN.left + i * this.slot),
    );
    return made.flat().filter(Boolean);
  }

  #nearest(event) {
    const { left } = this.list.getBoundingClientRect();
    const place = (event.clientX - left - MARGIN.left) / this.slot - 0.5;
    let nearest = null;
    this.patterns?.forEach((pattern, i) => {
      if (pattern && (nearest === null || Math.abs(i - place) < Math.abs(this.patterns.indexOf(nearest) - place)))
        nearest = pattern;
    });
    return nearest;
  }

  #point(pattern) {
    this.at = pattern;
    this.#mark();
    this.told.hovered(pattern);
  }

  #pick(pattern) {
    if (pattern) this.told.picked(pattern);
  }

  // The arrow keys move between bars, Enter selects one.
  #key(event) {
    const bars = this.patterns.filter((pattern) => this.shown.sizes.has(pattern));
    const now = bars.indexOf(this.at ?? this.shown.picked);
    const next = { ArrowRight: now + 1, ArrowLeft: now < 0 ? bars.length - 1 : now - 1, Home: 0, End: bars.length - 1 }[
      event.key
    ];
    if (next !== undefined) this.#point(bars[Math.min(Math.max(next, 0), bars.length - 1)]);
    else if (event.key === "Enter" || event.key === " ") this.#pick(this.at);
    else return;
    event.preventDefault();
  }

  #mark() {
    for (const bar of this.list.querySelectorAll(".bar-of")) {
      const pattern = bar.id.slice("bar-".length);
      bar.classList.toggle("pointed", pattern === this.at);
      bar.setAttribute("aria-selected", String(pattern === this.shown.picked));
    }
    if (this.at && this.shown.sizes.has(this.at)) this.list.setAttribute("aria-activedescendant", `bar-${this.at}`);
    else this.list.removeAttribute("aria-activedescendant");
  }
}
