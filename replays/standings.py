"""A match from what is stored: its hands replayed, audited as a match, and its names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from django.db.models import Count, Q
from django.utils.translation import gettext as _

from replays import audit, finding_items, logs, sight
from replays.access import Viewer
from replays.arrivals import identity_of
from replays.models import Club, HandLog, MatchRow, Seat
from replays.models.hands import Verdict
from replays.models.matches import MatchVerdict
from replays.models.people import Scope
from replays.money import of_match, shown_to
from replays.rulesets_of_clubs import OwnRules
from replays.sight import WHOLE, Sight
from rummy_audit.rhl import amend
from rummy_audit.rhl.records import Result, Score
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.matches import Deal, MatchReport, audit_match
from rummy_audit.rules.replay import replay
from rummy_audit.rules.report import ENGINE
from rummy_audit.rules.rulesets import RulesetError

# More deals than a match has; each costs the audit of a hand.
MOST = 500
PAGE = 50
_POOL = re.compile(r"pool-([0-9]{1,6})")

_decode = msgspec.json.Decoder(MatchReport).decode


class NoMatchError(Exception):
    """The hands of a match cannot be judged as a match."""


@dataclass(frozen=True, slots=True)
class Played:
    """A stored hand as a deal of its match."""

    log: HandLog
    deal: Deal

    @property
    def seats(self) -> list[int]:
        """Who was dealt in: all who sat down, but for those the sheet marks as absent."""
        marks = (self.deal.score and self.deal.score.marks) or {}
        players = self.deal.hand.record.players
        return [player.seat for player in players if marks.get(player.seat) != "absent"]

    @property
    def winner(self) -> int | None:
        """Who won the deal: by the rules, else as written down."""
        if self.deal.replay.result.winner is not None or self.deal.score is None:
            return self.deal.replay.result.winner
        score = self.deal.score
        noughts = [seat for seat, own in (score.points or {}).items() if own == 0]
        return score.winner or (noughts[0] if len(noughts) == 1 else None)


@dataclass(frozen=True, slots=True)
class Standings:
    """A match with its stored hands by the hands' own ids, and the names by seat.

    ``fresh``: this is what is stored; else it was worked out just now.
    """

    row: MatchRow
    report: MatchReport
    logs: dict[str, HandLog]
    names: dict[int, str]
    fresh: bool
    format: str

    @property
    def seats(self) -> list[int]:
        """The seats of the match, in order."""
        return sorted({*self.names, *self.report.totals})

    def name_of(self, seat: int) -> str:
        """Return who sits there, in words."""
        return self.names.get(seat) or _seat(seat)

    @property
    def limit(self) -> int | None:
        """The total at which a player is out, in a pool."""
        found = _POOL.fullmatch(self.format)
        return int(found[1]) if found else None

    def money(self) -> list[tuple[HandLog, dict[int, int]]]:
        """Return what was written down as paid, deal by deal, in the smallest unit."""
        bodies = logs.stored_lines([each.pk for each in self.logs.values()])
        paid = []
        for each in self.logs.values():
            events = amend.corrected(logs.hand_in(bodies[each.pk])).events
            amounts: dict[int, int] = {}
            for event in events:
                if isinstance(event, Score | Result):
                    amounts |= event.amounts or {}
            if amounts:
                paid.append((each, amounts))
        return paid

    def at(self, hand: str) -> list[Finding]:
        """Return what was found at one hand, doubled deals included."""
        return [placed.finding for placed in self.shown.findings if placed.hand == hand]

    @property
    def shown(self) -> MatchReport:
        """The report as pages show it: without amounts where the club plays for points alone."""
        return of_match(self.report, money=self.row.club.money)


@dataclass(frozen=True, slots=True)
class Page:
    """A page of matches, newest first; ``next`` is the cursor of the page after it, 0 for none."""

    rows: list[MatchRow]
    next: int


def match_page(
    viewer: Viewer, *, verdict: str = "", event: str = "", before: int = 0, most: int = PAGE
) -> Page:
    """Return matches that this person may see, newest first, from below the cursor ``before``."""
    rows = MatchRow.objects.for_user(viewer).order_by("-id").prefetch_related("last_log__seats")
    if verdict:
        rows = rows.filter(_with_verdict(viewer, verdict))
    if event:
        rows = rows.filter(event=event)
    if before:
        rows = rows.filter(id__lt=before)
    found = as_told(viewer, rows.defer("report")[: most + 1])
    for row in found:
        seats = row.last_log.seats.all() if row.last_log else []
        row.players = {seat.seat: seat.name or _seat(seat.seat) for seat in seats}
        row.winner_name = row.winner and (row.players.get(row.winner) or _seat(row.winner))
    return Page(found[:most], found[most - 1].pk if len(found) > most else 0)


def _with_verdict(viewer: Viewer, verdict: str) -> Q:
    """Return the condition on matches that this viewer is told have this verdict."""
    closed = sight.closed_match(viewer)
    if verdict == MatchVerdict.WAITING:
        return Q(verdict=verdict) | closed
    return Q(verdict=verdict) & ~closed


def as_told(viewer: Viewer, rows: Iterable[MatchRow]) -> list[MatchRow]:
    """Return matches as this viewer is told of them: one waits while a hand of it is not open.

    One query, whatever their number.
    """
    found = list(rows)
    if found and not sight.reveals(viewer):
        which = MatchRow.objects.filter(sight.closed_match(viewer), pk__in=[r.pk for r in found])
        closed = set(which.values_list("pk", flat=True))
        for row in found:
            if row.pk in closed:
                row.verdict, row.winner = MatchVerdict.WAITING, None
                row.errors = row.breaches = 0
    return found


def _hands_of(row: MatchRow) -> Sequence[HandLog]:
    hands = HandLog.objects.filter(club=row.club_id, match=row.name)
    return list(hands.filter(event=row.event, source=row.source).order_by("deal", "id")[: MOST + 1])


def _seat(seat: int) -> str:
    return _("seat %(seat)s") % {"seat": seat}


def played(row: MatchRow) -> list[Played]:
    """Replay the hands of a match: two queries, whatever their number. Raises NoMatchError."""
    return _replayed(_hands_of(row), {})


def _replayed(found: Sequence[HandLog], parts: Mapping[int, Sight]) -> list[Played]:
    if len(found) > MOST:
        raise NoMatchError(f"it has more than {MOST} deals; give each evening a match of its own")
    bodies = logs.stored_lines([each.pk for each in found])
    deals, own = [], OwnRules()
    for each in found:
        seen = sight.redacted(logs.hand_in(bodies[each.pk]), parts.get(each.pk, WHOLE))
        hand = amend.corrected(seen)
        if hand.record.match is None or hand.record.match.id != each.match:
            continue  # amended out of this match
        try:
            rules = audit.rules_of(hand, pinned=each.ruleset, own=own.of(each))
        except RulesetError:
            continue  # the hand's own page says why it cannot be judged
        replayed = replay(hand, rules, corrected=False)
        deals.append(Played(each, Deal(hand=hand, rules=rules, replay=replayed)))
    if not deals:
        raise NoMatchError("none of its hands can be judged")
    return deals


def audited(deals: Sequence[Played]) -> MatchReport:
    """Audit the deals of one match."""
    return audit_match([each.deal for each in deals])


def match_of(log: HandLog) -> MatchRow | None:
    """Return the match that a hand belongs to, if any."""
    if not log.match:
        return None
    identity = identity_of(Club(pk=log.club_id), source=log.source, event=log.event, name=log.match)
    return MatchRow.objects.filter(identity=identity).first()


def stored(row: MatchRow) -> MatchReport | None:
    """Return the report of a match's last audit, while it still holds."""
    if row.is_dirty or row.engine != ENGINE or not row.report:
        return None
    return _decode(bytes(row.report))


