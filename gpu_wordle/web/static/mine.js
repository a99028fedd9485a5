// My guess, while it stands in the row being typed: its exact value, what it loses to the best guess, its
// groups, whether it is a guaranteed win, and all best guesses.

import { say } from "./announcer.js";
import { isCancelled, Line } from "./data.js";
import { fill, h } from "./dom.js";
import { Outside } from "./files.js";
import { counted, decimal, meanOf, sharedBy, whole } from "./figures.js";
import { failure, waiting } from "./notes.js";
import { capitals } from "./spelling.js";
import { positionOf } from "./state.js";
import { suggestion } from "./tiles.js";

const PAUSE_MS = 300; // a word that is typed on is not asked about
const MOST_EQUAL = 12;

const FIGURES = {
  mean: (value) => `${decimal(value)} guesses`,
  mean_cost: (value) => `a cost of ${decimal(value)}`,
  worst: (value) => `${counted(value, "guess", "guesses")} in the worst case`,
  within: (value) => `${counted(value, "answer")} in time`,
  failures: (value) => `${counted(value, "answer")}`,
};

// `pressed` is called with each clicked word.
export class Mine {
  #line = new Line();
  #asked = null;
  #waiting = 0;

  constructor(pressed) {
    this.pressed = pressed;
    this.element = h("div", { class: "mine", role: "region", "aria-label": "My guess" });
  }

  clear() {
    clearTimeout(this.#waiting);
    this.#line.cancel();
    this.#asked = null;
    fill(this.element);
  }

  // Ask about a guess unless that is what was asked last; the question before is cancelled.
  judge(state, guess) {
    const question = { ...positionOf(state), guess };
    const asked = JSON.stringify(question);
    if (asked === this.#asked) return;
    this.clear();
    this.#asked = asked;
    fill(this.element, waiting(`Evaluating ${capitals(guess)} …`));
    this.#waiting = setTimeout(() => this.#ask(question), PAUSE_MS);
  }

  async #ask(question) {
    try {
      const found = await this.#line.get("guess", question);
      const [row] = found.rows;
      const told = sentence(row, found);
      const equal = equals(row, found);
      fill(this.element, h("p", {}, h("b", {}, capitals(row.guess)), ` ${told}`), equal && this.#list(equal));
      say(`${capitals(row.guess)} ${told} ${equal?.told ?? ""}`);
    } catch (error) {
      if (isCancelled(error)) return;
      fill(this.element, error instanceof Outside ? null : failure(error));
    }
  }

  #list({ told, words }) {
    const item = ({ word, candidate }) => h("li", {}, suggestion(word, { candidate, pressed: this.pressed }));
    return [
      h("p", { class: "note" }, told),
      words.length > 0 && h("ul", { class: "equals", "aria-label": "Best guesses" }, words.map(item)),
    ];
  }
}

// What is known of a guess, in a sentence for people.
function sentence(row, found) {
  const groups = `${counted(row.parts, "group")}, the largest of ${whole(row.max_part)}`;
  const sure = { true: "guaranteed win", false: "no guaranteed win" }[row.guaranteed] ?? null;
  return `${[valueOf(row, found), lossOf(row), groups, sure].filter(Boolean).join("; ")}.`;
}

function valueOf(row, found) {
  if (row.infeasible) return null;
  const [name] = Object.keys(FIGURES).filter((key) => row[key] !== undefined && row[key] !== null).slice(-1);
  if (name === "failures") return `${FIGURES.failures(row.failures)} not found in time`;
  return name ? FIGURES[name](row[name]) : `${meanOf(row, sharedBy(found))} guesses`;
}

function lossOf({ optimal, loses }) {
  if (optimal) return "no guess is better";
  const [[name, value] = []] = Object.entries(loses ?? {});
  return name && value !== null ? `loses ${FIGURES[name](value)}` : null;
}

// The other best guesses, of as many as there are, common words first.
function equals(row, { best_guesses: best, best_candidates: candidates }) {
  if (!best?.length) return null;
  const words = best.map((word, i) => ({ word, candidate: i < candidates })).filter(({ word }) => word !== row.guess);
  if (!words.length) return { told: "No other guess is as good.", words };
  const alike = best.length === 1 ? "The best guess" : `${whole(best.length)} equally good, common words first`;
  return { told: `${row.optimal ? "One of " : ""}${alike}:`, words: words.slice(0, MOST_EQUAL) };
}
