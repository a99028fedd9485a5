// Where answers come from: a server, or the files of an exported site. Only this module and
// files.js know the difference.

import { answerFrom, Outside } from "./files.js";

export { Outside };

const CLIENT = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16)).join("");
const TRIES = 4;
const LONGEST_WAIT_S = 5;

let site = null;

// Why a question has no answer, in a line for people.
class Refused extends Error {}

export async function openSite() {
  site = await read(await fetch("site.json"));
  return site;
}

function isServed() {
  return site.source === "server";
}

export function isCancelled(error) {
  return error.name === "AbortError";
}

// One line of questions: a new one cancels the one before, on the server too.
export class Line {
  #control = new AbortController();

  cancel() {
    this.#control.abort();
    this.#control = new AbortController();
    return this.#control.signal;
  }

  async get(path, parameters = {}) {
    const signal = this.cancel();
    if (!isServed()) return stillWanted(await answerFrom(site, path, parameters), signal);
    return read(await asked(addressed(path, parameters), { signal }));
  }

  async post(path, parameters, body) {
    const signal = this.cancel();
    if (!isServed()) throw new Outside("The review of a pasted game");
    const headers = { "Content-Type": "application/json" };
    return read(
      await asked(addressed(path, parameters), { signal, method: "POST", headers, body: JSON.stringify(body) }),
    );
  }

  // Events as they come, told to `heard(name, data)`; returns when the last of them has come.
  async listen(path, parameters, heard) {
    const signal = this.cancel();
    if (!isServed()) {
      const answer = stillWanted(await answerFrom(site, path.replace("/live", ""), parameters), signal);
      heard("suggestions", answer);
      return;
    }
    const response = await asked(addressed(path, parameters), { signal });
    if (!response.ok) await read(response);
    for await (const [name, data] of events(response.body)) {
      if (name === "failed") throw new Refused(data.error.message);
      heard(name, data);
    }
  }
}

const kept = new Map();

// An answer that never changes while the page is open, asked for once.
export function once(path, parameters = {}) {
  const key = addressed(path, parameters);
  if (!kept.has(key)) {
    const answer = new Line().get(path, parameters);
    answer.catch(() => kept.delete(key));
    kept.set(key, answer);
  }
  return kept.get(key);
}

// The words of a game, and which of them can be answers.
export async function wordsOf({ guesses, answers }) {
  return once("words", { guesses, answers });
}

function addressed(path, parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return `api/${path}?${new URLSearchParams([...given, ["client", CLIENT]])}`;
}

// A busy server says when to ask again.
async function asked(address, options) {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(address, options);
    if (response.status !== 503 || tries === TRIES) return response;
    const seconds = Math.min(Number(response.headers.get("Retry-After")) || 1, LONGEST_WAIT_S);
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    options.signal?.throwIfAborted();
  }
}

async function read(response) {
  const said = await response.json().catch(() => null);
  if (response.ok && said !== null) return said;
  throw new Refused(said?.error?.message ?? `the server answered with status ${response.status}`);
}

function stillWanted(answer, signal) {
  signal.throwIfAborted();
  return answer;
}

// Server-sent events: blocks of lines, parted by empty lines.
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (text + value.replaceAll("\r", "")).split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const [name, data] = [lineOf(block, "event"), lineOf(block, "data")];
      if (data !== null) yield [name, JSON.parse(data)];
    }
  }
}

function lineOf(block, field) {
  const lines = block.split("\n").filter((line) => line.startsWith(`${field}:`));
  return lines.length ? lines.map((line) => line.slice(field.length + 1).replace(/^ /, "")).join("\n") : null;
}
