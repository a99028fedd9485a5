// Guesses by information and by green tiles, computed from the word lists alone, for the exported site.

import { numberSeen } from "./feedback.js";
import { signsOf } from "./spelling.js";

const MOST_PAIRS = 3e6; // of guesses and answers, which take well under a second

export function isMuch(guesses, remaining) {
  return guesses.length * remaining.length > MOST_PAIRS;
}

// The best guesses of each list; among equal ones, those that can be the answer come first.
export function listed(guesses, remaining, count) {
  const candidates = new Set(remaining);
  const answers = remaining.map(signsOf);
  const rows = guesses.map((guess) => rowOf(guess, answers, candidates.has(guess)));
  return ["entropy_bits", "greens"].flatMap((by) =>
    [...rows]
      .sort((one, other) => other[by] - one[by] || other.candidate - one.candidate)
      .slice(0, count)
      .map((row) => ({ ...row, by })),
  );
}

function rowOf(guess, answers, candidate) {
  const [signs, sizes] = [signsOf(guess), new Map()];
  for (const answer of answers) {
    const number = numberSeen(signs, answer);
    sizes.set(number, (sizes.get(number) ?? 0) + 1);
  }
  let greens = 0;
  for (const [number, size] of sizes) greens += size * greensOf(number);
  const chance = candidate ? 1 / answers.length : 0;
  return { guess, candidate, chance, greens, entropy_bits: entropyOf([...sizes.values()]), parts: sizes.size };
}

function greensOf(number) {
  return [...number.toString(3)].filter((digit) => digit === "2").length;
}

// Rounded, so that equal information compares equal regardless of the order of summation.
export function entropyOf(sizes) {
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  const bits = sizes.reduce((sum, size) => sum + (size / whole) * Math.log2(whole / size), 0);
  return Number(bits.toFixed(12));
}
