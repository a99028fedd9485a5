// Watch: several strategies side by side on one answer, step by step.

import { say } from "../announcer.js";
import { Line, once } from "../data.js";
import { button, field, fill, h, select } from "../dom.js";
import { counted, decimal, shown, signed, whole } from "../figures.js";
import { isSameGame } from "../game.js";
import { answered, disclosure } from "../notes.js";
import { capitals, lettersOf } from "../spelling.js";
import { gameOf, go } from "../state.js";
import { tile, tiles } from "../tiles.js";
import { setWord, wordField } from "../words.js";

export const title = "Watch";

const USUAL = ["entropy", "parts", "optimal"];
const COMMON = ["entropy", "parts", "standard-deviation", "greens", "letter-frequency", "optimal"];
const MOST_STRATEGIES = 6;
const PACE_MS = 1400;
const EVALUATED_MS = 70; // how long each word under evaluation is shown
const EXAMPLE = { target: "vowel", opener: "false", pool: "answers", strategies: "entropy,standard-deviation,parts" };
const POOLS = [
  ["all", "all words"],
  ["answers", "answers"],
  ["candidates", "answers still possible"],
];
const ASKED = ["target", "opener", "strategies", "pool"];

export function openView(place) {
  return new Watch(place);
}

class Watch {
  #line = new Line();

  constructor(place) {
    this.opened = new Set();
    this.target = wordField((word) => go({ target: word, step: null }), { placeholder: "answer", ofAnswers: true });
    this.opener = wordField((word) => go({ opener: word, step: null }), { placeholder: "its own" });
    this.pool = select(POOLS, "all", (pool) => go({ pool: pool === "all" ? null : pool, step: null }));
    this.chips = h("fieldset", {}, h("legend", {}, "Strategies"));
    this.player = h("div", { class: "bar tight player noprint", role: "group", "aria-label": "Steps" });
    this.result = h("div");
    place.append(
      h(
        "div",
        { class: "stack" },
        h(
          "div",
          { class: "bar" },
          field("Answer", this.target),
          field("First guess", this.opener),
          field("Greedy strategies choose from", this.pool),
          this.chips,
        ),
        this.player,
        this.result,
      ),
    );
    this.#offer();
  }

  update(state) {
    const before = this.state;
    this.state = state;
    setWord(this.target, state.target);
    setWord(this.opener, state.opener);
    this.pool.value = state.pool ?? "all";
    this.#check();
    const isSame = before && ASKED.every((key) => before[key] === state[key]) && isSameGame(before, state);
    if (isSame) this.#draw();
    else this.#ask();
  }

  leave() {
    this.#line.cancel();
    this.#pause();
    clearInterval(this.evaluating);
  }

