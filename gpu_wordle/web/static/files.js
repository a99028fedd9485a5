// The exported site: answers from static files, and from the word lists alone. Questions that it cannot
// answer say so.

import { consistent, isHard, isSolved, numberOf, partsOf } from "./feedback.js";
import { agreeing, isKnown, written } from "./known.js";
import { entropyOf, isMuch, listed } from "./listed.js";
import { capitals, isIn, signsOf } from "./spelling.js";
import { isTurns, turnsOf } from "./state.js";

const LISTED = 6; // guesses by information, and by greens

// `openers` are those whose strategies the site holds, where one was asked for that it lacks.
export class Outside extends Error {
  constructor(what, openers = null) {
    super(`${what} is not in this exported site; run gpu-wordle serve to get it`);
    this.openers = openers;
  }
}

// The answer to a question, in the form that a server gives it.
export async function answerFrom(site, path, parameters) {
  const [question, name] = path.split("/");
  if (!(question in ANSWERS)) throw new Outside("This view");
  return ANSWERS[question]({ site, name, asked: parameters, turns: turnsOf(parameters.turns) });
}

// Fetch an address, or say in a line for people that nobody answers.
export async function reached(address, options, told = "the files of this site cannot be reached; try again") {
  try {
    return await fetch(address, options);
  } catch (error) {
    throw error.name === "AbortError" ? error : new Error(told);
  }
}

const ANSWERS = {
  choices: () => file("data/choices.json"),
  rankings: async ({ site, name }) => (name ? file(rankingOf(site, name)) : file("data/rankings.json")),
  words: ({ site, asked }) => wordsOf(site, asked),
  position,
  suggest,
  spectrum,
  value,
  guess,
  tree,
  play,
};

const read = new Map();

// A file of the site, fetched once.
function file(path) {
  if (!read.has(path)) {
    const content = reached(path).then((response) => {
      if (!response.ok) throw new Outside(path);
      return response.json();
    });
    content.catch(() => read.delete(path));
    read.set(path, content);
  }
  return read.get(path);
}

function rankingOf(site, name) {
  const found = site.games.find((game) => game.name === name);
  if (!found?.ranking) throw new Outside(`The ranking ${name}`);
  return found.ranking;
}

// The game of a question; another objective, limit or weights make another game.
function gameOf(site, asked) {
  const { guesses = site.defaults.guesses, rule = site.defaults.rule } = asked;
  const found = site.games.find((game) => game.guesses === guesses && game.rule === rule);
  const isOther = [asked.objective, asked.weights, asked.max_guesses].some((each) => each !== undefined);
  if (!found || isOther) throw new Outside("This game");
  return found;
}

function wordsOf(site, asked) {
  const { guesses = site.defaults.guesses } = asked;
  const found = site.games.find((game) => game.guesses === guesses);
  if (!found) throw new Outside(`The list ${guesses}`);
  return file(found.words);
}

async function position({ site, asked, turns }) {
  const { answers: all } = await wordsOf(site, asked);
  const agrees = agreeing(asked, signsOf(all[0]).length);
  if (agrees === null) {
    throw new Error(`${written(asked)}: this cannot be read; write it as in **er*, o2 s45 and tlac`);
  }
  const answers = all.filter(agrees);
  if (answers.length === 0) throw new Error(`${written(asked)}: no answer agrees; check it`);
  const made = asked.text === undefined ? turns : pasted(asked.text);
  const remaining = consistent(answers, made);
  if (remaining.length === 0) {
    const wrong = made.findIndex((_, i) => consistent(answers, made.slice(0, i + 1)).length === 0);
    throw new Error(
      `turn ${wrong + 1} (${capitals(made[wrong].guess)} ${made[wrong].pattern}): no answer gives this feedback; check the turns`,
    );
  }
  return {
    rows: made,
    answers: remaining.length,
    weight: remaining.length,
    remaining,
    guesses_left: site.defaults.max_guesses - made.length,
    ignored: [],
  };
}

// Turns from text: a word, then its colours as letters, digits or squares, as in addresses.
function pasted(text) {
  const parts = text.split(/[\s,:=]+/).filter(Boolean);
  const told = parts.filter((_, i) => i % 2 === 0).map((word, i) => `${word}:${parts[2 * i + 1] ?? ""}`);
  const wrong = told.find((turn) => !isTurns(turn));
  if (wrong !== undefined) {
    throw new Error(`'${wrong.replace(":", " ")}' is not a word with its colours; write them as in salet BYBBG`);
  }
  return turnsOf(told.join(","));
}

