/** The engine interface that Abstract Play's front and back end call, answered by the service. */
import type { Answer, Body, Game, Operation, Plyhost } from "./client.js";
import { PlyhostProblem } from "./problem.js";
import type { components } from "./schema.js";
import { cutState, parseState } from "./states.js";
import type { FullState, Seat } from "./states.js";

type Schemas = components["schemas"];
type Include = NonNullable<Body<"view">["include"]>;

/** What the front shows to a player; `client` is the sentence, `cause` the service's problem. */
export class UserFacingError extends Error {
  constructor(code: string, readonly client: string, cause?: PlyhostProblem) {
    super(code, { cause });
    this.name = "UserFacingError";
  }
}

/** What the site tells of a game for its record. */
export interface RecordDetails {
  uid: string;
  players: [Schemas["RecordPlayer"], Schemas["RecordPlayer"]];
  dateStart?: Date;
  dateEnd?: Date;
  event?: string;
  round?: string;
  unrated?: boolean;
  pied?: boolean;
}

/** Return an engine as `GameFactory` does: of a state in any form, or of a new game. */
export async function makeEngine(
  plyhost: Plyhost, uid: Game, state?: Schemas["State"], variants: string[] = [],
): Promise<Engine> {
  const { state: begun } = state ? { state } : await plyhost.ask(uid, "new", { variants, form: "full" });
  const isPacked = typeof begun === "string" && !begun.startsWith("{");
  const full = isPacked ? (await plyhost.ask(uid, "convert", { state: begun, form: "full" })).state : begun;
  return new Engine(plyhost, uid, parseState(full));
}

/** A game at hand. Its fields are Abstract Play's, its methods too, as promises. */
export class Engine {
  readonly numplayers = 2;
  variants: string[] = [];
  gameover = false;
  winner: Seat[] = [];
  stack: FullState["stack"] = [];
  currplayer: Seat = 1;
  lastmove: string | undefined;
  results: Schemas["GameResult"][] = [];
  /** The position that was loaded, which is what the service is asked about. */
  private position: FullState;
  private partial = "";

  constructor(readonly plyhost: Plyhost, readonly uid: Game, full: FullState) {
    this.position = full;
    this.take(full);
  }

  /** Load a position of the stack; as with the reference, the stack stays as it is. */
  load = async (index = -1): Promise<this> => this.show(index);

  /** Make a move; a partial one is only shown by `render`. After the end nothing happens. */
  async move(move: string, { partial = false }: { partial?: boolean; trusted?: boolean } = {}): Promise<this> {
    if (!move || this.gameover) return this;
    if (!partial) return this.take(parseState((await this.ask("move", { state: this.position, move })).state));
    const verdict = await this.validateMove(move);
    if (!verdict.valid) throw new UserFacingError(verdict.code, verdict.message);
    this.partial = move;
    return this;
  }

  resign = (player: Seat): Promise<this> => this.end("resign", player);
  timeout = (player: Seat): Promise<this> => this.end("timeout", player);
  draw = (): Promise<this> => this.end("draw");
  abandoned = (): Promise<this> => this.end("abandoned");

  /** Drop the last entry; as with the reference, the position is what it was until `load`. */
  async undo(): Promise<this> {
    if (!this.stack.pop()) throw new UserFacingError("INITIAL_UNDO", "There is nothing to take back.");
    return this;
  }

  async moves(): Promise<string[]> {
    return this.gameover ? [] : (await this.ask("moves", { state: this.position, limit: 120_000 })).moves;
  }

  async randomMove(): Promise<string> {
    const seed = Math.floor(Math.random() * 2 ** 32);
    return this.gameover ? "" : (await this.ask("random", { state: this.position, seed })).move;
  }

  validateMove = (move: string): Promise<Answer<"validate">> =>
    this.ask("validate", { state: this.position, move });

  handleClick = (move: string, row: number, col: number, piece?: string): Promise<Answer<"click">> =>
    this.ask("click", { state: this.position, move, row, col, ...(piece ? { piece } : {}) });

  /** Tell whether two texts are one move, `made` the one that led to this position. */
  async sameMove(made: string, other: string): Promise<boolean> {
    const [first, second] = [made, other].map((text) => text.toLowerCase().replace(/\s+/g, ""));
    if (first === second) return true;
    const state = cutState(this.position, this.position.stack.length - 2);
    return (await this.ask("same", { state, move: made, other })).same;
  }

