"""Which board a list of variant uids stands for."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from plyhost.board.hexes import get_board
from plyhost.errors import InvalidState, StateError, UnknownVariant
from plyhost.games.game import Info, Variant


def normalise_variant_uids(info: Info, uids: Sequence[str]) -> list[str]:
    """Return the uids that a new game stores; those that begin with `#` go.

    Raises UnknownVariant for one that the game does not have, or two of a group.
    """
    _resolve_variant(info, uids, UnknownVariant, standard="#")
    return [uid for uid in uids if not uid.startswith("#")]


def find_stored_variant(info: Info, uids: Any) -> Variant:
    """Return the board of a stored state; raises InvalidState.

    The default board may be stored as nothing or by its own uid.
    """
    if not isinstance(uids, list) or [uid for uid in uids if not isinstance(uid, str)]:
        raise InvalidState("/variants", "must be an array of texts", field="variants")
    return _find_sound_variant(info, tuple(uids), InvalidState)


def find_board_variant(info: Info, uids: Sequence[str]) -> Variant:
    """Return the board of uids that were checked before."""
    return _find_sound_variant(info, tuple(uids), UnknownVariant)


def list_variant_names(info: Info, uids: Sequence[str]) -> list[str]:
    """Return the display names of checked uids; the default board has one too."""
    return [info.by_uid[uid].name for uid in uids] or [info.standard.name]


def resolve_variant_names(info: Info, named: Sequence[Any]) -> list[str]:
    """Return uids for variants that are given by any of their names; others stay as they are.

    A name is a uid, a display name in some language, the key of one, or a number of cells.
    Raises UnknownVariant for a name that several have.
    """
    return [_resolve_variant_name(info, at, str(name)) for at, name in enumerate(named)]


def _resolve_variant_name(info: Info, index: int, name: str) -> str:
    if name in info.by_uid:
        return name
    fitting = [one.uid for one in info.variants if name in _list_variant_words(info, one)]
    if len(fitting) > 1:
        told = f"{name} may be {' or '.join(fitting)}"
        raise UnknownVariant(f"/variants/{index}", told, choices=fitting, field="variants")
    return fitting[0] if fitting else name


def _list_variant_words(info: Info, one: Variant) -> set[str]:
    key = f"variants.{info.uid}.{one.uid}.name"
    return {one.name, key, str(len(get_board(one.side).cells)), *one.other_names}


def _resolve_variant(
    info: Info, uids: Sequence[str], error: type[StateError], standard: str = ""
) -> Variant:
    """Return the board; uids that begin with `standard`, where there is one, are passed over."""
    groups: dict[str, Variant] = {}
    for index, uid in enumerate(uids):
        if standard and uid.startswith(standard):
            continue
        variant = info.by_uid.get(uid)
        if variant is None:
            raise _refuse_variant(info, error, index, f"{uid} is none of this game's")
        if variant.group in groups:
            raise _refuse_variant(info, error, index, "is the second of its group")
        groups[variant.group] = variant
    return groups.get("board", info.standard)


@lru_cache(maxsize=256)
def _find_sound_variant(info: Info, uids: tuple[str, ...], error: type[StateError]) -> Variant:
    """Return the board; only uids of the game are remembered, one of a group, and so few."""
    return _resolve_variant(info, uids, error)


def _refuse_variant(info: Info, error: type[StateError], index: int, why: str) -> StateError:
    where, choices = f"/variants/{index}", ", ".join(info.by_uid)
    if error is UnknownVariant:
        told = f"{why}, which are {choices}"
        return UnknownVariant(where, told, choices=list(info.by_uid), field="variants")
    return error(where, why, field="variants")
