"""The short way of a request with a key: past what serves browsers, straight to its operation.

Sessions, tokens of forms, messages, static files and sign-in are nothing to a program. Asking
each of them whether it has anything to do took as long as reading the hand that was sent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.module_loading import import_string

from api.problems import is_ours

Answer = Callable[[HttpRequest], HttpResponse]

# Of ``MIDDLEWARE``, in its order, what an answer to a program needs too.
_NEEDED = (
    "rummy_audit.policy.ContentPolicy",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "replays.packing.PackPages",
    "replays.access.KeepPrivate",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
)


class StraightToOperations:
    """Middleware: a request with a key for an operation of the API passes by all that follows.

    Such a request never falls back to a session (api.auth), so none is looked for. Its answer
    has the headers that it would have had.
    """

    def __init__(self, get_response: Answer) -> None:
        """Remember what comes next, and make the short way."""
        self.get_response = get_response
        self.straight: Answer = convert_exception_to_response(_operate)
        for path in reversed(_NEEDED):
            self.straight = convert_exception_to_response(import_string(path)(self.straight))

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, by the short way where it leads to an operation."""
        if "HTTP_AUTHORIZATION" in request.META and is_ours(request):
            request.resolver_match = _operation_at(request)
            if request.resolver_match is not None:
                return self.straight(request)
        return self.get_response(request)


def _operation_at(request: HttpRequest) -> ResolverMatch | None:
    """Return the operation that is asked for; none where it is a page or nothing."""
    try:
        match = resolve(request.path_info)
    except Resolver404:
        return None
    return match if hasattr(match.func, "cls") else None


def _operate(request: HttpRequest) -> HttpResponse:
    match: Any = request.resolver_match
    return match.func(request, *match.args, **match.kwargs)
