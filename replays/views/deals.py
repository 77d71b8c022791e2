"""The deal page of a table: entering, confirming, locking, and the next match."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from replays import deals, evenings, finding_items
from replays.deals import AlreadyEnteredError, DealProblemsError, Typed
from replays.direction import plain, plain_page
from replays.evenings import NotPossibleError
from replays.matches_at_tables import MARKS, Entered, MatchState, state_of
from replays.models import DealEntry, TableMatch
from replays.money import told
from replays.views.deal_starts import KINDS, STAKES, Starting
from replays.views.tables import At
from replays.wording import format_words

_NUMBER = re.compile(r"[0-9]{1,4}")
_MARK_NAMES = frozenset(mark for mark, _short, _full in MARKS)
_SHORT = {mark: short for mark, short, _full in MARKS}


# --- the page ----------------------------------------------------------------------------------


@require_safe
def deal_page(request: HttpRequest, at: At) -> HttpResponse:
    """The next deal of the table's match; with ``X-Fragment`` only what changes comes back."""
    ctx = _context(at, taken=_taken(request))
    fragment = "X-Fragment" in request.headers
    return render(request, "replays/_deal.html" if fragment else "replays/deal.html", ctx)


def match_at(at: At, number: str = "") -> TableMatch | None:
    """Return a match of the table by its number, the newest without one."""
    if not number:
        return evenings.current_match(at.table)
    matches = at.table.matches.select_related("table__evening", "upload")
    return matches.filter(number=number).first() if _NUMBER.fullmatch(number) else None


def _context(
    at: At,
    *,
    taken: dict[str, str] | None = None,
    problems: list[str] | None = None,
    fields: Mapping[str, str] | None = None,
    key: str = "",
) -> dict[str, Any]:
    match = match_at(at)
    ctx: dict[str, Any] = {"at": at, "table": at.table, "evening": at.table.evening, "match": match}
    ctx["problems"] = problems or []
    ctx["money"] = at.viewer.club.money
    if match is None or match.locked_at is not None:
        ctx |= _starting(at)
    if match is None:
        return ctx
    state = state_of(match)
    if state.winner is not None:
        ctx |= _starting(at)
    until = deals.corrections_end(match)
    return ctx | {
        "state": state,
        "title": _("Deal %s") % state.next_number,
        "format": format_words(match.format),
        "open": match.locked_at is None and state.winner is None,
        "winner": state.name(state.winner) if state.winner else "",
        "nobody": state.law.choice("wrong_declaration") == "end",
        "limit": state.law.limit("limit") if state.kind == "pool" else None,
        "least_out": _least_out(state),
        "most": state.law.limit("cap"),
        "rows": [_row(state, seat, taken or {}, fields or {}) for seat in state.seats],
        "marks": state.marks,
        "key": key or secrets.token_urlsafe(12),
        "fields": fields or {},
        "wild": (taken or {}).get("wild", "")[:3],
        "entries": [_entry(state, each, pays=ctx["money"]) for each in reversed(state.deals)],
        "waiting": [
            each.entry
            for each in state.live
            if each.entry.state == "entered"
            and deals.may_confirm(at.viewer, each.entry, device=at.device)
        ],
        "unconfirmed": sum(each.entry.state == "entered" for each in state.live),
        "can_correct": deals.may_correct(at.viewer, match),
        "until": until,
        "still_open": until is not None and timezone.now() < until,
    }


def _starting(
    at: At, *, typed: Starting | None = None, wrong: Mapping[str, str] | None = None
) -> dict[str, Any]:
    typed = typed or Starting({})
    return {
        "roster": [
            {
                "ref": player.ref,
                "name": player.name,
                "chosen": player.ref in typed.chosen,
                "seat": typed.seat_typed(player.ref),
            }
            for player in evenings.roster(at.table.evening)
        ],
        "starting": True,
        "kinds": [(value, label, value == typed.kind) for value, label in KINDS],
        "typed": typed,
        "wrong": wrong or {},
    }


def _least_out(state: MatchState) -> int | None:
    if state.kind != "pool":
        return None
    return state.law.number("limit") + (state.law.choice("pool_out") == "exceed")


