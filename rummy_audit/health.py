"""Whether this process answers, whether it is ready for work, and its figures."""

import hmac
import ipaddress

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from replays import broker, metrics, storage

_AGAIN = {"Retry-After": "5"}
# A proxy adds one of these: then the address of the request is the proxy's.
FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")


@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """Answer 200 ``ok`` when the database answers, else 503 and when to ask again."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return HttpResponse(
            "the database does not answer\n", status=503, content_type="text/plain", headers=_AGAIN
        )
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
def readyz(_request: HttpRequest) -> HttpResponse:
    """Say what is ready: database, its migrations, the guards of the log, the broker.

    503 when hands could not be taken in. A broker that is away is told and no reason for
    503: hands come in all the same, and are judged when it is back.
    """
    state = {"database": "ok", "migrations": "ok", "guards": "ok", "broker": "ok"}
    try:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            state["migrations"] = "missing: run migrate"
        elif not storage.guards_stand():
            state["guards"] = "missing: run migrate"
    except DatabaseError:
        state["database"] = "does not answer"
    if not broker.answers():
        state["broker"] = "does not answer: hands are taken in and judged later"
    ready = all(word == "ok" for name, word in state.items() if name != "broker")
    return JsonResponse(
        {"ready": ready, **state}, status=200 if ready else 503, headers={} if ready else _AGAIN
    )


@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    """Figures for Prometheus: to this machine, or to whoever has the token of the settings."""
    if not _may_read_figures(request):
        raise Http404
    try:
        said = metrics.exposition()
    except DatabaseError:
        return HttpResponse(status=503, headers=_AGAIN)
    return HttpResponse(said, content_type="text/plain; version=0.0.4; charset=utf-8")


def _may_read_figures(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        said = request.headers.get("Authorization", "")
        return hmac.compare_digest(said.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())
    if any(name in request.META for name in FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
