"""What a loser is charged for the cards in hand, with the sum that leads there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, cast

import msgspec

from rummy_audit.rules.arrange import Arrangement, ArrangeRules, TooHard, least_points
from rummy_audit.rules.cards import card_points, is_face
from rummy_audit.rules.families.indian.declaration import (
    Claim,
    Groups,
    claim_findings,
    read_claim,
)
from rummy_audit.rules.families.indian.law import arrange_rules, card_values, group_rules
from rummy_audit.rules.findings import NONE, Finding, Term
from rummy_audit.rules.groups import GroupRules, Reading, read_group
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
    cards = [*chain(*claim.groups, claim.loose)]
    scale = _scale(rules, wild)
    if not claim.groups:
        best = cast("Arrangement", least_points(cards, scale.arrange, wild))
        return Count(
            points=best.points,
            breakdown=_sum(cards, _spared(best.groups, scale), scale),
            shown=None,
            best=best.points,
            best_groups=best.groups,
            claim=claim,
            readings=(),
        )
    readings = tuple([read_group(group, scale.groups, wild) for group in claim.groups])
    counted = _sum(cards, _spared(claim.groups, scale, readings), scale)
    shown = sum([term.points for term in counted])
    better = None
    try:
        if shown:
            better = least_points(cards, scale.arrange, wild, below=shown)
    except TooHard:
        if scale.by_best:
            raise
    if better and scale.by_best:
        counted = _sum(cards, _spared(better.groups, scale), scale)
    return Count(
        points=better.points if better and scale.by_best else shown,
        breakdown=counted,
        shown=shown,
        best=better.points if better else shown,
        best_groups=better.groups if better else claim.groups,
        claim=claim,
        readings=readings,
    )


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


class _Scale(NamedTuple):
    """By what the cards of a loser are counted under a ruleset, with one wild rank."""

    groups: GroupRules
    arrange: ArrangeRules
    wild: str | None
    terms: _Terms
    cap: int | None
    by_best: bool


@lru_cache(maxsize=1024)
def _scale(rules: Ruleset, wild: str | None) -> _Scale:
    return _Scale(
        groups=group_rules(rules),
        arrange=arrange_rules(rules),
        wild=wild,
        terms=_Terms(card_values(rules), wild),
        cap=rules.limit("cap"),
        by_best=rules.choice("judge_losers") == "best",
    )


def _spared(
    groups: Groups, scale: _Scale, readings: Sequence[Reading] | None = None
) -> list[str] | None:
    """Return the cards of these groups that do not count; None: the cap is charged flat."""
    by = scale.arrange
    if readings is None:
        readings = [read_group(group, scale.groups, scale.wild) for group in groups]
    kinds = [reading.kind for reading in readings]
    pure = kinds.count("pure-sequence")
    sequences = pure + kinds.count("impure-sequence")
    if sequences >= by.sequences_min and pure >= by.pure_min:
        spared = _SEQUENCES_AND_SETS if by.sets_count else _SEQUENCES
    elif by.flat:
        return None
    elif by.spare_pure and sequences == pure == 1:
        spared = _PURE
    else:
        return []
    return [
        card for group, kind in zip(groups, kinds, strict=True) if kind in spared for card in group
    ]


_PURE = frozenset({"pure-sequence"})
_SEQUENCES = _PURE | {"impure-sequence"}
_SEQUENCES_AND_SETS = _SEQUENCES | {"set"}


def _sum(cards: Sequence[str], spared: Sequence[str] | None, scale: _Scale) -> tuple[Term, ...]:
    """Return the terms that add up to a loser's points: each card that counts, and the cap."""
    cap = scale.cap
    if spared is None and cap is not None:
        return (Term(points=cap, what="flat"),)
    count = len(spared or ())
    left = [*cards[count:]]
    if spared and spared != cards[:count]:
        # Of several copies the first are spared.
        left = [*cards]
        for card in spared:
            left.remove(card)
    terms = [*map(scale.terms.__getitem__, left)]
    total = sum([term.points for term in terms])
    if cap is not None and total > cap:
        terms.append(Term(points=cap - total, what="cap"))
    return tuple(terms)


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
