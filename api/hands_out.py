"""Hands go out: the search, one hand, its log, report, steps and findings."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from msgspec import UNSET, Meta

from api import paging
from api.hands_in import JSON_LINES
from api.moments import Moment
from api.operations import answer, operation
from api.problems import Problem
from api.shapes import Findings, HandPage, HandShown, Report, Steps, VerdictWord
from replays import search, sight
from replays.access import Viewer
from replays.models import HandLog
from replays.models.people import Scope
from replays.queries import hand_of, newest_audit, rules_of
from rummy_audit.rhl import write
from rummy_audit.rhl.records import Hand
from rummy_audit.rules.replay import replay
from rummy_audit.rules.report import finding_report, hand_report
from rummy_audit.rules.rulesets import RulesetError

TEXT = "text/plain"


class Search(paging.Paged):
    """Which hands; what is given holds for all of them."""

    verdict: VerdictWord | None = None
    code: Annotated[
        str, Meta(description="A finding's code: hands with it.", examples=["set-repeated-suit"])
    ] = ""
    table: str = ""
    player: Annotated[str, Meta(description="A player's ref, as logs name them.")] = ""
    ruleset: Annotated[str, Meta(description="As `indian-13`, or a version `indian-13@1`.")] = ""
    match: str = ""
    event: str = ""
    source: str = ""
    name: Annotated[str, Meta(description="The id that the log gives the hand.")] = ""
    since: Annotated[Moment, Meta(description="Came in at or after.")] | None = None
    until: Annotated[Moment, Meta(description="Came in before.")] | None = None


@operation(scope=Scope.HANDS_READ, query=Search, answers={200: HandPage}, problems=("bad-cursor",))
def hand_list(request: HttpRequest, *, query: Search) -> HttpResponse:
    """Search hands, the newest first."""
    viewer = request.viewer
    before = paging.place_of(query.cursor, salt="hands")
    wanted = search.Wanted(**{name: getattr(query, name) for name in search.FIELDS})
    rows = search.hands(viewer, wanted, before=before, most=query.limit + 1)
    page, more = paging.cut(rows, query.limit)
    parts = sight.parts_of(viewer, page)
    shown = HandPage(hands=[hand_shown(log, whole=log.pk not in parts) for log in page])
    if more:
        shown.next = paging.cursor_of(page[-1].pk, salt="hands")
    return etagged(request, answer(shown))


def hand_shown(log: HandLog, *, whole: bool) -> HandShown:
    """Return a hand as lists show it; ``whole``: to somebody who may see all of its cards."""
    return HandShown(
        id=log.public_id,
        url=reverse("api:hand", args=[log.public_id]),
        name=log.name,
        source=log.source,
        event=log.event,
        table=log.table,
        match=log.match,
        ruleset=log.ruleset,
        detail=log.detail,
        ingested_at=log.ingested_at,
        seq=log.seq,
        open=log.is_open,
        # The verdict may rest on hidden cards; the findings tell what does not.
        verdict=log.verdict if whole else sight.told_verdict(log),
        audited=log.audited_version == log.version,
        errors=log.errors if whole else 0,
        breaches=log.breaches if whole else 0,
        notes=log.notes if whole else 0,
        deal=UNSET if log.deal is None else log.deal,
        head=log.head if whole else UNSET,
        core_digest=log.core_digest if whole else UNSET,
    )


def get_hand(viewer: Viewer, public_id: str) -> HandLog:
    """Return a hand that this viewer may read; another club's is not there."""
    rows = HandLog.objects.for_user(viewer).select_related("audit")
    return get_object_or_404(rows, public_id=public_id)


@operation(scope=Scope.HANDS_READ, answers={200: HandShown}, problems=("not-found",), etag=True)
def hand(request: HttpRequest, public_id: str) -> HttpResponse:
    """One hand: how far its log goes, and its verdict."""
    log = get_hand(request.viewer, public_id)
    shown = hand_shown(log, whole=sight.sees_all(request.viewer, log))
    return etagged(request, answer(shown))


def seen_hand(viewer: Viewer, log: HandLog) -> Hand:
    """Return a hand as this viewer may see it now."""
    return sight.redacted(hand_of(log), sight.sight_of(viewer, log))


