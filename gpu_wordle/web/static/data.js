// The source of answers: a server, or the files of an exported site. Only this module and files.js know
// the difference.

import { showOffline } from "./announcer.js";
import { answerBefore, keepAnswer } from "./answers.js";
import { answerFrom, Outside, reached } from "./files.js";

const CLIENT = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16)).join("");
const TRIES = 4;
const LONGEST_WAIT_S = 5;
const POLL_MS = 1000;
const CHANGED = "the server was started anew with another game or version; reload this page";
export const UNREACHED = "the server does not answer; start gpu-wordle serve again, and reload this page";

let site = null;

// The error message of a question, in one line for people.
class Refused extends Error {}

// Waits while the server compiles the search; `told` receives the share that is compiled.
export async function openSite(told) {
  for (;;) {
    site = await read(await reached("site.json", {}, UNREACHED));
    if ((site.compiled ?? 1) === 1) return site;
    told(site.compiled);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

export function isServed() {
  return site.source === "server";
}

// What is kept of answers belongs to one edition: one version and one game.
export function edition() {
  return site.edition;
}

export function isCancelled(error) {
  return error.name === "AbortError";
}

// A sequence of questions: a new one cancels the previous one, on the server too.
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
    const key = addressed(path, parameters);
    return orBefore(key, signal, async () => {
      const response = await asked(named(key), { signal });
      const said = await read(response);
      if (response.headers.get("Cache-Control") !== "no-store") keep(key, said);
      return said;
    });
  }

  async post(path, parameters, body) {
    const signal = this.cancel();
    if (!isServed()) throw new Outside("An answer about games");
    const headers = { "Content-Type": "application/json" };
    return read(
      await asked(named(addressed(path, parameters)), { signal, method: "POST", headers, body: JSON.stringify(body) }),
    );
  }

  // Call `heard(name, data)` for each event; returns after the last one.
  async listen(path, parameters, heard) {
    const signal = this.cancel();
    if (!isServed()) {
      const answer = stillWanted(await answerFrom(site, path.replace("/live", ""), parameters), signal);
      heard("suggestions", answer);
      return;
    }
    const key = addressed(path.replace("/live", ""), parameters);
    const before = await orBefore(key, signal, async () => {
      const response = await asked(named(addressed(path, parameters)), { signal });
      if (!response.ok) await read(response);
      for await (const [name, data] of events(response.body)) {
        if (name === "failed") throw new Refused(data.error.message);
        if (name === "suggestions") keep(key, data);
        heard(name, data);
      }
      return null;
    });
    if (before) heard("suggestions", before);
  }
}

// The result of asking the server, or what it answered before if it is away.
async function orBefore(key, signal, ask) {
  try {
    const said = await ask();
    showOffline(false);
    return said;
  } catch (error) {
    const before = error.message === UNREACHED ? await answerBefore(site, key).catch(() => null) : null;
    if (before === null) throw error;
    showOffline(true);
    return stillWanted(before, signal);
  }
}

function keep(key, said) {
  keepAnswer(site, key, said).catch(() => {}); // the browser may have no room
}

const kept = new Map();

// An answer that never changes while the page is open; asked only once.
export function once(path, parameters = {}) {
  const key = addressed(path, parameters);
  if (!kept.has(key)) {
    const answer = new Line().get(path, parameters);
    answer.catch(() => kept.delete(key));
    kept.set(key, answer);
  }
  return kept.get(key);
}

// The guesses and the answers of a game.
export async function wordsOf({ guesses, answers }) {
  return once("words", { guesses, answers });
}

function addressed(path, parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return `api/${path}?${new URLSearchParams(given)}`;
}

function named(address) {
  return `${address}&client=${CLIENT}`;
}

// Ask again when a busy server says so.
async function asked(address, options) {
  for (let tries = 1; ; tries += 1) {
    const response = await reached(address, options, UNREACHED);
    if ((response.headers.get("X-Edition") ?? site.edition) !== site.edition) throw new Refused(CHANGED);
    if (response.status !== 503 || tries === TRIES) return response;
    const seconds = Math.min(Number(response.headers.get("Retry-After")) || 1, LONGEST_WAIT_S);
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    options.signal?.throwIfAborted();
  }
}

async function read(response) {
  const said = await response.json().catch(() => null);
  if (response.ok && said !== null) return said;
  throw new Refused(said?.error?.message ?? `the server responded with status ${response.status}`);
}

function stillWanted(answer, signal) {
  signal.throwIfAborted();
  return answer;
}

// Server-sent events: blocks of lines, separated by empty lines.
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read().catch((error) => {
      throw isCancelled(error) ? error : new Refused(UNREACHED);
    });
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
