"""Webhooks: what is told, and signed how."""

import base64
import datetime
import json

import pytest
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from standardwebhooks import Webhook
from standardwebhooks.webhooks import WebhookVerificationError

from replays import audit, couriers, outbox, webhooks
from replays.models import (
    AuditJob,
    FindingRow,
    HandLog,
    TrailEntry,
    WebhookAttempt,
    WebhookDelivery,
)
from replays.webhooks import WebhookError
from replays.work import fail_audit
from tests.api.endpoints import make
from tests.replays.hands import hand, hands

WRONG = """\
wild 7D
declare 1 4H 5H 6H 7S | 8S 9S TS JK | 9H 9D 9C | KD KS / QC
score 1=0 2=80 winner=1
end
"""


def told(endpoint=None):
    """What stands in the outbox: event and data, oldest first."""
    rows = WebhookDelivery.objects.order_by("pk")
    if endpoint is not None:
        rows = rows.filter(endpoint=endpoint)
    return [(row.event, json.loads(bytes(row.body))["data"]) for row in rows]


# --- what is told --------------------------------------------------------------------------------


@pytest.mark.storage
def test_a_verdict_and_its_findings_are_told_in_the_transaction_that_stores_them(send, alice):
    make(alice, "hand.audited", "finding.created")
    send(hand(lines=WRONG))
    with transaction.atomic():
        audit.audit_due()
        assert WebhookDelivery.objects.count() > 1
        transaction.set_rollback(True)
    assert WebhookDelivery.objects.count() == 0

    AuditJob.objects.update(attempts=0, lease="", due=Now())
    audit.audit_due()

    log = HandLog.objects.select_related("audit").get()
    found = list(FindingRow.objects.filter(log=log).order_by("number"))
    (first, data), *rest = told()
    assert (first, data) == (
        "hand.audited",
        {
            "hand": log.public_id,
            "id": "T4-17",
            "source": "",
            "event": "",
            "match": "",
            "version": 1,
            "open": False,
            "verdict": "flagged",
            "errors": log.errors,
            "breaches": 0,
            "notes": log.notes,
            "engine": log.audit.engine,
            "ruleset": {"id": "indian-13@1", "digest": log.audit.ruleset_digest},
            "report_digest": log.audit.report_digest,
            "audited_at": data["audited_at"],
        },
    )
    assert [event for event, _data in rest] == ["finding.created"] * len(found)
    assert [(data["number"], data["code"], data["seat"]) for _event, data in rest] == [
        (each.number, each.code, each.seat) for each in found
    ]


@pytest.mark.storage
def test_without_a_taker_nothing_is_stored_and_one_query_asked(
    send, alice, mallory, django_assert_num_queries
):
    make(mallory)
    make(alice, "case.opened")
    send(hand())
    audit.audit_due()

    assert told() == []
    with django_assert_num_queries(1):
        assert outbox.tell(alice.club, "case.closed", {}) == 0


def test_a_hand_judged_again_tells_only_what_is_new(send, alice):
    send(hand(lines=WRONG))
    audit.audit_due()
    make(alice, "hand.audited", "finding.created")
    send(hand(lines=WRONG) + b'amend 3 reason="typed wrong" : score 1=0 2=79 winner=1\n')
    audit.audit_due()

    before = {"wrong-declaration-accepted"}
    new = [data["code"] for event, data in told() if event == "finding.created"]
    now = [row.code for row in FindingRow.objects.order_by("number")]
    assert told()[0][1]["version"] == 2
    assert before < set(now)
    assert new == []


def test_findings_of_a_hand_that_goes_on_are_told_when_it_ends(send, alice):
    make(alice, "hand.audited", "finding.created")
    send(hand(lines=WRONG.replace("end\n", "")))
    audit.audit_due()
    assert [(event, data["open"]) for event, data in told()] == [("hand.audited", True)]

    send(hand(lines=WRONG))
    audit.audit_due()
    events = [event for event, _data in told()]
    assert events.count("hand.audited") == 2
    assert events.count("finding.created") == FindingRow.objects.count() > 0


def test_of_two_findings_alike_the_one_that_is_new_is_told(send, alice):
    make(alice, "finding.created")
    groups = "4H 5H 6H | 7S 7D 8C | 9H 9D 9C | KD KS KH KC"
    wrong = hand(lines=f"wild AD\ndeclare 1 {groups} / QC\nscore 1=80 2=0 winner=2\nend\n")
    send(wrong)
    audit.audit_due()
    mixed = [data for _event, data in told() if data["code"] == "set-mixed-ranks"]
    send(wrong + f"amend 2 : declare 1 {groups.replace('9C', '8C')} / QC\n".encode())
    audit.audit_due()

    again = [data for _event, data in told() if data["code"] == "set-mixed-ranks"]
    assert (len(mixed), len(again)) == (1, 2)
    assert FindingRow.objects.filter(code="set-mixed-ranks").count() == 2


