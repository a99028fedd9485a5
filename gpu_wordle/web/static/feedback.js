// Feedback on words: green where letters agree, then yellow for each further copy, from the left,
// until the copies of the answer are used up. Patterns are texts such as BYBBG.

export const COLOURS = ["B", "Y", "G"];

export function feedback(guess, answer) {
  const seen = new Array(guess.length).fill("B");
  let unused = "";
  for (let i = 0; i < guess.length; i += 1) {
    if (guess[i] === answer[i]) seen[i] = "G";
    else unused += answer[i];
  }
  for (let i = 0; i < guess.length; i += 1) {
    if (seen[i] === "G" || !unused.includes(guess[i])) continue;
    seen[i] = "Y";
    unused = unused.replace(guess[i], "");
  }
  return seen.join("");
}

export function isSolved(pattern) {
  return /^G+$/.test(pattern);
}

export function consistent(answers, turns) {
  return turns.reduce((left, turn) => left.filter((word) => feedback(turn.guess, word) === turn.pattern), answers);
}

// The parts that a guess makes of some answers: a map from patterns to words.
export function partsOf(guess, answers) {
  const parts = new Map();
  for (const answer of answers) {
    const pattern = feedback(guess, answer);
    if (parts.has(pattern)) parts.get(pattern).push(answer);
    else parts.set(pattern, [answer]);
  }
  return parts;
}

// From all grey to all green, the first tile counting most.
export function numberOf(pattern) {
  return [...pattern].reduce((number, colour) => 3 * number + COLOURS.indexOf(colour), 0);
}

// What is known of each letter: its best colour so far.
export function lettersKnown(turns) {
  const known = {};
  for (const { guess, pattern } of turns) {
    [...guess].forEach((letter, i) => {
      const best = Math.max(COLOURS.indexOf(known[letter] ?? "B"), COLOURS.indexOf(pattern[i]));
      known[letter] = COLOURS[best];
    });
  }
  return known;
}
