"""Hands that a club no longer keeps: found, held or purged, each with a tombstone in its place."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from django.db import models, transaction
from django.utils import timezone

from replays import access, storage, trail
from replays.access import Viewer
from replays.match_work import mark
from replays.models import (
    Audit,
    AuditJob,
    Case,
    CaseEvent,
    CaseText,
    Club,
    DealEntry,
    Decision,
    Evidence,
    FeedEntry,
    FindingRow,
    FreeText,
    HandKey,
    HandLog,
    Hold,
    Link,
    LogBatch,
    MatchFinding,
    MatchRow,
    Outcome,
    Party,
    Seat,
    Tombstone,
    UploadChunk,
)
from replays.models.cases import RUNNING
from replays.models.keys import LinkKind
from replays.writes import Writes

_MOST_WHY = 200
_MONTHS = 12


class HeldError(Exception):
    """A hand that may not be purged: a case about it is open, or somebody holds it."""


def keep(viewer: Viewer, *, months: int | None) -> None:
    """Say for how many months the viewer's club keeps its hands; None: for good."""
    _set(viewer, "keep_months", months)


def open_after(viewer: Viewer, *, hours: int | None) -> None:
    """Say how many hours after its end a hand's cards lie open to its readers; None: never."""
    _set(viewer, "opens_after", hours)


def _set(viewer: Viewer, name: str, value: int | None) -> None:
    with transaction.atomic():
        club = storage.locked(Club.objects.filter(pk=viewer.club.pk)).get()
        before = getattr(club, name)
        if before == value:
            return
        setattr(club, name, value)
        club.save(update_fields=[name])
        trail.leave(viewer, f"club.{name}", target=club.slug, before=before, after=value)
    setattr(viewer.club, name, value)


def hold(viewer: Viewer, log: HandLog, *, why: str) -> None:
    """Hold a hand of the viewer's club: it is not purged until it is let go of."""
    with transaction.atomic():
        fields = {"club": viewer.club, "why": why[:_MOST_WHY], "at": timezone.now()}
        _hold, made = Hold.objects.get_or_create(log=log, defaults=fields | {"user": viewer.user})
        if made:
            trail.leave(viewer, "hand.hold", target=log.public_id, after={"held": True})


def let_go(viewer: Viewer, log: HandLog) -> None:
    """End the hold of a hand."""
    with transaction.atomic():
        if Hold.objects.of_club(viewer).filter(log=log).delete()[0]:
            trail.leave(viewer, "hand.let_go", target=log.public_id, before={"held": True})


def months_before(moment: datetime.datetime, months: int) -> datetime.datetime:
    """Return the same day so many months before, or the last one that month has.

    >>> str(months_before(datetime.datetime(2026, 5, 31), 3))
    '2026-02-28 00:00:00'
    """
    year, month = divmod(moment.year * _MONTHS + moment.month - 1 - months, _MONTHS)
    for day in range(moment.day, 0, -1):
        try:
            return moment.replace(year=year, month=month + 1, day=day)
        except ValueError:
            continue
    raise AssertionError("unreachable")


def due(
    viewer: Viewer, *, now: datetime.datetime | None = None, most: int | None = None
) -> list[list[HandLog]]:
    """Return the hands of the viewer's club that it no longer keeps, the deals of a match together.

    A match goes as a whole or not at all: with a deal of it gone its totals would be others.
    ``most``: look at so many of the oldest hands, and at the whole matches of those.
    """
    if viewer.club.keep_months is None:
        return []
    since = months_before(now or timezone.now(), viewer.club.keep_months)
    mine = HandLog.objects.of_club(viewer).order_by("pk")
    named = {name: models.OuterRef(name) for name in ("club", *_MATCH)}
    kept = HandLog.objects.filter(models.Q(ingested_at__gte=since) | _held(), **named)
    old = mine.filter(ingested_at__lt=since).exclude(_held())
    old = old.exclude(~models.Q(match=""), models.Exists(kept))
    old = old.only("public_id", "ingested_at", *_MATCH)
    together: dict[tuple[str, ...], list[HandLog]] = {}
    for log in old[:most]:
        match = (log.source, log.event, log.match)
        together.setdefault(match if log.match else (log.public_id,), []).append(log)
    if most is not None:
        # They may have deals beyond these.
        for match in [each for each in together if len(each) == len(_MATCH)]:
            together[match] = list(old.filter(**dict(zip(_MATCH, match, strict=True))))
    return list(together.values())


_MATCH = ("source", "event", "match")


def _held() -> models.Q:
    running = Case.objects.filter(state__in=RUNNING).values("log")
    return models.Q(hold__isnull=False) | models.Q(pk__in=running)