def _row(
    state: MatchState, seat: int, taken: dict[str, str], fields: Mapping[str, str]
) -> dict[str, Any]:
    away = "out" if seat in state.out else "left" if seat in state.left else ""
    return {
        "seat": seat,
        "name": state.name(seat),
        "total": state.total(seat),
        "away": away,
        "returns_at": state.may_rejoin if away == "out" else None,
        "may_return": away == "left" or (away == "out" and state.may_rejoin is not None),
        "points": taken.get(f"p{seat}", ""),
        "mark": taken.get(f"m{seat}", ""),
        "shown": taken.get(f"shown{seat}", ""),
        "problem": fields.get(f"p{seat}", ""),
        "won": taken.get("winner") == str(seat),
        "back": str(seat) in taken.get("back", "").split(","),
    }


def _entry(state: MatchState, each: Entered, *, pays: bool) -> dict[str, Any]:
    entry, score = each.entry, each.score
    row = next(
        (row for row in (state.report.rows if state.report else ()) if row.hand == entry.log.name),
        None,
    )
    before = _out_before(state, entry)
    players = state.players_of(entry)
    cells = []
    for seat in state.seats:
        mark = ((score.marks if score else None) or {}).get(seat, "")
        cells.append(
            {
                "name": state.name(seat),
                "played": seat in players,
                "points": ((score.points if score else None) or {}).get(seat),
                "won": mark == "won",
                "mark": _SHORT.get(mark, ""),
                "total": row.totals.get(seat) if row else None,
                "out": bool(row) and seat in row.out and seat not in before,
            }
        )
    return {
        "entry": entry,
        "cells": cells,
        "corrected": each.is_corrected,
        "findings": [
            {
                "shape": finding_items.SHAPES[finding.severity],
                "severity": finding.severity,
                **finding_items.finding_item(finding, state.law.family, state.names),
            }
            for finding in ([] if entry.taken_back else told(state.findings_at(each), money=pays))
        ],
    }


def _out_before(state: MatchState, entry: DealEntry) -> set[int]:
    out: set[int] = set()
    for row in state.report.rows if state.report else ():
        if row.hand == entry.log.name:
            break
        out = set(row.out)
    return out


def _taken(request: HttpRequest) -> dict[str, str]:
    """Return what the show pad hands back for the form."""
    return {name: value[:300] for name, value in request.GET.items()}


# --- entering ----------------------------------------------------------------------------------


@require_POST
def enter(request: HttpRequest, at: At) -> HttpResponse:
    """Keep a deal; a script is told in JSON what became of it, a person sees the page."""
    number, key = request.POST.get("number", ""), request.POST.get("key", "").strip()
    status, say, fields = "kept", _("Deal %s is kept.") % number, dict[str, str]()
    try:
        _enter(request, at)
    except DealProblemsError as error:
        status, say, fields = "incomplete", str(error), error.fields
    except AlreadyEnteredError as error:
        status, say = ("same" if error.same else "differs"), _already(error)
    except NotPossibleError as error:
        status, say = "refused", str(error)
    if "X-Fragment" in request.headers:
        html = render_to_string("replays/_deal.html", _context(at), request)
        return JsonResponse({"status": status, "say": plain(say), "html": plain_page(html)})
    if status == "kept":
        messages.success(request, say)
        return redirect(at.base)
    taken = {name: request.POST.get(name, "") for name in request.POST}
    taken["back"] = ",".join(request.POST.getlist("back"))
    # As another deal it is sent under another key.
    problems = [] if fields else [say]
    ctx = _context(at, taken=taken, problems=problems, fields=fields, key=key if fields else "")
    wrong = HTTPStatus.UNPROCESSABLE_ENTITY if fields else HTTPStatus.CONFLICT
    return render(request, "replays/deal.html", ctx, status=wrong)


def _enter(request: HttpRequest, at: At) -> None:
    match = match_at(at, request.POST.get("match", ""))
    number, key = request.POST.get("number", ""), request.POST.get("key", "").strip()
    if match is None or not key or not _NUMBER.fullmatch(number):
        raise NotPossibleError(_gone())
    deals.enter_deal(
        viewer=at.viewer,
        match=match,
        key=key,
        number=int(number),
        typed=typed_of(request),
        device=at.device,
    )


