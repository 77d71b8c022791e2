"""Where a match at a table stands: its deals, totals, who is out, what comes next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import cast

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from replays import logs
from replays.evenings import preset_at
from replays.models import DealEntry, TableMatch
from rummy_audit.rhl import amend
from rummy_audit.rhl.amend import Corrected
from rummy_audit.rhl.records import Score
from rummy_audit.rules import rulesets
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.matches import Deal, MatchReport, Placed, audit_match
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import Ruleset

# The chips of a deal page, in the order they stand: mark, on the chip, said in full.
MARKS = (
    ("first-drop", gettext_lazy("first"), gettext_lazy("first drop")),
    ("middle-drop", gettext_lazy("middle"), gettext_lazy("middle drop")),
    ("wrong", gettext_lazy("wrong"), gettext_lazy("wrong declaration")),
    ("full", gettext_lazy("full"), gettext_lazy("full count")),
    ("left", gettext_lazy("left"), gettext_lazy("left the table")),
    ("absent", gettext_lazy("absent"), gettext_lazy("absent")),
)
DROPS = ("first-drop", "middle-drop")


@dataclass(frozen=True, slots=True)
class Entered:
    """A deal with its hand as corrected, and what is to be said of it."""

    entry: DealEntry
    deal: Deal

    @property
    def score(self) -> Score | None:
        """The score as corrected; None once the deal is taken back."""
        return self.deal.score

    @property
    def score_as_sent(self) -> Score | None:
        """The score as it was entered first, whatever was corrected since."""
        written = cast("Corrected", self.deal.hand).original.events
        return next((event for event in written if isinstance(event, Score)), None)

    @property
    def is_corrected(self) -> bool:
        """Whether something of it was amended."""
        return self.entry.log.version > 1


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match at a table as it stands, taken-back deals among its deals."""

    match: TableMatch
    law: Ruleset
    names: dict[int, str]
    refs: dict[int, str]
    deals: list[Entered]
    report: MatchReport | None

    @property
    def seats(self) -> list[int]:
        """All seats of the match."""
        return sorted(self.names)

    @property
    def kind(self) -> str:
        """``points``, ``pool`` or ``deals``."""
        return self.match.format.partition("-")[0]

    @property
    def live(self) -> list[Entered]:
        """The deals that count."""
        return [each for each in self.deals if not each.entry.taken_back]

    @property
    def next_number(self) -> int:
        """The number of the deal to be entered next."""
        return max((each.entry.number for each in self.live), default=0) + 1

    @property
    def out(self) -> frozenset[int]:
        """Who has reached the pool's limit."""
        rows = self.report.rows if self.report else ()
        return frozenset(rows[-1].out) if rows else frozenset()

    @property
    def left(self) -> frozenset[int]:
        """Who has left the table in an earlier deal and has not come back."""
        gone: set[int] = set()
        for each in self.live:
            gone -= set(self.players_of(each.entry))
            marks = (each.score.marks if each.score else None) or {}
            gone |= {seat for seat, mark in marks.items() if mark == "left"}
        return frozenset(gone) - self.out

    @property
    def winner(self) -> int | None:
        """Who has won the match, once somebody has."""
        return self.report.winner if self.report else None

    def total(self, seat: int) -> int | None:
        """Return a running total by the rules: points, or chips over a number of deals."""
        start = self.law.limit("start_chips") or 0 if self.kind == "deals" else 0
        if self.report is None:
            return start
        return self.report.totals.get(seat)

    def name(self, seat: int) -> str:
        """Return who sits there."""
        return self.names.get(seat) or _("seat %s") % seat

    def playing(self, *, back: Iterable[int] = ()) -> list[int]:
        """Return who plays the next deal; ``back``: who was out or gone and plays again."""
        away = (self.out | self.left) - set(back)
        return [seat for seat in self.seats if seat not in away]

    def players_of(self, entry: DealEntry) -> list[int]:
        """Return who played a deal."""
        found = next(each for each in self.deals if each.entry.pk == entry.pk)
        return [player.seat for player in found.deal.hand.record.players]

    @property
    def may_rejoin(self) -> int | None:
        """The total at which somebody who is out may come back, None where nobody may."""
        most = self.law.limit("rejoin_max") if self.kind == "pool" else None
        still = [self.total(seat) for seat in self.seats if seat not in self.out | self.left]
        highest = max((total for total in still if total is not None), default=None)
        return highest + 1 if most is not None and highest is not None and highest <= most else None

    def points_of_mark(self, mark: str) -> int | None:
        """Return the points that the rules give a mark; None where a number must be typed."""
        if mark == "absent":
            return 0
        if not self.law.flag("drops") and mark in (*DROPS, "left"):
            return self.law.number("no_drops_points")
        parameter = {
            "first-drop": "first_drop",
            "middle-drop": "middle_drop",
            "wrong": "wrong_declaration_points",
            "full": "cap",
            # Gone in the middle of the hand is the usual way; a leave before may be typed.
            "left": f"{self.law.choice('leave_after_draw')}_drop",
        }[mark]
        return self.law.limit(parameter)

    @property
    def marks(self) -> list[tuple[str, str, str, int | None]]:
        """The chips of this match: mark, on the chip, in full, its points."""
        return [
            (mark, str(short), str(full), self.points_of_mark(mark))
            for mark, short, full in MARKS
            if self.law.flag("drops") or mark not in DROPS
        ]

    def findings_at(self, entered: Entered) -> list[Finding]:
        """Return what is to be said of a deal: of its hand, and of the match at it."""
        placed: Iterable[Placed] = self.report.findings if self.report else ()
        hand = entered.entry.log.name
        own = [each for each in entered.deal.replay.findings if each.severity != "note"]
        return own + [each.finding for each in placed if each.hand == hand]


def state_of(match: TableMatch) -> MatchState:
    """Work out where a match stands from its stored hands: five queries, whatever their number."""
    entries = list(match.deals.select_related("log").order_by("place"))
    seats = list(match.seats.select_related("player").order_by("seat"))
    preset = preset_at(match.table.evening)

    @cache
    def law(players: int) -> Ruleset:
        return rulesets.ruleset(preset, format=match.format, players=players)

    bodies = logs.stored_lines([entry.log_id for entry in entries])
    deals = []
    for entry in entries:
        hand = amend.corrected(logs.hand_in(bodies[entry.log_id]))
        rules = law(len(hand.record.players))
        replayed = replay(hand, rules, corrected=False)
        deals.append(Entered(entry, Deal(hand=hand, rules=rules, replay=replayed)))
    return MatchState(
        match=match,
        law=law(len(seats)),
        names={seat.seat: seat.player.name if seat.player else "" for seat in seats},
        refs={seat.seat: seat.player.ref for seat in seats if seat.player},
        deals=deals,
        report=audit_match([each.deal for each in deals]) if deals else None,
    )
