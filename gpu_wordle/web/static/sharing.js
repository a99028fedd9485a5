// A game to share: its picture, its grid in squares, and a challenge that tells neither words nor moves.

import { button, fill, h } from "./dom.js";
import { section } from "./notes.js";
import { drawShare, saveAs, squares } from "./picture.js";

// `lines` stand below the tiles; `score` heads the challenge, and `link` leads to the same game.
export function shareCard(turns, lines, { score = lines[0], link = null } = {}) {
  const canvas = h("canvas", { role: "img", "aria-label": `The game in tiles. ${lines.join(". ")}` });
  const letters = h("input", { type: "checkbox", on: { change: () => draw() } }); // friends may not have played yet
  const draw = () => drawShare(canvas, turns, lines, { withLetters: letters.checked });
  const told = h("span", { class: "note", role: "status" });
  const copy = (text, said) =>
    navigator.clipboard.writeText(text).then(
      () => fill(told, said),
      () => fill(told, "this browser does not allow it"),
    );
  const challenge = [`gpu-wordle ${score}`, squares(turns, []), link ? `Can you do better? ${link}` : "Can you do better?"].join("\n");
  const share = async () => {
    const text = squares(turns, lines);
    const picture = await new Promise((done) => canvas.toBlob(done, "image/png"));
    const files = [new File([picture], "game.png", { type: "image/png" })];
    if (!navigator.share) return copy(text, "copied; this browser has no share sheet");
    return navigator.share(navigator.canShare?.({ files }) ? { files, text } : { text }).catch((error) => {
      if (error.name !== "AbortError") copy(text, "copied; the share sheet did not open"); // the reader may close it
    });
  };
  draw();
  return section(
    "Share",
    { class: "card share noprint" },
    canvas,
    h(
      "div",
      { class: "bar tight" },
      h("label", { class: "chip" }, letters, "with letters"),
      button("Share", share),
      button("Copy challenge", () => copy(challenge, "copied, without words and moves")),
      button("Save the picture", () => saveAs("game.png", canvas.toDataURL("image/png"))),
      button("Copy as squares", () => copy(squares(turns, lines), "copied")),
      told,
    ),
  );
}