def _gone() -> str:
    """Say that a form is of a match that is not at this table (any more)."""
    return _(
        "This page was of a match that is not at this table any more: its players were chosen "
        "anew, or the page is old. Look at the table as it is now, then enter it again."
    )


def _already(error: AlreadyEnteredError) -> str:
    named = {"deal": error.entry.number}
    if error.same:
        return _("Deal %(deal)s is here already, with the same numbers.") % named
    return (
        _(
            "Deal %(deal)s has come in from another phone, with other numbers. Look at it below, "
            "then drop yours or enter it as the next deal."
        )
        % named
    )


def whole(text: str) -> int:
    """Return a small number as it was sent, 0 where it is none."""
    return int(text) if _NUMBER.fullmatch(text) else 0


def typed_of(request: HttpRequest) -> Typed:
    """Return what the form of a deal holds."""
    points: dict[int, int] = {}
    marks: dict[int, str] = {}
    shown: dict[int, str] = {}
    for seat in range(1, 13):
        own = request.POST.get(f"p{seat}", "").strip()
        if own:
            # What is no number is out of every range, and the answer says so.
            points[seat] = int(own) if _NUMBER.fullmatch(own) else -1
        mark = request.POST.get(f"m{seat}", "")
        if mark in _MARK_NAMES:
            marks[seat] = mark
        if text := request.POST.get(f"shown{seat}", "").strip():
            shown[seat] = text
    winner = request.POST.get("winner", "")
    back = frozenset(int(each) for each in request.POST.getlist("back") if _NUMBER.fullmatch(each))
    return Typed(
        winner=int(winner) if _NUMBER.fullmatch(winner) else None,
        points=points,
        marks=marks,
        back=back,
        shown=shown,
    )


# --- confirming and locking --------------------------------------------------------------------


@require_POST
def confirm(request: HttpRequest, at: At) -> HttpResponse:
    """Confirm deals that somebody else entered, as they stood on the page."""
    match = match_at(at, request.POST.get("match", ""))
    if match is None:
        messages.error(request, _gone())
        return redirect(at.base)
    places = {
        int(name[1:]): whole(value)
        for name, value in request.POST.items()
        if re.fullmatch(r"c[0-9]{1,4}", name)
    }
    try:
        done = deals.confirm_deals(
            viewer=at.viewer,
            match=match,
            places=places,
            device=at.device,
            seat=whole(request.POST.get("seat", "")),
        )
    except NotPossibleError as error:
        messages.error(request, str(error))
    else:
        said = ngettext("%s deal is confirmed.", "%s deals are confirmed.", done)
        messages.success(request, said % done)
    return redirect(at.base)


@require_POST
def lock(request: HttpRequest, at: At) -> HttpResponse:
    """End the match's time for corrections."""
    match = match_at(at, request.POST.get("match", ""))
    if match is None:
        messages.error(request, _gone())
        return redirect(at.base)
    try:
        deals.lock_match(viewer=at.viewer, match=match)
    except NotPossibleError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("The match is locked. Only a referee can correct it now."))
    return redirect(at.base)


@require_POST
def start(request: HttpRequest, at: At) -> HttpResponse:
    """Start the next match at this table."""
    typed = Starting(request.POST)
    try:
        evenings.start_match(
            viewer=at.viewer,
            table=at.table,
            match_format=typed.format(),
            refs=typed.seated(),
            stakes={name: typed.stake(name) for name in STAKES},
        )
    except NotPossibleError as error:
        # What was typed stays, and the sentence stands at its field.
        ctx = _context(at) | _starting(at, typed=typed, wrong={error.field or "kind": str(error)})
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return render(request, "replays/deal.html", ctx, status=status)
    return redirect(at.base)


@require_POST
def drop(request: HttpRequest, at: At) -> HttpResponse:
    """Remove a match in which nothing was entered yet, to choose its players again."""
    match = match_at(at)
    if match is not None:
        try:
            evenings.drop_match(viewer=at.viewer, match=match)
        except NotPossibleError as error:
            messages.error(request, str(error))
    return redirect(at.base)
