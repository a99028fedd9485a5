// Advise: the best next guesses, beside a board with the turns so far.

import { say } from "../announcer.js";
import { Board } from "../board.js";
import { isCancelled, isServed, Line, wordsOf } from "../data.js";
import { button, field, fill, h } from "../dom.js";
import { consistent, isSolved } from "../feedback.js";
import { counted, decimal, whole } from "../figures.js";
import { chosen } from "../game.js";
import { Keyboard } from "../keyboard.js";
import { keepButton } from "../kept.js";
import { agreeing, isKnown } from "../known.js";
import { Mine } from "../mine.js";
import { disclosure, failure, waiting } from "../notes.js";
import { capitals } from "../spelling.js";
import { addressOf, gameOf, go, isSamePosition, positionOf, turnsOf, writeTurns } from "../state.js";
import { Suggestions } from "../suggestions.js";

export const title = "Advise";

const SHOWN = 18; // six by value, six by information, six by greens
const MOST_WORDS = 400;

// What was typed stays there while another view is open.
const pasted = h("textarea", { placeholder: "salet BYBBG\ncrony BBYBB", spellcheck: "false", autocapitalize: "off" });

export function openView(place) {
  return new Advise(place);
}

class Advise {
  #line = new Line();
  #paste = new Line();

  constructor(place) {
    this.board = new Board(
      { length: 5, rows: 6, coloured: true, label: "Board", aside: (...row) => this.#aside(...row) },
      {
        made: (turns, draft) => go({ turns: writeTurns(turns), draft: draftText(draft) }),
        drafted: (draft) => go({ draft: draftText(draft) }, { replace: true }),
        refused: (why) => this.#refuse(why),
      },
    );
    this.keyboard = new Keyboard(this.board);
    this.suggestions = new Suggestions((word) => this.board.fill(word));
    this.knowing = new Knowing((changes) => go(changes));
    this.check = h("div", { class: "check", "aria-live": "polite" });
    this.problem = h("div");
    this.mine = new Mine((word) => this.board.fill(word));
    this.left = h("div", { class: "stack close left" });
    this.result = h(
      "div",
      { class: "stack", "aria-label": "Advice", role: "region" },
      this.left,
      this.suggestions.element,
    );
    const hint = h(
      "p",
      { class: "note noprint" },
      "Type the guess you made, click its tiles until they have the colours you saw, and press Enter.",
    );
    place.append(
      h(
        "div",
        { class: "two" },
        h(
          "div",
          { class: "stack played" },
          hint,
          this.board.element,
          this.check,
          h("div", { class: "near noprint" }, this.problem, this.mine.element, this.suggestions.near),
          this.keyboard.element,
          this.knowing.element,
          this.#pasting(),
        ),
        this.result,
      ),
    );
  }

  update(state) {
    const turns = turnsOf(state.turns);
    const isNew = this.state === undefined || !isSamePosition(state, this.state);
    if (isNew || state.draft !== this.state.draft) fill(this.check);
    this.state = state;
    this.board.rows = Number(chosen(state, "max_guesses")) || 6;
    this.board.show({ turns, draft: draftOf(state.draft), isOver: isOver(turns) });
    this.#showDraft();
    this.keyboard.show(turns);
    this.knowing.show(state);
    this.#heed(state);
    if (isNew) this.#ask(state, turns);
  }

  leave() {
    this.keyboard.close();
    this.mine.clear();
    for (const line of [this.#line, this.#paste]) line.cancel();
  }

  #refuse(why) {
    fill(this.check, h("p", { class: "note bad" }, why));
  }

  // What there is to say about a full row.
  #showDraft() {
    const { board } = this;
    if (board.isFull && board.problem) this.#refuse(board.problem);
    if (board.isFull && !board.problem && board.words && !board.isOver) this.mine.judge(this.state, board.draft.letters);
    else this.mine.clear();
  }

  // The cell beside a row: a button for a full draft, else the number of answers left.
  #aside(row, turn, isFull) {
    if (isFull) return h("div", { class: "aside" }, button("Enter", () => this.board.press("Enter"), { class: "main" }));
    const left = turn && this.counts?.[row];
    return (
      turn &&
      h("span", { class: "aside" }, isSolved(turn.pattern) ? "found" : left === undefined ? "" : `${whole(left)} left`)
    );
  }

