"""A legal move picked at random, and the record of a game that still runs."""

from collections import Counter

import pytest

from tests.conftest import Post
from tests.contract.test_every_game import UIDS, call, sampled, views


@pytest.mark.parametrize("uid", UIDS)
def test_a_random_move_is_legal_and_hangs_on_the_seed_alone(uid: str) -> None:
    for view in sampled(uid)[:-1]:
        asked = {"state": view["state"]}
        found = [call(uid, "random", **asked, seed=seed) for seed in (0, 1, 2, 2**53 - 1)]
        assert found == [call(uid, "random", **asked, seed=seed) for seed in (0, 1, 2, 2**53 - 1)]
        for one in (*found, call(uid, "random", **asked)):
            assert one["count"] == call(uid, "moves", **asked, limit=0)["count"]
            assert call(uid, "same", **asked, move=one["move"], other=one["move"])["same"]


def test_every_move_comes_up(post: Post) -> None:
    state = post("new", variants=["size-5"])["state"]
    seen = Counter(post("random", state=state, seed=seed)["move"] for seed in range(600))
    assert set(seen) == set(post("moves", state=state)["moves"])
    assert max(seen.values()) < 60


@pytest.mark.parametrize("uid", UIDS)
def test_a_game_that_is_over_has_no_random_move(uid: str, refused: Post) -> None:
    if uid == "control":
        refused("random", "game-over", state=views(uid)[-1]["state"])


@pytest.mark.parametrize("uid", UIDS)
def test_a_running_game_has_a_record_where_that_is_meant(uid: str, refused: Post) -> None:
    view, players = views(uid)[5], [{"name": "A"}, {"name": "B"}]
    told = {"state": view["state"], "gameid": "1", "players": players}
    if uid == "control":
        refused("record", "not-over", **told)
    record = call(uid, "record", **told, running=True)["record"]
    assert [text for both in record["moves"] for text in both] == [
        one["lastmove"] for one in views(uid)[1:6]
    ]
    assert [player["score"] for player in record["header"]["players"]] == view["scores"]
    assert not any("result" in player for player in record["header"]["players"])
    verdict = call(uid, "replay", record=record)
    assert (verdict["code"], verdict["plies_ok"]) == ("not-over", 5)
    assert verdict["view"]["lastmove"] == view["lastmove"]
