import { NoAnswer, PlyhostProblem, readProblem } from "./problem.js";
import type { Problem } from "./problem.js";
import type { components, operations } from "./schema.js";
import { sign } from "./signing.js";

type Schemas = components["schemas"];
type Json<Part> = Part extends { content: { "application/json": infer Body } } ? Body : never;

/** An operation on a game, as `POST /v1/games/{game}/{operation}`: whatever the contract has. */
export type Operation = {
  [Name in keyof operations]: operations[Name] extends {
    parameters: { path: { game: string } };
    requestBody: object;
  }
    ? Name
    : never;
}[keyof operations];
export type Game = operations["move"]["parameters"]["path"]["game"];
export type Body<Name extends Operation> = Json<operations[Name]["requestBody"]>;
type Told<Name extends Operation> = Json<operations[Name]["responses"][200]>;
/** What an operation answers, the game's own view where it is one. */
export type Answer<Name extends Operation, Of extends Game = Game> =
  [Extract<Told<Name>, { game: Of }>] extends [never] ? Told<Name> : Extract<Told<Name>, { game: Of }>;

/** One call of a batch. */
export type Call = { [Name in Operation]: { game: Game; operation: Name; body: Body<Name> } }[Operation];
/** What became of one call: status 200 and its answer, or any other and the problem. */
export type Entry<Of extends Call> =
  | { status: number; answer: Answer<Of["operation"], Of["game"]>; problem?: never }
  | { status: number; problem: Problem; answer?: never };
type Entries<Calls extends readonly Call[]> = { -readonly [At in keyof Calls]: Entry<Calls[At]> };

export type Picture = "picture.svg" | "picture.png" | `film.${"svg" | "webp" | "gif" | "apng"}`;
export type Image = "svg+xml" | "png" | "webp" | "gif" | "apng";

export interface Options {
  /** The caller's key, where the service asks for one; never in a page. */
  key?: string | undefined;
  /** Milliseconds that one try may take; 10,000 if not given. */
  timeout?: number;
  /** How often it is asked again what nothing was answered to; 2 if not given. */
  retries?: number;
}

export interface Asking {
  /** The Idempotency-Key: where the service keeps answers, a repeated call has the first one's. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

interface Sent extends Asking {
  accept?: string;
  body?: unknown;
}

const FIRST_PAUSE = 100;

/** Asks a service. Every call is pure, so one that nothing was answered to is asked again. */
export class Plyhost {
  readonly url: string;

  constructor(url: string, readonly options: Options = {}) {
    this.url = url.replace(/\/+$/, "");
  }

  /** Ask for an operation on a game. Throws `PlyhostProblem`, `NoAnswer`. */
  ask<Of extends Game, Name extends Operation>(
    game: Of, operation: Name, body: Body<Name>, asking: Asking = {},
  ): Promise<Answer<Name, Of>> {
    return this.read(`/v1/games/${game}/${operation}`, { ...asking, body });
  }

  /** Ask for up to 50 operations in one. */
  async batch<const Calls extends readonly Call[]>(calls: Calls, asking: Asking = {}): Promise<Entries<Calls>> {
    const sent = { ...asking, body: { calls } };
    return (await this.read<{ answers: Entries<Calls> }>("/v1/batch", sent)).answers;
  }

  /** Have a board drawn as a picture or film. */
  draw(game: Game, image: Image, body: Body<"render">, asking: Asking = {}): Promise<Blob> {
    const sent = { ...asking, body, accept: `image/${image}` };
    return this.send(`/v1/games/${game}/render`, (answer) => answer.blob(), sent);
  }

  describeService(): Promise<Schemas["ServiceInfo"]> {
    return this.read("/v1");
  }

  listGames(): Promise<Schemas["GameList"]> {
    return this.read("/v1/games");
  }

  describeGame(game: Game): Promise<Schemas["GameInfo"]> {
    return this.read(`/v1/games/${game}`);
  }

  checkHealth(): Promise<Schemas["Health"]> {
    return this.read("/healthz");
  }

  checkReadiness(): Promise<Schemas["Readiness"]> {
    return this.read("/readyz");
  }

  /** Return the address of a picture by GET. */
  addressPicture(game: Game, picture: Picture, query: Record<string, string> = {}): string {
    return `${this.url}${makePicturePath(game, picture, query)}`;
  }

  /** Return the address of a picture, signed; `expires` in seconds from 1970. */
  async signPicture(
    game: Game, picture: Picture, query: Record<string, string>, secret: string, expires: number,
  ): Promise<string> {
    const path = makePicturePath(game, picture, { ...query, expires: `${expires}` });
    return `${this.url}${path}&signature=${await sign(secret, path)}`;
  }

  private read<Read>(path: string, sent?: Sent): Promise<Read> {
    return this.send<Read>(path, readJson, sent);
  }

  private async send<Read>(path: string, read: (answer: Response) => Promise<Read>, sent: Sent = {}): Promise<Read> {
    for (let tried = 0; ; tried++) {
      try {
        const answer = await this.fetch(path, sent);
        if (!answer.ok) throw await readProblem(answer);
        return await read(answer);
      } catch (error) {
        if (isTimeout(error)) throw new NoAnswer(error);
        // What fetch throws where the link breaks, also halfway through an answer.
        if (!(error instanceof TypeError)) throw error;
        if (tried >= (this.options.retries ?? 2)) throw new NoAnswer(error);
        await new Promise((go) => setTimeout(go, FIRST_PAUSE * 2 ** tried));
      }
    }
  }

  private fetch(path: string, { body, accept, idempotencyKey, signal }: Sent): Promise<Response> {
    const headers: Record<string, string> = { Accept: accept ?? "application/json" };
    if (this.options.key) headers["Authorization"] = `Bearer ${this.options.key}`;
    if (idempotencyKey) headers["Idempotency-Key"] = idempotencyKey;
    const limits = { headers, signal: this.limit(signal) };
    if (body === undefined) return fetch(this.url + path, limits);
    headers["Content-Type"] = "application/json";
    return fetch(this.url + path, { method: "POST", body: JSON.stringify(body), ...limits });
  }

  private limit(signal: AbortSignal | undefined): AbortSignal {
    const over = AbortSignal.timeout(this.options.timeout ?? 10_000);
    return signal ? AbortSignal.any([signal, over]) : over;
  }
}

function makePicturePath(game: Game, picture: Picture, query: Record<string, string>): string {
  const asked = new URLSearchParams(query).toString();
  return `/v1/games/${game}/${picture}${asked && "?"}${asked}`;
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}

// The one place where the service is believed to answer what the contract says.
async function readJson<Read>(answer: Response): Promise<Read> {
  const text = await answer.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new PlyhostProblem(answer.status, undefined);
  }
}
