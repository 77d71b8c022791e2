"""Webhooks: what is told, signed how, tried how often, and who may see it."""

import datetime
import json

import pytest
from django.db import transaction
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
    WebhookEndpoint,
)
from replays.models.webhooks import WebhookEvent
from replays.webhooks import WebhookError
from replays.work import fail_audit
from tests.api.receiver import receiver
from tests.replays.hands import hand, hands

ELSEWHERE = "https://hooks.example.org/rummy"
WRONG = """\
wild 7D
declare 1 4H 5H 6H 7S | 8S 9S TS JK | 9H 9D 9C | KD KS / QC
score 1=0 2=80 winner=1
end
"""


def make(viewer, *events, url=ELSEWHERE):
    chosen = events or tuple(WebhookEvent.values)
    return webhooks.make_endpoint(viewer=viewer, url=url, events=chosen)


def told(endpoint=None):
    """What stands in the outbox: event and data, oldest first."""
    rows = WebhookDelivery.objects.order_by("pk")
    if endpoint is not None:
        rows = rows.filter(endpoint=endpoint)
    return [(row.event, json.loads(bytes(row.body))["data"]) for row in rows]


@pytest.fixture
def on_this_machine(settings):
    settings.WEBHOOKS_PRIVATE = True


@pytest.fixture
def taking(on_this_machine):
    with receiver() as one:
        yield one


@pytest.fixture
def courier(monkeypatch):
    """A courier whose rounds can be made one by one, without threads to the database."""

    def rounds():
        for endpoint in couriers._with_something_due(set()):
            claimed = couriers.storage.claim(
                WebhookDelivery,
                only=couriers.Q(endpoint=endpoint.pk, delivered_at=None),
                most=couriers._AT_ONCE,
                lease=couriers._LEASE,
            )
            tried = couriers.deliver(endpoint, claimed)
            couriers.record(endpoint, tried)
            done = {each.delivery.pk for each in tried}
            couriers.put_down(each for each in claimed if each.pk not in done)

    return rounds


def due_again():
    WebhookDelivery.objects.filter(delivered_at=None).update(due=timezone.now())
    WebhookEndpoint.objects.update(slow_until=None)


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

    AuditJob.objects.update(attempts=0, lease="", due=timezone.now())
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

    import base64

    assert len(base64.b64decode(endpoint.secret.removeprefix("whsec_"))) == 32
    assert endpoint.secret != endpoint.old_secret
    trail = json.dumps(list(TrailEntry.objects.values("verb", "before", "after")))
    assert "webhook.rotate" in trail
    assert "whsec" not in trail


# --- tried how often -----------------------------------------------------------------------------


def test_a_message_is_tried_ten_times_at_the_times_of_the_spec(taking, courier, alice):
    make(alice, url=taking.url)
    outbox.tell(alice.club, "case.opened", {})
    taking.answers = [(500, {})]

    waits = []
    for _try in range(9):
        courier()
        delivery = WebhookDelivery.objects.get()
        waits.append((delivery.due - timezone.now()).total_seconds())
        due_again()
    courier()

    delivery = WebhookDelivery.objects.get()
    assert (delivery.failed, delivery.reason, delivery.delivered_at) == (
        True,
        "it answered 500",
        None,
    )
    assert WebhookAttempt.objects.count() == 10
    # On a busy machine a try may end before the other side has read it.
    assert len(taking.got) >= 9
    assert len({headers["webhook-id"] for headers, _body in taking.got}) == 1
    assert len({body for _headers, body in taking.got}) == 1
    spec = [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]
    assert [0.89 * each < wait < 1.11 * each for wait, each in zip(waits, spec, strict=True)] == [
        True
    ] * 9
    courier()
    assert len(taking.got) == 10


def test_waits_differ_from_one_another():
    assert len({couriers.wait_after(3) for _ in range(20)}) > 1


def test_a_message_taken_at_the_second_try_is_delivered_once(taking, courier, alice):
    make(alice, url=taking.url)
    outbox.tell(alice.club, "case.opened", {})
    taking.answers = [(500, {}), (200, {})]
    courier()
    due_again()
    courier()
    courier()

    assert [each.status for each in WebhookAttempt.objects.order_by("pk")] == [500, 200]
    assert WebhookDelivery.objects.get().delivered_at is not None


def test_gone_switches_the_endpoint_off(taking, courier, alice):
    endpoint = make(alice, url=taking.url)
    for number in range(3):
        outbox.tell(alice.club, "case.opened", {"case": number})
    taking.answers = [(410, {})]
    courier()

    endpoint.refresh_from_db()
    assert endpoint.disabled_at is not None
    assert endpoint.disabled_why == "it answered 410: it is gone for good"
    assert len(taking.got) == 1
    rows = WebhookDelivery.objects.order_by("pk").values_list("failed", "reason")
    assert list(rows)[1:] == [(True, "the endpoint was switched off")] * 2
    assert outbox.tell(alice.club, "case.opened", {}) == 0


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_an_endpoint_that_asks_for_less_is_left_alone_for_a_while(status, taking, courier, alice):
    endpoint = make(alice, url=taking.url)
    for number in range(3):
        outbox.tell(alice.club, "case.opened", {"case": number})
    taking.answers = [(status, {"Retry-After": "600"})]
    courier()

    endpoint.refresh_from_db()
    assert len(taking.got) == 1
    assert 500 < (endpoint.slow_until - timezone.now()).total_seconds() < 700
    # Those that were not tried have lost no try, and go out when it is over.
    assert sorted(WebhookDelivery.objects.values_list("attempts", flat=True)) == [0, 0, 1]
    courier()
    assert len(taking.got) == 1
    taking.answers = [(200, {})]
    due_again()
    courier()
    assert WebhookDelivery.objects.exclude(delivered_at=None).count() == 3


