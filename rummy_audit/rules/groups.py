"""One group of cards: which kind it is, or every breach of the rules.

The rules of a group come from the parameters of a family; a reading never
raises on a bad group.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

Kind = Literal["pure-sequence", "impure-sequence", "set", "invalid"]


class GroupRules(msgspec.Struct, frozen=True, kw_only=True):
    """What makes a group valid, as the families' parameters say; limits in cards."""

    ace: Literal["low", "high-or-low", "round-corner"]
    sequence_min: int = 3
    sequence_max: int | None = None
    set_min: int = 3
    set_max: int | None = 4
    set_duplicates: bool = False
    jokers: bool = False
    naturals_min: int = 1
    wild_anchors: bool = False
    natural_wild_pure: bool = True


class Breach(msgspec.Struct, frozen=True):
    """One rule a group breaks: the code, the parameter behind it, what to name."""

    code: str
    parameter: str
    data: dict[str, Any]


class Reading(msgspec.Struct, frozen=True):
    """How a group reads: its kind, what each card stands for, and every breach.

    ``places`` names for each card of the group the face it stands for (itself
    when natural), in the group's order; empty when the group is invalid.
    """

    kind: Kind
    breaches: tuple[Breach, ...] = ()
    places: tuple[str, ...] = ()


def read_group(cards: Sequence[str], rules: GroupRules, wild: str | None = None) -> Reading:
    """Read a group under the rules; ``wild`` is the wild rank (``Q``) or None."""
    raise NotImplementedError
