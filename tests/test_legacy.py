import json
import random
from itertools import pairwise
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

import schemas
from plugin import archive, clock, codec, contract, legacy_http, legacy_metadata, limits, registry
from plugin.app import create
from plugin.legacy import MODES, Refused, answer
from plugin.legacy_state import opened, sealed
from schemas.v2018 import REQUESTS

GAMES = list(registry.games())
USERS = ["u-7f3a", "Zoë <b>"]
LONGEST_PLAYOUT = 300

PUBLISHED = Path(schemas.__file__).parent / "published"
NAMES = ("request", "response", "report")
DOCUMENTS = {
    name: json.loads((PUBLISHED / f"2018-{name}.schema.json").read_text()) for name in NAMES
}
STORE = Registry().with_resources(
    (document["$id"], Resource.from_contents(document)) for document in DOCUMENTS.values()
)


def validator(name, part=""):
    where = {"$ref": DOCUMENTS[name]["$id"] + part}
    return Draft202012Validator(where, registry=STORE)


REQUEST = validator("request")
REFUSAL = validator("response", "#/$defs/refusal")
ANSWER = {
    "ping": validator("response", "#/$defs/ping"),
    "metadata": validator("response", "#/$defs/metadata"),
    "init": validator("response", "#/$defs/turn"),
    "move": validator("response", "#/$defs/turn"),
    "archive": validator("report"),
}


@pytest.fixture(scope="module")
def client():
    app = create()
    if "/ap/<uid>" not in {rule.rule for rule in app.url_map.iter_rules()}:
        app.register_blueprint(legacy_http.blueprint())
    return app.test_client()


@pytest.fixture
def ask(client):
    """Post a request of the published form; hold the answer against its published schema."""

    def post(uid, mode, **fields):
        body = {"mode": mode, **fields}
        REQUEST.validate(body)
        response = client.post(f"/ap/{uid}", json=body)
        assert response.status_code == 200, response.text
        ANSWER[mode].validate(response.json)
        validator("response").validate(response.json)
        return response.json

    return post


@pytest.fixture
def refuse(client):
    """Post something bad; return the message of the 400."""

    def post(uid, body, **sent):
        sent = sent or {"json": body}
        response = client.post(f"/ap/{uid}", **sent)
        assert response.status_code == 400, response.text
        return refusal(response)

    return post


def refusal(response):
    assert response.mimetype == "application/json"
    REFUSAL.validate(response.json)
    validator("response").validate(response.json)
    for trace in ("Traceback", 'File "', ".py", "Error", "Exception", " object at 0x"):
        assert trace not in response.text
    message = response.json["message"]
    assert "<" not in message
    assert len(message) < 3000
    return message


def moved(state, player, move):
    return {"mode": "move", "state": state, "player": player, "move": move}


def inner(state):
    return opened(state)[1]


def some_moves(game, state):
    found = contract.moves(game, {"state": inner(state), "offset": 0, "limit": 150, "prefix": ""})
    return found["moves"]


def play(ask, uid, variants=(), seed=1, longest=LONGEST_PLAYOUT):
    """Play a game to its end, by resignation if it takes too long; return every answer."""
    game, chance = registry.game(uid), random.Random(seed)
    turns = [ask(uid, "init", players=USERS, variants=list(variants))]
    while turns[-1]["whoseturn"]:
        (player,) = turns[-1]["whoseturn"]
        state = turns[-1]["state"]
        move = chance.choice(some_moves(game, state)) if len(turns) <= longest else "resign"
        turns.append(ask(uid, "move", player=player, state=state, move=move))
    return turns


@pytest.fixture(scope="module", params=GAMES)
def finished(request, client):
    """A game's uid and every answer of one game of it, the last one over."""

    def post(uid, mode, **fields):
        return client.post(f"/ap/{uid}", json={"mode": mode, **fields}).json

    return request.param, play(post, request.param, seed=3)


# The published schemas


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_strict(name):
    document = DOCUMENTS[name]
    Draft202012Validator.check_schema(document)
    assert document["$id"] == f"/schemas/2018-{name}.schema.json"

    def objects(value):
        if isinstance(value, dict):
            if "properties" in value and value.get("type") == "object":
                yield value
            value = list(value.values())
        for one in value if isinstance(value, list) else ():
            yield from objects(one)

    found = list(objects(document))
    assert found
    assert all(one["additionalProperties"] is False for one in found)


