// Review: a finished game turn by turn, with the regret and the luck of each guess.

import { say } from "../announcer.js";
import { Board } from "../board.js";
import { isCancelled, Line, wordsOf } from "../data.js";
import { button, field, fill, h } from "../dom.js";
import { isSolved } from "../feedback.js";
import { counted, decimal, percent, signed, whole } from "../figures.js";
import { chosen, isSameGame } from "../game.js";
import { GameChart } from "../gamechart.js";
import { Keyboard } from "../keyboard.js";
import { answered, disclosure, failure, figures, section } from "../notes.js";
import { isCost } from "../prices.js";
import { shareCard } from "../sharing.js";
import { capitals } from "../spelling.js";
import { addressOf, gameOf, go, turnsOf, writeTurns } from "../state.js";
import { tiles } from "../tiles.js";

export const title = "Review";

const EXAMPLE = "salet:BYBBG,crony:BBYBB,abbot:GGGGG";
const MOST_NAMED = 8;
const MOST_LEFT = 400; // words that are listed

// What was typed stays there while another view is open.
const text = h("textarea", {
  placeholder: "salet crony abbot\n\nor with colours:\nsalet BYBBG\ncrony BBYBB",
  spellcheck: "false",
  autocapitalize: "off",
});
const answer = h("input", {
  type: "text",
  class: "word-field",
  maxlength: "12",
  placeholder: "word",
  autocomplete: "off",
  spellcheck: "false",
});

export function openView(place) {
  return new Review(place);
}

class Review {
  #line = new Line();
  #reading = new Line();

