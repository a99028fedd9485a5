// The pattern matrix as a picture: guesses across, answers down. Cells are computed when they become
// visible. Zoomed out, a cell has the mean colour of its tiles; zoomed in, it shows the tiles.

import { fill, h } from "./dom.js";
import { feedback, numberSeen, patternOf } from "./feedback.js";
import { capitals, lettersOf, signsOf } from "./spelling.js";
import { colourOf, paletteInUse, spoken } from "./tiles.js";

const TILED = 15; // least size of a cell with visible tiles, in pixels
const NEAREST = 90; // pixels of a cell at the highest zoom
const HEIGHT = 480;
const STEP = 60; // pixels that an arrow key moves

export class Matrix {
  constructor() {
    this.pointers = new Map();
    this.zoom = 0;
    const events = {
      wheel: (event) => this.#wheel(event),
      pointerdown: (event) => this.#grab(event),
      pointermove: (event) => this.#move(event),
      pointerup: (event) => this.pointers.delete(event.pointerId),
      pointercancel: (event) => this.pointers.delete(event.pointerId),
      keydown: (event) => this.#key(event),
    };
    this.canvas = h("canvas", {
      tabindex: "0",
      role: "application",
      "aria-label": "Pattern matrix; arrow keys move it, plus and minus zoom",
      on: events,
    });
    this.line = h("p", { class: "told", "aria-live": "polite" });
    this.element = h("div", { class: "stack close" }, h("div", { class: "picture" }, this.canvas), this.line);
    this.canvas.style.height = `${HEIGHT}px`;
    new ResizeObserver(() => this.#fit()).observe(this.element);
    this.redraw = () => this.#draw();
    document.addEventListener("look", this.redraw);
  }

  close() {
    document.removeEventListener("look", this.redraw);
  }

  show(guesses, answers) {
    Object.assign(this, { guesses, answers });
    this.#fit(true);
  }

  // Zoom in on the cell of two words.
  find(guess, answer) {
    const places = [
      [this.guesses, guess],
      [this.answers, answer],
    ].map(([list, word]) => Math.max(0, word ? list.findIndex((each) => each.startsWith(word)) : 0));
    this.#zoomTo(1, 0, 0);
    this.x = places[0] + 0.5 - this.width / this.scale[0] / 2;
    this.y = places[1] + 0.5 - HEIGHT / this.scale[1] / 2;
    this.#draw();
    this.#say(...places);
  }

  press(how) {
    if (how === "all") this.#fit(true);
    else this.#zoomTo(this.zoom + (how === "in" ? 0.12 : -0.12), this.width / 2, HEIGHT / 2);
  }

  #fit(isNew = false) {
    const width = this.element.clientWidth;
    if (!this.guesses || !width || (!isNew && width === this.width)) return;
    this.width = width;
    [this.canvas.width, this.canvas.height] = [width, HEIGHT];
    this.least = [width / this.guesses.length, HEIGHT / this.answers.length];
    [this.zoom, this.x, this.y] = [0, 0, 0];
    this.scale = [...this.least];
    this.#draw();
  }

