/** The three dialogs: a new game, something pasted, the end of a game. */

import { Problem } from "./api.js";
import { button, element, find, option } from "./dom.js";
import { seatName } from "./names.js";

/** Let every dialog be closed by its own button. */
export function readyDialogs() {
  for (const close of document.querySelectorAll("dialog [data-close]")) {
    close.addEventListener("click", () => close.closest("dialog").close());
  }
}

/** Ask for a new game; `onStart` gets the game's description, variants and form. */
export function readyNewGame(games, forms, onStart) {
  const chosen = () => games.find(({ uid }) => uid === find("new-game").value);
  find("new-game").append(...games.map(({ uid, name }) => option(uid, name)));
  find("new-state-form").append(...forms.map((form) => option(form, form)));
  find("new-state-form").value = "compact";
  find("new-game").addEventListener("change", () => offerVariants(chosen()));
  offerVariants(chosen());
  find("new").addEventListener("click", () => find("new-dialog").showModal());
  find("new-form").addEventListener("submit", () => {
    const lists = [...find("new-variants").querySelectorAll("select")];
    const variants = lists.map(({ value }) => value).filter(Boolean);
    onStart(chosen(), variants, find("new-state-form").value);
  });
}

function offerVariants(info) {
  find("new-about").textContent = info.description;
  const groups = [...new Set(info.variants.map(({ group }) => group))];
  find("new-variants").replaceChildren(...groups.flatMap((group) => variantList(info, group)));
}

/** Return a label and a list of a group's variants; a uid with `#` is what stands without one. */
function variantList(info, group) {
  const offered = info.variants.filter((variant) => variant.group === group);
  const id = `variant-${group}`;
  const list = element("select", { id }, ...offered.map(({ uid, name, description }) =>
    option(uid.startsWith("#") ? "" : uid, `${name}: ${description}`)));
  const preset = offered.findIndex((variant) => variant.default);
  const standard = offered.findIndex(({ uid }) => uid.startsWith("#"));
  list.selectedIndex = preset < 0 ? standard : preset;
  return [element("label", { for: id }, group[0].toUpperCase() + group.slice(1)), list];
}

/** Ask for something to open; `onOpen` gets the text and may raise Problem. */
export function readyOpening(onOpen) {
  find("open").addEventListener("click", () => {
    find("open-problem").hidden = true;
    find("open-dialog").showModal();
  });
  find("open-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await onOpen(find("pasted").value);
      find("open-dialog").close();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      find("open-problem").textContent = error.message;
      find("open-problem").hidden = false;
    }
  });
}

/** Offer the ways to end a game; `onEnd` gets the fields of `end`. */
export function readyEnding(session, onEnd) {
  find("end").addEventListener("click", () => {
    find("endings").replaceChildren(...endings(session.head).map(([label, why, fields]) => {
      const choose = button(label, () => {
        find("end-dialog").close();
        onEnd(fields);
      });
      return element("li", {}, choose, element("span", { class: "quiet" }, why));
    }));
    find("end-dialog").showModal();
  });
}

function endings(view) {
  const stood = view.repetitions === 1 ? "once" : `${view.repetitions} times`;
  return [
    [`${seatName(view, 1)} resigns`, "The other player wins.", { how: "resign", player: 1 }],
    [`${seatName(view, 2)} resigns`, "The other player wins.", { how: "resign", player: 2 }],
    ["Settle", "Both agree to stop; the position decides.", { how: "settle" }],
    ["Agree to a draw", "Nobody loses.", { how: "draw" }],
    [
      "Claim repetition",
      `A draw, if the position stands for the third time. It stood ${stood} before.`,
      { how: "repetition" },
    ],
    [
      `${seatName(view, view.currplayer)} is out of time`,
      "The other player wins.",
      { how: "timeout", player: view.currplayer },
    ],
    ["Abandon", "Nobody wins.", { how: "abandoned" }],
  ];
}
