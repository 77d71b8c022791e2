"""Webhooks of a club: endpoints, secrets, and the log of what was sent."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from msgspec import UNSET, Meta, UnsetType

from api import paging
from api.operations import answer, operation
from api.problems import Problem, shown
from api.shapes import Answer, PublicId
from replays import webhooks
from replays.models import WebhookAttempt, WebhookDelivery, WebhookEndpoint
from replays.models.people import Scope
from replays.webhooks import WebhookError

EventWord = Literal[
    "hand.audited",
    "finding.created",
    "match.audited",
    "case.opened",
    "case.assigned",
    "case.decided",
    "case.appealed",
    "case.closed",
]
StateWord = Literal["waiting", "delivered", "given-up"]
Address = Annotated[
    str,
    Meta(
        max_length=2000,
        description="Where messages go: https, to a host that the whole internet can reach.",
        examples=["https://tables.example/hooks"],
    ),
]
Events = Annotated[list[EventWord], Meta(min_length=1, max_length=20)]
Words = Annotated[str, Meta(max_length=100, description="For people: what it is for.")]


class EndpointShown(Answer):
    """An endpoint. Its secret is told once: when it is made, and when it is given a new one."""

    id: PublicId
    url: str
    address: Address
    events: list[EventWord]
    words: str
    enabled: bool
    reveals: Annotated[
        bool,
        Meta(
            description="Whether it is told verdicts and findings of hands before the club opens "
            "them: made with the scope `hands:reveal`."
        ),
    ]
    created_at: datetime
    secret: (
        Annotated[str, Meta(description="Signs every message; keep it.", examples=["whsec_…"])]
        | UnsetType
    ) = UNSET
    old_secret_until: (
        Annotated[datetime, Meta(description="Until then the secret before signs too.")] | UnsetType
    ) = UNSET
    disabled_why: str | UnsetType = UNSET


class EndpointList(Answer):
    """All endpoints of the club."""

    webhooks: list[EndpointShown]


class EndpointNew(msgspec.Struct, forbid_unknown_fields=True):
    """An endpoint to be made."""

    address: Address
    events: Events
    words: Words = ""


class EndpointChange(msgspec.Struct, forbid_unknown_fields=True):
    """What is to be changed of an endpoint; the rest stays."""

    address: Address | None = None
    events: Events | None = None
    words: Words | None = None
    enabled: bool | None = None


class TryShown(Answer):
    """A try to deliver a message; without `status` there was no answer."""

    at: datetime
    milliseconds: int
    status: int | UnsetType = UNSET
    why: str | UnsetType = UNSET


class DeliveryShown(Answer):
    """A message: what became of it, and its last tries, the newest first."""

    id: PublicId
    webhook_id: Annotated[str, Meta(description="The header webhook-id, the same at every try.")]
    event: EventWord
    state: StateWord
    attempts: int
    made_at: datetime
    tries: list[TryShown]
    delivered_at: datetime | UnsetType = UNSET
    next_at: datetime | UnsetType = UNSET
    reason: str | UnsetType = UNSET


class DeliveryPage(Answer):
    """A page of messages, the newest first; `next` is the cursor of the page after it."""

    deliveries: list[DeliveryShown]
    next: str | UnsetType = UNSET


class WhichDeliveries(paging.Paged):
    """Which messages."""

    state: StateWord | None = None


MADE = {
    "id": "7k2m9qxw4tbd3hnp",
    "url": "/api/v1/webhooks/7k2m9qxw4tbd3hnp",
    "address": "https://tables.example/hooks",
    "events": ["hand.audited", "finding.created"],
    "words": "our tables",
    "enabled": True,
    "reveals": False,
    "created_at": "2026-05-01T20:00:07.250000Z",
    "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqr",
}


def _get_endpoint(request: HttpRequest, public_id: str) -> WebhookEndpoint:
    return get_object_or_404(WebhookEndpoint.objects.for_user(request.viewer), public_id=public_id)


def _shown(endpoint: WebhookEndpoint, *, with_secret: bool = False) -> EndpointShown:
    made = EndpointShown(
        id=endpoint.public_id,
        url=reverse("api:webhook", args=[endpoint.public_id]),
        address=endpoint.url,
        events=endpoint.events,
        words=endpoint.words,
        enabled=endpoint.disabled_at is None,
        reveals=endpoint.reveals,
        created_at=endpoint.created_at,
    )
    if with_secret:
        made.secret = endpoint.secret
    if endpoint.old_secret_until:
        made.old_secret_until = endpoint.old_secret_until
    if endpoint.disabled_why:
        made.disabled_why = endpoint.disabled_why
    return made


def _refusal(error: WebhookError) -> Problem:
    if error.field == "endpoint":
        return Problem("switched-off", _("The endpoint is switched off."))
    pointer = {"url": "/address"}.get(error.field, f"/{error.field}")
    detail = _("Found %(found)s, expected %(expected)s.") % {
        "found": shown(error.found),
        "expected": error.expected,
    }
    return Problem("bad-value", detail, place={"pointer": pointer})


@operation(scope=Scope.WEBHOOKS_WRITE, answers={200: EndpointList})
def webhook_list(request: HttpRequest) -> HttpResponse:
    """List the club's endpoints."""
    rows = WebhookEndpoint.objects.for_user(request.viewer).order_by("pk")
    return answer(EndpointList(webhooks=[_shown(each) for each in rows]))