@pytest.mark.parametrize("status", ["misdeal", "void", "abandoned"])
def test_a_hand_that_was_broken_off_is_told_too(status, send, alice):
    """lishogi 857: no "finished" for aborted games left apps waiting for ever."""
    make(alice, "hand.audited")
    send(hand(lines=f"wild 7D\nend {status}\n"))
    audit.audit_due()

    assert [(event, data["open"]) for event, data in told()] == [("hand.audited", False)]


def test_a_hand_that_cannot_be_judged_is_told_too(send, alice):
    make(alice, "hand.audited")
    send(hand())
    fail_audit(AuditJob.objects.get(), "it stopped its worker")

    ((_event, data),) = told()
    assert (data["verdict"], data["ruleset"]) == ("failed", None)


def test_many_hands_are_told_with_as_many_queries_as_one(
    send, alice, django_assert_max_num_queries
):
    make(alice)
    send(hands(20))
    with django_assert_max_num_queries(30):
        audit.audit_due()

    assert [event for event, _data in told()].count("hand.audited") == 20


def test_events_have_the_names_of_the_list(alice):
    with pytest.raises(ValueError, match="no event of that name"):
        outbox.tell(alice.club, "case.exploded", {})
    with pytest.raises(WebhookError) as raised:
        make(alice, "hand.ingested")
    assert (raised.value.field, raised.value.found) == ("events", "hand.ingested")


# --- signed how ----------------------------------------------------------------------------------


def arrived(taking, number=0):
    headers, body = taking.got[number]
    return {name: headers[name] for name in headers if name.startswith("webhook-")}, body


def test_a_message_arrives_signed_as_the_spec_says(taking, courier, alice):
    endpoint = make(alice, url=taking.url)
    outbox.tell(alice.club, "case.opened", {"case": "7"})
    courier()

    headers, body = arrived(taking)
    delivery = WebhookDelivery.objects.get()
    assert headers["webhook-id"] == f"msg_{delivery.public_id}"
    said = Webhook(endpoint.secret).verify(body, headers)
    assert (said["type"], said["data"]) == ("case.opened", {"case": "7"})
    assert set(said) == {"type", "timestamp", "data"}
    assert delivery.delivered_at is not None
    attempt = WebhookAttempt.objects.get()
    assert (attempt.status, attempt.why, attempt.delivery) == (204, "", delivery)


@pytest.mark.parametrize(("minutes", "taken"), [(-6, False), (-4, True), (4, True), (6, False)])
def test_a_clock_that_is_six_minutes_off_is_noticed(minutes, taken, alice):
    endpoint = make(alice)
    outbox.tell(alice.club, "case.opened", {"case": "7"})
    delivery = WebhookDelivery.objects.get()
    at = timezone.now() + datetime.timedelta(minutes=minutes)
    headers = couriers.headers_of(endpoint, delivery, at=at)

    def verify():
        return Webhook(endpoint.secret).verify(bytes(delivery.body), headers)

    if taken:
        assert verify()["data"] == {"case": "7"}
    else:
        with pytest.raises(WebhookVerificationError, match="timestamp too"):
            verify()


def test_no_bit_can_be_changed(alice):
    endpoint = make(alice)
    outbox.tell(alice.club, "case.opened", {"case": "7"})
    delivery = WebhookDelivery.objects.get()
    headers, body = (
        couriers.headers_of(endpoint, delivery, at=timezone.now()),
        bytes(delivery.body),
    )
    others = [
        (headers, body.replace(b'"7"', b'"8"')),
        (headers | {"webhook-id": "msg_other"}, body),
        (headers | {"webhook-timestamp": str(int(headers["webhook-timestamp"]) + 1)}, body),
        (headers | {"webhook-signature": "v1,AAAA"}, body),
    ]

    for changed_headers, changed in others:
        with pytest.raises(WebhookVerificationError):
            Webhook(endpoint.secret).verify(changed, changed_headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(webhooks.new_secret()).verify(body, headers)


def test_after_a_rotation_both_secrets_sign_for_a_day(alice):
    endpoint = make(alice)
    old = endpoint.secret
    outbox.tell(alice.club, "case.opened", {})
    delivery = WebhookDelivery.objects.get()
    webhooks.rotate_secret(viewer=alice, endpoint=endpoint)
    new = endpoint.secret
    now = timezone.now()

    both = couriers.headers_of(endpoint, delivery, at=now)
    assert len(both["webhook-signature"].split(" ")) == 2
    for secret in (old, new):
        Webhook(secret).verify(bytes(delivery.body), both)

    endpoint.old_secret_until = now
    later = couriers.headers_of(endpoint, delivery, at=now)
    Webhook(new).verify(bytes(delivery.body), later)
    with pytest.raises(WebhookVerificationError):
        Webhook(old).verify(bytes(delivery.body), later)


def test_secrets_are_long_and_stand_in_no_trail(alice):
    endpoint = make(alice)
    webhooks.rotate_secret(viewer=alice, endpoint=endpoint)

    assert len(base64.b64decode(endpoint.secret.removeprefix("whsec_"))) == 32
    assert endpoint.secret != endpoint.old_secret
    trail = json.dumps(list(TrailEntry.objects.values("verb", "before", "after")))
    assert "webhook.rotate" in trail
    assert "whsec" not in trail