def retain_all(*, most: int | None = None) -> int:
    """Purge what clubs no longer keep, each by its own setting; return how many hands that were.

    ``most``: of each club so many at once, and whole matches.
    """
    keeping = Club.objects.exclude(keep_months=None).order_by("pk")
    return sum(retain(access.operator(club), most=most) for club in keeping)


def retain(
    viewer: Viewer,
    *,
    why: str = "",
    now: datetime.datetime | None = None,
    most: int | None = None,
) -> int:
    """Purge what the viewer's club no longer keeps; return how many hands that were."""
    why = why or f"kept for {viewer.club.keep_months} months"
    count = 0
    for together in due(viewer, now=now, most=most):
        # A case may come in between.
        with suppress(HeldError):
            count += storage.in_transaction(partial(purge, viewer, together, why=why))
    return count


def purge(viewer: Viewer, together: Sequence[HandLog], *, why: str) -> int:
    """Take hands out for good, within a transaction; a tombstone says of each that it was here.

    Returns how many were still there. Raises HeldError if one of them is held by now. The
    triggers let a log go only with its tombstone standing, and what they refuse ends the
    transaction.
    """
    storage.wipe_what_is_deleted()
    pks = [log.pk for log in together]
    logs = list(storage.locked(HandLog.objects.of_club(viewer).filter(pk__in=pks)))
    if HandLog.objects.filter(_held(), pk__in=pks).exists():
        raise HeldError
    now = timezone.now()
    Tombstone.objects.bulk_create(
        Tombstone(
            club=viewer.club,
            number=log.pk,
            public_id=log.public_id,
            identity=bytes(log.identity),
            head=log.head,
            user=viewer.user,
            via=viewer.via,
            why=why[:_MOST_WHY],
            at=now,
        )
        for log in logs
    )
    if logs:
        _delete_all(logs)
    for log in logs:
        trail.leave(viewer, "hand.purge", target=log.public_id, before={"head": log.head})
    return len(logs)


def _delete_all(logs: Sequence[HandLog]) -> None:
    pks = [log.pk for log in logs]
    shared = Link.objects.filter(club=logs[0].club_id, kind=LinkKind.SHARE)
    shared.filter(scope__hand__in=[log.public_id for log in logs]).delete()
    # The file that brought a hand holds its cards: it goes, with whatever else stood in it.
    brought = Outcome.objects.filter(log__in=pks)
    UploadChunk.objects.filter(upload__in=brought.values("upload")).delete()
    brought.update(raw=None, found="", expected="", name="")
    HandLog.objects.filter(pk__in=pks).update(audit=None)
    for rows in _rows(pks):
        rows.delete()
    _tend_matches(logs)
    HandLog.objects.filter(pk__in=pks).delete()


def _rows(pks: Iterable[int]) -> Iterator[models.QuerySet[models.Model]]:
    """Give what hangs on hands, what hangs on that first."""
    cases = list(Case.objects.filter(log__in=pks).values_list("pk", flat=True))
    Case.objects.filter(duplicate_of__in=cases).update(duplicate_of=None)
    yield Decision.objects.filter(case__in=cases)
    yield Evidence.objects.filter(case__in=cases)
    yield CaseText.objects.filter(event__case__in=cases)
    yield CaseEvent.objects.filter(case__in=cases)
    yield Party.objects.filter(case__in=cases)
    yield Case.objects.filter(pk__in=cases)
    yield FeedEntry.objects.filter(log__in=pks)
    yield FindingRow.objects.filter(log__in=pks)
    yield MatchFinding.objects.filter(log__in=pks)
    yield AuditJob.objects.filter(log__in=pks)
    yield Audit.objects.filter(log__in=pks)
    yield DealEntry.objects.filter(log__in=pks)
    yield FreeText.objects.filter(batch__log__in=pks)
    yield LogBatch.objects.filter(log__in=pks)
    yield Seat.objects.filter(log__in=pks)
    yield HandKey.objects.filter(log__in=pks)


def _tend_matches(logs: Sequence[HandLog]) -> None:
    """Take a match away with the last of its deals, and have it audited anew before that."""
    pks = [log.pk for log in logs]
    writes = Writes()
    mark(logs, writes)
    storage.write(writes)
    for source, event, match in {(each.source, each.event, each.match) for each in logs}:
        named = {"club": logs[0].club_id, "source": source, "event": event}
        if match and not HandLog.objects.filter(match=match, **named).exclude(pk__in=pks).exists():
            MatchRow.objects.filter(name=match, **named).delete()
