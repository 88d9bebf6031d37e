/** The plies of the game: a list, a slider, and what was said of each. */

import { operate } from "./api.js";
import { button, element, find } from "./dom.js";
import { seatChip } from "./names.js";

const STEPS = {
  first: () => 0,
  back: ({ shown }) => shown.ply - 1,
  on: ({ shown }) => shown.ply + 1,
  last: ({ head }) => head.ply,
};

export class History {
  /** `onStep` gets a function from the session to the ply that is wanted. */
  constructor(onStep) {
    this.onStep = onStep;
    this.chat = [];
    find("ply").addEventListener("input", ({ target }) => this.slide(Number(target.value)));
    for (const [id, step] of Object.entries(STEPS)) {
      find(id).addEventListener("click", () => onStep(step));
    }
  }

  /** Go to where the slider is; on the way there what it has passed already is left out. */
  slide(ply) {
    this.newest = ply;
    this.onStep(({ shown }) => (ply === this.newest ? ply : shown.ply));
  }

  /** Read the game's history anew. */
  async refresh({ uid, head }) {
    const { plies, chat } = await operate(uid, "history", { state: head.state });
    this.chat = chat.map(([, ...sentences]) => sentences.filter(Boolean));
    find("plies").replaceChildren(...plies.map((ply) => this.item(ply, head)));
  }

  item({ ply, player, move }, head) {
    const go = button("", () => this.onStep(() => ply), { tabindex: "-1" });
    if (player) go.append(seatChip(head, player));
    go.append(ply ? `${ply}. ${move}` : "Start");
    return element("li", {}, go);
  }

  /** Show which ply is looked at. */
  mark({ head, shown }) {
    const slider = find("ply");
    slider.max = head.ply;
    slider.value = shown.ply;
    const told = `${shown.ply} of ${head.ply}: ${shown.lastmove ?? "start"}`;
    slider.setAttribute("aria-valuetext", told);
    find("told").textContent = this.said(shown.ply, 1) || "Nothing has happened yet.";
    const current = find("plies").querySelector("[aria-current]");
    current?.removeAttribute("aria-current");
    current?.setAttribute("tabindex", "-1");
    this.reveal(find("plies").children[shown.ply]);
  }

  /** Return what was said of a ply and of those before it, `count` in all. */
  said(ply, count) {
    return this.chat.slice(Math.max(0, ply - count), ply).flat().join(" ");
  }

  reveal(item) {
    if (!item) return;
    item.firstChild.setAttribute("aria-current", "step");
    item.firstChild.setAttribute("tabindex", "0");
    const list = item.parentElement;
    const below = item.offsetTop + item.offsetHeight - list.clientHeight;
    list.scrollTop = Math.min(item.offsetTop, Math.max(list.scrollTop, below));
  }
}
