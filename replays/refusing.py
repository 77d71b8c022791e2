"""A way on for whoever opens an address that only takes what a form sends."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve


class LeadOn:
    """Middleware: a page in the place of the empty 405 that a reloaded form ends in.

    A browser shows what was wrong with a form under the address it was sent to, and a phone that
    was laid aside asks for that address again, now without the form.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Remember what comes next."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer; where the answer is an empty refusal, say where the form stands."""
        response = self.get_response(request)
        if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED or request.method != "GET":
            return response
        if response.streaming or response.content:
            return response
        page = render(request, "405.html", {"back": _back(request.path)}, status=405)
        page["Allow"] = response["Allow"]
        return page


def _back(path: str) -> str:
    """Return the page that an address belongs to, as far as there is one; else the first page."""
    while path := path.rstrip("/").rpartition("/")[0]:
        for page in (path, f"{path}/"):
            try:
                resolve(page)
            except Resolver404:
                continue
            return page
    return "/"
