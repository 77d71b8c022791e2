"""What is answered when nobody foresaw it: a page of ours, or 503 while the database is away."""

import sys

from django.db import DataError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template import loader

from api import problems, refusals

# A client that waits so long (seconds) finds a database that has restarted.
_RETRY_AFTER = "5"
# Gone, restarting, locked by others, out of disk: the request may be right another time.
AWAY = (OperationalError, InterfaceError)
# What PostgreSQL says of it in a column of text, and in one of JSON.
_NUL = ("NUL", "\\u0000")


def failed(request: HttpRequest) -> HttpResponse:
    """Answer for an error that reached nobody: 503 where the database could not do its part."""
    error = sys.exc_info()[1]
    if error is not None and problems.is_ours(request):
        return problems.response(problems.of(error))
    if isinstance(error, DataError) and any(word in str(error) for word in _NUL):
        # Of what people can send, this alone is text to Python and none to PostgreSQL.
        return refusals.bad_request(request, error)
    if isinstance(error, AWAY):
        page = loader.get_template("503.html").render()
        return HttpResponse(page, status=503, headers={"Retry-After": _RETRY_AFTER})
    return refusals.our_fault(request)
