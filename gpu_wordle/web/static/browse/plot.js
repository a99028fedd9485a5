// Two figures of one ranking, or of two, against each other.

import { field, fill, h, select } from "../dom.js";
import { counted, decimal } from "../figures.js";
import { answered } from "../notes.js";
import { Scatter, spearman } from "../scatter.js";
import { go } from "../state.js";
import { columnsOf, figuresOf, rankingOf, rankingSelect } from "./rankings.js";

export class PlotPart {
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
        "Horizontal: ranking",
        rankingSelect(rankings, ranking.name, (name) => go({ ranking: name })),
      ),
      field(
        "Horizontal: figure",
        select(keys, x.key, (key) => go({ x: key })),
      ),
      field(
        "Vertical: ranking",
        rankingSelect(rankings, other.name, (name) => go({ against: name })),
      ),
      field(
        "Vertical: figure",
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
      `${counted(known.length, "opener")}; Spearman's correlation of the ranks ${decimal(rho, 4)}.${missing ? ` ${counted(missing, "opener")} without both figures left out.` : ""} Coloured: can be the answer.`,
    );
  }
}

function pickFigure(figures, key, usual) {
  return figures.find((figure) => figure.key === key) ?? figures.find((figure) => figure.key === usual) ?? figures[0];
}
