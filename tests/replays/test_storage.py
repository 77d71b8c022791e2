"""The one module that knows its database, and the promises that it keeps on both."""

import ast
import dataclasses
import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.db.models.functions import Now

from replays import audit, storage, uploads
from replays.models import (
    AuditJob,
    FreeText,
    HandKey,
    HandLog,
    LogBatch,
    MatchRow,
    Outcome,
    Player,
    Seat,
    TrailEntry,
    Upload,
)
from replays.writes import Writes
from tests.replays.hands import SHOWN, hand, hands

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "replays").rglob("*.py")) + sorted((ROOT / "api").rglob("*.py"))


def test_only_the_storage_module_asks_which_database_it_is():
    telling = re.compile(r"\.vendor\b|\bSQLITE\b|import copying|copying\.|one_hand\.")
    knowing = {
        str(path.relative_to(ROOT))
        for path in SOURCES
        if "migrations" not in path.parts and telling.search(path.read_text(encoding="utf-8"))
    }

    # A whole database is dumped by its own tools.
    assert knowing == {"replays/storage.py", "replays/backup.py"}


def test_every_index_names_its_reader():
    silent = []
    for path in sorted((ROOT / "replays" / "models").glob("*.py")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for node in ast.walk(ast.parse("\n".join(lines))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "models.Index":
                at = node.lineno - 1
                while lines[at - 1].lstrip().startswith("#"):
                    at -= 1
                if not lines[at].lstrip().startswith("# Read by"):
                    silent.append(f"{path.name}:{node.lineno}")

    assert silent == []


@pytest.mark.storage
def test_rows_written_in_bulk_are_what_was_given(send):
    send(hand("T-1", names=("Asha", "Bilal"), head='note="late, ä \\\\ \\t"') + b"\n" + hands(2))

    first, *rest = HandLog.objects.order_by("pk")
    assert [first.name, *(log.name for log in rest)] == ["T-1", "H-0", "H-1"]
    assert list(Seat.objects.filter(log=first).order_by("seat").values_list("seat", "name")) == [
        (1, "Asha"),
        (2, "Bilal"),
    ]
    keys = {bytes(key.identity): key.log_id for key in HandKey.objects.all()}
    assert keys == {bytes(log.identity): log.pk for log in (first, *rest)}
    (text,) = FreeText.objects.all()
    assert text.batch == LogBatch.objects.get(log=first)
    assert {batch.log_id for batch in LogBatch.objects.all()} == set(keys.values())


@pytest.mark.storage
def test_a_hand_by_itself_is_stored_in_few_statements(send, django_assert_num_queries):
    text = "100 %, %s, %(x)s; a ' and 'b'"
    send(hand("T-0"))  # the first one asks how rows are numbered
    with django_assert_num_queries({"postgresql": 1, "sqlite": 11}[connection.vendor]):
        upload = send(hand("T-1", names=("O'Neill%s", "Bilal")))
    send(hand("T-2", head=f'note="{text}"'), file=text)

    _first, log, _last = HandLog.objects.order_by("pk")
    assert [seat.name for seat in log.seats.order_by("seat")] == ["O'Neill%s", "Bilal"]
    assert [(each.number, each.kind, each.log) for each in upload.outcomes.all()] == [
        (0, "created", log)
    ]
    _first, entry, _last = TrailEntry.objects.order_by("pk")
    assert (entry.target, entry.after["sha256"]) == (upload.public_id, upload.sha256)
    assert Upload.objects.get(pk=upload.pk).created == 1
    assert Upload.objects.get(file=text).created == 1
    assert text.encode() in bytes(FreeText.objects.get().body)


def _rows(log):
    """All rows of a hand and of its upload, without what tells them from others."""
    own = {"id", "public_id", "identity", "event", "target", "log_id", "upload_id", "batch_id"}
    (batch,), (outcome,) = log.batches.all(), Outcome.objects.filter(log=log)
    rows = [log, *log.seats.order_by("seat"), batch, batch.free_text, outcome, outcome.upload]
    rows += [outcome.upload.chunks.get(), AuditJob.objects.get(log=log)]
    rows += [TrailEntry.objects.get(target=outcome.upload.public_id)]
    rows += [MatchRow.objects.get(event=log.event)]
    return [
        {
            name: type(value) if isinstance(value, datetime) else value
            for name, value in each.__dict__.items()
            if name not in own and not name.startswith("_")
        }
        for each in rows
    ]


@pytest.mark.storage
def test_a_hand_by_itself_is_stored_as_hands_that_come_together(send, alice, monkeypatch):
    asha = Player.objects.create(club=alice.club, name="Asha", ref="a-1")
    lines = f'match M1 format=pool-101 deal=3 seats=1,2\n{SHOWN}note "100 %s"\n'
    names = ("O'Neill%s", "Asha ref=a-1")
    content = hand("T-1", head='note="a \' b"', lines=lines, names=names)
    viewer = dataclasses.replace(alice, address="2001:db8::1")

    for event in ("by itself", "together"):
        send(content, viewer=viewer, source="paper", event=event, file="a 'file'")
        monkeypatch.setattr(storage, "takes_alone", lambda: False)

    alone, together = HandLog.objects.order_by("pk")
    assert _rows(alone) == _rows(together)
    assert [seat.player for seat in alone.seats.order_by("seat")] == [None, asha]
    assert [key.log for key in HandKey.objects.order_by("log")] == [alone, together]


@pytest.mark.storage
def test_a_batch_is_judged_in_few_statements_however_many_hands_it_has(
    send, django_assert_num_queries, monkeypatch
):
    # On a busy machine a batch takes long enough to be stored in two.
    monkeypatch.setattr(audit, "_STORE_SECONDS", 60)
    send(hands(2))
    assert audit.audit_due() == 2
    for count in (1, 12):
        send(hands(count, prefix=f"of-{count}"))
        with django_assert_num_queries({"postgresql": 17, "sqlite": 25}[connection.vendor]):
            assert audit.audit_due() == count


@pytest.mark.storage
def test_of_logs_with_one_identity_the_first_is_kept(send):
    stored = send(hand()).outcomes.get().log
    upload = Upload(pk=7)
    free, spare = bytes(32), bytes(31) + b"1"
    identities = [bytes(stored.identity), free, spare]
    new = HandLog.objects.get()
    new.pk, new.public_id, new.identity = None, "another", free

    found = storage.take_keys(identities, upload=upload, spare={spare})
    writes = Writes()
    storage.insert_logs([new], found.taken, writes=writes)
    storage.write(writes)

    assert (found.there, found.purged, set(found.taken)) == ([stored.pk], False, {free})
    assert list(HandLog.objects.order_by("pk")) == [stored, new]
    again = storage.take_keys(identities, upload=upload, spare={spare})
    assert (sorted(again.there), again.taken) == ([stored.pk, new.pk], {})


@pytest.mark.storage
def test_work_that_another_holds_is_not_ended(send):
    send(hands(3))
    lease = timedelta(seconds=9)
    mine = storage.claim(AuditJob, only=storage.models.Q(), most=2, lease=lease)
    lost = mine[0]
    AuditJob.objects.filter(pk=lost.pk).update(lease="of another", due=Now() + lease)

    assert storage.end(mine) == {mine[1].pk}
    assert AuditJob.objects.filter(pk=lost.pk).exists()
    assert AuditJob.objects.count() == 2


@pytest.mark.storage
def test_an_audit_is_owed_once_and_with_all_its_attempts(send):
    send(hands(2))
    AuditJob.objects.update(failed=True, attempts=3, lease="gone", reason="x")
    first, second = HandLog.objects.order_by("pk")

    storage.owe_audits([second.pk, first.pk, first.pk])

    owed = AuditJob.objects.order_by("log").values_list(
        "log", "failed", "attempts", "lease", "reason"
    )
    assert list(owed) == [(first.pk, False, 0, "", ""), (second.pk, False, 0, "", "")]


@pytest.mark.storage
def test_a_file_of_several_pieces_is_stored_as_it_came(send, monkeypatch):
    monkeypatch.setattr(uploads, "_CHUNK", 700)
    content = hands(20)
    upload = send(content)

    assert b"".join(bytes(chunk.body) for chunk in upload.chunks.order_by("number")) == content
