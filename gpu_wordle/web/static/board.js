// The board: entered rows and the row being typed. Letters come from keys, colours from clicks on tiles
// or from the arrow keys. keyboard.js describes the keys.

import { fill, h } from "./dom.js";
import { COLOURS } from "./feedback.js";
import { counted } from "./figures.js";
import { capitals, isIn, lettersOf, signsOf } from "./spelling.js";
import { MEANING } from "./tiles.js";

const EMPTY = { letters: "", colours: "" };

// `told.made(turns)` is called when rows are entered, changed or undone, `told.drafted(draft)` when the
// row below changes, and `told.refused(why)` when it cannot be entered. On a board without colours to
// enter, `told.entered(word)` is called with words.
export class Board {
  constructor({ length, rows, coloured, label, aside = () => null }, told) {
    Object.assign(this, { length, rows, coloured, aside, told });
    this.turns = [];
    this.draft = EMPTY;
    this.isOver = false;
    this.words = null;
    this.element = h("ol", {
      class: "board live",
      tabindex: "-1",
      "aria-label": label,
      on: { keydown: (event) => this.#arrow(event) },
    });
  }

  show({ turns, draft = EMPTY, isOver = false }) {
    Object.assign(this, { turns, draft, isOver });
    this.#draw();
  }

  // Take words of these lists only.
  use(words) {
    this.words = words;
    this.length = signsOf(words.guesses[0]).length;
  }

  get isFull() {
    return lettersOf(this.draft.letters).length === this.length;
  }

  // Why the row cannot be entered; null if it can.
  get problem() {
    const { letters } = this.draft;
    if (!this.isFull) return `Type ${counted(this.length - lettersOf(letters).length, "more letter")}`;
    const isListed = !this.words || isIn(this.words.guesses, letters) || isIn(this.words.answers, letters);
    return isListed ? null : `${capitals(letters)} isn't in the word list`;
  }

  // Take the focus when no tile and no control should have it.
  focus() {
    this.element.focus({ preventScroll: true });
  }

  press(key) {
    if (key === "Enter") this.#enter();
    else if (key === "Backspace") this.#back();
    else if (!this.isOver) this.#type(this.draft.letters + key);
  }

  // The last sign is a letter, or makes the last letter longer.
  #type(text) {
    const { length } = lettersOf(text);
    if (length <= this.length) this.#drafted(text, this.draft.colours.slice(0, length - 1));
  }

  // Fill the row with a word, for example after a click on a suggestion; Enter then enters it.
  fill(word) {
    if (this.isOver) return;
    this.focus();
    this.#drafted(word, "");
  }

  // New letters are grey; a letter that was green in this place is green again.
  #drafted(letters, colours = this.draft.colours) {
    const seen = [...signsOf(letters)].map((sign, i) => colours[i] ?? (this.#wasGreen(sign, i) ? "G" : "B"));
    this.draft = { letters, colours: seen.join("") };
    this.#draw();
    this.told.drafted(this.draft);
  }

  #wasGreen(sign, i) {
    return this.turns.some(({ guess, pattern }) => signsOf(guess)[i] === sign && pattern[i] === "G");
  }

  #enter() {
    const { letters, colours } = this.draft;
    if (this.isOver || !letters) return;
    if (this.problem) {
      this.told.refused(this.problem);
      return;
    }
    if (this.element.contains(document.activeElement)) this.focus(); // entered rows cannot hold the focus
    if (!this.coloured) {
      this.told.entered(letters);
      return;
    }
    this.told.made([...this.turns, { guess: letters, pattern: colours }]);
  }

  // With an empty row, the last entered row comes back for editing.
  #back() {
    if (this.draft.letters) {
      this.#drafted(lettersOf(this.draft.letters).slice(0, -1).join(""), this.draft.colours.slice(0, -1));
    } else if (this.turns.length && this.coloured) {
      const { guess, pattern } = this.turns.at(-1);
      this.told.made(this.turns.slice(0, -1), { letters: guess, colours: pattern });
    }
  }

  #turnTile(row, i, by = 1) {
    const isDraft = row === this.turns.length;
    const colours = isDraft ? this.draft.colours : this.turns[row].pattern;
    const next = COLOURS[(COLOURS.indexOf(colours[i]) + by + COLOURS.length) % COLOURS.length];
    const changed = colours.slice(0, i) + next + colours.slice(i + 1);
    if (isDraft) {
      this.draft = { ...this.draft, colours: changed };
      this.#draw();
      this.told.drafted(this.draft);
    } else {
      this.told.made(
        this.turns.map((turn, at) => (at === row ? { ...turn, pattern: changed } : turn)),
        this.draft,
      );
    }
  }

  // The focus stays on its tile; if its element is gone, it moves to the board.
  #draw() {
    const focused = this.#focused();
    const isInside = this.element.contains(document.activeElement);
    const count = Math.max(this.rows, this.turns.length + (this.isOver ? 0 : 1));
    fill(
      this.element,
      Array.from({ length: count }, (_, row) => this.#row(row)),
    );
    const tile = focused && this.#tileAt(...focused);
    if (tile) tile.focus({ preventScroll: true });
    else if (isInside) this.focus();
  }

  #row(row) {
    const turn = this.turns[row];
    const isDraft = !turn && row === this.turns.length && !this.isOver;
    const word = turn?.guess ?? (isDraft ? this.draft.letters : "");
    const letters = lettersOf(word);
    const colours = turn?.pattern ?? (isDraft ? this.draft.colours : "");
    const each = Array.from({ length: this.length }, (_, i) =>
      this.#tile(row, i, letters[i], turn || this.coloured ? colours[i] : undefined),
    );
    const name = `Turn ${row + 1}${word ? `: ${capitals(word)}` : ""}`;
    const said = turn || isDraft ? { role: "group", "aria-label": name } : { "aria-hidden": "true" };
    return h(
      "li",
      { class: `row${isDraft ? " current" : turn ? "" : " unused"}` },
      h("div", { class: "tiles", ...said }, each),
      this.aside(row, turn, isDraft && this.isFull),
    );
  }

  #tile(row, i, letter, colour) {
    const kind = `tile ${letter ? (colour?.toLowerCase() ?? "typed") : "empty"}`;
    if (!letter) return h("span", { class: kind });
    const meaning = colour ? `, ${MEANING[colour]}` : "";
    if (!this.coloured) {
      return h(
        "span",
        { class: kind, role: "img", "aria-label": `${capitals(letter)}${meaning}` },
        capitals(letter),
      );
    }
    const said = `${capitals(letter)}, letter ${i + 1}${meaning}`;
    const attributes = {
      type: "button",
      class: kind,
      "aria-label": said,
      data: { row, at: i },
      title: "Click to change the colour",
    };
    return h("button", { ...attributes, on: { click: () => this.#turnTile(row, i) } }, capitals(letter));
  }

  #focused() {
    const { row, at } = document.activeElement?.dataset ?? {};
    return this.element.contains(document.activeElement) && at !== undefined ? [Number(row), Number(at)] : null;
  }

  #tileAt(row, at) {
    return this.element.querySelector(`[data-row="${row}"][data-at="${at}"]`);
  }

  // Left and right move between tiles, up and down change the colour.
  #arrow(event) {
    const focused = this.#focused();
    if (!focused) return;
    const [row, at] = focused;
    const across = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const along = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (across) this.#tileAt(row, at + across)?.focus();
    else if (along) this.#turnTile(row, at, along);
    else return;
    event.preventDefault();
  }
}
