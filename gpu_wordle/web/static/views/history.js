// My history: the games that this browser keeps, and what they tell of the player. The server works out
// the figures and keeps nothing.

import { say } from "../announcer.js";
import { edition, isCancelled, Line } from "../data.js";
import { button, field, fill, h } from "../dom.js";
import { feedback } from "../feedback.js";
import { counted, decimal, percent, signed, whole } from "../figures.js";
import { isSameGame } from "../game.js";
import { asLines, forget, isStored, keep, keptGames } from "../kept.js";
import { disclosure, failure, figures, section, waiting } from "../notes.js";
import { saveAs } from "../picture.js";
import { capitals } from "../spelling.js";
import { addressOf, gameOf, writeTurns } from "../state.js";

export const title = "My history";

const MOST_LISTED = 200;
const WHERE = "Your games are kept in this browser and nowhere else. The server works out the figures and keeps nothing.";
const LAST = "gpu-wordle-history"; // the figures of the last time, for when the server is away

// What was typed stays there while another view is open.
const text = h("textarea", {
  placeholder: "Wordle 1,234 3/6\n\n⬛🟨⬛⬛🟩\n⬛⬛🟨⬛⬛\n🟩🟩🟩🟩🟩\n\nsalet BYBBG\ncrony BBYBB\nabbot GGGGG",
  spellcheck: "false",
  autocapitalize: "off",
});

export function openView(place) {
  return new History(place);
}

class History {
  #line = new Line();
  #reading = new Line();

  constructor(place) {
    this.told = h("div", { class: "stack close", "aria-live": "polite" });
    this.tools = h("div", { class: "bar tight tools-of" });
    this.result = h("div", { class: "stack", role: "region", "aria-label": "History" });
    this.last = h("input", { type: "checkbox" });
    this.files = h("input", {
      type: "file",
      multiple: true,
      accept: ".txt,.csv,.json,.jsonl,.h5,.hdf5,.parquet",
      on: { change: () => this.#readFiles() },
    });
    const form = h(
      "form",
      { class: "stack close", on: { submit: (event) => this.#readText(event) } },
      field("Paste games: share grids, or words with their colours", text, "An empty line ends a game."),
      h(
        "div",
        { class: "bar" },
        h("label", { class: "chip" }, this.last, "games without colours end with the answer"),
        h("button", { type: "submit", class: "main" }, "Add games"),
      ),
      field("Or files: text, CSV, or what gpu-wordle analyse writes", this.files),
      this.told,
    );
    const where = h("p", { class: "note" }, isStored() ? WHERE : `${WHERE} It allows no storage: they last until you leave.`);
    place.append(h("div", { class: "two" }, h("div", { class: "stack noprint" }, where, form, this.tools), this.result));
  }

  update(state) {
    const isSame = this.state && isSameGame(this.state, state);
    this.state = state;
    if (!isSame) this.#show();
  }

  leave() {
    this.#line.cancel();
    this.#reading.cancel();
  }

  async #readText(event) {
    event.preventDefault();
    const isRead = await this.#read([{ name: "", text: text.value }]);
    if (isRead) text.value = "";
  }

  async #readFiles() {
    const isText = ({ name }) => !/\.(h5|hdf5|parquet)$/i.test(name); // the server says what to do with others
    const read = async (file) => ({ name: file.name, text: isText(file) ? await file.text() : "" });
    await this.#read(await Promise.all([...this.files.files].map(read)));
    this.files.value = "";
  }

  // Keep the games of some texts; true if all was read.
  async #read(texts) {
    fill(this.told, waiting("Reading games …"));
    const { guesses, answers } = this.state;
    const [refused, ignored, counts] = [[], [], { read: 0, added: 0 }];
    for (const { name, text: told } of texts) {
      try {
        const body = { text: told, name: /\.txt$/i.test(name) ? "" : name, last: this.last.checked ? "answer" : null };
        const found = await this.#reading.post("collect", { guesses, answers }, body);
        counts.read += found.games.length;
        counts.added += keep(found.games);
        refused.push(...found.refused);
        ignored.push(...found.ignored);
      } catch (error) {
        if (isCancelled(error)) return false;
        refused.push(error.message);
      }
    }
    const there = counts.read - counts.added;
    fill(
      this.told,
      h("p", { class: "note good" }, `${counted(counts.added, "game")} added${there ? `, ${whole(there)} were there already` : ""}.`),
      refused.length > 0 && h("p", { class: "note bad" }, `${counted(refused.length, "entry", "entries")} not read:`),
      refused.map((line) => h("p", { class: "note failed" }, line)),
      ignored.length > 0 && h("p", { class: "note" }, `Ignored: ${ignored.join(", ")}`),
    );
    this.#show();
    return refused.length === 0;
  }

