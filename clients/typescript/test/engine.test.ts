import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { Game } from "plyhost-client";
import { Engine, UserFacingError, makeEngine } from "plyhost-client/engine";
import { plyhost, readLines } from "./service.js";

const contract = readLines("control_contract.json")[0];
const SIDES: Record<string, number> = { "control": 7, "congeners": 6, "size-5": 5, "size-9": 9 };

/** Return a recorded game of each policy on the small board. */
function pickGames(uid: Game): any[] {
  const small = readLines(`${uid}_games.jsonl`).filter((one) => one.variants[0] === "size-5");
  return [...new Map(small.map((one) => [one.policy, one])).values()];
}

/** Make a move as a player does: its cells clicked one after another, or a button. */
async function clickMove(engine: Engine, move: string, side: number): Promise<string> {
  const cells = move.match(/[a-z]\d+/g);
  if (!cells) return (await engine.getButtons()).find((one) => one.move === move)?.move ?? "";
  let text = "";
  for (const cell of cells) {
    const row = 2 * side - 2 - (cell.charCodeAt(0) - 97);
    const verdict = await engine.handleClick(text, row, Number(cell.slice(1)) - 1);
    assert.ok(verdict.valid, `${cell} of ${move}: ${verdict.message}`);
    text = verdict.move;
    if (verdict.complete < 0) assert.ok(await (await engine.clone()).move(text, { partial: true }));
  }
  assert.ok((await engine.validateMove(text)).complete >= 0);
  return text;
}

async function playGame(uid: Game, game: any, compare: (engine: Engine, seen: any) => Promise<void>): Promise<Engine> {
  const engine = await makeEngine(plyhost, uid, undefined, game.variants);
  const seen = new Map(game.positions.map((one: any) => [one.ply, one]));
  for (const [ply, move] of [...game.moves, ""].entries()) {
    if (seen.has(ply)) await compare(engine, seen.get(ply));
    if (!move) break;
    assert.equal(await clickMove(engine, move, SIDES[game.variants[0] ?? uid] ?? 0), move);
    await engine.move(move);
    assert.equal(engine.lastmove, move);
  }
  assert.deepEqual([engine.gameover, engine.winner], [true, game.winner]);
  assert.equal(await engine.move("a1"), engine);
  return engine;
}

const timeless = (text: string): string => text.replaceAll(/"_timestamp":"[^"]*"/g, '"_timestamp":""');

for (const game of pickGames("control")) {
  test(`control ${game.policy} comes out as the reference engine played it`, async () => {
    const engine = await playGame("control", game, async (engine, seen) => {
      assert.deepEqual((await engine.moves()).sort(), seen.legal);
      assert.deepEqual(engine.results, seen.results);
      assert.equal(engine.currplayer, seen.currplayer);
      assert.deepEqual((await engine.getPlayersScores())[0]?.scores, seen.scores);
      for (const [display, drawn] of Object.entries(seen.render)) {
        const altDisplay = display === "default" ? undefined : display;
        assert.deepEqual(await engine.render({ altDisplay }), drawn);
      }
    });
    assert.equal(timeless(await engine.serialize()), timeless(JSON.stringify(game.final_state)));
  });
}

for (const game of pickGames("congeners")) {
  test(`congeners ${game.policy} comes out as the oracle played it`, async () => {
    await playGame("congeners", game, async (engine, seen) => {
      const legal = (await engine.moves()).sort().join("\n");
      assert.equal(createHash("sha256").update(legal).digest("hex"), seen.legal_sha256);
      assert.equal(engine.currplayer, seen.to_move);
    });
  });
}

test("endings are the reference engine's", async () => {
  for (const [name, end] of Object.entries<any>(contract.endings)) {
    const [, how, player] = /^(resign|timeout|draw|abandoned)([12])?(_start)?$/.exec(name) ?? [];
    if (!how || end.threw) continue;
    const engine = await makeEngine(plyhost, "control", undefined, end.variants);
    for (const move of end.moves) await engine.move(move);
    const seat = player === "2" ? 2 : 1;
    if (how === "resign" || how === "timeout") await engine[how](seat);
    else if (how === "draw") await engine.draw();
    else await engine.abandoned();
    assert.deepEqual([engine.gameover, engine.winner, engine.results], [end.gameover, end.winner, end.results], name);
    assert.equal(timeless(await engine.serialize()), timeless(JSON.stringify(end.state)), name);
  }
});

