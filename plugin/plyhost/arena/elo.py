"""Scores of many games as a number with its 95 % interval, and as a difference in Elo."""

from collections.abc import Sequence
from math import log10, sqrt

#: Standard deviations to each side of a mean that hold 95 %.
WIDTH = 1.959964


def bound_share(share: float, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of games (Wilson's)."""
    square = WIDTH * WIDTH
    middle = (share + square / (2 * games)) / (1 + square / games)
    spread = share * (1 - share) / games + square / (4 * games * games)
    half = WIDTH * sqrt(spread) / (1 + square / games)
    # Rounded, so that the end of the scale is met exactly.
    return max(0.0, round(middle - half, 12)), min(1.0, round(middle + half, 12))


def elo_of(share: float) -> float | None:
    """Return the difference in Elo that a share of the points stands for; None when infinite."""
    return 400 * log10(share / (1 - share)) if 0 < share < 1 else None


def estimate_score(scores: Sequence[float]) -> dict[str, object]:
    """Return the mean of one or more scores (1, 1/2, 0), its Elo, and both intervals."""
    share = sum(scores) / len(scores)
    # Draws narrow the interval; to count them as games of two results errs on the safe side.
    low, high = bound_share(share, len(scores))
    elos = [elo_of(one) for one in (share, low, high)]
    elo, least, most = [None if one is None else round(one) for one in elos]
    interval = [round(low, 4), round(high, 4)]
    return {
        "score": round(share, 4),
        "interval": interval,
        "elo": elo,
        "elo_interval": [least, most],
    }
