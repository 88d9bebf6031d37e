"""What the 2018 contract tells of a game before it is played."""

from typing import Any

from plyhost.games import registry
from plyhost.games.game import AnyGame, Info, Variant

LONGEST_STATE = 255
LONGEST_NOTE = 255
#: Between a description's summary and the rest, with a blank line on either side.
MORE = "--"


def make_ping_token(game: AnyGame) -> str:
    """Return the `state` of `ping`: at most 255 characters, another with every engine."""
    return registry.compute_engine_token(game.info.uid)[-LONGEST_STATE:]


def make_metadata_answer(game: AnyGame) -> dict[str, Any]:
    """Return the answer to `metadata`."""
    info = game.info
    return {
        "state": make_ping_token(game),
        "version": number_engine_version(info),
        "playercounts": [2],
        "description": _format_description(info),
        "changelog": _format_changelog(info),
        "variants": [_describe_variant(one) for one in info.variants],
    }


def number_engine_version(info: Info) -> int:
    """Return the engine version as a number from 1: itself if it is one, else its ordinal."""
    digits = info.version if info.version.isdecimal() else ""
    return int(digits or 0) or len(info.versions)


def _format_description(info: Info) -> str:
    """Return Markdown; every line of the texts is a paragraph of its own."""
    rest = "\n".join((info.rules, info.notation, *info.notes)).splitlines()
    return "\n\n".join((info.description, MORE, *(line for line in rest if line)))


def _format_changelog(info: Info) -> str:
    first, *later = (f"- Engine {one}" for one in info.versions)
    return "\n".join((*later[::-1], f"{first}, added on {info.date_added}"))


def _describe_variant(one: Variant) -> dict[str, str]:
    note = f"{one.name}: {one.description}"[:LONGEST_NOTE]
    return {"name": one.uid, "note": note, "group": one.group}
