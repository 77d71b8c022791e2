"""What makes a match dirty: a hand of it has changed. Cheap, for those who bring hands."""

from collections.abc import Collection, Iterable
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from replays import storage, work
from replays.arrivals import identity_of
from replays.models import AuditJob, Club, HandLog, MatchRow
from replays.models.matches import MatchVerdict
from replays.models.scope import new_public_id
from replays.writes import Match, Writes

# While many hands wait for their verdict their matches wait too, but no longer than this.
PATIENCE = timedelta(seconds=30)


def mark(logs: Iterable[HandLog], writes: Writes) -> None:
    """Have the matches of changed hands marked dirty, with all that is written of the hands."""
    writes.matches |= {
        identity: Match(
            each.club_id, new_public_id(), identity, each.source, each.event, each.match
        )
        for each in logs
        if each.match
        for identity in [_identity_of(each)]
    }


def _identity_of(log: HandLog) -> bytes:
    """Return the identity of the match that a hand names."""
    club = Club(pk=log.club_id)
    return identity_of(club, source=log.source, event=log.event, name=log.match)


def ready() -> Q:
    """Return which dirty matches are to be audited now: while many hands wait, only the oldest.

    The hands of a match mostly come together: audited between them it would be audited again,
    and it takes as long as all its hands.
    """
    hands = AuditJob.objects.filter(failed=False, due__lte=Now())
    many = hands[: settings.AUDIT_BATCH + 1].count() > settings.AUDIT_BATCH
    return Q(due__lte=Now() - PATIENCE) if many else Q()


def mark_again(hands: Iterable[HandLog], *, anew: Collection[int], engine: str) -> int:
    """Mark matches dirty whose hands are judged ``anew``, or that another engine has audited.

    ``anew`` are hands by their keys; ``engine`` is that of today. Returns how many matches.
    """
    matches = {_identity_of(each): each.pk in anew for each in hands if each.match}
    changed = [identity for identity, is_anew in matches.items() if is_anew]
    rows = MatchRow.objects.filter(identity__in=list(matches))
    return storage.soil(rows.filter(~Q(engine=engine) | Q(identity__in=changed)))


def give_up(row: MatchRow, reason: str) -> None:
    """Fail the audit of a match, with the reason; the next change of a hand tries it again."""
    with transaction.atomic():
        if work.give_up(row, reason):
            MatchRow.objects.filter(pk=row.pk).update(verdict=MatchVerdict.FAILED)
