"""Which board a list of variant uids stands for."""

from collections.abc import Mapping, Sequence
from typing import Any

from plugin.errors import InvalidState, StateError, UnknownVariant
from plugin.game import Info, Variant


def chosen(info: Info, uids: Sequence[str]) -> list[str]:
    """Return the uids that a new game stores; those that begin with `#` go.

    Raises UnknownVariant for one that the game does not have, or two of a group.
    """
    kept = {index: uid for index, uid in enumerate(uids) if not uid.startswith("#")}
    _resolve(info, kept, UnknownVariant)
    return list(kept.values())


def stored(info: Info, uids: Any) -> Variant:
    """Return the board of a stored state; raises InvalidState.

    The default board may be stored as nothing or by its own uid.
    """
    if not isinstance(uids, list) or not all(isinstance(uid, str) for uid in uids):
        raise InvalidState("/variants", "must be an array of texts", field="variants")
    return _resolve(info, dict(enumerate(uids)), InvalidState)


def board_of(info: Info, uids: Sequence[str]) -> Variant:
    """Return the board of uids that were checked before."""
    return _resolve(info, dict(enumerate(uids)), UnknownVariant)


def names(info: Info, uids: Sequence[str]) -> list[str]:
    """Return the display names of checked uids; the default board has one too."""
    by_uid = {variant.uid: variant.name for variant in info.variants}
    return [by_uid[uid] for uid in uids] or [info.standard.name]


def _resolve(info: Info, uids: Mapping[int, str], error: type[StateError]) -> Variant:
    by_uid = {variant.uid: variant for variant in info.variants}
    groups: dict[str, Variant] = {}
    for index, uid in uids.items():
        variant = by_uid.get(uid)
        if variant is None:
            raise error(f"/variants/{index}", f"{uid} is none of this game's", field="variants")
        if variant.group in groups:
            raise error(f"/variants/{index}", "is the second of its group", field="variants")
        groups[variant.group] = variant
    return groups.get("board", info.standard)
