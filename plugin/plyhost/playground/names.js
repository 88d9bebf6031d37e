/** What things are called on this page. */

import { drawing } from "./dom.js";

/** Return a seat's name; in a game of Black and White with its colour. */
export function seatName(view, seat) {
  if (!view.black) return `Player ${seat}`;
  return `Player ${seat} (${view.black === seat ? "Black" : "White"})`;
}

/** Return whose the things of a palette number are. */
function owner(view, colour) {
  if ("black" in view) return colour === 1 ? "Black" : "White";
  return `player ${view.colours.indexOf(colour) + 1}`;
}

/** Return a small stone as a board shows it; the words beside it say whose it is. */
export function chip(colour) {
  return drawing("svg", {
    viewBox: "-10 -10 20 20",
    class: `chip colour-${colour}`,
    "aria-hidden": "true",
  }, drawing("circle", { r: "8.5" }));
}

/** Return the stone of a seat; nothing while nobody has chosen between Black and White. */
export function seatChip(view, seat) {
  return view.black === null ? "" : chip(view.colours[seat - 1]);
}

/** Return one line on where the game stands. */
export function situation(view) {
  if (view.gameover) return `Game over: ${outcome(view)}`;
  return `${seatName(view, view.to_move)} to move`;
}

function outcome(view) {
  if (!view.winner.length) return "nobody has won";
  if (view.winner.length > 1) return "a draw";
  return `${seatName(view, view.winner[0])} has won`;
}

/** Return the name of a cell with what is on it; `cell` is its group in the drawing. */
export function cellName(view, cell) {
  const piece = cell.querySelector("[data-piece]")?.dataset.piece;
  const dots = cell.querySelector('[data-mark="dots"]')?.dataset.colour;
  const held = piece ? `stone of ${owner(view, piece === "A" ? 1 : 2)}` : "empty";
  const glyph = cell.querySelector('[data-mark="glyph"]')?.dataset.glyph;
  const shared = glyph ? `shares shape ${glyph.slice(0, -1).toUpperCase()}` : "";
  const noted = dots ? dotted(view, Number(dots)) : shared;
  return [cell.dataset.cell, held, noted].filter(Boolean).join(", ");
}

function dotted(view, colour) {
  return "territory" in view ? `controlled by ${owner(view, colour)}` : "possible";
}
