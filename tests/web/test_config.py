"""Settings: one table, read from the environment, refused when they cannot be meant."""

import subprocess
from dataclasses import fields
from typing import Any

import pytest

from plyhost.web import config
from plyhost.web.config import Misconfigured, Settings, format_variable_name, load_settings
from plyhost.web.gates import access
from plyhost.web.gates.rates import WEIGHTS
from tests.tools import ROOT, commands

NAMES = [format_variable_name(one) for one in fields(Settings)]
HASH = access.hash_caller_key("a key")
SECRET = "a secret of thirty-two characters"

#: For each setting texts that are taken, with what they mean, and texts that are not.
GOOD: dict[str, dict[str, Any]] = {
    "PLYHOST_HOST": {"0.0.0.0": "0.0.0.0"},
    "PLYHOST_PORT": {"1": 1, "65535": 65535},
    "PLYHOST_WORKERS": {"1": 1, "256": 256},
    "PLYHOST_THREADS": {"1": 1, "256": 256},
    "PLYHOST_REQUEST_SECONDS": {"0.01": 0.01, "300": 300.0},
    "PLYHOST_THINKERS": {"0": 0, "64": 64},
    "PLYHOST_REDIS_URL": {
        "redis://:pass@host:6379/0": "redis://:pass@host:6379/0",
        "unix:///run/redis.sock": "unix:///run/redis.sock",
    },
    "PLYHOST_MEMORY_MB": {"1": 1, "4096": 4096},
    "PLYHOST_IDEMPOTENCY_SECONDS": {"1": 1, "86400": 86400},
    "PLYHOST_API_KEYS": {
        f"site:{HASH}": (("site", HASH),),
        f" a:{HASH},\n b:{HASH} ": (("a", HASH), ("b", HASH)),
    },
    "PLYHOST_ALLOW_ANONYMOUS": {"1": True, "true": True, "0": False, "off": False},
    "PLYHOST_RATE_LIMIT": {"off": "off", "10/second;600/minute": "10/second;600/minute"},
    "PLYHOST_PUBLIC_PICTURES": {"yes": True, "no": False},
    "PLYHOST_PICTURE_SECRET": {"s" * 32: "s" * 32},
    "PLYHOST_TRUSTED_PROXIES": {"10.0.0.0/8, ::1": ("10.0.0.0/8", "::1")},
    "PLYHOST_PLAYGROUND": {"1": True, "off": False},
    "PLYHOST_DOCS": {"1": True, "off": False},
    "PLYHOST_HOSTS": {"Games.example, [::1]": ("games.example", "[::1]"), "*": ("*",)},
    "PLYHOST_CORS_ORIGINS": {"https://a.example http://[::1]:80": None, "*": ("*",)},
    "PLYHOST_STRICT_GAMES": {"1": True, "off": False},
    "PLYHOST_LOG_LEVEL": {"DEBUG": "debug", "error": "error"},
}
BAD: dict[str, list[str]] = {
    "PLYHOST_PORT": ["0", "65536", "-1", "80.0", "http", "tcp:80"],
    "PLYHOST_WORKERS": ["0", "257", "1e2"],
    "PLYHOST_THREADS": ["0", "257"],
    "PLYHOST_REQUEST_SECONDS": ["0.009", "301", "nan", "inf", "1e1"],
    "PLYHOST_THINKERS": ["-1", "65", "off"],
    "PLYHOST_REDIS_URL": ["localhost:6379", "http://host", "redis://", "redis://host:99999"],
    "PLYHOST_MEMORY_MB": ["0", "4097"],
    "PLYHOST_IDEMPOTENCY_SECONDS": ["0", "86401"],
    "PLYHOST_API_KEYS": ["a-key-in-plain", f"{HASH}", f"a:{HASH}0", f"a:{HASH},a:{HASH}", ":x"],
    "PLYHOST_ALLOW_ANONYMOUS": ["2", "maybe"],
    "PLYHOST_RATE_LIMIT": ["12", "0/minute", "many", "5/fortnight"],
    "PLYHOST_PUBLIC_PICTURES": ["png"],
    "PLYHOST_PICTURE_SECRET": ["s" * 31],
    "PLYHOST_TRUSTED_PROXIES": ["proxy", "10.0.0.1/8"],
    "PLYHOST_PLAYGROUND": ["2"],
    "PLYHOST_DOCS": ["none"],
    "PLYHOST_HOSTS": ["https://a.example", "a.example:80", "a_b"],
    "PLYHOST_CORS_ORIGINS": ["site.example", "https://a.example/path", "https://a b"],
    "PLYHOST_STRICT_GAMES": ["all"],
    "PLYHOST_LOG_LEVEL": ["loud"],
}
INJECTED = {
    "PLYHOST_PORT": "tcp://10.0.0.1:8000",
    "PLYHOST_SERVICE_HOST": "10.0.0.1",
    "PLYHOST_SERVICE_PORT": "8000",
    "PLYHOST_SERVICE_PORT_HTTP": "8000",
    "PLYHOST_PORT_8000_TCP": "tcp://10.0.0.1:8000",
    "PLYHOST_PORT_8000_TCP_ADDR": "10.0.0.1",
    "PLYHOST_PORT_8000_TCP_PROTO": "tcp",
    "PLYHOST_REDIS_SERVICE_HOST": "10.0.0.2",
    "PLYHOST_REDIS_PORT": "tcp://10.0.0.2:6379",
    "PLYHOST_REDIS_PORT_6379_TCP_PORT": "6379",
}


