"""Endpoints of webhooks over the API: made, changed, rotated, looked into, deleted."""

import pytest

from replays import couriers, outbox
from replays.models import TrailEntry, WebhookDelivery, WebhookEndpoint
from replays.models.people import Scope
from tests.api.conftest import problem

pytestmark = [pytest.mark.django_db]
NEW = {"address": "https://tables.example/hooks", "events": ["hand.audited", "case.opened"]}


def test_an_endpoint_is_made_and_tells_its_secret_once(api):
    made = api.send("webhooks", NEW)
    told = made.json()
    secret = told.pop("secret")

    assert (made.status_code, made["Location"]) == (201, told["url"])
    assert secret == WebhookEndpoint.objects.get().secret
    assert api.get(told["url"]).json() == told
    assert api.get("webhooks").json() == {"webhooks": [told]}
    assert (told["enabled"], told["events"]) == (True, NEW["events"])


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"address": "https://127.1/hooks"}, "/address"),
        ({"address": "http://tables.example/hooks"}, "/address"),
        ({"address": 7}, "/address"),
        ({"events": ["hand.ingested"]}, "/events/0"),
        ({"events": []}, "/events"),
        ({"colour": "red"}, ""),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(api, change, pointer):
    refused = api.send("webhooks", {**NEW, **change})

    assert problem(refused) == "bad-value"
    assert refused.json()["place"] == {"pointer": pointer}
    assert WebhookEndpoint.objects.count() == 0


def test_an_endpoint_is_changed_rotated_and_deleted(api):
    made = api.send("webhooks", NEW).json()
    changed = api.send(made["url"], {"events": ["match.audited"], "words": "x"}, method="PATCH")
    assert changed.json()["events"] == ["match.audited"]
    assert changed.json()["address"] == NEW["address"]

    # That messages go elsewhere is on the trail, and no address, which may hold a secret.
    api.send(made["url"], {"address": "https://elsewhere.example.org/s3cret"}, method="PATCH")
    moved = TrailEntry.objects.filter(verb="webhook.change").latest("pk")
    assert moved.before["address"] != moved.after["address"]
    assert "s3cret" not in str(moved.after)

    rotated = api.send(made["url"] + "/rotate", b"").json()
    assert rotated["secret"] != made["secret"]
    assert rotated["old_secret_until"] > made["created_at"]

    gone = api.delete(made["url"])
    assert (gone.status_code, gone.content) == (204, b"")
    assert problem(api.get(made["url"])) == "not-found"


def test_messages_are_listed_with_their_tries_and_sent_again(api, alice, settings):
    settings.WEBHOOKS_PRIVATE = True
    made = api.send("webhooks", {**NEW, "address": "http://127.0.0.1:9/"}).json()
    for number in range(3):
        outbox.tell(alice.club, "case.opened", {"case": number})
    endpoint = WebhookEndpoint.objects.get()
    first = endpoint.deliveries.order_by("pk")[0]
    [claimed] = couriers.storage.claim(
        WebhookDelivery, only=couriers.Q(pk=first.pk), most=1, lease=couriers._LEASE
    )
    couriers.record(endpoint, couriers.deliver(endpoint, [claimed]))

    page = api.get(made["url"] + "/deliveries?limit=2").json()
    rest = api.get(made["url"] + f"/deliveries?limit=2&cursor={page['next']}").json()
    assert [each["state"] for each in page["deliveries"]] == ["waiting", "waiting"]
    [shown] = rest["deliveries"]
    assert (shown["attempts"], shown["reason"]) == (1, "no connection")
    assert [each["why"] for each in shown["tries"]] == ["no connection"]
    assert api.get(made["url"] + "/deliveries?state=delivered").json() == {"deliveries": []}

    again = api.send(made["url"] + f"/deliveries/{shown['id']}/resend", b"")
    assert (again.status_code, again.json()["attempts"]) == (202, 0)


def test_an_endpoint_that_is_switched_off_sends_nothing(api):
    made = api.send("webhooks", NEW).json()
    tried = api.send(made["url"] + "/try", b"")
    assert (tried.status_code, tried.json()["event"]) == (202, "hand.audited")

    off = api.send(made["url"], {"enabled": False}, method="PATCH").json()
    assert off["enabled"] is False
    [given_up] = api.get(made["url"] + "/deliveries").json()["deliveries"]
    assert (given_up["state"], given_up["reason"]) == ("given-up", "the endpoint was switched off")
    assert problem(api.send(made["url"] + "/try", b"")) == "switched-off"
    resend = made["url"] + f"/deliveries/{given_up['id']}/resend"
    assert problem(api.send(resend, b"")) == "switched-off"


def test_only_those_with_the_scope_and_only_of_their_club(api, program, alice, mallory):
    made = api.send("webhooks", NEW).json()
    others = set(Scope) - {Scope.WEBHOOKS_WRITE}

    assert problem(program(alice, *others).get("webhooks")) == "missing-scope"
    theirs = program(mallory)
    assert theirs.get("webhooks").json() == {"webhooks": []}
    for path in ("", "/deliveries"):
        assert problem(theirs.get(made["url"] + path)) == "not-found"
    for path in ("/rotate", "/try"):
        assert problem(theirs.send(made["url"] + path, b"")) == "not-found"
    assert problem(theirs.delete(made["url"])) == "not-found"
    assert WebhookEndpoint.objects.get().secret == made["secret"]
