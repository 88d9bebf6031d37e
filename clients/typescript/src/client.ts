import { NoAnswer, readProblem } from "./problem.js";
import type { components, operations } from "./schema.js";

type Posted = {
  [Name in keyof operations]: operations[Name] extends {
    parameters: { path: { game: string } };
    requestBody: object;
  }
    ? Name
    : never;
}[keyof operations];
type Json<Part> = Part extends { content: { "application/json": infer Body } } ? Body : never;

/** An operation on a game, as `POST /v1/games/{game}/{operation}`. */
export type Operation = Posted;
export type Body<Name extends Operation> = Json<NonNullable<operations[Name]["requestBody"]>>;
export type Answer<Name extends Operation> = Json<operations[Name]["responses"][200]>;
export type Game = operations["move"]["parameters"]["path"]["game"];
type Schemas = components["schemas"];
export type Picture =
  | "picture.svg" | "picture.png" | "film.svg" | "film.webp" | "film.gif" | "film.apng";
export type Image = "svg+xml" | "png" | "webp" | "gif" | "apng";

export interface Options {
  /** The caller's key, where the service asks for one. */
  key?: string;
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
  constructor(
    readonly url: string,
    readonly options: Options = {},
  ) {}

  /** Ask for an operation on a game. Throws `PlyhostProblem`, `NoAnswer`. */
  async ask<Name extends Operation>(
    game: Game, operation: Name, body: Body<Name>, asking: Asking = {},
  ): Promise<Answer<Name>> {
    return this.read(await this.send(`/v1/games/${game}/${operation}`, { ...asking, body }));
  }

  /** Ask for up to 50 operations in one. */
  async batch(calls: Schemas["BatchRequest"]["calls"], asking: Asking = {}): Promise<Schemas["BatchAnswers"]> {
    return this.read(await this.send("/v1/batch", { ...asking, body: { calls } }));
  }

  /** Have a board drawn as a picture or film. */
  async draw(game: Game, image: Image, body: Body<"render">, asking: Asking = {}): Promise<Blob> {
    const sent = { ...asking, body, accept: `image/${image}` };
    return (await this.send(`/v1/games/${game}/render`, sent)).blob();
  }

  async describeService(): Promise<Schemas["ServiceInfo"]> {
    return this.read(await this.send("/v1"));
  }

  async listGames(): Promise<Schemas["GameList"]> {
    return this.read(await this.send("/v1/games"));
  }

  async describeGame(game: Game): Promise<Schemas["GameInfo"]> {
    return this.read(await this.send(`/v1/games/${game}`));
  }

  async checkHealth(): Promise<Schemas["Health"]> {
    return this.read(await this.send("/healthz"));
  }

  async checkReadiness(): Promise<Schemas["Readiness"]> {
    return this.read(await this.send("/readyz"));
  }

  /** Return the address of a picture by GET. */
  addressPicture(game: Game, picture: Picture, query: Record<string, string> = {}): string {
    return `${this.url}${makePicturePath(game, picture, query)}`;
  }

  /** Return the address of a picture, signed; `expires` in seconds from 1970. */
  async signPicture(
    game: Game, picture: Picture, query: Record<string, string>, secret: string, expires: number,
  ): Promise<string> {
    const path = makePicturePath(game, picture, query);
    const text = `${path}${path.includes("?") ? "&" : "?"}expires=${expires}`;
    return `${this.url}${text}&signature=${await sign(secret, text)}`;
  }

  private async send(path: string, sent: Sent = {}): Promise<Response> {
    for (let tried = 0; ; tried++) {
      try {
        const answer = await this.try(path, sent);
        if (answer.ok) return answer;
        throw await readProblem(answer);
      } catch (error) {
        if (!(error instanceof TypeError)) throw isTimeout(error) ? new NoAnswer(error) : error;
        if (tried >= (this.options.retries ?? 2)) throw new NoAnswer(error);
        await new Promise((go) => setTimeout(go, FIRST_PAUSE * 2 ** tried));
      }
    }
  }

  private try(path: string, { body, accept, idempotencyKey, signal }: Sent): Promise<Response> {
    const headers: Record<string, string> = { Accept: accept ?? "application/json" };
    if (this.options.key) headers["Authorization"] = `Bearer ${this.options.key}`;
    if (idempotencyKey) headers["Idempotency-Key"] = idempotencyKey;
    if (body === undefined) return fetch(this.url + path, { headers, signal: this.limit(signal) });
    headers["Content-Type"] = "application/json";
    const text = JSON.stringify(body);
    return fetch(this.url + path, { method: "POST", headers, body: text, signal: this.limit(signal) });
  }

  private limit(signal: AbortSignal | undefined): AbortSignal {
    const over = AbortSignal.timeout(this.options.timeout ?? 10_000);
    return signal ? AbortSignal.any([signal, over]) : over;
  }

  private async read<Told>(answer: Response): Promise<Told> {
    return answer.json() as Promise<Told>;
  }
}

function makePicturePath(game: Game, picture: Picture, query: Record<string, string>): string {
  const asked = new URLSearchParams(query).toString();
  return `/v1/games/${game}/${picture}${asked && "?"}${asked}`;
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}

async function sign(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const how = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), how, false, ["sign"]);
  const digest = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
  const coded = btoa(String.fromCharCode(...digest));
  return coded.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
