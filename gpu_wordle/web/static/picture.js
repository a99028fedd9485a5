// A picture of a game to share: its tiles, regret and luck. Drawn in the browser.

import { capitals, lettersOf } from "./spelling.js";
import { paletteInUse } from "./tiles.js";

const [TILE, GAP, EDGE, LINE] = [64, 8, 40, 30];
const FONT = "ui-sans-serif, system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
const SQUARES = { B: "⬛", Y: "🟨", G: "🟩" };

// Draw turns, with their letters or without, and lines below.
export function drawShare(canvas, turns, lines, { withLetters }) {
  const length = turns[0].pattern.length;
  const width = 2 * EDGE + length * TILE + (length - 1) * GAP;
  const foot = 4 + lines.length * LINE;
  const height = 2 * EDGE + turns.length * TILE + (turns.length - 1) * GAP + foot;
  const scale = 2; // sharp on fine screens
  [canvas.width, canvas.height] = [width * scale, height * scale];
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  context.fillStyle = colour("paper");
  context.fillRect(0, 0, width, height);
  drawTiles(context, turns, withLetters, colour);
  drawLines(context, lines, width, height - foot, colour);
}

function drawTiles(context, turns, withLetters, colour) {
  const palette = paletteInUse();
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.font = `700 ${TILE * 0.55}px ${FONT}`;
  turns.forEach(({ guess, pattern }, row) => {
    const letters = lettersOf(guess);
    [...pattern].forEach((each, i) => {
      const [x, y] = [EDGE + i * (TILE + GAP), EDGE + row * (TILE + GAP)];
      context.fillStyle = `rgb(${palette[each].join()})`;
      context.beginPath();
      context.roundRect(x, y, TILE, TILE, 6);
      context.fill();
      if (!withLetters) return;
      context.fillStyle = colour(`on-${each.toLowerCase()}`);
      context.fillText(capitals(letters[i]), x + TILE / 2, y + TILE * 0.53, TILE * 0.9);
    });
  });
}

function drawLines(context, lines, width, top, colour) {
  lines.forEach((line, i) => {
    context.fillStyle = colour(i ? "quiet" : "ink");
    context.font = `${i ? 400 : 700} ${i ? 17 : 24}px ${FONT}`;
    context.fillText(line, width / 2, top - 4 + i * LINE, width - EDGE);
  });
}

export function saveAs(name, href) {
  const link = document.createElement("a");
  [link.href, link.download] = [href, name];
  link.click();
}

// The game in emoji squares, as players share it.
export function squares(turns, lines) {
  return [...turns.map(({ pattern }) => [...pattern].map((each) => SQUARES[each]).join("")), ...lines].join("\n");
}
