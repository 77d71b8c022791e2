"""Who is at a table: whoever holds its link, or a member of the club."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from replays.access import Viewer, address_of, needs
from replays.evenings import table_of_link
from replays.models import Table
from replays.models.people import Scope

_COOKIE = "table-phone"
_YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class At:
    """A table as somebody is at it; ``base`` is the address of its deal page."""

    viewer: Viewer
    table: Table
    base: str
    # The mark of this phone, so that another one can confirm what it entered.
    device: str = ""

    @property
    def is_member(self) -> bool:
        """Whether it is a member of the club and not the table's link."""
        return self.viewer.user is not None


View = Callable[..., HttpResponse]


def by_link(view: View) -> View:
    """Open a view with the link of a table: no account, this table alone."""

    @wraps(view)
    @never_cache
    def guarded(request: HttpRequest, token: str, **named: Any) -> HttpResponse:
        found = table_of_link(token)
        if found is None:
            status = HTTPStatus.NOT_FOUND
            return render(request, "replays/deal_link_ended.html", status=status)
        viewer, table = found
        viewer = replace(viewer, address=address_of(request))
        base = reverse("table-link", args=[token])
        return _marked(request, view, At(viewer, table, base), named)

    return guarded


def by_member(view: View) -> View:
    """Open a view to members who may write the club's hands."""

    @wraps(view)
    @needs(Scope.HANDS_WRITE)
    def guarded(request: HttpRequest, public_id: str, **named: Any) -> HttpResponse:
        mine = Table.objects.for_user(request.viewer).select_related("evening__club")
        table = get_object_or_404(mine, public_id=public_id)
        at = At(request.viewer, table, reverse("table", args=[public_id]))
        return _marked(request, view, at, named)

    return guarded


def _marked(request: HttpRequest, view: View, at: At, named: dict[str, Any]) -> HttpResponse:
    known = request.get_signed_cookie(_COOKIE, default="", max_age=_YEAR)
    device = known or secrets.token_hex(8)
    # A phone that sends without ever having opened the page cannot be told from another.
    seen = known or (device if request.method == "GET" else "")
    response = view(request, replace(at, device=seen), **named)
    if not known:
        response.set_signed_cookie(
            _COOKIE,
            device,
            max_age=_YEAR,
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )
    return response
