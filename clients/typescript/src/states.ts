import type { components } from "./schema.js";

export type Seat = 1 | 2;

/** One entry of a stack; `board` and the rest are the game's own. */
export type StackEntry = {
  _version: string;
  _results: components["schemas"]["GameResult"][];
  _timestamp: string;
  currplayer: Seat;
  lastmove?: string;
  [field: string]: unknown;
};

/** A state in form full, as Abstract Play keeps it. */
export type FullState = {
  game: string;
  numplayers: number;
  variants: string[];
  gameover: boolean;
  winner: Seat[];
  stack: StackEntry[];
};

/** Return a copy of a full state, or what its text says. */
export function parseState(state: components["schemas"]["State"]): FullState {
  return typeof state === "string" ? JSON.parse(state) : JSON.parse(JSON.stringify(state));
}

/** Return a state as it was at a ply, over if that ply ended it. */
export function cutState(state: FullState, ply: number): FullState {
  const stack = state.stack.slice(0, ply + 1);
  const results = stack.at(-1)?._results ?? [];
  const gameover = results.some((one) => one.type === "eog");
  const winner = results.flatMap((one) => (one.type === "winners" ? one.players : []));
  return { ...state, gameover, winner, stack };
}