  // Zoom goes from 0, the whole, to 1, single tiles; both axes end at the same size.
  #zoomTo(zoom, px, py) {
    const [x, y] = [this.x + px / this.scale[0], this.y + py / this.scale[1]];
    this.zoom = Math.min(1, Math.max(0, zoom));
    this.scale = this.least.map((least) => least * (Math.max(NEAREST, least) / least) ** this.zoom);
    [this.x, this.y] = [x - px / this.scale[0], y - py / this.scale[1]];
    this.#draw();
  }

  // The wheel scrolls the page unless the picture has the focus.
  #wheel(event) {
    if (!event.ctrlKey && document.activeElement !== this.canvas) return;
    event.preventDefault();
    this.#zoomTo(this.zoom - Math.sign(event.deltaY) * 0.05, event.offsetX, event.offsetY);
  }

  #key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) {
      this.#moveBy(-STEP * step[0], -STEP * step[1]);
      this.#say(...this.#cellAt(this.width / 2, HEIGHT / 2));
    } else if (event.key === "+" || event.key === "=") this.press("in");
    else if (event.key === "-") this.press("out");
    else if (event.key === "0") this.press("all");
    else return;
    event.preventDefault();
  }

  #moveBy(px, py) {
    this.x -= px / this.scale[0];
    this.y -= py / this.scale[1];
    this.#draw();
  }

  #grab(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({ preventScroll: true });
    this.pointers.set(event.pointerId, event);
    this.#say(...this.#cellAt(event.offsetX, event.offsetY));
  }

  // One pointer drags, two pinch.
  #move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.#say(...this.#cellAt(event.offsetX, event.offsetY));
      return;
    }
    const other = [...this.pointers.values()].find((each) => each.pointerId !== event.pointerId);
    if (other) {
      const apart = (one) => Math.max(1, Math.hypot(one.offsetX - other.offsetX, one.offsetY - other.offsetY));
      this.#zoomTo(
        this.zoom + Math.log(apart(event) / apart(before)) / 4,
        (event.offsetX + other.offsetX) / 2,
        (event.offsetY + other.offsetY) / 2,
      );
    } else this.#moveBy(event.offsetX - before.offsetX, event.offsetY - before.offsetY);
    this.pointers.set(event.pointerId, event);
  }

  #cellAt(px, py) {
    return [Math.floor(this.x + px / this.scale[0]), Math.floor(this.y + py / this.scale[1])];
  }

  #say(g, a) {
    const [guess, answer] = [this.guesses?.[g], this.answers?.[a]];
    if (!guess || !answer) return;
    const pattern = feedback(guess, answer);
    fill(
      this.line,
      h("b", {}, capitals(guess)),
      " for ",
      h("b", {}, capitals(answer)),
      `: ${pattern}`,
      h("span", { class: "unseen" }, spoken(guess, pattern)),
    );
  }

  #draw() {
    const seen = [this.width / this.scale[0], HEIGHT / this.scale[1]];
    this.x = Math.min(Math.max(0, this.x), Math.max(0, this.guesses.length - seen[0]));
    this.y = Math.min(Math.max(0, this.y), Math.max(0, this.answers.length - seen[1]));
    if (this.isDrawing) return;
    this.isDrawing = true;
    requestAnimationFrame(() => {
      this.isDrawing = false;
      if (Math.min(...this.scale) < TILED) this.#drawColours();
      else this.#drawTiles();
    });
  }

  // Each pixel has the mean colour of the cell that it stands on; equal rows are copied.
  #drawColours() {
    const context = this.canvas.getContext("2d");
    const picture = context.createImageData(this.width, HEIGHT);
    const pixels = new Uint32Array(picture.data.buffer);
    const [seen, palette] = [new Map(), paletteInUse()]; // pixels by the numbers of patterns
    const pixel = (guess, answer) => {
      const number = numberSeen(signsOf(guess), signsOf(answer));
      if (!seen.has(number)) seen.set(number, pixelOf(number, signsOf(guess).length, palette));
      return seen.get(number);
    };
    const across = Array.from({ length: picture.width }, (_, px) => Math.floor(this.x + (px + 0.5) / this.scale[0]));
    for (let py = 0, row = -1; py < HEIGHT; py += 1) {
      const a = Math.floor(this.y + (py + 0.5) / this.scale[1]);
      const at = py * picture.width;
      if (a === row) pixels.copyWithin(at, at - picture.width, at);
      else this.#drawRow(pixels, at, across, this.answers[a], pixel);
      row = a;
    }
    context.putImageData(picture, 0, 0);
  }

  #drawRow(pixels, at, across, answer, pixel) {
    if (answer === undefined) return;
    across.forEach((g, px) => {
      if (px && g === across[px - 1]) pixels[at + px] = pixels[at + px - 1];
      else if (this.guesses[g] !== undefined) pixels[at + px] = pixel(this.guesses[g], answer);
    });
  }

  // Draw each tile, with its letter if there is room.
  #drawTiles() {
    const context = this.canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    context.fillStyle = colour("paper");
    context.fillRect(0, 0, this.width, HEIGHT);
    const inks = Object.fromEntries(
      ["b", "y", "g"].map((each) => [each.toUpperCase(), [colour(`tile-${each}`), colour(`on-${each}`)]]),
    );
    const [right, bottom] = this.#cellAt(this.width, HEIGHT);
    for (let a = Math.floor(this.y); a <= bottom && a < this.answers.length; a += 1) {
      for (let g = Math.floor(this.x); g <= right && g < this.guesses.length; g += 1)
        this.#drawCell(context, g, a, inks);
    }
  }

  #drawCell(context, g, a, inks) {
    const [across, down] = this.scale;
    const [left, top] = [(g - this.x) * across, (a - this.y) * down];
    const [guess, pattern] = [this.guesses[g], feedback(this.guesses[g], this.answers[a])];
    const letters = lettersOf(guess);
    const size = (across * 0.94) / letters.length;
    context.font = `700 ${size * 0.7}px ui-monospace, monospace`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    [...pattern].forEach((each, i) => {
      context.fillStyle = inks[each][0];
      context.fillRect(left + i * size, top, size - 0.5, down * 0.9);
      if (size < 8) return;
      context.fillStyle = inks[each][1];
      context.fillText(capitals(letters[i]), left + (i + 0.5) * size, top + down * 0.47, size * 0.9);
    });
  }
}

// The pixel of a pattern, as canvases keep it: the lowest byte is red.
function pixelOf(number, length, palette) {
  const [r, g, b] = colourOf(patternOf(number, length), palette);
  return (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
}
