"""A case from the report to the decision that both sides are told of."""

import datetime
import json
import socket
from contextlib import suppress

import pytest
from django.core import mail
from django.db import DatabaseError, connection, transaction

from replays import cases, checking, storage, webhooks
from replays.cases import record, telling
from replays.models import Audit, CaseEvent, CaseText, Decision, Evidence, LogBatch, WebhookDelivery
from replays.models.webhooks import WebhookEvent
from tests.replays.disputes import REASONS, decide, dispute, png, ruled_points  # noqa: F401 - a fixture

pytestmark = pytest.mark.storage


def test_opened_claimed_decided_and_told(dispute, django_capture_on_commit_callbacks):  # noqa: F811
    log_before = list(LogBatch.objects.values())
    audits_before = list(Audit.objects.values())
    with django_capture_on_commit_callbacks(execute=True):
        case = dispute.open()
        cases.claim(dispute.charlie, case)
        made = decide(dispute.charlie, case)

    case.refresh_from_db()
    assert (case.number, case.state, made.number) == (1, "decided", 1)
    assert [(each.verb, each.before, each.after) for each in case.events.order_by("number")] == [
        ("open", "", "open"),
        ("tell", "open", "open"),
        ("claim", "open", "assigned"),
        ("tell", "assigned", "assigned"),
        ("decide", "assigned", "decided"),
        ("tell", "decided", "decided"),
    ]
    told = [each.to[0] for each in mail.outbox if "is decided" in each.body]
    assert sorted(told) == ["asha@club.example", "bilal@club.example", "chitra@club.example"]
    assert ruled_points(dispute.log) == {1: 80, 2: 0, 3: 0}
    # The decision stands beside them.
    assert list(LogBatch.objects.values()) == log_before
    assert list(Audit.objects.values()) == audits_before
    assert Decision.objects.get().event.text.body == REASONS


def test_nobody_waits_long_for_mail_that_does_not_go(
    dispute,  # noqa: F811
    settings,
    monkeypatch,
    django_capture_on_commit_callbacks,
):
    monkeypatch.setattr(telling, "_paused_until", 0.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.setblocking(False)
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = silent.getsockname()
        settings.EMAIL_TIMEOUT = 0.1
        with django_capture_on_commit_callbacks() as after:
            case = dispute.open()
        assert len(case.events.get(verb="tell").data["people"]) > 1
        for send in after * 2:
            with suppress(OSError):
                send()

        silent.accept()[0].close()
        with pytest.raises(BlockingIOError):
            silent.accept()


def test_the_sweepers_look_at_cases_costs_the_same_however_many_there_are(
    dispute,  # noqa: F811
    django_assert_num_queries,
):
    for kind in ("declaration", "conduct"):
        cases.claim(dispute.charlie, dispute.open(kind=kind))

    with django_assert_num_queries(3):
        assert cases.tend() == 0


@pytest.mark.parametrize("table", ["replays_caseevent", "replays_decision"])
@pytest.mark.parametrize("statement", ["UPDATE {table} SET level = 9", "DELETE FROM {table}"])
def test_no_row_of_its_record_is_changed_or_deleted(dispute, table, statement):  # noqa: F811
    case = dispute.open()
    cases.claim(dispute.charlie, case)
    decide(dispute.charlie, case)
    before = list(case.events.values())

    with (
        pytest.raises(DatabaseError, match="the record of a case is append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.format(table=table))

    assert list(case.events.values()) == before


def test_a_changed_word_or_event_of_a_case_is_found(dispute):  # noqa: F811
    case = dispute.open()
    cases.claim(dispute.charlie, case)
    decide(dispute.charlie, case)
    assert [each.what for each in checking.faults(checking.Tally())] == []

    storage.lift_guards()
    case.events.filter(verb="decide").update(data={"outcome": "refused"})
    CaseText.objects.filter(event__verb="open").update(body="Somebody else wrote this.")
    storage.set_guards()

    assert [each.what for each in checking.faults(checking.Tally())] == [
        "the words of event 1 of case 1 were changed",
        "event 5 of case 1 was changed",
    ]


CHANGED = {
    "at": datetime.datetime(2026, 5, 1, tzinfo=datetime.UTC),
    "user_id": None,
    "via": "key shop",
    "verb": "dismiss",
    "before": "open",
    "after": "closed",
    "level": 1,
    "audience": "officials",
    "data": {"outcome": "refused"},
    "text_digest": "f00d",
}


def test_no_field_of_an_event_is_changed_unseen(dispute):  # noqa: F811
    case = dispute.open()
    cases.claim(dispute.charlie, case)
    decide(dispute.charlie, case)
    decided = case.events.filter(verb="decide").get()

    unseen = []
    storage.lift_guards()
    for field, value in CHANGED.items():
        event = CaseEvent.objects.filter(pk=decided.pk)
        assert getattr(decided, field) != value
        event.update(**{field: value})
        if "event 5 of case 1 was changed" not in record.faults(case):
            unseen.append(field)
        event.update(**{field: getattr(decided, field)})
    assert (unseen, record.faults(case)) == ([], [])


def test_a_changed_picture_of_a_case_is_found(dispute):  # noqa: F811
    case = dispute.open()
    cases.pin(dispute.bilal, case, kind="image", picture=png())

    storage.lift_guards()
    Evidence.objects.update(body=png() + b"\0")
    storage.set_guards()

    assert [each.what for each in checking.faults(checking.Tally())] == [
        "a picture of case 1 was changed"
    ]


def test_other_programs_are_told_of_each_step(dispute):  # noqa: F811
    webhooks.make_endpoint(
        viewer=dispute.alice,
        url="https://hooks.example.org/rummy",
        events=[event.value for event in WebhookEvent if event.value.startswith("case.")],
    )
    case = dispute.open()
    cases.claim(dispute.charlie, case)
    decide(dispute.charlie, case)
    cases.appeal(dispute.asha, case, text="I laid it down in another order than written.")
    cases.withdraw(dispute.asha, case)

    sent = list(WebhookDelivery.objects.order_by("pk"))
    assert [each.event for each in sent] == [
        "case.opened",
        "case.assigned",
        "case.decided",
        "case.appealed",
        "case.closed",
    ]
    said = json.loads(bytes(sent[2].body))["data"]
    assert said == {
        "case": 1,
        "hand": dispute.log.public_id,
        "seq": dispute.seq,
        "kind": "declaration",
        "state": "decided",
        "level": 0,
        "outcome": "granted",
    }
