"""The feed of verdicts passes over nobody: reliability.md, row 11 in its small form."""

import itertools
import threading
import time
from dataclasses import replace

import pytest
from django.db import connection, transaction
from django.utils import timezone

from replays import access, audit, feed
from replays.models import AuditJob, FeedEntry, HandLog
from replays.models.hands import Verdict
from replays.work import fail_audit
from tests.replays.hands import hand, hands

WRITERS, SECONDS, HELD = 8, 1.5, 1.0


def entry(log, version=1):
    return FeedEntry(
        club_id=log.club_id,
        log=log,
        version=version,
        verdict="clean",
        open=False,
        at=timezone.now(),
    )


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_eight_writers_a_reader_and_a_row_held_back_miss_nothing(send, club):
    send(hand())
    log, everybody = HandLog.objects.get(), access.Viewer(club=club)
    numbers, stop = itertools.count(1), threading.Event()
    written, seen, faults = [], [], []

    def guarded(work):
        def run():
            try:
                work()
            except Exception as error:  # noqa: BLE001 - reported by the test
                faults.append(error)
            finally:
                connection.close()

        return threading.Thread(target=run)

    def write():
        while not stop.is_set():
            with transaction.atomic():
                number = next(numbers)
                feed.publish([entry(log, number)])
            written.append(number)

    def hold():
        time.sleep(0.3)
        with transaction.atomic():
            number = next(numbers)
            FeedEntry.objects.filter(pk=0).update(verdict="clean")
            feed.publish([entry(log, number)])
            time.sleep(HELD)
        written.append(number)

    def follow():
        place = 0
        while True:
            last = done.is_set()
            reading = feed.read(everybody, after=place, most=300)
            seen.extend(each.version for each in reading.entries)
            place = reading.place
            if last and not reading.more:
                return
            time.sleep(0.002)

    done = threading.Event()
    reader = guarded(follow)
    writers = [guarded(write) for _ in range(WRITERS)] + [guarded(hold)]
    for thread in (reader, *writers):
        thread.start()
    time.sleep(SECONDS)
    stop.set()
    for thread in writers:
        thread.join()
    done.set()
    reader.join()

    assert faults == []
    assert len(written) > WRITERS
    assert sorted(seen) == sorted(written)


def test_a_reader_goes_on_behind_verdicts_of_hands_that_they_may_not_see(send, club, dora):
    club.opens_hands = False
    club.save()
    send(hands(3))
    audit.audit_due()
    last = FeedEntry.objects.order_by("pk").last().pk

    nothing = feed.read(replace(dora, club=club), after=0, most=2)
    rest = feed.read(replace(dora, club=club), after=nothing.place, most=2)

    assert ([nothing.entries, rest.entries], nothing.more, rest.more) == ([[], []], True, False)
    assert (0 < nothing.place < last, rest.place) == (True, last)


@pytest.mark.storage
def test_every_verdict_is_on_the_feed_once_with_what_it_says(send, alice):
    send(hands(3))
    audit.audit_due()

    reading = feed.read(alice, after=0, most=2)
    rest = feed.read(alice, after=reading.place, most=2)
    assert (len(reading.entries), reading.more, rest.more) == (2, True, False)
    found = [*reading.entries, *rest.entries]
    assert [each.log.name for each in found] == ["H-0", "H-1", "H-2"]
    assert {(each.verdict, each.open, each.errors, each.notes) for each in found} == {
        (each.log.verdict, False, each.log.errors, each.log.notes) for each in found
    }
    assert [each.audit_id for each in found] == [each.log.audit_id for each in found]


def test_an_amended_hand_comes_again_with_its_new_version(send, alice):
    send(hand())
    audit.audit_due()
    place = feed.newest(alice)
    send(hand() + b"note late\n")
    audit.audit_due()

    reading = feed.read(alice, after=place, most=10)
    assert [each.version for each in reading.entries] == [2]


def test_a_hand_that_cannot_be_judged_is_on_the_feed_too(send, alice):
    send(hand())
    fail_audit(AuditJob.objects.get(), "it stopped its worker")

    reading = feed.read(alice, after=0, most=10)
    assert [(each.verdict, each.audit) for each in reading.entries] == [(Verdict.FAILED, None)]


def test_another_clubs_verdicts_are_not_on_it(send, alice, mallory):
    send(hand())
    audit.audit_due()

    assert feed.read(mallory, after=0, most=10).entries == []
    assert feed.newest(mallory) == 0
    assert len(feed.read(alice, after=0, most=10).entries) == 1


def test_a_reading_takes_as_many_queries_for_many_as_for_one(
    send, alice, django_assert_num_queries
):
    send(hands(3))
    audit.audit_due()

    for most in (1, 3):
        with django_assert_num_queries(2):
            assert len(feed.read(alice, after=0, most=most).entries) == most
