"""Plans: every branch judged as a whole, and their answers made when the other player moves."""

from typing import Any

import orjson
import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient

from plyhost import limits
from plyhost.cli.commands import main
from plyhost.schemas.examples import EXAMPLE_MOMENT
from plyhost.states.forms import FORMS
from tests.conftest import Post
from tests.contract.test_every_game import UIDS, call, views
from tests.tools.vectors import tight


def make_line(moves: list[str]) -> dict[str, Any]:
    """Return the plan that follows a line of moves, theirs and mine by turns."""
    plan: dict[str, Any] = {}
    for theirs, mine in reversed(list(zip(moves[::2], moves[1::2], strict=True))):
        plan = {theirs: {"move": mine, "then": plan}}
    return plan


def list_next_moves(uid: str, start: int, count: int) -> list[str]:
    return [view["lastmove"] for view in views(uid)[start + 1 : start + 1 + count]]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("uid", UIDS)
def test_a_plan_is_followed_as_far_as_it_applies(uid: str, form: str) -> None:
    view, moves = views(uid)[2], list_next_moves(uid, 2, 6)
    state = call(uid, "convert", state=view["state"], form=form)["state"]
    plan = make_line(moves)
    verdict = call(uid, "plan", state=state, plan=plan)
    assert verdict["valid"], verdict["faults"]
    assert (verdict["plan"], verdict["count"]) == (plan, 3)
    assert verdict["player"] == 3 - view["to_move"]
    for done in (2, 4, 6):
        after = call(uid, "move", state=state, move=moves[done - 2], plan=plan)
        assert [one["move"] for one in after["applied"]] == moves[done - 2 : done]
        assert not any(one["auto"] for one in after["applied"])
        state, plan = after["state"], after["plan"]
        assert plan == make_line(moves[done:])
        assert call(uid, "verify", state=state)["ok"]
    assert after["scores"] == views(uid)[8]["scores"]


@pytest.mark.parametrize("uid", UIDS)
def test_another_move_ends_the_plan(uid: str) -> None:
    state, moves = views(uid)[2]["state"], list_next_moves(uid, 2, 2)
    legal = call(uid, "moves", state=state, limit=50)["moves"]
    other = next(text for text in legal if text != moves[0])
    after = call(uid, "move", state=state, move=other, plan=make_line(moves))
    assert ([one["move"] for one in after["applied"]], after["plan"]) == ([other], {})
    assert "plan" not in call(uid, "move", state=state, move=other)


@pytest.mark.parametrize("uid", UIDS)
def test_every_branch_that_cannot_be_played_is_told(uid: str) -> None:
    state, moves = views(uid)[2]["state"], list_next_moves(uid, 2, 4)
    plan = {moves[0]: {"move": moves[0]}, "zz99": {"move": moves[1]}}
    verdict = call(uid, "plan", state=state, plan=plan)
    assert (verdict["valid"], verdict["plan"], verdict["count"]) == (False, None, 2)
    assert [fault["path"] for fault in verdict["faults"]] == [[moves[0], moves[0]], ["zz99"]]
    deep = make_line([*moves[:3], "zz99"])
    (fault,) = call(uid, "plan", state=state, plan=deep)["faults"]
    assert fault["path"] == [*moves[:3], "zz99"]
    assert fault["message"]
    assert fault["reason"] not in ("", "game-over")


@pytest.mark.parametrize("uid", UIDS)
def test_two_spellings_of_a_move_are_one_branch(uid: str, refused: Post) -> None:
    state, moves = views(uid)[2]["state"], list_next_moves(uid, 2, 2)
    answer = {"move": moves[1]}
    assert call(uid, "plan", state=state, plan={moves[0].upper(): answer})["plan"] == {
        moves[0]: answer | {"then": {}}
    }
    twice = {moves[0]: answer, moves[0].upper(): answer}
    (fault,) = call(uid, "plan", state=state, plan=twice)["faults"]
    assert (fault["reason"], fault["path"]) == ("same-branch", [moves[0].upper()])
    if uid == "control":
        refused("move", "invalid-request", state=state, move=moves[0], plan=twice)


def test_a_plan_that_does_not_fit_makes_no_ply(refused: Post) -> None:
    state, moves = views("control")[2]["state"], list_next_moves("control", 2, 2)
    for plan in ({moves[0]: {"move": moves[0]}}, {"zz99": {"move": moves[1]}}):
        problem = refused("move", "invalid-request", state=state, move=moves[0], plan=plan)
        assert "plan" in problem["errors"]


def test_a_plan_is_for_the_one_who_waits(refused: Post) -> None:
    view = views("control")[2]
    asked = {"state": view["state"], "plan": {}}
    assert call("control", "plan", **asked, player=3 - view["to_move"])["valid"]
    refused("plan", "invalid-request", **asked, player=view["to_move"])
    refused("plan", "stale-ply", **asked, expected_ply=1)
    refused("plan", "game-over", state=views("control")[-1]["state"], plan={})