def test_a_redirect_is_a_failure_and_is_not_followed(taking, courier, alice):
    with receiver() as elsewhere:
        make(alice, url=taking.url)
        outbox.tell(alice.club, "case.opened", {})
        taking.answers = [(302, {"Location": elsewhere.url})]
        courier()

        delivery = WebhookDelivery.objects.get()
        assert (delivery.delivered_at, elsewhere.got) == (None, [])
    assert delivery.reason == "it answered with another address; redirects are not followed"


def test_nobody_there_and_no_inside_are_reasons_that_are_kept(courier, alice, settings):
    settings.WEBHOOKS_PRIVATE = True
    make(alice, url="http://127.0.0.1:9/hooks")
    outbox.tell(alice.club, "case.opened", {})
    courier()
    assert WebhookDelivery.objects.get().reason == "no connection"

    settings.WEBHOOKS_PRIVATE = False
    due_again()
    courier()
    reason = WebhookDelivery.objects.get().reason
    assert reason == "nothing is sent there: expected an address that begins with https://"


@pytest.mark.storage
def test_a_message_whose_courier_was_killed_falls_due_again(taking, courier, alice):
    make(alice, url=taking.url)
    outbox.tell(alice.club, "case.opened", {})
    only = couriers.Q(delivered_at=None)
    claim = couriers.storage.claim
    (lost,) = claim(WebhookDelivery, only=only, most=5, lease=couriers._LEASE)
    courier()
    assert taking.got == []
    due_again()
    courier()
    assert len(taking.got) == 1
    # The one that was thought lost comes back late: it changes nothing.
    late = couriers.Tried(lost, timezone.now(), 1, 500)
    couriers.record(lost.endpoint, [late])
    assert WebhookDelivery.objects.get().delivered_at is not None


@pytest.mark.storage
def test_an_endpoint_that_is_deleted_while_a_message_is_on_its_way_breaks_nothing(alice):
    endpoint = make(alice)
    outbox.tell(alice.club, "case.opened", {})
    only = couriers.Q(delivered_at=None)
    (sent,) = couriers.storage.claim(WebhookDelivery, only=only, most=5, lease=couriers._LEASE)
    webhooks.delete_endpoint(viewer=alice, endpoint=WebhookEndpoint.objects.get())
    couriers.record(endpoint, [couriers.Tried(sent, timezone.now(), 1, 200)])

    assert WebhookAttempt.objects.count() == WebhookDelivery.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_a_courier_goes_round_until_all_is_delivered(taking, alice):
    make(alice, url=taking.url)
    for number in range(50):
        outbox.tell(alice.club, "case.opened", {"case": number})
    one = couriers.Courier()
    try:
        while one.round():
            pass
    finally:
        one.pool.shutdown()

    cases = sorted(json.loads(body)["data"]["case"] for _headers, body in taking.got)
    assert cases == list(range(50))
    assert WebhookDelivery.objects.filter(delivered_at=None).count() == 0


# --- what owners do ------------------------------------------------------------------------------


def test_a_message_can_be_sent_again_with_its_id_and_all_its_tries(taking, courier, alice):
    make(alice, url=taking.url)
    outbox.tell(alice.club, "case.opened", {})
    courier()
    delivery = WebhookDelivery.objects.get()
    webhooks.resend(viewer=alice, delivery=delivery)
    courier()

    (first, body), (second, again) = taking.got
    assert (first["webhook-id"], body) == (second["webhook-id"], again)
    assert WebhookDelivery.objects.get().attempts == 1


def test_switched_off_nothing_is_sent_and_on_again_it_is(taking, courier, alice):
    endpoint = make(alice, url=taking.url)
    outbox.tell(alice.club, "case.opened", {})
    webhooks.change_endpoint(viewer=alice, endpoint=endpoint, enabled=False)
    courier()
    assert taking.got == []
    with pytest.raises(WebhookError):
        webhooks.resend(viewer=alice, delivery=WebhookDelivery.objects.get())

    webhooks.change_endpoint(viewer=alice, endpoint=endpoint, enabled=True)
    webhooks.resend(viewer=alice, delivery=WebhookDelivery.objects.get())
    courier()
    assert len(taking.got) == 1


def test_what_was_delivered_long_ago_is_let_go_of(alice):
    make(alice)
    for number in range(3):
        outbox.tell(alice.club, "case.opened", {"case": number})
    first, second, third = WebhookDelivery.objects.order_by("pk")
    long_ago = timezone.now() - datetime.timedelta(days=31)
    WebhookDelivery.objects.filter(pk__in=[first.pk, second.pk]).update(made_at=long_ago)
    WebhookDelivery.objects.exclude(pk=second.pk).update(delivered_at=timezone.now())
    couriers.let_go()

    assert list(WebhookDelivery.objects.order_by("pk")) == [second, third]
