"""What a loser is charged for the cards in hand, with the sum that leads there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from rummy_audit.rules.families.indian.declaration import Claim, Groups
from rummy_audit.rules.findings import Finding, Term
from rummy_audit.rules.groups import Reading
from rummy_audit.rules.rulesets import Ruleset


class Count(msgspec.Struct, frozen=True):
    """A loser's points under the ruleset, the sum behind them, and the least possible.

    ``shown``: the points by the groups shown, None where none were; ``best``: the
    least of any arrangement. ``points`` is the one that counts
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
    the claim.
    """
    raise NotImplementedError


def show_findings(
    count: Count, *, rules: Ruleset, seq: int = 0, seat: int | None = None
) -> tuple[Finding, ...]:
    """Return what a show itself tells: ``card-not-held``, ``card-in-two-groups``, the note.

    ``arrangement-not-best`` (a note): the shown groups cost more than the best
    ones would. A group that does not stand is no finding in a show: its cards
    count.
    """
    raise NotImplementedError
