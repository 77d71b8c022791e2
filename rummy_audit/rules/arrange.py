"""The best arrangement of a hand, exactly (being written)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rummy_audit.rules.groups import GroupRules


class ArrangeRules(msgspec.Struct, frozen=True, kw_only=True):
    """By what the best arrangement of a loser's hand is sought."""

    groups: GroupRules
    values: str = "ace-ten"
    hand_size: int = 13
    sequences_min: int = 2
    pure_min: int = 1
    cap: int | None = 80
    sets_count: bool = True
    flat: bool = False
    spare_pure: bool = False


class Arrangement(msgspec.Struct, frozen=True):
    """The best arrangement: groups, loose cards, least points, and whether all can be declared."""

    groups: tuple[tuple[str, ...], ...]
    loose: tuple[str, ...]
    points: int
    declarable: bool


def arrange(cards: Sequence[str], rules: ArrangeRules, wild: str | None = None) -> Arrangement:
    """Arrange the cards for the least points a loser can be charged."""
    raise NotImplementedError
