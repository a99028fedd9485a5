"use strict";
// Sortable, searchable tables; downloads; strategies; and a pattern matrix with zoom.
// Data from files is inserted as text, never as markup.

const ROWS = 50; // rows of a table shown at once
const columns = JSON.parse(document.getElementById("columns").textContent);

const grouped = new Map(); // number formats by decimals
function number(value, decimals) {
  if (!grouped.has(decimals)) {
    grouped.set(decimals, new Intl.NumberFormat("en", {
      minimumFractionDigits: decimals, maximumFractionDigits: decimals, roundingMode: "halfEven",
    }));
  }
  return grouped.get(decimals).format(value);
}

function shown(value, column) {
  if (value === null) return "-";
  if (column.truth) return value ? "yes" : "";
  if (typeof value === "number") return number(value, column.decimals);
  return Array.isArray(value) ? value.join(" ") : value;
}

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function dataOf(place) {
  const said = JSON.parse(place.querySelector("script.data").textContent);
  for (const column of said.columns) column.values = columns[column.place];
  return said;
}

// Downloads

function field(value, column) {
  let text = value === null ? "" : Array.isArray(value) ? value.join(" ") : String(value);
  if (column.truth && value !== null) text = value ? "True" : "False";
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csv(said) {
  const lines = [said.columns.map((column) => field(column.name, {})).join(",")];
  const rows = said.columns.length ? said.columns[0].values.length : 0;
  for (let row = 0; row < rows; row += 1) {
    lines.push(said.columns.map((column) => field(column.values[row], column)).join(","));
  }
  return `${lines.join("\n")}\n`;
}

function save(button) {
  const said = dataOf(document.getElementById(button.dataset.of));
  const link = element("a");
  link.href = URL.createObjectURL(new Blob([csv(said)], { type: "text/csv" }));
  link.download = `${said.name}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

for (const button of document.querySelectorAll("button.save")) {
  button.hidden = false;
  button.addEventListener("click", () => save(button));
}

// Tables

function compare(one, other) {
  if (Array.isArray(one)) {
    for (let i = 0; i < Math.max(one.length, other.length); i += 1) {
      const by = compare(one[i] ?? 0, other[i] ?? 0);
      if (by) return by;
    }
    return 0;
  }
  return one < other ? -1 : one > other ? 1 : 0;
}

class Table {
  constructor(place) {
    const said = dataOf(place);
    this.columns = said.columns;
    this.count = this.columns[0].values.length;
    this.order = Array.from({ length: this.count }, (_, row) => row);
    this.found = this.order;
    this.page = 0;
    this.sorted = null;
    this.body = place.querySelector("tbody");
    [this.searching, this.turning] = place.querySelectorAll("p.bar");
    [this.back, this.next] = this.turning.querySelectorAll("button");
    this.texts = this.columns.filter((column) => !column.number);
    this.heads = [...place.querySelectorAll("th")];
    this.heads.forEach((head, i) => this.prepare(head, i));
    const first = place.querySelector(".first");
    if (first) first.hidden = true;
    this.searching.hidden = !first;
    this.input = this.searching.querySelector("input");
    this.input.addEventListener("input", () => this.search());
    this.back.addEventListener("click", () => this.turn(-1));
    this.next.addEventListener("click", () => this.turn(1));
    this.search();
  }

  prepare(head, i) {
    const button = element("button", head.textContent);
    button.type = "button";
    head.replaceChildren(button);
    button.addEventListener("click", () => this.sort(i));
  }

  sort(i) {
    const values = this.columns[i].values;
    const isSame = this.sorted?.by === i;
    const sign = isSame ? -this.sorted.sign : 1;
    this.sorted = { by: i, sign };
    this.order = Array.from({ length: this.count }, (_, row) => row).sort((one, other) => {
      const [mine, theirs] = [values[one], values[other]];
      if (mine === null || theirs === null) return (mine === null) - (theirs === null);
      return sign * compare(mine, theirs) || one - other;
    });
    this.heads.forEach((head, place) => {
      if (place === i) head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
    this.search();
  }

  search() {
    const asked = normalise(this.input.value);
    const holds = (row) => this.texts.some((column) =>
      normalise(shown(column.values[row], column)).includes(asked));
    this.found = asked ? this.order.filter(holds) : this.order;
    const told = `${number(this.found.length, 0)} of ${number(this.count, 0)}`;
    this.searching.querySelector(".found").textContent = asked ? `${told} rows` : "";
    this.page = 0;
    this.draw();
  }

  turn(by) {
    this.page += by;
    this.draw();
  }

  draw() {
    const start = this.page * ROWS;
    const rows = this.found.slice(start, start + ROWS);
    this.body.replaceChildren(...rows.map((row) => {
      const line = element("tr");
      for (const column of this.columns) {
        line.append(element("td", shown(column.values[row], column), column.number ? "n" : ""));
      }
      return line;
    }));
    this.turning.hidden = this.found.length <= ROWS;
    this.back.disabled = this.page === 0;
    this.next.disabled = start + ROWS >= this.found.length;
    const last = Math.min(start + ROWS, this.found.length);
    this.turning.querySelector("span").textContent =
      `${number(start + 1, 0)} to ${number(last, 0)} of ${number(this.found.length, 0)}`;
  }
}

for (const place of document.querySelectorAll("div.table")) new Table(place);

// Strategies

for (const place of document.querySelectorAll("div.strategy")) {
  const bar = place.querySelector(".bar");
  const told = bar.querySelector(".found");
  const branches = [...place.querySelectorAll("details")];
  const labels = [...place.querySelectorAll("summary, .leaf")];
  const words = labels.map((label) => normalise(label.querySelector("b").textContent));
  bar.hidden = false;
  bar.querySelector(".open").addEventListener("click", () => {
    for (const branch of branches) branch.open = true;
  });
  bar.querySelector(".close").addEventListener("click", () => {
    branches.forEach((branch, i) => { branch.open = i === 0; });
  });
  bar.querySelector("input").addEventListener("input", (event) => {
    const asked = normalise(event.target.value);
    for (const label of place.querySelectorAll(".hit")) label.classList.remove("hit");
    branches.forEach((branch, i) => { branch.open = i === 0; });
    told.textContent = "";
    if (!asked) return;
    const hits = labels.filter((_, i) => words[i].startsWith(asked));
    for (const hit of hits) {
      hit.classList.add("hit");
      const own = hit.closest("details");
      for (let at = own; at; at = at.parentElement.closest("details")) at.open = true;
    }
    told.textContent = `found ${number(hits.length, 0)} times`;
    hits[0]?.scrollIntoView({ block: "nearest" });
  });
}

// The pattern matrix: cells are computed when they become visible

const COLOURS = [[120, 124, 126], [201, 180, 88], [106, 170, 100]]; // grey, yellow, green
const TILED_PX = 15; // least size of a cell with visible tiles

// The digits of a pattern: green where letters agree, then yellow for each further copy, from the
// left, until the copies of the answer are used up.
function feedback(guess, answer) {
  const [mine, theirs] = [[...guess], [...answer]];
  const result = mine.map((letter, i) => (letter === theirs[i] ? 2 : 0));
  const left = new Map();
  theirs.forEach((letter, i) => {
    if (result[i] !== 2) left.set(letter, (left.get(letter) ?? 0) + 1);
  });
  mine.forEach((letter, i) => {
    if (result[i] === 0 && left.get(letter)) {
      result[i] = 1;
      left.set(letter, left.get(letter) - 1);
    }
  });
  return result;
}

class Matrix {
  constructor(place) {
    const words = JSON.parse(place.dataset.words);
    this.guesses = columns[words.guesses];
    this.answers = columns[words.answers];
    this.canvas = place.querySelector("canvas");
    this.told = place.querySelector(".told");
    this.isDrawing = false;
    for (const button of place.querySelectorAll("button")) {
      button.addEventListener("click", () => this.press(button.dataset.zoom));
    }
    this.inputs = [place.querySelector(".guess"), place.querySelector(".answer")];
    for (const input of this.inputs) input.addEventListener("change", () => this.find());
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.canvas.addEventListener("pointerdown", (event) => this.grab(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerup", (event) => this.pointers.delete(event.pointerId));
    this.canvas.addEventListener("pointercancel", (event) => this.pointers.delete(event.pointerId));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.pointers = new Map();
    new ResizeObserver(() => this.whole()).observe(this.canvas);
  }

  // Show the whole matrix. ``scale`` is the pixels of a cell by axis; ``x`` and ``y`` are the corner.
  whole() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || (this.canvas.width === width && this.canvas.height === height)) return;
    [this.canvas.width, this.canvas.height] = [width, height];
    this.all();
  }

  all() {
    this.least = [this.canvas.width / this.guesses.length, this.canvas.height / this.answers.length];
    this.zoom = 0;
    this.scale = [...this.least];
    [this.x, this.y] = [0, 0];
    this.draw();
  }

  // Zoom goes from 0, the whole, to 1, single tiles; both axes end at the same size.
  zoomTo(zoom, px, py) {
    const [x, y] = [this.x + px / this.scale[0], this.y + py / this.scale[1]];
    this.zoom = Math.min(1, Math.max(0, zoom));
    this.scale = this.least.map((least) => least * Math.pow(Math.max(60, least) / least, this.zoom));
    [this.x, this.y] = [x - px / this.scale[0], y - py / this.scale[1]];
    this.draw();
  }

  press(how) {
    const [px, py] = [this.canvas.width / 2, this.canvas.height / 2];
    if (how === "all") this.all();
    else this.zoomTo(this.zoom + (how === "in" ? 0.1 : -0.1), px, py);
  }

  wheel(event) {
    if (!event.ctrlKey && !event.shiftKey && document.activeElement !== this.canvas) return;
    event.preventDefault();
    this.zoomTo(this.zoom - Math.sign(event.deltaY) * 0.05, event.offsetX, event.offsetY);
  }

  key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key in step) {
      const [across, down] = step[event.key];
      this.x += (across * 60) / this.scale[0];
      this.y += (down * 60) / this.scale[1];
      this.draw();
    } else if (event.key === "+" || event.key === "=") this.press("in");
    else if (event.key === "-") this.press("out");
    else return;
    event.preventDefault();
  }

  grab(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({ preventScroll: true });
    this.pointers.set(event.pointerId, event);
    this.tell(event);
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.tell(event);
      return;
    }
    const others = [...this.pointers.values()].filter((each) => each.pointerId !== event.pointerId);
    if (others.length) {
      const apart = (one) => Math.hypot(one.offsetX - others[0].offsetX, one.offsetY - others[0].offsetY);
      const middle = [(event.offsetX + others[0].offsetX) / 2, (event.offsetY + others[0].offsetY) / 2];
      this.zoomTo(this.zoom + Math.log(apart(event) / Math.max(1, apart(before))) / 4, ...middle);
    } else {
      this.x -= (event.offsetX - before.offsetX) / this.scale[0];
      this.y -= (event.offsetY - before.offsetY) / this.scale[1];
      this.draw();
    }
    this.pointers.set(event.pointerId, event);
  }

  tell(event) {
    const g = Math.floor(this.x + event.offsetX / this.scale[0]);
    const a = Math.floor(this.y + event.offsetY / this.scale[1]);
    this.say(g, a);
  }

  say(g, a) {
    const [guess, answer] = [this.guesses[g], this.answers[a]];
    if (guess === undefined || answer === undefined) return;
    const seen = feedback(guess, answer).map((digit) => "BYG"[digit]).join("");
    this.told.textContent = `${capitals(guess)} for ${capitals(answer)}: ${seen}`;
  }

  // Zoom in fully on the cell of the typed words.
  find() {
    const lists = [this.guesses, this.answers];
    const places = this.inputs.map((input, i) => {
      const asked = normalise(input.value);
      return asked ? lists[i].findIndex((word) => word.startsWith(asked)) : -1;
    });
    if (places.every((place) => place < 0)) return;
    const [g, a] = places.map((place) => Math.max(0, place));
    this.zoomTo(1, 0, 0);
    this.x = g + 0.5 - this.canvas.width / this.scale[0] / 2;
    this.y = a + 0.5 - this.canvas.height / this.scale[1] / 2;
    this.draw();
    this.say(g, a);
  }

  draw() {
    const ends = [this.guesses.length, this.answers.length];
    const seen = [this.canvas.width / this.scale[0], this.canvas.height / this.scale[1]];
    this.x = Math.min(Math.max(0, this.x), Math.max(0, ends[0] - seen[0]));
    this.y = Math.min(Math.max(0, this.y), Math.max(0, ends[1] - seen[1]));
    if (this.isDrawing) return;
    this.isDrawing = true;
    requestAnimationFrame(() => {
      this.isDrawing = false;
      if (Math.min(...this.scale) < TILED_PX) this.drawColours();
      else this.drawTiles();
    });
  }

  // Each pixel has the mean colour of the pattern at its place.
  drawColours() {
    const { width, height } = this.canvas;
    const context = this.canvas.getContext("2d");
    const picture = context.createImageData(width, height);
    const colour = [0, 0, 0];
    let [at, row, drawnRow] = [0, -1, null];
    for (let py = 0; py < height; py += 1) {
      const a = Math.floor(this.y + (py + 0.5) / this.scale[1]);
      if (a === row) {
        picture.data.copyWithin(at, at - 4 * width, at);
        at += 4 * width;
        continue;
      }
      [row, drawnRow] = [a, -1];
      for (let px = 0; px < width; px += 1, at += 4) {
        const g = Math.floor(this.x + (px + 0.5) / this.scale[0]);
        if (g !== drawnRow && g < this.guesses.length && a < this.answers.length) {
          drawnRow = g;
          const digits = feedback(this.guesses[g], this.answers[a]);
          for (let c = 0; c < 3; c += 1) {
            let sum = 0;
            for (const digit of digits) sum += COLOURS[digit][c];
            colour[c] = sum / digits.length;
          }
        }
        for (let c = 0; c < 3; c += 1) picture.data[at + c] = colour[c];
        picture.data[at + 3] = 255;
      }
    }
    context.putImageData(picture, 0, 0);
  }

  // Draw each tile, with its letter if there is room.
  drawTiles() {
    const { width, height } = this.canvas;
    const context = this.canvas.getContext("2d");
    context.fillStyle = getComputedStyle(document.body).backgroundColor;
    context.fillRect(0, 0, width, height);
    const [across, down] = this.scale;
    const length = [...this.guesses[0]].length;
    const tile = (across * 0.94) / length;
    const letter = Math.min(tile * 0.95, down * 0.42);
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `bold ${letter}px monospace`;
    for (let a = Math.floor(this.y); a < Math.min(this.answers.length, this.y + height / down); a += 1) {
      for (let g = Math.floor(this.x); g < Math.min(this.guesses.length, this.x + width / across); g += 1) {
        const [left, top] = [(g - this.x) * across, (a - this.y) * down];
        const letters = [...capitals(this.guesses[g])];
        feedback(this.guesses[g], this.answers[a]).forEach((digit, i) => {
          context.fillStyle = `rgb(${COLOURS[digit].join()})`;
          context.fillRect(left + i * tile, top, tile - 0.5, down * 0.9);
          if (letter < 6) return;
          context.fillStyle = "#ffffff";
          context.fillText(letters[i], left + (i + 0.5) * tile, top + down * 0.47);
        });
      }
    }
  }
}

for (const place of document.querySelectorAll("div.zoom")) {
  place.hidden = false;
  new Matrix(place);
}

// Dark or light: the reader's choice, or else that of the system

const theme = document.getElementById("theme");
theme.hidden = false;
theme.addEventListener("click", () => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  root.dataset.theme = (root.dataset.theme ?? system) === "dark" ? "light" : "dark";
});
