const find = (id) => document.getElementById(id);
const { view, mine, seen } = JSON.parse(find("data").textContent);

function add(parent, name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return parent.appendChild(made);
}

function drawBoard({ board: { minWidth: side }, pieces, legend, annotations = [] }, targets) {
  const spot = (row, col) => ({ cx: 2 * col + Math.abs(side - 1 - row), cy: row * Math.sqrt(3) });
  const board = find("board");
  board.replaceChildren();
  board.setAttribute("viewBox", `-1 -1 ${4 * side - 2} ${(2 * side - 2) * Math.sqrt(3) + 2}`);
  pieces.split("\n").forEach((text, row) => {
    const stones = text.split(",");
    for (let col = 0; col < 2 * side - 1 - Math.abs(side - 1 - row); col++) {
      const cell = String.fromCharCode(97 + 2 * side - 2 - row) + (col + 1);
      const does = targets.find((one) => one.cell === cell)?.does;
      const group = add(board, "g", { "data-cell": cell, class: does ? "target" : "" });
      add(group, "title", {}).textContent = does ? `${cell}: ${does}` : cell;
      add(group, "circle", { ...spot(row, col), r: 0.95, class: "cell" });
      const colour = legend[stones[col]]?.[0].colour;
      if (colour) add(group, "circle", { ...spot(row, col), r: 0.75, class: `stone c${colour}` });
      if (does) group.addEventListener("click", () => clickCell(cell));
    }
  });
  for (const { type, colour = 0, targets: points } of annotations)
    for (const { row, col } of points) add(board, "circle", { ...spot(row, col), r: 0.25, class: `mark ${type} c${colour}` });
}

function showVerdict({ move, complete, message, render, targets }) {
  find("message").textContent = message;
  drawBoard(render, mine ? targets : []);
  if (mine) [find("move").value, find("submit").disabled] = [move, complete < 0];
}

async function clickCell(cell) {
  const body = new URLSearchParams({ move: find("move").value, cell });
  const answer = await fetch(`${location.pathname}/click`, { method: "POST", body });
  if (answer.ok) showVerdict(await answer.json());
  else find("message").textContent = await answer.text();
}

showVerdict({ ...view.prompt, render: view.render, targets: view.targets });
setInterval(async () => {
  const news = await fetch(`${location.pathname}/news`).then((answer) => answer.json(), () => seen);
  if (String(news) !== String(seen)) location.reload();
}, 2000);
