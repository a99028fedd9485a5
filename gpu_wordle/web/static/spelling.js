// The spelling of words, as in gpu_wordle/game/spelling.py.

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
