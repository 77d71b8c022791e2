"""Long pages go out packed: a hand of 300 events in an eighth of its bytes."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

# Shorter ones fit into a few packets as they are.
LEAST = 4_000


class PackPages(GZipMiddleware):
    """Middleware: pack what is a long page, and the steps of a hand, for whoever can unpack it.

    Nothing that looks into a page may stand outside it; its random padding keeps the length from
    telling what is in it. The API packs nothing: programs ask for no more than they want.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> Any:
        """Pack it, or leave it as it is."""
        if response.streaming or len(response.content) < LEAST:
            return response
        is_page = response.get("Content-Type", "").startswith("text/html")
        match = request.resolver_match
        if is_page or (match and match.view_name == "hand-steps"):
            return super().process_response(request, response)
        return response
