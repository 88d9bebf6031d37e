/** The game's state for copying, in any form, and the record once the game is over. */

import { operate, Problem } from "./api.js";
import { copier, find, option } from "./dom.js";

const RECORD = "record";
const KEY = "plyhost-playground";

export class StatePanel {
  constructor(session, forms) {
    this.session = session;
    const list = find("form");
    list.append(...forms.map((form) => option(form, form)), option(RECORD, "game record"));
    list.addEventListener("change", () => this.show());
    find("copy-state").replaceWith(copier("Copy", () => find("state").value, find("state")));
  }

  async show() {
    const { form } = this.session.shown;
    if (form !== this.own) find("form").value = form;
    this.own = form;
    try {
      const text = await this.text(find("form").value);
      find("state").value = typeof text === "string" ? text : JSON.stringify(text);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      find("state").value = error.message;
    }
  }

  async text(form) {
    const { uid, shown } = this.session;
    if (form === shown.form) return shown.state;
    if (form !== RECORD) {
      return (await operate(uid, "convert", { state: shown.state, form })).state;
    }
    if (!shown.gameover) return "A game has a record when it is over.";
    const players = [{ name: "Player 1" }, { name: "Player 2" }];
    const fields = { state: shown.state, gameid: "playground", players };
    return (await operate(uid, "record", fields)).record;
  }
}

/** Keep the game for when this tab is loaded again. */
export function keep({ uid, head }) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ game: uid, state: head.state }));
  } catch {
    // Storage is off or full; the game is only lost when the page is left.
  }
}

/** Return the kept game as text; null if there is none. */
export function kept() {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
