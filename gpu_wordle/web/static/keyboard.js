// The keyboard on the page, in the colours of what is known, and the keys of a real one.

import { fill, h, isTyping } from "./dom.js";
import { lettersKnown } from "./feedback.js";
import { MEANING } from "./tiles.js";

const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

// Keys for letters, "Enter" and "Backspace"; each is told to `press`.
export class Keyboard {
  constructor(press) {
    this.press = press;
    this.keys = new Map();
    const rows = ROWS.map((row) =>
      h(
        "div",
        { class: "keys" },
        [...row].map((letter) => this.#key(letter, letter.toUpperCase())),
      ),
    );
    rows.at(-1).prepend(this.#key("Enter", "Enter", "wide"));
    rows.at(-1).append(this.#key("Backspace", "⌫", "wide", "Delete the last letter"));
    this.others = h("div", { class: "keys", hidden: true });
    this.element = h("div", { class: "keyboard", role: "group", "aria-label": "Keyboard" }, this.others, rows);
    this.listener = (event) => this.#heard(event);
    document.addEventListener("keydown", this.listener);
  }

  // Letters of the words of a game that stand in no row get a row of their own.
  offer(words) {
    const others = [...new Set(words.join(""))].filter((letter) => !ROWS.some((row) => row.includes(letter))).sort();
    if (others.join("") === this.others.dataset.letters) return;
    this.others.dataset.letters = others.join("");
    this.others.hidden = others.length === 0;
    fill(
      this.others,
      others.map((letter) => this.#key(letter, letter.toUpperCase())),
    );
  }

  close() {
    document.removeEventListener("keydown", this.listener);
  }

  show(turns) {
    const known = lettersKnown(turns);
    for (const [letter, key] of this.keys) {
      const colour = known[letter];
      key.className = `key${letter.length > 1 ? " wide" : ""}${colour ? ` ${colour.toLowerCase()}` : ""}`;
      if (letter.length === 1)
        key.setAttribute("aria-label", `${letter.toUpperCase()}${colour ? `, ${MEANING[colour]}` : ""}`);
    }
  }

  #key(name, shown, kind = "", said = null) {
    const key = h(
      "button",
      { type: "button", class: `key ${kind}`, "aria-label": said, on: { click: () => this.press(name) } },
      shown,
    );
    this.keys.set(name, key);
    return key;
  }

  // A key that is pressed while a control has the focus belongs to that control, but for letters.
  #heard(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const isControl = event.target.closest?.("button, a, [role=option], [role=treeitem]") !== null;
    if (/^\p{L}$/u.test(event.key)) this.press(event.key.toLowerCase());
    else if (event.key === "Backspace" || (event.key === "Enter" && !isControl)) this.press(event.key);
    else return;
    event.preventDefault();
  }
}
