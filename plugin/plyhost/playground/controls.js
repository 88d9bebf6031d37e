/** What buttons, the text field and keys do with the game. */

import { randomMove } from "./auto.js";
import { find } from "./dom.js";

/** Milliseconds without a key until a typed move is judged. */
const TYPING = 200;

/** Wire the controls; `user` runs an action that the user wants. */
export function readyControls(session, playOut, user) {
  readyMoves(session, user);
  readyButtons(session, playOut, user);
  readyKeys(session, playOut, user);
}

function readyMoves(session, user) {
  const input = find("move");
  let typing;
  input.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => user(() => session.judge(input.value)), TYPING);
  });
  find("moving").addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(typing);
    user(() => session.submit(input.value));
  });
  find("complete").addEventListener("click", () => {
    input.value = session.draft.autocomplete;
    input.focus();
    user(() => session.judge(input.value));
  });
}

function readyButtons(session, playOut, user) {
  const actions = {
    "let-go": () => session.letGo(),
    undo: () => session.undo(),
    random: () => randomMove(session),
    return: () => session.step(session.head.ply),
    branch: () => session.branch(),
  };
  for (const [id, action] of Object.entries(actions)) {
    find(id).addEventListener("click", () => user(action));
  }
  find("play-out").addEventListener("click", () => playOut.start());
  find("stop").addEventListener("click", () => playOut.stop());
}

function readyKeys(session, playOut, user) {
  const onBoard = {
    PageUp: () => session.step(session.shown.ply - 1),
    PageDown: () => session.step(session.shown.ply + 1),
    Backspace: () => session.undo(),
  };
  find("board").addEventListener("keydown", (event) => {
    if (!(event.key in onBoard)) return;
    event.preventDefault();
    user(onBoard[event.key]);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
    if (playOut.isOn) playOut.stop();
    else if (session.draft?.move) user(() => session.letGo());
  });
}
