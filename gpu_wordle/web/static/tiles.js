// Tiles: letters in the colours of feedback, which the style sheet defines.

import { COLOURS } from "./feedback.js";
import { h } from "./dom.js";
import { capitals, lettersOf } from "./spelling.js";

export const MEANING = { B: "absent", Y: "elsewhere", G: "in place" };

// The text of a word and its pattern for screen readers.
export function spoken(guess, pattern) {
  const said = lettersOf(guess).map((letter, i) => `${capitals(letter)} ${MEANING[pattern[i]]}`);
  return `${capitals(guess)}: ${said.join(", ")}`;
}

export function tile(letter, colour, attributes) {
  return h("span", { class: `tile ${colour?.toLowerCase() ?? "empty"}`, ...attributes }, capitals(letter));
}

// A word in tiles, read out as one element.
export function tiles(guess, pattern, attributes) {
  const each = lettersOf(guess).map((letter, i) => tile(letter, pattern?.[i]));
  return h(
    "span",
    {
      class: "tiles",
      role: "img",
      "aria-label": pattern ? spoken(guess, pattern) : capitals(guess),
      ...attributes,
    },
    each,
  );
}

// A word to click; a coloured border means that it can be the answer.
export function suggestion(word, { candidate, optimal, pressed, label }) {
  const said = [capitals(word), candidate && "can be the answer", optimal && "best", label]
    .filter(Boolean)
    .join(", ");
  const attributes = {
    type: "button",
    class: `word${candidate ? " candidate" : ""}${optimal ? " optimal" : ""}`,
    "aria-label": said,
  };
  return h("button", { ...attributes, on: { click: () => pressed(word) } }, capitals(word));
}

// The mean of the colours of a pattern's tiles, as the palette in use has them: red, green, blue.
export function colourOf(pattern, palette = paletteInUse()) {
  const sums = [0, 0, 0];
  for (const colour of pattern)
    palette[colour].forEach((channel, i) => {
      sums[i] += channel;
    });
  return sums.map((sum) => Math.round(sum / pattern.length));
}

export function paletteInUse() {
  const style = getComputedStyle(document.documentElement);
  const read = (colour) => channels(style.getPropertyValue(`--tile-${colour.toLowerCase()}`).trim());
  return Object.fromEntries(COLOURS.map((colour) => [colour, read(colour)]));
}

function channels(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}
