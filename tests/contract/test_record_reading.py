"""Game records, out and in: every ending of both games, and every form that a record may have."""

import copy
from typing import Any

import orjson
import pytest

from plyhost.contract import operations, records
from plyhost.contract.record_reading import parse_game_record
from plyhost.errors import InvalidRequest, InvalidState, UnknownVariant
from plyhost.games import registry
from plyhost.games.game import AnyGame, Illegal
from plyhost.replay.judgement.quick_records import is_record_sound
from plyhost.schemas.requests import REQUESTS
from plyhost.states import forms
from tests.tools import replay_games, vectors
from tests.tools.games import recorded
from tests.tools.replay_games import Played, played

STAMP = "2026-01-01T00:00:00.000Z"
SITE: dict[str, Any] = {
    "gameid": "11111111-2222-3333-4444-555555555555",
    "players": [
        {"name": "Alice", "userid": "aaaaaaaa-0000-0000-0000-000000000001"},
        {"name": "Bob", "userid": "bbbbbbbb-0000-0000-0000-000000000002", "is_ai": True},
    ],
    "event": "Spring Cup",
    "round": "2",
    "date-start": "2026-01-02T03:04:05.678Z",
    "date-end": "2026-01-03T03:04:05.678Z",
    "unrated": True,
}
HOWS = ("natural", "resign", "timeout", "draw", "abandoned", "settle", "repetition")
ENDED = [
    (uid, how)
    for uid in sorted(registry.load_games())
    for how in HOWS
    if how != "repetition" or registry.find_game(uid).repeats
]
CONTROL = registry.find_game("control")
Record = dict[str, Any]


def call(uid: str, operation: str, **fields: Any) -> dict[str, Any]:
    return operations.OPERATIONS[operation](
        registry.find_game(uid), REQUESTS[operation].load(fields)
    )


def replayed(record: Record, game: AnyGame | None = None) -> records.Verdict:
    """Replay a record closely, and see that the quick way agrees."""
    game = game or registry.find_game(record["header"]["game"]["name"].lower())
    source = parse_game_record(game, record, STAMP)
    verdict, _ = records.play_source(game, source)
    if is_record_sound(game, source):
        assert verdict == records.make_pass_verdict(len(source.moves))
    elif verdict["ok"]:
        # What only a closer look can tell.
        assert (
            source.results
            or verdict["read_as"]
            or {"repetition", "resign", "timeout"} & set(source.moves)
        )
    return verdict


def ended(uid: str, how: str, seed: int) -> Played:
    """Return the first game from a seed on that ended so; a random one may be over too early."""
    return next(one for n in range(99) if (one := played(seed + n, uid, how=how)).how == how)


def sound(number: int = 0) -> Record:
    """Return a copy of a record of the reference engine, side 5."""
    return copy.deepcopy(vectors.contract()["finished"][number]["record_full"])


def moves_of(record: Record) -> list[str]:
    return [move for moves in record["moves"] for move in moves]


# --- out ------------------------------------------------------------------------------------


def test_no_record_is_made_of_a_game_that_a_third_seat_resigned() -> None:
    state = vectors.contract()["endings"]["resign3_bad_player"]["state"]
    with pytest.raises(InvalidState):
        call("control", "record", state=state, **SITE)


@pytest.mark.parametrize(
    "name", sorted(set(vectors.contract()["endings"]) - {"resign3_bad_player"})
)
def test_a_record_is_that_of_the_reference_engine_for_every_ending(name: str) -> None:
    ending = vectors.contract()["endings"][name]
    theirs = ending["record"]["ok"]
    stamp = theirs["header"]["date-generated"]
    ours = call("control", "record", state=ending["state"], timestamp=stamp, **SITE)["record"]
    assert vectors.tight(ours) == vectors.tight(theirs)
    assert replayed(ours)["ok"]


@pytest.mark.parametrize("number", [0, 1])
def test_a_record_is_that_of_the_reference_engine_at_the_end(number: int) -> None:
    finished = vectors.contract()["finished"][number]
    full = finished["record_full"]
    stamp = full["header"]["date-generated"]
    ours = call("control", "record", state=finished["final_state"], timestamp=stamp, **SITE)
    assert vectors.tight(ours["record"]) == vectors.tight(full)
    small = finished["record_min"]
    site = {"gameid": "g1", "timestamp": small["header"]["date-generated"]}
    players = [{"name": "Alice", "userid": "u1"}, {"name": "Bob", "userid": "u2"}]
    ours = call("control", "record", state=finished["final_state"], players=players, **site)
    assert vectors.tight(ours["record"]) == vectors.tight(small)


