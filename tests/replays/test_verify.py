"""Checking the record: every change is found, and nothing else is called one."""

import random

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from replays import audit, checking, storage
from replays.models import Audit, HandLog, LogBatch, Tombstone
from tests.effort import tries
from tests.replays.hands import hand, hands

pytestmark = pytest.mark.storage

OPEN = "wild 7D\n"
MORE = OPEN + "declare 1 4H 5H 6H 7H | 8S 9S TS | 9H 9D 9C | KD KS KH / QC\n"


@pytest.fixture
def record(send):
    """Four hands, one of them in three batches, judged."""
    send(hand("grown", lines=OPEN))
    send(hand("grown", lines=MORE))
    send(hand("grown"))
    send(hands(3))
    while audit.audit_due():
        pass


def faults():
    return [fault.what for fault in checking.faults(checking.Tally())]


def change(statement, parameters=()):
    storage.lift_guards()
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
    storage.set_guards()


def test_an_untouched_record_has_no_fault(record, capsys):
    tally = checking.Tally()

    assert list(checking.faults(tally)) == []
    assert (tally.hands, tally.events, tally.audits) == (4, 16, 4)
    call_command("verify")
    assert "4 hands with 16 events and 4 audits" in capsys.readouterr().out


@pytest.mark.ci_on_postgres
def test_every_flipped_bit_of_a_log_is_found(record):
    chance = random.Random(7)
    for batch in LogBatch.objects.all():
        body = bytes(batch.body)
        for _time in range(tries(15)):
            place, bit = chance.randrange(len(body)), 1 << chance.randrange(8)
            flipped = body[:place] + bytes([body[place] ^ bit]) + body[place + 1 :]
            change("UPDATE replays_logbatch SET body = %s WHERE id = %s", [flipped, batch.pk])
            assert faults(), (flipped[place - 20 : place + 20], bit)
            change("UPDATE replays_logbatch SET body = %s WHERE id = %s", [body, batch.pk])
    assert faults() == []


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        (
            "DELETE FROM replays_logbatch WHERE first_line = 2 AND log_id = {grown}",
            "the part from event 3 on does not follow the one before it",
        ),
        (
            "DELETE FROM replays_logbatch WHERE first_line = 3 AND log_id = {grown}",
            "the log ends after event 2, the hand's row says 4",
        ),
        (
            "UPDATE replays_logbatch SET first_line = 9 WHERE first_line = 3 AND log_id = {grown}",
            "the part from event 3 on does not follow the one before it",
        ),
        ("UPDATE replays_handlog SET head = 'f00d' WHERE id = {grown}", "the head is not that"),
        ("UPDATE replays_handlog SET core_digest = '' WHERE id = {grown}", "the core digest is"),
        ("UPDATE replays_audit SET verdict = 'flagged'", "does not belong to its row"),
        ("UPDATE replays_audit SET report_digest = 'f00d'", "is not what its digest says"),
    ],
)
def test_a_change_of_rows_is_found(record, statement, what):
    grown = HandLog.objects.get(name="grown").pk
    change(statement.format(grown=grown))

    assert any(what in fault for fault in faults()), faults()
    with pytest.raises(CommandError, match="faults in 4 hands"):
        call_command("verify")


def test_a_log_that_says_the_same_in_another_spelling_is_found(record):
    batch = LogBatch.objects.filter(log__name="grown").last()
    spaced = bytes(batch.body).replace(b'"type":', b'"type": ')
    change("UPDATE replays_logbatch SET body = %s WHERE id = %s", [spaced, batch.pk])

    assert faults() == ["the log is not in canonical form"]


def test_a_hand_that_is_here_beside_its_tombstone_is_found(record, club):
    log = HandLog.objects.get(name="grown")
    Tombstone.objects.create(
        club=club, number=log.pk, public_id=log.public_id, identity=log.identity, at=timezone.now()
    )

    assert faults() == ["it has a tombstone and is still here"]


def test_a_changed_report_is_found(record):
    stored = Audit.objects.first()
    report = bytes(stored.report).replace(b'"winner":1', b'"winner":2')
    assert report != bytes(stored.report)
    Audit.objects.filter(pk=stored.pk).update(report=report)

    (fault,) = faults()
    assert "is not what its digest says" in fault


def test_lost_guards_are_a_fault(record):
    storage.lift_guards()

    (fault,) = faults()
    assert "triggers" in fault
