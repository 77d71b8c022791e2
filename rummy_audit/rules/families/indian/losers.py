"""What a loser is charged for the cards in hand, with the sum that leads there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

import msgspec

from rummy_audit.rules.arrange import Arrangement, TooHard, least_points
from rummy_audit.rules.cards import card_points
from rummy_audit.rules.families.indian.declaration import (
    Claim,
    Groups,
    claim_findings,
    read_claim,
)
from rummy_audit.rules.families.indian.law import arrange_rules, card_values, group_rules
from rummy_audit.rules.findings import Finding, Term
from rummy_audit.rules.groups import Reading, read_group
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
    cards = [card for group in (*claim.groups, claim.loose) for card in group]
    if not claim.groups:
        best = cast("Arrangement", least_points(cards, arrange_rules(rules), wild))
        return Count(
            points=best.points,
            breakdown=_sum(cards, _spared(best.groups, rules, wild), rules, wild),
            shown=None,
            best=best.points,
            best_groups=best.groups,
            claim=claim,
            readings=(),
        )
    law = group_rules(rules)
    readings = tuple([read_group(group, law, wild) for group in claim.groups])
    counted = _sum(cards, _spared(claim.groups, rules, wild), rules, wild)
    shown = sum([term.points for term in counted])
    by_best = rules.choice("judge_losers") == "best"
    better = None
    try:
        if shown:
            better = least_points(cards, arrange_rules(rules), wild, below=shown)
    except TooHard:
        if by_best:
            raise
    if better and by_best:
        counted = _sum(cards, _spared(better.groups, rules, wild), rules, wild)
    return Count(
        points=better.points if better and by_best else shown,
        breakdown=counted,
        shown=shown,
        best=better.points if better else shown,
        best_groups=better.groups if better else claim.groups,
        claim=claim,
        readings=readings,
    )


def _spared(groups: Groups, rules: Ruleset, wild: str | None) -> list[str] | None:
    """Return the cards of these groups that do not count; None: the cap is charged flat."""
    law = group_rules(rules)
    read = [(group, read_group(group, law, wild)) for group in groups]
    sequences = [group for group, reading in read if reading.is_sequence]
    pure = [group for group, reading in read if reading.kind == "pure-sequence"]
    if len(sequences) >= rules.number("sequences_min") and len(pure) >= rules.number("pure_min"):
        sets = [group for group, reading in read if reading.kind == "set"]
        spared = sequences if rules.choice("loser_counts") == "unsequenced" else sequences + sets
    elif rules.choice("no_lives_points") == "flat":
        return None
    elif rules.choice("pure_only") == "spare-pure" and len(sequences) == len(pure) == 1:
        spared = pure
    else:
        spared = []
    return [card for group in spared for card in group]


def _sum(
    cards: Sequence[str], spared: Sequence[str] | None, rules: Ruleset, wild: str | None
) -> tuple[Term, ...]:
    """Return the terms that add up to a loser's points: each card that counts, and the cap."""
    cap = rules.limit("cap")
    if spared is None and cap is not None:
        return (Term(points=cap, what="flat"),)
    values = card_values(rules)
    left = Counter(spared or ())
    terms = []
    for card in cards:
        if left[card]:
            left[card] -= 1
        else:
            terms.append(Term(cards=(card,), points=card_points(card, values, wild)))
    total = sum(term.points for term in terms)
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
    found = claim_findings(count.claim, seq=seq, seat=seat)
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
