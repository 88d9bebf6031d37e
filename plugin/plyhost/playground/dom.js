/** Small helpers for the page's elements. */

const SVG = "http://www.w3.org/2000/svg";

export const find = (id) => document.getElementById(id);

/** Return a new element; strings among the children become text, never markup. */
export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Return a new element of a drawing. */
export function drawing(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Return a button that calls a function. */
export function button(label, onClick, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", onClick);
  return made;
}

export function option(value, label) {
  return element("option", { value }, label);
}

/** Copy a text; where the browser forbids that, select it in the element that shows it. */
async function copy(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection().selectAllChildren(shown);
    shown.select?.();
    return false;
  }
}

/** Return a button that copies a text and says so for a moment. */
export function copier(label, textOf, shown) {
  const made = button(label, async () => {
    made.textContent = (await copy(textOf(), shown)) ? "Copied" : "Selected: copy it";
    setTimeout(() => (made.textContent = label), 1500);
  });
  return made;
}

/** Hide or show an element; if the focus is inside, it goes to where `next` puts it. */
export function hide(place, isHidden, next) {
  if (isHidden && place.contains(document.activeElement)) next();
  place.hidden = isHidden;
}