test("records, histories and chat are those of the finished game", async () => {
  for (const game of contract.finished) {
    const engine = await makeEngine(plyhost, "control", JSON.stringify(game.final_state));
    const header = game.record_full.header;
    const record = await engine.genRecord({
      uid: header.site.gameid,
      players: header.players.map((one: any) => ({ name: one.name, uid: one.userid, ...(one.is_ai ? { isai: true } : {}) })),
      dateStart: new Date(header["date-start"]),
      dateEnd: new Date(header["date-end"]),
      ...(header.event ? { event: header.event, round: header.round } : {}),
      ...(header.unrated ? { unrated: true } : {}),
    });
    const made = { "date-generated": "" };
    assert.deepEqual({ ...record, header: { ...record?.header, ...made } }, { ...game.record_full, header: { ...header, ...made } });
    assert.deepEqual(await engine.moveHistory(), game.moveHistory);
    assert.deepEqual(await engine.getVariants(), header.game.variants);
    const chat = await engine.chatLog(["Ann", "Bob"]);
    assert.equal(chat.length, game.moves.length);
    assert.match(chat[0]?.[1] ?? "", /^Ann placed/);
    assert.equal((await engine.resultsHistory()).length, game.moves.length);
    assert.match(await engine.status(), /GAME OVER/);
  }
});

test("a finished game is walked back, as the front does", async () => {
  const { final_state, moves } = contract.finished[0];
  const engine = await makeEngine(plyhost, "control", final_state);
  await engine.load(7);
  assert.equal((await engine.validateMove("")).code, "begin");
  assert.equal((await engine.getPlayersScores())[0]?.scores[0], final_state.stack[7].scores[0]);
  const seen: string[] = [];
  for (await engine.load(); engine.lastmove; await engine.load()) {
    seen.unshift(engine.lastmove);
    engine.stack.pop();
    engine.gameover = false;
    engine.winner = [];
  }
  assert.deepEqual(seen, moves);
  assert.equal((await engine.moves()).length, 24);
});

test("undo and load go back as the reference does", async () => {
  const { variants, moves, steps } = contract.undo;
  const engine = await makeEngine(plyhost, "control", undefined, variants);
  for (const move of moves) await engine.move(move);
  const told = (): unknown[] => [engine.stack.length, engine.currplayer, engine.lastmove ?? null, engine.results];
  const does: Record<string, () => Promise<unknown>> = {
    "start": async () => engine,
    "undo": () => engine.undo(),
    "load": () => engine.load(),
    "undo+load": async () => (await engine.undo()).load(),
    "load(0)": () => engine.load(0),
  };
  for (const step of steps) {
    const run = does[step.op];
    if (!run) continue;
    await run();
    assert.deepEqual(told(), [step.stack_length, step.currplayer, step.lastmove ?? null, step.results], step.op);
    if (step.legal) assert.equal((await engine.moves()).length, 24, "the first move is on an edge");
  }
  await assert.rejects(engine.load(99));
  await engine.load(2);
  assert.equal((await engine.move("c2")).stack.length, 4);
});

test("what a player may be told is a UserFacingError; anything else is not", async () => {
  const engine = await makeEngine(plyhost, "control", undefined, ["size-5"]);
  await engine.move("a1");
  const told = await engine.move("a2").catch((error: unknown) => error);
  assert.ok(told instanceof UserFacingError);
  assert.equal(told.client, "Your opponent controls a2, so you cannot place there.");
  await assert.rejects(engine.move("a2", { partial: true }), UserFacingError);
  await assert.rejects(engine.undo().then(() => engine.undo()).then(() => engine.undo()), UserFacingError);
  await assert.rejects(makeEngine(plyhost, "control", "gz:nonsense"), { code: "invalid-state" });
});

test("a partial move is drawn and not made; others of the interface answer", async () => {
  const engine = await makeEngine(plyhost, "congeners", undefined, ["size-5"]);
  const before = await engine.render({ perspective: 1 });
  await engine.move("d3", { partial: true });
  assert.notDeepEqual(await engine.render({ perspective: 1 }), before);
  assert.equal(engine.stack.length, 1);
  await engine.move("d4,d3/e2,f2");
  assert.equal(engine.lastmove, "d3,d4/e2,f2");
  assert.ok(await engine.sameMove("d3,d4/e2,f2", " D4,D3/F2,E2"));
  assert.ok(!(await engine.sameMove("d3,d4/e2,f2", "d3,d4/h2,i2")));
  assert.deepEqual(await engine.getButtons(), [{ label: "playsecond", move: "play-second" }]);
  assert.ok((await engine.moves()).includes(await engine.randomMove()));
  assert.equal(await engine.getPlayerColour(2), 2);
  assert.equal(await engine.getPlayerScore(1), 0);
  assert.deepEqual(await engine.statuses(), []);
  assert.equal((await engine.info()).uid, "congeners");
  const packed = await plyhost.ask("congeners", "convert", { state: await engine.state(), form: "compact" });
  const again = await makeEngine(plyhost, "congeners", packed.state);
  assert.equal(await again.serialize(), await engine.serialize());
});
