// What is known of the answer without guesses, as in gpu_wordle/game/known.py: the texts `template`,
// `present` and `absent` of the address.

import { isLetter, normalise, signsOf } from "./spelling.js";

export const KNOWN = ["template", "present", "absent"];

export function isKnown(state) {
  return KNOWN.some((key) => state[key]);
}

// What is known, in a line for people.
export function written({ template, present, absent }) {
  const parts = [template, present && `in the word: ${present}`, absent && `not in it: ${absent}`];
  return `Known: ${parts.filter(Boolean).join("; ")}`;
}

// A function that tells whether a word agrees; null if the texts cannot be read.
export function agreeing(state, length) {
  const spelled = signsOf(normalise((state.template ?? "").replace(/\s/g, ""))) || "*".repeat(length);
  const places = [...spelled].map((sign) => (/[*.?_]/.test(sign) ? null : sign));
  const [present, absent] = [entries(state.present, length), entries(state.absent, length)];
  const isTemplate = places.length === length && places.every((sign) => sign === null || isLetter(sign));
  if (!isTemplate || present === null || absent === null) return null;
  const least = new Map();
  for (const letter of places.filter(Boolean)) least.set(letter, (least.get(letter) ?? 0) + 1);
  for (const { letter, copies } of present) least.set(letter, Math.max(copies, least.get(letter) ?? 0));
  if (absent.some(({ letter, where }) => least.has(letter) && !where.length)) return null;
  return (word) => {
    const letters = [...signsOf(word)];
    const count = (letter) => letters.filter((each) => each === letter).length;
    return (
      places.every((letter, i) => letter === null || letters[i] === letter) &&
      [...least].every(([letter, copies]) => count(letter) >= copies) &&
      [...present, ...absent].every(({ letter, where }) => where.every((i) => letters[i] !== letter)) &&
      absent.every(({ letter }) => count(letter) <= (least.get(letter) ?? 0))
    );
  };
}

// Letters with their copies and the places where they are not, as in `o2 s45`; null if unclear.
function entries(text, length) {
  const read = [];
  for (const spelled of normalise((text ?? "").replaceAll(",", " ")).split(/\s+/).filter(Boolean)) {
    const token = signsOf(spelled);
    const pieces = [...token.matchAll(/(([\p{L}\p{Co}])\2*)([0-9]*)/gu)];
    const isApart = pieces.every((piece) => piece[3] === "");
    if (pieces.map((piece) => piece[0]).join("") !== token || (!isApart && pieces.some((piece) => piece[3] === ""))) {
      return null;
    }
    for (const [, run, letter, digits] of pieces) {
      const copies = [...(isApart ? token : run)].filter((each) => each === letter).length;
      const where = [...digits].map((digit) => (Number(digit) + 9) % 10);
      if (where.some((place) => place >= length)) return null;
      read.push({ letter, copies, where });
    }
  }
  return read;
}
