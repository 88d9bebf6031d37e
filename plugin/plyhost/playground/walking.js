/**
 * Where a key leads on the board, as the board is seen: a turned one is walked as it is turned.
 *
 * Cells are a Map from name to `{x, y}`.
 */

/** Return the cell behind a key; undefined if the key is none of these. */
export function after(key, name, cells, column) {
  const { x, y } = cells.get(name);
  const row = inRow(cells, y);
  switch (key) {
    case "Home": return row[0];
    case "End": return row.at(-1);
    case "ArrowLeft": return row[row.indexOf(name) - 1] ?? name;
    case "ArrowRight": return row[row.indexOf(name) + 1] ?? name;
    case "ArrowUp": return beyond(cells, y, -1, column ?? x) ?? name;
    case "ArrowDown": return beyond(cells, y, 1, column ?? x) ?? name;
    default: return undefined;
  }
}

function inRow(cells, y) {
  const row = [...cells].filter(([, cell]) => Math.abs(cell.y - y) < 1);
  return row.sort(([, one], [, other]) => one.x - other.x).map(([name]) => name);
}

/** Return the cell of the row above or below that is nearest to a column. */
function beyond(cells, y, down, column) {
  const ways = [...cells.values()].map((cell) => (cell.y - y) * down).filter((way) => way > 1);
  if (!ways.length) return undefined;
  const off = (name) => Math.abs(cells.get(name).x - column);
  const row = inRow(cells, y + down * Math.min(...ways));
  return row.reduce((best, name) => (off(name) < off(best) ? name : best));
}