  async #offer() {
    const { strategies } = await once("choices");
    const named = strategies.map(({ strategy, description }) => [strategy.replace(/\[.*/, ""), description]);
    const chips = named
      .filter(([name]) => !name.includes(":"))
      .map(([name, description]) => {
        const box = h("input", { type: "checkbox", value: name, on: { change: () => this.#choose() } });
        return [COMMON.includes(name), h("label", { class: "chip", title: description }, box, name)];
      });
    const [common, others] = [true, false].map((which) =>
      chips.filter(([isCommon]) => isCommon === which).map(([, chip]) => chip),
    );
    this.chips.append(
      h("div", { class: "chips" }, common),
      disclosure("More strategies", h("div", { class: "chips" }, others)),
    );
    this.#check();
  }

  #chosen() {
    return this.state.strategies?.split(",").filter(Boolean) ?? USUAL;
  }

  #check() {
    if (!this.state) return;
    const chosen = new Set(this.#chosen());
    const isMost = chosen.size >= MOST_STRATEGIES;
    for (const box of this.chips.querySelectorAll("input")) {
      box.checked = chosen.has(box.value);
      box.disabled = isMost && !box.checked;
    }
  }

  #choose() {
    const boxes = [...this.chips.querySelectorAll("input:checked")];
    go({ strategies: boxes.map((box) => box.value).join(",") || null });
  }

  async #ask() {
    this.#pause();
    this.rows = null;
    fill(this.player);
    const { target, opener } = this.state;
    if (!target) {
      this.#line.cancel();
      fill(
        this.result,
        h("p", { class: "note" }, "Type an answer and watch strategies find it. "),
        h(
          "p",
          {},
          button("VOWEL from FALSE", () => go(EXAMPLE)),
          " shows three strategies that disagree, as in Words for the Wordle-Weary.",
        ),
      );
      return;
    }
    const strategies = this.#chosen().join(",");
    fill(this.result);
    await answered(
      this.result,
      this.#line.get("watch", { ...gameOf(this.state), strategies, target, openers: opener, pool: this.state.pool }),
      ({ rows }) => {
        this.rows = rows;
        this.games = this.#chosen()
          .map((name) => ({ name, turns: rows.filter((row) => row.strategy === name) }))
          .filter((game) => game.turns.length);
        this.longest = Math.max(...this.games.map((game) => game.turns.length));
        return null;
      },
    );
    if (this.rows) this.#draw();
  }

  get step() {
    const step = this.state.step === undefined ? this.longest : Number(this.state.step);
    return Math.min(Math.max(Number.isInteger(step) ? step : this.longest, 0), this.longest);
  }

