"""What becomes of claimed work that did not get done."""

import logging
from collections.abc import Iterable
from datetime import timedelta
from typing import TypeVar

from django.conf import settings
from django.db.models import Q
from django.db.models.functions import Now

from replays import storage
from replays.models.work import Work

log = logging.getLogger(__name__)

W = TypeVar("W", bound=Work)

# Work that raised is tried again after so many seconds, times its attempts.
_RETRY_SECONDS = 2
_MOST_REASON = 500


def claim(model: type[W], *, only: Q, most: int) -> list[W]:
    """Claim up to ``most`` pieces of work that are due, for as long as a lease lasts."""
    return storage.claim(model, only=only, most=most, lease=timedelta(seconds=settings.AUDIT_LEASE))


def put_back(job: Work, reason: str) -> bool:
    """Return work to be tried again in a while; whether it is given up instead."""
    if job.attempts >= settings.AUDIT_ATTEMPTS:
        return give_up([job], reason)
    wait = timedelta(seconds=_RETRY_SECONDS * job.attempts)
    _mine(job).update(due=Now() + wait, lease="", reason=reason[:_MOST_REASON])
    return False


def give_up(jobs: Iterable[Work], reason: str) -> bool:
    """Fail work for good, with the reason; whether it was still ours to fail."""
    done = [_mine(job).update(failed=True, lease="", reason=reason[:_MOST_REASON]) for job in jobs]
    return any(done)


def _mine(job: Work):  # noqa: ANN202 - the queryset of its model
    return type(job).objects.filter(pk=job.pk, lease=job.lease)


def exhausted(model: type[W], *, only: Q) -> list[W]:
    """Return work that was claimed as often as may be, and that nobody finished."""
    return list(
        model.objects.filter(
            only, failed=False, attempts__gte=settings.AUDIT_ATTEMPTS, due__lte=Now()
        )[:100]
    )
