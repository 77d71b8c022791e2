"""Matches of basic rummy: totals over hands, to a target or over a number of deals.

002 7.4 and 000 Scoring: the game ends when a total reaches the target; the best
total wins, and a tie for it needs another hand. Totals are compared twice: with
what the table wrote down before, so that a mistake carried on is named once, and
with the true points, which decide when the match is over and who has won.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rummy_audit.rhl.records import Irregularity, Result
from rummy_audit.rules.findings import Finding, Rule
from rummy_audit.rules.matches import Deal, Placed, Row, Standing, by_game, in_turn, is_on, typical

Totals = dict[int, int | None]


class Aim(NamedTuple):
    """What a match is played to: a total, a number of deals, or neither."""

    target: int | None
    deals: int | None
    charged: bool

    def leaders(self, totals: Totals) -> list[int]:
        """Return the seats with the best total: the highest, or the lowest of charged points."""
        known = {seat: total for seat, total in totals.items() if total is not None}
        if len(known) < len(totals) or not known:
            return []
        best = min(known.values()) if self.charged else max(known.values())
        return [seat for seat in sorted(known) if known[seat] == best]

    def winner(self, totals: Totals, played: int) -> int | None:
        """Return who has won the match, None while it goes on or where that is not known."""
        leaders = self.leaders(totals)
        if len(leaders) != 1:
            return None
        if self.deals is not None:
            return leaders[0] if played >= self.deals else None
        if self.target is None or all((total or 0) < self.target for total in totals.values()):
            return None
        return leaders[0]


def _aim(deal: Deal) -> tuple[Aim, Rule]:
    """Return what the match is played to, and the rule behind it."""
    rules, named = deal.rules, deal.match.target
    charged = rules.choice("scoring") == "charged"
    deals = rules.limit("deals")
    if deals is not None:
        return Aim(None, deals, charged), rules.cite("deals")
    if named is not None and "target" not in rules.house:
        return Aim(named, None, charged), Rule("target", named, "the target of this match")
    return Aim(rules.limit("target"), None, charged), rules.cite("target")


def audit(deals: Sequence[Deal], *, whole: bool) -> Standing:
    """Add up the deals of a match, in order."""
    del whole  # a gap shows in the numbers: from there on the recorded totals are the base
    like = typical(deals)
    return in_turn(_Match(game, like).standing() for game in by_game(deals))


class _Match:
    """The adding up: what the table recorded, and what is true by the rules."""

    def __init__(self, deals: Sequence[Deal], like: Deal) -> None:
        self.deals = deals
        self.aim, self.rule = _aim(like)
        seats = {player.seat for deal in deals for player in deal.hand.record.players}
        for deal in deals:
            seats.update(deal.match.seats or ())
        self.seats = sorted(seats)
        self.recorded: Totals = dict.fromkeys(self.seats, 0)
        self.true: Totals = dict.fromkeys(self.seats, 0)
        self.played = 0
        self.due: int | None = None  # whose deal the last one was, where somebody else dealt
        self.winner: int | None = None
        self.final: Totals | None = None
        self.found: list[Placed] = []
        self.rows: list[Row] = []

    def standing(self) -> Standing:
        """Go through the deals."""
        before: Deal | None = None
        for deal in self.deals:
            gap = _gap(before, deal)
            if self.winner is not None and not deal.annulled:
                self._place(deal, Finding(code="match-over", rule=self.rule, seat=None))
            if not gap and before is not None:
                self._dealer(before, deal)
            if gap:
                self.recorded = dict.fromkeys(self.seats)
                self.true = dict.fromkeys(self.seats)
            self._add(deal)
            self._result(deal)
            before = deal
        final = self.final or self.true
        totals = {seat: total for seat, total in final.items() if total is not None}
        return Standing(tuple(self.found), totals, self.winner, tuple(self.rows))

    def _place(self, deal: Deal, finding: Finding) -> None:
        self.found.append(Placed(deal.id, finding))

    def _dealer(self, before: Deal, deal: Deal) -> None:
        """The deal goes clockwise; after a hand that was annulled the same player deals again.

        After a wrong dealer the deal may go on from there, or back to its round. One that
        the table noticed is said in the hand itself.
        """
        due, self.due = self.due, None
        last, dealer = before.hand.record.dealer, deal.hand.record.dealer
        abandoned = before.hand.end is not None and before.hand.end.status == "abandoned"
        if last is None or dealer is None or abandoned:
            return
        seats = _players(deal)
        if deal.rules.choice("dealer_moves") != "clockwise" or not seats:
            return
        right = [
            seat
            if before.annulled and seat in seats
            else next((after for after in seats if after > seat), seats[0])
            for seat in (last, due)
            if seat is not None
        ]
        if dealer in right:
            return
        self.due = right[0]
        if any(
            isinstance(event, Irregularity) and event.kind == "wrong-dealer"
            for event in deal.hand.events
        ):
            return
        finding = Finding(
            code="dealer-wrong",
            seat=dealer,
            rule=deal.rules.cite("dealer_moves"),
            recorded=dealer,
            expected=right[0],
        )
        self._place(deal, finding)

    def _add(self, deal: Deal) -> None:
        """Add one deal to the totals, and hold the recorded totals against them."""
        score = deal.score
        counts = not (deal.annulled or is_on(deal, self.deals))
        written = dict(score.points or {}) if score is not None and counts else {}
        right = deal.replay.result.scores if counts else {}
        totals = (score.totals or {}) if score else {}
        wrote: Totals = {}
        truth: Totals = {}
        for seat in self.seats:
            own, by_rule = _points(deal, seat, written, right) if counts else (0, 0)
            sums = _sums(self.recorded[seat], self.true[seat], own, by_rule)
            wrote[seat] = totals.get(seat, _plus(self.recorded[seat], own))
            truth[seat] = _plus(self.true[seat], by_rule)
            if truth[seat] is None:
                # Nothing is known from before: the recorded total is the base.
                truth[seat] = totals.get(seat)
            if score is not None and seat in totals and sums and totals[seat] not in sums:
                self._place(
                    deal,
                    Finding(
                        code="total-wrong",
                        seq=score.seq,
                        seat=seat,
                        rule=deal.rules.cite("scoring"),
                        recorded=totals[seat],
                        expected=sums[0],
                        data={"before": self.recorded[seat], "points": own},
                    ),
                )
        self.recorded, self.true = wrote, truth
        if counts:
            # A deal that is not here was played all the same.
            self.played = max(self.played + 1, deal.number or 0)
        if self.winner is None:
            self.winner = self.aim.winner(truth, self.played)
            if self.winner is not None:
                self.final = truth
        self.rows.append(
            Row(
                hand=deal.id,
                deal=deal.match.deal,
                points=dict(right) or written,
                totals={seat: total for seat, total in truth.items() if total is not None},
                recorded_totals=dict(totals),
            )
        )

    def _result(self, deal: Deal) -> None:
        """Hold a written result against the totals: its winner and its totals."""
        for event in deal.hand.events:
            if isinstance(event, Result):
                for finding in self._judge_result(deal, event):
                    self._place(deal, finding)

    def _judge_result(self, deal: Deal, event: Result) -> Iterator[Finding]:
        expected = self.winner
        unlimited = self.aim.target is None and self.aim.deals is None
        leaders = self.aim.leaders(self.true)
        if expected is None and unlimited and len(leaders) == 1:
            # Without a target the table ends the match when it likes; the best total wins.
            expected = leaders[0]
        known = all(total is not None for total in self.true.values())
        if event.winner is not None and known and event.winner != expected:
            yield Finding(
                code="winner-wrong",
                seq=event.seq,
                seat=event.winner,
                rule=self.rule,
                recorded=event.winner,
                expected=expected,
            )
        for seat in sorted(event.totals or {}):
            total = (event.totals or {})[seat]
            sums = [
                each for each in (self.recorded.get(seat), self.true.get(seat)) if each is not None
            ]
            if sums and total not in sums:
                yield Finding(
                    code="total-wrong",
                    seq=event.seq,
                    seat=seat,
                    rule=deal.rules.cite("scoring"),
                    recorded=total,
                    expected=sums[-1],
                )


def _points(
    deal: Deal, seat: int, written: dict[int, int], right: dict[int, int]
) -> tuple[int | None, int | None]:
    """Return a seat's points of a deal, as written down and by the rules, as far as known."""
    sat = any(player.seat == seat for player in deal.hand.record.players)
    own = written.get(seat)
    if not sat or (own is None and seat not in _players(deal)):
        return 0, 0
    by_rule = right.get(seat, own)
    return (by_rule if own is None else own), by_rule


def _players(deal: Deal) -> list[int]:
    """Return who sat at a deal: all but those marked as absent on its sheet."""
    marks = (deal.score.marks if deal.score else None) or {}
    seats = sorted(player.seat for player in deal.hand.record.players)
    return [seat for seat in seats if marks.get(seat) != "absent"]


def _plus(total: int | None, points: int | None) -> int | None:
    return None if total is None or points is None else total + points


def _sums(
    recorded: int | None, true: int | None, own: int | None, by_rule: int | None
) -> list[int]:
    """Return the totals that would be right, the one that goes on from the record first."""
    pairs = [(recorded, by_rule), (recorded, own), (true, by_rule), (true, own)]
    return [total for each in pairs if (total := _plus(*each)) is not None]


def _gap(before: Deal | None, deal: Deal) -> bool:
    """Whether deals between these two are not here."""
    number = deal.number
    if number is None:
        return False
    last = 0
    if before is not None and before.game == deal.game:
        if before.number is None:
            return False
        last = before.number
    return number > last + 1
