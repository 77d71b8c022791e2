"""Matches are audited when a hand of them changes: once for many changes, by deal number.

A match has one dirty flag, not a job for each hand. Whatever changes a hand marks its match
in the same transaction. A worker audits the match as it is then, and may say so only if no
further hand has changed meanwhile; else it is done again.
"""

import logging
import time
from collections import Counter
from functools import partial

import msgspec
from django.conf import settings
from django.db.models import Q
from django.db.models.functions import Now

from replays import outbox, standings, stopping, storage, work
from replays.match_work import give_up, ready
from replays.models import HandLog, MatchFinding, MatchRow, MatchSeat
from replays.models.matches import DIRTY
from replays.standings import Played
from rummy_audit.rules.matches import MatchReport
from rummy_audit.rules.report import ENGINE

log = logging.getLogger(__name__)

_AT_ONCE = 20

_encode = msgspec.json.Encoder().encode


def audit_due() -> int:
    """Audit matches that are due until none is left or the time is up; return how many.

    One that was claimed before and not finished is claimed alone, as with hands.
    """
    time_is_up = time.monotonic() + min(2.0, settings.AUDIT_LEASE / 4)
    done = 0
    while time.monotonic() < time_is_up and not stopping.asked():
        due = DIRTY & ready()
        fresh = work.claim(MatchRow, only=due & Q(attempts=0), most=_AT_ONCE)
        again = Q(attempts__gte=1, attempts__lt=settings.AUDIT_ATTEMPTS)
        rows = fresh or work.claim(MatchRow, only=due & again, most=1)
        if not rows:
            break
        for place, row in enumerate(rows):
            if time.monotonic() >= time_is_up or stopping.asked():
                work.put_down(rows[place:])
                break
            with work.in_hand(rows[place:]):
                done += _audit(row)
    return done


def _audit(row: MatchRow) -> bool:
    """Audit one match and store what came of it; whether it stands."""
    try:
        with work.alarm(settings.AUDIT_HAND_SECONDS, cpu=True):
            played = standings.played(row)
            report = standings.audited(played)
        return storage.in_transaction(partial(_store, row, played, report))
    except standings.NoMatchError as error:
        give_up(row, str(error))
    except work.TooLongError as error:
        _put_back(row, f"judging: {error}")
    except Exception as error:
        log.exception("the engine stopped at match %s", row.public_id)
        _put_back(row, f"the engine stopped: {type(error).__name__}: {error}")
    return False


def _put_back(row: MatchRow, reason: str) -> None:
    if row.attempts >= settings.AUDIT_ATTEMPTS:
        give_up(row, reason)
    else:
        work.put_back(row, reason)


def _store(row: MatchRow, played: list[Played], report: MatchReport) -> bool:
    logs = {each.log.name: each.log for each in played}
    found = [(logs[placed.hand], placed.finding) for placed in report.findings]
    # Hands before matches, as those who bring hands lock them.
    if found:
        list(storage.locked(HandLog.objects.filter(pk__in={each.pk for each, _ in found})))
    mine = MatchRow.objects.filter(pk=row.pk, lease=row.lease)
    severities = Counter(finding.severity for _, finding in found)
    last = max(played, key=lambda each: (each.deal.match.game or 0, each.deal.match.deal or 0))
    stands = mine.filter(version=row.version).update(
        audited_version=row.version,
        engine=ENGINE,
        report=_encode(report),
        family=report.family,
        format=last.deal.match.format or "",
        verdict=report.verdict,
        deal_count=len(report.rows),
        winner=report.winner,
        errors=severities["error"],
        breaches=severities["breach"],
        last_log=last.log,
        lease="",
        attempts=0,
        reason="",
    )
    if not stands:
        # A hand has changed meanwhile: once more, with that.
        mine.update(lease="", attempts=0, due=Now())
        return False
    if row.audited_version:
        MatchFinding.objects.filter(match=row).delete()
        MatchSeat.objects.filter(match=row).delete()
    storage.insert(
        [
            MatchFinding(
                club_id=row.club_id,
                match=row,
                log=hand,
                number=number,
                code=finding.code,
                category=finding.category,
                severity=finding.severity,
                handled=finding.handled,
                seq=finding.seq,
                seat=finding.seat,
            )
            for number, (hand, finding) in enumerate(found)
        ]
    )
    storage.insert(_seats(row, played, report))
    outbox.tell_match(row.club_id, row, report)
    return True


def _seats(row: MatchRow, played: list[Played], report: MatchReport) -> list[MatchSeat]:
    """Return what each seat has: total, points, deals it was in, deals it won."""
    deals, wins, points = Counter[int](), Counter[int](), Counter[int]()
    counted = {each.hand for each in report.rows}
    for each in played:
        if each.deal.id in counted and not each.deal.annulled:
            deals.update(each.seats)
            wins.update(filter(None, [each.winner]))
    for each in report.rows:
        points.update(each.points)
    return [
        MatchSeat(
            match=row,
            seat=seat,
            total=report.totals.get(seat),
            points=points[seat],
            deal_count=deals[seat],
            deals_won=wins[seat],
            won=seat == report.winner,
        )
        for seat in sorted({*deals, *report.totals})
    ]
