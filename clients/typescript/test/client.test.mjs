// Against a real service, whose address is PLYHOST_URL; it signs pictures with PLYHOST_PICTURE_SECRET.
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";

import { NoAnswer, Plyhost, PlyhostProblem } from "../dist/index.js";

const { PLYHOST_URL: url, PLYHOST_KEY: key, PLYHOST_PICTURE_SECRET: secret } = process.env;
const plyhost = new Plyhost(url, { key });

async function clickMove(game, state, take) {
  const include = ["targets"];
  let verdict = await plyhost.ask(game, "validate", { state, move: "", include });
  while (verdict.complete < 0 || !verdict.move) {
    const onward = verdict.targets.filter((one) => one.does !== "take-back");
    const { cell } = onward[take % onward.length];
    verdict = await plyhost.ask(game, "click", { state, move: verdict.move, cell, include });
    assert.ok(verdict.valid, verdict.message);
  }
  return verdict.move;
}

for (const game of ["control", "congeners"]) {
  test(`a whole game of ${game} is played by clicks alone`, async () => {
    let view = await plyhost.ask(game, "new", { variants: ["size-5"], form: "compact" });
    for (let turn = 0; !view.gameover; turn++) {
      const move = await clickMove(game, view.state, turn * 7 + 3);
      const body = { state: view.state, move, expected_ply: view.ply, auto: "pass" };
      view = await plyhost.ask(game, "move", body);
    }
    assert.ok(view.winner.length > 0);
    assert.ok((await plyhost.ask(game, "verify", { state: view.state })).ok);
  });
}

test("a refusal is one error with its reason", async () => {
  let view = await plyhost.ask("control", "new", { variants: ["size-5"] });
  view = await plyhost.ask("control", "move", { state: view.state, move: "a1" });
  const asked = plyhost.ask("control", "move", { state: view.state, move: "a2" });
  await assert.rejects(asked, (error) => {
    assert.ok(error instanceof PlyhostProblem);
    assert.deepEqual([error.status, error.code, error.reason], [422, "illegal-move", "controlled-by-opponent"]);
    return error.detail === "Your opponent controls a2, so you cannot place there.";
  });
  const call = { game: "control", operation: "move", body: { state: view.state, move: "a2" } };
  const { answers } = await plyhost.batch([call, { ...call, operation: "view", body: { state: view.state } }]);
  assert.deepEqual(answers.map((one) => one.status), [422, 200]);
});

test("what is here is told", async () => {
  assert.equal((await plyhost.describeService()).contract, 1);
  assert.equal((await plyhost.listGames()).games.length, 2);
  assert.equal((await plyhost.describeGame("control")).uid, "control");
  assert.equal((await plyhost.checkHealth()).status, "ok");
  assert.equal((await plyhost.checkReadiness()).status, "ok");
});

test("pictures come signed", async () => {
  const query = { moves: "a1 e5", variants: "size-5" };
  const plain = await fetch(plyhost.addressPicture("control", "picture.svg", query));
  assert.equal(plain.status, 401);
  const expires = Math.floor(Date.now() / 1000) + 600;
  const signed = await plyhost.signPicture("control", "picture.svg", query, secret, expires);
  assert.equal((await fetch(signed)).status, 200);
  const { state } = await plyhost.ask("control", "new", {});
  assert.equal((await plyhost.draw("control", "png", { state })).type, "image/png");
});

async function listen(answer) {
  const seen = [];
  const server = createServer((link) => {
    link.on("error", () => {});
    link.once("data", (data) => answer(link, seen.push(data.toString())));
  });
  await new Promise((go) => server.listen(0, "127.0.0.1", go));
  return { url: `http://127.0.0.1:${server.address().port}`, seen, server };
}

test("what nothing was answered to is asked again with its key", async () => {
  const body = '{"count":1,"move":"a1"}';
  const answer = `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const { url: here, seen, server } = await listen((link, count) => (count < 3 ? link.destroy() : link.end(answer)));
  const asked = new Plyhost(here).ask("control", "random", { state: "" }, { idempotencyKey: "turn-7" });
  assert.equal((await asked).move, "a1");
  assert.equal(seen.filter((one) => /idempotency-key: turn-7/i.test(one)).length, 3);
  server.close();
  await assert.rejects(new Plyhost(here, { retries: 1 }).checkHealth(), NoAnswer);
});

test("a silent server is asked once and given up", async () => {
  const links = [];
  const { url: here, seen, server } = await listen((link) => links.push(link));
  await assert.rejects(new Plyhost(here, { timeout: 200 }).checkHealth(), NoAnswer);
  assert.equal(seen.length, 1);
  links.forEach((link) => link.destroy());
  server.close();
});
