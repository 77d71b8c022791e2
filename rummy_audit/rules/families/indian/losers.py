"""What a loser is charged for the cards in hand, with the sum that leads there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import cast

import msgspec

from rummy_audit.rules.arrange import Arrangement, ArrangeRules, TooHard, least_points
from rummy_audit.rules.cards import card_points, is_face
from rummy_audit.rules.families.indian.declaration import (
    Claim,
    Groups,
    claim_findings,
    read_claim,
)
from rummy_audit.rules.families.indian.law import arrange_rules, card_values
from rummy_audit.rules.findings import NONE, Finding, Term
from rummy_audit.rules.groups import Reading, read_laid
from rummy_audit.rules.rulesets import Ruleset


class Count(msgspec.Struct, frozen=True):
    """A loser's points under the ruleset, the sum behind them, and the least possible.

    ``shown``: the points by the groups shown, None where none were; ``best``: the
    least of any arrangement (as shown, where there are too many cards to arrange),
    ``best_groups`` the groups that lead there. ``points`` is the one that counts
    (``judge_losers``), ``breakdown`` its sum.
    """

    points: int
    breakdown: tuple[Term, ...]
    shown: int | None
    best: int
    best_groups: tuple[tuple[str, ...], ...]
    claim: Claim
    readings: tuple[Reading, ...]


def loser_points(
    groups: Groups | None,
    loose: Sequence[str],
    *,
    rules: Ruleset,
    wild: str | None,
    copies: Mapping[str, int] | None = None,
) -> Count:
    """Count a loser's cards: ``groups`` as shown (None or empty: by the best arrangement).

    ``copies`` as in ``declaration.read_claim``; the cards counted are those of
    the claim. Raises KeyError for a card that counts nothing known (``??``, or
    one that no pack has), TooHard for too many cards where the best decides.

    >>> from rummy_audit.rules.rulesets import ruleset
    >>> groups = ["2H 3H 4H".split(), "5C 6C QD".split()]
    >>> loose = "8D 8S 5C 2D 2C KS QS".split()
    >>> count = loser_points(groups, loose, rules=ruleset("indian-13-circle"), wild="Q")
    >>> count.points, count.best
    (35, 19)
    """
    claim = read_claim(groups or (), loose, copies)
    scale = _scale(rules, wild)
    if not claim.groups:
        best = cast("Arrangement", least_points(claim.loose, scale.arrange, wild))
        counted, _ = _by_best(best, claim.loose, scale)
        return Count(best.points, counted, None, best.points, best.groups, claim, ())
    law = scale.arrange.groups
    readings = tuple([read_laid(group, law, wild) for group in claim.groups])
    cards = (*chain(*claim.groups, claim.loose),)
    counted, shown = _as_laid(claim, cards, [reading.kind for reading in readings], scale)
    better = None
    try:
        if shown:
            better = least_points(cards, scale.arrange, wild, below=shown)
    except TooHard:
        if scale.by_best:
            raise
    if better is None:
        return Count(shown, counted, shown, shown, claim.groups, claim, readings)
    points = shown
    if scale.by_best:
        counted, points = _by_best(better, cards, scale)
    return Count(points, counted, shown, better.points, better.groups, claim, readings)


class _Terms(dict[str, Term]):
    """What each face counts by itself; KeyError for one that counts nothing known."""

    def __init__(self, values: Mapping[str, int], wild: str | None) -> None:
        super().__init__()
        self.values_of, self.wild = values, wild

    def __missing__(self, card: str) -> Term:
        term = Term(cards=(card,), points=card_points(card, self.values_of, self.wild))
        if is_face(card):
            self[card] = term
        return term


class _Scale(msgspec.Struct, frozen=True):
    """By what the cards of a loser are counted under a ruleset, with one wild rank.

    ``flat``: whether the cap is charged flat for cards without any group.
    """

    arrange: ArrangeRules
    terms: _Terms
    by_best: bool
    flat: bool


@lru_cache(maxsize=1024)
def _scale(rules: Ruleset, wild: str | None) -> _Scale:
    return _Scale(
        arrange=arrange_rules(rules),
        terms=_Terms(card_values(rules), wild),
        by_best=rules.choice("judge_losers") == "best",
        flat=_spared((), arrange_rules(rules)) is None,
    )


def _spared(kinds: Sequence[str], by: ArrangeRules) -> frozenset[str] | None:
    """Return the kinds of group whose cards do not count; None: the cap is charged flat."""
    pure = kinds.count("pure-sequence")
    sequences = pure + kinds.count("impure-sequence")
    if sequences >= by.sequences_min and pure >= by.pure_min:
        return _SEQUENCES_AND_SETS if by.sets_count else _SEQUENCES
    if by.flat:
        return None
    return _PURE if by.spare_pure and sequences == pure == 1 else _NOTHING


_NOTHING = frozenset[str]()
_PURE = frozenset({"pure-sequence"})
_SEQUENCES = _PURE | {"impure-sequence"}
_SEQUENCES_AND_SETS = _SEQUENCES | {"set"}


def _by_best(
    best: Arrangement, cards: Sequence[str], scale: _Scale
) -> tuple[tuple[Term, ...], int]:
    """Return the sum for the best arrangement of some cards: all its groups are spared."""
    if not best.groups:
        return _sum(cards, scale, flat=scale.flat)
    return _sum(_without(chain(*best.groups), cards), scale)


def _as_laid(
    claim: Claim, cards: Sequence[str], kinds: Sequence[str], scale: _Scale
) -> tuple[tuple[Term, ...], int]:
    """Return the sum for the cards of a claim, as its groups lie."""
    spared = _spared(kinds, scale.arrange)
    if spared is None:
        return _sum(cards, scale, flat=True)
    if spared.issuperset(kinds):
        return _sum(claim.loose, scale)
    groups = [group for group, kind in zip(claim.groups, kinds, strict=True) if kind in spared]
    return _sum(_without(chain(*groups), cards), scale)


def _without(spared: Iterable[str], cards: Sequence[str]) -> list[str]:
    """Return the cards that count, in their order: of several copies the first are spared."""
    left = [*cards]
    for card in spared:
        left.remove(card)
    return left


def _sum(
    cards: Sequence[str], scale: _Scale, *, flat: bool = False
) -> tuple[tuple[Term, ...], int]:
    """Return the terms that add up to a loser's points, and these: each card, and the cap."""
    cap = scale.arrange.cap
    if flat and cap is not None:
        return (Term(points=cap, what="flat"),), cap
    terms = (*map(scale.terms.__getitem__, cards),)
    total = sum([term.points for term in terms])
    if cap is not None and total > cap:
        return (*terms, Term(points=cap - total, what="cap")), cap
    return terms, total


def show_findings(
    count: Count, *, rules: Ruleset, seq: int = 0, seat: int | None = None
) -> tuple[Finding, ...]:
    """Return what a show itself tells: ``card-not-held``, ``card-in-two-groups``, the note.

    ``arrangement-not-best`` (a note): the shown groups cost more than the best
    ones would. A group that does not stand is no finding in a show: its cards
    count.
    """
    claim = count.claim
    found = claim_findings(claim, seq=seq, seat=seat) if claim.unheld or claim.repeated else NONE
    if count.shown is None or count.shown <= count.best:
        return found
    note = Finding(
        code="arrangement-not-best",
        seq=seq,
        seat=seat,
        rule=rules.cite("judge_losers"),
        recorded=count.shown,
        expected=count.best,
        data={"groups": [list(group) for group in count.best_groups]},
    )
    return (*found, note)
