/** The page: what acts on the game, and what is drawn when it changes. */

import { draw, Problem, tell, useKey } from "./api.js";
import { PlayOut } from "./auto.js";
import { Board } from "./board.js";
import { readyControls } from "./controls.js";
import { readyDialogs, readyEnding, readyNewGame, readyOpening } from "./dialogs.js";
import { find } from "./dom.js";
import { explain, showRules } from "./explain.js";
import { History } from "./history.js";
import { keepLog } from "./log.js";
import { cellName, situation } from "./names.js";
import { read } from "./reading.js";
import { Session } from "./session.js";
import { Settings } from "./settings.js";
import { say, showDraft, showStage, speak } from "./stage.js";
import { keep, kept, StatePanel } from "./state.js";

keepLog();
const settings = new Settings(() => session.shown && act(drawBoard));
const session = new Session(settings, changed);
const board = new Board(find("board"), click);
const history = new History((wanted) => user(() => session.step(wanted(session))));
const playOut = new PlayOut(session, act);
let panel;
let described;
let queue = Promise.resolve();
let waiting = 0;
let clickedHead;

/** Run an action when those before it are done; returns the problem that it met, if any. */
function act(action) {
  wait(1);
  const run = queue.then(action).then(() => undefined, complain).finally(() => wait(-1));
  queue = run.catch(() => {});
  return run;
}

function wait(more) {
  waiting += more;
  find("board").setAttribute("aria-busy", waiting > 0);
}

/** Run what the user wants, who goes before the player by chance. */
function user(action) {
  playOut.stop();
  return act(action);
}

/** Click a cell of the position that is seen; by the time of its turn that may be past. */
function click(row, col, count) {
  if (count < 2) clickedHead = session.head;
  const head = clickedHead;
  user(async () => head === session.head && (await session.click(row, col)));
}

function complain(error) {
  if (!(error instanceof Problem)) throw error;
  say(error.message, true, error.code);
  speak(error.message);
  return error;
}

/** Draw what the session says has changed; see `Session`. */
async function changed(what, news = 0) {
  if (what === "draft") return changedDraft();
  describe(session.info);
  const isTold = what === "game" && !playOut.isOn;
  await Promise.all([drawBoard(), ...(isTold ? [history.refresh(session)] : [])]);
  for (const part of document.querySelectorAll("[inert]")) part.inert = false;
  showStage(session, (move) => user(() => session.make(move)), focusBoard);
  if (playOut.isOn) return;
  history.mark(session);
  explain(session.shown);
  await panel.show();
  if (what === "game") keep(session);
  announce(what === "game" ? news : 1);
}

async function changedDraft() {
  await drawBoard();
  showDraft(session, focusBoard);
  speak(session.draft.move, session.draft.message);
}

async function drawBoard() {
  const { shown, draft, isPast, uid, info } = session;
  const fields = { state: shown.state, ...settings.look };
  if (draft.canrender && !isPast) fields.move = draft.move;
  const picture = await draw(uid, fields);
  settings.showColours(info);
  const name = `${info.name}: ${situation(shown)}`;
  board.show(picture, name, (cell) => cellName(shown, cell));
}

function announce(news) {
  const { shown, head, draft, isPast } = session;
  const told = [history.said(shown.ply, news), situation(shown)];
  if (isPast) speak(`Ply ${shown.ply} of ${head.ply}`, ...told);
  else speak(...told, shown.gameover ? "" : draft.message);
}

function describe(info) {
  if (info === described) return;
  described = info;
  settings.offer(info);
  showRules(info);
}

function focusBoard() {
  board.focus();
}

/** Open what was pasted; where it does not name its game, the one on the page is tried first. */
async function open(text, games, form) {
  playOut.stop();
  const tried = [...new Set([session.info ?? games[0], ...games])];
  const { info, view, remark } = await read(text, tried, form);
  await act(() => session.take(info, view));
  if (remark) complain(new Problem({ detail: remark, code: "" }));
}

async function start() {
  const [{ forms }, { games }] = await Promise.all([tell("/v1"), tell("/v1/games")]);
  panel = new StatePanel(session, forms);
  readyControls(session, playOut, user);
  readyDialogs();
  readyNewGame(games, forms, (...chosen) => user(() => session.begin(...chosen)));
  readyOpening((text) => open(text, games, forms[0]));
  readyEnding(session, (fields) => user(() => session.end(fields)));
  await resume(games, forms);
}

/** Open the state of a link; else go on with what this tab had, or begin the game for learners. */
async function resume(games, forms) {
  const text = new URLSearchParams(location.hash.slice(1)).get("state") ?? kept();
  try {
    if (text) return await open(text, games, forms[0]);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  const forLearners = (info) => info.variants.filter((variant) => variant.default);
  const info = games.find((one) => forLearners(one).length) ?? games[0];
  const variants = forLearners(info).map(({ uid }) => uid);
  await act(() => session.begin(info, variants, "compact"));
}

find("key").addEventListener("change", ({ target }) => {
  useKey(target.value.trim());
  // Without a key a server that wants one has refused to begin.
  if (!panel) start().catch(complain);
});
start().catch(complain);
