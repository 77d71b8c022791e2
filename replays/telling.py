"""Requests as log entries and as counts.

A request is named by its route, not by its address: addresses hold ids and, in shared
links, secrets.
"""

import logging
import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from replays import counting
from replays.models.scope import new_public_id

log = logging.getLogger("rummy_audit.requests")


class TellOfRequests:
    """Middleware: counts each request and logs it by route, with an id that its answer carries."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Remember what comes next."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, then tell of it."""
        start = time.perf_counter()
        request.id = new_public_id()
        response = self.get_response(request)
        response["X-Request-Id"] = request.id
        match = request.resolver_match
        counting.add(f"requests:{response.status_code // 100}xx")
        counting.tell("web")
        log.info(
            "request",
            extra={
                "id": request.id,
                "method": request.method,
                "route": match.route if match else "",
                "status": response.status_code,
                "milliseconds": round((time.perf_counter() - start) * 1000, 1),
            },
        )
        return response
