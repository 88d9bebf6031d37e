// A site's turn with the types that openapi-typescript makes; `scripts/test-openapi` compiles it and
// runs it. No cast, and no type of its own.
import type { paths } from "./api";

type Post<Path extends keyof paths> = paths[Path] extends { post: infer Operation } ? Operation : never;
type Body<Path extends keyof paths> = Post<Path> extends {
  requestBody: { content: { "application/json": infer Sent } };
}
  ? Sent
  : never;
type Answers<Path extends keyof paths> = Post<Path> extends { responses: infer Found } ? Found : never;
type Answer<Path extends keyof paths> = Answers<Path> extends {
  200: { content: { "application/json": infer Told } };
}
  ? Told
  : never;
type Refusal<Path extends keyof paths> = Answers<Path> extends {
  422: { content: { "application/problem+json": infer Told } };
}
  ? Told
  : never;
type Found<Path extends keyof paths> = { ok: true; answer: Answer<Path> } | { ok: false; problem: Refusal<Path> };

const [service = ""] = process.argv.slice(2);

async function post<Path extends keyof paths>(path: Path, game: string, body: Body<Path>): Promise<Found<Path>> {
  const answer = await fetch(service + path.replace("{game}", game), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return answer.ok
    ? { ok: true, answer: await answer.json() }
    : { ok: false, problem: await answer.json() };
}

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

const start = await post("/v1/games/{game}/new", "control", { variants: ["size-5"] });
check(start.ok && start.answer.game === "control", "a game of Control starts");
const { state, ply } = start.answer;
const plan = { a1: { move: "e5" } };
const judged = await post("/v1/games/{game}/plan", "control", { state, plan });
check(judged.ok && judged.answer.plan !== null, "the plan is good");
const made = await post("/v1/games/{game}/move", "control", {
  state,
  move: "a1",
  plan: judged.answer.plan,
  expected_ply: ply,
});
check(made.ok && made.answer.game === "control", "the move is made");
const played: string[] = made.answer.applied.map((one) => one.move);
check(played.join() === "a1,e5" && made.answer.territory[0] > 0, "with the plan's answer");
for (const one of made.answer.results) if (one.type === "place") check(one.where === "e5", "at e5");
const again = await post("/v1/games/{game}/move", "control", { state: made.answer.state, move: "e5" });
check(!again.ok && again.problem.code === "illegal-move", "a stone stands there");
console.log(`test-openapi: the generated types played ${played}, then: ${again.problem.reason}`);
