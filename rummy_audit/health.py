"""Whether this process answers, and its database."""

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse


def healthz(_request: HttpRequest) -> HttpResponse:
    """Answer 200 ``ok`` when the database answers, else 503 and when to ask again."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return HttpResponse(
            "the database does not answer\n",
            status=503,
            content_type="text/plain",
            headers={"Retry-After": "5"},
        )
    return HttpResponse("ok\n", content_type="text/plain")
