"""The page that corrects a deal: what would move is shown before anything is saved."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from replays import deals, finding_items
from replays.deals import ChangedMeanwhileError, DealProblemsError, Typed
from replays.evenings import NotPossibleError
from replays.knock_on import KnockOn
from replays.matches_at_tables import state_of
from replays.models import DealEntry
from replays.money import shown_to, told
from replays.views.deals import match_at, typed_of, whole
from replays.views.tables import At


def _entry_at(at: At, match: str, place: int) -> DealEntry:
    found = match_at(at, match)
    entry = found and found.deals.filter(place=place).select_related("log", "match").first()
    if not entry:
        raise Http404
    return entry


@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HttpRequest, at: At, match: str, place: int) -> HttpResponse:
    """Correct a deal, or take it back: what would move is shown before anything is saved."""
    entry = _entry_at(at, match, place)
    step = request.POST.get("step", "") if request.method == "POST" else ""
    take_back = request.POST.get("take_back") == "yes" or step == "take-back"
    typed = None if take_back else typed_of(request)
    problems: list[str] = []
    fields: dict[str, str] = {}
    found = None
    status = HTTPStatus.OK
    if step == "save":
        try:
            deals.correct(
                viewer=at.viewer,
                entry=entry,
                typed=typed,
                reason=request.POST.get("reason", ""),
                version=whole(request.POST.get("version", "")),
                device=at.device,
            )
        except DealProblemsError as error:
            fields = error.fields
        except NotPossibleError as error:
            fields, problems = (
                ({error.field: str(error)}, []) if error.field else ({}, [str(error)])
            )
        except ChangedMeanwhileError:
            problems = [_("Somebody has corrected this deal meanwhile. Look at it again below.")]
        else:
            done = _("Deal %s is taken back.") if take_back else _("Deal %s is corrected.")
            messages.success(request, done % entry.number)
            return redirect(at.base)
        status = HTTPStatus.CONFLICT
    if step:
        entry.log.refresh_from_db()
        try:
            found = deals.preview(viewer=at.viewer, entry=entry, typed=typed)
        except DealProblemsError as error:
            fields, status = error.fields | fields, HTTPStatus.UNPROCESSABLE_ENTITY
    return render(
        request,
        "replays/deal_correct.html",
        _correcting(at, entry, typed=typed if step else None, sent=request.POST, fields=fields)
        | {
            "problems": problems,
            "fields": fields,
            "take_back": take_back,
            "found": found and _moved(found, pays=shown_to(at.viewer)),
        }
        | {"reason": request.POST.get("reason", ""), "asked": bool(step)},
        status=status,
    )


def _correcting(
    at: At,
    entry: DealEntry,
    *,
    typed: Typed | None,
    sent: Mapping[str, str],
    fields: Mapping[str, str],
) -> dict[str, Any]:
    state = state_of(entry.match)
    there = next(each for each in state.deals if each.entry.pk == entry.pk)
    score = there.score
    written = (score.points if score else None) or {}
    marks = (score.marks if score else None) or {}
    winner = score.winner if score else None
    if typed is not None:
        written, marks, winner = dict(typed.points), dict(typed.marks), typed.winner
    rows = [
        {
            "seat": seat,
            "name": state.name(seat),
            "points": ""
            if seat == winner
            else (sent.get(f"p{seat}", "") if typed else written.get(seat, "")),
            "problem": fields.get(f"p{seat}", ""),
            "mark": marks.get(seat, ""),
            "won": seat == winner,
            "away": "",
        }
        for seat in state.players_of(entry)
    ]
    live = state.live
    return {
        "at": at,
        "table": at.table,
        "match": entry.match,
        "entry": entry,
        "rows": rows,
        "marks": state.marks,
        "nobody": state.law.choice("wrong_declaration") == "end",
        "is_last": bool(live) and live[-1].entry.pk == entry.pk,
        "amendments": deals.amendments_of(entry),
        "can_correct": deals.may_correct(at.viewer, entry.match) and not entry.taken_back,
    }


def _moved(found: KnockOn, *, pays: bool) -> dict[str, Any]:
    """Return a knock-on in words: whose total, who is out, who wins, what is said of the match."""
    name = lambda seat: found.names.get(seat) or _("seat %s") % seat  # noqa: E731
    before, after = found.before, found.after
    lines = []
    if found.newly_out:
        lines.append(_("Out: %s.") % ", ".join(map(name, found.newly_out)))
    if found.back_in:
        lines.append(_("No longer out: %s.") % ", ".join(map(name, found.back_in)))
    if found.winner_changes and after.winner:
        lines.append(_("%s wins the match.") % name(after.winner))
    elif found.winner_changes:
        lines.append(_("%s has not won the match: it goes on.") % name(before.winner))
    family = after.match.family if after.match else ""
    return {
        "totals": [(name(seat), old, new) for seat, old, new in found.totals],
        "lines": lines,
        "quiet": found.is_quiet,
        "new": [
            finding_items.finding_item(finding, family, found.names)["message"]
            for finding in told((each.finding for each in found.new_findings), money=pays)
        ],
        "gone": [
            finding_items.finding_item(finding, family, found.names)["message"]
            for finding in told((each.finding for each in found.gone_findings), money=pays)
        ],
    }
