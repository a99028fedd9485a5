// A dialog with a heading and a button that closes it.

import { button, h } from "./dom.js";

// Returns the function that opens it. The browser returns the focus to where it was.
export function dialog(title, content, lead) {
  const id = `dialog-${title.toLowerCase()}`;
  const made = h(
    "dialog",
    { "aria-labelledby": id, on: { click: (event) => event.target === made && made.close() } },
    h(
      "div",
      { class: "sheet" },
      h(
        "div",
        { class: "bar spread" },
        h("h2", { id }, title),
        button("Done", () => made.close()),
      ),
      lead && h("p", { class: "note" }, lead),
      content,
    ),
  );
  document.body.append(made);
  return () => made.showModal();
}
