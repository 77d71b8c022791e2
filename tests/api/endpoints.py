"""What the tests of webhooks share: an endpoint, and a courier that goes round when told to."""

import pytest
from django.db.models.functions import Now

from replays import couriers, webhooks
from replays.models import WebhookDelivery, WebhookEndpoint
from replays.models.webhooks import WebhookEvent
from tests.api.receiver import receiver

ELSEWHERE = "https://hooks.example.org/rummy"


def make(viewer, *events, url=ELSEWHERE):
    chosen = events or tuple(WebhookEvent.values)
    return webhooks.make_endpoint(viewer=viewer, url=url, events=chosen)


@pytest.fixture
def on_this_machine(settings):
    settings.WEBHOOKS_PRIVATE = True


@pytest.fixture
def taking(on_this_machine):
    with receiver() as one:
        yield one


@pytest.fixture
def courier():
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
    WebhookDelivery.objects.filter(delivered_at=None).update(due=Now())
    WebhookEndpoint.objects.update(slow_until=None)
