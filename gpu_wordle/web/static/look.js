// The appearance of the page: dark or light, and colours for the colour-blind. It is the reader's
// choice, so it is kept in the browser and not in addresses, which may be shared.

import { dialog } from "./dialog.js";
import { field, h, select } from "./dom.js";

const CHOICES = {
  theme: [
    ["system", "system setting"],
    ["light", "light"],
    ["dark", "dark"],
  ],
  palette: [
    ["usual", "green and yellow"],
    ["contrast", "orange and blue, high contrast"],
  ],
};
const LABELS = { theme: "Theme", palette: "Tile colours" };

export function lookButton(button) {
  for (const key of Object.keys(CHOICES)) apply(key, kept(key));
  const fields = Object.entries(CHOICES).map(([key, options]) =>
    field(
      LABELS[key],
      select(options, kept(key), (value) => keep(key, value)),
    ),
  );
  const open = dialog("Appearance", h("div", { class: "form" }, fields), "Saved in this browser.");
  button.addEventListener("click", open);
}

function kept(key) {
  const values = CHOICES[key].map(([value]) => value);
  try {
    const found = localStorage.getItem(`gpu-wordle-${key}`);
    return values.includes(found) ? found : values[0];
  } catch {
    return values[0]; // the browser may forbid storage
  }
}

function keep(key, value) {
  apply(key, value);
  try {
    localStorage.setItem(`gpu-wordle-${key}`, value);
  } catch {
    // without storage, it lasts until the page is closed
  }
  document.dispatchEvent(new Event("look")); // redraws the pictures
}

function apply(key, value) {
  const { dataset } = document.documentElement;
  if (value === CHOICES[key][0][0]) delete dataset[key];
  else dataset[key] = value;
}