  #show() {
    const games = keptGames();
    this.games = games;
    this.#showTools();
    if (games.length === 0) {
      this.#line.cancel();
      fill(this.result, h("p", { class: "note" }, "No games yet. Paste some, or add those that you finish under Play and Advise."));
      return;
    }
    this.#ask(games);
  }

  #showTools(isSure = false) {
    const all = counted(this.games.length, "game");
    const gone = () => {
      forget();
      fill(this.told);
      this.#show();
    };
    fill(
      this.tools,
      this.games.length > 0 &&
        (isSure
          ? [
              h("span", { class: "note bad", role: "alert" }, `Delete ${all} for good?`),
              button("Delete", gone),
              button("Keep", () => this.#showTools()),
            ]
          : [button("Export", () => this.#export()), button("Delete all", () => this.#showTools(true))]),
    );
    if (isSure) this.tools.querySelector("button:last-child").focus();
  }

  #export() {
    const href = URL.createObjectURL(new Blob([asLines(this.games)], { type: "application/x-ndjson" }));
    saveAs("games.jsonl", href);
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  }

  // The server answers in time with the games analysed so far; what it has found makes the next call faster.
  async #ask(games) {
    const lines = asLines(games.map(({ title: _, ...game }) => game));
    if (!this.result.querySelector(".card")) fill(this.result, waiting("Working out your history …"));
    for (let done = -1; ; ) {
      try {
        const found = await this.#line.post("history", gameOf(this.state), { games: lines });
        const isWhole = found.analysed_games === found.given_games;
        const isFurther = found.analysed_games > done;
        done = found.analysed_games;
        if (isWhole) remember(lines, gameOf(this.state), found);
        this.#draw(found, games);
        if (isWhole || !isFurther) return;
        this.result.prepend(waiting(`${whole(done)} of ${counted(found.given_games, "game")} are analysed so far …`));
      } catch (error) {
        if (isCancelled(error)) return;
        const before = remembered(lines, gameOf(this.state));
        if (before) this.#draw(before, games);
        else fill(this.result);
        this.result.prepend(failure(error), before ? h("p", { class: "note" }, "These are the figures of the last time.") : "");
        if (!before) this.result.append(this.#list(null, games));
        return;
      }
    }
  }

  #draw(found, games) {
    const [row] = found.rows;
    const placed = new Map((row?.game_numbers ?? []).map((number, i) => [number, i]));
    const of = (number) => ({
      game: games[number - 1],
      skill: row.skill_by_game[placed.get(number)],
      luck: row.luck_by_game[placed.get(number)],
    });
    fill(this.result, row && [summary(row), distribution(row), habits(row)]);
    if (row && row.best_games.length + row.luckiest_games.length)
      this.result.append(
        h(
          "div",
          { class: "lists" },
          this.#named("Best games", row.best_games.map(of), ({ skill }) => percent(skill)),
          this.#named("Luckiest games", row.luckiest_games.map(of), ({ luck }) => signed(luck)),
        ),
      );
    this.result.append(this.#list(row && placed.size ? of : null, games));
    if (row) say(`${counted(row.played_games, "game")}, ${counted(row.lost_games, "loss", "losses")}, mean skill ${percent(row.skill_mean, 1)}`);
  }

  #named(heading, entries, figure) {
    return section(
      heading,
      { class: "card" },
      h(
        "ol",
        { class: "played-games" },
        entries.map((entry) => h("li", {}, this.#link(entry.game), h("b", {}, figure(entry)))),
      ),
    );
  }

  // The words of a game lead to its review.
  #link(game) {
    if (!game.guesses) return h("span", { class: "grids" }, game.patterns.join(" "));
    const patterns = game.patterns ?? game.guesses.map((guess) => feedback(guess, game.answer));
    const turns = writeTurns(game.guesses.map((guess, i) => ({ guess, pattern: patterns[i] })));
    return h("a", { href: addressOf("review", this.state, { turns }) }, capitals(game.guesses.join(" ")));
  }

  #list(of, games) {
    const item = (game, i) => {
      const { skill, luck } = of?.(i + 1) ?? {};
      const told = [game.title, skill !== null && skill !== undefined && `skill ${percent(skill)}, luck ${signed(luck, 2)}`];
      const gone = () => {
        forget(i);
        this.#show();
      };
      const label = `Delete game ${i + 1}`;
      return h(
        "li",
        {},
        h("span", {}, this.#link(game), " ", h("small", {}, told.filter(Boolean).join(" · "))),
        button("×", gone, { "aria-label": label, title: label }),
      );
    };
    const items = games.map(item).slice(-MOST_LISTED).reverse();
    const rest = games.length - items.length;
    return disclosure(
      "All games, the latest first",
      h("ol", { class: "played-games" }, items),
      rest > 0 && h("p", { class: "note" }, `and ${whole(rest)} more; the export holds all`),
    );
  }
}

function summary(row) {
  const found = row.solved_on_turn.reduce((sum, each) => sum + each, 0);
  const leftOut = row.faulty_games + row.unfinished_games;
  return section(
    counted(row.played_games, "game"),
    { class: "card" },
    figures([
      ["solved", whole(found)],
      ["lost", whole(row.lost_games)],
      ["streak", whole(row.streak)],
      ["longest streak", whole(row.longest_streak)],
      ["mean skill", row.skill_mean === null ? null : `${decimal(100 * row.skill_mean, 1)}${error(row.skill_error, 100, 1)} %`],
      ["mean luck", row.luck_mean === null ? null : `${signed(row.luck_mean)}${error(row.luck_error)}`],
    ]),
    row.valued_games > 0 &&
      h("p", { class: "note" }, `Skill and luck are means of the ${counted(row.valued_games, "game")} with words; ± is their standard error.`),
    leftOut > 0 &&
      h("p", { class: "note" }, `${counted(leftOut, "game")} without an end, or that cannot be read, left out of turns and streaks.`),
  );
}

function error(known, times = 1, digits = 3) {
  return known === null ? "" : ` ± ${decimal(times * known, digits)}`;
}

function distribution(row) {
  const bars = [...row.solved_on_turn.map((games, i) => [String(i + 1), games]), ["lost", row.lost_games]];
  const most = Math.max(1, ...bars.map(([, games]) => games));
  return section(
    "Solved on turn",
    { class: "card" },
    h(
      "ol",
      { class: "spread-of" },
      bars.map(([turn, games]) =>
        h("li", { vars: { share: games / most } }, h("span", {}, turn), h("i", { "aria-hidden": "true" }), h("b", {}, whole(games))),
      ),
    ),
  );
}

const MEANING = {
  "repeated letters": "guesses with a letter twice",
  "hard-mode trap": "one of three or more answers tried that differ in one letter, where another guess was better",
};

function habits({ habits: found }) {
  const rows = Object.entries(found);
  if (!rows.length) return null;
  const heads = ["habit", "turns", "cost in all", "cost of a turn", "of other turns"];
  const cell = (value) => h("td", { class: "n" }, value);
  return section(
    "What your habits cost",
    { class: "card" },
    h("p", { class: "note" }, "In guesses beside the best one; ± is the standard error."),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Habits" },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, heads.map((head, i) => h("th", { scope: "col", class: i ? "n" : null }, head)))),
        h(
          "tbody",
          {},
          rows.map(([name, habit]) =>
            h(
              "tr",
              { title: MEANING[name] },
              h("th", { scope: "row" }, name.replace(/^opener (.*)/, (_, word) => `opener ${capitals(word)}`)),
              cell(whole(habit.turns)),
              cell(decimal(habit.regret, 2)),
              cell(`${decimal(habit.mean_regret)}${error(habit.regret_error)}`),
              cell(decimal(habit.others_regret)),
            ),
          ),
        ),
      ),
    ),
    h(
      "dl",
      { class: "note meanings" },
      Object.entries(MEANING)
        .filter(([name]) => name in found)
        .map(([name, meaning]) => h("div", {}, h("dt", {}, name), h("dd", {}, meaning))),
    ),
  );
}

function remember(lines, game, found) {
  try {
    localStorage.setItem(LAST, JSON.stringify({ lines, game, edition: edition(), found }));
  } catch {
    // the figures are worked out anew the next time
  }
}

function remembered(lines, game) {
  try {
    const last = JSON.parse(localStorage.getItem(LAST));
    const isSame = last.lines === lines && last.edition === edition();
    return isSame && JSON.stringify(last.game) === JSON.stringify(game) ? last.found : null;
  } catch {
    return null;
  }
}
