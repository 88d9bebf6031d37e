/** The game on the page: its last view, the one that is looked at, and the move that is begun. */

import { operate } from "./api.js";

const INCLUDE = ["buttons", "prompt", "text"];
const LOOKING_BACK = "This is an earlier position: go back to the last one, or play on from here.";

/**
 * `head` is the newest view of the game, `shown` the one that is looked at; `draft` is the verdict
 * on the begun move, `info` the game's own description.
 */
export class Session {
  /**
   * `changed` is told what is to be drawn anew and waited for: "game" (with the number of plies
   * that are news), "view", or "draft".  `settings` has `auto` and `confirm`.
   */
  constructor(settings, changed) {
    this.settings = settings;
    this.changed = changed;
  }

  get uid() {
    return this.info.uid;
  }

  get isPast() {
    return this.shown.ply < this.head.ply;
  }

  /** Begin a game. */
  async begin(info, variants, form) {
    await this.take(info, await operate(info.uid, "new", { variants, form, include: INCLUDE }));
  }

  /** Make a view the game; `news` of its last plies are told. */
  async take(info, view, news = 0) {
    this.info = info;
    this.head = view;
    this.look(view);
    await this.changed("game", news);
  }

  look(view) {
    this.shown = view;
    const message = `You are looking at ply ${view.ply} of ${this.head.ply}.`;
    this.draft = this.isPast ? { ...view.prompt, message } : view.prompt;
  }

  /** Click a cell, counted from 0 at the top left. */
  async click(row, col) {
    if (this.isPast) return this.refuse(LOOKING_BACK);
    const fields = { state: this.head.state, move: this.draft.move, row, col };
    const verdict = await operate(this.uid, "click", fields);
    // A refused click leaves the text, so what is drawn of it stays as well.
    if (!verdict.valid) verdict.canrender = this.draft.canrender;
    await this.judged(verdict);
  }

  async judged(verdict) {
    this.draft = verdict;
    if (verdict.valid && verdict.complete === 1 && !this.settings.confirm) {
      await this.make(verdict.move);
    } else {
      await this.changed("draft");
    }
  }

  /** Say that something cannot be done here. */
  async refuse(message) {
    this.draft = { ...this.draft, valid: false, message, code: "" };
    await this.changed("draft");
  }

  /** Judge a text without making it. */
  async judge(move) {
    if (this.isPast) return this.refuse(LOOKING_BACK);
    this.draft = await operate(this.uid, "validate", { state: this.head.state, move });
    await this.changed("draft");
  }

  /** Make a whole move, or say why not. */
  async submit(move) {
    if (this.isPast) return this.refuse(LOOKING_BACK);
    this.draft = await operate(this.uid, "validate", { state: this.head.state, move });
    if (this.draft.valid && this.draft.complete >= 0) await this.make(this.draft.move);
    else await this.changed("draft");
  }

  async make(move) {
    const { state, ply } = this.head;
    const fields = { state, move, expected_ply: ply, auto: this.settings.auto, include: INCLUDE };
    const view = await operate(this.uid, "move", fields);
    await this.take(this.info, view, view.applied.length);
  }

  /** Drop what is begun. */
  async letGo() {
    this.draft = this.shown.prompt;
    await this.changed("draft");
  }

  /** Take back the last ply. */
  async undo() {
    if (!this.head.ply) return this.refuse("There is nothing to take back.");
    await this.take(this.info, await this.at(this.head.ply - 1));
  }

  /** End the game otherwise than by a move. */
  async end(fields) {
    const { state, ply } = this.head;
    const view = await operate(this.uid, "end", {
      state, expected_ply: ply, include: INCLUDE, ...fields,
    });
    await this.take(this.info, view, 1);
  }

  at(ply) {
    return operate(this.uid, "at", { state: this.head.state, ply, include: INCLUDE });
  }

  /** Look at another ply. */
  async step(ply) {
    const wanted = Math.max(0, Math.min(this.head.ply, ply));
    if (wanted === this.shown.ply) return;
    this.look(wanted === this.head.ply ? this.head : await this.at(wanted));
    await this.changed("view");
  }

  /** Go on from the position that is looked at. */
  async branch() {
    await this.take(this.info, this.shown);
  }
}

/** Return the last view of a state; raises Problem. */
export function viewOf(uid, state) {
  return operate(uid, "at", { state, ply: -1, include: INCLUDE });
}

/** Return the verdict on a record, with the view that was reached; raises Problem. */
export function replayed(uid, record, form) {
  return operate(uid, "replay", { record, form, include: INCLUDE });
}
