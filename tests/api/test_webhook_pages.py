"""The pages of webhooks: an owner makes endpoints, sees what was sent, and sends it again."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from replays import outbox
from replays.models import WebhookDelivery, WebhookEndpoint

pytestmark = [pytest.mark.django_db]
NEW = {
    "address": "https://tables.example/hooks",
    "words": "our tables",
    "events": ["hand.audited", "case.opened"],
}


@pytest.fixture
def owner(signed_in, alice):
    return signed_in(alice)


def text(answer):
    return answer.content.decode()


def test_an_endpoint_is_made_and_its_secret_shown_once(owner):
    shown = text(owner.post("/webhooks", NEW))
    endpoint = WebhookEndpoint.objects.get()

    assert endpoint.secret in shown
    assert (endpoint.url, endpoint.words, endpoint.events) == tuple(NEW.values())
    address = f"/webhooks/{endpoint.public_id}"
    assert endpoint.secret not in text(owner.get(address))
    assert f'href="{address}"' in text(owner.get("/webhooks"))


def test_what_cannot_be_used_is_said_and_what_was_typed_stays(owner):
    shown = text(owner.post("/webhooks", {**NEW, "address": "https://192.168.1.1/hooks"}))

    assert "an address that the whole internet can reach" in shown
    assert 'value="https://192.168.1.1/hooks"' in shown
    assert len(re.findall(r"checked", shown)) == 2
    assert WebhookEndpoint.objects.count() == 0


def test_messages_are_shown_and_sent_again(owner, alice):
    owner.post("/webhooks", NEW)
    endpoint = WebhookEndpoint.objects.get()
    page = f"/webhooks/{endpoint.public_id}"
    assert "Nothing has been sent yet." in text(owner.get(page))
    outbox.tell(alice.club, "case.opened", {})
    WebhookDelivery.objects.update(failed=True, attempts=10, reason="it answered 500")

    shown = text(owner.get(page))
    assert ("it answered 500" in shown, "given up" in shown) == (True, True)
    assert "No message is like that." in text(owner.get(f"{page}?state=delivered"))
    [resend] = re.findall(rf'action="({page}/messages/\w+/resend)"', shown)
    assert owner.post(resend).status_code == 302
    delivery = WebhookDelivery.objects.get()
    assert (delivery.failed, delivery.attempts, delivery.state) == (False, 0, "waiting")


def test_an_endpoint_is_rotated_switched_off_and_on_changed_and_deleted(owner):
    owner.post("/webhooks", NEW)
    endpoint = WebhookEndpoint.objects.get()
    page = f"/webhooks/{endpoint.public_id}"
    rotated = text(owner.post(page, {"act": "rotate"}))
    old = endpoint.secret
    endpoint.refresh_from_db()
    assert (endpoint.secret in rotated, old in rotated, endpoint.old_secret) == (True, False, old)

    owner.post(page, {"act": "off"})
    assert "switched off" in text(owner.get(page))
    owner.post(page, {"act": "on"})
    owner.post(page, {"act": "try"})
    assert WebhookDelivery.objects.get().event == "hand.audited"
    owner.post(page, {**NEW, "act": "change", "events": ["match.audited"]})
    assert WebhookEndpoint.objects.get().events == ["match.audited"]
    assert "expected at least one event" in text(
        owner.post(page, {**NEW, "act": "change", "events": []})
    )
    owner.post(page, {"act": "delete"})
    assert WebhookEndpoint.objects.count() == WebhookDelivery.objects.count() == 0


def test_only_those_who_manage_the_club_see_them(owner, signed_in, bob, charlie, mallory):
    owner.post("/webhooks", NEW)
    page = f"/webhooks/{WebhookEndpoint.objects.get().public_id}"

    for member in (bob, charlie):
        assert signed_in(member).get("/webhooks").status_code == 403
        assert signed_in(member).post(page, {"act": "delete"}).status_code == 403
    theirs = signed_in(mallory)
    assert "tables.example" not in text(theirs.get("/webhooks"))
    assert theirs.get(page).status_code == theirs.get("/webhooks/2345678923456789").status_code
    assert theirs.post(page, {"act": "delete"}).status_code == 404


def test_the_page_takes_as_many_queries_for_many_messages_as_for_one(owner, alice):
    owner.post("/webhooks", NEW)
    page = f"/webhooks/{WebhookEndpoint.objects.get().public_id}"
    counts = []
    for _time in range(2):
        outbox.tell(alice.club, "case.opened", {})
        with CaptureQueriesContext(
            connection,
        ) as asked:
            owner.get(page)
        counts.append(len(asked))

    assert counts[0] == counts[1]