  constructor(place) {
    this.told = h("div", { "aria-live": "polite" });
    this.result = h("div", { class: "stack" });
    this.form = h(
      "form",
      { class: "stack close noprint", on: { submit: (event) => this.#read(event) } },
      field("Your game: words with colours or the answer; or just a share grid", text),
      field("Answer, if you gave no colours", answer),
      h(
        "div",
        { class: "bar" },
        h("button", { type: "submit", class: "main" }, "Review"),
        button("Example", () => go({ turns: EXAMPLE, chart: null })),
      ),
      this.told,
    );
    this.entry = new Entry();
    place.append(h("div", { class: "two" }, h("div", { class: "stack" }, this.form, this.entry.element), this.result));
  }

  update(state) {
    const before = this.state;
    this.state = state;
    this.entry.show(state);
    if (before && before.turns === state.turns && before.chart === state.chart && isSameGame(before, state)) return;
    fill(this.told);
    if (state.chart) this.#askChart(state.chart);
    else this.#ask();
  }

  leave() {
    this.#line.cancel();
    this.#reading.cancel();
    this.entry.leave();
  }

  // The pasted text becomes turns in the address; colours without words become a chart there.
  async #read(event) {
    event.preventDefault();
    try {
      const found = await this.#reading.post("analyse", gameOf(this.state), {
        text: text.value,
        answer: answer.value.trim() || null,
      });
      const isChart = found.agreeing !== undefined || found.openers !== undefined;
      fill(this.told);
      go(isChart ? { chart: text.value, turns: null } : { turns: writeTurns(found.rows), chart: null });
    } catch (error) {
      if (!isCancelled(error)) fill(this.told, failure(error));
    }
  }

  #ask() {
    const turns = turnsOf(this.state.turns);
    fill(this.result);
    this.#line.cancel();
    if (!turns.length) {
      fill(
        this.result,
        h(
          "p",
          { class: "note" },
          "Regret is the extra cost of a guess over the best one, in guesses. Luck is how much better the feedback was than expected. Both are exact.",
        ),
      );
      return;
    }
    answered(this.result, this.#line.get("analyse", { ...gameOf(this.state), turns: this.state.turns }), (found) =>
      this.#game(found),
    );
  }

  #askChart(grids) {
    fill(this.result);
    answered(this.result, this.#line.post("analyse", gameOf(this.state), { text: grids, answer: null }), (found) =>
      chart(found),
    );
  }

  #game(found) {
    say(
      `${counted(found.length, "guess", "guesses")}, regret ${decimal(found.total_regret)}, luck ${signed(found.total_luck)}`,
    );
    return h(
      "div",
      { class: "stack" },
      this.#summary(found),
      found.rows.some((row) => row.value_guess !== null) &&
        section(
          "Expected length of the game",
          { class: "card" },
          new GameChart(found.rows, (row) => this.#goTo(row)).element,
        ),
      h(
        "ol",
        { class: "turns" },
        found.rows.map((row) => h("li", {}, this.#turn(row))),
      ),
      share(found),
    );
  }

  #goTo({ turn }) {
    const card = this.result.querySelector(`[data-turn="${turn}"]`);
    card.scrollIntoView({ block: "start" });
    card.focus({ preventScroll: true });
  }

  #summary(found) {
    const lost = lostTurns(found);
    const kept = found.start_value + found.total_regret - found.total_luck;
    const isSum = found.solved && found.start_value !== null && Math.abs(kept - found.length) < 1e-6;
    const identity =
      isSum &&
      `${decimal(found.start_value)} for best play on average + ${decimal(found.total_regret)} regret − ${decimal(found.total_luck)} luck = ${whole(found.length)} guesses`;
    return section(
      found.solved
        ? `Solved in ${counted(found.length, "guess", "guesses")}`
        : `Not solved in ${counted(found.length, "guess", "guesses")}`,
      { class: "card" },
      figures([
        ["regret", decimal(found.total_regret)],
        ["luck", signed(found.total_luck)],
        ["skill", percent(found.skill)],
        ["best play", decimal(found.start_value)],
      ]),
      identity && h("p", { class: "note" }, identity),
      lost && h("p", { class: "note" }, `After ${lost} a win was not guaranteed${valuing(found)}.`),
      disclosure(
        "What the labels mean",
        h(
          "dl",
          { class: "meanings" },
          Object.entries(found.meanings).map(([name, meaning]) => [h("dt", {}, name), h("dd", {}, meaning)]),
        ),
      ),
    );
  }

  #turn(row) {
    const isBest = row.regret === 0;
    const named = row.optimal_guesses ?? [];
    const best = [
      capitals(named.slice(0, MOST_NAMED).join(" ")),
      named.length > MOST_NAMED ? `and ${whole(named.length - MOST_NAMED)} more` : "",
    ]
      .join(" ")
      .trim();
    const rules = (row.rule_guesses ?? []).map((each) => each.split(":"));
    const before = turnsOf(this.state.turns).slice(0, row.turn - 1);
    return h(
      "section",
      { class: "card", "aria-label": `Turn ${row.turn}`, tabindex: "-1", data: { turn: row.turn } },
      h(
        "div",
        { class: "bar spread" },
        tiles(row.guess, row.pattern),
        h("span", { class: "note" }, `${whole(row.answers_before)} → ${counted(row.answers_after, "answer")}`),
      ),
      comment(row),
      figures([
        ["regret", between(row, "regret"), fractionTitle(row.regret_fraction)],
        ["luck", row.luck === null ? between(row, "luck") : signed(row.luck), fractionTitle(row.luck_fraction)],
        ["this guess", between(row, "value_guess"), fractionTitle(row.value_guess_fraction)],
        ["best guess", between(row, "value_best"), fractionTitle(row.value_best_fraction)],
        ["after feedback", between(row, "value_after"), fractionTitle(row.value_after_fraction)],
      ]),
      isBest && named.length === 1
        ? null
        : h("p", { class: "best-guesses" }, h("span", { class: "note" }, "Best: "), best),
      this.#left(row),
      disclosure(
        "What strategies would have played",
        h(
          "ul",
          { class: "words" },
          rules.map(([name, word]) => h("li", {}, h("small", {}, `${name} `), capitals(word))),
        ),
      ),
      h(
        "p",
        { class: "noprint" },
        h("a", { href: addressOf("advise", this.state, { turns: writeTurns(before) }) }, "Advice here"),
        " · ",
        h("a", { href: addressOf("explore", this.state, { turns: writeTurns(before), guess: row.guess }) }, "Spectrum"),
      ),
    );
  }

  // The answers that a turn leaves, each with a link to what it would tell as the next guess. The list is
  // made when it is opened.
  #left({ turn, pattern, remaining }) {
    if (isSolved(pattern)) return null;
    const turns = writeTurns(turnsOf(this.state.turns).slice(0, turn));
    const item = (word) =>
      h("li", {}, h("a", { href: addressOf("explore", this.state, { turns, guess: word }) }, capitals(word)));
    const more = remaining.length - MOST_LEFT;
    const list = h("ul", { class: "words long" });
    const opened = disclosure(`${counted(remaining.length, "answer")} left after it`, list);
    const make = () =>
      fill(list, remaining.slice(0, MOST_LEFT).map(item), more > 0 && h("li", {}, `and ${whole(more)} more`));
    opened.addEventListener("toggle", make, { once: true });
    return opened;
  }
}