def test_published_limits_are_ours():
    parts = DOCUMENTS["request"]["$defs"]
    assert parts["user"]["maxLength"] == limits.NAME_CHARACTERS
    assert parts["state"]["maxLength"] == limits.STATE_BYTES
    assert parts["move"]["properties"]["move"]["maxLength"] == limits.MOVE_CHARACTERS
    assert parts["archive"]["properties"]["states"]["maxItems"] == limits.PLIES + 1
    assert {f"#/$defs/{mode}" for mode in REQUESTS} == {
        one["$ref"] for one in DOCUMENTS["request"]["oneOf"]
    }
    assert set(REQUESTS) == set(MODES) == set(ANSWER)


INIT = {"mode": "init", "players": ["a", "b"]}
MOVE = {"mode": "move", "player": "a", "move": "d4", "state": "{}"}
ARCHIVE = {"mode": "archive", "states": ["{}"]}
TOLD = {"event": "Cup", "round": "2", "site": "Here", "gameid": "g1"}
WELL_FORMED = [
    {"mode": "ping"},
    {"mode": "metadata"},
    INIT,
    {**INIT, "variants": ["size-5", "#board"]},
    MOVE,
    {**MOVE, "move": ""},
    ARCHIVE,
    {**ARCHIVE, **TOLD, "players": [{"name": "Ann"}, {"is_ai": True}]},
]
MALFORMED = [
    {},
    [],
    "ping",
    {"mode": 1},
    {"mode": "PING"},
    {"mode": "undo"},
    {"mode": "ping", "state": "x"},
    {"mode": "init"},
    {**INIT, "players": "ab"},
    {**INIT, "players": ["a"]},
    {**INIT, "players": ["a", "b", "c"]},
    {**INIT, "players": ["a", "a"]},
    {**INIT, "players": ["a", ""]},
    {**INIT, "players": ["a", 2]},
    {**INIT, "players": ["a", None]},
    {**INIT, "players": ["a", "b" * 201]},
    {**INIT, "variants": None},
    {**INIT, "variants": "size-5"},
    {**INIT, "variants": [5]},
    {**INIT, "variants": ["size-5"] * 17},
    {**INIT, "<img>": 1},
    {**MOVE, "player": 1},
    {**MOVE, "player": ""},
    {**MOVE, "move": None},
    {**MOVE, "move": "d" * 4001},
    {**MOVE, "state": {}},
    {**MOVE, "expected_ply": 1},
    {key: MOVE[key] for key in ("mode", "player", "move")},
    {"mode": "archive"},
    {**ARCHIVE, "states": []},
    {**ARCHIVE, "states": "{}"},
    {**ARCHIVE, "states": [{}]},
    {**ARCHIVE, "round": 2},
    {**ARCHIVE, "players": [{}]},
    {**ARCHIVE, "players": [{}, {"is_ai": "yes"}]},
    {**ARCHIVE, "players": [{}, {"userid": "b"}]},
]


@pytest.mark.parametrize("body", WELL_FORMED)
def test_well_formed_requests_are_read(body):
    REQUEST.validate(body)
    REQUESTS[body["mode"]].load(body)


@pytest.mark.parametrize("body", MALFORMED)
def test_malformed_requests_are_refused_by_code_and_schema_alike(refuse, body):
    assert not REQUEST.is_valid(body)
    assert refuse(GAMES[0], body)


# The modes


@pytest.mark.parametrize("uid", GAMES)
def test_ping_changes_with_the_engine(ask, uid, monkeypatch):
    before = ask(uid, "ping")
    assert before == ask(uid, "ping")
    assert before["state"] == ask(uid, "metadata")["state"]
    with monkeypatch.context() as patched:
        patched.setattr(registry.Path, "read_bytes", lambda path: b"another engine")
        registry.token.cache_clear()
        assert ask(uid, "ping") != before
    registry.token.cache_clear()
    assert ask(uid, "ping") == before


@pytest.mark.parametrize("uid", GAMES)
@pytest.mark.parametrize("mode", ["ping", "metadata"])
def test_a_form_is_read_as_json_is(client, ask, uid, mode):
    response = client.post(f"/ap/{uid}", data={"mode": mode})
    assert response.request.mimetype == "application/x-www-form-urlencoded"
    assert response.status_code == 200
    assert response.json == ask(uid, mode)


