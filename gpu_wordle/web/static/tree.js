// A strategy as a tree: the next guess after each pattern, opened node by node.

import { isCancelled, Line } from "./data.js";
import { fill, h } from "./dom.js";
import { counted, decimal } from "./figures.js";
import { failure, waiting } from "./notes.js";
import { capitals } from "./spelling.js";
import { addressOf } from "./state.js";
import { tiles } from "./tiles.js";

// `ask(path)` returns the parameters of the question for the node after some patterns. `toggled(path)`
// is called with the node opened last.
export class Tree {
  constructor(ask, toggled) {
    Object.assign(this, { ask, toggled });
    this.line = new Line();
    this.lines = new Set([this.line]);
    this.element = h("div");
  }

  close() {
    for (const line of this.lines) line.cancel();
  }

  // Show the root, opened down to the node after some patterns.
  async show(path = []) {
    this.close();
    fill(this.element, waiting("Finding the best strategy …"));
    try {
      const { node } = await this.line.get("tree", this.ask([]));
      const tree = h(
        "ul",
        {
          class: "tree",
          role: "tree",
          "aria-label": `Strategy of ${capitals(node.guess)}`,
          on: { keydown: (event) => key(event) },
        },
        this.#parts(node, []),
      );
      tree.firstChild?.setAttribute("tabindex", "0");
      fill(
        this.element,
        h("p", { class: "root" }, tiles(node.guess, null), ` ${counted(node.answers, "answer")}: ${totals(node)}`),
        tree,
      );
      await this.#open(tree, path);
    } catch (error) {
      if (!isCancelled(error)) fill(this.element, error.openers ? offered(error, this.ask([])) : failure(error));
    }
  }

  async #open(tree, path) {
    let branches = tree;
    for (const pattern of path) {
      const item = [...branches.children].find((each) => each.dataset.pattern === pattern);
      if (!item?.toggle) return;
      await item.toggle();
      branches = item.branches;
    }
  }

  #parts(node, path) {
    const largest = [...node.parts].sort((one, other) => other.part_size - one.part_size);
    return largest.map((part) => this.#item(node.guess, part, [...path, part.pattern]));
  }

  // A part: its pattern and the next guess. A single answer is a leaf, which is guessed next.
  #item(guess, part, path) {
    const isSolved = /^G+$/.test(part.pattern);
    const isLeaf = isSolved || part.part_size === 1;
    const follows = part.node ?? part;
    const next = isSolved ? "found" : follows.guess && capitals(follows.guess);
    const shown = h(
      "div",
      { class: "branch" },
      tiles(guess, part.pattern, { class: "tiles small" }),
      h("span", {}, counted(part.part_size, "answer")),
      h("span", { class: "next" }, next ?? ""),
      isLeaf ? null : h("span", { class: "note" }, totals({ ...follows, answers: part.part_size })),
    );
    const item = h(
      "li",
      { role: "treeitem", tabindex: "-1", "aria-expanded": isLeaf ? null : "false", data: { pattern: part.pattern } },
      shown,
    );
    if (!isLeaf) item.toggle = () => this.#toggle(item, part, path);
    shown.addEventListener("click", () => {
      focus(item);
      item.toggle?.();
    });
    return item;
  }

  async #toggle(item, part, path) {
    const isOpen = item.getAttribute("aria-expanded") === "true";
    item.setAttribute("aria-expanded", String(!isOpen));
    this.toggled(isOpen ? path.slice(0, -1) : path);
    if (item.branches) {
      item.branches.hidden = isOpen;
      return;
    }
    item.branches = h("ul", { role: "group" }, h("li", { role: "none" }, waiting()));
    item.append(item.branches);
    const line = new Line();
    this.lines.add(line);
    try {
      const { node } = part.node?.parts?.length ? part : await line.get("tree", this.ask(path));
      fill(item.branches, this.#parts(node, path));
    } catch (error) {
      if (!isCancelled(error)) fill(item.branches, h("li", { role: "none" }, failure(error)));
    }
    this.lines.delete(line);
  }
}

// An exported site names the strategies that it holds, where it lacks one.
function offered({ message, openers }, game) {
  const links = openers.map((opener) => [
    " ",
    h("a", { href: addressOf("browse", game, { show: "tree", opener }) }, capitals(opener)),
  ]);
  return h("div", { class: "note" }, h("p", {}, message), h("p", {}, "It holds the strategies of", links));
}

function totals({ answers, total, worst }) {
  const mean = total !== null && total !== undefined && `${decimal(total / answers)} guesses on average`;
  return [mean, worst && `at most ${worst}`].filter(Boolean).join(", ");
}

function focus(item) {
  for (const other of item.closest("[role=tree]").querySelectorAll("[tabindex='0']"))
    other.setAttribute("tabindex", "-1");
  item.setAttribute("tabindex", "0");
  item.focus();
}

// Up and down move through the visible items, right opens or enters a node, left closes or leaves it.
function key(event) {
  const item = event.target.closest("[role=treeitem]");
  const tree = event.currentTarget;
  const seen = [...tree.querySelectorAll("[role=treeitem]")].filter((each) => each.offsetParent !== null);
  const at = seen.indexOf(item);
  const isOpen = item.getAttribute("aria-expanded") === "true";
  const steps = {
    ArrowDown: () => seen[at + 1] && focus(seen[at + 1]),
    ArrowUp: () => seen[at - 1] && focus(seen[at - 1]),
    Home: () => focus(seen[0]),
    End: () => focus(seen.at(-1)),
    ArrowRight: () => (isOpen ? seen[at + 1] && focus(seen[at + 1]) : item.toggle?.()),
    ArrowLeft: () =>
      isOpen
        ? item.toggle()
        : item.parentElement.closest("[role=treeitem]") && focus(item.parentElement.closest("[role=treeitem]")),
    Enter: () => item.toggle?.(),
    " ": () => item.toggle?.(),
  };
  if (!(event.key in steps)) return;
  steps[event.key]();
  event.preventDefault();
}
