"""What comes out of a benchmark: rows of the table of targets, for people or as JSON lines."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One row of the table of targets."""

    name: str
    measured: float
    target: float
    stretch: float | None
    unit: str
    detail: str
    # Whether less is better, as for memory.
    less: bool = False

    @property
    def met(self) -> bool:
        """Whether the target is met."""
        return self.measured <= self.target if self.less else self.measured >= self.target


def tell(*rows: Row, as_json: bool) -> int:
    """Print what was measured; return 0 if all targets are met, else 1."""
    for row in rows:
        if as_json:
            fields = {"name": row.name, "measured": round(row.measured, 4), "target": row.target}
            fields |= {"stretch": row.stretch, "unit": row.unit, "less": row.less, "met": row.met}
            print(json.dumps({**fields, "detail": row.detail}), flush=True)
        else:
            aim = "" if row.stretch is None else f", aim {row.stretch:g}"
            word = "met" if row.met else "NOT met"
            print(f"{row.name}: {row.measured:.3g} {row.unit} (target {row.target:g}{aim}): {word}")
            print(f"    {row.detail}", flush=True)
    return int(not all(row.met for row in rows))


def arguments(about: str, **numbers: int) -> argparse.Namespace:
    """Read the command line: ``--json`` and whole numbers with their defaults."""
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="one JSON line a row")
    for name, default in numbers.items():
        parser.add_argument(f"--{name}", type=int, default=default, help=f"default: {default}")
    return parser.parse_args()
