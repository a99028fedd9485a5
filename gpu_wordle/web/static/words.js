// Fields for words, which offer the words of the game while one is typed.

import { wordsOf } from "./data.js";
import { h } from "./dom.js";
import { gameOf, read } from "./state.js";

const MOST_OFFERED = 12;

let fields = 0;

// `taken(word)` hears of a word once it is whole, and of null once the field is empty.
export function wordField(taken, { placeholder = "word", length = 5, ofAnswers = false } = {}) {
  fields += 1;
  const offers = h("datalist", { id: `words-${fields}` });
  const heard = async (event) => {
    const text = event.target.value.trim().toLowerCase();
    if (text.length === length || text === "") taken(text || null);
    const words = await wordsOf(gameOf(read())).catch(() => null);
    if (words === null) return;
    const list = ofAnswers ? words.answers : words.guesses;
    const offered = text.length < 2 ? [] : list.filter((word) => word.startsWith(text)).slice(0, MOST_OFFERED);
    offers.replaceChildren(...offered.map((word) => h("option", { value: word.toUpperCase() })));
  };
  const attributes = { type: "text", class: "word-field", placeholder, maxlength: length, list: offers.id, autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
  const input = h("input", { ...attributes, on: { input: heard } });
  input.after(offers);
  document.body.append(offers);
  return input;
}

// Show a word in a field, unless it is being typed there.
export function setWord(input, word) {
  if (document.activeElement !== input) input.value = (word ?? "").toUpperCase();
}
