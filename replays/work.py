"""What becomes of claimed work that did not get done."""

import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from types import FrameType
from typing import TypeVar

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from replays import counting, feed, outbox, storage
from replays.models import AuditJob, FeedEntry, HandLog, Upload
from replays.models.hands import Verdict
from replays.models.work import Work

W = TypeVar("W", bound=Work)

# Work that raised is tried again after so many seconds, times its attempts.
_RETRY_SECONDS = 2
_MOST_REASON = 500


# What this process had in hand when its database went away.
_left: list[Work] = []


class TooLongError(Exception):
    """Work took longer than it may."""


@contextmanager
def alarm(seconds: float, *, cpu: bool = False) -> Iterator[None]:
    """Raise TooLongError in what runs longer. Only a main thread can be told.

    ``cpu`` counts the time the processor was at it: the same on a busy machine.
    """
    timer, number = (
        (signal.ITIMER_VIRTUAL, signal.SIGVTALRM) if cpu else (signal.ITIMER_REAL, signal.SIGALRM)
    )
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TooLongError(f"it took over {seconds:g} seconds")

    before = signal.signal(number, ring)
    signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        signal.setitimer(timer, 0)
        signal.signal(number, before)


def claim(model: type[W], *, only: Q, most: int) -> list[W]:
    """Claim up to ``most`` pieces of work that are due, for as long as a lease lasts."""
    put_down(_left)
    _left.clear()
    lease = timedelta(seconds=settings.AUDIT_LEASE)
    claimed = storage.claim(model, only=only, most=most, lease=lease)
    counting.add(f"claims:{model.__name__}", len(claimed))
    return claimed


@contextmanager
def in_hand(jobs: Iterable[Work]) -> Iterator[None]:
    """Work on what was claimed; where the database goes away meanwhile, no attempt is counted.

    The work is put down at the next claim, when the database is back. Three outages would
    otherwise leave a good hand without a verdict.
    """
    try:
        yield
    except (OperationalError, InterfaceError):
        if not connection.is_usable():
            _left.extend(jobs)
        raise


def put_back(job: Work, reason: str) -> None:
    """Return work to be tried again in a while; what was tried as often as may be is given up."""
    if job.attempts >= settings.AUDIT_ATTEMPTS:
        give_up(job, reason)
        return
    wait = timedelta(seconds=_RETRY_SECONDS * job.attempts)
    _mine(job).update(due=Now() + wait, lease="", reason=_told(reason))


def give_up(job: Work, reason: str) -> bool:
    """Fail work for good, with the reason; whether it was still ours to fail."""
    ours = bool(_mine(job).update(failed=True, lease="", reason=_told(reason)))
    if ours:
        counting.add(f"failed:{type(job).__name__}")
    return ours


def _told(reason: str) -> str:
    # PostgreSQL takes no NUL, and an error may repeat what came in.
    return reason.replace("\0", "")[:_MOST_REASON]


def put_back_audit(job: AuditJob, reason: str) -> None:
    """Return the audit of a hand to be tried again, or fail it where it was tried enough."""
    if job.attempts >= settings.AUDIT_ATTEMPTS:
        fail_audit(job, reason)
    else:
        put_back(job, reason)


def fail_audit(job: AuditJob, reason: str, *, verdict: Verdict = Verdict.FAILED) -> None:
    """Fail the audit of a hand for good, and show on the hand and the feed that it has none.

    In one transaction: of a hand whose job alone has failed nobody would ever be told.
    """
    storage.in_transaction(partial(_fail_audit, job, reason, verdict))


def _fail_audit(job: AuditJob, reason: str, verdict: Verdict) -> None:
    # Logs before jobs, as those who append do: so nobody waits for each other.
    log = next(iter(storage.locked(HandLog.objects.filter(pk=job.log_id))), None)
    if log is None or not give_up(job, reason):
        return
    HandLog.objects.filter(pk=log.pk).update(verdict=verdict)
    entry = FeedEntry(
        club_id=log.club_id,
        log=log,
        version=log.version,
        verdict=verdict,
        open=log.is_open,
        at=timezone.now(),
    )
    outbox.tell_audited([entry], {}, again=())
    feed.publish([entry])


def anything_claimed() -> bool:
    """Whether somebody is at work, or died at it less than a lease ago."""
    held = ~Q(lease="") & Q(failed=False, due__gt=Now())
    return (
        AuditJob.objects.filter(held).exists()
        or Upload.objects.filter(held, finished_at=None).exists()
    )


def put_down(jobs: Iterable[Work]) -> None:
    """Return claimed work that was not begun: due at once, and no attempt counted."""
    for job in jobs:
        _mine(job).update(due=Now(), lease="", attempts=F("attempts") - 1)


def _mine(job: Work):  # noqa: ANN202 - the queryset of its model
    return type(job).objects.filter(pk=job.pk, lease=job.lease)


def exhausted(model: type[W], *, only: Q) -> list[W]:
    """Return work that was claimed as often as may be, and that nobody finished."""
    return list(
        model.objects.filter(
            only, failed=False, attempts__gte=settings.AUDIT_ATTEMPTS, due__lte=Now()
        )[:100]
    )
