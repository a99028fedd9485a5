// Browse: the published rankings as a table and as plots, the strategy of an opener, the matrix.

import { isCancelled, Line, once, wordsOf } from "../data.js";
import { button, field, fill, h, select } from "../dom.js";
import { counted, decimal, shown, whole } from "../figures.js";
import { chosen } from "../game.js";
import { LongTable, ordered, told } from "../longtable.js";
import { Matrix } from "../matrix.js";
import { answered, failure, waiting } from "../notes.js";
import { Scatter, spearman } from "../scatter.js";
import { gameOf, go, turnsOf } from "../state.js";
import { suggestion, tiles } from "../tiles.js";
import { Tree } from "../tree.js";
import { setWord, wordField } from "../words.js";

export const title = "Browse";

const PARTS = [
  ["table", "Table"],
  ["plot", "Plot"],
  ["tree", "Tree"],
  ["matrix", "Matrix"],
];
const FIGURES = [
  { key: "total", heading: "total", title: "guesses over all answers", decimals: 0 },
  { key: "mean", heading: "mean", title: "guesses of an answer on average", decimals: 4 },
  { key: "worst", heading: "worst", title: "turn on which the last answer is found", decimals: 0 },
];

export function openView(place) {
  return new Browse(place);
}

class Browse {
  constructor(place) {
    this.tabs = h(
      "div",
      { class: "bar tight", role: "group", "aria-label": "What to browse" },
      PARTS.map(([show, name]) => button(name, () => go({ show: show === "table" ? null : show }), { data: { show } })),
    );
    this.controls = h("div", { class: "bar" });
    this.result = h("div");
    place.append(h("div", { class: "stack" }, this.tabs, this.controls, this.result));
  }

  async update(state) {
    this.state = state;
    const show = PARTS.some(([name]) => name === state.show) ? state.show : "table";
    for (const tab of this.tabs.children) tab.setAttribute("aria-pressed", String(tab.dataset.show === show));
    if (show !== this.shown) {
      this.leave();
      this.shown = show;
      fill(this.controls);
      fill(this.result, waiting("Fetching …"));
      this.part = new VIEWS[show](this.controls, this.result);
    }
    try {
      await this.part.update(state);
    } catch (error) {
      if (!isCancelled(error)) fill(this.result, failure(error));
    }
  }

  leave() {
    this.part?.close();
    this.part = null;
  }
}

// The rankings that there are, and the one of the state: that of the game, if no other is named.
async function rankingOf(state) {
  const { rankings } = await once("rankings");
  const named = rankings.find(({ name }) => name === state.ranking);
  const own = rankings.find(
    ({ guesses, rule }) => guesses === chosen(state, "guesses") && rule === chosen(state, "rule"),
  );
  if (rankings.length === 0)
    throw new Error("no ranking is published for this game; gpu-wordle serve FILE shows one of your own");
  return { rankings, ranking: named ?? own ?? rankings[0] };
}

async function columnsOf(name) {
  const { columns } = await once(`rankings/${name}`);
  return { ...columns, opener: columns.opener ?? columns.guess };
}

// The figures that a ranking has, with their headings.
async function figuresOf(columns) {
  const { statistics } = await once("choices");
  const named = statistics.map(({ name, heading, description, decimals, most_first: mostFirst }) => ({
    key: name,
    heading,
    title: description,
    decimals,
    mostFirst,
  }));
  return [...FIGURES, ...named].filter(({ key }) => columns[key]?.some((value) => typeof value === "number"));
}

function rankingSelect(rankings, chosen, changed) {
  return select(
    rankings.map(({ name }) => name),
    chosen,
    changed,
  );
}

class TablePart {
  constructor(controls, result) {
    this.search = h("input", {
      type: "search",
      placeholder: "SAL or ?IGHT",
      spellcheck: "false",
      autocapitalize: "off",
      on: { input: (event) => go({ search: event.target.value.trim() || null }, { replace: true }) },
    });
    this.only = h("input", {
      type: "checkbox",
      on: { change: (event) => go({ only: event.target.checked ? "answers" : null }) },
    });
    this.count = h("p", { class: "note", role: "status" });
    this.ranking = h("div");
    fill(
      controls,
      this.ranking,
      field("Find", this.search),
      h("label", { class: "chip" }, this.only, "only possible answers"),
      this.count,
    );
    this.table = new LongTable("Ranking", (sort) => go({ sort: sort === "total" ? null : sort }));
    this.place = result;
  }

