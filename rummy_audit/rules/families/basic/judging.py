"""Judging cards of basic rummy without a log: melds as named, or the best of a hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rummy_audit.rhl.records import JOKER
from rummy_audit.rules.arrange import Arrangement, TooHard
from rummy_audit.rules.cards import pack, total_points
from rummy_audit.rules.families.basic.deadwood import best
from rummy_audit.rules.families.basic.table import NAMES, settings
from rummy_audit.rules.families.basic.view import kind_of
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.groups import group_findings, read_group
from rummy_audit.rules.judging import Answer, Best, JudgedGroup, JudgeError, Question


def answer(question: Question) -> dict[str, Any]:
    """Judge melds with what is left beside them, or seek the least deadwood of the cards.

    ``points`` is the deadwood: of the cards left outside valid melds as named, or
    of the best arrangement. ``declarable``: all the cards can be melded.
    """
    try:
        return _answer(question).to_report("basic")
    except TooHard:
        raise JudgeError("cards", "too many ways to lay them", "fewer cards or jokers") from None


def _answer(question: Question) -> Answer:
    rules, groups = question.rules, question.groups
    held = settings(rules)
    cards = [card for group in (*(groups or ()), question.cards) for card in group]
    arranged = best(cards, held)
    laid = Best(
        groups=arranged.declaration or arranged.groups,
        loose=() if arranged.declaration else arranged.loose,
        points=arranged.points,
    )
    copies = _copies(cards, question, grouped=bool(groups))
    declarable = _all_melded(arranged)
    if groups is None:
        return Answer(
            valid=declarable and not copies,
            points=arranged.points,
            declarable=declarable,
            best=laid,
            findings=copies,
        )
    judged = []
    left = list(question.cards)
    found = list(copies)
    spare = _spare(question)
    for number, group in enumerate(groups, start=1):
        kept, shared = _without_shared(group, spare)
        if shared:
            found.append(
                Finding(code="card-in-two-groups", data={"cards": shared, "group": number})
            )
        reading = read_group(kept, held.groups)
        broken = group_findings(reading, rules, cards=kept, group=number, names=NAMES)
        places = reading.places if JOKER in kept else ()
        judged.append(JudgedGroup(group, kind_of(reading.kind), broken, places))
        found += broken
        if not reading.valid:
            left += kept
    return Answer(
        valid=not found,
        points=total_points(left, held.points),
        declarable=declarable,
        best=laid,
        groups=judged,
        findings=found,
    )


def _spare(question: Question) -> Counter[str]:
    """Return the copies of the pack; a ruleset that lets a set hold two of a card has two."""
    rules = question.rules
    decks = max(rules.number("decks"), 2 if rules.flag("set_duplicates") else 1)
    return Counter(pack(decks, settings(rules).jokers))


def _without_shared(group: Sequence[str], spare: Counter[str]) -> tuple[tuple[str, ...], list[str]]:
    """Leave out the cards that a group before has already; the pack has no more of them."""
    shared = [card for card in dict.fromkeys(group) if spare[card] <= 0 and card in spare]
    spare.subtract(group)
    return tuple(card for card in group if card not in shared), shared


def _all_melded(arranged: Arrangement) -> bool:
    return arranged.declaration is not None or not arranged.loose


def _copies(cards: Sequence[str], question: Question, *, grouped: bool) -> list[Finding]:
    """Name the faces that stand there more often than the pack has them.

    Among groups a card too many is one that two of them share, or a repeated
    suit, and named as such; only a face that no pack has is named here.
    """
    rules, packed = question.rules, _spare(question)
    found = []
    for card, count in sorted(Counter(cards).items()):
        if count <= packed[card] or (grouped and packed[card]):
            continue
        found.append(
            Finding(
                code="too-many-copies" if packed[card] else "card-not-in-deck",
                rule=rules.cite("printed_jokers" if card == JOKER else "decks"),
                recorded=count,
                expected=packed[card],
                data={"card": card},
            )
        )
    return found