def faults(environ: dict[str, str]) -> list[str]:
    with pytest.raises(Misconfigured) as caught:
        load_settings(environ)
    return caught.value.faults


def run(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    done = commands.run(*arguments, env=env)
    out, err = done.stdout.decode(), done.stderr.decode()
    return subprocess.CompletedProcess(arguments, done.returncode, out, err)


def test_every_setting_has_good_and_bad_texts_here() -> None:
    assert set(GOOD) == set(NAMES)
    assert set(BAD) == set(NAMES) - {"PLYHOST_HOST"}


@pytest.mark.parametrize("name", NAMES)
def test_a_setting_is_read_up_to_its_bounds_and_not_beyond(name: str) -> None:
    (field,) = (one.name for one in fields(Settings) if format_variable_name(one) == name)
    for text, meant in GOOD[name].items():
        read = getattr(load_settings({name: text}), field)
        assert read == meant or meant is None
    for text in BAD.get(name, ()):
        (said,) = faults({name: text})
        assert said.startswith(f"{name} ")
        assert said.endswith(".")
    assert load_settings({name: " "}) == load_settings({}) == Settings()


def test_a_misspelt_setting_is_refused_with_the_one_that_is_near() -> None:
    assert faults({"PLYHOST_RATE_LIMT": "off"}) == [
        "PLYHOST_RATE_LIMT is no setting; is PLYHOST_RATE_LIMIT meant?"
    ]
    assert faults({"PLYHOST_ZZZ": "1"}) == ["PLYHOST_ZZZ is no setting."]
    assert len(faults({"PLYHOST_WORKERS": "0", "PLYHOST_THREADS": "0", "PLYHOST_Q": "1"})) == 3


def test_what_a_container_platform_injects_is_borne() -> None:
    assert load_settings(INJECTED) == Settings()
    assert load_settings(INJECTED | {"PLYHOST_PORT": "8001"}).port == 8001


def test_the_rate_that_auto_means_depends_on_who_may_call() -> None:
    assert load_settings({}).rate == ""
    keyed = load_settings({"PLYHOST_API_KEYS": f"a:{HASH}"})
    assert (keyed.rate, keyed.is_rate_for_strangers) == (config.ANONYMOUS_RATE, True)
    both = load_settings({"PLYHOST_API_KEYS": f"a:{HASH}", "PLYHOST_ALLOW_ANONYMOUS": "1"})
    assert (both.rate, both.is_rate_for_strangers) == (config.ANONYMOUS_RATE, False)
    given = load_settings({"PLYHOST_API_KEYS": f"a:{HASH}", "PLYHOST_RATE_LIMIT": "5/minute"})
    assert (given.rate, given.is_rate_for_strangers) == ("5/minute", False)
    assert load_settings({"PLYHOST_ALLOW_ANONYMOUS": "1"}).rate == config.ANONYMOUS_RATE
    assert load_settings({"PLYHOST_ALLOW_ANONYMOUS": "1", "PLYHOST_RATE_LIMIT": "off"}).rate == ""


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "localhost"])
def test_without_keys_loopback_is_served(host: str) -> None:
    config.check_listen_host(Settings(), host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "plyhost.example"])
