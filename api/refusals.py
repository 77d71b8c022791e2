"""What Django refuses before or beside the views: problem documents for the API's addresses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views import defaults

from api.problems import Problem, is_ours, response


def _or(page: Callable[..., HttpResponse], code: str) -> Callable[..., HttpResponse]:
    def refuse(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return response(Problem(code)) if is_ours(request) else page(request, *args, **kwargs)

    return refuse


bad_request = _or(defaults.bad_request, "bad-request")
not_found = _or(defaults.page_not_found, "no-such-route")
our_fault = _or(defaults.server_error, "our-fault")
