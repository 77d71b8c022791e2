"""Webhooks: how often a message is tried, and when it is left alone."""

import pytest
from django.utils import timezone

from replays import couriers, outbox
from replays.models import WebhookAttempt, WebhookDelivery
from tests.api.endpoints import due_again, make
from tests.api.receiver import receiver


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
    assert len(taking.got) == 10
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
    outbox.tell(alice.club, "case.opened", {})
    courier()
    (delivered,) = WebhookDelivery.objects.values()
    taking.got.clear()
    for number in range(3):
        outbox.tell(alice.club, "case.opened", {"case": number})
    taking.answers = [(410, {})]
    courier()

    endpoint.refresh_from_db()
    assert endpoint.disabled_at is not None
    assert endpoint.disabled_why == "it answered 410: it is gone for good"
    assert len(taking.got) == 1
    rows = WebhookDelivery.objects.order_by("pk").values_list("failed", "reason")
    assert list(rows)[2:] == [(True, "the endpoint was switched off")] * 2
    assert WebhookDelivery.objects.values().get(pk=delivered["id"]) == delivered
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


def test_a_message_waits_as_long_as_its_receiver_asks_for(taking, courier, alice):
    make(alice, url=taking.url)
    outbox.tell(alice.club, "case.opened", {})
    taking.answers = [(500, {"Retry-After": "600"})]
    courier()

    # The spec alone says five seconds after the first try.
    assert 590 < (WebhookDelivery.objects.get().due - timezone.now()).total_seconds() <= 600


def test_a_message_is_delivered_whatever_its_receiver_says_of_the_next(taking, courier, alice):
    make(alice, url=taking.url)
    outbox.tell(alice.club, "case.opened", {})
    taking.answers = [(200, {"Retry-After": "9" * 5000})]
    courier()

    assert WebhookDelivery.objects.get().state == "delivered"


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
