"""Cases over the API: every step that the pages offer but the sending of a draft.

The ETag of a case is its version. Whoever sends If-Match acts on that version or not at
all; a decision has to, and to say which preview of its effect was looked at (``seen``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from msgspec import UNSET

from api import paging
from api.case_shapes import (
    CaseNew,
    CasePage,
    CaseShown,
    CaseWhole,
    DecisionNew,
    DecisionShown,
    EventOfCase,
    EvidenceNew,
    Joining,
    Moved,
    Nothing,
    Reopening,
    SeatMoved,
    Statement,
    WhichCases,
    Why,
)
from api.operations import answer, operation
from api.problems import Problem
from replays import cases, decisions
from replays.cases import desk
from replays.cases.pictures import MOST_BYTES
from replays.models import Case, HandLog
from replays.models.people import Scope, called

_REFUSALS = ("not-found", "case-refused", "precondition-failed")
# A picture of at most 8 MB in base64, with room for what stands beside it.
_MOST_PICTURE = MOST_BYTES * 4 // 3 + 64_000
_IF_MATCH = {"If-Match": "The version of the case that was read, as its ETag."}
_SHOWN = {
    "number": 3,
    "url": "/api/v1/cases/3",
    "hand": "7k2m9qxw4tbd3hnp",
    "seq": 41,
    "kind": "declaration",
    "code": "declare-no-pure-sequence",
    "state": "open",
    "level": 0,
    "version": 1,
    "opened_at": "2026-05-01T20:00:07.250000Z",
    "late": False,
    "due_at": "2026-05-02T20:00:07.250000Z",
}


def _get_case(request: HttpRequest, number: int) -> Case:
    mine = Case.objects.for_user(request.viewer).select_related("log", "club", "holder")
    return get_object_or_404(mine, number=number)


def _fields(case: Case) -> dict[str, Any]:
    known = {
        "due_at": case.due_at,
        "holder": called(case.holder) or None,
        "duplicate_of": case.duplicate_of.number if case.duplicate_of else None,
    }
    return {
        "number": case.number,
        "url": reverse("api:case", args=[case.number]),
        "hand": case.log.public_id,
        "seq": case.seq,
        "kind": case.kind,
        "code": case.code,
        "state": str(case.state),
        "level": case.level,
        "version": case.version,
        "opened_at": case.opened_at,
        "late": desk.is_late(case),
        **{name: value for name, value in known.items() if value is not None},
    }


def _whole(request: HttpRequest, case: Case, *, status: int = 200) -> HttpResponse:
    case = _get_case(request, case.number)
    stands = None
    made = []
    for each in case.decisions.order_by("-number"):
        stands = stands or each.number
        made.append(
            DecisionShown(
                number=each.number,
                at=each.at,
                level=each.level,
                outcome=each.outcome,
                code=each.code,
                clause=each.clause,
                effect=each.effect,
                points=each.points,
                stands=each.number == stands,
                overturns=each.overturns,
                winner=UNSET if each.winner is None else each.winner,
            )
        )
    events = [
        EventOfCase(
            number=each.event.number,
            at=each.event.at,
            verb=each.event.verb,
            who=each.who,
            after=each.event.after,
            audience=each.event.audience,
            digest=each.event.digest,
            text=each.text or UNSET,
        )
        for each in desk.history(request.viewer, case)
    ]
    shown = CaseWhole(**_fields(case), events=events, decisions=made)
    return answer(shown, status=status, headers={"ETag": f'"{case.version}"'})


_MOST_VERSION = 9


def _expected(request: HttpRequest, *, required: bool = False) -> int | None:
    """Return the version that the sender has read, from If-Match."""
    header = request.headers.get("If-Match")
    if header is None:
        if required:
            raise Problem("precondition-required")
        return None
    text = header.strip().strip('"')
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_VERSION):
        why = _("If-Match holds the version of the case, as its ETag.")
        raise Problem("bad-value", why, place={"header": "If-Match"})
    return int(text)


def _refusing(act: Callable[[], Any]) -> Any:
    """Do something; what the case does not allow becomes a problem with the reason."""
    try:
        return act()
    except cases.RefusedError as error:
        raise Problem("case-refused", str(error)) from None
    except cases.StaleError as error:
        raise Problem("precondition-failed", version=error.version) from None


@operation(
    scope=Scope.CASES_READ,
    query=WhichCases,
    answers={200: CasePage},
    problems=("bad-cursor",),
    examples={"200": {"cases": [_SHOWN]}},
)
def case_list(request: HttpRequest, *, query: WhichCases) -> HttpResponse:
    """List cases, the newest first."""
    rows = Case.objects.for_user(request.viewer).select_related("log", "holder", "duplicate_of")
    if query.state is not None:
        rows = rows.filter(state=query.state)
    place = paging.place_of(query.cursor, salt="cases")
    if place is not None:
        rows = rows.filter(number__lt=place)
    page, more = paging.cut(list(rows.order_by("-number")[: query.limit + 1]), query.limit)
    following = paging.cursor_of(page[-1].number, salt="cases") if more else UNSET
    return answer(CasePage(cases=[CaseShown(**_fields(each)) for each in page], next=following))


@operation(
    scope=Scope.CASES_WRITE,
    body=CaseNew,
    answers={201: CaseWhole, 200: CaseWhole},
    problems=("case-refused",),
    examples={"201": _SHOWN},
)
def case_new(request: HttpRequest, *, body: CaseNew) -> HttpResponse:
    """Open a case; 200 where one about the same runs already: the report has joined it."""
    hands = HandLog.objects.for_user(request.viewer)
    log = hands.filter(public_id=body.hand).first()
    if log is None:
        raise Problem("bad-value", _("No hand has this id."), place={"pointer": "/hand"})
    case, fresh = _refusing(
        lambda: cases.open_case(
            request.viewer, log=log, kind=body.kind, seq=body.seq, code=body.code, text=body.text
        )
    )
    return _whole(request, case, status=201 if fresh else 200)


@operation(
    scope=Scope.CASES_READ,
    answers={200: CaseWhole},
    problems=("not-found",),
    examples={"200": _SHOWN},
)
def case(request: HttpRequest, number: int) -> HttpResponse:
    """Read a case with its record and its decisions."""
    return _whole(request, _get_case(request, number))


def _step(
    request: HttpRequest, number: int, act: Callable[..., Any], *, status: int = 200, **said: Any
) -> HttpResponse:
    found = _get_case(request, number)
    expected = _expected(request)
    _refusing(lambda: act(request.viewer, found, expected=expected, **said))
    return _whole(request, found, status=status)


def _step_operation(
    scope: Scope, body: type, *, like: dict[str, Any], status: int = 200, **more: Any
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """An operation that takes a case a step on and answers with all of it, as it stands then."""
    return operation(
        scope=scope,
        body=body,
        answers={status: CaseWhole},
        problems=_REFUSALS,
        headers=_IF_MATCH,
        examples={"body": like, str(status): _SHOWN},
        **more,
    )


@_step_operation(
    Scope.CASES_WRITE, Statement, like={"text": "I grouped them otherwise; see the photo."}
)
def case_say(request: HttpRequest, number: int, *, body: Statement) -> HttpResponse:
    """Add a statement to a case."""
    return _step(request, number, cases.say, text=body.text, audience=body.audience)


@_step_operation(Scope.CASES_DECIDE, Why, like={})
def case_claim(request: HttpRequest, number: int, *, body: Why) -> HttpResponse:
    """Take a case to decide it; a key stands for the person who made it."""
    del body
    return _step(request, number, cases.claim)


@operation(
    scope=Scope.CASES_DECIDE,
    body=DecisionNew,
    answers={200: Moved, 201: CaseWhole},
    problems=(*_REFUSALS, "precondition-required", "look-first"),
    headers=_IF_MATCH,
    examples={
        "body": {
            "outcome": "granted",
            "clause": "001 Declaration Rules",
            "text": "Both sequences use a joker; a declaration needs a pure one.",
            "effect": "points",
            "points": {"1": 80},
        },
        "201": _SHOWN,
    },
)
def case_decide(request: HttpRequest, number: int, *, body: DecisionNew) -> HttpResponse:
    """Decide a case: without `seen` tell what it would move, with it save the decision."""
    found = _get_case(request, number)
    points = {int(seat): own for seat, own in body.points.items()}
    ruled = decisions.Ruled(effect=body.effect, points=points, winner=body.winner)
    rule = {"outcome": body.outcome or "", "clause": body.clause, "code": body.code}
    if not body.seen:
        _refusing(lambda: decisions.check(found, ruled=ruled, **rule))
        if why := desk.why_not(request.viewer, found, "decide"):
            raise Problem("case-refused", why)
        return answer(_moved(_refusing(lambda: decisions.preview(found, ruled))))
    expected = _expected(request, required=True)
    try:
        _refusing(
            lambda: decisions.decide(
                request.viewer,
                found,
                **rule,
                text=body.text,
                seen=body.seen,
                effect=body.effect,
                points=points,
                winner=body.winner,
                cites=body.cites,
                expected=expected,
            )
        )
    except decisions.UnseenError as unseen:
        raise Problem("look-first", seen=unseen.preview.digest) from None
    return _whole(request, found, status=201)


def _moved(shown: decisions.Preview) -> Moved:
    names = ("now", "then", "total_now", "total_then")
    return Moved(
        seen=shown.digest,
        seats=[
            SeatMoved(
                seat=row.seat,
                out_now=row.out_now,
                out_then=row.out_then,
                **{name: own for name in names if (own := getattr(row, name)) is not None},
            )
            for row in shown.rows
        ],
        winner_changes=shown.moved.winner_changes,
    )


@_step_operation(Scope.CASES_WRITE, Why, like={"text": "The photo shows a pure sequence."})
def case_appeal(request: HttpRequest, number: int, *, body: Why) -> HttpResponse:
    """Appeal the decision of a case."""
    return _step(request, number, cases.appeal, text=body.text)


@_step_operation(Scope.CASES_WRITE, Why, like={})
def case_withdraw(request: HttpRequest, number: int, *, body: Why) -> HttpResponse:
    """Take a case back, or the appeal of one."""
    return _step(request, number, cases.withdraw, text=body.text)


@_step_operation(Scope.CASES_DECIDE, Nothing, like={})
def case_release(request: HttpRequest, number: int, *, body: Nothing) -> HttpResponse:
    """Give a case back to the queue: your own, or one that its referee has let lie."""
    del body
    return _step(request, number, cases.release)


@_step_operation(
    Scope.CASES_DECIDE, Why, like={"text": "The sheet is lost and nobody remembers the cards."}
)
def case_dismiss(request: HttpRequest, number: int, *, body: Why) -> HttpResponse:
    """Close a case without a decision, and say why nothing can be decided."""
    return _step(request, number, cases.dismiss, text=body.text)


@_step_operation(Scope.CASES_DECIDE, Joining, like={"into": 2})
def case_join(request: HttpRequest, number: int, *, body: Joining) -> HttpResponse:
    """Join a case to another one about the same hand: its parties go over and are told."""
    into = Case.objects.for_user(request.viewer).filter(number=body.into).first()
    _get_case(request, number)
    if into is None:
        raise Problem("bad-value", _("No case has this number."), place={"pointer": "/into"})
    return _step(request, number, cases.join, into=into)


@_step_operation(
    Scope.CASES_WRITE,
    EvidenceNew,
    like={"kind": "event", "seq": 41, "text": "This is the card."},
    status=201,
    most_bytes=_MOST_PICTURE,
)
def case_pin(request: HttpRequest, number: int, *, body: EvidenceNew) -> HttpResponse:
    """Pin evidence to a case with its digest; the same thing is pinned once."""
    return _step(request, number, cases.pin, status=201, **_said(body))


@_step_operation(
    Scope.CASES_WRITE,
    Reopening,
    like={"text": "A photo has turned up.", "kind": "event", "seq": 41},
    most_bytes=_MOST_PICTURE,
)
def case_reopen(request: HttpRequest, number: int, *, body: Reopening) -> HttpResponse:
    """Reopen a closed case with evidence that was not known in it yet."""
    return _step(request, number, cases.reopen, **_said(body))


def _said(body: EvidenceNew | Reopening) -> dict[str, Any]:
    return {name: getattr(body, name) for name in body.__struct_fields__}
