"""Pages of webhooks, for those who manage a club: endpoints, what was sent, and how it went."""

from __future__ import annotations

import re
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from replays import webhooks
from replays.access import needs
from replays.models import WebhookEndpoint
from replays.models.people import Scope
from replays.models.webhooks import WebhookEvent
from replays.webhooks import WebhookError

_CURSOR = re.compile(r"[0-9]{1,18}")
_PAGE = 50
STATES = (
    ("waiting", gettext_lazy("waiting")),
    ("delivered", gettext_lazy("delivered")),
    ("given-up", gettext_lazy("given up")),
)
# The look of a state is that of a verdict like it.
_LOOKS = {"delivered": "clean", "given-up": "failed", "waiting": "waiting"}


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Scope.WEBHOOKS_WRITE)
def webhook_list(request: HttpRequest) -> HttpResponse:
    """The club's endpoints, and a form for one more."""
    address, words = request.POST.get("address", "").strip(), request.POST.get("words", "").strip()
    chosen = request.POST.getlist("events")
    ctx: dict[str, Any] = {"address": address, "words": words, "chosen": chosen}
    if request.method == "POST":
        try:
            made = webhooks.make_endpoint(
                viewer=request.viewer, url=address, events=chosen, words=words
            )
        except WebhookError as error:
            ctx["problem"], ctx["problem_field"] = _sentence(error), error.field
        else:
            return _page(request, made, secret=made.secret)
    ctx |= {
        "endpoints": WebhookEndpoint.objects.for_user(request.viewer).order_by("pk"),
        "events": WebhookEvent.choices,
    }
    return render(request, "replays/webhooks.html", ctx)


def _sentence(error: WebhookError) -> str:
    return _("“%(found)s” cannot be used: expected %(expected)s.") % {
        "found": ", ".join(error.found) if isinstance(error.found, list) else error.found,
        "expected": error.expected,
    }


def _get_endpoint_for_user(request: HttpRequest, public_id: str) -> WebhookEndpoint:
    return get_object_or_404(WebhookEndpoint.objects.for_user(request.viewer), public_id=public_id)


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Scope.WEBHOOKS_WRITE)
def webhook(request: HttpRequest, public_id: str) -> HttpResponse:
    """One endpoint: what it is told, its messages, and what can be done with it."""
    endpoint = _get_endpoint_for_user(request, public_id)
    if request.method != "POST":
        return _page(request, endpoint)
    viewer, act = request.viewer, request.POST.get("act", "")
    try:
        match act:
            case "change":
                webhooks.change_endpoint(
                    viewer=viewer,
                    endpoint=endpoint,
                    url=request.POST.get("address", "").strip(),
                    events=request.POST.getlist("events"),
                    words=request.POST.get("words", "").strip(),
                )
                messages.success(request, _("Saved."))
            case "on" | "off":
                webhooks.change_endpoint(viewer=viewer, endpoint=endpoint, enabled=act == "on")
            case "rotate":
                webhooks.rotate_secret(viewer=viewer, endpoint=endpoint)
                return _page(request, endpoint, secret=endpoint.secret)
            case "try":
                webhooks.send_example(viewer=viewer, endpoint=endpoint)
                messages.success(request, _("An example is on its way."))
            case "delete":
                webhooks.delete_endpoint(viewer=viewer, endpoint=endpoint)
                messages.success(request, _("The endpoint is deleted."))
                return redirect("webhooks")
    except WebhookError as error:
        endpoint.refresh_from_db()
        return _page(request, endpoint, problem=_sentence(error))
    return redirect("webhook", endpoint.public_id)


def _page(
    request: HttpRequest, endpoint: WebhookEndpoint, *, secret: str = "", problem: str = ""
) -> HttpResponse:
    state = request.GET.get("state", "")
    state = state if state in dict(STATES) else ""
    before = request.GET.get("before", "")
    rows = webhooks.deliveries(
        request.viewer,
        endpoint,
        state=state,
        before=int(before) if _CURSOR.fullmatch(before) else 0,
        most=_PAGE + 1,
    )
    words = dict(STATES)
    ctx = {
        "endpoint": endpoint,
        "secret": secret,
        "problem": problem,
        "events": WebhookEvent.choices,
        "states": STATES,
        "state": state,
        "deliveries": [
            {"row": each, "state": words[each.state], "look": _LOOKS[each.state]}
            for each in rows[:_PAGE]
        ],
        "next": rows[_PAGE - 1].pk if len(rows) > _PAGE else 0,
    }
    return render(request, "replays/webhook.html", ctx)


@require_POST
@needs(Scope.WEBHOOKS_WRITE)
def resend(request: HttpRequest, public_id: str, delivery_id: str) -> HttpResponse:
    """Send a message again."""
    endpoint = _get_endpoint_for_user(request, public_id)
    delivery = get_object_or_404(endpoint.deliveries.all(), public_id=delivery_id)
    try:
        webhooks.resend(viewer=request.viewer, delivery=delivery)
        messages.success(request, _("The message is on its way again."))
    except WebhookError:
        messages.error(request, _("Switch the endpoint on first, then send the message again."))
    return redirect("webhook", endpoint.public_id)