  // The word lists tell at once how many answers each turn leaves, and whether a word is known.
  async #heed(state) {
    const words = await wordsOf(gameOf(state)).catch(() => null);
    if (words === null || state !== this.state) return;
    const turns = turnsOf(state.turns);
    this.board.use(words);
    this.keyboard.offer(words.guesses);
    this.keyboard.show(turns);
    const agrees = agreeing(state, this.board.length);
    const answers = agrees && words.answers.filter(agrees);
    this.counts = answers && turns.map((_, i) => consistent(answers, turns.slice(0, i + 1)).length);
    this.board.show({ turns, draft: draftOf(state.draft), isOver: isOver(turns) });
    this.#showDraft();
  }

  async #ask(state, turns) {
    this.suggestions.clear();
    fill(this.problem);
    if (isOver(turns)) {
      this.#line.cancel();
      fill(
        this.left,
        h("h2", {}, `Solved in ${counted(turns.length, "guess", "guesses")}`),
        isServed() &&
          h("p", { class: "bar" }, h("a", { href: addressOf("review", state) }, "Review this game"), keepButton(turns)),
      );
      return;
    }
    fill(this.left, waiting("Reading the position …"));
    const question = { ...positionOf(state), by: "total,entropy,greens", top: SHOWN };
    let position = null;
    const heard = {
      waiting: ({ ahead }) => this.suggestions.wait(`Waiting behind ${counted(ahead, "other question")} …`),
      bounds: (bounds) => this.suggestions.tighten(bounds, position),
      position: (found) => {
        position = found;
        this.#showLeft(found);
        this.suggestions.wait();
      },
      suggestions: (found) => {
        if (position === null) this.#showLeft(found); // an exported site sends no position before
        this.#end(found);
      },
    };
    try {
      await this.#line.listen("suggest/live", question, (name, data) => heard[name]?.(data));
    } catch (error) {
      if (isCancelled(error)) return;
      this.suggestions.clear();
      fill(this.left);
      fill(this.problem, failure(error));
    }
  }

  #showLeft({ answers, remaining }) {
    const shown = remaining.slice(0, MOST_WORDS).map((word) => h("li", {}, capitals(word)));
    const more = remaining.length - shown.length;
    const list = h(
      "ul",
      { class: "words long", tabindex: "0", "aria-label": "Answers left" },
      shown,
      more > 0 && h("li", {}, `and ${whole(more)} more`),
    );
    fill(
      this.left,
      h("h2", {}, h("span", { class: "count" }, whole(answers)), answers === 1 ? " answer left" : " answers left"),
      remaining.length > 40 ? disclosure("Show all", list) : list,
    );
  }

  #end(data) {
    this.suggestions.show(data);
    const [best] = data.rows.filter((row) => row.by === "total");
    if (!best) return;
    const tree = addressOf("browse", this.state, { ...positionOf(this.state), show: "tree", opener: best.guess });
    const strategy = h("a", { href: tree }, `Full strategy that starts with ${capitals(best.guess)}`);
    if (isServed() || !(this.state.turns || isKnown(this.state)))
      this.suggestions.element.append(h("p", { class: "note noprint" }, strategy));
    say(
      `${counted(data.answers, "answer")} left. Best guess ${capitals(best.guess)}${best.mean ? `, ${decimal(best.mean)} guesses on average` : ""}.`,
    );
    if (data.rows.every((row) => row.infeasible)) {
      this.suggestions.element.append(
        h(
          "p",
          { class: "note bad" },
          "No guess is a guaranteed win. Under Game, optimise for fewest-failures to find the best ones.",
        ),
      );
    }
  }

  #pasting() {
    const told = h("div", { "aria-live": "polite" });
    const taken = async () => {
      try {
        const { rows, ignored } = await this.#paste.get("position", { ...gameOf(this.state), text: pasted.value });
        fill(told, ignored.length ? h("p", { class: "note" }, `Ignored: ${ignored.join(", ")}`) : null);
        go({ turns: writeTurns(rows), draft: null });
      } catch (error) {
        if (!isCancelled(error)) fill(told, failure(error));
      }
    };
    return disclosure(
      "Type or paste a whole game",
      h(
        "div",
        { class: "stack close" },
        field("Words and their colours: letters, digits or emoji squares", pasted),
        h(
          "div",
          { class: "bar" },
          button("Load", taken, { class: "main" }),
          button("Clear", () => go({ turns: null, draft: null })),
        ),
        told,
      ),
    );
  }
}

function isOver(turns) {
  return turns.length > 0 && isSolved(turns.at(-1).pattern);
}

// Fields for what is known without guesses.
class Knowing {
  constructor(taken) {
    const input = (key, placeholder) =>
      h("input", {
        type: "text",
        placeholder,
        maxlength: 100,
        autocomplete: "off",
        autocapitalize: "off",
        spellcheck: "false",
        data: { known: key },
        on: { change: (event) => taken({ [key]: event.target.value.trim() || null }) },
      });
    this.fields = {
      template: input("template", "**er*"),
      present: input("present", "o2 s45"),
      absent: input("absent", "tlac"),
    };
    this.element = disclosure(
      "What you know without guesses",
      h(
        "div",
        { class: "stack close" },
        field("Letters in place", this.fields.template, "* for an unknown letter"),
        field("Letters in the word", this.fields.present, "o2: there is an O, not in place 2; ee: two or more"),
        field("Letters not in the word", this.fields.absent, "e4: no more E than known, and none in place 4"),
      ),
    );
  }

  show(state) {
    for (const [key, input] of Object.entries(this.fields)) {
      if (document.activeElement !== input) input.value = state[key] ?? "";
    }
    if (isKnown(state)) this.element.open = true;
  }
}

// The row being typed, as `sal:BYB` in the address.
function draftText(draft) {
  return draft?.letters ? `${draft.letters}:${draft.colours}` : null;
}

function draftOf(text) {
  const [draft] = turnsOf(text);
  return draft ? { letters: draft.guess, colours: draft.pattern } : { letters: "", colours: "" };
}