def standings(
    row: MatchRow, viewer: Viewer, *, ruled: Mapping[int, Callable[[Deal], Deal]] | None = None
) -> Standings:
    """Return where a match stands: as stored, or worked out now while it waits.

    For whoever may not see all of its hands whole it is made from what they may see of them.
    ``ruled`` lays decisions over the hands that have one, by the hands' keys: then it
    stands by decided score, and nothing of it is stored. Raises NoMatchError.
    """
    found = _hands_of(row)
    parts = sight.parts_of(viewer, found)
    report, form = (None if ruled or parts else stored(row)), row.format
    fresh = report is not None or bool(ruled) or (bool(parts) and not row.is_dirty)
    if report is None:
        deals = _replayed(found, parts)
        form = deals[-1].deal.match.format or ""
        report = audited([_ruled(each, ruled or {}) for each in deals])
    by_name = {each.name: each for each in sight.as_listed(viewer, found)}
    return Standings(row, report, by_name, names(found), fresh, form)


def _ruled(each: Played, ruled: Mapping[int, Callable[[Deal], Deal]]) -> Played:
    over = ruled.get(each.log.pk)
    return Played(each.log, over(each.deal)) if over else each


def names(found: Sequence[HandLog]) -> dict[int, str]:
    """Return who sits where, by the newest of these hands that names them."""
    seats = Seat.objects.filter(log__in=[each.pk for each in found]).exclude(name="")
    return {seat.seat: seat.name for seat in seats.order_by("log_id")}


def findings_at(viewer: Viewer, log: HandLog, names: dict[int, str]) -> list[dict[str, Any]]:
    """Return what the match of a hand has found at this hand, as a page shows it.

    Nothing while a hand of the match is hidden from the viewer: it may rest on that.
    """
    row = match_of(log)
    report = stored(row) if row else None
    if row is None or report is None or sight.parts_of(viewer, _hands_of(row)):
        return []
    return [
        finding_items.finding_item(placed.finding, report.family, names)
        for placed in of_match(report, money=shown_to(viewer)).findings
        if placed.hand == log.name
    ]


# What is wrong with a deal by itself, whatever its match adds up to.
TROUBLED = (Verdict.FLAGGED, Verdict.IMPOSSIBLE, Verdict.UNREADABLE, Verdict.FAILED)


def flagged_deals(viewer: Viewer, rows: Sequence[MatchRow]) -> dict[int, int]:
    """Return how many deals of each match are flagged themselves, by the match's key; one query.

    A match whose totals are right may have deals that are not. Only for those who see all hands.
    """
    if not rows or not viewer.may(Scope.HANDS_REVEAL):
        return {}
    found = (
        HandLog.objects.for_user(viewer)
        .filter(match__in={row.name for row in rows}, verdict__in=TROUBLED)
        .values_list("source", "event", "match")
        .annotate(count=Count("pk"))
    )
    counts = {(source, event, match): count for source, event, match, count in found}
    return {row.pk: counts.get((row.source, row.event, row.name), 0) for row in rows}
