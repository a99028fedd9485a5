// A table of thousands of rows; only the visible ones exist on the page. Clicks on headings sort it.

import { fill, h } from "./dom.js";
import { whole } from "./figures.js";

const ROW = 32; // pixels, as the style sheet has it
const SPARE = 8; // rows above and below the visible ones

// `columns`: [{ key, heading, title, values, cell(value, row), isNumber, mostFirst }]; a cell is a text
// or an element. `sorted(sort)` is called for clicks on headings.
export class LongTable {
  constructor(label, sorted) {
    this.sorted = sorted;
    this.head = h("tr", { "aria-rowindex": "1" });
    this.body = h("tbody");
    this.table = h("table", { "aria-label": label }, h("thead", {}, this.head), this.body);
    this.element = h(
      "div",
      {
        class: "long-table",
        tabindex: "0",
        role: "region",
        "aria-label": `${label}, which scrolls`,
        on: { scroll: () => this.#draw() },
      },
      this.table,
    );
    new ResizeObserver(() => this.#draw()).observe(this.element);
  }

  // Show rows, given by their indices in the columns, in this order. `sort` is a key, with a leading `-`
  // if the largest come first.
  show(columns, rows, sort) {
    const isSame = this.rows && this.sort === sort && this.rows.length === rows.length;
    Object.assign(this, { columns, rows, sort });
    this.table.setAttribute("aria-rowcount", rows.length + 1);
    this.#drawHead();
    if (!isSame) this.element.scrollTop = 0;
    this.#draw(true);
  }

  #drawHead() {
    const focused = this.head.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    fill(
      this.head,
      this.columns.map(({ key, heading, title, isNumber }) => {
        const direction = this.sort === key ? "ascending" : this.sort === `-${key}` ? "descending" : null;
        const sorting = h(
          "button",
          { type: "button", title, data: { key }, on: { click: () => this.sorted(this.#next(key)) } },
          heading,
        );
        return h("th", { scope: "col", class: isNumber ? "n" : null, "aria-sort": direction }, sorting);
      }),
    );
    this.head.querySelector(`[data-key="${focused}"]`)?.focus();
  }

  // A first click sorts the best first, a second one reverses the order.
  #next(key) {
    const { mostFirst } = this.columns.find((column) => column.key === key);
    const first = mostFirst ? `-${key}` : key;
    if (this.sort !== first) return first;
    return mostFirst ? key : `-${key}`;
  }

  #draw(isNew = false) {
    if (!this.rows) return;
    const first = Math.max(0, Math.floor(this.element.scrollTop / ROW) - SPARE);
    const last = Math.min(this.rows.length, first + Math.ceil(this.element.clientHeight / ROW) + 2 * SPARE);
    if (!isNew && first === this.first && last === this.last) return;
    Object.assign(this, { first, last });
    const lines = this.rows.slice(first, last).map((row, i) => this.#row(row, first + i));
    fill(this.body, this.#filler(first), lines, this.#filler(this.rows.length - last));
    if (this.rows.length === 0) fill(this.body, h("tr", {}, h("td", { colspan: this.columns.length }, "no such word")));
  }

  #row(row, place) {
    const cells = this.columns.map((column) => {
      const value = column.values[row];
      return h("td", { class: column.isNumber ? "n" : null }, column.cell(value, row));
    });
    return h("tr", { "aria-rowindex": place + 2 }, cells);
  }

  // Empty space in place of the invisible rows.
  #filler(count) {
    if (count <= 0) return null;
    const line = h("tr", { class: "filler", "aria-hidden": "true" }, h("td", { colspan: this.columns.length }));
    line.firstChild.style.height = `${count * ROW}px`;
    return line;
  }
}

// The order of rows by a column; unknown values come last.
export function ordered(rows, values, isDescending) {
  const sign = isDescending ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [mine, theirs] = [values[one], values[other]];
    if (mine === null || theirs === null) return (mine === null) - (theirs === null) || one - other;
    return sign * (mine < theirs ? -1 : mine > theirs ? 1 : 0) || one - other;
  });
}

export function told(shown, all) {
  return shown === all ? `${whole(all)} rows` : `${whole(shown)} of ${whole(all)} rows`;
}
