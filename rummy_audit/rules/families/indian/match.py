"""Matches of Indian rummy: points, pools with their limit, and chips over a number of deals.

003 Winnings: in a pool points add up and the last one in wins the prize; in
deals the winner of a hand takes the others' points in chips. Totals are held
against what the table wrote down before, so that a mistake carried on is named
once; the true ones decide who is out and who has won.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from rummy_audit.rhl.records import Result
from rummy_audit.rules.families.indian import prize
from rummy_audit.rules.families.indian.totals import (
    Points,
    Totals,
    chips,
    highest,
    leaders,
    plus,
)
from rummy_audit.rules.findings import Finding, Rule
from rummy_audit.rules.matches import (
    Deal,
    Placed,
    Row,
    Standing,
    by_game,
    in_turn,
    is_on,
    typical,
    usual_settings,
)
from rummy_audit.rules.rulesets import Ruleset


def audit(deals: Sequence[Deal], *, whole: bool) -> Standing:
    """Add up the deals of a match, in order, and judge who plays, deals, is out and has won."""
    settings, rules = usual_settings(deals), typical(deals).rules
    games = (_Match(game, settings, rules, whole=whole) for game in by_game(deals))
    return in_turn(game.standing() for game in games)


def _kind(rules: Ruleset) -> Literal["points", "pool", "deals"]:
    if rules.limit("limit") is not None:
        return "pool"
    return "deals" if rules.limit("deals") is not None else "points"


class _Match:
    """The adding up: what the table recorded, and what is true by the rules.

    ``out`` holds who has reached the limit, ``left`` who has gone, ``absent`` and
    ``guests`` for whom a wrong absence or presence has been named.
    """

    def __init__(
        self, deals: Sequence[Deal], settings: Mapping[str, Any], rules: Ruleset, *, whole: bool
    ) -> None:
        self.deals, self.whole = deals, whole
        self.settings, self.rules = settings, rules
        self.kind = _kind(rules)
        named = {seat for deal in deals for seat in deal.match.seats or ()}
        self.first_seen: dict[int, int] = dict.fromkeys(named, 0)
        for index, deal in enumerate(deals):
            for seat in (*_players(deal), *(_written_totals(deal))):
                self.first_seen.setdefault(seat, index)
        self.seats = sorted(self.first_seen)
        self.entrants_known = bool(named) or whole
        self.entries = len(self.seats)
        start = self.rules.limit("start_chips") or 0
        self.recorded: Totals = dict.fromkeys(self.seats, start)
        self.true: Totals = dict.fromkeys(self.seats, start)
        self.out: set[int] = set()
        self.left: set[int] = set()
        self.absent: set[int] = set()
        self.guests: set[int] = set()
        self.due: int | None = None
        self.played = 0
        self.winner: int | None = None
        self.over = False
        self.final: Totals | None = None
        self.found: list[Placed] = []
        self.rows: list[Row] = []

    def standing(self) -> Standing:
        """Go through the deals."""
        before: Deal | None = None
        for index, deal in enumerate(self.deals):
            gap = _gap(before, deal)
            if gap:
                self.recorded = dict.fromkeys(self.seats)
                self.true = dict.fromkeys(self.seats)
                self.out.clear()
                # In the deals that are missing some may have left, or come back and paid again.
                self.absent = set(self.seats) - set(_players(deal))
                self.entrants_known &= self.rules.limit("rejoin_max") is None
            over = self.over and not deal.annulled
            self.left = (self.left | set(deal.match.left or ())) - set(_players(deal))
            self._rejoin(deal)
            if over:
                # Who plays on with the winner though out has been named as a guest.
                if not set(_players(deal)) - {self.winner} <= self.guests:
                    self._place(deal, Finding(code="match-over", rule=self._aim()))
            elif not gap:
                self._seated(deal, index)
                if before is not None:
                    self._dealer(before, deal)
            self._add(deal)
            if not over and not deal.annulled and not is_on(deal, self.deals):
                self._decide(index)
                self._paid(deal)
            self._row(deal)
            before = deal
        final = self.final or self.true
        totals = {seat: total for seat, total in final.items() if total is not None}
        return Standing(tuple(self.found), totals, self.winner, tuple(self.rows))

    def _place(self, deal: Deal, finding: Finding) -> None:
        self.found.append(Placed(deal.id, finding))

    def _aim(self) -> Rule:
        return self.rules.cite("limit" if self.kind == "pool" else "deals")

    def _still_in(self, index: int) -> set[int]:
        """Return who has a part in the match by the true totals, as far as they have come."""
        come = {seat for seat, first in self.first_seen.items() if first <= index}
        return come - self.out - self.left

    # Who plays and who deals

    def _rejoin(self, deal: Deal) -> None:
        """Come back at the highest total of those still in, plus 1; who do it together, alike."""
        back = [seat for seat in deal.match.rejoined or () if seat in self.out]
        if not back:
            return
        others = set(self.seats) - self.out - self.left
        true, recorded = highest(self.true, others), highest(self.recorded, others)
        most = self.rules.limit("rejoin_max")
        for seat in back:
            self.recorded[seat] = plus(recorded, 1)
            self.entries += 1
            if most is not None and (true is None or true <= most):
                self.out.discard(seat)
                self.true[seat] = plus(true, 1)
                self.over = False

    def _seated(self, deal: Deal, index: int) -> None:
        """In a pool everybody plays who is not out, and nobody else; each slip is named once."""
        if self.kind != "pool":
            return
        players = set(_players(deal))
        marks = (deal.score.marks or {}) if deal.score else {}
        away = {seat for seat in marks if marks[seat] == "absent"} - self.absent
        known = {seat for seat in self.seats if self.true[seat] is not None}
        missing = (self._still_in(index) & known) - players - away
        for seat in sorted(missing - self.absent):
            finding = Finding(
                code="eliminated-too-early",
                seat=seat,
                rule=self.rules.cite("limit"),
                recorded=self.recorded[seat],
                expected=self.true[seat],
            )
            self._place(deal, finding)
        for seat in sorted((self.out & players) - self.guests):
            finding = Finding(
                code="eliminated-player-dealt-in",
                seat=seat,
                rule=self.rules.cite(
                    "rejoin_max" if seat in (deal.match.rejoined or ()) else "limit"
                ),
                recorded=self.recorded[seat],
                expected=self.true[seat],
            )
            self._place(deal, finding)
        self.absent = (self.absent | missing) - players
        self.guests = self.out & players

    def _dealer(self, before: Deal, deal: Deal) -> None:
        """The deal goes clockwise to the next seat still in; after an annulled hand it stays."""
        last, dealer = before.hand.record.dealer, deal.hand.record.dealer
        abandoned = before.hand.end is not None and before.hand.end.status == "abandoned"
        if last is None or dealer is None or abandoned:
            return
        seats = sorted(set(_players(deal)) - self.out) or sorted(_players(deal))
        if self.rules.choice("dealer_moves") != "clockwise" or not seats:
            return
        stays = before.annulled
        expected = last if stays and last in seats else _next(seats, last)
        # After a wrong dealer the deal may go on from there, or back to its round.
        due, self.due = self.due, None
        if due is not None and dealer == (due if stays and due in seats else _next(seats, due)):
            return
        # A guest whose turn to deal it would be has been named as a guest.
        guest = dealer in self.guests and dealer == _next(sorted(_players(deal)), last)
        if dealer != expected and not guest:
            self.due = expected
            finding = Finding(
                code="dealer-wrong",
                seat=dealer,
                rule=self.rules.cite("dealer_moves"),
                recorded=dealer,
                expected=expected,
            )
            self._place(deal, finding)

    # What it adds up to

    def _add(self, deal: Deal) -> None:
        """Add one deal to the totals, and hold the recorded totals against them."""
        score = deal.score
        totals = _written_totals(deal)
        own, by_rule = self._points(deal)
        for seat in self.seats:
            recorded, true = self.recorded[seat], self.true[seat]
            pairs = [
                (recorded, own[seat]),
                (recorded, by_rule[seat]),
                (true, by_rule[seat]),
                (true, own[seat]),
            ]
            sums = [total for each in pairs if (total := plus(*each)) is not None]
            written = totals.get(seat)
            if score and written is not None and sums and written not in sums and self.totalled:
                finding = Finding(
                    code="total-wrong",
                    seq=score.seq,
                    seat=seat,
                    rule=self.rules.cite("start_chips") if self.kind == "deals" else None,
                    recorded=written,
                    expected=sums[0],
                    data={"before": recorded, "points": own[seat]},
                )
                self._place(deal, finding)
            self.recorded[seat] = sums[0] if written is None and sums else written
            truth = plus(true, by_rule[seat])
            # Where nothing is known from before, the recorded total is the base.
            self.true[seat] = written if truth is None else truth

    def _points(self, deal: Deal) -> tuple[Points, Points]:
        """Return what a deal adds to each seat: as written down, and by the rules."""
        score, result = deal.score, deal.replay.result
        if deal.annulled or is_on(deal, self.deals):
            return dict.fromkeys(self.seats, 0), dict.fromkeys(self.seats, 0)
        written: Mapping[int, int] = (score.points or {}) if score else {}
        marks = (score.marks or {}) if score else {}
        # Whoever was away for a hand has nothing of it, unless the table wrote points down.
        players = [
            seat for seat in _players(deal) if marks.get(seat) != "absent" or seat in written
        ]
        own: Points = {seat: written.get(seat, result.scores.get(seat)) for seat in players}
        by_rule: Points = {seat: result.scores.get(seat, written.get(seat)) for seat in players}
        if self.kind == "deals":
            named = score.winner if score else None
            own = chips(own, named or result.winner)
            by_rule = chips(by_rule, result.winner or named)
        return (
            {seat: own.get(seat, 0) for seat in self.seats},
            {seat: by_rule.get(seat, 0) for seat in self.seats},
        )

    def _decide(self, index: int) -> None:
        """Decide by the true totals who is out, and whether somebody has won the match."""
        deal = self.deals[index]
        self.played = max(self.played + 1, deal.number or 0)
        if self.kind == "pool":
            limit = self.rules.number("limit")
            least = limit + (self.rules.choice("pool_out") == "exceed")
            for seat in self.seats:
                total = self.true[seat]
                if total is not None and total >= least:
                    self.out.add(seat)
            still = self._still_in(index)
            waiting = any(first > index for first in self.first_seen.values())
            self.over = len(still) <= 1 < len(self.seats) and not waiting
            self.winner = next(iter(still), None) if self.over else None
        elif self.kind == "deals":
            ahead = leaders(self.true)
            self.over = self.played >= self.rules.number("deals") and len(ahead) == 1
            self.winner = ahead[0] if self.over else None
        if self.over:
            self.final = dict(self.true)

    def _paid(self, deal: Deal) -> None:
        """Judge the prize of a pool and a written result.

        Where the stakes of this hand are not those of the match, which is said, the prize
        may follow from either.
        """
        entries = self.entries if self.entrants_known else None
        usual = (self.settings["entry_fee"], self.settings["fee"])
        own = (deal.match.entry_fee, deal.match.fee)
        here = [mine if mine is not None else each for mine, each in zip(own, usual, strict=True)]
        stakes = [prize.stake(entry, fee, entries) for entry, fee in (usual, here)]
        paid = [(deal.score.seq, deal.score.amounts or {})] if deal.score else []
        for event in deal.hand.events:
            if isinstance(event, Result):
                for finding in self._result(event):
                    self._place(deal, finding)
                paid.append((event.seq, event.amounts or {}))
        if self.kind != "pool":
            return
        for seq, amounts in paid:
            ways = [
                [*prize.judge(stake, amounts, self.winner, self.rules, seq=seq)] for stake in stakes
            ]
            for finding in min(ways, key=len):
                self._place(deal, finding)

    def _result(self, event: Result) -> Iterator[Finding]:
        """Hold a written result against the totals and the winner by the rules."""
        tied = self.kind == "deals" and self.played >= self.rules.number("deals")
        decided = self.over or (tied and len(leaders(self.true)) > 1) or self._goes_on
        if event.winner is not None and decided and event.winner != self.winner:
            yield Finding(
                code="winner-wrong",
                seq=event.seq,
                seat=event.winner,
                rule=self._aim(),
                recorded=event.winner,
                expected=self.winner,
            )
        for seat, total in sorted((event.totals or {}).items()):
            sums = [
                each for each in (self.recorded.get(seat), self.true.get(seat)) if each is not None
            ]
            if sums and total not in sums and self.totalled:
                yield Finding(
                    code="total-wrong",
                    seq=event.seq,
                    seat=seat,
                    recorded=total,
                    expected=sums[-1],
                )

    @property
    def _goes_on(self) -> bool:
        """Whether the match has surely not been won yet, and may not be settled before."""
        if self.kind == "points" or not self.whole or None in self.true.values():
            return False
        return not self.over and self.rules.choice("split") == "none"

    @property
    def totalled(self) -> bool:
        """Whether this format says what a total is: single hands for points have none."""
        return self.kind != "points"

    def _row(self, deal: Deal) -> None:
        scores = deal.replay.result.scores or ((deal.score.points or {}) if deal.score else {})
        self.rows.append(
            Row(
                hand=deal.id,
                deal=deal.match.deal,
                points={} if deal.annulled or is_on(deal, self.deals) else dict(scores),
                totals={seat: total for seat, total in self.true.items() if total is not None},
                recorded_totals=_written_totals(deal),
                out=tuple(sorted(self.out)),
            )
        )


def _players(deal: Deal) -> list[int]:
    return [player.seat for player in deal.hand.record.players]


def _next(seats: Sequence[int], last: int) -> int:
    return next((seat for seat in seats if seat > last), seats[0])


def _written_totals(deal: Deal) -> dict[int, int]:
    return dict(deal.score.totals or {}) if deal.score else {}


def _gap(before: Deal | None, deal: Deal) -> bool:
    """Whether deals between these two are not here."""
    number = deal.number
    if number is None or (before is not None and before.number is None):
        return False
    last = 0 if before is None or before.game != deal.game else before.number or 0
    return number > last + 1
