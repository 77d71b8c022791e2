"""Webhooks: a message on its way, and what owners do with it."""

import datetime
import json

import pytest
from django.utils import timezone

from replays import couriers, outbox, stopping, webhooks
from replays.models import WebhookAttempt, WebhookDelivery, WebhookEndpoint
from replays.webhooks import WebhookError
from tests.api.endpoints import due_again, make


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
    delivered = WebhookDelivery.objects.values().get()
    late = couriers.Tried(lost, timezone.now(), 1, 500)
    couriers.record(lost.endpoint, [late])
    assert WebhookDelivery.objects.values().get() == delivered


@pytest.mark.storage
def test_an_endpoint_that_is_deleted_while_a_message_is_on_its_way_breaks_nothing(alice):
    endpoint = make(alice)
    outbox.tell(alice.club, "case.opened", {})
    only = couriers.Q(delivered_at=None)
    (sent,) = couriers.storage.claim(WebhookDelivery, only=only, most=5, lease=couriers._LEASE)
    webhooks.delete_endpoint(viewer=alice, endpoint=WebhookEndpoint.objects.get())
    couriers.record(endpoint, [couriers.Tried(sent, timezone.now(), 1, 200)])

    assert WebhookAttempt.objects.count() == WebhookDelivery.objects.count() == 0


def deliver_all():
    """Go round as the courier's process does, until nothing is due."""
    one = couriers.Courier()
    try:
        while one.round():
            pass
    finally:
        one.pool.shutdown()


@pytest.mark.django_db(transaction=True)
def test_a_courier_goes_round_until_all_is_delivered(taking, alice):
    make(alice, url=taking.url)
    for number in range(50):
        outbox.tell(alice.club, "case.opened", {"case": number})
    deliver_all()

    cases = sorted(json.loads(body)["data"]["case"] for _headers, body in taking.got)
    assert cases == list(range(50))
    assert WebhookDelivery.objects.filter(delivered_at=None).count() == 0


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


@pytest.mark.django_db(transaction=True)
def test_a_courier_that_is_to_stop_ends_what_it_began_and_puts_the_rest_down(taking, alice):
    make(alice, url=taking.url)
    for number in range(5):
        outbox.tell(alice.club, "case.opened", {"case": number})
    taking.meanwhile = stopping.ask
    one = couriers.Courier()
    try:
        one.round()
        one.end(seconds=10)
    finally:
        stopping._asked[0] = 0
        one.pool.shutdown()
        taking.meanwhile = lambda: None
    left = WebhookDelivery.objects.filter(delivered_at=None).values_list("attempts", "lease")
    assert list(left) == [(0, "")] * 4
    deliver_all()

    cases = [json.loads(body)["data"]["case"] for _headers, body in taking.got]
    assert sorted(cases) == list(range(5))
