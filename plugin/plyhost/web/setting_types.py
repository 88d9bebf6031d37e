"""Kinds of settings: how each is read from a text, and shown with what is secret masked.

`read` raises ValueError with the rest of a sentence that begins with the setting's name.
"""

import re
from collections.abc import Callable, Iterable
from ipaddress import ip_network
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

import limits as rate_limits

MASK = "***"
SHORTEST_SECRET = 32
KEY_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,31}")
_HASH = re.compile(r"[0-9a-f]{64}")
_HOST = re.compile(r"[A-Za-z0-9.-]{1,255}|\[[0-9A-Fa-f:]+\]")
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.-]+(:\d{1,5})?|https?://\[[0-9A-Fa-f:]+\](:\d{1,5})?")


def _format_plain_setting(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return ",".join(value) if isinstance(value, tuple) else str(value)


def _list_no_secrets(value: Any) -> Iterable[str]:
    return ()


class SettingType(NamedTuple):
    """How a setting is read and shown; `secrets` lists the parts of a value not to be seen."""

    name: str
    read: Callable[[str], Any]
    show: Callable[[Any], str] = _format_plain_setting
    secrets: Callable[[Any], Iterable[str]] = _list_no_secrets


def make_whole_number_type(lowest: int, highest: int) -> SettingType:
    """Return the type of whole numbers in a range."""
    name = f"{lowest} to {highest}"

    def read(text: str) -> int:
        if not re.fullmatch(r"\d{1,9}", text) or not lowest <= int(text) <= highest:
            raise ValueError(f"must be a whole number, {name}, not {_quote_setting_text(text)}")
        return int(text)

    return SettingType(name, read)


def make_decimal_type(lowest: float, highest: float) -> SettingType:
    """Return the type of decimal numbers in a range."""
    name = f"{lowest} to {highest}"

    def read(text: str) -> float:
        if not re.fullmatch(r"\d{1,9}(\.\d{1,9})?", text) or not lowest <= float(text) <= highest:
            raise ValueError(f"must be a number, {name}, not {_quote_setting_text(text)}")
        return float(text)

    return SettingType(name, read)


def make_choice_type(*names: str) -> SettingType:
    """Return the type of one of a few words."""

    def read(text: str) -> str:
        if text.lower() not in names:
            raise ValueError(f"must be one of {', '.join(names)}, not {_quote_setting_text(text)}")
        return text.lower()

    return SettingType(", ".join(names), read)


def _quote_setting_text(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")


def _parse_truth(text: str) -> bool:
    if text.lower() in ("1", "true", "yes", "on"):
        return True
    if text.lower() in ("0", "false", "no", "off"):
        return False
    raise ValueError(f"must be 1 or 0, not {_quote_setting_text(text)}")


def _parse_rate(text: str) -> str:
    if text.lower() in ("off", "auto"):
        return text.lower()
    try:
        found = rate_limits.parse_many(text)
    except ValueError:
        found = []
    if not found or any(one.amount < 1 or one.get_expiry() < 1 for one in found):
        raise ValueError(
            f"must be a rate such as 600/minute, or off, not {_quote_setting_text(text)}"
        )
    return text


def _parse_redis_url(text: str) -> str:
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018 (reading it checks it)
    except ValueError:
        raise ValueError("must be an address such as redis://host:6379/0") from None
    if parts.scheme not in ("redis", "rediss", "unix") or not (parts.hostname or parts.path):
        raise ValueError("must be an address such as redis://host:6379/0")
    return text


def _list_redis_secrets(url: str) -> list[str]:
    parts = urlsplit(url)
    asked = parse_qs(parts.query).get("password", [])
    return [*asked, parts.password, unquote(parts.password)] if parts.password else asked


def _mask_redis_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.password is None:
        return url.split("?")[0]
    user, _, rest = parts.netloc.rpartition("@")
    masked = f"{user.partition(':')[0]}:{MASK}@{rest}"
    return parts._replace(netloc=masked, query="").geturl()


def _parse_caller_keys(text: str) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for entry in re.split(r"[,\s]+", text.strip(", \n\t")):
        name, _, digest = entry.partition(":")
        if not KEY_NAME.fullmatch(name) or not _HASH.fullmatch(digest):
            raise ValueError("must list callers as name:hash, as `plyhost key NAME` prints them")
        if name in found:
            raise ValueError(f"names {name} twice")
        found[name] = digest
    return tuple(found.items())


def _parse_secret(text: str) -> str:
    if len(text) < SHORTEST_SECRET:
        raise ValueError(f"must have at least {SHORTEST_SECRET} characters")
    return text


def _split_listed_words(text: str) -> tuple[str, ...]:
    return tuple(one for one in re.split(r"[,\s]+", text) if one)


def _parse_proxies(text: str) -> tuple[str, ...]:
    for one in _split_listed_words(text):
        try:
            ip_network(one)
        except ValueError:
            shown = _quote_setting_text(one)
            why = f"must list addresses or networks such as 10.0.0.0/8, not {shown}"
            raise ValueError(why) from None
    return _split_listed_words(text)


def _parse_hosts(text: str) -> tuple[str, ...]:
    for one in _split_listed_words(text):
        if one != "*" and not _HOST.fullmatch(one):
            raise ValueError(
                f"must list names such as games.example, not {_quote_setting_text(one)}"
            )
    return tuple(one.lower() for one in _split_listed_words(text))


def _parse_origins(text: str) -> tuple[str, ...]:
    for one in _split_listed_words(text):
        if one != "*" and not _ORIGIN.fullmatch(one):
            raise ValueError(
                f"must list origins such as https://site.example, not {_quote_setting_text(one)}"
            )
    return _split_listed_words(text)


TEXT = SettingType("text", str)
TRUTH = SettingType("1 or 0", _parse_truth)
RATE = SettingType("rate", _parse_rate)
REDIS = SettingType("address", _parse_redis_url, _mask_redis_url, _list_redis_secrets)
KEYS = SettingType(
    "name:hash list",
    _parse_caller_keys,
    lambda keys: ",".join(f"{name}:{MASK}" for name, _ in keys),
    lambda keys: [digest for _, digest in keys],
)
SECRET = SettingType(
    f"text of {SHORTEST_SECRET} or more characters",
    _parse_secret,
    lambda text: MASK if text else "",
    lambda text: [text] if text else [],
)
HOSTS = SettingType("list of names", _parse_hosts)
PROXIES = SettingType("list of addresses or networks", _parse_proxies)
ORIGINS = SettingType("list of origins", _parse_origins)
