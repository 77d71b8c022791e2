"""Lists cost the same whatever they hold, and page without gaps."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from replays import audit, queries
from replays.models import Club, HandLog
from tests.replays.hands import SHOWN, hand, hands

pytestmark = pytest.mark.storage

WRONG = SHOWN.replace("2=80", "2=45")


@pytest.fixture
def judged(send):
    def judged(count):
        pieces = [
            hand(f"H-{number}", lines=WRONG if number % 3 == 0 else SHOWN)
            for number in range(count)
        ]
        send(b"\n".join(pieces))
        while audit.audit_due():
            pass

    return judged


@pytest.mark.parametrize("count", [1, 3])
def test_a_page_of_hands_is_one_query(judged, bob, count, django_assert_num_queries):
    judged(count)

    with django_assert_num_queries(1):
        page = queries.hand_page(bob)
        assert len(page.rows) == count
    with django_assert_num_queries(3):
        assert queries.hand_page(bob, code="score-wrong").rows


def test_a_batch_of_audits_takes_the_same_queries_whatever_it_holds(send, monkeypatch):
    monkeypatch.setattr(audit, "_STORE_SECONDS", 60)
    taken = {}
    for count in (1, 3):
        send(hands(count), event=f"{count} hands")
        with CaptureQueriesContext(connection) as seen:
            assert audit.audit_due() == count
        taken[count] = len(seen)

    assert taken[1] == taken[3] < 40


def walk(bob, **filters):
    names, before = [], 0
    while True:
        page = queries.hand_page(bob, before=before, most=4, **filters)
        names += [log.name for log in page.rows]
        if not page.next:
            return names
        before = page.next


def test_pages_follow_each_other_without_gap_or_repeat(judged, bob):
    judged(10)

    assert walk(bob) == [f"H-{number}" for number in reversed(range(10))]
    assert walk(bob, verdict="flagged") == ["H-9", "H-6", "H-3", "H-0"]
    assert walk(bob, code="score-wrong") == ["H-9", "H-6", "H-3", "H-0"]
    assert walk(bob, code="score-wrong", verdict="clean") == []
    assert walk(bob, code="arrangement-not-best", verdict="clean") == [
        f"H-{number}" for number in reversed(range(10)) if number % 3
    ]


def test_another_club_is_not_seen(judged, bob):
    judged(2)
    other = Club.objects.create(slug="other", name="Other")
    HandLog.objects.filter(name="H-1").update(club=other)

    assert [log.name for log in queries.newest_hands(bob, most=9)] == ["H-0"]
    assert walk(bob) == ["H-0"]


def test_a_hand_without_audit_has_none(send):
    send(hand())

    assert queries.newest_audit(HandLog.objects.get()) is None
