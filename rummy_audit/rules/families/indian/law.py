"""What the parameters of Indian rummy say about play, cards and groups, built once a ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, cast

import msgspec

from rummy_audit.rhl.records import JOKER
from rummy_audit.rules.arrange import ArrangeRules
from rummy_audit.rules.cards import VALUES, pack
from rummy_audit.rules.groups import GroupRules
from rummy_audit.rules.rulesets import Ruleset


class Law(msgspec.Struct, frozen=True):
    """What the course of play asks of a ruleset, looked up once."""

    pack: dict[str, int]
    cards: int
    fewest_copies: int
    hand_size: int
    players_min: int
    players_max: int
    joker_from_discard: bool
    discard_just_taken: bool
    stock_exhausted: str
    misses_to_drop: int | None
    drops: bool


@lru_cache(maxsize=1024)
def law(rules: Ruleset) -> Law:
    """Return what the course of play asks of a ruleset of the Indian family."""
    faces = pack(rules.number("decks"), rules.number("printed_jokers"))
    return Law(
        pack=faces,
        cards=sum(faces.values()),
        fewest_copies=min(faces.values()),
        hand_size=rules.number("hand_size"),
        players_min=rules.number("players_min"),
        players_max=rules.number("players_max"),
        joker_from_discard=rules.flag("joker_from_discard"),
        discard_just_taken=rules.flag("discard_just_taken"),
        stock_exhausted=rules.choice("stock_exhausted"),
        misses_to_drop=rules.limit("misses_to_drop"),
        drops=rules.flag("drops"),
    )


@lru_cache(maxsize=1024)
def group_rules(rules: Ruleset) -> GroupRules:
    """Return what makes a group valid under a ruleset of the Indian family."""
    return GroupRules(
        ace=cast("Literal['low', 'high-or-low', 'round-corner']", rules["ace"]),
        sequence_min=rules.number("sequence_min"),
        sequence_max=rules.limit("sequence_max"),
        set_min=rules.number("set_min"),
        set_max=rules.limit("set_max"),
        set_duplicates=rules.flag("set_duplicates"),
        jokers=True,
        jokers_max=rules.limit("jokers_max"),
        naturals_min=rules.number("naturals_min"),
        wild_anchors=rules.flag("wild_anchors"),
        natural_wild_pure=rules.flag("natural_wild_pure"),
    )


def card_values(rules: Ruleset) -> Mapping[str, int]:
    """Return what each rank counts against a loser."""
    return VALUES[rules.choice("card_points")]


@lru_cache(maxsize=1024)
def arrange_rules(rules: Ruleset) -> ArrangeRules:
    """Return what the best arrangement of a hand is sought by."""
    return ArrangeRules(
        groups=group_rules(rules),
        values=rules.choice("card_points"),
        hand_size=rules.number("hand_size"),
        sequences_min=rules.number("sequences_min"),
        pure_min=rules.number("pure_min"),
        cap=rules.limit("cap"),
        sets_count=rules.choice("loser_counts") == "ungrouped",
        flat=rules.choice("no_lives_points") == "flat",
        spare_pure=rules.choice("pure_only") == "spare-pure",
    )


def wild_rank(rules: Ruleset, indicator: str | None) -> str | None:
    """Return the wild rank by the card that was turned for it; None: printed jokers only.

    ``wild_if_printed`` says what a printed joker makes wild. With ``redraw`` a
    printed joker says nothing: the card that follows it does.

    >>> from rummy_audit.rules.rulesets import ruleset
    >>> wild_rank(ruleset("indian-13"), "7D"), wild_rank(ruleset("indian-13"), "JK")
    ('7', 'A')
    """
    if indicator is None:
        return None
    if indicator == JOKER:
        return "A" if rules.choice("wild_if_printed") == "aces" else None
    return indicator[0]