@pytest.mark.parametrize(("uid", "how"), ENDED)
@pytest.mark.parametrize("form", forms.FORMS)
def test_a_record_tells_moves_scores_and_winners_and_leads_back(
    uid: str, how: str, form: str
) -> None:
    one = ended(uid, how, 7)
    wire = one.wire(form)
    record = call(uid, "record", state=vectors.read(encoded(wire)), **SITE)["record"]
    last, players = one.steps[-1], record["header"]["players"]
    assert [seat for seat in (1, 2) if players[seat - 1]["result"] == 1] == last.winner
    assert {player["result"] for player in players} <= {0, 1}
    assert [player["score"] for player in players] == one.game.scores(last.position)
    assert moves_of(record) == [step.text for step in one.steps[1:]]
    assert all(len(moves) == 2 for moves in record["moves"][:-1])
    assert "version" not in record["header"]
    again = call(uid, "replay", record=record, timestamp=STAMP)
    assert again["ok"]
    back = call(uid, "record", state=again["view"]["state"], **SITE)["record"]
    for one_record in (record, back):
        one_record["header"].pop("date-generated")
    assert back == record


def encoded(value: Any) -> bytes:
    return orjson.dumps(value)


@pytest.mark.parametrize("uid", sorted(registry.load_games()))
def test_a_record_names_every_variant_as_its_form_does(uid: str) -> None:
    info = registry.find_game(uid).info
    for variant in info.variants:
        record = played(3, uid, variant.uid, "resign").record()
        assert record["header"]["game"] == {"name": info.name, "variants": [variant.name]}
        assert replayed(record)["ok"]
        for named in ([variant.uid], [] if variant.uid.startswith("#") else [variant.uid]):
            record["header"]["game"]["variants"] = named
            assert replayed(record)["ok"]
        if variant.uid.startswith("#"):
            del record["header"]["game"]["variants"]
            assert replayed(record)["ok"]


# --- in: rounds -----------------------------------------------------------------------------


def test_rounds_hold_texts_nulls_and_objects() -> None:
    record = sound()
    texts = moves_of(record)
    told: list[Any] = [{"sequence": n, "move": text} for n, text in enumerate(texts, 1)]
    for objects in (texts, told, [told[0], *texts[1:]], [*told[:-1], texts[-1]]):
        for rounds in (
            [objects[at : at + 2] for at in range(0, len(objects), 2)],
            [[one] for one in objects],
            [[None, one] if n % 2 else [one, None] for n, one in enumerate(objects)],
            objects,
        ):
            record["moves"] = rounds
            assert replayed(record)["ok"]


def test_sequence_orders_the_moves_of_a_round() -> None:
    record = sound()
    texts = moves_of(record)
    told = [{"sequence": n, "move": text} for n, text in enumerate(texts)]
    record["moves"] = [told[at : at + 4][::-1] for at in range(0, len(told), 4)]
    assert replayed(record)["ok"]
    for one in told:
        del one["sequence"]
    assert not replayed(record)["ok"]


@pytest.mark.parametrize(("uid", "how"), ENDED)
def test_results_of_plies_are_held_against_what_the_plies_do(uid: str, how: str) -> None:
    one = ended(uid, how, 11)
    assert replayed(one.told())["ok"]
    for step in one.steps[1::7]:
        for wrong in ([], [{"type": "pass"}, *step.results], step.results[::-1]):
            if wrong == step.results:
                continue
            record = one.told()
            at, of = divmod(step.ply - 1, 2)
            record["moves"][at][of]["result"] = wrong
            verdict = replayed(record)
            assert (verdict["ply"], verdict["field"]) == (step.ply, "results")
            assert (verdict["expected"], verdict["found"]) == (step.results, wrong)


def test_a_result_in_words_claims_nothing() -> None:
    record = sound()
    record["moves"][0] = [{"move": move, "result": "nice"} for move in record["moves"][0]]
    assert replayed(record)["ok"]


BROKEN: list[tuple[str, Any]] = [
    ("moves", None),
    ("moves", {}),
    ("moves", "a1"),
    ("moves", [[1]]),
    ("moves", [["d1", {"move": 5}]]),
    ("moves", [["d1", {"sequence": 1}]]),
    ("moves", [["d1", {"move": "g5", "result": 5}]]),
    ("moves", [["d1", {"move": "g5", "result": {}}]]),
    ("moves", [["d1", ["g5"]]]),
    ("moves", [["d1", "g5"]] * 1100),
    ("header", None),
    ("header", []),
    ("players", None),
    ("players", []),
    ("players", {"a": 1, "b": 2}),
    ("players", [{"result": 1}] * 3),
    ("players", [1, 2]),
    ("players", [{"result": "1"}, {"result": "0"}]),
    ("players", [{"result": True}, {"result": False}]),
    ("players", [{"result": [1]}, {"result": 0}]),
    ("game", None),
    ("game", {}),
    ("game", {"name": "Congeners"}),
    ("game", {"name": "Control", "variants": 5}),
]


@pytest.mark.parametrize(("field", "value"), BROKEN)
def test_what_is_no_record_is_refused_as_a_request(field: str, value: Any) -> None:
    record = sound()
    within = record if field in record else record["header"]
    within[field] = value
    with pytest.raises(InvalidRequest):
        call("control", "replay", record=record)


# --- in: claims -----------------------------------------------------------------------------


