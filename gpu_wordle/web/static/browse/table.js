// A ranking as a table: sorted, searched, filtered.

import { field, fill, h } from "../dom.js";
import { shown, whole } from "../figures.js";
import { LongTable, ordered, told } from "../longtable.js";
import { answered } from "../notes.js";
import { normalise, signsOf } from "../spelling.js";
import { go } from "../state.js";
import { suggestion } from "../tiles.js";
import { columnsOf, figuresOf, rankingOf, rankingSelect } from "./rankings.js";

export class TablePart {
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
        title: "rank by exact total",
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

// Words that contain a text; in `?IGHT` the mark stands for any letter.
function matcher(text) {
  const asked = signsOf(normalise(text ?? "")).replace(/[^\p{L}\p{Co}?.]/gu, "");
  const letters = new RegExp(asked.replaceAll("?", "."));
  return (word) => letters.test(signsOf(word));
}

// The total, or its bounds.
function totalOf(columns, row) {
  const total = columns.total[row];
  if (total !== null && total !== undefined) return whole(total);
  if (columns.status?.[row] === "infeasible") return "no guaranteed win";
  const [lower, upper] = [columns.lower?.[row], columns.upper?.[row]];
  return lower === null || lower === undefined ? "–" : `${whole(lower)} … ${upper === null ? "?" : whole(upper)}`;
}
