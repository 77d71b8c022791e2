"""Pages of evenings: the list, one evening with its players and tables, the link of a table."""

from __future__ import annotations

import datetime
from typing import Any
from urllib.parse import urlsplit

import segno
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from replays import evenings, rulesets_of_clubs
from replays.access import needs
from replays.evening_forms import EveningForm
from replays.evenings import Named, NotPossibleError
from replays.matches_at_tables import MatchState, state_of
from replays.models import Evening, MatchRow, Player, Table
from replays.models.people import Scope
from replays.standings import as_told
from replays.wording import format_words

_MOST_NAMES = 10_000  # characters


@require_safe
@needs(Scope.HANDS_READ)
def evening_list(request: HttpRequest) -> HttpResponse:
    """Evenings, newest first."""
    rows = Evening.objects.for_user(request.viewer).order_by("-date", "-id")[:100]
    return render(request, "replays/evenings.html", {"evenings": rows})


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Scope.HANDS_WRITE)
def evening_new(request: HttpRequest) -> HttpResponse:
    """Make an evening: a name, a day, rules, and how long corrections are open."""
    today = timezone.localdate()
    form = EveningForm(
        request.POST or None,
        rules=rulesets_of_clubs.to_choose(request.viewer, today, family=evenings.FAMILY),
        referees=evenings.referees_of(request.viewer),
        initial=_like_the_last(request, today),
    )
    if request.method == "POST" and form.is_valid():
        try:
            made = evenings.make_evening(viewer=request.viewer, **form.verb())
        except NotPossibleError as error:
            form.add_error(None, str(error))
        else:
            return redirect("evening", made.public_id)
    return render(request, "replays/evening_new.html", {"form": form})


def _like_the_last(request: HttpRequest, today: datetime.date) -> dict[str, Any]:
    """Propose what the club's last evening had: most are like the one before."""
    last = Evening.objects.for_user(request.viewer).order_by("-date", "-id").first()
    proposed: dict[str, Any] = {"date": today, "correction_minutes": 30}
    if last is not None:
        proposed |= {
            "name": last.name,
            "ruleset": last.ruleset,
            "correction_minutes": last.correction_minutes,
            "referee": last.referee_id,
        }
    return proposed


def _get_evening_for_user(request: HttpRequest, public_id: str) -> Evening:
    mine = Evening.objects.for_user(request.viewer).select_related("club", "referee")
    return get_object_or_404(mine, public_id=public_id)


@require_safe
@needs(Scope.HANDS_READ)
def evening(request: HttpRequest, public_id: str) -> HttpResponse:
    """One evening: its tables with where they stand, its players, its rules."""
    return render(request, "replays/evening.html", _context(request, public_id))


def _context(request: HttpRequest, public_id: str) -> dict[str, Any]:
    one = _get_evening_for_user(request, public_id)
    roster = evenings.roster(one)
    there = {player.pk for player in roster}
    everybody = Player.objects.for_user(request.viewer).order_by("name", "pk")
    rows = MatchRow.objects.for_user(request.viewer).filter(source=evenings.SOURCE, event=one.key)
    matches = {row.name: row for row in as_told(request.viewer, rows)}
    return {
        "evening": one,
        "law": evenings.rules_of(one),
        "roster": roster,
        "others": [player for player in everybody if player.pk not in there and player.name],
        "tables": [_table(table, matches) for table in one.tables.order_by("pk")],
        "match_count": len(matches),
    }


def _table(table: Table, rows: dict[str, MatchRow]) -> dict[str, Any]:
    matches = []
    for match in table.matches.select_related("table__evening").order_by("-number"):
        state = state_of(match)
        matches.append(
            {
                "match": match,
                "row": rows.get(match.name),
                "format": format_words(match.format),
                "deals": len(state.live),
                "winner": state.name(state.winner) if state.winner else "",
                "totals": _totals(state),
                "unconfirmed": sum(each.entry.state == "entered" for each in state.live),
            }
        )
    return {"table": table, "matches": matches, "open": evenings.links_of(table).exists()}


def _totals(state: MatchState) -> list[dict[str, Any]]:
    return [
        {"name": state.name(seat), "total": state.total(seat), "out": seat in state.out}
        for seat in state.seats
    ]


@require_POST
@needs(Scope.HANDS_WRITE)
def players(request: HttpRequest, public_id: str) -> HttpResponse:
    """Put people on the evening's list, or take one off."""
    one = _get_evening_for_user(request, public_id)
    try:
        if ref := request.POST.get("remove", ""):
            evenings.remove_player(viewer=request.viewer, evening=one, ref=ref)
        else:
            lines = request.POST.get("names", "")[:_MOST_NAMES].splitlines()
            named = [each for line in lines if (each := Named.of_line(line))]
            refs = request.POST.getlist("player")
            evenings.add_players(viewer=request.viewer, evening=one, refs=refs, named=named)
    except NotPossibleError as error:
        return _not_done(request, public_id, error)
    return redirect("evening", one.public_id)


@require_POST
@needs(Scope.HANDS_WRITE)
def tables(request: HttpRequest, public_id: str) -> HttpResponse:
    """Set up a table."""
    one = _get_evening_for_user(request, public_id)
    try:
        evenings.add_table(viewer=request.viewer, evening=one, name=request.POST.get("name", ""))
    except NotPossibleError as error:
        return _not_done(request, public_id, error)
    return redirect("evening", one.public_id)


def _not_done(request: HttpRequest, public_id: str, error: NotPossibleError) -> HttpResponse:
    """Say why it could not be done; what was typed and ticked stays."""
    messages.error(request, str(error))
    typed = {**request.POST.dict(), "players": request.POST.getlist("player")}
    ctx = _context(request, public_id) | {"typed": typed}
    return render(request, "replays/evening.html", ctx, status=400)


# --- the link of a table -----------------------------------------------------------------------


def _get_table_for_user(request: HttpRequest, public_id: str) -> Table:
    mine = Table.objects.for_user(request.viewer).select_related("evening__club")
    return get_object_or_404(mine, public_id=public_id)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@needs(Scope.HANDS_WRITE)
def table_qr(request: HttpRequest, public_id: str) -> HttpResponse:
    """The QR code of a table: made new by a POST, seen once, ended by the next one."""
    table = _get_table_for_user(request, public_id)
    ctx: dict[str, Any] = {"table": table, "evening": table.evening}
    if request.method == "POST":
        _link, token = evenings.make_table_link(viewer=request.viewer, table=table)
        address = request.build_absolute_uri(reverse("table-link", args=[token]))
        code = segno.make(address, error="m").svg_inline(
            border=2, dark="#000", light="#fff", omitsize=True, title=_("QR code of this table")
        )
        # Made of our own address by a library; nothing that somebody typed is in it.
        ctx |= {"address": address, "qr": mark_safe(code)}  # noqa: S308
        ctx["only_here"] = urlsplit(address).hostname in ("127.0.0.1", "localhost", "::1")
    ctx["open"] = evenings.links_of(table).exists()
    return render(request, "replays/evening_qr.html", ctx)


@require_POST
@needs(Scope.HANDS_WRITE)
def table_link_end(request: HttpRequest, public_id: str) -> HttpResponse:
    """End the link of a table at once."""
    table = _get_table_for_user(request, public_id)
    evenings.end_table_link(viewer=request.viewer, table=table)
    messages.success(
        request, _("The link of %s is ended: no phone opens it any more.") % table.name
    )
    return redirect("evening", table.evening.public_id)
