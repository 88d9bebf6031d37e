"""Keys, open addresses, signed pictures, proxies, and what an answer tells a browser."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from plyhost.web.app import create_app
from plyhost.web.config import Settings
from plyhost.web.gates import access
from tests.conftest import problem

KEY, OTHER = "ply_one-and-a-long-one", "ply_another-and-a-long-one"
KEYS = (("site", access.hash_caller_key(KEY)), ("other", access.hash_caller_key(OTHER)))
SECRET = "a secret of thirty-two characters"
OPEN = [
    *("/healthz", "/readyz", "/openapi.json", "/docs/", "/docs/errors"),
    "/schemas/v1-openapi.json",
]
CLOSED = ["/v1", "/v1/games", "/v1/games/control", "/metrics", "/v2"]
ALLOWED = "Access-Control-Allow-Origin"
PICTURE = "/v1/games/control/picture.svg?moves=a1"


def client(**settings: Any) -> FlaskClient:
    return create_app(Settings(**settings)).test_client()


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


@pytest.fixture(scope="module")
def keyed() -> FlaskClient:
    return client(api_keys=KEYS)


def test_health_documents_and_schemas_need_no_key(keyed: FlaskClient) -> None:
    for path in OPEN:
        assert keyed.get(path).status_code == 200, path
        assert keyed.get(path, headers=bearer("wrong")).status_code == 200, path


def test_all_else_needs_a_key(keyed: FlaskClient) -> None:
    for path in CLOSED:
        refused = keyed.get(path)
        problem(refused, "unauthorized")
        assert refused.headers["WWW-Authenticate"] == "Bearer"
        assert keyed.get(path, headers=bearer(KEY)).status_code in (200, 404), path
    for path in ("/v1/games/control/new", "/ap/control"):
        problem(keyed.post(path, json={"mode": "ping"}), "unauthorized")
        assert keyed.post(path, json={}, headers=bearer(OTHER)).status_code in (200, 400)


@pytest.mark.parametrize(
    "header",
    [
        *("", "Bearer", "Bearer ", f"Basic {KEY}", KEY, f"Bearer {KEY}x", f"Bearer {KEY[:-1]}"),
        *(f"Bearer {KEYS[0][1]}", "Bearer \xe9", f"Bearer {KEY} {OTHER}"),
    ],
)
def test_what_is_no_key_is_refused(keyed: FlaskClient, header: str) -> None:
    problem(keyed.get("/v1", headers={"Authorization": header}), "unauthorized")


def test_a_key_is_known_by_its_callers_name() -> None:
    assert access.find_key_owner(KEYS, f"Bearer {KEY}") == "site"
    assert access.find_key_owner(KEYS, f"bearer  {OTHER} ") == "other"
    assert access.find_key_owner((), f"Bearer {KEY}") is None
    assert KEY not in str(KEYS)


def test_a_body_is_not_read_for_a_caller_without_a_key(keyed: FlaskClient) -> None:
    problem(keyed.post("/v1/games/control/new", data=b"{"), "unauthorized")


def test_where_anonymous_callers_are_let_in_a_wrong_key_is_still_refused() -> None:
    both = client(api_keys=KEYS, allow_anonymous=True, rate_limit="off")
    assert both.get("/v1").status_code == 200
    assert both.get("/v1", headers=bearer(KEY)).status_code == 200
    problem(both.get("/v1", headers=bearer("wrong")), "unauthorized")


def test_without_keys_any_header_is_passed_over() -> None:
    assert client().get("/v1", headers=bearer("any")).status_code == 200


def test_pages_can_be_left_out() -> None:
    bare = client(api_keys=KEYS, docs=False, playground=False)
    for path in ("/docs/", "/docs/errors", "/docs/swagger-ui-bundle.js", "/playground", "/"):
        assert bare.get(path).status_code == 404, path
    for path in ("/healthz", "/openapi.json", "/schemas/v1-openapi.json"):
        assert bare.get(path).status_code == 200, path


# --- pictures -----------------------------------------------------------------------------------


def test_pictures_need_a_key_a_signature_or_to_be_public(keyed: FlaskClient) -> None:
    problem(keyed.get(PICTURE), "unauthorized")
    opened = keyed.get(PICTURE, headers=bearer(KEY))
    assert opened.status_code == 200
    assert opened.cache_control.private
    assert not opened.cache_control.public
    public = client(api_keys=KEYS, public_pictures=True)
    assert public.get(PICTURE).status_code == 200
    assert public.get(PICTURE).cache_control.public
    for path in ("/v1", "/v1/games/picture.svg", "/ap/picture.svg", f"/x{PICTURE}"):
        problem(public.get(path), "unauthorized")


def test_a_signed_address_opens_the_picture_and_nothing_else() -> None:
    site = client(api_keys=KEYS, picture_secret=SECRET)
    assert site.get(access.sign_address(SECRET, PICTURE, 2**40)).status_code == 200
    bare = access.sign_address(SECRET, "/v1/games/control/picture.svg", 2**40)
    assert site.get(bare).status_code != 401
    problem(site.get(access.sign_address(SECRET, "/v1/games", 2**40)), "unauthorized")
    problem(site.get(access.sign_address(SECRET, PICTURE, 1)), "unauthorized")
    problem(site.get(access.sign_address(SECRET + "!", PICTURE, 2**40)), "unauthorized")


def test_whoever_changes_a_signed_address_is_refused() -> None:
    signed = access.sign_address(SECRET, PICTURE, 1000)
    path, _, query = signed.partition("?")
    assert access.is_signed_address(SECRET, path, query, 999)
    assert not access.is_signed_address(SECRET, path, query, 1000)
    assert not access.is_signed_address("", path, query, 999)
    for wrong in (
        query.replace("a1", "a2"),
        query.replace("expires=1000", "expires=9999"),
        query + "&moves=a2",
        query + "x",
        query[:-1],
        query.replace("&signature=", "&signature=&signature="),
        query.partition("&signature=")[0],
        "",
    ):
        assert not access.is_signed_address(SECRET, path, wrong, 999), wrong
    assert not access.is_signed_address(SECRET, path.replace("svg", "png"), query, 999)


@pytest.mark.parametrize(
    "expires",
    ["9" * 16, "9" * 5000, "-1", "+9", "9.5", "1e15", "", "%C2%B2", "%D9%A3" * 12, "9_9", "9%0A"],
    ids=lambda expires: expires[:8] or "none",
)
def test_an_end_that_is_no_plain_number_opens_nothing(expires: str) -> None:
    site = client(api_keys=KEYS, picture_secret=SECRET)
    address = f"{PICTURE}{'&' if '?' in PICTURE else '?'}expires={expires}"
    signed = f"{address}&signature={access._compute_signature(SECRET, address)}"
    problem(site.get(signed), "unauthorized")


# --- what a browser is told ---------------------------------------------------------------------


def test_every_answer_carries_headers_that_protect_who_opens_it(keyed: FlaskClient) -> None:
    for path in [*OPEN, *CLOSED]:
        headers = keyed.get(path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert len(headers.getlist("Content-Security-Policy")) == 1
        assert "default-src" in headers["Content-Security-Policy"]
    assert "'none'" in keyed.get("/v1").headers["Content-Security-Policy"]


def test_pages_of_other_origins_may_not_call_unless_they_are_named() -> None:
    origin = {"Origin": "https://site.example"}
    asking = origin | {"Access-Control-Request-Method": "POST"}
    path = "/v1/games/control/new"
    shut = client()
    assert ALLOWED not in shut.get("/v1", headers=origin).headers
    assert ALLOWED not in shut.options(path, headers=asking).headers
    named = client(api_keys=KEYS, cors_origins=("https://site.example",))
    allowed = named.options(path, headers=asking)
    assert allowed.status_code == 204
    assert allowed.headers[ALLOWED] == "https://site.example"
    assert "Idempotency-Key" in allowed.headers["Access-Control-Allow-Headers"]
    answered = named.get("/v1", headers=origin | bearer(KEY)).headers
    assert answered[ALLOWED] == "https://site.example"
    assert "Origin" in answered.getlist("Vary")
    foreign = {"Origin": "https://site.example.evil.example"}
    assert ALLOWED not in named.get("/v1", headers=foreign).headers
    assert ALLOWED not in named.options(path, headers=asking | foreign).headers
    anyone = client(cors_origins=("*",)).get("/v1", headers=foreign).headers
    assert anyone[ALLOWED] == "*"
    assert "Access-Control-Allow-Credentials" not in anyone


def test_an_address_that_a_proxy_tells_is_believed_from_named_proxies_alone() -> None:
    told = {"X-Forwarded-For": "9.9.9.9, 192.0.2.7"}
    for proxies, counted in (((), {"10.0.0.1"}), (("10.0.0.0/8",), {"192.0.2.7", "10.0.0.1"})):
        site = client(rate_limit="1/minute", trusted_proxies=proxies)
        fixed = {"REMOTE_ADDR": "10.0.0.1"}
        first = site.get("/v1", headers=told, environ_overrides=fixed)
        second = site.get("/v1", environ_overrides=fixed)
        assert first.status_code == 200
        assert (second.status_code == 200) == (len(counted) == 2)
