/** The board: a drawing of the server's, made into a grid that mouse, finger and keys can use. */

import { drawing } from "./dom.js";
import { after } from "./walking.js";

export class Board {
  /** `onClick` gets row and column, from 0 at the top left, and 2 for a double click's second. */
  constructor(place, onClick) {
    this.place = place;
    this.onClick = onClick;
    this.cells = new Map();
    place.addEventListener("click", ({ target, detail }) => {
      this.clicked(target.closest("[data-cell]"), detail);
    });
    place.addEventListener("keydown", (event) => this.pressed(event));
    place.addEventListener("focusin", ({ target }) => this.moveTo(target.dataset.cell));
  }

  /** Show a drawing; `nameOf` names the group of a cell. */
  show(picture, label, nameOf) {
    const hadFocus = this.place.contains(document.activeElement);
    const svg = document.importNode(picture.documentElement, true);
    for (const told of svg.querySelectorAll(":scope > title, :scope > desc")) told.remove();
    svg.setAttribute("role", "grid");
    svg.setAttribute("aria-label", label);
    this.cells.clear();
    for (const group of svg.querySelectorAll("[data-cell]")) this.add(group, nameOf(group));
    this.group();
    this.cursor = drawing("path", { class: "cursor" });
    svg.append(this.cursor);
    this.place.replaceChildren(svg);
    this.moveTo(this.cells.has(this.current) ? this.current : this.middle());
    if (hadFocus) this.focus();
  }

  add(group, name) {
    const [x, y] = group.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    group.setAttribute("role", "gridcell");
    group.setAttribute("tabindex", "-1");
    group.setAttribute("aria-label", name);
    this.cells.set(group.dataset.cell, { group, x, y });
  }

  /** Put the cells of each row into a group: a grid has rows. */
  group() {
    this.rows = new Map();
    for (const { group } of this.cells.values()) {
      const letters = rowOf(group.dataset.cell);
      if (!this.rows.has(letters)) {
        this.rows.set(letters, drawing("g", { role: "row" }));
        group.before(this.rows.get(letters));
      }
      this.rows.get(letters).append(group);
    }
  }

  middle() {
    const far = ([, { x, y }]) => Math.hypot(x, y);
    return [...this.cells].reduce((best, one) => (far(one) < far(best) ? one : best))[0];
  }

  focus() {
    this.cells.get(this.current).group.focus({ preventScroll: true });
  }

  /** Make a cell the one that Tab comes to. */
  moveTo(name) {
    if (!this.cells.has(name)) return;
    this.cells.get(this.current)?.group.setAttribute("tabindex", "-1");
    const { group } = this.cells.get(name);
    group.setAttribute("tabindex", "0");
    this.cursor.setAttribute("d", group.querySelector("path").getAttribute("d"));
    this.cursor.setAttribute("transform", group.getAttribute("transform"));
    if (name !== this.current) this.column = undefined;
    this.current = name;
  }

  clicked(group, count = 1) {
    if (!group) return;
    const name = group.dataset.cell;
    const letters = rowOf(name);
    const row = [...this.rows.keys()].indexOf(letters);
    this.onClick(row, Number(name.slice(letters.length)) - 1, count);
  }

  pressed(event) {
    const isModified = event.altKey || event.ctrlKey || event.metaKey;
    if (isModified || !this.cells.has(event.target.dataset.cell)) return;
    const next = after(event.key, this.current, this.cells, this.column);
    if (next) this.walk(next, event.key);
    else if (event.key === "Enter" || event.key === " ") this.clicked(event.target);
    else return;
    event.preventDefault();
  }

  /** Go to a cell; a way straight up or down keeps to the place where it began. */
  walk(next, key) {
    const column = this.column ?? this.cells.get(this.current).x;
    this.moveTo(next);
    if (key === "ArrowUp" || key === "ArrowDown") this.column = column;
    this.focus();
  }
}

const rowOf = (name) => name.replace(/\d+$/, "");
