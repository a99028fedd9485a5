// Play: guess the umpire's word, or play against an adversary without a fixed word.

import { say } from "../announcer.js";
import { Board } from "../board.js";
import { isCancelled, isServed, Line, wordsOf } from "../data.js";
import { button, fill, h } from "../dom.js";
import { counted, decimal, whole } from "../figures.js";
import { chosen, isSameGame } from "../game.js";
import { Keyboard } from "../keyboard.js";
import { keepButton } from "../kept.js";
import { disclosure, failure, waiting } from "../notes.js";
import { shareCard } from "../sharing.js";
import { capitals } from "../spelling.js";
import { address, addressOf, gameOf, go, writeTurns } from "../state.js";
import { spoken, suggestion } from "../tiles.js";

export const title = "Play";

const MOST_SEED = 1e9;

export function openView(place) {
  return new Play(place);
}

class Play {
  #line = new Line();
  #help = new Line();

  constructor(place) {
    this.board = new Board(
      { length: 5, rows: 6, coloured: false, label: "Board", aside: (row, turn) => this.#aside(row, turn) },
      {
        drafted: () => fill(this.told),
        refused: (why) => this.#refuse(why),
        entered: (word) => this.#enter(word),
      },
    );
    this.keyboard = new Keyboard(this.board);
    this.told = h("div", { class: "verdict", "aria-live": "assertive" });
    this.side = h("div", { class: "stack" }, waiting("Starting the game …"));
    const umpires = h(
      "div",
      { class: "bar tight noprint" },
      button("New game", () => this.#begin("random"), { class: "main" }),
      button("Against an adversary", () => this.#begin("adversary")),
    );
    place.append(
      h(
        "div",
        { class: "two" },
        h("div", { class: "stack played" }, umpires, this.board.element, this.told, this.keyboard.element),
        this.side,
      ),
    );
  }

  update(state) {
    if (state.seed === undefined && state.umpire !== "adversary") {
      go({ seed: seed() }, { replace: true });
      return;
    }
    const isSame =
      this.state &&
      ["umpire", "seed", "moves"].every((key) => this.state[key] === state[key]) &&
      isSameGame(this.state, state);
    this.state = state;
    if (!isSame) this.#show(state);
  }

  leave() {
    this.keyboard.close();
    this.#line.cancel();
    this.#help.cancel();
  }

  #begin(umpire) {
    go({ umpire: umpire === "random" ? null : umpire, seed: umpire === "random" ? seed() : null, moves: null });
  }

  get moves() {
    return this.state.moves?.split(",").filter(Boolean) ?? [];
  }

  #ask(words) {
    const { umpire = "random" } = this.state;
    return this.#line.get("play", {
      ...gameOf(this.state),
      umpire,
      seed: umpire === "random" ? this.state.seed : null,
      words: words.join(","),
    });
  }

  async #show(state) {
    this.board.rows = Number(chosen(state, "max_guesses")) || 6;
    try {
      const words = await wordsOf(gameOf(state));
      this.board.use(words);
      this.keyboard.offer(words.guesses);
      this.#draw(await this.#ask(this.moves));
    } catch (error) {
      if (isCancelled(error)) return;
      fill(this.told, failure(error));
      fill(this.side);
    }
  }

  // A guess that the umpire refuses stays in its row, with the reason below.
  async #enter(word) {
    try {
      const found = await this.#ask([...this.moves, word]);
      this.state = { ...this.state, moves: [...this.moves, word].join(",") };
      go({ moves: this.state.moves });
      this.#draw(found);
    } catch (error) {
      if (!isCancelled(error)) this.#refuse(error.message);
    }
  }

  #refuse(why) {
    fill(this.told, h("p", { class: "note bad" }, why));
  }

  #draw(found) {
    this.found = found;
    const turns = found.rows;
    const isOther = turns.length !== this.board.turns.length;
    this.board.show({ turns, draft: isOther ? undefined : this.board.draft, isOver: found.over });
    this.keyboard.show(turns);
    fill(this.told, found.over ? this.#end(found) : null);
    const last = turns.at(-1);
    if (last && !found.over) say(`${spoken(last.guess, last.pattern)}. ${counted(last.answers_after, "answer")} left.`);
    this.#drawSide(found);
  }

  #end({ solved, rows, answer }) {
    const said = solved
      ? `Solved in ${counted(rows.length, "guess", "guesses")}.`
      : `Not solved. The word was ${capitals(answer ?? "")}.`;
    return [
      h("p", { class: `note ${solved ? "good" : "bad"}` }, said),
      isServed() &&
        h(
          "p",
          { class: "bar" },
          h("a", { href: addressOf("review", this.state, { turns: writeTurns(rows) }) }, "Review this game"),
          keepButton(rows),
        ),
    ];
  }

  #aside(row, turn) {
    if (!turn) return null;
    return h("span", { class: "aside" }, turn.pattern.match(/^G+$/) ? "found" : `${whole(turn.answers_after)} left`);
  }

  // A challenge leads to the same game without its moves.
  #share({ solved, rows }) {
    const score = `${solved ? rows.length : "X"}/${this.board.rows}`;
    const link = new URL(address({ ...this.state, moves: null }), location.href).href;
    return shareCard(rows, [score, "gpu-wordle"], { score, link });
  }

  #drawSide(found) {
    const { over, rows } = found;
    const isAdversary = this.state.umpire === "adversary";
    const lead = isAdversary
      ? "The adversary has no fixed word. Its feedback keeps as many words possible as it can, and never contradicts itself."
      : "The umpire has picked a word. Share the address of this page to let others play for the same word.";
    this.help = h("div", { class: "stack close", "aria-live": "polite" });
    fill(
      this.side,
      h("h2", {}, isAdversary ? "Against an adversary" : "The umpire's word"),
      h("p", { class: "note" }, lead),
      over
        ? this.#share(found)
        : disclosure(
            "Help",
            h(
              "div",
              { class: "stack close" },
              h(
                "div",
                { class: "bar tight" },
                button("Best guess", () => this.#hint()),
                button("Answers left", () => this.#left()),
                button("Undo", () => go({ moves: this.moves.slice(0, -1).join(",") || null }), {
                  disabled: rows.length === 0,
                }),
              ),
              this.help,
            ),
          ),
    );
  }

  async #hint() {
    await this.#helped("suggest", { by: "total", top: 6 }, ({ rows }) =>
      h(
        "ul",
        { class: "suggested" },
        rows.map((row) =>
          h(
            "li",
            {},
            suggestion(row.guess, {
              candidate: row.candidate,
              optimal: row.optimal,
              pressed: (word) => this.board.fill(word),
            }),
            row.mean ? `${decimal(row.mean)} guesses` : "",
          ),
        ),
      ),
    );
  }

  async #left() {
    await this.#helped("position", {}, ({ remaining }) =>
      h(
        "ul",
        { class: "words long", tabindex: "0", "aria-label": "Answers left" },
        remaining.map((word) => h("li", {}, capitals(word))),
      ),
    );
  }

  async #helped(path, question, draw) {
    fill(this.help, waiting());
    try {
      fill(
        this.help,
        draw(await this.#help.get(path, { ...gameOf(this.state), turns: writeTurns(this.found.rows), ...question })),
      );
    } catch (error) {
      if (!isCancelled(error)) fill(this.help, failure(error));
    }
  }
}

function seed() {
  return String(Math.floor(Math.random() * MOST_SEED));
}