def test_a_game_that_ends_within_a_branch() -> None:
    past = views("control")
    state, last = past[-2]["state"], past[-1]["lastmove"]
    (fault,) = call("control", "plan", state=state, plan={last: {"move": "a1"}})["faults"]
    assert (fault["reason"], fault["path"]) == ("game-over", [last, "a1"])
    state, before = past[-3]["state"], past[-2]["lastmove"]
    whole = {before: {"move": last}}
    assert call("control", "plan", state=state, plan=whole)["valid"]
    after = call("control", "move", state=state, move=before, plan=whole)
    assert (after["gameover"], after["plan"], len(after["applied"])) == (True, {}, 2)
    whole[before] |= {"then": {"a1": {"move": "a2"}}}
    (fault,) = call("control", "plan", state=state, plan=whole)["faults"]
    assert (fault["reason"], fault["path"]) == ("game-over", [before, last, "a1"])


#: A ply of the first recorded game at which there is one legal move, and none forced at the next.
FORCED = {"control": 76, "congeners": 30}


@pytest.mark.parametrize("uid", UIDS)
def test_what_is_forced_and_what_is_planned_go_together(uid: str) -> None:
    past, at = views(uid), FORCED[uid]
    assert call(uid, "moves", state=past[at]["state"])["count"] == 1
    before, moves = past[at - 2]["state"], list_next_moves(uid, at - 2, 3)
    plan = {moves[0]: {"move": moves[1], "then": {moves[2]: {"move": "zz99"}}}}
    stops = call(uid, "move", state=before, move=moves[0], plan=plan)
    assert [one["move"] for one in stops["applied"]] == moves[:2]
    assert stops["plan"] == plan[moves[0]]["then"]
    plan[moves[0]] = {"move": moves[1]}
    goes = call(uid, "move", state=before, move=moves[0], plan=plan, auto="forced")
    assert [(one["move"], one["auto"]) for one in goes["applied"][:3]] == [
        (moves[0], False),
        (moves[1], False),
        (moves[2], True),
    ]
    assert [one["player"] for one in goes["applied"][:3]] == [
        view["currplayer"] for view in past[at - 2 : at + 1]
    ]


@pytest.mark.parametrize("uid", UIDS)
def test_a_plan_may_spell_out_what_is_forced(uid: str) -> None:
    past, at = views(uid), FORCED[uid]
    state, moves = past[at - 1]["state"], list_next_moves(uid, at - 1, 2)
    for plan, is_forced in (({}, True), ({moves[0]: {"move": moves[1]}}, False)):
        after = call(uid, "move", state=state, move=moves[0], plan=plan, auto="forced")
        told = [(one["move"], one["auto"]) for one in after["applied"][:2]]
        assert told == [(moves[0], False), (moves[1], is_forced)]


@pytest.mark.parametrize(
    "plan",
    [
        None,
        [],
        "a1",
        {"a1": "b2"},
        {"a1": {}},
        {"a1": {"move": 1}},
        {"a1": {"move": "b2", "then": None}},
        {"a1": {"move": "b2", "more": 1}},
        {"a1": {"move": "b" * 4001}},
        {"a" * 4001: {"move": "b2"}},
        {f"a{one}": {"move": "b2"} for one in range(limits.PLAN_NODES + 1)},
        {
            "a1": {
                "move": "b2",
                "then": {f"a{one}": {"move": "b2"} for one in range(limits.PLAN_NODES)},
            }
        },
    ],
)
def test_what_is_no_plan(plan: Any, refused: Post) -> None:
    state = views("control")[2]["state"]
    refused("plan", "invalid-request", state=state, plan=plan)
    refused("move", "invalid-request", state=state, move="a1", plan=plan)


def nest_plan(answers: int) -> dict[str, Any]:
    """Return a plan of so many answers one after another, none of which can be played."""
    return make_line(["zz99"] * 2 * answers)


def test_a_plan_nests_as_deep_as_json_may(refused: Post, post: Post) -> None:
    state = views("control")[2]["state"]
    deepest = (limits.JSON_DEPTH - 2) // 2
    assert post("plan", state=state, plan=nest_plan(deepest))["count"] == 1
    for answers in (deepest + 1, 400):
        refused("plan", "not-json", state=state, plan=nest_plan(answers))


def test_a_plan_in_a_batch_nests_two_answers_less(client: FlaskClient) -> None:
    state = views("control")[2]["state"]
    for answers, status in ((29, 200), (30, 400)):
        body = {"state": state, "plan": nest_plan(answers)}
        calls = [{"game": "control", "operation": "plan", "body": body}]
        assert client.post("/v1/batch", json={"calls": calls}).status_code == status