// A board to enter the game on, row by row. While it is open, keys write on it.
class Entry {
  constructor() {
    const made = (turns, draft) => {
      this.draft = draft;
      go({ turns: writeTurns(turns), chart: null });
    };
    this.problem = h("p", { class: "note bad", "aria-live": "polite" });
    this.board = new Board(
      { length: 5, rows: 6, coloured: true, label: "Board", aside: (row, turn, isFull) => this.#aside(isFull) },
      {
        made,
        drafted: (draft) => {
          this.draft = draft;
          fill(this.problem);
        },
        refused: (why) => fill(this.problem, why),
      },
    );
    this.keys = h("div");
    this.element = disclosure(
      "Enter it on a board",
      h(
        "div",
        { class: "stack" },
        h("p", { class: "note" }, "Type a guess, click its tiles until they have the colours you saw, and press Enter."),
        this.board.element,
        this.problem,
        this.keys,
      ),
    );
    this.element.classList.add("noprint");
    this.element.addEventListener("toggle", () => this.#toggled());
  }

  show(state) {
    this.state = state;
    const turns = turnsOf(state.turns);
    this.board.rows = Number(chosen(state, "max_guesses")) || 6;
    this.board.show({ turns, draft: this.draft, isOver: turns.length > 0 && isSolved(turns.at(-1).pattern) });
    this.keyboard?.show(turns);
    if (this.element.open) this.#use();
  }

  leave() {
    this.keyboard?.close();
    this.keyboard = null;
  }

  #toggled() {
    this.leave();
    if (!this.element.open) return;
    this.keyboard = new Keyboard(this.board);
    fill(this.keys, this.keyboard.element);
    this.show(this.state);
    this.board.focus();
  }

  async #use() {
    const { state, keyboard } = this;
    const words = await wordsOf(gameOf(state)).catch(() => null);
    if (words === null || state !== this.state || keyboard !== this.keyboard) return;
    this.board.use(words);
    keyboard.offer(words.guesses);
    keyboard.show(turnsOf(state.turns));
  }

  #aside(isFull) {
    return (
      isFull &&
      h("div", { class: "aside" }, button("Enter", () => this.board.press("Enter"), { class: "main" }))
    );
  }
}

// What the coach says about a turn.
function comment({ label, marks, coach }) {
  const named = [label, marks].filter(Boolean).join(", ");
  return h("p", { class: "comment" }, named && h("b", { class: label }, named), coach);
}

// The turns after which a win was not guaranteed, as in "turns 5, 6".
function lostTurns({ rows }) {
  const turns = rows.filter((row) => row.guaranteed === false).map(({ turn }) => turn);
  return turns.length > 0 && `${turns.length === 1 ? "turn" : "turns"} ${turns.join(", ")}`;
}

// How those turns are valued; prices of turns need their limit.
function valuing({ objective }) {
  return isCost(objective) ? ", so they have no value" : ": the values are those without the guess limit";
}

function between(row, key) {
  if (row[key] !== null) return decimal(row[key]);
  const [lower, upper] = [row[`${key}_lower`], row[`${key}_upper`]];
  return lower === null || lower === undefined ? "–" : `${decimal(lower)} … ${upper === null ? "?" : decimal(upper)}`;
}

function fractionTitle(fraction) {
  return fraction ? `exactly ${fraction}` : null;
}

// Colours without words: the openers that agree with them, with the answers that each leaves; or
// the answers that agree with several grids of one day.
function chart(found) {
  const row = ([word, figure]) =>
    h("tr", {}, h("th", { scope: "row" }, capitals(word)), h("td", { class: "n" }, figure));
  const [title, said, heads, rows] = found.agreeing ? agreement(found) : openings(found);
  return section(
    title,
    { class: "card" },
    h("p", { class: "note" }, said),
    h(
      "div",
      { class: "scroll long" },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h("tr", {}, h("th", { scope: "col" }, heads[0]), h("th", { scope: "col", class: "n" }, heads[1])),
        ),
        h("tbody", {}, rows.map(row)),
      ),
    ),
  );
}

function openings(found) {
  return [
    "A share grid without words",
    `${counted(found.openers, "opener")} and ${whole(BigInt(found.consistent_games))} games agree with these colours.`,
    ["opener", "answers left"],
    found.rows.map((each) => [each.opener, whole(each.answers_left)]),
  ];
}

function agreement(found) {
  const doubt = found.contradicting.length
    ? ` Without grid ${found.contradicting.join(" or ")}, some answer agrees with all others.`
    : "";
  return [
    "Share grids without words",
    `${counted(found.remaining.length, "answer")} agree with all ${whole(found.agreeing.length)} grids.${doubt}`,
    ["answer", "if all guess at random"],
    found.rows.map((each) => [each.possible_answer, percent(each.probability)]),
  ];
}

// The game to share, with its figures.
function share(found) {
  const turns = found.rows.filter((row) => row.pattern);
  const lines = [
    `${found.solved ? found.length : "X"}/${found.max_guesses ?? "∞"} · skill ${percent(found.skill)}`,
    `regret ${decimal(found.total_regret)} · luck ${signed(found.total_luck)} · gpu-wordle`,
  ];
  const lost = lostTurns(found);
  if (lost && !isCost(found.objective)) lines.push(`${lost} valued without the guess limit`);
  return shareCard(turns, lines, { score: `${found.solved ? found.length : "X"}/${found.max_guesses ?? "∞"}` });
}
