"""Judging tiles without a log: a table, or the most a rack can lay, with or without a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from rummy_audit.rules.families.tile.arrange import BUDGET, Aim, Arrangement, SearchTooLong, arrange
from rummy_audit.rules.families.tile.melds import PARAMETERS, breaches, meld_rules, readings
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.groups import Reading, group_findings
from rummy_audit.rules.judging import Answer, Best, JudgedGroup, JudgeError, Question
from rummy_audit.rules.rulesets import Ruleset
from rummy_audit.rules.tiles import in_order, pack, rack_points


def answer(question: Question) -> dict[str, Any]:
    """Judge melds as they lie, and seek the most that the tiles can be laid.

    ``most_tiles`` and ``most_value`` (on its own) say what of the ``cards`` can lie
    in melds, a joker counting as the tile it stands for; with a ``table`` its tiles
    all have to lie in them too, and the values are None where they cannot.
    ``declarable``: all tiles can be arranged. ``points`` is what a rack is charged
    for the tiles that stay on it.
    """
    try:
        return _answer(question)
    except SearchTooLong:
        raise JudgeError("cards", "too many ways to lay them", "fewer tiles") from None


def _answer(question: Question) -> dict[str, Any]:
    rules, groups = question.rules, question.groups
    lying = [tile for meld in question.table for tile in meld]
    named = [tile for meld in groups or () for tile in meld]
    copies = _too_many([*lying, *named, *question.cards])
    rack = [*named, *question.cards]
    most = None if copies else _most(rack, lying, rules)
    judged = [_judged(meld, rules, number) for number, meld in enumerate(groups or (), start=1)]
    found = [*copies, *(each for group in judged for each in group.findings)]
    declarable = most is not None and most.tiles == len(rack)
    if groups is None:
        left, valid = _points(most, rack, rules), declarable and not found
    else:
        left, valid = _left(judged, question, rules), not found
    report = Answer(
        valid=valid,
        points=left,
        declarable=declarable,
        best=Best(
            groups=most.least.melds if most else (),
            loose=most.least.loose if most else tuple(in_order(rack)),
            points=_points(most, rack, rules),
        ),
        groups=judged,
        findings=found,
    ).to_report("tile")
    return report | {
        "most_tiles": most.tiles if most else None,
        "most_value": most.value if most else None,
    }


class _Most(NamedTuple):
    """The most of a rack that can lie: by tiles, by value, and what leaves least points."""

    tiles: int
    value: int
    least: Arrangement


def _most(rack: Sequence[str], lying: Sequence[str], rules: Ruleset) -> _Most | None:
    """Return the most that can lie, each on its own; None where the table itself cannot."""
    melds = meld_rules(rules)

    def laid(aim: Aim, joker_points: int | None = None) -> Arrangement | None:
        return arrange(rack, melds, table=lying, aim=aim, joker_points=joker_points, budget=BUDGET)

    by_value = laid("value")
    if by_value is None:
        return None
    if not by_value.loose:
        return _Most(by_value.tiles, by_value.value, by_value)
    by_tiles = laid("tiles") or by_value
    least = laid("value", rules.number("joker_points")) or by_value
    return _Most(by_tiles.tiles, by_value.value, least)


def _points(most: _Most | None, rack: Sequence[str], rules: Ruleset) -> int:
    return rack_points(most.least.loose if most else rack, rules.number("joker_points"))


def _judged(meld: tuple[str, ...], rules: Ruleset, number: int) -> JudgedGroup:
    ways = readings(meld, meld_rules(rules))
    if ways:
        return JudgedGroup(meld, ways[0].kind, (), ways[0].places)
    reading = Reading("invalid", breaches(meld, meld_rules(rules)))
    found = group_findings(reading, rules, cards=meld, group=number, names=PARAMETERS)
    return JudgedGroup(meld, "invalid", found)


def _left(judged: Sequence[JudgedGroup], question: Question, rules: Ruleset) -> int:
    """Count the tiles outside valid melds, as they were named."""
    outside = [tile for group in judged if group.findings for tile in group.cards]
    return rack_points([*outside, *question.cards], rules.number("joker_points"))


def _too_many(tiles: Sequence[str]) -> list[Finding]:
    """Name the tiles that stand there more often than the game has them."""
    there = pack()
    return [
        Finding(code="too-many-copies", recorded=count, expected=there[tile], data={"card": tile})
        for tile, count in sorted(Counter(tiles).items())
        if count > there[tile]
    ]