@pytest.mark.parametrize("uid", GAMES)
def test_metadata_is_what_init_takes(ask, uid):
    told = ask(uid, "metadata")
    info = registry.game(uid).info
    assert told["playercounts"] == [2]
    assert told["description"].startswith(info.description + "\n\n--\n\n")
    assert len(told["description"].encode()) < 65535
    assert info.version in told["changelog"]
    for offered, variant in zip(told["variants"], info.variants, strict=True):
        boards = {
            json.dumps(ask(uid, "init", players=USERS, variants=[name])["renderrep"])
            for name in (offered["name"], variant.name)
        }
        assert len(boards) == 1
        assert offered["note"].startswith(variant.name)


@pytest.mark.parametrize(
    ("versions", "number"),
    [(("20240909",), 20240909), (("0",), 1), (("1.0", "1.1"), 2), (("x",), 1), (("²",), 1)],
)
def test_version_is_a_number_from_one(versions, number):
    info = registry.game(GAMES[0]).info
    fake = type("Fake", (), {"versions": versions, "version": versions[-1]})
    assert legacy_metadata.version(fake) == number
    assert type(legacy_metadata.version(info)) is int


@pytest.mark.parametrize("uid", GAMES)
def test_init_begins_with_the_first_player(ask, uid):
    turn = ask(uid, "init", players=USERS)
    assert turn["whoseturn"] == USERS[:1]
    assert turn["chat"] == ""
    assert opened(turn["state"])[0] == USERS


def test_a_game_is_that_of_contract_version_1(finished):
    uid, turns = finished
    game = registry.game(uid)
    final = codec.load(game, inner(turns[-1]["state"]))
    steps = list(final.walk())
    assert len(steps) == len(turns)
    for step, turn in zip(steps, turns, strict=True):
        view = contract.at(game, {"state": inner(turn["state"]), "ply": -1, "include": ["render"]})
        assert view["ply"] == step.ply
        assert turn["renderrep"] == view["render"]
        assert turn["whoseturn"] == ([] if step.is_over else [USERS[step.position.seat - 1]])
        assert json.loads(turn["state"])["state"].startswith("p1:")
        assert len(turn["state"]) < 4000
    shown = [line.replace("Zoë &lt;b&gt;", "Player 2") for line in chat_of(turns)]
    log = contract.past(game, {"state": inner(turns[-1]["state"])})["chat"]
    assert [line.replace(USERS[0], "Player 1") for line in shown] == [
        "\n".join(lines[1:]) for lines in log
    ]


def chat_of(turns):
    return [turn["chat"] for turn in turns[1:]]


@pytest.mark.parametrize("uid", GAMES)
@pytest.mark.parametrize("kept", ["last", "all"])
def test_a_whole_game_is_archived_and_its_report_replayed(ask, uid, kept):
    game = registry.game(uid)
    for seed, variant in enumerate(game.info.variants):
        turns = play(ask, uid, [variant.uid], seed, longest=120)
        states = [turn["state"] for turn in turns]
        report = ask(uid, "archive", states=states if kept == "all" else states[-1:])
        header = report["header"]
        steps = list(codec.load(game, inner(states[-1])).walk())
        assert header["game"] == {"name": game.info.name, "variants": [variant.name]}
        assert (header["event"], header["round"]) == ("", "")
        assert header["site"] == {"name": "Abstract Play"}
        assert [one["userid"] for one in header["players"]] == USERS
        assert [one["name"] for one in header["players"]] == USERS
        assert [one["pieces"] for one in header["players"]] == game.colours(steps[-1].position)
        assert header["date-start"] == steps[0].timestamp
        assert header["date-end"] == steps[-1].timestamp
        assert [text for both in report["moves"] for text in both] == [
            step.text for step in steps[1:]
        ]
        assert_replays(game, report, steps[-1])


def assert_replays(game, report, last):
    source = archive.read_record(game, report, clock.now())
    replayed = archive.replay(game, source, "compact")
    assert replayed.verdict == archive.passed(last.ply)
    assert replayed.state.last.position == last.position
    assert replayed.state.last.winner == last.winner
    request = {"record": report, "form": "compact"}
    assert contract.replay(game, request)["ok"]


