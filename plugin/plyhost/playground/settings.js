/** How the board is shown and how moves are made, as the controls under the board say. */

import { find, option } from "./dom.js";

const night = matchMedia("(prefers-color-scheme: dark)");

export class Settings {
  /** `onLook` is called when the board is to be drawn otherwise. */
  constructor(onLook) {
    for (const id of ["display", "palette", "perspective"]) {
      find(id).addEventListener("change", onLook);
    }
    night.addEventListener("change", onLook);
  }

  get auto() {
    return find("auto").value;
  }

  get confirm() {
    return find("confirm").checked;
  }

  get palette() {
    return find("palette").value || this.fitting;
  }

  /** The palette for the page as it is. */
  get fitting() {
    return night.matches ? "dark" : "light";
  }

  /** Let stones beside the board have the colours of those on it. */
  showColours({ colours }) {
    const { dataset, style } = document.body;
    dataset.palette = this.palette;
    const [one, two] = colours[this.palette];
    style.setProperty("--one", one);
    style.setProperty("--two", two);
  }

  /** The fields of `render` that say how to draw. */
  get look() {
    return {
      display: find("display").value,
      perspective: Number(find("perspective").value),
      palette: this.palette,
    };
  }

  /** Offer the displays of a game; the one in use stays if the game has it. */
  offer(info) {
    const list = find("display");
    const kept = list.value;
    const offered = info.displays.map(({ uid, name }) => option(uid, name));
    list.replaceChildren(option("", "Default"), ...offered);
    list.value = info.displays.some(({ uid }) => uid === kept) ? kept : "";
  }
}
