// How the page looks: dark or light, and colours for the colour-blind. This is the reader's, so it is
// kept in the browser and is no part of an address that is sent on.

import { dialog } from "./dialog.js";
import { field, h, select } from "./dom.js";

const CHOICES = {
  theme: [
    ["system", "as the system has it"],
    ["light", "light"],
    ["dark", "dark"],
  ],
  palette: [
    ["usual", "green and yellow"],
    ["contrast", "orange and blue, high contrast"],
  ],
};
const LABELS = { theme: "Light or dark", palette: "Colours of tiles" };

export function lookButton(button) {
  for (const key of Object.keys(CHOICES)) apply(key, kept(key));
  const fields = Object.entries(CHOICES).map(([key, options]) =>
    field(
      LABELS[key],
      select(options, kept(key), (value) => keep(key, value)),
    ),
  );
  const open = dialog("Look", h("div", { class: "form" }, fields), "Kept in this browser.");
  button.addEventListener("click", open);
}

function kept(key) {
  const values = CHOICES[key].map(([value]) => value);
  try {
    const found = localStorage.getItem(`gpu-wordle-${key}`);
    return values.includes(found) ? found : values[0];
  } catch {
    return values[0]; // a browser may forbid pages to keep anything
  }
}

function keep(key, value) {
  apply(key, value);
  try {
    localStorage.setItem(`gpu-wordle-${key}`, value);
  } catch {
    // it holds until the page is closed
  }
  document.dispatchEvent(new Event("look")); // pictures are drawn anew
}

function apply(key, value) {
  const { dataset } = document.documentElement;
  if (value === CHOICES[key][0][0]) delete dataset[key];
  else dataset[key] = value;
}
