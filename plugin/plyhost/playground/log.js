/** Every request of this page with its answer. */

import { curl, wire } from "./api.js";
import { copier, element, find } from "./dom.js";

const KEPT = 60;
const PATIENCE = 400;

/** List the exchanges from now on, and show that one takes long. */
export function keepLog() {
  wire.addEventListener("answered", ({ detail }) => {
    find("log").prepend(entry(detail));
    if (find("log").children.length > KEPT) find("log").lastChild.remove();
  });
  showWaiting();
}

function showWaiting() {
  let open = 0;
  let timer;
  wire.addEventListener("sent", () => {
    if (open++ === 0) timer = setTimeout(() => (find("busy").hidden = false), PATIENCE);
  });
  wire.addEventListener("answered", () => {
    if (--open) return;
    clearTimeout(timer);
    find("busy").hidden = true;
  });
}

function entry(call) {
  const operation = call.path.split("/").at(-1);
  const status = call.status < 400 ? {} : { class: "problem" };
  const summary = element("summary", {},
    element("span", { class: "operation" }, operation),
    element("span", status, `${call.status ?? "–"}`),
    element("span", { class: "quiet" }, `${call.milliseconds} ms`));
  const shown = element("details", {}, summary);
  shown.addEventListener("toggle", () => fill(shown, call), { once: true });
  return element("li", {}, shown);
}

function fill(shown, call) {
  shown.append(element("p", { class: "quiet" }, `${call.method} ${call.path}`));
  if (call.body) part(shown, "Request", pretty(call.body));
  part(shown, "Answer", pretty(call.answer ?? ""));
  part(shown, "As a command", curl(call), "Copy as curl");
}

function part(shown, title, text, label = `Copy the ${title.toLowerCase()}`) {
  const code = element("pre", { tabindex: "0", "aria-label": title }, text);
  shown.append(
    element("div", { class: "row" }, element("h3", {}, title), copier(label, () => text, code)),
    code,
  );
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
