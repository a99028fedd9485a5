// Fields for words, which suggest the words of the game while typing.

import { wordsOf } from "./data.js";
import { h } from "./dom.js";
import { capitals, normalise, signsOf } from "./spelling.js";
import { gameOf, read } from "./state.js";

const MOST_OFFERED = 12;
const MOST_SIGNS = 40;

const offers = h("datalist", { id: "words" }); // for the field with the focus
document.body.append(offers);

// `taken(word)` is called with each complete word, and with null when the field is empty.
export function wordField(taken, { placeholder = "word", ofAnswers = false } = {}) {
  const heard = async (event) => {
    const text = normalise(event.target.value);
    const words = await wordsOf(gameOf(read())).catch(() => null);
    if (words === null || text !== normalise(event.target.value)) return;
    offer(text, ofAnswers ? words.answers : words.guesses);
    if (signsOf(text).length === signsOf(words.guesses[0]).length || text === "") taken(text || null);
  };
  const attributes = {
    type: "text",
    class: "word-field",
    placeholder,
    maxlength: MOST_SIGNS,
    list: "words",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
  };
  return h("input", { ...attributes, on: { input: heard } });
}

function offer(text, list) {
  const words = text.length < 2 ? [] : list.filter((word) => word.startsWith(text)).slice(0, MOST_OFFERED);
  offers.replaceChildren(...words.map((word) => h("option", { value: capitals(word) })));
}

// Show a word in a field, unless the user is typing there.
export function setWord(input, word) {
  if (document.activeElement !== input) input.value = capitals(word ?? "");
}
