import type { components } from "./schema.js";

type Problem = components["schemas"]["Problem"];

/** The service refused, and nothing was changed; `fields` is all that was answered. */
export class PlyhostProblem extends Error {
  readonly code: Problem["code"] | "unknown";
  /** Why a move is illegal: one of the game's closed list. */
  readonly reason: string | undefined;
  /** A sentence in plain text, not HTML. */
  readonly detail: string;

  constructor(
    readonly status: number,
    readonly fields: Problem | undefined,
  ) {
    const detail = fields?.detail ?? `The server answered with status ${status}.`;
    super(detail);
    this.name = "PlyhostProblem";
    this.code = fields?.code ?? "unknown";
    this.reason = fields && "reason" in fields ? fields.reason : undefined;
    this.detail = detail;
  }
}

/** Nothing was answered, however often it was asked; `cause` is what fetch threw. */
export class NoAnswer extends Error {
  constructor(cause: unknown) {
    super("The service did not answer.", { cause });
    this.name = "NoAnswer";
  }
}

/** Return the problem that an answer tells; one of code `unknown` where it tells none. */
export async function readProblem(answer: Response): Promise<PlyhostProblem> {
  const told = answer.headers.get("content-type")?.startsWith("application/problem+json");
  return new PlyhostProblem(answer.status, told ? await answer.json() : undefined);
}
