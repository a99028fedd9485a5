// The pattern matrix with zoom, its words in either order.

import { wordsOf } from "../data.js";
import { button, field, fill, h, select } from "../dom.js";
import { chosen } from "../game.js";
import { Matrix } from "../matrix.js";
import { answered } from "../notes.js";
import { normalise } from "../spelling.js";
import { gameOf, go } from "../state.js";
import { setWord } from "../words.js";
import { columnsOf, rankingOf } from "./rankings.js";

export class MatrixPart {
  constructor(controls, result) {
    this.matrix = new Matrix();
    this.inputs = ["guess", "answer"].map((name) =>
      h("input", {
        type: "text",
        class: "word-field",
        placeholder: name,
        maxlength: "40",
        spellcheck: "false",
        on: { change: () => this.#seek() },
      }),
    );
    this.order = select(
      [
        ["alphabetical", "alphabetical"],
        ["total", "by exact total"],
      ],
      "alphabetical",
      (order) => go({ order: order === "alphabetical" ? null : order }),
    );
    const zoom = (label, how, said) => button(label, () => this.matrix.press(how), { "aria-label": said });
    fill(
      controls,
      field("Guess", this.inputs[0]),
      field("Answer", this.inputs[1]),
      field("Words", this.order),
      h(
        "div",
        { class: "bar tight" },
        zoom("+", "in", "Zoom in"),
        zoom("−", "out", "Zoom out"),
        zoom("All", "all", "Show all"),
      ),
    );
    this.place = result;
  }

  close() {
    this.matrix.close();
  }

  async update(state) {
    this.order.value = state.order ?? "alphabetical";
    const key = JSON.stringify([state.order, gameOf(state)]);
    if (key !== this.key) {
      this.key = key;
      this.lists = null;
      await answered(this.place, this.#lists(state), (lists) => {
        this.lists = lists;
        return this.matrix.element;
      });
      if (this.key === key && this.lists) this.matrix.show(...this.lists);
    }
    if (state.seek && this.lists) this.#find(state.seek);
  }

  async #lists(state) {
    const { guesses, answers } = await wordsOf(gameOf(state));
    if (state.order !== "total") return [guesses, answers];
    const { ranking } = await rankingOf({ guesses: state.guesses, rule: state.rule });
    if (ranking.guesses !== chosen(state, "guesses")) return [guesses, answers]; // no published ranking
    const { opener } = await columnsOf(ranking.name);
    const possible = new Set(answers);
    return [opener, opener.filter((word) => possible.has(word))];
  }

  #seek() {
    const words = this.inputs.map((input) => normalise(input.value));
    go({ seek: words.some(Boolean) ? words.join(":") : null });
  }

  #find(seek) {
    const words = seek.split(":");
    this.inputs.forEach((input, i) => setWord(input, words[i]));
    this.matrix.find(...words);
  }
}
