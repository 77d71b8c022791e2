"""Who asks the API: a program by its key, or a member by the session of their browser."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from api import throttle
from replays import access, keys

_BEARER = re.compile(r"bearer +([\x21-\x7e]+) *", re.IGNORECASE)


class KeyOrSession(SessionAuthentication):
    """``Authorization: Bearer <key>``, else the session (with CSRF) of a member.

    Sets ``request.viewer``. A request with a key never falls back to a session.
    """

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Return the user and the key; None for nobody. Raises for a key that proves nothing."""
        http = request._request  # noqa: SLF001 - the framework's own way to the request below
        http.viewer = access.NOBODY
        header = http.META.get("HTTP_AUTHORIZATION")
        address = access.address_of(http)
        if header is not None:
            found = _BEARER.fullmatch(header)
            key = keys.holder_of(found.group(1)) if found else None
            if key is None:
                throttle.refuse_wrong(address)
                raise AuthenticationFailed
            http.viewer = replace(access.program(key), address=address)
            return AnonymousUser(), key
        session = super().authenticate(request)
        if session is None:
            return None
        http.viewer = access.of_request(http)
        return session

    def enforce_csrf(self, request: Request) -> None:
        """Check the token of a session's request: in its header, for no body here is a form."""
        # The framework's own request would look for a parser of the body, and there is none.
        super().enforce_csrf(request._request)  # type: ignore[arg-type]  # noqa: SLF001

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 - the framework's
        """Return how one signs in, so that the answer to nobody is 401."""
        return 'Bearer realm="api"'


def ask_again(request: HttpRequest) -> access.Viewer:
    """Return who asks as they are now, for an answer that was waited for.

    Raises what a new request of theirs would: their key may have ended meanwhile.
    """
    before: access.Viewer = request.viewer
    if before.key is None:
        return access.of_request(request)
    key = keys.as_it_is(before.key)
    if key is None:
        raise AuthenticationFailed
    return replace(access.program(key), address=before.address)
