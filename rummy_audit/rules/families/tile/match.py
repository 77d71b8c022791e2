"""Series of games: totals over hands, to a target, over a number of games, or as long as agreed.

004 Winning the game: the winner of a series is the player with the highest total.
Totals are held against what the table wrote down before, so that a mistake carried
on is named once, and against the true points, which decide who has won.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rummy_audit.rhl.records import Result
from rummy_audit.rules.findings import Finding, Rule
from rummy_audit.rules.matches import Deal, Placed, Row, Standing, by_game, in_turn, is_on, typical

# A seat's total; None: not known, because games before are not here.
Totals = dict[int, int | None]


class Aim(NamedTuple):
    """What a series is played to: a total, a number of games, or neither."""

    target: int | None
    deals: int | None
    rule: Rule

    def reached(self, totals: Totals, played: int) -> bool:
        """Whether the series ends with these totals after so many games."""
        if self.deals is not None:
            return played >= self.deals
        if self.target is None:
            return False
        return any(total is not None and total >= self.target for total in totals.values())


def _aim(deal: Deal) -> Aim:
    """Read the aim of a series; a target named in the match comes before the ruleset's."""
    rules, named = deal.rules, deal.match.target
    deals = rules.limit("deals")
    if deals is not None:
        return Aim(None, deals, rules.cite("deals"))
    if named is not None and "target" not in rules.house:
        return Aim(named, None, Rule("target", named, "the target of this match"))
    return Aim(rules.limit("target"), None, rules.cite("target"))


def leader(totals: Totals) -> int | None:
    """Return the seat that alone has the highest total; None on a tie, or where one is unknown.

    >>> leader({1: -20, 2: 35, 3: -15}), leader({1: 10, 2: 10})
    (2, None)
    """
    known = {seat: total for seat, total in totals.items() if total is not None}
    if not known or len(known) < len(totals):
        return None
    best = [seat for seat in sorted(known) if known[seat] == max(known.values())]
    return best[0] if len(best) == 1 else None


def audit(deals: Sequence[Deal], *, whole: bool) -> Standing:
    """Add up the games of a series, in order."""
    del whole  # a gap shows in the numbers: from there on the recorded totals are the base
    like = typical(deals)
    return in_turn(_Series(game, like).standing() for game in by_game(deals))


class _Series:
    """The adding up: what the table recorded, and what is true by the rules."""

    def __init__(self, deals: Sequence[Deal], like: Deal) -> None:
        self.deals = deals
        self.aim = _aim(like)
        seats = {player.seat for deal in deals for player in deal.hand.record.players}
        for deal in deals:
            seats.update(deal.match.seats or ())
        self.seats = sorted(seats)
        self.recorded: Totals = dict.fromkeys(self.seats, 0)
        self.true: Totals = dict.fromkeys(self.seats, 0)
        self.played = 0
        self.winner: int | None = None
        self.final: Totals | None = None
        self.found: list[Placed] = []
        self.rows: list[Row] = []

    def standing(self) -> Standing:
        """Go through the games."""
        number = 0
        for deal in self.deals:
            if self.winner is not None and not deal.annulled:
                self.found.append(Placed(deal.id, Finding(code="match-over", rule=self.aim.rule)))
            if deal.number is not None:
                if deal.number > number + 1:
                    self.recorded = dict.fromkeys(self.seats)
                    self.true = dict.fromkeys(self.seats)
                number = deal.number
            self._add(deal)
            for event in deal.hand.events:
                if isinstance(event, Result):
                    self.found += [Placed(deal.id, each) for each in self._judge(event)]
        final = self.final or self.true
        totals = {seat: total for seat, total in final.items() if total is not None}
        return Standing(tuple(self.found), totals, self.winner, tuple(self.rows))

    def _add(self, deal: Deal) -> None:
        """Add one game to the totals, and hold the recorded totals against them."""
        score, counts = deal.score, not (deal.annulled or is_on(deal, self.deals))
        written = dict(score.points or {}) if score is not None and counts else {}
        right = deal.replay.result.scores if counts else {}
        totals = dict(score.totals or {}) if score is not None else {}
        marks = dict(score.marks or {}) if score is not None else {}
        seats = {player.seat for player in deal.hand.record.players}
        sat = {seat for seat in seats if marks.get(seat) != "absent"}
        wrote: Totals = {}
        truth: Totals = {}
        for seat in self.seats:
            nothing = None if counts and seat in sat else 0
            by_rule = right.get(seat, written.get(seat, nothing))
            own = written.get(seat, by_rule)
            sums = [
                total
                for before in (self.recorded[seat], self.true[seat])
                for points in (by_rule, own)
                if (total := _plus(before, points)) is not None
            ]
            wrote[seat] = totals.get(seat, _plus(self.recorded[seat], own))
            truth[seat] = _plus(self.true[seat], by_rule)
            if truth[seat] is None:
                truth[seat] = totals.get(seat)
            if score is not None and seat in totals and sums and totals[seat] not in sums:
                data = {"before": self.recorded[seat], "points": own}
                finding = Finding(
                    code="total-wrong",
                    seq=score.seq,
                    seat=seat,
                    recorded=totals[seat],
                    expected=sums[0],
                    data=data,
                )
                self.found.append(Placed(deal.id, finding))
        self.recorded, self.true = wrote, truth
        if counts:
            # A game that is not here was played all the same.
            self.played = max(self.played + 1, deal.number or 0)
        if self.winner is None and self.aim.reached(truth, self.played):
            self.winner = leader(truth)
            self.final = truth if self.winner is not None else None
        known = {seat: total for seat, total in truth.items() if total is not None}
        points = dict(right) or written
        self.rows.append(Row(deal.id, deal.match.deal, points, known, totals))

    def _judge(self, event: Result) -> Iterator[Finding]:
        """Hold a written result against the totals: its winner and its totals."""
        open_ended = self.aim.target is None and self.aim.deals is None
        if open_ended and self.winner is None:
            # The players end such a series when they like.
            self.winner = leader(self.true)
            self.final = self.true if self.winner is not None else None
        known = all(total is not None for total in self.true.values())
        if event.winner is not None and known and event.winner != self.winner:
            yield Finding(
                code="winner-wrong",
                seq=event.seq,
                seat=event.winner,
                rule=self.aim.rule,
                recorded=event.winner,
                expected=self.winner,
            )
        yield from _result_totals(event, self.recorded, self.true)


def _result_totals(
    event: Result, recorded: Mapping[int, int | None], true: Mapping[int, int | None]
) -> Iterator[Finding]:
    for seat, total in sorted((event.totals or {}).items()):
        right = [each for each in (recorded.get(seat), true.get(seat)) if each is not None]
        if right and total not in right:
            yield Finding(
                code="total-wrong", seq=event.seq, seat=seat, recorded=total, expected=right[-1]
            )


def _plus(total: int | None, points: int | None) -> int | None:
    return None if total is None or points is None else total + points