def test_a_report_carries_what_the_site_knows(ask, finished):
    uid, turns = finished
    players = [{"name": "Ann"}, {"is_ai": True}]
    report = ask(uid, "archive", states=[turns[-1]["state"]], players=players, **TOLD)
    header = report["header"]
    assert (header["event"], header["round"]) == ("Cup", "2")
    assert header["site"] == {"name": "Here", "gameid": "g1"}
    assert [one["name"] for one in header["players"]] == ["Ann", USERS[1]]
    assert [one["is_ai"] for one in header["players"]] == [False, True]
    assert [one["userid"] for one in header["players"]] == USERS


# What the first implementations got wrong


def test_a_finished_game_reloads_as_finished(refuse, finished):
    uid, turns = finished
    state = turns[-1]["state"]
    assert codec.load(registry.game(uid), inner(state)).last.is_over
    for player in USERS:
        for move in ("d4", "resign", "pass"):
            assert "over" in refuse(uid, moved(state, player, move))


def test_whoseturn_is_empty_when_the_game_is_over(finished):
    _, turns = finished
    assert turns[-1]["whoseturn"] == []
    assert all(len(turn["whoseturn"]) == 1 for turn in turns[:-1])


@pytest.mark.parametrize("uid", GAMES)
def test_version_is_no_string(ask, uid):
    assert type(ask(uid, "metadata")["version"]) is int
    assert not ANSWER["metadata"].is_valid({**ask(uid, "metadata"), "version": "1.0.0"})


@pytest.mark.parametrize("uid", GAMES)
def test_renderrep_is_no_string(ask, uid):
    turn = ask(uid, "init", players=USERS)
    assert isinstance(turn["renderrep"], dict)
    drawn = json.dumps(turn["renderrep"])
    assert not ANSWER["init"].is_valid({**turn, "renderrep": drawn})


@pytest.mark.parametrize("uid", GAMES)
def test_user_ids_stay_what_they_are(ask, uid):
    users = ["007", " 7 "]
    assert ask(uid, "init", players=users)["whoseturn"] == ["007"]


@pytest.mark.parametrize("uid", GAMES)
def test_archive_is_there(ask, uid):
    over = ask(uid, **moved(ask(uid, "init", players=USERS)["state"], USERS[0], "resign"))
    assert ask(uid, "archive", states=[over["state"]])["moves"] == [["resign"]]


@pytest.mark.parametrize("uid", GAMES)
def test_refusals_show_nothing_of_the_inside(ask, refuse, uid):
    state = ask(uid, "init", players=USERS)["state"]
    for bad in ("", "zz9", "d4x", "<script>", "é", "K4", "d4" * 1000, "\x00"):
        assert refuse(uid, moved(state, USERS[0], bad))
    for bad in ("", "{}", "[]", "null", "1", "p1:", "gz:", "\x00", '{"a":1,"a":2}', "[" * 5000):
        assert refuse(uid, moved(bad, USERS[0], "d4"))
        assert refuse(uid, {"mode": "archive", "states": [bad]})


def test_a_fault_of_ours_shows_nothing_of_the_inside(client, monkeypatch):
    def fault(game, request):
        raise RuntimeError("secret of the inside")

    monkeypatch.setitem(MODES, "ping", fault)
    response = client.post(f"/ap/{GAMES[0]}", json={"mode": "ping"})
    assert response.status_code == 500
    assert "secret" not in response.text
    assert "Traceback" not in response.text


# Moves


@pytest.mark.parametrize("uid", GAMES)
def test_only_the_player_on_move_may_move(ask, refuse, uid):
    game = registry.game(uid)
    state = ask(uid, "init", players=USERS)["state"]
    (move, *_) = some_moves(game, state)
    shown = "Zoë &lt;b&gt;"
    assert refuse(uid, moved(state, USERS[1], move)) == f"{USERS[0]} is to move, not {shown}."
    assert refuse(uid, moved(state, "x<y", move)) == "x&lt;y does not play in this game."
    after = ask(uid, "move", state=state, player=USERS[0], move=move)
    assert after["whoseturn"] == [USERS[1]]
    assert refuse(uid, moved(after["state"], USERS[0], move))


