"""Problem documents (RFC 9457): every refusal of the API, in the same words on every route.

A problem has a stable ``code``, says what was found and where (``place``), and what to do
next (``next``). Views raise ``Problem("code", …)``; what Django and the framework raise is
put into the same form here.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from django.core import exceptions, signals
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import RawPostDataException, UnreadablePostError
from django.utils.translation import gettext_lazy
from rest_framework import exceptions as rest

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
DOCS = "/api/v1/docs"
_MOST_SHOWN = 80


class Kind(NamedTuple):
    """A kind of problem: its status, its title, and what to do about it."""

    status: int
    title: Any
    next: Any


_t = gettext_lazy
_ASK_DOCS = _t("See the documentation of this route.")

KINDS: dict[str, Kind] = {
    "bad-request": Kind(400, _t("The request cannot be read"), _ASK_DOCS),
    "bad-json": Kind(
        400,
        _t("The body is not the JSON that is taken here"),
        _t("Put right what stands at the place named, then send it again."),
    ),
    "bad-value": Kind(
        400,
        _t("A value is not one that can stand there"),
        _t("Put right the value at the place named, then send it again."),
    ),
    "bad-parameter": Kind(
        400,
        _t("A parameter of the address cannot be used"),
        _t("Put right or leave out the parameter named."),
    ),
    "unknown-parameter": Kind(
        400,
        _t("There is no such parameter"),
        _t("Leave it out; the parameters that there are stand in known."),
    ),
    "bad-cursor": Kind(
        400,
        _t("This cursor is none of ours"),
        _t("Begin again without a cursor, then use the one in next."),
    ),
    "bad-encoding": Kind(
        400,
        _t("The compressed body cannot be unpacked"),
        _t("Send one gzip body, whole and with nothing behind it."),
    ),
    "not-signed-in": Kind(
        401,
        _t("Nobody is known by this request"),
        _t("Send Authorization: Bearer with a key of your club that has not ended."),
    ),
    "csrf": Kind(
        403,
        _t("This form did not come from our own page"),
        _t("Load the page again, or use a key."),
    ),
    "missing-scope": Kind(
        403,
        _t("This key may not do that"),
        _t("Ask the owner of the club for a key with the scope named."),
    ),
    "no-club": Kind(
        403, _t("You belong to no club"), _t("Ask the owner of a club for an invitation.")
    ),
    "not-found": Kind(
        404,
        _t("There is nothing at this address"),
        _t("Look the id up in the list that it came from."),
    ),
    "no-such-route": Kind(
        404, _t("The API has no such address"), _t("All addresses stand in /api/v1/openapi.json.")
    ),
    "method-not-allowed": Kind(
        405,
        _t("This address does not take that method"),
        _t("Use one of the methods in the Allow header."),
    ),
    "not-acceptable": Kind(
        406,
        _t("The answer has none of the forms asked for"),
        _t("Ask for one of the media types in known in the Accept header."),
    ),
    "hand-conflict": Kind(
        409,
        _t("Another hand is stored under this name"),
        _t("Compare the digests; correct a hand by amend events, or give it a name of its own."),
    ),
    "key-reused": Kind(
        409,
        _t("This Idempotency-Key was used for another request"),
        _t("Use a new Idempotency-Key for every new request."),
    ),
    "behind-the-head": Kind(
        409,
        _t("These events do not begin where the log ends"),
        _t("Send the events again from the seq after head.seq on."),
    ),
    "log-differs": Kind(
        409,
        _t("The log holds other events at these places"),
        _t("Read the log; correct an event that is stored by an amend event."),
    ),
    "hand-ended": Kind(
        409,
        _t("The hand has ended"),
        _t("Only amend, ruling and note events may follow the end."),
    ),
    "switched-off": Kind(
        409,
        _t("The endpoint is switched off"),
        _t("Switch it on with a PATCH, then repeat this."),
    ),
    "case-refused": Kind(
        409,
        _t("The case does not allow that"),
        _t("Do what the detail says, or read the case again."),
    ),
    "look-first": Kind(
        409,
        _t("What the decision moves has not been looked at"),
        _t("Ask without seen, look at what it moves, then send the seen of that answer."),
    ),
    "precondition-failed": Kind(
        412,
        _t("It has changed since you read it"),
        _t("Read it again, then repeat your change with the new ETag."),
    ),
    "too-large": Kind(
        413,
        _t("The body is too large"),
        _t("Send it in parts. How much one may hold stands in most, or in what is said."),
    ),
    "too-many-records": Kind(
        413,
        _t("There are too many records in the body"),
        _t("Send at most as many records as most says, all of one hand, then the rest."),
    ),
    "unsupported-media-type": Kind(
        415,
        _t("The body has a form that is not taken here"),
        _t("Send one of the media types in known, named in Content-Type."),
    ),
    "not-taken": Kind(
        422,
        _t("No hand of this request could be taken"),
        _t("Put right what the outcomes name, then send those hands again."),
    ),
    "cannot-follow": Kind(
        422,
        _t("A record cannot follow in this log"),
        _t("Put right the record at the place named, then send the events again."),
    ),
    "bad-rules": Kind(
        422,
        _t("These rules cannot be"),
        _t("Put right the parameters named in problems, then send it again."),
    ),
    "cannot-be-judged": Kind(
        422,
        _t("This question cannot be judged"),
        _t("Put right the part named, then ask again."),
    ),
    "precondition-required": Kind(
        428,
        _t("Say which state you have seen"),
        _t("Send If-Match, or expect in the body."),
    ),
    "too-many-requests": Kind(
        429,
        _t("Too many requests"),
        _t("Wait the seconds in Retry-After, then go on."),
    ),
    "our-fault": Kind(
        500,
        _t("Something went wrong on our side"),
        _t("Try again later; if it stays, tell those who run this service."),
    ),
    "not-available": Kind(
        503,
        _t("The database does not answer"),
        _t("Try again after the seconds in Retry-After."),
    ),
}
"""Every code there is. Stored by clients: a code is never renamed."""


class Problem(Exception):
    """A refusal with its code; ``more`` are further members of the document.

    ``place`` says where: ``line`` and ``column``, a JSON ``pointer``, a ``parameter`` or a
    ``header``.
    """

    def __init__(
        self,
        code: str,
        detail: object = "",
        *,
        place: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        """Name the code, what was found, and where."""
        super().__init__(code)
        self.code = code
        self.detail = detail
        self.place = place
        self.headers = dict(headers or {})
        self.more = more


def shown(value: object) -> str:
    """Return a value as a problem may repeat it: short, and safe to print.

    >>> shown("a" * 100)[-3:], len(shown(chr(0xD800)))
    ('aa…', 6)
    """
    text = str(value)
    text = text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def document(problem: Problem) -> dict[str, Any]:
    """Return the problem as data for JSON."""
    kind = KINDS[problem.code]
    made: dict[str, Any] = {
        "type": f"{DOCS}#{problem.code}",
        "title": str(kind.title),
        "status": kind.status,
        "detail": str(problem.detail or kind.title),
        "code": problem.code,
        "next": str(kind.next),
    }
    if problem.place is not None:
        made["place"] = dict(problem.place)
    return made | problem.more


def response(problem: Problem) -> HttpResponse:
    """Return the problem as an answer."""
    made = HttpResponse(
        msgspec.json.encode(document(problem)),
        status=KINDS[problem.code].status,
        content_type=MEDIA_TYPE,
        headers=problem.headers,
    )
    made["Cache-Control"] = "no-store"
    return made


_BY_TYPE: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str], ...] = (
    (rest.MethodNotAllowed, "method-not-allowed"),
    (rest.NotAcceptable, "not-acceptable"),
    (rest.UnsupportedMediaType, "unsupported-media-type"),
    ((Http404, rest.NotFound, exceptions.ObjectDoesNotExist), "not-found"),
    (exceptions.RequestDataTooBig, "too-large"),
    ((UnreadablePostError, RawPostDataException), "bad-request"),
    ((exceptions.SuspiciousOperation, exceptions.BadRequest), "bad-request"),
    ((rest.ParseError, rest.ValidationError), "bad-request"),
)


def of(error: Exception) -> Problem:
    """Return what was raised as a problem; what nobody foresaw is our fault."""
    match error:
        case Problem():
            return error
        case rest.NotAuthenticated() | rest.AuthenticationFailed():
            return Problem("not-signed-in", headers={"WWW-Authenticate": 'Bearer realm="api"'})
        case rest.Throttled():
            wait = str(max(1, int(error.wait or 1)))
            return Problem("too-many-requests", headers={"Retry-After": wait})
        case rest.PermissionDenied() | exceptions.PermissionDenied():
            return Problem("csrf" if "CSRF" in str(error) else "missing-scope")
        case OperationalError() | InterfaceError():
            # Gone, restarting, locked by others, out of disk: another time it may be right.
            return Problem("not-available", headers={"Retry-After": "5"})
        case DatabaseError() if not _database_answers():
            return Problem("not-available", headers={"Retry-After": "5"})
    found = (code for kinds, code in _BY_TYPE if isinstance(error, kinds))
    return Problem(next(found, "our-fault"))


def _database_answers() -> bool:
    """Whether the fault was not that the database is gone."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        # Within a broken transaction every question fails; the database is there.
        return "transaction" in str(error)
    return True


def handle(error: Exception, context: Mapping[str, Any]) -> HttpResponse:
    """Answer for whatever a view raised: the framework's ``EXCEPTION_HANDLER``."""
    problem = of(error)
    if problem.code in ("our-fault", "not-available"):
        log.error("%s: %r", type(context.get("view")).__name__, error, exc_info=error)
    if problem.code == "our-fault":
        # So that a test's client raises it, as for a page.
        signals.got_request_exception.send(sender=None, request=context.get("request"))
    return response(problem)


def is_ours(request: HttpRequest) -> bool:
    """Whether an address belongs to the API, so that its refusals are problem documents."""
    return request.path_info.startswith("/api/")
