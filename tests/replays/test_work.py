"""Claims: each piece of work has one holder at a time, and three chances."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import Q
from django.db.models.functions import Now

from replays import work
from replays.models import AuditJob
from tests.replays.hands import hand, hands

pytestmark = pytest.mark.storage


def lapse():
    """Let every lease run out."""
    AuditJob.objects.update(due=Now() - timedelta(seconds=1))


def test_a_claim_counts_and_hides_the_work_until_its_lease_ends(send, settings):
    send(hands(3))

    claimed = work.claim(AuditJob, only=Q(attempts=0), most=2)
    rest = work.claim(AuditJob, only=Q(), most=5)

    assert [job.attempts for job in claimed] == [1, 1]
    assert len({job.lease for job in claimed}) == 1
    assert len(rest) == 1
    assert {job.pk for job in claimed}.isdisjoint({job.pk for job in rest})
    assert work.claim(AuditJob, only=Q(), most=5) == []
    lapse()
    assert [job.attempts for job in work.claim(AuditJob, only=Q(), most=5)] == [2, 2, 2]


def test_only_the_holder_may_put_back_or_give_up(send):
    send(hand())
    (mine,) = work.claim(AuditJob, only=Q(), most=1)
    lapse()
    (theirs,) = work.claim(AuditJob, only=Q(), most=1)

    work.put_back(mine, "late")
    assert work.give_up(mine, "late\0") is False

    job = AuditJob.objects.get()
    assert (job.lease, job.failed, job.reason) == (theirs.lease, False, "")


def test_work_that_raised_is_given_up_the_third_time(send):
    send(hand())
    for attempt in (1, 2, 3):
        (job,) = work.claim(AuditJob, only=Q(), most=1)
        work.put_back(job, f"reason {attempt}")
        assert AuditJob.objects.get().failed is (attempt == 3)
        assert work.claim(AuditJob, only=Q(), most=1) == []
        lapse()

    job = AuditJob.objects.get()
    assert (job.failed, job.attempts, job.reason) == (True, 3, "reason 3")
    assert work.claim(AuditJob, only=Q(), most=1) == []


@pytest.mark.django_db(transaction=True)
def test_claims_at_once_never_share_work(send):
    send(hands(200))
    claimed, errors = [], []

    def claim():
        try:
            while jobs := work.claim(AuditJob, only=Q(attempts=0), most=7):
                claimed.extend(job.pk for job in jobs)
        except Exception as error:  # noqa: BLE001 - told below
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=claim) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert errors == []
    assert sorted(claimed) == sorted(AuditJob.objects.values_list("pk", flat=True))
    assert len(claimed) == 200
