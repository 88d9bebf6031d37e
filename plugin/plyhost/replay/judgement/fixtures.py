"""Fixtures: a game in several forms, with drawings and legal moves, all of which must agree."""

from plyhost.contract import records
from plyhost.games.game import AnyGame
from plyhost.pictures import render_json
from plyhost.replay.judgement.legal_digest import PLY_CHARACTERS, yield_ply_digests
from plyhost.replay.reading.archive_lines import Entry, Render, Unreadable
from plyhost.replay.reading.sources import Told, choose_rules, identify_game, play_archived_part
from plyhost.states.steps import Step


def judge_fixture(entry: Entry, engine: str | None = None) -> Told:
    """Return the verdict on all parts, and the steps of the first part.

    With `engine` by the rules of that version.  Raises Unreadable, or UnknownGame.
    """
    parts = ({} if entry.record is None else {"record": entry.record}) | entry.states
    (name, first), *others = parts.items()
    game = choose_rules(identify_game(first), engine)
    told, steps = play_archived_part(game, first)
    told = _add_part_name(told, name)
    for name, part in others:
        if told["ok"]:
            other = choose_rules(identify_game(part), engine)
            told = _compare_part(name, steps, play_archived_part(other, part))
    if told["ok"] and entry.legal is not None:
        told = _compare_legal_moves(game, steps, entry.legal)
    for number, golden in enumerate(entry.renders):
        if told["ok"]:
            told = _compare_drawing(game, steps, number, golden)
    return told, steps


def _compare_legal_moves(game: AnyGame, steps: list[Step], stored: str) -> records.Verdict:
    """Return the verdict on the legal moves: the first ply at which they are others."""
    if len(stored) != PLY_CHARACTERS * len(steps):
        raise Unreadable(
            f"legal: there are {len(steps)} plies, each of {PLY_CHARACTERS} characters"
        )
    for step, expected in zip(steps, yield_ply_digests(game, steps), strict=True):
        found = stored[PLY_CHARACTERS * step.ply :][:PLY_CHARACTERS]
        if expected != found:
            told = {"ply": step.ply, "move": step.text, "field": "legal", "code": "differs"}
            told["message"] = "What may be done after this ply is something else."
            return records.make_difference_verdict(step.ply, **told, expected=expected, found=found)
    return records.make_pass_verdict(steps[-1].ply)


def _add_part_name(told: records.Verdict, name: str) -> records.Verdict:
    """Return a verdict that says in which part the difference is."""
    return told if told["ok"] else told | {"where": f"{name}: {told['where'] or told['field']}"}


def _compare_part(name: str, first: list[Step], part: Told) -> records.Verdict:
    """Return the verdict on a part, which may be sound and yet another game than the first."""
    told, steps = part
    if not told["ok"]:
        return _add_part_name(told, name)
    for one, other in zip(first, steps, strict=False):
        if one.position != other.position or one.winner != other.winner:
            texts = {"move": other.text, "expected": one.text, "found": other.text}
            return _make_mismatch_verdict(name, one.ply, **texts)
    if len(first) != len(steps):
        ply = min(len(first), len(steps))
        return _make_mismatch_verdict(name, ply, expected=len(first) - 1, found=len(steps) - 1)
    return told


def _make_mismatch_verdict(name: str, ply: int, **texts: str | int | None) -> records.Verdict:
    why = {"code": "differs", "message": "This part is another game than the first."}
    return records.make_difference_verdict(max(ply - 1, 0), ply=ply, field=name, **why, **texts)


def _compare_drawing(
    game: AnyGame, steps: list[Step], number: int, golden: Render
) -> records.Verdict:
    """Return the verdict on a drawing: its first member that does not come out."""
    if not -1 <= golden.ply < len(steps):
        raise Unreadable(f"renders: there is no ply {golden.ply}")
    step = steps[golden.ply]
    drawn = render_json.render_step(game, step, golden.display, golden.perspective)
    stored = golden.render if isinstance(golden.render, dict) else {}
    for key in (*drawn, *stored):
        if drawn.get(key) != stored.get(key):
            told = {"ply": step.ply, "move": step.text, "field": "render", "code": "differs"}
            told |= {"expected": drawn.get(key), "found": stored.get(key)}
            return records.make_difference_verdict(
                steps[-1].ply, **told, where=f"renders/{number}/{key}"
            )
    return records.make_pass_verdict(steps[-1].ply)
