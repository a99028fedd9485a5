// Small notes that all views use: waiting and failure.

import { say } from "./announcer.js";
import { isCancelled } from "./data.js";
import { fill, h } from "./dom.js";

export function waiting(text = "Computing …") {
  return h("p", { class: "note waiting" }, h("span", { class: "spinner", "aria-hidden": "true" }), text);
}

export function failure(error) {
  return h("p", { class: "note failed", role: "alert" }, error.message);
}

// Show the answer to a question once it is there. The old content stays until then, so that nothing
// jumps. A cancelled question changes nothing.
export async function answered(place, question, draw) {
  place.setAttribute("aria-busy", "true");
  if (!place.hasChildNodes()) fill(place, waiting());
  try {
    fill(place, draw(await question));
  } catch (error) {
    if (isCancelled(error)) return;
    fill(place, failure(error));
    say(error.message);
  }
  place.removeAttribute("aria-busy");
}

// Figures with their names.
export function figures(pairs) {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined);
  return h(
    "dl",
    { class: "figures" },
    shown.map(([name, value, title]) => h("div", { title }, h("dt", {}, name), h("dd", {}, value))),
  );
}

// A section with a heading.
export function section(title, attributes, ...children) {
  return h("section", attributes, h("h2", {}, title), children);
}

export function disclosure(summary, ...children) {
  return h("details", { class: "more" }, h("summary", {}, summary), children);
}
