"""Settings: one table, read from the environment, all of it checked before anything starts.

Each field of `Settings` is the variable `PLYHOST_` and its name in capitals.  One that is empty
counts as not set.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from difflib import get_close_matches
from ipaddress import ip_address
from typing import Any

from plyhost.games import registry
from plyhost.web import setting_types as kinds
from plyhost.web.setting_types import SettingType

PREFIX = "PLYHOST_"
#: What `auto` stands for where callers without a key are let in from outside.
ANONYMOUS_RATE = "600/minute"

#: What a container platform tells every container of a service named plyhost, or plyhost-redis.
_INJECTED_NAME = re.compile(
    r"(SERVICE|PORT)_.*|.*_SERVICE_(HOST|PORT)(_.*)?|.*_PORT_\d+_(TCP|UDP|SCTP).*"
)
_INJECTED_VALUE = re.compile(r"(tcp|udp|sctp)://")


class Misconfigured(ValueError):
    """The settings cannot be used; `faults` has a sentence for each that is wrong."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def _declare_setting(kind: SettingType, default: Any, text: str) -> Any:
    return field(default=default, metadata={"kind": kind, "help": text})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The table: name, default, kind and help of every setting."""

    host: str = _declare_setting(kinds.TEXT, "127.0.0.1", "The address to listen on.")
    port: int = _declare_setting(
        kinds.make_whole_number_type(1, 65535), 8000, "The port to listen on."
    )
    workers: int = _declare_setting(
        kinds.make_whole_number_type(1, 256), 1, "Processes that answer."
    )
    threads: int = _declare_setting(
        kinds.make_whole_number_type(1, 256),
        16,
        "Requests that one worker works on at once, waiting ones included.",
    )
    request_seconds: float = _declare_setting(
        kinds.make_decimal_type(0.01, 300),
        10.0,
        "Seconds that a request may take before it is given up.",
    )
    thinkers: int = _declare_setting(
        kinds.make_whole_number_type(0, 64),
        1,
        "Suggestions that one worker thinks about at once, each in a process; 0 makes none.",
    )
    redis_url: str = _declare_setting(
        kinds.REDIS, "", "Redis to share answers, rates and pictures through; none by default."
    )
    memory_mb: int = _declare_setting(
        kinds.make_whole_number_type(1, 4096),
        64,
        "Megabytes of answers and pictures that one worker may keep.",
    )
    idempotency_seconds: int = _declare_setting(
        kinds.make_whole_number_type(1, 86400),
        86400,
        "How long an answer is kept for its Idempotency-Key.",
    )
    api_keys: tuple[tuple[str, str], ...] = _declare_setting(
        kinds.KEYS, (), "Callers as name:hash, parted by commas; `plyhost key` makes them."
    )
    allow_anonymous: bool = _declare_setting(
        kinds.TRUTH, False, "Let callers in without a key, from anywhere that the host allows."
    )
    rate_limit: str = _declare_setting(
        kinds.RATE,
        "auto",
        f"What one key or address may ask, as 600/minute or 20/second;5000/hour; `off`; `auto` is "
        f"{ANONYMOUS_RATE} for whatever is asked without a key where others than this machine may "
        "ask, and for keys too where they are optional.",
    )
    public_pictures: bool = _declare_setting(kinds.TRUTH, False, "Show pictures to anyone.")
    picture_secret: str = _declare_setting(
        kinds.SECRET, "", "What addresses of pictures are signed with, by `plyhost sign` or a site."
    )
    trusted_proxies: tuple[str, ...] = _declare_setting(
        kinds.PROXIES, (), "Addresses or networks whose X-Forwarded-For is believed."
    )
    playground: bool = _declare_setting(
        kinds.TRUTH, True, "Have /playground, a page to try the service on."
    )
    docs: bool = _declare_setting(
        kinds.TRUTH, True, "Have /docs, the documents and the contract to look through."
    )
    hosts: tuple[str, ...] = _declare_setting(
        kinds.HOSTS,
        (),
        "Names beside localhost that a service without keys answers under; * is any.",
    )
    cors_origins: tuple[str, ...] = _declare_setting(
        kinds.ORIGINS, (), "Origins whose pages may call from a browser, or *; none by default."
    )
    strict_games: bool = _declare_setting(
        kinds.TRUTH, False, "Do not start while an installed game cannot be hosted."
    )
    log_level: str = _declare_setting(
        kinds.make_choice_type("debug", "info", "warning", "error"),
        "info",
        "The least that is logged.",
    )

    @property
    def is_private(self) -> bool:
        """Tell whether only this machine may ask, without a key."""
        return not self.api_keys and not self.allow_anonymous

    @property
    def needs_key(self) -> bool:
        """Tell whether a caller must send a key."""
        return bool(self.api_keys) and not self.allow_anonymous

    @property
    def rate(self) -> str:
        """The rate limit in effect, empty for none."""
        if self.rate_limit == "auto":
            return ANONYMOUS_RATE if self.api_keys or self.allow_anonymous else ""
        return "" if self.rate_limit == "off" else self.rate_limit

    @property
    def is_rate_for_strangers(self) -> bool:
        """Tell whether the rate limit is for callers without a key alone."""
        return self.rate_limit == "auto" and not self.allow_anonymous


def _find_setting_type(one: Field[Any]) -> SettingType:
    found: SettingType = one.metadata["kind"]
    return found


def format_variable_name(one: Field[Any]) -> str:
    """Return the name in the environment of a field of `Settings`."""
    return PREFIX + one.name.upper()


def load_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Return the settings of an environment, this process's by default; raises Misconfigured."""
    given = dict(_list_given_variables(os.environ if environ is None else environ))
    found, faults = {}, []
    for one in fields(Settings):
        text = given.pop(format_variable_name(one), None)
        try:
            if text is not None:
                found[one.name] = _find_setting_type(one).read(text)
        except ValueError as error:
            faults.append(f"{format_variable_name(one)} {error}.")
    faults += map(_describe_unknown_variable, given)
    if faults:
        raise Misconfigured(faults)
    return Settings(**found)


