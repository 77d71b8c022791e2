"""What makes a match dirty: a hand of it has changed. Cheap, for those who bring hands."""

from collections.abc import Iterable
from datetime import timedelta

from django.conf import settings
from django.db.models import Case, F, Q, QuerySet, When
from django.db.models.functions import Now

from replays import storage, work
from replays.arrivals import identity_of
from replays.models import AuditJob, Club, HandLog, MatchRow
from replays.models.matches import MatchVerdict

# What comes in within this time of the first change is one audit.
PAUSE = timedelta(seconds=1)
# While many hands wait for their verdict their matches wait too, but no longer than this.
PATIENCE = timedelta(seconds=30)


def mark(logs: Iterable[HandLog]) -> None:
    """Mark the matches of changed hands dirty, within the transaction that changes the hands."""
    rows = {
        identity: MatchRow(
            club_id=each.club_id,
            identity=identity,
            source=each.source,
            event=each.event,
            name=each.match,
            due=Now(),
        )
        for each in logs
        if each.match
        for identity in [
            identity_of(
                Club(pk=each.club_id), source=each.source, event=each.event, name=each.match
            )
        ]
    }
    if not rows:
        return
    identities = sorted(rows)
    # In one order for everybody, so that nobody waits for each other.
    MatchRow.objects.bulk_create(map(rows.__getitem__, identities), ignore_conflicts=True)
    list(storage.locked(MatchRow.objects.filter(identity__in=identities)).values_list("pk"))
    _soil(MatchRow.objects.filter(identity__in=identities))


def ready() -> Q:
    """Return which dirty matches are to be audited now: while many hands wait, only the oldest.

    The hands of a match mostly come together: audited between them it would be audited again,
    and it takes as long as all its hands.
    """
    hands = AuditJob.objects.filter(failed=False, due__lte=Now())
    many = hands[: settings.AUDIT_BATCH + 1].count() > settings.AUDIT_BATCH
    return Q(due__lte=Now() - PATIENCE) if many else Q()


def mark_all() -> int:
    """Mark every match dirty, as a new engine asks for; return how many there are."""
    return _soil(MatchRow.objects.all())


def _soil(rows: QuerySet[MatchRow]) -> int:
    # A match that is dirty already keeps its time: a stream of hands cannot put it off.
    later = Case(When(version=F("audited_version"), then=Now() + PAUSE), default=F("due"))
    return int(
        rows.update(version=F("version") + 1, due=later, attempts=0, failed=False, reason="")
    )


def give_up(row: MatchRow, reason: str) -> None:
    """Fail the audit of a match, with the reason; the next change of a hand tries it again."""
    if work.give_up(row, reason):
        MatchRow.objects.filter(pk=row.pk, failed=True).update(verdict=MatchVerdict.FAILED)
