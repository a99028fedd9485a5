// The dialog that chooses the game: lists, rule, objective, guess limit and weights.

import { once } from "./data.js";
import { dialog } from "./dialog.js";
import { field, fill, h, select } from "./dom.js";
import { counted, whole } from "./figures.js";
import { KNOWN } from "./known.js";
import { answered } from "./notes.js";
import { costOf, isCost, priceField } from "./prices.js";
import { GAME, go, listen, read } from "./state.js";

const LIMITS = ["4", "5", "6", "7", "8"];
const USUAL_LIMIT = 6;
// The parts of the state that belong to a position and may not fit another game.
const POSITION = Object.fromEntries(
  ["turns", ...KNOWN, "draft", "moves", "part", "path", "step"].map((key) => [key, null]),
);

let defaults = {};

// The chosen value of a key of the game, or else the default of the site.
export function chosen(state, key) {
  return state[key] ?? defaults[key] ?? "";
}

export function gameButton(button, site) {
  defaults = site.defaults;
  const form = h("div", { class: "form" });
  const open = dialog("Game", form, "All views use this game.");
  button.addEventListener("click", () => {
    open();
    answered(form, once("choices"), (choices) => fields(site, choices));
  });
  const told = (state) => fill(button, summary(state));
  told(read());
  listen(told);
}

function summary(state) {
  const list = state.guesses ?? defaults.guesses;
  const rest = ["rule", "objective", "weights"].filter((key) => state[key]).map((key) => state[key]);
  return [
    h("span", { class: "unseen" }, "Game: "),
    [list, chosen(state, "rule"), ...rest.filter((each) => each !== state.rule)].join(" · "),
  ];
}

function fields(site, choices) {
  const state = read();
  const allowed = site.source === "files" ? inFiles(site.games) : null;
  const option = (key, each, shown = each) => (allowed && !allowed[key].has(each) ? null : [each, shown]);
  const chooser = (label, key, options, hint) =>
    field(
      label,
      select(options.filter(Boolean), String(chosen(state, key)), (value) => change({ [key]: value })),
      hint,
    );
  return [
    chooser(
      "Words",
      "guesses",
      choices.lists.map(({ list, guess_count, answer_count }) =>
        option("guesses", list, `${list}: ${whole(guess_count)} guesses, ${whole(answer_count)} answers`),
      ),
    ),
    chooser(
      "Rule",
      "rule",
      choices.rules.map(({ rule, description }) => option("rule", rule, described(rule, description))),
    ),
    !allowed && aims(choices),
    !allowed &&
      chooser(
        "Answer weights",
        "weights",
        choices.weights.map((each) => [each, each === "none" ? "equal" : each]),
      ),
  ];
}

// The objective and the guess limit. Prices depend on the limit, and need one.
function aims(choices) {
  const place = h("div", { class: "form" });
  const draw = () => {
    const [objective, limit] = [chosen(read(), "objective"), String(chosen(read(), "max_guesses"))];
    const turns = Number(limit) || USUAL_LIMIT;
    const limits = [...new Set([...LIMITS, limit])].filter((each) => each !== "0").sort((a, b) => a - b);
    const options = choices.objectives.flatMap((each) => objectives(each, costOf(turns, objective)));
    const aimed = (value) => redraw({ objective: value, ...(isCost(value) ? { max_guesses: String(turns) } : {}) });
    const limited = (value) => {
      const priced = value === "0" ? null : costOf(Number(value), objective);
      redraw({ max_guesses: value, ...(isCost(objective) ? { objective: priced } : {}) });
    };
    fill(
      place,
      field("Optimise for", select(options, objective, aimed, { data: { aim: "" } })),
      isCost(objective) && priceField(objective, (value) => change({ objective: value })),
      field("Guess limit", select([...limits, ["0", "no limit"]], limit, limited, { data: { limit: "" } })),
    );
  };
  const redraw = (changes) => {
    const [name] = Object.keys(document.activeElement?.dataset ?? {});
    change(changes);
    draw();
    if (name) place.querySelector(`[data-${name}]`)?.focus();
  };
  draw();
  return place;
}

function described(name, description) {
  return description ? `${name}: ${description}` : name;
}

// The options of an objective; one that takes a number is listed with each useful number.
function objectives({ objective, description }, cost) {
  if (isCost(objective)) return [[cost, described("cost", description)]];
  if (!objective.includes(":")) return [[objective, described(objective, description)]];
  return [1, 2, 3, 4, 5].map((turn) => [
    `within:${turn}`,
    described(`within:${turn}`, description.replace("K guesses", counted(turn, "guess", "guesses"))),
  ]);
}

function inFiles(games) {
  const values = (key) => new Set(games.map((game) => game[key]));
  return { guesses: values("guesses"), rule: values("rule") };
}

// Another list is another game, so the position is reset.
function change(changes) {
  const isDefault = ([key, value]) => value === null || value === String(defaults[key] ?? "");
  const kept = Object.entries(changes).map((each) => [each[0], isDefault(each) ? null : each[1]]);
  go({ ...("guesses" in changes ? POSITION : {}), ...Object.fromEntries(kept) });
}

export function isSameGame(one, other) {
  return GAME.every((key) => one?.[key] === other?.[key]);
}