  async render(options: { perspective?: number; altDisplay?: string | undefined } = {}): Promise<Schemas["RenderJson"]> {
    const perspective: 0 | Seat = options.perspective === 1 || options.perspective === 2 ? options.perspective : 0;
    const asked = { state: this.position, display: options.altDisplay ?? null, perspective };
    const drawn = await this.ask("render", this.partial ? { ...asked, move: this.partial } : asked);
    if (!drawn.render) throw new TypeError("The service drew no board.");
    return drawn.render;
  }

  /** Return the service's view of the position, of which the rest is made. */
  view = (include: Include = [], players?: [string, string]): Promise<Answer<"view">> =>
    this.ask("view", { state: this.position, include, ...(players ? { players } : {}) });

  sidebarScores = async (): Promise<Schemas["SidebarScores"][]> => (await this.view(["sidebar"])).sidebar?.scores ?? [];
  getPlayersScores = this.sidebarScores;
  getPlayerScores = this.sidebarScores;
  getPlayerScore = async (player: Seat): Promise<number> => (await this.view()).scores[player - 1] ?? 0;
  getPlayerColour = async (player: Seat): Promise<number> => (await this.view()).colours[player - 1] ?? player;
  statuses = async (): Promise<string[]> => (await this.view(["sidebar"])).sidebar?.statuses ?? [];
  getVariants = async (): Promise<string[]> => (await this.view()).variant_names;
  chatLog = async (players: [string, string]): Promise<string[][]> => (await this.view(["chat"], players)).chat ?? [];
  info = (): Promise<Schemas["GameInfo"]> => this.plyhost.describeGame(this.uid);

  /** Return the moves that no click makes, by the keys under which the front has their words. */
  async getButtons(): Promise<{ label: string; move: string }[]> {
    const { buttons = [] } = await this.view(["buttons"]);
    return buttons.map(({ key, move }) => ({ label: key, move }));
  }

  status = async (): Promise<string> => (this.gameover ? `**GAME OVER**\n\nWinner: ${this.winner.join(", ")}\n\n` : "");

  /** Return the moves in rounds of two. */
  async moveHistory(): Promise<string[][]> {
    const made = this.stack.slice(1).map((entry) => entry.lastmove ?? "");
    return made.flatMap((_, at) => (at % 2 ? [] : [made.slice(at, at + 2)]));
  }

  resultsHistory = async (): Promise<Schemas["GameResult"][][]> =>
    this.stack.map((entry) => entry._results).filter((results) => results.length > 0);

  /** Return the record of a finished game; nothing while it runs. */
  async genRecord({ dateStart, dateEnd, uid, ...details }: RecordDetails): Promise<Schemas["GameRecord"] | undefined> {
    if (!this.gameover) return undefined;
    const start = dateStart ? { "date-start": dateStart.toISOString() } : {};
    const end = dateEnd ? { "date-end": dateEnd.toISOString() } : {};
    const state = await this.state();
    return (await this.ask("record", { state, gameid: uid, ...details, ...start, ...end })).record;
  }

  async state(): Promise<FullState> {
    const { uid: game, numplayers, variants, gameover, winner, stack } = this;
    return { game, numplayers, variants, gameover, winner: [...winner], stack: [...stack] };
  }

  serialize = async (): Promise<string> => JSON.stringify(await this.state());
  clone = async (): Promise<Engine> => new Engine(this.plyhost, this.uid, parseState(await this.serialize()));

  private async end(how: Body<"end">["how"], player?: Seat): Promise<this> {
    const body = { state: this.position, how, ...(player ? { player } : {}) };
    return this.take(parseState((await this.ask("end", body)).state));
  }

  private async ask<Name extends Operation>(name: Name, body: Body<Name>): Promise<Answer<Name>> {
    try {
      return await this.plyhost.ask(this.uid, name, body);
    } catch (error) {
      const isForPlayers = error instanceof PlyhostProblem && ["illegal-move", "game-over"].includes(error.code);
      throw isForPlayers ? new UserFacingError(error.code, error.detail, error) : error;
    }
  }

  private take(full: FullState): this {
    ({ variants: this.variants, gameover: this.gameover, winner: this.winner, stack: this.stack } = full);
    return this.show(-1);
  }

  private show(index: number): this {
    const at = index < 0 ? index + this.stack.length : index;
    const { stack, variants, gameover, winner, numplayers } = this;
    this.position = cutState({ game: this.uid, numplayers, variants, gameover, winner, stack }, at);
    const entry = this.position.stack[at];
    if (!entry) throw new Error("There is no such ply.");
    ({ currplayer: this.currplayer, lastmove: this.lastmove, _results: this.results } = entry);
    this.partial = "";
    return this;
  }
}
