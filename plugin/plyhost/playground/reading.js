/** Reads what somebody pastes: a state in any form, a game record, or an answer with a state. */

import { Problem } from "./api.js";
import { replayed, viewOf } from "./session.js";

/**
 * Return `{info, view, remark}` of a pasted text; `games` are the games' own descriptions, in the
 * order in which they are tried.
 * Raises Problem.
 */
export async function read(text, games, form) {
  const found = recognised(text.trim());
  if (found.record) return readRecord(found.record, games, form);
  const named = games.filter(({ uid }) => uid === found.game);
  return firstThat(named.length ? named : games, async (info) => {
    return { info, view: await viewOf(info.uid, found.state), remark: "" };
  });
}

/** Return a state with the game that it names, if it does, or a record. */
function recognised(text) {
  if (text.startsWith("p1:")) return { state: text, game: text.split(":")[1] };
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return { state: text };
  }
  if (typeof value === "string") return recognised(value);
  const inner = value?.record ?? value;
  if (inner?.header && inner.moves) return { record: inner };
  // An answer holds its state; a state is sent as it was pasted, to the letter.
  if (value?.state) return { state: value.state, game: value.game };
  return { state: text, game: value?.game };
}

async function readRecord(record, games, form) {
  const named = games.filter(({ name }) => name === record.header.game?.name);
  return firstThat(named.length ? named : games, async (info) => {
    const { view, ok, ply, message } = await replayed(info.uid, record, form);
    const remark = ok ? "" : `The record goes wrong at ply ${ply}: ${message}`;
    return { info, view, remark };
  });
}

/** Return the first answer that is no refusal; raises the first refusal when all are. */
async function firstThat(games, ask) {
  let refusal;
  for (const info of games) {
    try {
      return await ask(info);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}
