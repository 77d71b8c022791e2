"""What a correction would move, worked out before anything of it is saved.

Three ask: the deal page before a correction is saved, a case before a decision, and a
what-if. None of them stores anything by asking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from replays import logs, queries
from replays.access import Viewer
from replays.models import HandLog, Seat
from rummy_audit.rhl import amend
from rummy_audit.rhl.records import Amend, Hand
from rummy_audit.rules.matches import Deal, MatchReport, Placed, audit_match
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import RulesetError
from rummy_audit.rules.view import Replay

_put = msgspec.structs.replace


@dataclass(frozen=True, slots=True)
class Side:
    """A hand as it is judged, and its match: None where it belongs to none."""

    hand: Replay
    match: MatchReport | None

    @property
    def totals(self) -> dict[int, int]:
        """The totals by the rules, by seat."""
        return self.match.totals if self.match else {}

    @property
    def out(self) -> tuple[int, ...]:
        """The seats that are out after the last deal."""
        return self.match.rows[-1].out if self.match and self.match.rows else ()

    @property
    def winner(self) -> int | None:
        """Who has won the match, if anybody has."""
        return self.match.winner if self.match else None


@dataclass(frozen=True, slots=True)
class KnockOn:
    """A match before and after a change of one of its hands; ``names`` by seat."""

    before: Side
    after: Side
    names: dict[int, str] = field(default_factory=dict)

    @property
    def totals(self) -> list[tuple[int, int | None, int | None]]:
        """Whose total moves: seat, before, after."""
        seats = sorted({*self.before.totals, *self.after.totals})
        pairs = [
            (seat, self.before.totals.get(seat), self.after.totals.get(seat)) for seat in seats
        ]
        return [each for each in pairs if each[1] != each[2]]

    @property
    def newly_out(self) -> list[int]:
        """Who would be out and is not now."""
        return sorted(set(self.after.out) - set(self.before.out))

    @property
    def back_in(self) -> list[int]:
        """Who is out now and would not be."""
        return sorted(set(self.before.out) - set(self.after.out))

    @property
    def winner_changes(self) -> bool:
        """Whether somebody else would win, or nobody yet."""
        return self.before.winner != self.after.winner

    @property
    def new_findings(self) -> list[Placed]:
        """What the match would be told that it is not told now, such as who played when out."""
        return _missing_from(self.before.match, self.after.match)

    @property
    def gone_findings(self) -> list[Placed]:
        """What the match is told now and would not be."""
        return _missing_from(self.after.match, self.before.match)

    @property
    def is_quiet(self) -> bool:
        """Whether nothing beyond the hand itself would change."""
        return not (
            self.totals
            or self.newly_out
            or self.back_in
            or self.winner_changes
            or self.new_findings
            or self.gone_findings
        )


def _missing_from(there: MatchReport | None, here: MatchReport | None) -> list[Placed]:
    known = list(there.findings) if there else []
    return [placed for placed in (here.findings if here else ()) if placed not in known]


def knock_on(viewer: Viewer, log: HandLog, amendment: Amend) -> KnockOn:
    """Return what an amendment of a stored hand would move, without storing anything.

    The caller has found ``log`` among what the viewer may read.
    ``amendment`` is what would be appended to the log; its ``seq`` is set here. Raises
    RulesetError where the changed hand record names rules that cannot be.

    >>> knock_on(viewer, log, Amend(target=1, replace=Score(points={1: 0, 2: 20}, winner=1)))
    ... # doctest: +SKIP
    KnockOn(before=…, after=…, names={1: 'Asha', 2: 'Bilal'})
    """
    whole = logs.hand_in(logs.stored_lines([log.pk])[log.pk])
    return with_hand(viewer, log, amended(whole, amendment))


def with_hand(viewer: Viewer, log: HandLog, changed: Hand) -> KnockOn:
    """Return what it would move if ``changed`` stood in the place of a stored hand's log.

    Three queries, whatever the number of deals. Raises RulesetError.
    """
    found = _hands_of_match(viewer, log) if log.match else [log]
    bodies = logs.stored_lines([each.pk for each in found])
    before: list[Deal] = []
    after: list[Deal] = []
    own: tuple[Deal, Deal] | None = None
    for each in found:
        stored = logs.hand_in(bodies[each.pk])
        if each.pk == log.pk:
            own = deal_of(each, stored), deal_of(each, changed)
            pair = own
        else:
            try:
                pair = (deal_of(each, stored),) * 2
            except RulesetError:
                continue  # such a hand brings its match nothing, now as after
        before.append(pair[0])
        after.append(pair[1])
    if own is None:
        raise LookupError(f"hand {log.pk} is not among the hands of its match")
    seats = Seat.objects.filter(log__in=[each.pk for each in found]).exclude(name="")
    names = {seat.seat: seat.name for seat in seats.order_by("log_id")}
    return KnockOn(Side(own[0].replay, _report(before)), Side(own[1].replay, _report(after)), names)


def _hands_of_match(viewer: Viewer, log: HandLog) -> list[HandLog]:
    # The whole match, also for those who may read only this hand of it: on a part of its hands
    # every total would be wrong.
    mine = HandLog.objects.filter(club=viewer.club, source=log.source, event=log.event)
    return list(mine.filter(match=log.match).order_by("deal", "id"))


def amended(hand: Hand, amendment: Amend) -> Hand:
    """Return a log with one more amendment at its end, where it would be appended."""
    placed = _put(amendment, seq=len(hand.events) + 1)
    return _put(hand, events=(*hand.events, placed))


def deal_of(log: HandLog, hand: Hand) -> Deal:
    """Return a stored or changed hand as its match counts it. Raises RulesetError."""
    corrected = amend.corrected(hand)
    rules = queries.rules_of(log, corrected)
    return Deal(hand=corrected, rules=rules, replay=replay(corrected, rules, corrected=False))


def _report(deals: Sequence[Deal]) -> MatchReport | None:
    named = [deal for deal in deals if deal.hand.record.match and deal.hand.record.match.id]
    return audit_match(named) if named else None
