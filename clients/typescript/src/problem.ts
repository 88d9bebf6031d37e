import type { components } from "./schema.js";

/** All that a refusal tells, one shape for each `code`. */
export type Problem = components["schemas"]["Problem"];

/** The service refused, and nothing was changed. */
export class PlyhostProblem extends Error {
  /** Stable; `unknown` where the answer was none of the service's: a proxy's page, say. */
  readonly code: Problem["code"] | "unknown";
  /** Why a move is illegal: one of the game's closed list. */
  readonly reason: string | undefined;
  /** A sentence in plain text, not HTML. */
  readonly detail: string;

  /** `fields` is all that was answered: `ply`, `to_move`, `errors`, `retry_after`, ... by its `code`. */
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
  return new PlyhostProblem(answer.status, told ? await answer.json().catch(() => undefined) : undefined);
}