@operation(
    scope=Scope.WEBHOOKS_WRITE,
    body=EndpointNew,
    answers={201: EndpointShown},
    problems=("bad-json", "bad-value", "too-large"),
    examples={"body": {"address": MADE["address"], "events": MADE["events"]}, "201": MADE},
)
def webhook_new(request: HttpRequest, *, body: EndpointNew) -> HttpResponse:
    """Make an endpoint. The answer holds its secret, this once."""
    try:
        made = webhooks.make_endpoint(
            viewer=request.viewer, url=body.address, events=body.events, words=body.words
        )
    except WebhookError as error:
        raise _refusal(error) from None
    told = _shown(made, with_secret=True)
    return answer(told, status=201, headers={"Location": told.url})


@operation(scope=Scope.WEBHOOKS_WRITE, answers={200: EndpointShown}, problems=("not-found",))
def webhook(request: HttpRequest, public_id: str) -> HttpResponse:
    """One endpoint."""
    return answer(_shown(_get_endpoint(request, public_id)))


@operation(
    scope=Scope.WEBHOOKS_WRITE,
    body=EndpointChange,
    answers={200: EndpointShown},
    problems=("not-found", "bad-json", "bad-value", "too-large"),
)
def webhook_change(request: HttpRequest, public_id: str, *, body: EndpointChange) -> HttpResponse:
    """Change an endpoint, or switch it off or on; what waits for one switched off is given up."""
    try:
        changed = webhooks.change_endpoint(
            viewer=request.viewer,
            endpoint=_get_endpoint(request, public_id),
            url=body.address,
            events=body.events,
            words=body.words,
            enabled=body.enabled,
        )
    except WebhookError as error:
        raise _refusal(error) from None
    return answer(_shown(changed))


@operation(scope=Scope.WEBHOOKS_WRITE, answers={204: None}, problems=("not-found",))
def webhook_delete(request: HttpRequest, public_id: str) -> HttpResponse:
    """Delete an endpoint with its log of messages."""
    webhooks.delete_endpoint(viewer=request.viewer, endpoint=_get_endpoint(request, public_id))
    return answer(b"", status=204)


@operation(scope=Scope.WEBHOOKS_WRITE, answers={200: EndpointShown}, problems=("not-found",))
def webhook_rotate(request: HttpRequest, public_id: str) -> HttpResponse:
    """Give an endpoint a new secret; for a day both sign, so change over in your own time."""
    endpoint = _get_endpoint(request, public_id)
    webhooks.rotate_secret(viewer=request.viewer, endpoint=endpoint)
    return answer(_shown(endpoint, with_secret=True))


@operation(
    scope=Scope.WEBHOOKS_WRITE,
    answers={202: DeliveryShown},
    problems=("not-found", "switched-off"),
)
def webhook_try(request: HttpRequest, public_id: str) -> HttpResponse:
    """Send an endpoint an example of the first event that it wants; its data say `example`."""
    try:
        made = webhooks.send_example(
            viewer=request.viewer, endpoint=_get_endpoint(request, public_id)
        )
    except WebhookError as error:
        raise _refusal(error) from None
    return answer(_delivery(made, []), status=202)


# --- the log of messages -----------------------------------------------------------------------


@operation(
    scope=Scope.WEBHOOKS_WRITE,
    query=WhichDeliveries,
    answers={200: DeliveryPage},
    problems=("not-found", "bad-cursor"),
)
def delivery_list(request: HttpRequest, public_id: str, *, query: WhichDeliveries) -> HttpResponse:
    """List the messages for an endpoint, the newest first; they are kept for 30 days."""
    endpoint = _get_endpoint(request, public_id)
    salt = f"deliveries.{endpoint.pk}"
    rows = webhooks.deliveries(
        request.viewer,
        endpoint,
        state=query.state or "",
        before=paging.place_of(query.cursor, salt=salt) or 0,
        most=query.limit + 1,
    )
    page, more = paging.cut(rows, query.limit)
    told = DeliveryPage(deliveries=[_delivery(each, each.tries_shown) for each in page])
    if more:
        told.next = paging.cursor_of(page[-1].pk, salt=salt)
    return answer(told)


@operation(
    scope=Scope.WEBHOOKS_WRITE,
    answers={202: DeliveryShown},
    problems=("not-found", "switched-off"),
)
def delivery_resend(request: HttpRequest, public_id: str, delivery_id: str) -> HttpResponse:
    """Send a message again: the same id and the same bytes, with all its tries."""
    endpoint = _get_endpoint(request, public_id)
    delivery = get_object_or_404(endpoint.deliveries.all(), public_id=delivery_id)
    try:
        webhooks.resend(viewer=request.viewer, delivery=delivery)
    except WebhookError as error:
        raise _refusal(error) from None
    return answer(_delivery(delivery, []), status=202)


def _delivery(delivery: WebhookDelivery, tries: list[WebhookAttempt]) -> DeliveryShown:
    made = DeliveryShown(
        id=delivery.public_id,
        webhook_id=f"msg_{delivery.public_id}",
        event=delivery.event,
        state=delivery.state,
        attempts=delivery.attempts,
        made_at=delivery.made_at,
        tries=[
            TryShown(
                at=each.at,
                milliseconds=each.milliseconds,
                status=UNSET if each.status is None else each.status,
                why=each.why or UNSET,
            )
            for each in tries
        ],
    )
    if delivery.delivered_at:
        made.delivered_at = delivery.delivered_at
    elif not delivery.failed:
        made.next_at = delivery.due
    if delivery.reason:
        made.reason = delivery.reason
    return made
