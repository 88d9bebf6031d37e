import assert from "node:assert/strict";
import { test } from "node:test";
import { NoAnswer, Plyhost, PlyhostProblem } from "plyhost-client";
import type { Answer, Game, components } from "plyhost-client";
import { listen, plyhost, secret } from "./service.js";

type Verdict = components["schemas"]["MoveVerdict"];

/** Return numbers below a bound that look as if by chance, and are the same in every run. */
function makeChooser(seed: number): (bound: number) => number {
  let last = seed;
  return (bound) => (last = (last * 48271) % 2147483647) % bound;
}

type Choose = (bound: number) => number;

async function clickMove(game: Game, state: components["schemas"]["State"], choose: Choose): Promise<string> {
  const include: ["targets"] = ["targets"];
  let verdict: Verdict = await plyhost.ask(game, "validate", { state, move: "", include });
  while (verdict.complete < 0 || !verdict.move) {
    const onward = (verdict.targets ?? []).filter((one) => one.does !== "take-back");
    const target = onward[choose(onward.length)];
    assert.ok(target, verdict.message);
    verdict = await plyhost.ask(game, "click", { state, move: verdict.move, cell: target.cell, include });
    assert.ok(verdict.valid, verdict.message);
  }
  return verdict.move;
}

const games: Game[] = ["control", "congeners"];
for (const game of games) {
  test(`a whole game of ${game} is played by clicks alone`, async () => {
    let view: Answer<"view"> = await plyhost.ask(game, "new", { variants: ["size-5"], form: "compact" });
    const choose = makeChooser(7);
    while (!view.gameover) {
      assert.ok(view.ply < 400, "the game does not end");
      const move = await clickMove(game, view.state, choose);
      view = await plyhost.ask(game, "move", { state: view.state, move, expected_ply: view.ply, auto: "pass" });
    }
    assert.ok(view.winner.length > 0);
    assert.ok((await plyhost.ask(game, "verify", { state: view.state })).ok);
  });
}

async function begin(): Promise<components["schemas"]["State"]> {
  const { state } = await plyhost.ask("control", "new", { variants: ["size-5"] });
  return (await plyhost.ask("control", "move", { state, move: "a1" })).state;
}

test("a refusal is one error with its reason", async () => {
  const asked = plyhost.ask("control", "move", { state: await begin(), move: "a2" });
  const problem = await asked.catch((error: unknown) => error);
  assert.ok(problem instanceof PlyhostProblem);
  assert.deepEqual([problem.status, problem.code, problem.reason], [422, "illegal-move", "controlled-by-opponent"]);
  assert.equal(problem.detail, "Your opponent controls a2, so you cannot place there.");
  assert.ok(problem.fields?.code === "illegal-move" && problem.fields.ply === 1);
});

test("a plan is judged, and answers when the move comes that it names", async () => {
  const state = await begin();
  const wrong = await plyhost.ask("control", "plan", { state, plan: { e5: { move: "e5" } } });
  assert.deepEqual([wrong.valid, wrong.plan, wrong.faults.length], [false, null, 1]);
  const judged = await plyhost.ask("control", "plan", { state, plan: { E5: { move: "b2", then: { d7: { move: "a3" } } } } });
  assert.deepEqual([judged.valid, judged.player], [true, 1]);
  assert.ok(judged.plan);
  const moved = await plyhost.ask("control", "move", { state, move: "e5", plan: judged.plan });
  assert.deepEqual(moved.applied.map((one) => one.move), ["e5", "b2"]);
  assert.deepEqual(moved.plan, { d7: { move: "a3", then: {} } });
});

test("calls of a batch are answered each with its own type", async () => {
  const state = await begin();
  const [refused, seen, drawn] = await plyhost.batch([
    { game: "control", operation: "move", body: { state, move: "a2" } },
    { game: "control", operation: "view", body: { state } },
    { game: "control", operation: "render", body: { state } },
  ]);
  assert.deepEqual([refused.status, refused.problem?.code], [422, "illegal-move"]);
  assert.deepEqual(seen.answer?.territory, [3, 0]);
  assert.equal(drawn.answer?.render?.board.style, "hex-of-hex");
});

test("what is here is told", async () => {
  assert.equal((await plyhost.describeService()).contract, 1);
  assert.deepEqual((await plyhost.listGames()).games.map((one) => one.uid).sort(), [...games].sort());
  assert.equal((await plyhost.describeGame("control")).uid, "control");
  assert.equal((await plyhost.checkHealth()).status, "ok");
  assert.equal((await plyhost.checkReadiness()).status, "ok");
});

test("pictures come signed", async () => {
  const query = { moves: "a1 e5", variants: "size-5" };
  const plain = await fetch(plyhost.addressPicture("control", "picture.svg", query));
  assert.equal(plain.status, 401);
  const soon = Math.floor(Date.now() / 1000) + 600;
  const signed = await plyhost.signPicture("control", "picture.svg", query, secret, soon);
  assert.equal((await fetch(signed)).status, 200);
  assert.equal((await fetch(signed.replace("a1", "a2"))).status, 401);
  const film = await plyhost.signPicture("congeners", "film.webp", { moves: "a1,a2/c1,c2 play-second" }, secret, soon);
  assert.equal((await fetch(film)).headers.get("content-type"), "image/webp");
  assert.equal((await plyhost.draw("control", "png", { state: await begin() })).type, "image/png");
});

const told = '{"count":1,"move":"a1"}';
const whole = `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${told.length}\r\n\r\n${told}`;

test("what nothing was answered to is asked again with its key, also when half of it came", async () => {
  const here = await listen((link, count) => {
    if (count === 1) link.destroy();
    else link.end(count === 2 ? whole.slice(0, -9) : whole);
  });
  const asked = new Plyhost(here.url).ask("control", "random", { state: "" }, { idempotencyKey: "turn-7" });
  assert.equal((await asked).move, "a1");
  assert.equal(here.seen.filter((one) => /^POST \/v1\/games.*idempotency-key: turn-7/is.test(one)).length, 3);
  here.close();
  await assert.rejects(new Plyhost(here.url, { retries: 1 }).checkHealth(), NoAnswer);
});

test("a silent server is asked once and given up, by its time or by the caller's signal", async () => {
  const here = await listen(() => {});
  await assert.rejects(new Plyhost(here.url, { timeout: 200 }).checkHealth(), NoAnswer);
  const signal = AbortSignal.abort(new Error("the player went away"));
  await assert.rejects(new Plyhost(here.url).ask("control", "new", {}, { signal }), /went away/);
  assert.equal(here.seen.length, 1);
  here.close();
});

test("a page that is none of the service's is an unknown problem", async () => {
  for (const [status, type] of [[200, "text/html"], [502, "text/html"], [500, "application/problem+json"]]) {
    const page = `HTTP/1.1 ${status} So\r\nContent-Type: ${type}\r\nConnection: close\r\nContent-Length: 4\r\n\r\n<p>!`;
    const here = await listen((link) => link.end(page));
    const problem = await new Plyhost(here.url).checkHealth().catch((error: unknown) => error);
    assert.ok(problem instanceof PlyhostProblem);
    assert.deepEqual([problem.code, problem.status, here.seen.length], ["unknown", status, 1]);
    here.close();
  }
});
