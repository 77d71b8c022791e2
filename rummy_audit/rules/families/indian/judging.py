"""Judging cards of Indian rummy without a log: a declaration, or the best of a hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rummy_audit.rules.arrange import TooHard, arrange
from rummy_audit.rules.cards import pack
from rummy_audit.rules.families.indian.declaration import judge_declaration
from rummy_audit.rules.families.indian.law import arrange_rules, wild_rank
from rummy_audit.rules.families.indian.losers import loser_points
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.judging import Answer, Best, JudgedGroup, JudgeError, Question


def answer(question: Question) -> dict[str, Any]:
    """Judge groups as a declaration, or seek the best arrangement of the cards.

    ``points`` is what a loser would be charged for them by the ruleset.
    """
    try:
        return _answer(question).to_report("indian")
    except TooHard:
        raise JudgeError("cards", "too many ways to lay them", "fewer cards or jokers") from None


def _answer(question: Question) -> Answer:
    rules, groups = question.rules, question.groups
    wild = question.wild
    if wild is not None and len(wild) > 1:
        wild = wild_rank(rules, wild)
    cards = [card for group in (*(groups or ()), question.cards) for card in group]
    best = arrange(cards, arrange_rules(rules), wild)
    laid = Best(
        groups=best.declaration or best.groups,
        loose=() if best.declaration else best.loose,
        points=best.points,
    )
    copies = _copies(cards, question)
    if groups is None:
        return Answer(
            valid=best.declarable and not copies,
            points=best.points,
            declarable=best.declarable,
            best=laid,
            findings=copies,
        )
    judged = judge_declaration(groups, rules=rules, wild=wild, loose=question.cards)
    shown = [
        JudgedGroup(
            cards=group,
            kind=reading.kind,
            places=reading.places,
            findings=[each for each in judged.findings if each.data.get("group") == number],
        )
        for number, (group, reading) in enumerate(
            zip(groups, judged.readings, strict=True), start=1
        )
    ]
    return Answer(
        valid=judged.right and not copies,
        points=loser_points(groups, question.cards, rules=rules, wild=wild).points,
        declarable=best.declarable,
        best=laid,
        groups=shown,
        findings=[*copies, *judged.findings],
    )


def _copies(cards: list[str], question: Question) -> list[Finding]:
    """Name the faces that stand there more often than the pack has them."""
    rules = question.rules
    packed = pack(rules.number("decks"), rules.number("printed_jokers"))
    return [
        Finding(
            code="too-many-copies",
            rule=rules.cite("printed_jokers" if card == "JK" else "decks"),
            recorded=count,
            expected=packed.get(card, 0),
            data={"card": card},
        )
        for card, count in sorted(Counter(cards).items())
        if count > packed.get(card, 0)
    ]