def test_without_keys_no_other_host_is_served(host: str) -> None:
    with pytest.raises(Misconfigured, match="PLYHOST_API_KEYS"):
        config.check_listen_host(Settings(), host)
    config.check_listen_host(Settings(api_keys=(("a", HASH),)), host)
    config.check_listen_host(Settings(allow_anonymous=True), host)


def test_a_start_that_is_refused_says_why_and_ends_with_two() -> None:
    for env, arguments, said in (
        ({}, ("--host", "0.0.0.0"), "PLYHOST_ALLOW_ANONYMOUS=1"),
        ({"PLYHOST_HOST": "::"}, (), "PLYHOST_API_KEYS"),
        ({"PLYHOST_RATE_LIMT": "off"}, (), "PLYHOST_RATE_LIMIT meant"),
        ({"PLYHOST_WORKERS": "0"}, (), "1 to 256"),
    ):
        done = run("serve", *arguments, **env)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr
        assert done.stderr.startswith("plyhost: ")


def test_config_prints_what_is_in_effect_with_secrets_masked() -> None:
    done = run(
        "config",
        PLYHOST_REDIS_URL="redis://me:hunter22@host:6379/1?password=hunter33",
        PLYHOST_API_KEYS=f"site:{HASH},other:{HASH}",
        PLYHOST_PICTURE_SECRET=SECRET,
        PLYHOST_WORKERS="3",
    )
    assert done.returncode == 0
    lines = dict(line.split("=", 1) for line in done.stdout.splitlines() if line[0] != "#")
    assert list(lines) == NAMES
    assert lines["PLYHOST_REDIS_URL"] == "redis://me:***@host:6379/1"
    assert lines["PLYHOST_API_KEYS"] == "site:***,other:***"
    assert lines["PLYHOST_PICTURE_SECRET"] == "***"
    assert lines["PLYHOST_WORKERS"] == "3"
    assert not any(secret in done.stdout for secret in ("hunter", HASH, SECRET))
    assert run("config", PLYHOST_WORKER="3").returncode == 2


def test_the_defaults_that_config_prints_are_read_again() -> None:
    lines = [line for line in run("config").stdout.splitlines() if line[0] != "#"]
    assert load_settings(dict(line.split("=", 1) for line in lines)) == Settings()


def test_key_makes_a_key_and_what_a_configuration_holds_of_it() -> None:
    done = run("key", "site")
    made = done.stderr.split()[-1]
    assert load_settings({"PLYHOST_API_KEYS": done.stdout}).api_keys == (
        ("site", access.hash_caller_key(made)),
    )
    assert access.find_key_owner(
        load_settings({"PLYHOST_API_KEYS": done.stdout}).api_keys, f"Bearer {made}"
    )
    assert run("key", "site").stderr != done.stderr
    assert run("key", "a:b").returncode == 2


def test_sign_signs_addresses_of_pictures_alone() -> None:
    address = "/v1/games/control/picture.svg?moves=a1"
    done = run("sign", address, PLYHOST_PICTURE_SECRET=SECRET)
    path, _, query = done.stdout.strip().partition("?")
    assert access.is_signed_address(SECRET, path, query)
    assert run("sign", address).returncode == 2
    for other in ("/v1/games", "picture.svg", f"https://site.example{address}"):
        assert run("sign", other, PLYHOST_PICTURE_SECRET=SECRET).returncode == 2


def test_every_setting_stands_in_the_documents_as_it_is_in_the_code() -> None:
    text = (ROOT / "docs" / "operating.md").read_text()
    for one in fields(Settings):
        kind = one.metadata["kind"]
        default = kind.show(one.default)
        cells = (f"`{format_variable_name(one)}`", kind.name, f"`{default}`" if default else "")
        assert f"| {' | '.join(cells)} | {one.metadata['help']} |" in text


def test_every_weight_stands_in_the_documents() -> None:
    text = (ROOT / "docs" / "operating.md").read_text()
    for name, weight in WEIGHTS.items():
        operation, _, uid = name.partition(" ")
        assert f"| `{operation}`{f' of {uid.capitalize()}' if uid else ''} | {weight} |" in text
