"""What the parameters of gin say, looked up once a ruleset."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rummy_audit.rules.groups import GroupRules
from rummy_audit.rules.rulesets import Ruleset

# Rules of ``GroupRules`` that gin has no parameter for: one pack holds no card twice.
NAMES = {"set_duplicates": "set_max"}


class Law(NamedTuple):
    """What the judges of gin ask of a ruleset.

    ``knock_max`` is None where the upcard sets the limit, ``big_gin`` where a knock
    needs its discard.
    """

    groups: GroupRules
    hand_size: int
    stock_floor: int
    last_upcard: bool
    upcard_offer: bool
    retake: bool
    knock_max: int | None
    oklahoma_ace: int
    best_knocker: bool
    best_defender: bool
    layoff_on_gin: bool
    gin_bonus: int
    undercut_bonus: int
    undercut_on_tie: bool
    big_gin: int | None
    missing_card_points: int
    too_many_wins: bool
    picked_up_bonus: bool
    looking_costs: bool
    correction_bars: bool
    seen_card_bars: str


@lru_cache(maxsize=4096)
def law(rules: Ruleset) -> Law:
    """Return what the judges ask of a ruleset of the gin family.

    >>> from rummy_audit.rules.rulesets import ruleset
    >>> law(ruleset("gin")).knock_max
    10
    """
    return Law(
        groups=GroupRules(
            ace="low",
            sequence_min=rules.number("sequence_min"),
            set_min=rules.number("set_min"),
            set_max=rules.number("set_max"),
        ),
        hand_size=rules.number("hand_size"),
        stock_floor=rules.number("stock_floor"),
        last_upcard=rules.choice("wall") == "last-upcard",
        upcard_offer=rules.flag("upcard_offer"),
        retake=rules.flag("discard_just_taken"),
        knock_max=rules.limit("knock_max"),
        oklahoma_ace=rules.number("oklahoma_ace"),
        best_knocker=rules.choice("judge_knocker") == "best",
        best_defender=rules.choice("judge_defender") == "best",
        layoff_on_gin=rules.flag("layoff_on_gin"),
        gin_bonus=rules.number("gin_bonus"),
        undercut_bonus=rules.number("undercut_bonus"),
        undercut_on_tie=rules.flag("undercut_on_tie"),
        big_gin=rules.limit("big_gin_bonus"),
        missing_card_points=rules.number("missing_card_points"),
        too_many_wins=rules.flag("too_many_wins"),
        picked_up_bonus=rules.flag("picked_up_bonus"),
        looking_costs=rules.choice("looking_back") == "lose-draw",
        correction_bars=rules.flag("correction_bars_knock"),
        seen_card_bars=rules.choice("seen_card_bars_knock"),
    )


def knock_limit(law_: Law, upcard: str | None) -> int | None:
    """Return the most deadwood to knock with; None where the upcard sets it and is unknown.

    >>> from rummy_audit.rules.rulesets import ruleset
    >>> oklahoma = law(ruleset("gin", house={"knock_max": "upcard", "oklahoma_ace": 0}))
    >>> [knock_limit(oklahoma, upcard) for upcard in ("7D", "QH", "AC", None)]
    [7, 10, 0, None]
    """
    if law_.knock_max is not None:
        return law_.knock_max
    if upcard is None or upcard[0] not in _UPCARD:
        return None
    return law_.oklahoma_ace if upcard[0] == "A" else _UPCARD[upcard[0]]


_UPCARD = {rank: min(at + 1, 10) for at, rank in enumerate("A23456789TJQK")}
