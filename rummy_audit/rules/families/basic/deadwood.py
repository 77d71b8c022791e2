"""Deadwood: what the cards left in a hand count, and the best way to arrange cards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rummy_audit.rhl.records import JOKER
from rummy_audit.rules.arrange import Arrangement, ArrangeRules, arrange
from rummy_audit.rules.cards import total_points
from rummy_audit.rules.families.basic.table import Settings
from rummy_audit.rules.groups import GroupRules

VALUES = {1: "ace-one", 11: "ace-eleven", 15: "ace-fifteen"}


@lru_cache(maxsize=256)
def _rules(groups: GroupRules, ace: int, count: int) -> ArrangeRules:
    return ArrangeRules(
        groups=groups,
        values=VALUES[ace],
        hand_size=count,
        sequences_min=0,
        pure_min=0,
        cap=None,
    )


def best(cards: Sequence[str], settings: Settings) -> Arrangement:
    """Arrange cards in melds for the least deadwood; raises TooHard over the budget.

    >>> from rummy_audit.rules.families.basic.table import settings
    >>> from rummy_audit.rules.rulesets import ruleset
    >>> best("7C 7D 7H 5H 6H KS".split(), settings(ruleset("basic"))).points
    21
    """
    wild = settings.groups.jokers
    dead = [] if wild else [card for card in cards if card == JOKER]
    live = list(cards) if wild else [card for card in cards if card != JOKER]
    found = arrange(live, _rules(settings.groups, settings.points["A"], len(live)))
    if not dead:
        return found
    return Arrangement(found.groups, (*found.loose, *dead), found.points)


def counted(cards: Sequence[str], settings: Settings) -> tuple[tuple[str, ...], int]:
    """Return the cards of a hand that count against its player, and what they count.

    Melds that were held and never laid count too, where the rules say so.
    """
    if settings.melds_count:
        return tuple(cards), total_points(cards, settings.points)
    found = best(cards, settings)
    return found.loose, found.points