  #to(step) {
    const isForward = step === this.step + 1;
    go({ step: step === this.longest ? null : String(step) }, { replace: true });
    if (isForward) this.#evaluate(step);
    const turns = this.games.map((game) => [game.name, game.turns[step - 1]]).filter(([, turn]) => turn);
    say(
      `Step ${step} of ${this.longest}. ${turns.map(([name, turn]) => `${name}: ${capitals(turn.guess)}, ${counted(turn.answers_after, "answer")} left`).join(". ")}`,
    );
  }

  #draw() {
    if (!this.rows) return;
    clearInterval(this.evaluating);
    this.#drawPlayer();
    fill(
      this.result,
      h(
        "div",
        { class: "side-by-side" },
        this.games.map((game) => this.#game(game)),
      ),
    );
  }

  #drawPlayer() {
    const focused = this.player.contains(document.activeElement) ? document.activeElement.dataset.name : null;
    const { step, longest } = this;
    const key = (name, label, pressed, disabled) => button(label, pressed, { disabled, data: { name } });
    fill(
      this.player,
      key("start", "Start", () => this.#to(0), step === 0),
      key("undo", "Undo", () => this.#to(step - 1), step === 0),
      key("step", "Step", () => this.#to(step + 1), step === longest),
      key("play", this.playing ? "Pause" : "Play", () => this.#play()),
      key("end", "End", () => this.#to(longest), step === longest),
      h("span", { class: "note" }, `turn ${step} of ${longest}`),
    );
    this.player.querySelector(`[data-name="${focused}"]:not(:disabled)`)?.focus();
  }

  #game({ name, turns }) {
    const made = turns.slice(0, this.step);
    const last = made.at(-1);
    const lines = Array.from({ length: this.longest }, (_, i) => this.#turn(made[i]));
    return h(
      "section",
      { class: "card game", "aria-label": name },
      h("div", { class: "bar spread" }, h("h2", {}, name), h("span", { class: "note" }, this.#standing(turns, made))),
      h("ol", { class: "board" }, lines),
      last && !last.solved && last.remaining
        ? this.#kept(`left ${name}`, `${counted(last.answers_after, "answer")} left`, wordList(last.remaining))
        : null,
      last?.considered?.length ? this.#kept(`considered ${name}`, "Words under evaluation", considered(last)) : null,
    );
  }

  // Opened details stay open from step to step.
  #kept(key, summary, content) {
    const details = disclosure(summary, content);
    details.open = this.opened.has(key);
    details.addEventListener("toggle", () => (details.open ? this.opened.add(key) : this.opened.delete(key)));
    return details;
  }

  #standing(turns, made) {
    if (made.length < turns.length)
      return `${counted(made.at(-1)?.answers_after ?? turns[0].answers_before, "answer")} left`;
    return turns.at(-1).solved ? `solved in ${turns.length}` : "not solved";
  }

  #turn(turn) {
    if (!turn)
      return h(
        "li",
        { class: "row", "aria-hidden": "true" },
        h(
          "span",
          { class: "tiles" },
          lettersOf(this.state.target).map(() => tile("", null)),
        ),
      );
    const facts = [
      [turn.solved ? "found" : `${whole(turn.answers_after)} left`],
      turn.tied > 1 && [`${whole(turn.tied)} tied`],
      turn.regret !== null && [`regret ${decimal(turn.regret)}`, turn.regret ? "costly" : null],
      turn.luck !== null && [`luck ${signed(turn.luck)}`],
    ];
    const ties = turn.tied > 1 ? `tied: ${turn.tied_guesses.join(" ")}` : null;
    const told = facts.filter(Boolean).map(([fact, kind]) => h("span", { class: kind }, fact));
    return h(
      "li",
      { class: "row" },
      tiles(turn.guess, turn.pattern),
      h("span", { class: "aside facts", title: ties }, told),
    );
  }

  // The words under evaluation flash by in grey before the chosen one appears.
  #evaluate(step) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const rows = this.games
      .map((game, i) => [this.result.querySelectorAll(".game")[i], game.turns[step - 1]])
      .filter(([, turn]) => turn?.considered?.length);
    const cells = rows.map(([place, turn]) => [place.querySelectorAll(".row .tiles")[step - 1], turn.considered]);
    const before = cells.map(([cell]) => [...cell.childNodes]);
    let tick = 0;
    clearInterval(this.evaluating);
    this.evaluating = setInterval(() => {
      const isDone = tick >= Math.max(...cells.map(([, words]) => words.length), 0);
      cells.forEach(([cell, words], i) =>
        fill(
          cell,
          isDone ? before[i] : lettersOf(words[Math.min(tick, words.length - 1)]).map((letter) => tile(letter, null)),
        ),
      );
      if (isDone) clearInterval(this.evaluating);
      tick += 1;
    }, EVALUATED_MS);
  }

  #play() {
    if (this.playing) {
      this.#pause();
      this.#drawPlayer();
      return;
    }
    const next = () => {
      if (this.step < this.longest) this.#to(this.step + 1);
      if (this.step === this.longest) this.#pause();
      this.#drawPlayer();
    };
    this.playing = setInterval(next, PACE_MS);
    if (this.step === this.longest) this.#to(0);
    else next();
    this.#drawPlayer();
  }

  #pause() {
    clearInterval(this.playing);
    this.playing = null;
  }
}

function wordList(words) {
  return h(
    "ul",
    { class: "words long", tabindex: "0", "aria-label": "Answers left" },
    words.map((word) => h("li", {}, capitals(word))),
  );
}

// The best words by the strategy's own score, the chosen one among them.
function considered(turn) {
  const worth = (i) => (turn.considered_worth.length ? h("td", { class: "n" }, shown(turn.considered_worth[i])) : null);
  const row = (word, i) =>
    h("tr", { class: word === turn.guess ? "chosen" : "" }, h("th", { scope: "row" }, capitals(word)), worth(i));
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, "guess"),
    turn.considered_worth.length ? h("th", { scope: "col", class: "n" }, "score") : null,
  );
  const ties =
    turn.tied > 1
      ? h("p", { class: "note" }, `Tied with it: ${turn.tied_guesses.filter((word) => word !== turn.guess).join(" ")}`)
      : null;
  return [h("table", {}, h("thead", {}, head), h("tbody", {}, turn.considered.map(row))), ties];
}