def _list_given_variables(environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, text in environ.items():
        if not name.startswith(PREFIX) or not text.strip():
            continue
        if _INJECTED_NAME.fullmatch(name.removeprefix(PREFIX)):
            continue
        if name.endswith("_PORT") and _INJECTED_VALUE.match(text):
            continue
        yield name, text.strip()


def _describe_unknown_variable(name: str) -> str:
    known = [one.name.upper() for one in fields(Settings)]
    near = get_close_matches(name.removeprefix(PREFIX), known, 1)
    return f"{name} is no setting" + (f"; is {PREFIX}{near[0]} meant?" if near else ".")


def check_listen_host(settings: Settings, host: str) -> None:
    """Refuse to listen where strangers reach a service without keys; raises Misconfigured."""
    if settings.api_keys or settings.allow_anonymous or is_loopback_host(host):
        return
    raise Misconfigured(
        [
            f"PLYHOST_API_KEYS is not set, so only a loopback host is listened on, not {host}. "
            "Set it (`plyhost key` makes keys), or PLYHOST_ALLOW_ANONYMOUS=1 to let anyone in."
        ]
    )


def check_games(settings: Settings) -> None:
    """Refuse to leave out an installed game where that is not wanted; raises Misconfigured."""
    left_out = registry.list_left_out() if settings.strict_games else ()
    if left_out:
        told = "PLYHOST_STRICT_GAMES is set, and the game {} {}."
        raise Misconfigured([told.format(one.name, one.why) for one in left_out])


def is_loopback_host(host: str) -> bool:
    """Tell whether an address is reached from this machine alone."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def describe_settings(settings: Settings) -> Iterator[tuple[str, str, str]]:
    """Yield each setting's variable, its value with secrets masked, and its help with the kind."""
    for one in fields(Settings):
        kind = _find_setting_type(one)
        told = f"{one.metadata['help']} ({kind.name}; default {kind.show(one.default) or 'none'})"
        yield format_variable_name(one), kind.show(getattr(settings, one.name)), told


def list_setting_secrets(settings: Settings) -> list[str]:
    """Return the texts that no log may show."""
    return [
        text
        for one in fields(Settings)
        for text in _find_setting_type(one).secrets(getattr(settings, one.name))
    ]
