"""Who is asking, and what they may do: one ``Viewer`` for pages, the API and links alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from replays.models import ApiKey, Club, Link, Membership, default_club
from replays.models.people import ROLE_SCOPES, Role, Scope

CLUB_IN_SESSION = "club"


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
    def via(self) -> str:
        """How they came, for the trail: ``member``, ``key <prefix>`` or ``link <id>``."""
        if self.key is not None:
            return f"key {self.key.prefix}"
        if self.link is not None:
            return f"link {self.link.public_id}"
        return "member" if self.user is not None else ""


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


def of_request(request: HttpRequest) -> Viewer:
    """Return who asks: a signed-in person in the club that they have chosen, or nobody."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return _everybody()
    mine = Membership.objects.filter(user=user).select_related("club", "user").order_by("pk")
    chosen = request.session.get(CLUB_IN_SESSION)
    found = (chosen and mine.filter(club=chosen).first()) or mine.first()
    address = request.META.get("REMOTE_ADDR") or None
    return replace(member(found) if found else Viewer(user=user), address=address)


def _everybody() -> Viewer:
    """Until people can sign in, everybody is a scorekeeper of the one club."""
    return Viewer(club=default_club(), scopes=frozenset(ROLE_SCOPES[Role.SCOREKEEPER]))


class KnowViewer:
    """Middleware: ``request.viewer`` is who asks, found when first looked at."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Remember what comes next."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Let the request know who asks."""
        request.viewer = SimpleLazyObject(lambda: of_request(request))
        return self.get_response(request)


View = Callable[..., HttpResponse]


def needs(scope: Scope) -> Callable[[View], View]:
    """Refuse a page to those who may not do this; ``request.viewer`` says who they are."""

    def around(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not request.viewer.may(scope):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        guarded.scope = scope
        return guarded

    return around
