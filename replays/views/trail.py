"""The trail of a club: who did what, when and from where; to read, and to take away."""

from __future__ import annotations

import re
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from replays import trail
from replays.access import needs
from replays.models.people import Scope

_CURSOR = re.compile(r"[0-9]{1,18}")


@require_safe
@needs(Scope.ADMIN)
def trail_page(request: HttpRequest) -> HttpResponse:
    """Entries newest first, a page at a time."""
    before = request.GET.get("before", "")
    page = trail.page(request.viewer, before=int(before) if _CURSOR.fullmatch(before) else 0)
    ctx = {
        "entries": page.rows,
        "next": urlencode({"before": page.next}) if page.next else "",
    }
    return render(request, "replays/trail.html", ctx)


@require_safe
@needs(Scope.ADMIN)
def trail_export(request: HttpRequest) -> StreamingHttpResponse:
    """The whole trail as JSON Lines, oldest first."""
    name = f"trail-{request.viewer.club.slug}.ndjson"
    return StreamingHttpResponse(
        trail.lines(request.viewer),
        content_type="application/x-ndjson",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
