"""Fixtures: a game in several forms with some drawings, all of which must agree."""

from plugin import archive, render
from plugin.history import AnyGame, Step
from plugin.replay.forms import Entry, Render, Unreadable
from plugin.replay.parts import Told, game_of, played


def judge(entry: Entry) -> tuple[str, Told]:
    """Return the game's uid, the verdict on all parts, and the steps of the first part.

    Raises Unreadable, or UnknownGame.
    """
    parts = ({} if entry.record is None else {"record": entry.record}) | entry.states
    (name, first), *others = parts.items()
    game = game_of(first)
    told, steps = played(game, first)
    told = _placed(told, name)
    for name, part in others:
        if told["ok"]:
            told = _compared(name, steps, played(game_of(part), part))
    for number, golden in enumerate(entry.renders):
        if told["ok"]:
            told = _drawn(game, steps, number, golden)
    return game.info.uid, (told, steps)


def _placed(told: archive.Verdict, name: str) -> archive.Verdict:
    """Return a verdict that says in which part the difference is."""
    return told if told["ok"] else told | {"where": f"{name}: {told['where'] or told['field']}"}


def _compared(name: str, first: list[Step], part: Told) -> archive.Verdict:
    """Return the verdict on a part, which may be sound and yet another game than the first."""
    told, steps = part
    if not told["ok"]:
        return _placed(told, name)
    for one, other in zip(first, steps, strict=False):
        if one.position != other.position or one.winner != other.winner:
            texts = {"move": other.text, "expected": one.text, "found": other.text}
            return _apart(name, one.ply, **texts)
    if len(first) != len(steps):
        ply = min(len(first), len(steps))
        return _apart(name, ply, expected=len(first) - 1, found=len(steps) - 1)
    return told


def _apart(name: str, ply: int, **texts: str | int | None) -> archive.Verdict:
    why = {"code": "differs", "message": "This part is another game than the first."}
    return archive.differs(max(ply - 1, 0), ply=ply, field=name, **why, **texts)


def _drawn(game: AnyGame, steps: list[Step], number: int, golden: Render) -> archive.Verdict:
    """Return the verdict on a drawing: its first member that does not come out."""
    if not -1 <= golden.ply < len(steps):
        raise Unreadable(f"renders: there is no ply {golden.ply}")
    step = steps[golden.ply]
    drawn = render.draw(game, step.position, step.results, golden.display, golden.perspective)
    stored = golden.render if isinstance(golden.render, dict) else {}
    for key in (*drawn, *stored):
        if drawn.get(key) != stored.get(key):
            told = {"ply": step.ply, "move": step.text, "field": "render", "code": "differs"}
            told |= {"expected": drawn.get(key), "found": stored.get(key)}
            return archive.differs(steps[-1].ply, **told, where=f"renders/{number}/{key}")
    return archive.passed(steps[-1].ply)
