"""How far a hand has gone, for its open page to follow it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from replays.access import needs
from replays.models import HandLog
from replays.models.people import Scope


def tag_of(log: HandLog) -> str:
    """Return the ETag of how far a hand is written and judged."""
    return f'"{log.version}.{log.audited_version}"'


@require_safe
@needs(Scope.HANDS_READ)
def hand_pulse(request: HttpRequest, public_id: str) -> HttpResponse:
    """Say how far a hand has gone; nothing to whoever knows it already (``If-None-Match``)."""
    log = get_object_or_404(HandLog.objects.for_user(request.viewer), public_id=public_id)
    tag = tag_of(log)
    if request.headers.get("If-None-Match") == tag:
        return HttpResponseNotModified(headers={"ETag": tag})
    said = {
        "open": log.is_open,
        "seq": log.seq,
        "at": reverse("hand-at", args=[log.public_id, log.seq]),
        "says": _("The hand has gone on to event %(seq)s.") % {"seq": log.seq},
    }
    return JsonResponse(said, headers={"ETag": tag})