// Guesses by value, and by what the word lists alone tell. Without files of a position the latter are
// all there is; with many answers left, they are of those answers.
async function suggest(question) {
  const { site, asked, turns } = question;
  const game = gameOf(site, asked);
  const start = turns.length || isKnown(asked) ? null : await file(game.start);
  const place = start ?? (await position(question));
  const rows = start?.rows ?? (await valued(game, isKnown(asked) ? null : turns, place));
  const legal = await legalGuesses(question, place);
  const isShort = isMuch(legal, place.remaining);
  if (rows.length && (isShort || !asked.by?.includes("entropy"))) return { ...place, rows };
  const others = listed(isShort ? place.remaining : legal, place.remaining, LISTED);
  const wanted = others.filter(({ by }) => by !== "greens" || asked.by?.includes(by));
  const note = `No exact values here in this copy: these lists are worked out in the browser${isShort ? ", from the answers left alone" : ""}.`;
  return {
    ...place,
    rows: [...rows, ...wanted.map((row) => ({ ...row, ...valueOf(rows, row.guess) }))],
    note: rows.length ? null : note,
  };
}

// What is known without guesses restricts them, too; answers that are left are always legal.
async function legalGuesses({ site, asked, turns }, { remaining }) {
  const { guesses } = await wordsOf(site, asked);
  if ((asked.rule ?? site.defaults.rule) === "normal") return guesses;
  return isKnown(asked) ? remaining : guesses.filter((guess) => isHard(guess, turns));
}

// Files hold every reply to an opener; further on, the opener's tree gives the best guess. Without
// turns to follow, only positions of one or two answers have values.
async function valued(game, turns, { answers, remaining }) {
  const opener = turns?.[0].guess;
  if (game.openers.includes(opener) && turns.length === 1) {
    const { replies } = await file(`${game.replies}${opener}.json`);
    const reply = replies[turns[0].pattern];
    if (reply) return rowsOf(reply.columns);
  } else if (game.openers.includes(opener)) {
    const node = await followed(game, turns);
    if (node) return [rowOf(node, remaining)];
  }
  return answers <= 2 ? remaining.map((guess) => certain(guess, answers)) : [];
}

function valueOf(rows, guess) {
  const { mean = null, optimal = null } = rows.find((row) => row.guess === guess) ?? {};
  return { mean, optimal };
}

// Rows from columns, which take less space in files.
function rowsOf(columns) {
  const names = Object.keys(columns);
  return columns[names[0]].map((_, i) => Object.fromEntries(names.map((name) => [name, columns[name][i]])));
}

// The node of an opener's tree after some turns; null if they leave the tree.
async function followed(game, turns) {
  let { node } = await file(`${game.trees}${turns[0].guess}.json`);
  for (const { guess, pattern } of turns) {
    if (node?.guess !== guess) return null;
    node = node.parts.find((part) => part.pattern === pattern)?.node;
  }
  return node ?? null;
}

function rowOf({ guess, total, worst, parts }, remaining) {
  const candidate = remaining.includes(guess);
  const known = { guess, total, mean: total / remaining.length, worst, exact: true, optimal: true, by: "total" };
  return {
    ...known,
    candidate,
    chance: candidate ? 1 / remaining.length : 0,
    parts: parts.length,
    entropy_bits: entropyOf(parts.map(({ part_size }) => part_size)),
  };
}

// With two answers left, either is guessed: three guesses for both together.
function certain(guess, answers) {
  const total = answers === 1 ? 1 : 3;
  return {
    guess,
    total,
    mean: total / answers,
    worst: answers,
    exact: true,
    optimal: true,
    by: "total",
    candidate: true,
    chance: 1 / answers,
    parts: answers,
    entropy_bits: answers - 1,
  };
}

async function spectrum(question) {
  const { remaining, answers } = await position(question);
  const { guess } = question.asked;
  const rows = [...partsOf(guess, remaining)].map(([pattern, words]) => ({
    pattern,
    part_size: words.length,
    remaining: words,
  }));
  rows.sort((one, other) => other.part_size - one.part_size);
  return {
    answers,
    parts: rows.length,
    rows,
    statistics: statisticsOf(
      rows.map(({ part_size }) => part_size),
      answers,
      3 ** signsOf(guess).length,
    ),
  };
}

function statisticsOf(sizes, answers, patterns) {
  const squares = sizes.reduce((sum, size) => sum + size ** 2, 0);
  return {
    entropy_bits: entropyOf(sizes),
    parts: sizes.length,
    max_part: Math.max(...sizes),
    expected_part_size: squares / answers,
    standard_deviation: Math.sqrt(squares / patterns - (answers / patterns) ** 2),
  };
}

// At the start the ranking knows the value of every opener.
async function value({ site, asked, turns }) {
  if (turns.length || isKnown(asked)) throw new Outside("The exact value of a guess at this position");
  const { ranking } = gameOf(site, asked);
  if (ranking === null) throw new Outside("The exact value of a guess");
  const row = rowsOf((await file(ranking)).columns).find(({ opener }) => opener === asked.guess);
  if (row === undefined) throw new Error(`${capitals(asked.guess)} isn't in the word list`);
  return { rows: [row] };
}

