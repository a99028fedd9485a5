// Check the parameters in an address of the page, as the server checks questions. The site provides a
// table with the OpenAPI schema of each parameter and the remedy for a wrong one.

const WHOLE = /^[+-]?[0-9]{1,18}$/;
const MOST_QUOTED = 40;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

let table = {};

export function learn(parameters) {
  table = parameters;
}

// The values of an address by name, and a line for each parameter that is refused.
export function readAll(query) {
  const texts = new Map();
  for (const [name, text] of new URLSearchParams(query)) texts.set(name, texts.has(name) ? null : text);
  const given = [...texts].map(([name, text]) => [name, text, problem(name, text)]);
  const values = given.filter(([, text, refused]) => text && !refused).map(([name, text]) => [name, text]);
  return { values: Object.fromEntries(values), refused: given.map(([, , refused]) => refused).filter(Boolean) };
}

// Why a parameter is refused; null if it is allowed. A repeated parameter has no text.
export function problem(name, text) {
  if (!Object.hasOwn(table, name)) return `no parameter ${quoted(name)}; leave it out`;
  if (text === null) return `the parameter ${name} is given twice; leave one out`;
  const { type, maxLength, remedy } = table[name];
  const length = [...text].length;
  if (type === "string" && length > maxLength)
    return `${name}: ${length.toLocaleString("en")} characters; at most ${maxLength.toLocaleString("en")} are allowed`;
  return text === "" || fits(text, table[name]) ? null : refusal(name, text, remedy);
}

export function refusal(name, text, remedy = table[name].remedy) {
  return `${name}=${quoted(text)}: ${remedy}`;
}

function fits(text, { type, minimum, maximum, enum: choices, pattern }) {
  if (type === "integer") return WHOLE.test(text.trim()) && minimum <= Number(text) && Number(text) <= maximum;
  return (!choices || choices.includes(text)) && (!pattern || new RegExp(pattern, "u").test(text));
}

function quoted(text) {
  const escaped = (each) => `\\u{${each.codePointAt(0).toString(16)}}`;
  const shown = text.slice(0, MOST_QUOTED).replace(UNSEEN, escaped);
  return `'${shown}${text.length > MOST_QUOTED ? "..." : ""}'`;
}
