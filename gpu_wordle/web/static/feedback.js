// Feedback on words: green where letters agree, then yellow for each further copy, from the left,
// until the copies of the answer are used up. Patterns are texts such as BYBBG, or numbers in base 3,
// from all grey to all green, the first tile counting most.

import { nameOf, signsOf } from "./spelling.js";

export const COLOURS = ["B", "Y", "G"];
const SYMBOLS = { B: /^[b0⬛⬜._x-]$/iu, Y: /^[y1🟨🟦]$/iu, G: /^[g2🟩🟧]$/iu };

// A pattern from letters, digits or squares; null for other characters.
export function readPattern(text) {
  const signs = [...text.replaceAll("\ufe0f", "")];
  const read = signs.map((sign) => COLOURS.find((colour) => SYMBOLS[colour].test(sign)));
  return read.includes(undefined) ? null : read.join("");
}

// The number of a pattern, of words by signs. Pictures and statistics need millions of them, so nothing
// is allocated.
export function numberSeen(guess, answer) {
  let greens = 0;
  for (let i = 0; i < guess.length; i += 1) {
    if (guess.charCodeAt(i) === answer.charCodeAt(i)) greens |= 1 << i;
  }
  let [number, used] = [0, greens]; // used: the letters of the answer that are accounted for
  for (let i = 0; i < guess.length; i += 1) {
    let digit = 2;
    if (!(greens & (1 << i))) {
      const place = unusedPlace(guess.charCodeAt(i), answer, used);
      digit = place < 0 ? 0 : 1;
      if (place >= 0) used |= 1 << place;
    }
    number = 3 * number + digit;
  }
  return number;
}

function unusedPlace(letter, answer, used) {
  for (let j = 0; j < answer.length; j += 1) {
    if (!(used & (1 << j)) && answer.charCodeAt(j) === letter) return j;
  }
  return -1;
}

export function patternOf(number, length) {
  return [...number.toString(3).padStart(length, "0")].map((digit) => COLOURS[digit]).join("");
}

export function feedback(guess, answer) {
  const signs = signsOf(guess);
  return patternOf(numberSeen(signs, signsOf(answer)), signs.length);
}

export function isSolved(pattern) {
  return /^G+$/.test(pattern);
}

export function consistent(answers, turns) {
  return turns.reduce((left, turn) => left.filter((word) => feedback(turn.guess, word) === turn.pattern), answers);
}

// Whether the hard rule allows a guess: greens stay in place, and yellow letters are used again.
export function isHard(guess, turns) {
  const copies = (letters, letter) => letters.filter((each) => each === letter).length;
  return turns.every(({ guess: word, pattern }) => {
    const [made, asked] = [word, guess].map((each) => [...signsOf(each)]);
    const seen = made.filter((_, i) => pattern[i] !== "B");
    const stay = made.every((letter, i) => pattern[i] !== "G" || asked[i] === letter);
    return stay && seen.every((letter) => copies(asked, letter) >= copies(seen, letter));
  });
}

// The partition of some answers by a guess: a map from patterns to words.
export function partsOf(guess, answers) {
  const parts = new Map();
  for (const answer of answers) {
    const pattern = feedback(guess, answer);
    if (parts.has(pattern)) parts.get(pattern).push(answer);
    else parts.set(pattern, [answer]);
  }
  return parts;
}

export function numberOf(pattern) {
  return [...pattern].reduce((number, colour) => 3 * number + COLOURS.indexOf(colour), 0);
}

// The best colour of each letter so far.
export function lettersKnown(turns) {
  const known = {};
  for (const { guess, pattern } of turns) {
    [...signsOf(guess)].map(nameOf).forEach((letter, i) => {
      const best = Math.max(COLOURS.indexOf(known[letter] ?? "B"), COLOURS.indexOf(pattern[i]));
      known[letter] = COLOURS[best];
    });
  }
  return known;
}
