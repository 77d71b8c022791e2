"""Judging a declaration as a whole: its groups, the sequences it needs, its cards.

001 Declaration Rules: all cards in valid groups, at least two sequences, at
least one of them pure. Whether the table took it as right is judged elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from rummy_audit.rules.arrange import ArrangeRules, TooHard, can_declare
from rummy_audit.rules.cards import is_face
from rummy_audit.rules.families.indian.law import arrange_rules
from rummy_audit.rules.findings import NONE, Finding
from rummy_audit.rules.groups import Kind, Reading, group_findings, read_laid
from rummy_audit.rules.rulesets import Ruleset

Groups = Sequence[Sequence[str]]


class Claim(msgspec.Struct, frozen=True):
    """Groups and loose cards as a player named them, each card counted once.

    ``repeated`` names a card that stands in a second place although the player
    holds too few copies, with the number of that group (0: among the loose
    ones); it has been left out there. ``unheld`` names cards the player cannot
    have at all; they stay where they were named.
    """

    groups: tuple[tuple[str, ...], ...]
    loose: tuple[str, ...]
    repeated: tuple[tuple[str, int], ...] = ()
    unheld: tuple[str, ...] = ()


class Declaration(msgspec.Struct, frozen=True):
    """A declaration judged.

    ``right``: it stands under the ruleset (``judge_declarer``); ``as_declared``
    and ``at_best`` are the two answers that it chooses from. ``findings`` are the
    reasons in the order a referee asks, then ``wrong-declaration``; empty when it
    stands.
    """

    right: bool
    as_declared: bool
    at_best: bool
    claim: Claim
    readings: tuple[Reading, ...]
    findings: tuple[Finding, ...]


def read_claim(
    groups: Groups, loose: Sequence[str] = (), copies: Mapping[str, int] | None = None
) -> Claim:
    """Count each card of a declaration or show once.

    ``copies``: the most copies of each face that the player can have (a face
    left out: none); None: as many as are named.
    """
    if copies is None:
        return Claim(tuple(map(tuple, groups)), tuple(loose))
    left = dict(copies)
    repeated: list[tuple[str, int]] = []
    unheld: list[str] = []

    def once(cards: Sequence[str], group: int) -> tuple[str, ...]:
        kept = []
        for card in cards:
            if not copies.get(card):
                unheld.append(card)
            elif left[card]:
                left[card] -= 1
            else:
                repeated.append((card, group))
                continue
            kept.append(card)
        return tuple(kept)

    counted = tuple(once(group, number) for number, group in enumerate(groups, start=1))
    return Claim(counted, once(loose, 0), tuple(repeated), tuple(unheld))


def claim_findings(claim: Claim, *, seq: int = 0, seat: int | None = None) -> tuple[Finding, ...]:
    """Return what is wrong with the cards a player named: not held, or named twice."""
    if not claim.unheld and not claim.repeated:
        return NONE
    unheld = [
        Finding(code="card-not-held", seq=seq, seat=seat, data={"card": card})
        for card in claim.unheld
    ]
    repeated = [
        Finding(code="card-in-two-groups", seq=seq, seat=seat, data={"card": card, "group": group})
        for card, group in claim.repeated
    ]
    return (*unheld, *repeated)


def _whole(
    claim: Claim, kinds: Sequence[Kind], by: ArrangeRules
) -> list[tuple[str, str, int, int, dict[str, object]]]:
    """Return what a declaration lacks as a whole: code, parameter, recorded, expected, data."""
    pure = kinds.count("pure-sequence")
    sequences = pure + kinds.count("impure-sequence")
    size = sum(map(len, claim.groups)) + len(claim.loose)
    lacks: list[tuple[str, str, int, int, dict[str, object]]] = []
    if pure < by.pure_min:
        lacks.append(("declare-no-pure-sequence", "pure_min", pure, by.pure_min, {}))
    if sequences < by.sequences_min:
        lacks.append(
            ("declare-too-few-sequences", "sequences_min", sequences, by.sequences_min, {})
        )
    if claim.loose:
        data: dict[str, object] = {"cards": list(claim.loose)}
        lacks.append(("declare-loose-cards", "hand_size", len(claim.loose), 0, data))
    if size != by.hand_size:
        lacks.append(("declare-card-count", "hand_size", size, by.hand_size, {}))
    return lacks


def judge_declaration(
    groups: Groups,
    *,
    rules: Ruleset,
    wild: str | None,
    loose: Sequence[str] = (),
    copies: Mapping[str, int] | None = None,
    because: Sequence[Finding] = (),
    seq: int = 0,
    seat: int | None = None,
) -> Declaration:
    """Judge a declaration by its groups; ``wild`` is the wild rank (``law.wild_rank``).

    ``copies`` as in ``read_claim``. ``because`` holds what else is wrong with it
    at this event (``declare-without-draw``): it does not stand then, whatever
    its groups. A card that cannot be held is ``card-not-held``, judged as named;
    the declaration does not stand either.

    >>> from rummy_audit.rules.rulesets import ruleset
    >>> shown = "KH KS KD | 6H 7H JK | 9S TS JS JK | 5S 5H 5D"
    >>> groups = [group.split() for group in shown.split("|")]
    >>> judged = judge_declaration(groups, rules=ruleset("indian-13"), wild="2")
    >>> [finding.code for finding in judged.findings], judged.at_best
    (['declare-no-pure-sequence', 'wrong-declaration'], True)
    """
    claim = read_claim(groups, loose, copies)
    by = arrange_rules(rules)
    law = by.groups
    readings = tuple([read_laid(group, law, wild) for group in claim.groups])
    kinds = [reading.kind for reading in readings]
    reasons: list[Finding] = [*because]
    if claim.unheld or claim.repeated:
        reasons += claim_findings(claim, seq=seq, seat=seat)
    barred = bool(because or claim.unheld)
    if "invalid" in kinds:
        for number, (group, reading) in enumerate(
            zip(claim.groups, readings, strict=True), start=1
        ):
            reasons += group_findings(reading, rules, cards=group, seq=seq, seat=seat, group=number)
    for code, parameter, recorded, expected, data in _whole(claim, kinds, by):
        reasons.append(
            Finding(
                code=code,
                seq=seq,
                seat=seat,
                rule=rules.cite(parameter),
                recorded=recorded,
                expected=expected,
                data=data,
            )
        )
    as_declared = not reasons
    at_best = as_declared or _at_best(claim, rules, wild)
    right = not barred and (at_best if rules["judge_declarer"] == "best" else as_declared)
    if right:
        return Declaration(right, as_declared, at_best, claim, readings, ())
    wrong = Finding(
        code="wrong-declaration",
        seq=seq,
        seat=seat,
        rule=rules.cite("judge_declarer"),
        data={"at_best": at_best},
    )
    return Declaration(right, as_declared, at_best, claim, readings, (*reasons, wrong))


def _at_best(claim: Claim, rules: Ruleset, wild: str | None) -> bool:
    """Whether the same cards could be declared in other groups."""
    cards = [card for group in (*claim.groups, claim.loose) for card in group]
    if len(cards) != rules.number("hand_size") or any(not is_face(card) for card in cards):
        return False
    try:
        return can_declare(cards, arrange_rules(rules), wild)
    except TooHard:
        return False  # as good as nobody could have found
