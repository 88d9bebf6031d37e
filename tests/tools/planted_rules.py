"""Rules changed in copies of the engines: every change must be seen by the fixtures alone.

    python -m tests.tools.planted_rules [NAME]

prints a table of the changes and what `plyhost replay fixtures/archive` says of each.  A change
replaces a text that stands in a file just once, so that it does not outlive the code it was made
for.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.tools import ROOT

SOURCE = ROOT / "plugin" / "plyhost"
ARCHIVE = ROOT / "fixtures" / "archive"


class Change(NamedTuple):
    """A rule changed: its number, what is changed, where, and the texts before and after."""

    rule: str
    what: str
    file: str
    before: str
    after: str

    @property
    def name(self) -> str:
        """What the change is called."""
        return f"{self.rule} {self.what}"


CONTROL, INFO = "games/control/rules.py", "games/control/info.py"
RULES, SCORING = "games/congeners/rules.py", "games/congeners/scoring.py"
TURNS, SETUP = "games/congeners/turns.py", "games/congeners/setup.py"
POSITION, FLAWS = "games/congeners/position.py", "games/congeners/flaws.py"
POLYHEX, OVERLAY = "games/congeners/polyhex.py", "games/congeners/overlay.py"
NOTATION, PACKING = "games/congeners/notation.py", "games/congeners/packing.py"
CONGENERS_INFO = "games/congeners/info.py"
STEPS, HEXES, RENDER = "states/steps.py", "board/hexes.py", "pictures/render_json.py"

_OWN = "ours.bit_count() + (ours & two).bit_count()"
_TIE = "return [3 - position.seat]\n        return [1 if one > two else 2]"
_PLACE = "legal = board.mask & ~(one | two | theirs) | two & ours"
_OTHER = "legal = board.mask & ~(one | two | ours) | one & theirs"
_SIDES = "return [position.black if end.black > end.white else 3 - position.black]"

CHANGES = (
    Change(
        "C1",
        "another default board",
        INFO,
        '"#board", "Size 7 board", "127 cells", 7',
        '"#board", "Size 7 board", "127 cells", 8',
    ),
    Change(
        "C2",
        "seat 2 begins",
        "games/game.py",
        "get_board(side), (0, 0), 1, {}",
        "get_board(side), (0, 0), 2, {}",
    ),
    Change(
        "C2",
        "the turn stays with seat 2",
        CONTROL,
        "return _make_control_position(board, stones, 1, bits.lower_margin(position.margin, near))",
        "return _make_control_position(board, stones, 2, bits.lower_margin(position.margin, near))",
    ),
    Change("C3", "the first stone anywhere", CONTROL, "legal = board.edge", "legal = board.mask"),
    Change(
        "C3",
        "the first stone inside",
        CONTROL,
        "legal = board.edge",
        "legal = board.mask & ~board.edge",
    ),
    Change(
        "C3",
        "corners do not count as edge",
        HEXES,
        "if self.neighbours[cell].bit_count() < 6)",
        "if 3 < self.neighbours[cell].bit_count() < 6)",
    ),
    Change(
        "C4",
        "a tie controls for seat 1",
        CONTROL,
        "control = ours, theirs = bits.split_margin_signs(margin)",
        "_, theirs = bits.split_margin_signs(margin)\n"
        "    control = ours, theirs = board.mask & ~theirs, theirs",
    ),
    Change(
        "C4",
        "control is swapped",
        CONTROL,
        "control = ours, theirs = bits.split_margin_signs(margin)",
        "theirs, ours = bits.split_margin_signs(margin)\n    control = ours, theirs",
    ),
    Change(
        "C5",
        "placing only where one controls",
        CONTROL,
        _PLACE,
        "legal = ours & ~(one | two) | two & ours",
    ),
    Change(
        "C5", "placing anywhere", CONTROL, _PLACE, "legal = board.mask & ~(one | two) | two & ours"
    ),
    Change(
        "C5", "no captures by seat 1", CONTROL, _PLACE, "legal = board.mask & ~(one | two | theirs)"
    ),
    Change(
        "C5", "no captures by seat 2", CONTROL, _OTHER, "legal = board.mask & ~(one | two | ours)"
    ),
    Change(
        "C5",
        "captures of any stone by seat 2",
        CONTROL,
        _OTHER,
        "legal = board.mask & ~(one | two | ours) | one",
    ),
    Change(
        "C5",
        "a capture leaves a stone of seat 2 behind",
        CONTROL,
        "stones = (one ^ bit, two) if one & bit else (one, two | bit)\n        return _make",
        "stones = (one ^ bit, two | bit) if one & bit else (one, two | bit)\n        return _make",
    ),
    Change(
        "C6",
        "who cannot move wins",
        CONTROL,
        "return None if position.legal else [3 - position.seat]",
        "return None if position.legal else [position.seat]",
    ),
    Change(
        "C6",
        "who cannot move draws",
        CONTROL,
        "return None if position.legal else [3 - position.seat]",
        "return None if position.legal else [1, 2]",
    ),
    Change(
        "C6",
        "captures alone do not save",
        CONTROL,
        "return None if position.legal else [3 - position.seat]",
        "one, two = position.stones\n"
        "        return None if position.legal & ~(one | two) else [3 - position.seat]",
    ),
    Change("C7", "enemy stones once", CONTROL, _OWN, "ours.bit_count()"),
    Change(
        "C7",
        "enemy stones thrice",
        CONTROL,
        _OWN,
        "ours.bit_count() + 2 * (ours & two).bit_count()",
    ),
    Change(
        "C7",
        "own stones count",
        CONTROL,
        "return ours & ~one, theirs & ~two",
        "return ours, theirs",
    ),
    Change(
        "C7",
        "a tie to the mover",
        CONTROL,
        _TIE,
        "return [position.seat]\n        return [1 if one > two else 2]",
    ),
    Change(
        "C7",
        "a tie is a draw",
        CONTROL,
        _TIE,
        "return [1, 2]\n        return [1 if one > two else 2]",
    ),
    Change(
        "C7",
        "less territory wins",
        CONTROL,
        _TIE,
        "return [3 - position.seat]\n        return [1 if one < two else 2]",
    ),
    Change(
        "C8",
        "settling on an empty board",
        CONTROL,
        "        if not any(position.stones):\n            raise Unsettled\n",
        "",
    ),
    Change(
        "C8",
        "settling from two stones on",
        CONTROL,
        "if not any(position.stones):\n            raise Unsettled",
        "if not all(position.stones):\n            raise Unsettled",
    ),
    Change(
        "C9",
        "scores count all controlled cells",
        CONTROL,
        "return [(ours & empty).bit_count(), (theirs & empty).bit_count()]",
        "return [ours.bit_count(), theirs.bit_count()]",
    ),
    Change(
        "C9",
        "scores are territory",
        CONTROL,
        "return [(ours & empty).bit_count(), (theirs & empty).bit_count()]",
        "return count_territory(position)",
    ),
    Change(
        "C9",
        "scores are swapped",
        CONTROL,
        "return [(ours & empty).bit_count(), (theirs & empty).bit_count()]",
        "return [(theirs & empty).bit_count(), (ours & empty).bit_count()]",
    ),
    Change(
        "C",
        "a capture is told as a placement",
        CONTROL,
        'kind = "capture" if (one | two) >> move & 1 else "place"',
        'kind = "place"',
    ),
    Change(
        "C",
        "captures are written without x",
        CONTROL,
        'return position.board.labels[move] + ("x" if (one | two) >> move & 1 else "")',
        "return position.board.labels[move]",
    ),
    Change(
        "C",
        "old placements with x are refused",
        CONTROL,
        "return marked or not captures if is_stored else captures or not marked",
        "return marked == captures",
    ),
    Change(
        "C",
        "territory is not dotted",
        CONTROL,
        'if display != "hide-control":',
        'if display == "show-control":',
    ),
    Change(
        "C",
        "the last turn is not ringed",
        CONTROL,
        'for event in events if "where" in event',
        'for event in events if "there" in event',
    ),
    Change(
        "C",
        "moves in another order",
        CONTROL,
        "return bits.scan_cells(position.legal)",
        "return reversed(list(bits.scan_cells(position.legal)))",
    ),
    Change(
        "G1",
        "another default board",
        CONGENERS_INFO,
        '"#board", "Size 6 board", "91 cells", 6',
        '"#board", "Size 6 board", "91 cells", 8',
    ),
    Change(
        "G2",
        "a creature of two is two creatures",
        TURNS,
        "singles, rest, groups = stones & ~near, stones & near, []",
        "singles, rest, groups = stones, 0, []",
    ),
    Change(
        "G3",
        "pairs may touch",
        SETUP,
        "return board.mask & ~(taken | board.spread(taken))",
        "return board.mask & ~taken",
    ),
    Change(
        "G3",
        "pairs keep two cells apart",
        SETUP,
        "return board.mask & ~(taken | board.spread(taken))",
        "return board.mask & ~(taken | board.spread(taken) | board.spread(board.spread(taken)))",
    ),
    Change(
        "G3",
        "stones of a pair may lie apart",
        SETUP,
        "return board.neighbours[cell] & within",
        "return within & ~(1 << cell)",
    ),
    Change(
        "G3",
        "play-second makes seat 2 Black",
        POSITION,
        "3 - seat, black or 1)",
        "3 - seat, black or 2)",
    ),
    Change(
        "G3",
        "who takes a turn at once is White",
        POSITION,
        "3 - seat, black or seat)",
        "3 - seat, black or 3 - seat)",
    ),
    Change(
        "G3", "no choice but to play", RULES, "        if not idle:\n            yield SECOND\n", ""
    ),
    Change(
        "G4",
        "a goal next to the moved stone alone",
        TURNS,
        "self._near = board.spread(body.stones ^ 1 << moved)",
        "self._near = board.spread(body.stones)",
    ),
    Change(
        "G4",
        "equals are bitten",
        TURNS,
        "if group.bit_count() < size)",
        "if group.bit_count() <= size)",
    ),
    Change(
        "G4",
        "single stones are not bitten",
        TURNS,
        "self._biteable[size] = small | (self.others.singles if size > 1 else 0)",
        "self._biteable[size] = small",
    ),
    Change(
        "G4",
        "no bites",
        TURNS,
        "enterable = self.board.mask & ~self.taken | self.find_biteable(stones.bit_count())",
        "enterable = self.board.mask & ~self.taken",
    ),
    Change(
        "G4",
        "only bites",
        TURNS,
        "enterable = self.board.mask & ~self.taken | self.find_biteable(stones.bit_count())",
        "enterable = self.find_biteable(stones.bit_count())",
    ),
    Change(
        "G4",
        "a stone moves by one step",
        TURNS,
        "self.goals = self._near & body.open",
        "self.goals = self._near & body.open & board.neighbours[moved]",
    ),
    Change(
        "G4",
        "the moved stone stays",
        POSITION,
        "mine = mine & ~(1 << moved) | 1 << goal | 1 << placed",
        "mine = mine | 1 << goal | 1 << placed",
    ),
    Change(
        "G4", "a bitten stone stays", POSITION, "    if bite:\n        theirs ^= 1 << goal\n", ""
    ),
    Change(
        "G4",
        "a neighbour may be placed",
        TURNS,
        "sight = self.sight(goal) & ~self._turns.board.neighbours[goal]",
        "sight = self.sight(goal)",
    ),
    Change(
        "G4",
        "lines see through stones",
        TURNS,
        "return upwards | d >> top_d << top_d | e >> top_e << top_e | f >> top_f << top_f",
        "return (a | b | c | d | e | f) & ~taken",
    ),
    Change(
        "G4",
        "only neighbours' neighbours",
        TURNS,
        "return sight and sight & self._allowed(goal)",
        "sight &= list_close_line_sets(self._turns.board)[goal]\n"
        "        return sight and sight & self._allowed(goal)",
    ),
    Change(
        "G5",
        "creatures may merge by placing",
        TURNS,
        "return ~(body.crowded | body.touched & joined)",
        "return -1",
    ),
    Change(
        "G5",
        "placing next to others is barred",
        TURNS,
        "return ~(body.crowded | body.touched & joined)",
        "return ~(body.crowded | body.touched)",
    ),
    Change(
        "G5",
        "splits are mended by nothing",
        TURNS,
        "return missing & joined & ~body.touched",
        "return 0",
    ),
    Change(
        "G5",
        "splits need no mending",
        TURNS,
        "return missing & joined & ~body.touched",
        "return ~(body.crowded | body.touched & joined)",
    ),
    Change(
        "G5",
        "moving next to others",
        TURNS,
        "return Body(stones, near, enterable & ~touched, touched, crowded)",
        "return Body(stones, near, enterable, touched, crowded)",
    ),
    Change(
        "G6",
        "passing is always allowed",
        RULES,
        "        if idle:\n            yield from list_legal_words(position)\n",
        "        yield from [PASS] if position.phase == 'turns' else []\n",
    ),
    Change(
        "G6",
        "the game ends when one is stuck",
        RULES,
        'if position.phase != "turns" or position.turns.has_any() or position.replies.has_any():',
        'if position.phase != "turns" or position.turns.has_any() and position.replies.has_any():',
    ),
    Change(
        "G6",
        "the game never ends",
        RULES,
        'if position.phase != "turns" or position.turns.has_any() or position.replies.has_any():',
        "if True:",
    ),
    Change(
        "G7",
        "single shapes score",
        SCORING,
        "return alike * size * size if alike > 1 else 0",
        "return alike * size * size",
    ),
    Change(
        "G7",
        "shapes score their cells",
        SCORING,
        "return alike * size * size if alike > 1 else 0",
        "return alike * size if alike > 1 else 0",
    ),
    Change(
        "G7",
        "mirror images differ",
        POLYHEX,
        "for turned in (cubes, opposite) for image in _yield_cube_images(turned)",
        "for turned in (cubes, opposite) for image in list(_yield_cube_images(turned))[::2]",
    ),
    Change(
        "G8",
        "the smallest size first",
        SCORING,
        "for size in sorted({*black, *white}, reverse=True):\n        ranks",
        "for size in sorted({*black, *white}):\n        ranks",
    ),
    Change(
        "G8",
        "scores upwards",
        SCORING,
        "for number in alike.values()), reverse=True)",
        "for number in alike.values()))",
    ),
    Change(
        "G8",
        "the sum of a size decides",
        SCORING,
        "ranks = [rank_shape_scores(size, side.get(size, {})) for side in (black, white)]",
        "ranks = [[sum(rank_shape_scores(size, side.get(size, {})))] for side in (black, white)]",
    ),
    Change(
        "G8",
        "less is more",
        RULES,
        _SIDES,
        "return [position.black if end.black < end.white else 3 - position.black]",
    ),
    Change(
        "G9",
        "no comparison of creatures",
        SCORING,
        'return Deciding("creatures", None, *found) if found else Deciding("draw")',
        'return Deciding("draw")',
    ),
    Change(
        "G9",
        "the number of creatures decides",
        SCORING,
        "return [size for size, alike in side.items() for _ in range(sum(alike.values()))]",
        "return [sum(sum(alike.values()) for alike in side.values())]",
    ),
    Change(
        "G9",
        "a draw is a win of Black",
        RULES,
        "        if end.black == end.white:\n            return [1, 2]\n",
        "",
    ),
    Change(
        "G10",
        "the second time is enough",
        STEPS,
        "ENOUGH_REPETITIONS = 2",
        "ENOUGH_REPETITIONS = 1",
    ),
    Change(
        "G10",
        "the fourth time is needed",
        STEPS,
        "ENOUGH_REPETITIONS = 2",
        "ENOUGH_REPETITIONS = 3",
    ),
    Change("G10", "nothing is claimed", RULES, "repeats = True", "repeats = False"),
    Change(
        "G11",
        "settling before colours",
        RULES,
        "        if position.black is None:\n            raise Unsettled\n",
        "        if position.black is None:\n            return [1, 2]\n",
    ),
    Change("G11", "settling is a draw", RULES, _SIDES, "return [1, 2]"),
    Change(
        "G",
        "the order of turns",
        RULES,
        "for placed in scan_cells(places):",
        "for placed in reversed(list(scan_cells(places))):",
    ),
    Change(
        "G",
        "scores by colour",
        RULES,
        "return [end.black, end.white][:: 1 if position.black == 1 else -1]",
        "return [end.black, end.white]",
    ),
    Change(
        "G",
        "a bite is told as none",
        RULES,
        "        if bite:\n            events.append",
        "        if not bite:\n            events.append",
    ),
    Change(
        "G",
        "a bite is written as a move",
        RULES,
        "{'x' if bite else '-'}",
        "{'-' if bite else '-'}",
    ),
    Change(
        "G",
        "a bitten stone is not marked",
        OVERLAY,
        'elif event["type"] == "capture":',
        'elif event["type"] == "captured":',
    ),
    Change(
        "G", "shapes of two are not lettered", SCORING, "if len(same) > 1}", "if len(same) > 2}"
    ),
    Change(
        "G",
        "the way of a stone is not drawn",
        OVERLAY,
        'if event["type"] == "move":',
        'if event["type"] == "moved":',
    ),
    Change(
        "both",
        "who resigns wins",
        STEPS,
        "winner = [3 - seat]\n        return winner, [{",
        "winner = [seat]\n        return winner, [{",
    ),
    Change(
        "both",
        "an agreed draw is nobody's",
        STEPS,
        'winner = [1, 2] if how == "draw" else []',
        "winner = []",
    ),
    Change(
        "both",
        "a claimed repetition is nobody's",
        STEPS,
        'if how == "settle" else [1, 2]',
        'if how == "settle" else []',
    ),
    Change(
        "both",
        "results name no winners",
        STEPS,
        'return [eog, {"type": "winners", "players": list(winner)}]',
        "return [eog]",
    ),
    Change("both", "pieces are drawn swapped", RENDER, '"-AB"', '"-BA"'),
)


def plant_change(change: Change, folder: Path) -> Path:
    """Return a folder to import from, in which a copy of the code has the change."""
    copy = folder / "plyhost"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    file = copy / change.file
    text = file.read_text()
    if text.count(change.before) != 1:
        raise ValueError(
            f"{change.name}: {change.before!r} stands {text.count(change.before)} times"
        )
    file.write_text(text.replace(change.before, change.after))
    return folder


def replay_fixtures(folder: Path) -> "subprocess.CompletedProcess[str]":
    """Return what the command says of the fixtures with the code of a folder."""
    start = "from plyhost.cli.start import start_command_line as start; start()"
    asked = [sys.executable, "-c", start, "replay", str(ARCHIVE), "--jobs", "0", "--fail-fast"]
    env = dict(os.environ) | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(asked, env=env, capture_output=True, text=True, check=False, cwd=folder)


def find_first_difference(change: Change) -> str | None:
    """Return the first difference that a change makes to the fixtures, None if there is none."""
    with TemporaryDirectory() as folder:
        done = replay_fixtures(plant_change(change, Path(folder)))
    if "cannot be judged" in done.stderr:
        return done.stderr
    lines = done.stdout.splitlines()
    if not lines or "1 different" not in lines[-1]:
        return None
    return next(line for line in lines if line.startswith(str(ARCHIVE))).removeprefix(f"{ARCHIVE}/")


def main(name: str = "") -> int:
    """Print a table; returns 1 if a change is not seen."""
    missed = 0
    print("| rule | change | first seen as |\n|---|---|---|")
    for change in CHANGES:
        if name in change.name:
            seen = find_first_difference(change)
            missed += seen is None
            told = (
                "**not seen**" if seen is None else seen.partition(": ")[2][:90].replace("|", "/")
            )
            print(f"| {change.rule} | {change.what} | {told} |", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