def test_numbers_of_results_count_by_their_order_alone() -> None:
    for one, two in ((1, 0), (100, 3), (0.5, -1), (0, -1)):
        record = sound()
        players = record["header"]["players"]
        players[0]["result"], players[1]["result"] = one, two
        assert replayed(record)["ok"]
        players[0]["result"], players[1]["result"] = two, one
        verdict = replayed(record)
        assert (verdict["ply"], verdict["field"]) == (77, "winner")
        assert (verdict["expected"], verdict["found"]) == ([1], [2])


def test_a_draw_has_any_equal_results_and_an_abandoned_game_none_above_zero() -> None:
    for how, good, bad in (("draw", (1, 0.5, 3, 0, -1), ()), ("abandoned", (0, -1), (1,))):
        record = ended("control", how, 5).record()
        for result in (*good, *bad):
            for player in record["header"]["players"]:
                player["result"] = result
            assert replayed(record)["ok"] == (result in good)


@pytest.mark.parametrize(("uid", "how"), ENDED)
def test_wrong_scores_and_winners_are_named(uid: str, how: str) -> None:
    record = ended(uid, how, 13).record()
    players, count = record["header"]["players"], len(moves_of(record))
    right = [player["score"] for player in players]
    players[1]["score"] += 1
    verdict = replayed(record)
    assert (verdict["ply"], verdict["field"], verdict["code"]) == (count, "scores", "differs")
    assert (verdict["expected"], verdict["found"]) == (right, [right[0], right[1] + 1])
    players[1]["score"] -= 1
    results = [player["result"] for player in players]
    for one, two in ((1, 0), (0, 1), (1, 1), (0, 0)):
        players[0]["result"], players[1]["result"] = one, two
        is_seat_told = how in ("resign", "timeout") and one != two
        verdict = replayed(record)
        is_even = results == [1, 1] and one == two
        assert verdict["ok"] == (is_seat_told or is_even or [one, two] == results)
        assert verdict["ok"] or verdict["field"] == "winner"


def test_what_is_not_claimed_is_not_wrong() -> None:
    record = sound()
    for player in record["header"]["players"]:
        del player["score"], player["result"]
    assert replayed(record)["ok"]
    record["header"]["players"][1]["score"] = 1
    assert replayed(record)["field"] == "scores"
    record["header"]["players"][1]["score"] = False
    assert replayed(record)["field"] == "scores"


def test_too_early_and_too_late_ends_are_named() -> None:
    record = sound()
    record["moves"].pop()
    verdict = replayed(record)
    assert (verdict["ply"], verdict["field"], verdict["code"]) == (77, "moves", "not-over")
    assert verdict["plies_ok"] == 76
    record = sound()
    record["moves"][-1].append("a1")
    verdict = replayed(record)
    assert (verdict["ply"], verdict["move"]) == (78, "a1")
    assert (verdict["field"], verdict["code"], verdict["plies_ok"]) == ("moves", "game-over", 77)


@pytest.mark.parametrize("uid", sorted(registry.load_games()))
def test_no_move_is_legal_behind_the_end(uid: str) -> None:
    """The quick way asks for winners at the end alone; it can, if nothing is read behind it."""
    for number in range(len(recorded(uid))):
        moves, game = recorded(uid)[number]["moves"], registry.find_game(uid)
        uids = recorded(uid)[number]["variants"]
        steps = replay_games.followed(uid, uids, moves)
        assert bool(steps[-1].is_over) == (not list(game.moves(steps[-1].position)))
        if steps[-1].is_over:
            for text in {*moves, "pass", "play-second"}:
                for version in (None, game.info.version):
                    with pytest.raises(Illegal):
                        game.read(steps[-1].position, text, version)


def test_an_ending_may_follow_an_ending_and_the_last_one_counts() -> None:
    record = sound()
    record["moves"][-1].append("resign")
    assert replayed(record)["ok"]
    record["header"]["players"][0]["result"], record["header"]["players"][1]["result"] = 0, 1
    assert replayed(record)["ok"]
    record["moves"].append(["draw"])
    assert replayed(record)["field"] == "winner"


def test_a_word_that_cannot_be_said_is_illegal() -> None:
    record = sound()
    record["moves"] = [["settle"]]
    assert replayed(record)["field"] == "move"
    for word in ("repetition", "resign1", "Resign", "concede"):
        record["moves"] = [["d1", word]]
        verdict = replayed(record)
        assert (verdict["ply"], verdict["code"]) == (2, "illegal-move")
    record = ended("congeners", "repetition", 2).record()
    assert replayed(record)["ok"]
    texts = moves_of(record)
    for kept in (len(texts) - 2, len(texts) - 5, 1):
        record["moves"] = [[*texts[:kept], "repetition"]]
        verdict = replayed(record)
        assert (verdict["ply"], verdict["reason"]) == (kept + 1, "malformed")
    record["moves"] = [[texts[0], "settle"]]
    assert replayed(record)["ply"] == 2


def test_an_unknown_variant_is_refused() -> None:
    for named in (["size-6"], ["Small board (Size 5)", "size-9"], [5], [None]):
        record = sound()
        record["header"]["game"]["variants"] = named
        with pytest.raises(UnknownVariant):
            replayed(record)