@operation(
    scope=Scope.HANDS_READ,
    answers={200: (JSON_LINES, "application/x-ndjson", TEXT)},
    produces=(JSON_LINES, "application/x-ndjson", TEXT),
    problems=("not-found",),
    etag=True,
)
def hand_log(request: HttpRequest, public_id: str) -> HttpResponse:
    """The log of a hand, as JSON Lines or as text.

    Of a hand that goes on, cards that lie face down are left out for those without
    `hands:reveal`.
    """
    seen = seen_hand(request.viewer, get_hand(request.viewer, public_id))
    if request.accepted == TEXT:
        body, media_type = write.to_text(seen).encode(), f"{TEXT}; charset=utf-8"
    else:
        body, media_type = write.to_json(seen), request.accepted
    return etagged(request, answer(body, media_type=media_type))


@operation(
    scope=Scope.HANDS_READ,
    answers={200: Report},
    problems=("not-found", "cannot-be-judged"),
    etag=True,
)
def report(request: HttpRequest, public_id: str) -> HttpResponse:
    """The report of a hand: the stored one, or worked out now while the hand waits."""
    return etagged(request, answer(_report(request.viewer, get_hand(request.viewer, public_id))))


def _report(viewer: Viewer, log: HandLog) -> dict[str, Any]:
    stored = newest_audit(log)
    whole = sight.sees_all(viewer, log)
    if whole and stored and stored[0].version == log.version:
        return stored[1]
    return report_of(log, seen_hand(viewer, log), whole=whole)


def report_of(log: HandLog, seen: Hand, *, whole: bool) -> dict[str, Any]:
    """Return the report of a hand as it is seen; of one seen in part no digest is told."""
    try:
        rules = rules_of(log, seen)
    except RulesetError as error:
        raise cannot_be_judged(error) from None
    made = hand_report(seen, rules, replay(seen, rules))
    return made if whole else sight.without_digests(made)


def cannot_be_judged(error: RulesetError) -> Problem:
    """Say that a hand's rules cannot be used."""
    detail = _("%(parameter)s is %(found)s, expected %(expected)s.") % {
        "parameter": error.parameter,
        "found": error.found,
        "expected": error.expected,
    }
    return Problem("cannot-be-judged", detail)


@operation(
    scope=Scope.HANDS_READ,
    answers={200: Findings},
    problems=("not-found", "cannot-be-judged"),
    etag=True,
)
def findings(request: HttpRequest, public_id: str) -> HttpResponse:
    """What is wrong with a hand so far; of a hand that goes on, only what the table can see."""
    log = get_hand(request.viewer, public_id)
    said = _report(request.viewer, log)
    shown = {
        "id": log.public_id,
        "seq": log.seq,
        "verdict": said["verdict"],
        "findings": said["findings"],
    }
    return etagged(request, answer(shown))


class StepsQuery(msgspec.Struct):
    """Whose eyes to look with."""

    seat: Annotated[int, Meta(ge=1, le=12, description="As this seat sees it.")] | None = None


@operation(
    scope=Scope.HANDS_READ,
    query=StepsQuery,
    answers={200: Steps},
    problems=("not-found", "cannot-be-judged", "bad-parameter"),
    etag=True,
)
def steps(request: HttpRequest, public_id: str, *, query: StepsQuery) -> HttpResponse:
    """A hand step by step, as a seat sees it or with every card that is known."""
    viewer = request.viewer
    log = get_hand(viewer, public_id)
    stored = hand_of(log)
    seats = {player.seat for player in stored.record.players}
    if query.seat is not None and query.seat not in seats:
        why = _("Nobody sits there.")
        raise Problem("bad-parameter", why, place={"parameter": "seat"}, known=sorted(seats))
    stored = sight.redacted(stored, sight.sight_of(viewer, log).from_seat(query.seat))
    try:
        rules = rules_of(log, stored)
    except RulesetError as error:
        raise cannot_be_judged(error) from None
    replayed = replay(stored, rules, keep_steps=True)
    shown = Steps(
        id=log.public_id,
        verdict=replayed.verdict,
        steps=[
            {
                "seq": step.number,
                "event": msgspec.to_builtins(step.event, str_keys=True),
                "table": msgspec.to_builtins(step.table, str_keys=True),
                "findings": [finding_report(each, rules.family) for each in step.findings],
            }
            for step in replayed.steps
        ],
        seat=UNSET if query.seat is None else query.seat,
    )
    return etagged(request, answer(shown))


def etagged(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Mark an answer by its content; who has it already is told only that."""
    tag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    known = request.headers.get("If-None-Match", "")
    if known.strip() == "*" or tag in [
        each.strip().removeprefix("W/") for each in known.split(",")
    ]:
        response = HttpResponseNotModified()
        response["Cache-Control"] = "private, no-store"
    response["ETag"] = tag
    return response
