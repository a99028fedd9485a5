// How words are read and shown, as gpu_wordle/game/spelling.py has it.

// The one spelling of a word: small letters, sign by sign, each letter with its marks one sign.
export function normalise(text) {
  const small = composed(text.trim()).replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");
  return composed(small);
}

// The text in capitals, but for letters whose capital is read as another one, as ß and ı are.
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
