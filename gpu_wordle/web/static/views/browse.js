// Browse: rankings as a table and as plots, the strategy of an opener, and the pattern matrix.

import { MatrixPart } from "../browse/picture.js";
import { PlotPart } from "../browse/plot.js";
import { TreePart } from "../browse/strategy.js";
import { TablePart } from "../browse/table.js";
import { isCancelled } from "../data.js";
import { button, fill, h } from "../dom.js";
import { failure, waiting } from "../notes.js";
import { go } from "../state.js";

export const title = "Browse";

const PARTS = { table: TablePart, plot: PlotPart, tree: TreePart, matrix: MatrixPart };
const USUAL = "table";

export function openView(place) {
  return new Browse(place);
}

class Browse {
  constructor(place) {
    this.tabs = h(
      "div",
      { class: "bar tight named", role: "group", "aria-label": "What to browse" },
      Object.keys(PARTS).map((show) =>
        button(show, () => go({ show: show === USUAL ? null : show }), { data: { show } }),
      ),
    );
    this.controls = h("div", { class: "bar" });
    this.result = h("div");
    place.append(h("div", { class: "stack" }, this.tabs, this.controls, this.result));
  }

  async update(state) {
    this.state = state;
    const show = Object.hasOwn(PARTS, state.show) ? state.show : USUAL;
    for (const tab of this.tabs.children) tab.setAttribute("aria-pressed", String(tab.dataset.show === show));
    if (show !== this.shown) {
      this.leave();
      this.shown = show;
      fill(this.controls);
      fill(this.result, waiting("Loading …"));
      this.part = new PARTS[show](this.controls, this.result);
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
