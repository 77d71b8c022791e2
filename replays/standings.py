"""A match from what is stored: its hands replayed, audited as a match, and its rows for a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from replays import logs, queries
from replays.access import Viewer
from replays.models import HandLog, Seat
from rummy_audit.rhl import amend
from rummy_audit.rules.matches import Deal, MatchReport, audit_match
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import RulesetError

# More deals than an evening has; a page of them is worked out in well under a second.
MOST = 200


@dataclass(frozen=True, slots=True)
class Standings:
    """A match with its stored hands by the hands' own ids, and the names by seat."""

    report: MatchReport
    logs: dict[str, HandLog]
    names: dict[int, str]


def match_logs(viewer: Viewer, log: HandLog) -> Sequence[HandLog]:
    """Return the hands of the match that a hand belongs to, in the order they came in."""
    return list(
        HandLog.objects.for_user(viewer)
        .filter(club=log.club_id, match=log.match, event=log.event, source=log.source)
        .exclude(match="")
        .order_by("deal", "id")[:MOST]
    )


def standings(viewer: Viewer, log: HandLog) -> Standings | None:
    """Audit the match of a hand from the stored logs; None if it belongs to none.

    Three queries, whatever the number of deals.
    """
    found = match_logs(viewer, log)
    if not found:
        return None
    bodies = logs.stored_lines([each.pk for each in found])
    deals = []
    for each in found:
        hand = amend.corrected(logs.hand_in(bodies[each.pk]))
        try:
            rules = queries.rules_of(each, hand)
        except RulesetError:
            continue  # the hand's own page says why it cannot be judged
        deals.append(Deal(hand=hand, rules=rules, replay=replay(hand, rules, corrected=False)))
    if not deals:
        return None
    seats = Seat.objects.filter(log__in=[each.pk for each in found]).exclude(name="")
    return Standings(
        report=audit_match(deals),
        logs={each.name: each for each in found},
        names={seat.seat: seat.name for seat in seats.order_by("log_id")},
    )


def as_report(standing: Standings) -> bytes:
    """Return the match's report as JSON."""
    return msgspec.json.encode(standing.report.to_report())
