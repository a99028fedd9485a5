// The whole strategy of an opener, or of a guess at any position, as a tree.

import { field, fill, h } from "../dom.js";
import { go, positionOf, turnsOf } from "../state.js";
import { tiles } from "../tiles.js";
import { Tree } from "../tree.js";
import { setWord, wordField } from "../words.js";

export class TreePart {
  constructor(controls, result) {
    this.opener = wordField((word) => word && go({ opener: word, path: null }), { placeholder: "salet" });
    fill(
      controls,
      field("Opener", this.opener),
      h("p", { class: "note" }, "Each line is a possible feedback; open it to see the next guess."),
    );
    this.place = result;
  }

  close() {
    this.tree?.close();
  }

  update(state) {
    const guess = state.opener ?? "salet";
    setWord(this.opener, state.opener);
    const key = JSON.stringify([guess, positionOf(state)]);
    if (key === this.key) return;
    this.key = key;
    this.tree?.close();
    this.tree = new Tree(
      (path) => ({ ...positionOf(state), guess, path: path.join(","), depth: 1 }),
      (path) => go({ path: path.join(",") || null }, { replace: true }),
    );
    const made = turnsOf(state.turns).map((turn) => tiles(turn.guess, turn.pattern, { class: "tiles small" }));
    fill(this.place, made.length ? h("div", { class: "made" }, made) : null, this.tree.element);
    this.tree.show(state.path?.split(","));
  }
}
