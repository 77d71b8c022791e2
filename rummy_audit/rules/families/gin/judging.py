"""Judging cards of gin without a log: deadwood, melds, discards to knock with, a showdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rummy_audit.rules.arrange import ArrangeRules, TooHard, arrange
from rummy_audit.rules.families.gin.deadwood import (
    BIT,
    MELDS,
    best_against,
    best_melds,
    cards_of,
    deadwood,
    groups_of,
    lay_off,
    mask_of,
    points_of,
)
from rummy_audit.rules.families.gin.law import NAMES, Law, knock_limit, law
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.groups import group_findings, read_group
from rummy_audit.rules.judging import Answer, Best, JudgedGroup, JudgeError, Question

# Above this the masks' own search, made for a hand, gives way to the general one.
_HAND = 13


def answer(question: Question) -> dict[str, Any]:
    """Judge melds with the deadwood beside them, or seek the least deadwood of the cards.

    ``points`` is the deadwood. ``declarable``: it is little enough to knock with.
    With ``lay_on`` own melds and lay-offs are solved together; then nobody knocks any
    more. One card more than a hand holds is the moment before the discard: ``points``
    and ``best`` are those after the best ``discard``, and ``knock_discards`` names
    every card that may be thrown to knock (None where the upcard sets the limit).
    """
    try:
        return _answer(question)
    except TooHard:
        raise JudgeError("cards", "too many ways to lay them", "fewer cards") from None


def _answer(question: Question) -> dict[str, Any]:
    held = law(question.rules)
    limit = knock_limit(held, None)
    cards = [card for group in (*(question.groups or ()), *(question.cards,)) for card in group]
    found = _copies([*cards, *(card for meld in question.lay_on for card in meld)], question)
    mask = mask_of(card for card in cards if card in BIT)
    own: dict[str, Any] = {}
    if question.lay_on:
        best = _against(mask, question)
    elif question.groups is None and len(cards) == held.hand_size + 1 and not found:
        discard, best = _after_discard(cards)
        own = {
            "discard": discard,
            "knock_discards": None if limit is None else _knock_discards(cards, limit),
        }
    else:
        best = _best(mask, held)
    declarable = not question.lay_on and limit is not None and best.points <= limit
    if question.groups is None:
        report = Answer(
            valid=declarable and not found,
            points=best.points,
            declarable=declarable,
            best=best,
            findings=found,
        )
        return report.to_report("gin") | own
    judged, points, broken = _as_named(question, held)
    return Answer(
        valid=not found and not broken,
        points=points,
        declarable=declarable,
        best=best,
        groups=judged,
        findings=[*found, *broken],
    ).to_report("gin")


def _best(mask: int, held: Law) -> Best:
    """Return the least deadwood of some cards, with the melds that leave it."""
    if mask.bit_count() > _HAND:
        rules = ArrangeRules(
            groups=held.groups,
            values="ace-one",
            hand_size=mask.bit_count(),
            sequences_min=0,
            pure_min=0,
            cap=None,
        )
        found = arrange(cards_of(mask), rules)
        whole = found.declaration
        return Best(whole or found.groups, () if whole else found.loose, found.points)
    points, melds = best_melds(mask)
    return Best(groups_of(melds), cards_of(mask & ~sum(melds)), points)


def _against(mask: int, question: Question) -> Best:
    """Return the least deadwood of a hand that may lay off on a knocker's melds."""
    melds = _melds(question)
    if mask.bit_count() > _HAND:
        raise JudgeError("cards", mask.bit_count(), f"at most {_HAND} cards to lay off from")
    laid = best_against(mask, melds)
    return Best(
        groups=groups_of(laid.melds),
        loose=cards_of(laid.left),
        points=laid.points,
        layoffs=tuple((cards_of(card)[0], meld + 1) for card, meld in laid.layoffs),
    )


def _melds(question: Question) -> list[int]:
    """Read the knocker's melds; only valid ones can be laid off on."""
    melds = []
    for meld in question.lay_on:
        known = all(card in BIT for card in meld)
        mask = mask_of(meld) if known else 0
        if mask not in MELDS or mask.bit_count() != len(meld):
            raise JudgeError("lay_on", " ".join(meld), "a valid run or set")
        melds.append(mask)
    return melds


def _after_discard(cards: Sequence[str]) -> tuple[str, Best]:
    """Return the best discard, the dearest of equals, and the best of what is left."""
    mask = mask_of(cards)
    discard = min(cards, key=lambda card: (deadwood(mask & ~BIT[card]), -points_of(BIT[card])))
    points, melds = best_melds(mask & ~BIT[discard])
    left = mask & ~BIT[discard] & ~sum(melds)
    return discard, Best(groups_of(melds), cards_of(left), points)


def _knock_discards(cards: Sequence[str], limit: int) -> list[str]:
    """Return the cards that leave little enough deadwood to knock, in the order given.

    >>> _knock_discards("JS JH JD 8C 7S 7H 7D 4S 3D 2S AC".split(), 10)
    ['8C']
    """
    mask = mask_of(cards)
    return [card for card in cards if deadwood(mask & ~BIT[card]) <= limit]


def _as_named(question: Question, held: Law) -> tuple[list[JudgedGroup], int, list[Finding]]:
    """Judge the groups as named; loose cards are laid off where they fit."""
    judged: list[JudgedGroup] = []
    found: list[Finding] = []
    used: set[str] = set()
    loose = mask_of(card for card in question.cards if card in BIT)
    for number, group in enumerate(question.groups or (), start=1):
        shared = [card for card in dict.fromkeys(group) if card in used]
        if shared:
            data = {"cards": shared, "group": number}
            found.append(Finding(code="card-in-two-groups", data=data))
        kept = tuple(card for card in group if card not in used)
        used.update(group)
        reading = read_group(kept, held.groups)
        broken = group_findings(reading, question.rules, cards=kept, group=number, names=NAMES)
        kind = "sequence" if reading.is_sequence else reading.kind
        judged.append(JudgedGroup(group, kind, broken))
        found += broken
        if not reading.valid:
            loose |= mask_of(card for card in kept if card in BIT)
    for card, _ in lay_off(loose, _melds(question)):
        loose &= ~card
    return judged, points_of(loose), found


def _copies(cards: Sequence[str], question: Question) -> list[Finding]:
    """Name the faces that one pack does not have, or not so often.

    Among groups a card named twice is one that two of them share.
    """
    return [
        Finding(
            code="too-many-copies" if card in BIT else "card-not-in-deck",
            recorded=count,
            expected=int(card in BIT),
            data={"card": card},
        )
        for card, count in sorted(Counter(cards).items())
        if card not in BIT or (count > 1 and question.groups is None)
    ]
