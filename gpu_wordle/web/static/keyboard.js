// The keyboard on the page, coloured by the feedback so far, and the keys of a real one. Wherever the
// focus is, except in text fields and dialogs:
// - letters and Backspace write on the board, and take the focus there;
// - Enter enters the row. On a control reached by the tab key it presses the control, as Space does;
// - on a tile Enter also enters the row; Space and the arrow keys up and down change its colour.
// A control does not keep the focus after a click, or else Enter would press it again.

import { fill, h, isTyping } from "./dom.js";
import { lettersKnown } from "./feedback.js";
import { capitals, isLetter, nameOf, normalise, signsOf } from "./spelling.js";
import { MEANING } from "./tiles.js";

const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

const CONTROL_KEYS = ["Enter", "Backspace"];

const CONTROLS = "button:not(.tile), a, summary";

// Keys for letters, "Enter" and "Backspace", which are sent to a board.
export class Keyboard {
  constructor(board) {
    this.board = board;
    this.keys = new Map();
    const rows = ROWS.map((row) =>
      h(
        "div",
        { class: "keys" },
        [...row].map((letter) => this.#key(letter, capitals(letter))),
      ),
    );
    rows.at(-1).prepend(this.#key("Enter", "Enter", "wide"));
    rows.at(-1).append(this.#key("Backspace", "⌫", "wide", "Delete the last letter"));
    this.others = h("div", { class: "keys", hidden: true });
    this.element = h("div", { class: "keyboard", role: "group", "aria-label": "Keyboard" }, this.others, rows);
    this.closing = new AbortController();
    const { signal } = this.closing;
    document.addEventListener("keydown", (event) => this.#heard(event), { signal });
    document.addEventListener("click", (event) => this.#clicked(event), { signal, capture: true });
  }

  // Letters of a game that are in no row get a row of their own.
  offer(words) {
    const signs = [...new Set(words.map(signsOf).join(""))];
    const others = signs.filter((sign) => !ROWS.some((row) => row.includes(sign))).map(nameOf).sort();
    if (others.join("") === this.others.dataset.letters) return;
    this.others.dataset.letters = others.join("");
    this.others.hidden = others.length === 0;
    fill(
      this.others,
      others.map((letter) => this.#key(letter, capitals(letter))),
    );
  }

  close() {
    this.closing.abort();
  }

  show(turns) {
    const known = lettersKnown(turns);
    for (const [letter, key] of this.keys) {
      const colour = known[letter];
      const isControl = CONTROL_KEYS.includes(letter);
      key.className = `key${isControl ? " wide" : ""}${colour ? ` ${colour.toLowerCase()}` : ""}`;
      if (!isControl)
        key.setAttribute("aria-label", `${capitals(letter)}${colour ? `, ${MEANING[colour]}` : ""}`);
    }
  }

  #key(name, shown, kind = "", said = null) {
    const key = h(
      "button",
      { type: "button", class: `key ${kind}`, "aria-label": said, on: { click: () => this.board.press(name) } },
      shown,
    );
    this.keys.set(name, key);
    return key;
  }

  #heard(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const isTyped = isLetter(event.key);
    if (isTyped || event.key === "Backspace") {
      this.board.focus();
      this.board.press(isTyped ? normalise(event.key) : event.key);
    } else if (event.key === "Enter" && !event.target.closest?.(CONTROLS)) {
      if (!event.repeat) this.board.press(event.key); // a key held down enters one row
    } else return;
    event.preventDefault();
  }

  // Before the control handles the click: a dialog returns the focus to where it was.
  #clicked(event) {
    const isByPointer = event.detail > 0;
    if (isByPointer && !isTyping(event) && event.target.closest?.(CONTROLS)) this.board.focus();
  }
}
