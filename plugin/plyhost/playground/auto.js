/** Moves by chance: one, or all to the end of the game. */

import { operate } from "./api.js";
import { find, hide } from "./dom.js";
import { situation } from "./names.js";
import { speak } from "./stage.js";

/** Make a legal move by chance. */
export async function randomMove(session) {
  const { state } = session.head;
  const { count, moves } = await operate(session.uid, "moves", { state });
  if (!count) return session.refuse("The game is over.");
  const chosen = Math.floor(Math.random() * count);
  return session.make(moves[chosen] ?? (await oneMove(session, chosen)));
}

/** Return a move by its place in a list that is longer than one answer. */
async function oneMove({ uid, head }, offset) {
  const { moves } = await operate(uid, "moves", { state: head.state, limit: 1, offset });
  return moves[0];
}

/** Plays on by chance until the game is over or somebody says stop. */
export class PlayOut {
  /** `act` runs an action when those before it are done; what it raises is said. */
  constructor(session, act) {
    this.session = session;
    this.act = act;
    this.isOn = false;
  }

  async start() {
    if (this.isOn) return;
    this.show(true);
    let problem;
    while (this.isOn && !problem && !this.session.head.gameover) {
      problem = await this.act(() => randomMove(this.session));
      this.showProgress();
    }
    this.show(false);
    await this.act(() => this.finish(problem));
  }

  /** Draw what was left out on the way, which must not cover what went wrong. */
  async finish(problem) {
    await this.session.changed("game", 0);
    if (problem) throw problem;
    speak(`Played to ply ${this.session.head.ply}`, situation(this.session.head));
  }

  stop() {
    this.isOn = false;
  }

  show(isOn) {
    this.isOn = isOn;
    document.body.classList.toggle("by-chance", isOn);
    hide(find("playing"), !isOn, () => find("play-out").focus());
    if (!isOn) return;
    this.showProgress();
    find("stop").focus();
    speak("Playing to the end");
  }

  /** A game has no known length; how full the board is tells about how far it is. */
  showProgress() {
    const cells = find("board").querySelectorAll("[data-cell]").length;
    const stones = find("board").querySelectorAll("[data-piece]").length;
    find("played").value = stones / cells;
    find("played-text").textContent =
      `Ply ${this.session.head.ply}, ${stones} of ${cells} cells taken`;
  }
}