  close() {}

  async update(state) {
    this.state = state;
    if (document.activeElement !== this.search) this.search.value = state.search ?? "";
    this.only.checked = state.only === "answers";
    const { rankings, ranking } = await rankingOf(state);
    if (ranking.name !== this.name) {
      this.name = ranking.name;
      fill(
        this.ranking,
        field(
          "Ranking",
          rankingSelect(rankings, ranking.name, (name) => go({ ranking: name })),
        ),
      );
      await answered(this.place, this.#open(ranking.name), () => this.table.element);
    }
    if (this.state === state && this.columns) this.#show(state);
  }

  async #open(name) {
    const columns = await columnsOf(name);
    const figures = await figuresOf(columns);
    this.columns = columns;
    this.heads = [
      {
        key: "place",
        heading: "#",
        title: "place by the exact total",
        values: columns.opener.map((_, i) => i + 1),
        cell: (value) => whole(value),
        isNumber: true,
      },
      {
        key: "opener",
        heading: "opener",
        title: "the first guess",
        values: columns.opener,
        cell: (word, row) =>
          suggestion(word, {
            candidate: columns.is_candidate[row],
            pressed: () => go({ show: "tree", opener: word, path: null }),
          }),
      },
      ...figures.map((figure) => ({
        ...figure,
        values: columns[figure.key],
        cell: (value, row) => (figure.key === "total" ? totalOf(columns, row) : shown(value, figure.decimals)),
        isNumber: true,
      })),
    ];
  }

  #show(state) {
    const sort = state.sort ?? "total";
    const { opener, is_candidate: isCandidate } = this.columns;
    const fits = matcher(state.search);
    const found = opener
      .map((_, row) => row)
      .filter((row) => fits(opener[row]) && (state.only !== "answers" || isCandidate[row]));
    const head = this.heads.find(({ key }) => key === sort.replace(/^-/, "")) ?? this.heads[0];
    this.table.show(this.heads, sort === "total" ? found : ordered(found, head.values, sort.startsWith("-")), sort);
    this.count.textContent = told(found.length, opener.length);
  }
}

// Words that hold a text; in `?IGHT` the mark stands for any letter.
function matcher(text) {
  const asked = (text ?? "").toLowerCase().replace(/[^a-z?.]/g, "");
  const letters = new RegExp(asked.replaceAll("?", "."));
  return (word) => letters.test(word);
}

// The total, or what is known of it.
function totalOf(columns, row) {
  const total = columns.total[row];
  if (total !== null && total !== undefined) return whole(total);
  if (columns.status?.[row] === "infeasible") return "not sure to win";
  const [lower, upper] = [columns.lower?.[row], columns.upper?.[row]];
  return lower === null || lower === undefined ? "–" : `${whole(lower)} … ${upper === null ? "?" : whole(upper)}`;
}

class PlotPart {
  constructor(controls, result) {
    Object.assign(this, { controls, place: result });
    this.scatter = new Scatter({ picked: (pick) => go({ pick }) });
    this.told = h("p", { class: "note" });
  }

  close() {
    this.scatter.close();
  }

  async update(state) {
    const { rankings, ranking } = await rankingOf(state);
    const other = rankings.find(({ name }) => name === state.against) ?? ranking;
    const question = Promise.all([columnsOf(ranking.name), columnsOf(other.name)]);
    await answered(
      this.place,
      question.then(async (both) => [...both, await figuresOf(both[0])]),
      ([columns, others, figures]) => {
        const [x, y] = [pickFigure(figures, state.x, "entropy_bits"), pickFigure(figures, state.y, "total")];
        this.#drawControls(state, { rankings, ranking, other, figures, x, y });
        this.#draw(state, { columns, others, x, y, ranking, other });
        return h("div", { class: "stack close" }, this.scatter.element, this.told);
      },
    );
  }

