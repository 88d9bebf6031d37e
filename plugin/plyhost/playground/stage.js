/** What stands around the board: whose turn it is, what was said, the begun move. */

import { button, element, find, hide } from "./dom.js";
import { seatChip, situation } from "./names.js";

/** Say something to screen readers; the same words twice are said twice. */
export function speak(...sentences) {
  const said = sentences.filter(Boolean).map(ended).join(" ");
  find("spoken").textContent = said === find("spoken").textContent ? `${said}\u00a0` : said;
}

const ended = (sentence) => (/[.!?:]$/.test(sentence) ? sentence : `${sentence}.`);

/** Show the situation and the begun move; `onMove` gets a button's move, `next` the focus. */
export function showStage(session, onMove, next) {
  const { shown, info } = session;
  const turn = shown.gameover ? shown.winner : [shown.to_move];
  const chips = turn.map((seat) => seatChip(shown, seat));
  find("situation").replaceChildren(...chips, situation(shown));
  find("game").textContent = [info.name, ...shown.variant_names, `ply ${shown.ply}`].join(" · ");
  const isIdle = session.isPast || shown.gameover;
  hide(find("past"), !session.isPast, next);
  hide(find("undo"), session.isPast, next);
  hide(find("moving"), isIdle, next);
  hide(find("running"), isIdle, next);
  showWords(session, onMove, next);
  showDraft(session, next);
}

function showWords({ shown }, onMove, next) {
  const place = find("words");
  hide(place, !shown.buttons.length, next);
  place.replaceChildren(
    ...shown.buttons.map(({ label, move }) => button(label, () => onMove(move))),
  );
}

/** Show the begun move and what is said of it. */
export function showDraft({ draft, shown }, next) {
  say(draft.message, !draft.valid && !shown.gameover, draft.code);
  const input = find("move");
  // What is being typed stays as it is.
  if (document.activeElement !== input || !draft.move) input.value = draft.move;
  hide(find("let-go"), !draft.move, next);
  const completed = draft.autocomplete;
  const hasButton = shown.buttons.some(({ move }) => move === completed);
  hide(find("complete"), !completed || hasButton, next);
  find("complete").textContent = `Complete: ${completed}`;
}

/** Show a sentence under the board; a problem with its code. */
export function say(sentence, isProblem, code) {
  const place = find("message");
  place.classList.toggle("problem", isProblem);
  place.replaceChildren(sentence);
  if (isProblem && code) place.append(" ", element("code", {}, code));
}
