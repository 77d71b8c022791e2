"""Lay as many tiles of a rack as can be, against rummikub-solver (an integer programme).

    python benchmarks/arrange_tile.py [--positions 30] [--json]

Racks of several sizes are drawn from all 106 tiles, some beside a table; both lay
as many tiles as they can, and have to agree on how many. Seconds of CPU of this
process, each position once; the solver is built once and warm.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from pathlib import Path
from typing import NamedTuple

from rummikub_solver import Colour, RuleSet, SolverMode

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.rows import Row, arguments, tell
from rummy_audit.rules.families.tile.arrange import arrange
from rummy_audit.rules.families.tile.melds import MeldRules
from rummy_audit.rules.tiles import pack

SOLVER = RuleSet()
RULES = MeldRules()
TILES = [tile for tile, copies in pack().items() for _ in range(copies)]
NATURALS = [tile for tile in TILES if tile != "JK"]
NAMES = {Colour.RED: "R", Colour.BLUE: "B", Colour.BLACK: "K", Colour.ORANGE: "O"}
THEIRS = {
    f"{NAMES[tile.colour]}{tile.value}" if hasattr(tile, "value") else "JK": tile
    for tile in SOLVER.tiles
}


class Shape(NamedTuple):
    """What kind of positions: tiles of the rack, jokers among them, tiles that lie in melds."""

    name: str
    rack: int
    jokers: int
    table: int = 0


SHAPES = (
    Shape("rack of 14", 14, 0),
    Shape("rack of 14, a joker", 14, 1),
    Shape("rack of 14, 30 on the table", 14, 0, 30),
    Shape("rack of 20, 60 on the table", 20, 1, 60),
    Shape("40 tiles, both jokers", 40, 2),
    Shape("60 tiles, both jokers", 60, 2),
    Shape("80 tiles, both jokers", 80, 2),
)


def position(shape: Shape, rng: random.Random) -> tuple[list[str], list[str]]:
    """Draw a rack, and a table whose tiles can lie in melds."""
    pool = rng.sample(NATURALS, len(NATURALS))
    table: list[str] = []
    if shape.table:
        laid = arrange(pool[: shape.table + 12], RULES)
        melds = list(laid.melds) if laid else []
        while melds and len(table) + len(melds[-1]) <= shape.table:
            table += melds.pop()
    rest = list(pool)
    for tile in table:
        rest.remove(tile)
    jokers = ["JK"] * shape.jokers
    return [*rest[: shape.rack - shape.jokers], *jokers], table


def ours(rack: list[str], table: list[str]) -> int:
    """Return how many tiles of the rack we lay."""
    found = arrange(rack, RULES, table=table)
    return found.tiles if found else -1


def theirs(rack: list[str], table: list[str]) -> int:
    """Return how many tiles of the rack the solver lays."""
    state = SOLVER.new_game()
    state.initial = False
    state.add_rack(*(THEIRS[tile] for tile in rack))
    state.add_table(*(THEIRS[tile] for tile in table))
    found = SOLVER.solve(state, SolverMode.TILE_COUNT)
    return len(found.tiles) if found else 0


def main() -> int:
    """Print medians and slowest, and how often the two differ."""
    wanted = arguments(__doc__ or "", positions=30)
    count = wanted.positions
    least, unlike = float("inf"), 0
    rng = random.Random(106)
    for tried in (ours, theirs):
        tried(*position(SHAPES[0], rng))
    lines = [f"{'milliseconds':<30} {'ours':>14} {'theirs':>16} {'ratio':>7} {'differ':>7}"]
    for shape in SHAPES:
        mine, other, differ = [], [], 0
        for _ in range(count):
            rack, table = position(shape, rng)
            begun = time.process_time()
            laid = ours(rack, table)
            mine.append(1000 * (time.process_time() - begun))
            begun = time.process_time()
            differ += laid != theirs(rack, table)
            other.append(1000 * (time.process_time() - begun))
        ratio = statistics.median(other) / statistics.median(mine)
        least, unlike = min(least, ratio), unlike + differ
        lines.append(
            f"{shape.name:<30} {statistics.median(mine):>6.1f} {max(mine):>7.1f}"
            f" {statistics.median(other):>8.1f} {max(other):>7.1f} {ratio:>6.1f}x {differ:>7}"
        )
    if not wanted.json:
        print("\n".join(lines))
    detail = f"the least of {len(SHAPES)} shapes of {count} positions; {unlike} counts differ"
    return tell(
        Row("most tiles laid, against rummikub-solver", least, 1, None, "x", detail),
        as_json=wanted.json,
    )


if __name__ == "__main__":
    sys.exit(main())
