// Fields for words, which offer the words of the game while one is typed.

import { wordsOf } from "./data.js";
import { h } from "./dom.js";
import { gameOf, read } from "./state.js";

const MOST_OFFERED = 12;

const offers = h("datalist", { id: "words" }); // of the field that is being typed in
document.body.append(offers);

// `taken(word)` hears of a word once it is whole, and of null once the field is empty.
export function wordField(taken, { placeholder = "word", length = 5, ofAnswers = false } = {}) {
  const heard = async (event) => {
    const text = event.target.value.trim().toLowerCase();
    if (text.length === length || text === "") taken(text || null);
    const words = await wordsOf(gameOf(read())).catch(() => null);
    if (words !== null) offer(text, ofAnswers ? words.answers : words.guesses);
  };
  const attributes = { type: "text", class: "word-field", placeholder, maxlength: length, list: "words", autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
  return h("input", { ...attributes, on: { input: heard } });
}

function offer(text, list) {
  const words = text.length < 2 ? [] : list.filter((word) => word.startsWith(text)).slice(0, MOST_OFFERED);
  offers.replaceChildren(...words.map((word) => h("option", { value: word.toUpperCase() })));
}

// Show a word in a field, unless it is being typed there.
export function setWord(input, word) {
  if (document.activeElement !== input) input.value = (word ?? "").toUpperCase();
}
