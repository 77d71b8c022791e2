"""Who is asking, and what they may do: one ``Viewer`` for pages, the API and links alike."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.functional import SimpleLazyObject

from replays.models import ApiKey, Club, Link, Membership
from replays.models.people import ROLE_SCOPES, Role, Scope

CLUB_IN_SESSION = "club"
# Signs in whoever has proved who they are another way: by an invitation, or by sitting here.
BACKEND = "replays.accounts.WithMemberships"


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody who asks for something in a club: a member, a key, a link, or nobody.

    ``for_user(viewer)`` of every model returns the rows that they may read; ``may(scope)``
    says what they may do. Nobody is ``Viewer()``: no club, no scope, no row.
    """

    club: Club | None = None
    role: str = ""
    user: Any = None
    key: ApiKey | None = None
    link: Link | None = None
    scopes: frozenset[str] = frozenset()
    # Where the request came from, for the trail.
    address: str | None = None

    def may(self, scope: Scope) -> bool:
        """Whether this is allowed to them in their club."""
        return scope in self.scopes

    @property
    def sees_all(self) -> bool:
        """Whether they read everything of their club, not a part of it."""
        return self.link is None and self.role not in (Role.PLAYER, Role.VIEWER)

    @property
    def can(self) -> dict[str, bool]:
        """The scopes by name, for templates: ``viewer.can.hands_write``."""
        return {scope.name.lower(): scope in self.scopes for scope in Scope}

    @property
    def via(self) -> str:
        """How they came, for the trail: ``member``, ``key <prefix>``, ``link <id>``."""
        if self.key is not None:
            return f"key {self.key.prefix}"
        if self.link is not None:
            return f"link {self.link.public_id}"
        if self.user is not None:
            return "member"
        return "command line" if self.club is not None else ""


NOBODY = Viewer()


def member(membership: Membership) -> Viewer:
    """Return a member of a club as the one who asks."""
    return Viewer(
        club=membership.club,
        role=membership.role,
        user=membership.user,
        scopes=frozenset(ROLE_SCOPES[membership.role]),
    )


def program(key: ApiKey) -> Viewer:
    """Return the holder of a key as the one who asks."""
    return Viewer(club=key.club, key=key, scopes=frozenset(key.scopes))


def operator(club: Club) -> Viewer:
    """Return whoever sits at the server's command line as the one who asks."""
    return Viewer(club=club, scopes=frozenset(Scope))


def of_request(request: HttpRequest) -> Viewer:
    """Return who asks: a signed-in person in the club that they have chosen, or nobody."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return Viewer(address=address_of(request))
    mine = getattr(user, "memberships_just_read", None)
    if mine is None:
        mine = list(Membership.objects.of(user))
    else:
        del user.memberships_just_read
    chosen = request.session.get(CLUB_IN_SESSION)
    found = next((each for each in mine if each.club_id == chosen), mine[0] if mine else None)
    found_member = member(found) if found else Viewer(user=user)
    return replace(found_member, address=address_of(request))


def address_of(request: HttpRequest) -> str | None:
    """Return where a request comes from, for limits and the trail.

    ``X-Forwarded-For`` can say anything: of it only the entry counts that the outermost of
    our own proxies wrote (``RUMMY_AUDIT_PROXIES``), counted from the right.
    """
    address = request.META.get("REMOTE_ADDR", "")
    if settings.PROXIES:
        said = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
        address = said[-settings.PROXIES] if len(said) >= settings.PROXIES else address
    try:
        return str(ipaddress.ip_address(address.strip()))
    except ValueError:
        return None


class KnowViewer:
    """Middleware: ``request.viewer`` is who asks, found when first looked at."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Remember what comes next."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Let the request know who asks."""
        request.viewer = SimpleLazyObject(lambda: of_request(request))
        return self.get_response(request)


class KeepPrivate:
    """Middleware: no copy of what somebody sees behind a sign-in stays in any cache."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Remember what comes next."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Mark the answer unless it is the same for everybody."""
        response = self.get_response(request)
        # Whoever had to be looked up got an answer of their own, and so did whoever was refused.
        if "HTTP_AUTHORIZATION" in request.META or request.session.accessed:
            response["Cache-Control"] = "private, no-store"
            patch_vary_headers(response, ["Cookie", "Authorization"])
        return response


View = Callable[..., HttpResponse]


# More than these nobody likes to write again.
_FEW_WORDS = 3


def needs(scope: Scope) -> Callable[[View], View]:
    """Refuse a page to those who may not do this; who has not signed in is asked to."""

    def around(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.viewer.may(scope):
                return view(request, *args, **kwargs)
            if request.viewer.user is None:
                return _sign_in_first(request)
            raise PermissionDenied

        guarded.scope = scope
        return guarded

    return around


def signed_in(view: View) -> View:
    """Ask whoever has not signed in to do so first; being a member of a club is not needed."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.viewer.user is None:
            return _sign_in_first(request)
        return view(request, *args, **kwargs)

    return guarded


def _sign_in_first(request: HttpRequest) -> HttpResponse:
    if "X-Fragment" in request.headers:
        return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
    if request.method in ("GET", "HEAD"):
        return redirect_to_login(request.get_full_path())
    # What was sent is not sent again by itself; what somebody wrote is given back to them.
    written = [text for text in request.POST.values() if len(text.split()) > _FEW_WORDS]
    if not written:
        return redirect(settings.LOGIN_URL)
    status = HTTPStatus.FORBIDDEN
    return render(request, "account/signed_out.html", {"written": written}, status=status)