  #drawControls(state, { rankings, ranking, other, figures, x, y }) {
    const drawn = JSON.stringify([ranking.name, other.name, x.key, y.key]);
    if (this.drawn === drawn) return;
    this.drawn = drawn;
    const keys = figures.map(({ key, heading, title }) => [key, heading ?? title]);
    fill(
      this.controls,
      field(
        "Ranking across",
        rankingSelect(rankings, ranking.name, (name) => go({ ranking: name })),
      ),
      field(
        "Figure across",
        select(keys, x.key, (key) => go({ x: key })),
      ),
      field(
        "Ranking upwards",
        rankingSelect(rankings, other.name, (name) => go({ against: name })),
      ),
      field(
        "Figure upwards",
        select(keys, y.key, (key) => go({ y: key })),
      ),
    );
  }

  #draw(state, { columns, others, x, y, ranking, other }) {
    const place = new Map(others.opener.map((word, i) => [word, i]));
    const points = columns.opener.map((word, i) => ({
      word,
      x: columns[x.key][i],
      y: others[y.key]?.[place.get(word)],
      candidate: Boolean(columns.is_candidate[i]),
    }));
    const known = points.filter((point) => typeof point.x === "number" && typeof point.y === "number");
    const name = (figure, of) => (ranking === other ? figure.heading : `${figure.heading} (${of.name})`);
    this.scatter.show(known, { x: name(x, ranking), y: name(y, other) }, state.pick);
    const rho = spearman(
      known.map((point) => point.x),
      known.map((point) => point.y),
    );
    const missing = points.length - known.length;
    fill(
      this.told,
      `${counted(known.length, "opener")}; Spearman's correlation of the ranks ${decimal(rho, 4)}.${missing ? ` ${counted(missing, "opener")} without both figures left out.` : ""} Green: can be the answer.`,
    );
  }
}

function pickFigure(figures, key, usual) {
  return figures.find((figure) => figure.key === key) ?? figures.find((figure) => figure.key === usual) ?? figures[0];
}

class TreePart {
  constructor(controls, result) {
    this.opener = wordField((word) => word && go({ opener: word, path: null }), { placeholder: "salet" });
    fill(
      controls,
      field("Opener", this.opener),
      h("p", { class: "note" }, "Each line is a pattern that may be seen; open it for the guess that follows."),
    );
    this.place = result;
  }

  close() {
    this.tree?.close();
  }

  update(state) {
    const guess = state.opener ?? "salet";
    setWord(this.opener, state.opener);
    const key = JSON.stringify([guess, state.turns, gameOf(state)]);
    if (key === this.key) return;
    this.key = key;
    this.tree?.close();
    this.tree = new Tree(
      (path) => ({ ...gameOf(state), turns: state.turns, guess, path: path.join(","), depth: 1 }),
      (path) => go({ path: path.join(",") || null }, { replace: true }),
    );
    const made = turnsOf(state.turns).map((turn) => tiles(turn.guess, turn.pattern, { class: "tiles small" }));
    fill(this.place, made.length ? h("div", { class: "made" }, made) : null, this.tree.element);
    this.tree.show(state.path?.split(","));
  }
}

class MatrixPart {
  #line = new Line();

  constructor(controls, result) {
    this.matrix = new Matrix();
    this.inputs = ["guess", "answer"].map((name) =>
      h("input", {
        type: "text",
        class: "word-field",
        placeholder: name,
        maxlength: "12",
        spellcheck: "false",
        on: { change: () => this.#seek() },
      }),
    );
    this.order = select(
      [
        ["alphabetical", "by letters"],
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
    this.#line.cancel();
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
    const { opener } = await columnsOf(ranking.name);
    const possible = new Set(answers);
    return [opener, opener.filter((word) => possible.has(word))];
  }

  #seek() {
    go({
      seek:
        this.inputs
          .map((input) => input.value.trim().toLowerCase())
          .join(":")
          .replace(/^:$/, "") || null,
    });
  }

  #find(seek) {
    const words = seek.split(":");
    this.inputs.forEach((input, i) => setWord(input, words[i]));
    this.matrix.find(...words);
  }
}

const VIEWS = { table: TablePart, plot: PlotPart, tree: TreePart, matrix: MatrixPart };
