/** The score, and where it comes from, in the words of the rules. */

import { element, find } from "./dom.js";
import { chip, seatName } from "./names.js";
import { shapeDrawing } from "./shapes.js";

const CONTROL = `You control a cell if more of its neighbours are your stones than the other
  player’s; a dot shows it. Territory counts an empty cell once and an enemy stone on a cell you
  control twice: it decides if the players settle, and a tie goes to the player not to move. Played
  to the end, whoever can neither place nor capture loses.`;

const CONGENERS = `A creature is a connected group of one colour. Creatures of one shape, turned or
  mirrored, score together: k of size s score k × s × s, a shape that stands alone scores nothing.
  The largest size whose scores differ decides; if none differ, the larger creatures do. The display
  “Shared shapes” marks the creatures that score.`;

/** Show the score of a view. */
export function explain(view) {
  const parts = view.scoring ? congeners(view) : view.territory ? control(view) : scores(view);
  find("score").replaceChildren(...parts);
  find("text").textContent = view.text;
}

/** Show the rules of a game. */
export function showRules({ rules, notation }) {
  const paragraphs = `${rules}\n${notation}`.split("\n").filter(Boolean);
  find("rules").replaceChildren(...paragraphs.map((text) => element("p", {}, ...coded(text))));
}

/** Return a text in pieces: what stands between backticks is code. */
function coded(text) {
  return text.split("`").map((part, place) => (place % 2 ? element("code", {}, part) : part));
}

function quiet(text) {
  return element("span", { class: "quiet" }, text);
}

function bySeat(view, rows) {
  const heads = [1, 2].map((seat) => column(view.colours[seat - 1], seatName(view, seat)));
  return table(["", ...heads], rows);
}

function column(colour, name) {
  return element("span", { class: "owner" }, chip(colour), name);
}

function table(heads, rows, attributes = {}) {
  const cells = heads.map((head) => (head ? element("th", { scope: "col" }, head) : element("td")));
  return element("table", attributes,
    element("thead", {}, element("tr", {}, ...cells)),
    element("tbody", {}, ...rows));
}

function row(head, cells, attributes = {}) {
  return element("tr", attributes,
    element("th", { scope: "row" }, head),
    ...cells.map((cell) => element("td", {}, ...[cell].flat())));
}

function scores(view) {
  return [bySeat(view, [row("Scores", view.scores.map(String))])];
}

/** Territory is the controlled empty cells, which are the scores, and enemy stones twice (C7). */
function control(view) {
  const territory = view.territory.map((total, seat) => {
    const held = (total - view.scores[seat]) / 2;
    const sum = held ? [quiet(`= ${view.scores[seat]} + 2 × ${held}`)] : [];
    return [`${total} `, ...sum];
  });
  return [
    bySeat(view, [
      row("Controlled empty cells", view.scores.map(String)),
      row("Territory", territory),
    ]),
    element("p", {}, quiet(CONTROL)),
  ];
}

function congeners(view) {
  const { sizes, at, decided_by: by } = view.scoring;
  const deciding = by === "score" ? at.size : null;
  const rows = sizes.map(({ size, black, white }) => {
    const marked = size === deciding ? { class: "deciding" } : {};
    return row(`${size}`, [creatures(black, size), creatures(white, size)], marked);
  });
  const heads = [1, 2].map((colour) => column(colour, held(view, colour)));
  return [
    element("p", {}, lead(view.scoring)),
    ...(rows.length ? [table(["Size", ...heads], rows, { class: "sizes" })] : []),
    element("p", {}, quiet(CONGENERS)),
  ];
}

function held({ black }, colour) {
  const name = colour === 1 ? "Black" : "White";
  if (!black) return name;
  return `${name}, player ${colour === 1 ? black : 3 - black}`;
}

function creatures(entries, size) {
  return entries.map(({ shape, creatures: number, points, mark }) => {
    const sum = number > 1 ? `${number} × ${size} × ${size} = ${points}` : "alone: 0";
    const letters = mark ? element("b", {}, mark) : "";
    return element("span", { class: "creature" }, shapeDrawing(shape), letters, sum);
  });
}

function lead({ decided_by: by, at }) {
  if (by === "draw") return "Scores and creatures are equal: as it stands, a draw.";
  const ahead = at.black > at.white ? "Black" : "White";
  const numbers = [at.black, at.white].sort((one, other) => other - one).join(" to ");
  if (by === "score") return `${ahead} is ahead by shapes of size ${at.size}, ${numbers}.`;
  return `No scores differ; ${ahead} is ahead by its creatures, ${numbers} stones.`;
}
