"""Endpoints of a club: made, changed, given new secrets, switched off; messages sent again."""

from __future__ import annotations

import base64
import datetime
import hashlib
import secrets
from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from replays import outbox, trail
from replays.access import Viewer
from replays.models import WebhookAttempt, WebhookDelivery, WebhookEndpoint
from replays.models.people import Scope
from replays.models.webhooks import WebhookEvent
from replays.outgoing import AddressError, check_address

# The Standard Webhooks spec asks for 24 to 64 bytes.
_SECRET_BYTES = 32
# Both secrets sign for so long after a rotation.
OVERLAP = datetime.timedelta(hours=24)
MOST_OF_A_CLUB = 20
SWITCHED_OFF = "the endpoint was switched off"


class WebhookError(ValueError):
    """An endpoint that cannot be: which field, what was found, what was expected."""

    def __init__(self, field: str, found: object, expected: str) -> None:
        """Name the field, what was found and what was expected."""
        super().__init__(f"{field}: {found!r}, expected {expected}")
        self.field = field
        self.found = found
        self.expected = expected


def new_secret() -> str:
    """Return a secret as the spec writes one."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def _checked(url: str, events: Iterable[str]) -> list[str]:
    try:
        check_address(url, private=settings.WEBHOOKS_PRIVATE)
    except AddressError as error:
        raise WebhookError("url", url, str(error)) from None
    chosen = list(dict.fromkeys(events))
    for event in chosen:
        if event not in WebhookEvent.values:
            raise WebhookError("events", event, "one of " + ", ".join(WebhookEvent.values))
    if not chosen:
        raise WebhookError("events", chosen, "at least one event")
    return chosen


@transaction.atomic
def make_endpoint(
    *, viewer: Viewer, url: str, events: Iterable[str], words: str = ""
) -> WebhookEndpoint:
    """Make an endpoint; its ``secret`` is for the receiver and shown this once.

    It is told what its maker may see: with ``hands:reveal`` of hands that are not open yet too.
    Raises WebhookError.
    """
    chosen = _checked(url, events)
    if WebhookEndpoint.objects.filter(club=viewer.club).count() >= MOST_OF_A_CLUB:
        raise WebhookError("url", url, f"at most {MOST_OF_A_CLUB} endpoints: delete one first")
    made = WebhookEndpoint.objects.create(
        club=viewer.club,
        url=url,
        words=words[:100],
        events=chosen,
        reveals=viewer.may(Scope.HANDS_REVEAL),
        secret=new_secret(),
        created_by=viewer.user,
        created_at=timezone.now(),
    )
    after = _told(made) | {"reveals": made.reveals}
    trail.leave(viewer, "webhook.make", target=made.public_id, after=after)
    return made


@transaction.atomic
def change_endpoint(
    *,
    viewer: Viewer,
    endpoint: WebhookEndpoint,
    url: str | None = None,
    events: Sequence[str] | None = None,
    words: str | None = None,
    enabled: bool | None = None,
) -> WebhookEndpoint:
    """Change what is given of an endpoint. What waited for one that is switched off is given up.

    Raises WebhookError, also where somebody would send elsewhere what they may not see.
    """
    if url not in (None, endpoint.url) and endpoint.reveals and not viewer.may(Scope.HANDS_REVEAL):
        raise WebhookError("url", url, f"{endpoint.url}: it is told of hands before they open")
    before = _told(endpoint)
    endpoint.events = _checked(
        endpoint.url if url is None else url, endpoint.events if events is None else events
    )
    if url is not None:
        endpoint.url = url
    if words is not None:
        endpoint.words = words[:100]
    endpoint.save(update_fields=["url", "events", "words"])
    if enabled is False and endpoint.disabled_at is None:
        disable(endpoint, why="")
    elif enabled and endpoint.disabled_at is not None:
        endpoint.disabled_at, endpoint.disabled_why, endpoint.slow_until = None, "", None
        endpoint.save(update_fields=["disabled_at", "disabled_why", "slow_until"])
    after = _told(endpoint)
    trail.leave(viewer, "webhook.change", target=endpoint.public_id, before=before, after=after)
    return endpoint


def _told(endpoint: WebhookEndpoint) -> dict[str, Any]:
    """Return what the trail says of an endpoint: an address may hold a secret, so its digest."""
    return {
        "address": hashlib.sha256(endpoint.url.encode()).hexdigest()[:16],
        "events": endpoint.events,
        "enabled": endpoint.disabled_at is None,
    }


def disable(endpoint: WebhookEndpoint, *, why: str) -> None:
    """Switch an endpoint off and give up what waits for it; it can be sent again later."""
    endpoint.disabled_at, endpoint.disabled_why = timezone.now(), why[:200]
    endpoint.save(update_fields=["disabled_at", "disabled_why"])
    waiting = WebhookDelivery.objects.filter(endpoint=endpoint, failed=False, delivered_at=None)
    waiting.update(failed=True, lease="", reason=SWITCHED_OFF)


@transaction.atomic
def rotate_secret(*, viewer: Viewer, endpoint: WebhookEndpoint) -> WebhookEndpoint:
    """Give an endpoint a new secret; for a day the old one signs beside it."""
    endpoint.old_secret, endpoint.secret = endpoint.secret, new_secret()
    endpoint.old_secret_until = timezone.now() + OVERLAP
    endpoint.save(update_fields=["secret", "old_secret", "old_secret_until"])
    after = {"old_until": endpoint.old_secret_until.isoformat()}
    trail.leave(viewer, "webhook.rotate", target=endpoint.public_id, after=after)
    return endpoint


@transaction.atomic
def delete_endpoint(*, viewer: Viewer, endpoint: WebhookEndpoint) -> None:
    """Delete an endpoint with its log of deliveries."""
    trail.leave(viewer, "webhook.delete", target=endpoint.public_id, before=_told(endpoint))
    endpoint.delete()


@transaction.atomic
def resend(*, viewer: Viewer, delivery: WebhookDelivery) -> WebhookDelivery:
    """Send a message again, with all its tries: the same id and the same bytes.

    Raises WebhookError where its endpoint is switched off.
    """
    if delivery.endpoint.disabled_at is not None:
        raise WebhookError("endpoint", "switched off", "an endpoint that is switched on")
    before = {"state": delivery.state, "tries": delivery.attempts}
    delivery.attempts, delivery.failed, delivery.reason, delivery.lease = 0, False, "", ""
    delivery.delivered_at, delivery.due = None, outbox.at_once(timezone.now())
    delivery.save(update_fields=["attempts", "failed", "reason", "lease", "delivered_at", "due"])
    trail.leave(viewer, "webhook.resend", target=delivery.public_id, before=before)
    return delivery


@transaction.atomic
def send_example(*, viewer: Viewer, endpoint: WebhookEndpoint) -> WebhookDelivery:
    """Send an endpoint an example of the first event that it wants, marked as one.

    Raises WebhookError where it is switched off.
    """
    if endpoint.disabled_at is not None:
        raise WebhookError("endpoint", "switched off", "an endpoint that is switched on")
    data = {"example": True, "hand": "2345678bcdfghjkm", "verdict": "clean"}
    made = outbox.message(endpoint.pk, endpoint.events[0], data, now=timezone.now())
    made.save()
    after = {"event": made.event, "message": made.public_id}
    trail.leave(viewer, "webhook.try", target=endpoint.public_id, after=after)
    return made


# --- the log of deliveries ---------------------------------------------------------------------

TRIES_SHOWN = 10


def deliveries(
    viewer: Viewer, endpoint: WebhookEndpoint, *, state: str = "", before: int = 0, most: int
) -> list[WebhookDelivery]:
    """Return messages for an endpoint, newest first, each with its last tries: two queries.

    That something was found in a hand that has not opened is left out for those who may not
    see it.
    """
    rows = WebhookDelivery.objects.filter(endpoint=endpoint).order_by("-pk").defer("body")
    if endpoint.reveals and not viewer.may(Scope.HANDS_REVEAL):
        rows = rows.exclude(event=WebhookEvent.FINDING_CREATED)
    if state:
        rows = rows.filter(
            {
                "delivered": Q(delivered_at__isnull=False),
                "given-up": Q(failed=True),
                "waiting": Q(failed=False, delivered_at=None),
            }[state]
        )
    if before:
        rows = rows.filter(pk__lt=before)
    found = list(rows[:most])
    tries: dict[int, list[WebhookAttempt]] = {}
    for each in WebhookAttempt.objects.filter(delivery__in=found).order_by("-pk"):
        tries.setdefault(each.delivery_id, []).append(each)
    for row in found:
        row.tries_shown = tries.get(row.pk, [])[:TRIES_SHOWN]
    return found
