// Thousands of openers as points: one figure against another.

import { fill, h } from "./dom.js";
import { shown } from "./figures.js";
import { capitals } from "./spelling.js";

const MARGIN = { left: 58, right: 14, top: 14, bottom: 42 };
const HEIGHT = 440;
const NEAR = 14; // pixels from the pointer to a point
const TICKS = 6;

// `told.picked(word)` is called for points chosen by a click or by keys.
export class Scatter {
  constructor(told) {
    this.told = told;
    this.at = null;
    const events = {
      pointermove: (event) => this.#point(this.#nearest(event)),
      pointerdown: (event) => this.#point(this.#nearest(event)),
      pointerleave: () => this.#point(null),
      click: (event) => this.#pick(this.#nearest(event)),
      keydown: (event) => this.#key(event),
    };
    this.canvas = h("canvas", {
      tabindex: "0",
      role: "application",
      "aria-label": "Scatter plot; arrow keys move between points, Enter selects one",
      on: events,
    });
    this.line = h("p", { class: "told", "aria-live": "polite" });
    this.element = h("div", { class: "stack close" }, h("div", { class: "picture" }, this.canvas), this.line);
    new ResizeObserver(() => this.#draw()).observe(this.element);
    this.redraw = () => this.#draw();
    document.addEventListener("look", this.redraw);
  }

  close() {
    document.removeEventListener("look", this.redraw);
  }

  // `points`: [{ word, x, y, candidate }]; `axes`: { x, y } are their names; `picked` is a word.
  show(points, axes, picked) {
    this.points = [...points].sort((one, other) => one.x - other.x || one.y - other.y);
    Object.assign(this, { axes, picked, at: null });
    this.#draw();
    this.#tell();
  }

  #draw() {
    const width = this.element.clientWidth;
    if (!this.points?.length || !width) return;
    const scale = devicePixelRatio || 1;
    [this.canvas.width, this.canvas.height] = [width * scale, HEIGHT * scale];
    this.canvas.style.height = `${HEIGHT}px`;
    const context = this.canvas.getContext("2d");
    context.scale(scale, scale);
    this.place = {
      x: axis(
        this.points.map(({ x }) => x),
        MARGIN.left,
        width - MARGIN.right,
      ),
      y: axis(
        this.points.map(({ y }) => y),
        HEIGHT - MARGIN.bottom,
        MARGIN.top,
      ),
    };
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    this.#drawAxes(context, width, colour);
    this.#drawPoints(context, colour);
  }

  #drawAxes(context, width, colour) {
    context.font = "12px ui-sans-serif, system-ui, sans-serif";
    context.fillStyle = colour("quiet");
    context.strokeStyle = colour("line");
    for (const tick of this.place.x.ticks) {
      line(context, this.place.x(tick), MARGIN.top, this.place.x(tick), HEIGHT - MARGIN.bottom);
      context.textAlign = "center";
      context.fillText(shown(tick, 2), this.place.x(tick), HEIGHT - MARGIN.bottom + 16);
    }
    for (const tick of this.place.y.ticks) {
      line(context, MARGIN.left, this.place.y(tick), width - MARGIN.right, this.place.y(tick));
      context.textAlign = "right";
      context.fillText(shown(tick, 2), MARGIN.left - 6, this.place.y(tick) + 4);
    }
    context.fillStyle = colour("ink");
    context.fillText(this.axes.x, width - MARGIN.right, HEIGHT - 8);
    context.textAlign = "left";
    context.fillText(this.axes.y, MARGIN.left + 6, MARGIN.top + 8);
  }

  #drawPoints(context, colour) {
    const [answer, other] = [colour("good"), colour("quiet")];
    context.globalAlpha = 0.55;
    for (const candidate of [false, true]) {
      context.fillStyle = candidate ? answer : other;
      for (const point of this.points) {
        if (point.candidate === candidate)
          context.fillRect(this.place.x(point.x) - 1.5, this.place.y(point.y) - 1.5, 3, 3);
      }
    }
    context.globalAlpha = 1;
    const named = [this.at, this.points.find(({ word }) => word === this.picked)].filter(Boolean);
    for (const point of named) this.#drawNamed(context, point, colour);
  }

  #drawNamed(context, point, colour) {
    const [x, y] = [this.place.x(point.x), this.place.y(point.y)];
    context.strokeStyle = context.fillStyle = colour("accent");
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, 6, 0, 2 * Math.PI);
    context.stroke();
    context.font = "700 13px ui-sans-serif, system-ui, sans-serif";
    context.textAlign = x > this.element.clientWidth / 2 ? "right" : "left";
    context.fillText(capitals(point.word), x + (x > this.element.clientWidth / 2 ? -10 : 10), y - 8);
  }

  #nearest({ offsetX, offsetY }) {
    let [nearest, least] = [null, NEAR ** 2];
    for (const point of this.points ?? []) {
      const apart = (this.place.x(point.x) - offsetX) ** 2 + (this.place.y(point.y) - offsetY) ** 2;
      if (apart < least) [nearest, least] = [point, apart];
    }
    return nearest;
  }

  #point(point) {
    if (point === this.at) return;
    this.at = point;
    this.#draw();
    this.#tell();
  }

  #tell() {
    const point = this.at ?? this.points?.find(({ word }) => word === this.picked);
    const figures = point
      ? ` ${this.axes.x} ${shown(point.x, 4)}, ${this.axes.y} ${shown(point.y, 4)}${point.candidate ? ", can be the answer" : ""}`
      : "Point at an opener to see its name.";
    fill(this.line, point ? h("b", {}, capitals(point.word)) : null, figures);
  }

  #pick(point) {
    if (point) this.told.picked(point.word);
  }

  #key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, PageDown: 100, PageUp: -100, Home: -Infinity, End: Infinity }[
      event.key
    ];
    const now = this.points.indexOf(this.at);
    if (step) this.#point(this.points[Math.min(Math.max(now + step, 0), this.points.length - 1)]);
    else if (event.key === "Enter") this.#pick(this.at);
    else return;
    event.preventDefault();
  }
}

function line(context, ...[x1, y1, x2, y2]) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

// The scale of an axis: positions of values, and round values to mark.
function axis(values, from, to) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = most - least || 1;
  const place = (value) => from + ((value - least) / span) * (to - from);
  const rough = span / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
  place.ticks = [];
  for (let tick = Math.ceil(least / step) * step; tick <= most; tick += step)
    place.ticks.push(Number(tick.toPrecision(12)));
  return place;
}

// Spearman's rank correlation of two lists; equal figures share their mean rank.
export function spearman(xs, ys) {
  const [a, b] = [ranks(xs), ranks(ys)];
  const mean = (a.length + 1) / 2;
  let [both, mine, theirs] = [0, 0, 0];
  a.forEach((rank, i) => {
    both += (rank - mean) * (b[i] - mean);
    mine += (rank - mean) ** 2;
    theirs += (b[i] - mean) ** 2;
  });
  return both / Math.sqrt(mine * theirs);
}

function ranks(values) {
  const order = values.map((_, i) => i).sort((one, other) => values[one] - values[other]);
  const ranked = new Array(values.length);
  for (let start = 0; start < order.length;) {
    let end = start + 1;
    while (end < order.length && values[order[end]] === values[order[start]]) end += 1;
    for (let i = start; i < end; i += 1) ranked[order[i]] = (start + end + 1) / 2;
    start = end;
  }
  return ranked;
}
