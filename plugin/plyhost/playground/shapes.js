/** Small drawings of the shapes that creatures have. */

import { drawing } from "./dom.js";

const HALF = 26;
const ROW = 45;
const HEXAGON = "m0-30 26 15v30l-26 15-26-15v-30z";

/** Return a drawing of a shape: pairs of row and slanted column, as the contract writes them. */
export function shapeDrawing(shape) {
  const spots = shape.split(" ").map((pair) => {
    const [row, across] = pair.split(",").map(Number);
    return [HALF * (2 * across - row), ROW * row];
  });
  const [left, right] = bounds(spots.map(([x]) => x), HALF);
  const [top, bottom] = bounds(spots.map(([, y]) => y), 30);
  const path = spots.map(([x, y]) => `M${x} ${y}${HEXAGON}`).join("");
  const scale = 3.2 * spots.length ** 0.3;
  return drawing("svg", {
    viewBox: `${left} ${top} ${right - left} ${bottom - top}`,
    class: "shape",
    width: Math.round((right - left) / scale),
    height: Math.round((bottom - top) / scale),
    role: "img",
    "aria-label": `shape ${shape}`,
  }, drawing("path", { d: path }));
}

function bounds(numbers, reach) {
  const rim = reach + 6;
  return [Math.min(...numbers) - rim, Math.max(...numbers) + rim];
}
