"""A log is append-only: the database itself refuses anything else."""

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from replays import storage
from replays.models import HandLog, LogBatch
from tests.replays.hands import hand

pytestmark = pytest.mark.storage

REFUSAL = "a log is append-only"


def run(statement):
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(statement)
        connection.check_constraints()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE replays_logbatch SET last_seq = 0",
        "UPDATE replays_logbatch SET body = body",
        "DELETE FROM replays_logbatch",
        "DELETE FROM replays_logbatch WHERE id IN (SELECT id FROM replays_logbatch)",
    ],
)
def test_no_row_of_a_log_is_changed_or_deleted(send, statement):
    send(hand())
    before = list(LogBatch.objects.values())

    with pytest.raises(DatabaseError, match=REFUSAL):
        run(statement)

    assert list(LogBatch.objects.values()) == before


def test_nor_is_its_table_emptied(send):
    send(hand())

    # SQLite refuses it because it does not know the word.
    with pytest.raises(DatabaseError):
        run("TRUNCATE replays_logbatch CASCADE")

    assert LogBatch.objects.count() == 1


def test_a_hand_with_a_log_is_not_deleted(send):
    send(hand())

    with pytest.raises(DatabaseError):
        run("DELETE FROM replays_handlog")

    assert HandLog.objects.count() == 1


def test_lost_guards_are_seen_and_set_again_by_migrating(db):
    storage.lift_guards()
    assert not storage.guards_stand()

    call_command("migrate", verbosity=0)

    assert storage.guards_stand()


def test_emptying_is_refused_in_production(db, settings):
    settings.PRODUCTION = True

    with pytest.raises(CommandError, match="never emptied"):
        call_command("flush", interactive=False, verbosity=0)


@pytest.mark.django_db(transaction=True)
def test_emptying_a_trial_leaves_the_guards_standing(send):
    send(hand())

    call_command("flush", interactive=False, verbosity=0)

    assert LogBatch.objects.count() == 0
    assert storage.guards_stand()