def test_a_name_that_stands_twice_is_no_plan(client: FlaskClient) -> None:
    state = tight(views("control")[2]["state"])
    for twice in (
        '{"a1": {"move": "b2"}, "a1": {"move": "b3"}}',
        '{"a1": {"move": "b", "move": ""}}',
    ):
        body = f'{{"state": {state}, "plan": {twice}}}'
        answer = client.post("/v1/games/control/plan", data=body, content_type="application/json")
        assert (answer.status_code, orjson.loads(answer.data)["code"]) == (400, "not-json")


def test_faults_are_told_short_however_long_the_texts() -> None:
    past, padded = views("control"), " " * (limits.MOVE_CHARACTERS - 2)
    line = list_next_moves("control", 2, 20)
    branches = {f"zz{one}{padded[:-6]}": {"move": "b2"} for one in range(150)}
    plan: dict[str, Any] = branches
    for theirs, mine in reversed(list(zip(line[::2], line[1::2], strict=True))):
        plan = {f"{theirs}{padded}"[: limits.MOVE_CHARACTERS]: {"move": mine, "then": plan}}
    verdict = call("control", "plan", state=past[2]["state"], plan=plan)
    assert len(verdict["faults"]) == 150
    assert len(tight(verdict)) < 200_000


def test_a_plan_of_the_other_seat_has_nothing_to_answer() -> None:
    view, moves = views("control")[2], list_next_moves("control", 2, 3)
    plan = make_line(moves[1:])
    (fault,) = call("control", "plan", state=view["state"], plan=plan)["faults"][:1]
    assert fault["path"][:1] == moves[1:2]


def test_each_branch_is_what_making_its_moves_one_by_one_says() -> None:
    """A whole tree, two moves wide and three answers deep, against moves made alone."""
    uid, state = "congeners", views("congeners")[6]["state"]

    def grow(state: Any, depth: int) -> dict[str, Any]:
        if not depth:
            return {}
        grown = {}
        for theirs in call(uid, "moves", state=state, limit=40)["moves"][::20]:
            between = call(uid, "move", state=state, move=theirs)["state"]
            mine = call(uid, "random", state=between, seed=depth)["move"]
            after = call(uid, "move", state=between, move=mine)["state"]
            grown[theirs] = {"move": mine, "then": grow(after, depth - 1)}
        return grown

    plan = grow(state, 3)
    verdict = call(uid, "plan", state=state, plan=plan)
    assert (verdict["valid"], verdict["count"], verdict["plan"]) == (True, 14, plan)
    chosen = list(plan)[1]
    alone = call(uid, "move", state=state, move=chosen, timestamp=EXAMPLE_MOMENT)
    alone = call(
        uid, "move", state=alone["state"], move=plan[chosen]["move"], timestamp=EXAMPLE_MOMENT
    )
    both = call(uid, "move", state=state, move=chosen, plan=plan, timestamp=EXAMPLE_MOMENT)
    assert both["state"] == alone["state"]
    assert both["plan"] == plan[chosen]["then"]


def test_a_move_with_a_plan_is_answered_once_for_its_key(client: FlaskClient) -> None:
    state, moves = views("control")[2]["state"], list_next_moves("control", 2, 4)
    path, key = "/v1/games/control/move", {"Idempotency-Key": "a plan's"}
    asked = {"state": state, "move": moves[0], "plan": make_line(moves)}
    first, again = (client.post(path, json=asked, headers=key) for _ in range(2))
    assert (first.status_code, first.data) == (200, again.data)
    assert again.headers["Idempotency-Replayed"] == "true"
    other = client.post(path, json=asked | {"plan": {}}, headers=key)
    assert orjson.loads(other.data)["code"] == "idempotency-mismatch"


def test_two_hundred_answers_are_judged() -> None:
    state = views("control")[2]["state"]
    plan = {f"z{one}": {"move": "b2"} for one in range(limits.PLAN_NODES)}
    assert len(call("control", "plan", state=state, plan=plan)["faults"]) == limits.PLAN_NODES


def test_the_commands_judge_a_plan_and_follow_it() -> None:
    state, moves = views("control")[2]["state"], list_next_moves("control", 2, 2)

    def run(*words: str) -> Result:
        return CliRunner().invoke(main, list(words), input=state)

    plan, bad = tight(make_line(moves)), tight({moves[0]: {"move": "zz99"}})
    assert orjson.loads(run("plan", "-", plan).stdout)["plan"] == make_line(moves)
    assert run("plan", "-", bad).exit_code == 1
    for text in ("{", "\udcff", '{"a1": 1, "a1": 1}'):
        assert run("plan", "-", text).exit_code == 2
        assert run("move", "-", moves[0], "--plan", text).exit_code == 2
    after = orjson.loads(run("move", "-", moves[0], "--plan", plan).stdout)
    assert [one["move"] for one in after["applied"]] == moves
    assert run("move", "-", moves[0], "--plan", bad).exit_code == 1
    assert run("move", "-", moves[0], "--plan", "[]").exit_code == 1