@pytest.mark.parametrize("uid", GAMES)
@pytest.mark.parametrize("word", ["resign", "timeout", " Resign "])
@pytest.mark.parametrize("loser", [0, 1])
def test_either_player_may_give_up_on_any_turn(ask, uid, word, loser):
    state = ask(uid, "init", players=USERS)["state"]
    over = ask(uid, "move", state=state, player=USERS[loser], move=word)
    assert over["whoseturn"] == []
    assert len(over["chat"].splitlines()) == 3
    report = ask(uid, "archive", states=[state, over["state"]])
    results = [one["result"] for one in report["header"]["players"]]
    assert results == ([0, 1] if loser == 0 else [1, 0])
    last = codec.load(registry.game(uid), inner(over["state"])).last
    assert_replays(registry.game(uid), report, last)


@pytest.mark.parametrize("uid", GAMES)
def test_one_player_cannot_agree_for_two(ask, refuse, uid):
    state = ask(uid, "init", players=USERS)["state"]
    for word in ("draw", "abandoned", "settle"):
        assert "more than one player" in refuse(uid, moved(state, USERS[0], word))
    assert "0 times" in refuse(uid, moved(state, USERS[1], "repetition"))


# The state string


@pytest.mark.parametrize("uid", GAMES)
def test_damage_to_a_state_is_refused(ask, uid):
    state = ask(uid, "init", players=USERS)["state"]
    (move, *_) = some_moves(registry.game(uid), state)
    state = ask(uid, "move", state=state, player=USERS[0], move=move)["state"]
    for at, mark in enumerate(state):
        for changed in ("", "0" if mark != "0" else "1", mark + "x", mark.swapcase()):
            damaged = state[:at] + changed + state[at + 1 :]
            if damaged != state:
                with pytest.raises(Refused):
                    answer(uid, moved(damaged, USERS[1], "resign"))


@pytest.mark.parametrize("uid", GAMES)
def test_a_state_of_another_kind_is_refused(ask, refuse, uid):
    state = ask(uid, "init", players=USERS)["state"]
    parts = json.loads(state)
    for wrong in (
        inner(state),
        sealed(USERS, "p1:chess::1::AAAA"),
        sealed(["a", "a"], inner(state)),
        sealed(["a"], inner(state)),
        json.dumps({**parts, "players": USERS[::-1]}),
        json.dumps({**parts, "more": 1}),
        json.dumps({**parts, "state": {}}),
    ):
        assert refuse(uid, moved(wrong, USERS[0], "resign"))
    newer = json.dumps({**parts, "format": "ap2"})
    assert refuse(uid, moved(newer, USERS[0], "resign")) == "format: ap2 is not ap1"


@pytest.mark.parametrize("uid", GAMES)
def test_a_full_state_inside_is_kept(ask, refuse, uid):
    game = registry.game(uid)
    state = contract.new(game, {"variants": [], "form": "full-string"})["state"]
    states = [sealed(USERS, state)]
    for player, move in ((0, some_moves(game, states[0])[0]), (0, "resign")):
        turn = ask(uid, "move", state=states[-1], player=USERS[player], move=move)
        states.append(turn["state"])
    assert codec.load(game, inner(states[-1])).form == "full-string"
    assert ask(uid, "archive", states=states)["moves"][0][1] == "resign"
    zipped = sealed(USERS, codec.zipped(state.encode()))
    assert "gzip" in refuse(uid, moved(zipped, USERS[0], "resign"))


@pytest.mark.parametrize("one", GAMES)
@pytest.mark.parametrize("other", GAMES)
def test_a_state_belongs_to_its_game(ask, refuse, one, other):
    state = ask(one, "init", players=USERS)["state"]
    if one != other:
        assert refuse(other, moved(state, USERS[0], "resign"))


def test_archived_states_must_be_one_game_in_order(ask, refuse, finished):
    uid, turns = finished
    states = [turn["state"] for turn in turns]
    others = [turn["state"] for turn in play(ask, uid, seed=4, longest=6)]
    strangers = sealed(["x", "y"], inner(states[0]))
    for bad in (
        states[:-1],
        states[::-1],
        [states[1], states[0], states[-1]],
        [states[0], states[0], states[-1]],
        [states[-1], states[-1]],
        [others[3], states[-1]],
        [strangers, states[-1]],
        [states[0], others[3], states[-1]],
        [*states[:5], others[5][:-3], states[-1]],
    ):
        assert refuse(uid, {"mode": "archive", "states": bad})
    assert ask(uid, "archive", states=[*states[1:9:2], states[-1]])


