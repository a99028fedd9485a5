// The spelling of words, as in gpu_wordle/game/spelling.py and alphabet.py.

// The canonical spelling of a word: lower case, each letter composed with its marks into one sign.
export function normalise(text) {
  const small = composed(text.trim()).replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");
  return composed(small);
}

// The text in capitals, except letters whose capital reads as another letter, such as ß and ı.
export function capitals(text) {
  return [...text].map(capital).join("");
}

// Letters are never joined, as conjoining jamo would be, nor taken apart.
function composed(text) {
  if (text.normalize("NFC") === text) return text;
  return text.replace(/\p{L}\P{L}*/gu, (letter) => {
    const whole = letter.normalize("NFC");
    return [...whole].length <= [...letter].length ? whole : letter;
  });
}

function capital(sign) {
  const other = sign.toUpperCase();
  return [...other].length === 1 && normalise(other) === sign ? other : sign;
}

// The letters of words. An alphabet is a list of the spellings of each letter, the first of which names
// it. A word is cut from the left, the longest spelling first; signs in no spelling are letters.

const FIRST_PRIVATE = 0xe000; // stands for a letter whose name has several signs

const PLAIN = { letter: null, signs: new Map(), names: new Map(), kept: new Map() };

let [alphabets, usual, used] = [{}, "", PLAIN];

// Learn the alphabets of the site's lists.
export function learnAlphabets(site) {
  usual = site.defaults.guesses;
  alphabets = Object.fromEntries(Object.entries(site.alphabets).map(([list, letters]) => [list, made(letters)]));
}

// Use the alphabet of a list from now on.
export function spellBy(list) {
  used = alphabets[list ?? usual] ?? PLAIN;
}

function made(letters) {
  let next = FIRST_PRIVATE;
  const [signs, names] = [new Map(), new Map()];
  for (const spellings of letters) {
    const [name] = spellings;
    const sign = [...name].length === 1 ? name : String.fromCodePoint(next++);
    names.set(sign, name);
    for (const spelling of spellings) signs.set(spelling, sign);
  }
  const longestFirst = [...signs.keys(), ...[...signs.keys()].map(capitals)].sort((a, b) => b.length - a.length);
  return { letter: new RegExp([...longestFirst, "."].join("|"), "gsu"), signs, names, kept: new Map() };
}

// The letters of a word as it spells them.
export function lettersOf(text) {
  return used.letter ? (text.match(used.letter) ?? []) : [...text];
}

// A word with one sign for each letter, the same one for equal letters.
export function signsOf(text) {
  if (!used.letter) return text;
  if (!used.kept.has(text))
    used.kept.set(text, lettersOf(text).map((letter) => used.signs.get(letter) ?? letter).join(""));
  return used.kept.get(text);
}

// The letter of a sign.
export function nameOf(sign) {
  return used.names.get(sign) ?? sign;
}

export function isLetter(sign) {
  return /^\p{L}$/u.test(sign) || used.names.has(sign);
}

export function isIn(list, word) {
  return list.includes(word) || (used.letter !== null && list.some((each) => signsOf(each) === signsOf(word)));
}