// A guess beside the best: from the ranking at the start, else from the list of best guesses if it is there.
async function guess(question) {
  const { site, asked, turns } = question;
  const game = gameOf(site, asked);
  const place = await position(question);
  const known = turns.length || isKnown(asked) ? await valued(game, isKnown(asked) ? null : turns, place) : null;
  const rows = known ?? (game.ranking ? rowsOf((await file(game.ranking)).columns) : []);
  const own = rows.find((row) => (row.guess ?? row.opener) === asked.guess);
  const isOpen = (row) => typeof row.total !== "number";
  const isWon = own && !own.infeasible && own.status !== "infeasible";
  if (!own || (isWon && isOpen(own))) throw new Outside("The exact value of this guess");
  const least = Math.min(...rows.filter((row) => !isOpen(row)).map(({ total }) => total));
  const best = rows.filter((row) => row.total === least).map((row) => row.guess ?? row.opener);
  const isWhole = place.answers <= 2 || rows.some((row) => row.total > least);
  const sizes = [...partsOf(asked.guess, place.remaining).values()].map((part) => part.length);
  const mean = isWon ? own.total / place.answers : null;
  return {
    ...place,
    rows: [
      {
        guess: asked.guess,
        mean,
        infeasible: !isWon,
        optimal: own.total === least,
        guaranteed: isWon,
        parts: sizes.length,
        max_part: Math.max(...sizes),
        loses: isWon ? { mean: (own.total - least) / place.answers } : null,
      },
    ],
    best_guesses: isWhole ? commonFirst(best, place.remaining, (await wordsOf(site, asked)).answers) : null,
    best_candidates: best.filter((word) => place.remaining.includes(word)).length,
  };
}

// Possible answers first, then other answers.
function commonFirst(guesses, remaining, answers) {
  const rank = (word) => (remaining.includes(word) ? 0 : answers.includes(word) ? 1 : 2);
  return [...guesses].sort((one, other) => rank(one) - rank(other));
}

async function tree({ site, asked, turns }) {
  const game = gameOf(site, asked);
  const lacks = (what) => new Outside(what, game.openers);
  if (turns.length || isKnown(asked)) throw lacks("A strategy from this position");
  if (!game.openers.includes(asked.guess)) throw lacks(`The strategy of ${capitals(asked.guess)}`);
  let { node } = await file(`${game.trees}${asked.guess}.json`);
  if (node === null) throw lacks(`A strategy of ${capitals(asked.guess)}, which is no guaranteed win,`);
  for (const pattern of (asked.path ?? "").split(",").filter(Boolean)) {
    node = node.parts.find((part) => part.pattern === pattern).node;
  }
  return { node };
}

// The umpire needs no server, only the word lists.
async function play({ site, asked }) {
  const isBound = (asked.rule ?? site.defaults.rule) !== "normal";
  const { guesses, answers } = await wordsOf(site, asked);
  const target = asked.umpire === "adversary" ? null : answers[drawn(asked.seed, answers.length)];
  const words = (asked.words ?? "").split(",").filter(Boolean);
  const rows = [];
  let left = answers;
  for (const guess of words) {
    if (!isIn(guesses, guess) && !isIn(answers, guess))
      throw new Error(`${capitals(guess)} isn't in the word list`);
    if (isBound && !isHard(guess, rows))
      throw new Error(`${capitals(guess)} is not legal under the hard rule: use all letters found so far`);
    const parts = partsOf(guess, left);
    const pattern = target === null ? adversary(parts) : [...parts].find(([, part]) => part.includes(target))[0];
    rows.push({
      turn: rows.length + 1,
      guess,
      pattern,
      answers_before: left.length,
      answers_after: parts.get(pattern).length,
    });
    left = parts.get(pattern);
    if (isSolved(pattern)) break;
  }
  const solved = rows.length > 0 && isSolved(rows.at(-1).pattern);
  const over = solved || rows.length >= site.defaults.max_guesses;
  return {
    rows,
    solved,
    lost: over && !solved,
    over,
    answer: over ? (target ?? left[0]) : null,
    answers_left: left.length,
  };
}

// A place drawn by the seed: equal seeds give equal places, similar seeds give unrelated ones.
function drawn(seed, count) {
  let hash = 2166136261;
  for (const each of String(seed)) hash = Math.imul(hash ^ each.charCodeAt(0), 16777619);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) % count;
}

// The pattern of the largest part; among equal ones, the least informative.
function adversary(parts) {
  const told = ([pattern, words]) => {
    const count = (colour) => [...pattern].filter((each) => each === colour).length;
    return [
      -words.length,
      Number(isSolved(pattern)),
      count("G"),
      count("Y"),
      numberOf([...pattern].reverse().join("")),
    ];
  };
  const [[pattern]] = [...parts].sort((one, other) => {
    const [mine, theirs] = [told(one), told(other)];
    const at = mine.findIndex((each, i) => each !== theirs[i]);
    return mine[at] - theirs[at];
  });
  return pattern;
}