def test_another_way_to_the_same_position_is_another_game(ask, refuse):
    game, at = registry.game("control"), "2026-01-31T09:30:00.000Z"

    def after(*moves):
        fixed = {"timestamp": at, "auto": "none"}
        state = contract.new(game, {"variants": ["size-5"], "form": "compact", **fixed})["state"]
        for text in moves:
            state = contract.move(game, {"state": state, "move": text, **fixed})["state"]
        return sealed(USERS, state)

    mine, other = after("a1", "i5", "a5", "i1"), after("a5", "i5", "a1", "i1")
    one, another = (codec.load(game, inner(state)).last for state in (mine, other))
    assert one == another
    over = ask("control", "move", state=mine, player=USERS[0], move="resign")["state"]
    ask("control", "archive", states=[mine, over])
    why = refuse("control", {"mode": "archive", "states": [other, over]})
    assert why == "states.0: is not of the game that ends with the last one"


def test_a_forged_history_is_not_archived(ask, refuse, finished):
    uid, turns = finished
    game = registry.game(uid)
    view = contract.convert(
        game, {"state": inner(turns[-1]["state"]), "form": "full-string", "normalise": False}
    )
    forged = json.loads(view["state"])
    forged["stack"][2]["lastmove"] = "a9"
    assert refuse(uid, {"mode": "archive", "states": [sealed(USERS, json.dumps(forged))]})


# Over HTTP


def test_a_refusal_tells_what_was_asked(client):
    body = {"mode": "init", "players": ["a", "<b>&"], "variants": ["<i>"]}
    response = client.post(f"/ap/{GAMES[0]}", json=body)
    assert "&lt;i&gt;" in refusal(response)
    assert "<" not in response.json["request"]
    assert json.loads(response.json["request"]) == body


@pytest.mark.parametrize(
    "sent",
    [
        {"data": b"", "content_type": "application/json"},
        {"data": b"{", "content_type": "application/json"},
        {"data": b'{"mode":"ping","mode":"ping"}', "content_type": "application/json"},
        {"data": b'{"mode":"\xff"}', "content_type": "application/json"},
        {"data": b'{"mode":"\\ud800"}', "content_type": "application/json"},
        {"data": b'{"mode":1e999}', "content_type": "application/json"},
        {"data": b"[" * 100_000, "content_type": "application/json"},
        {"data": b'{"mode":"ping"}', "content_type": "text/<b>"},
        {"data": b'{"mode":"ping"}'},
        {"data": b'{"mode":"ping"}', "content_type": "text/plain"},
        {"data": {"mode": "init"}},
        {"data": {"mode": "ping", "more": "1"}},
        {"data": b"\xff", "content_type": "application/x-www-form-urlencoded"},
        {"data": b"a&" * 50, "content_type": "application/x-www-form-urlencoded"},
        {"data": {"mode": "ping"}, "content_type": "multipart/form-data"},
        {"json": {"mode": "ping"}, "headers": {"Content-Encoding": "gzip"}},
        {"data": b" " * (limits.BODY_BYTES + 1), "content_type": "application/json"},
        {"data": b" " * (limits.BODY_BYTES + 2), "content_type": "application/json"},
    ],
)
def test_an_unreadable_body_is_refused(refuse, sent):
    assert refuse(GAMES[0], None, **sent)


def test_an_unknown_game_is_refused(refuse):
    assert refuse("ch<ess", {"mode": "ping"}) == "There is no game ch&lt;ess here."


def test_a_long_body_is_not_sent_back_whole(client):
    body = {"mode": "move", "player": "a", "move": "d4", "state": "x" * 1_000_000}
    response = client.post(f"/ap/{GAMES[0]}", json=body)
    refusal(response)
    assert len(response.data) < 10_000


def test_the_core_needs_no_transport():
    with pytest.raises(Refused, match="must be an object"):
        answer(GAMES[0], None)
    turns = [answer(GAMES[0], {"mode": "init", "players": USERS})]
    turns.append(answer(GAMES[0], moved(turns[0]["state"], USERS[1], "resign")))
    assert [turn["whoseturn"] for turn in turns] == [USERS[:1], []]
    assert all(one["state"] != other["state"] for one, other in pairwise(turns))
