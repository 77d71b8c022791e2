"""Pages of score sheets: send one, look at how it was read, take its deals in."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from replays import rulesets_of_clubs, sheets, sheets_out
from replays.access import Viewer, needs
from replays.live import AppendError
from replays.models import ScoreSheet
from replays.models.people import Scope
from replays.sheets_deals import Reading, Settings, read_table
from replays.sheets_read import MOST_BYTES, Grid, SheetError
from replays.sheets_tables import DEAL, IGNORE, PLAYER, TOTAL, Column, Table
from replays.wording import format_words
from rummy_audit.rules.rulesets import RulesetError

_NEWEST = 10
_FORMAT = re.compile(r"points|target|pool-[0-9]{1,6}|deals-[0-9]{1,3}")
_NAME = re.compile(r"[^\x00-\x1f]{1,100}")
FORMATS = ("pool-101", "pool-201", "pool-61", "points", "target", "deals-2", "deals-3", "deals-6")
STATES = {
    "new": gettext_lazy("new"),
    "same": gettext_lazy("already here"),
    "amended": gettext_lazy("already here, amended"),
    "differs": gettext_lazy("differs"),
}


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Scope.HANDS_WRITE)
def sheet_list(request: HttpRequest) -> HttpResponse:
    """Send a score sheet, as a file or pasted from a spreadsheet."""
    wrong = ""
    if request.method == "POST":
        file = request.FILES.get("file")
        text = request.POST.get("text", "")
        try:
            # One byte more than may be: a larger file is refused without being read.
            content = file.read(MOST_BYTES + 1) if file else text.encode()
            name = (file.name if file else "") or _("pasted table")
            kept = sheets.keep(viewer=request.viewer, content=content, file=name)
            return redirect("sheet", kept.public_id)
        except SheetError as error:
            wrong = str(error)
    ctx = {
        "wrong": wrong,
        "newest": ScoreSheet.objects.for_user(request.viewer).order_by("-id")[:_NEWEST],
        "how": sheets_out.how_to_write(),
    }
    return render(request, "replays/sheets.html", ctx, status=400 if wrong else 200)


@require_safe
@needs(Scope.HANDS_WRITE)
def sheet_template(request: HttpRequest, form: str) -> HttpResponse:
    """The empty score sheet to take away."""
    asked = request.GET.get("players", "")
    players = int(asked) if asked in {str(number) for number in range(2, 13)} else 6
    if form == "csv":
        content, kind = sheets_out.template_csv(players), "text/csv; charset=utf-8"
    elif form == "xlsx":
        kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        content = sheets_out.template_xlsx(players)
    else:
        raise Http404
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="score-sheet.{form}"'
    return response


def _get_sheet_for_user(request: HttpRequest, public_id: str) -> ScoreSheet:
    return get_object_or_404(ScoreSheet.objects.for_user(request.viewer), public_id=public_id)


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Scope.HANDS_WRITE)
def sheet(request: HttpRequest, public_id: str) -> HttpResponse:
    """How a sheet was read, with what is odd beside its cells; then its deals are taken in."""
    kept = _get_sheet_for_user(request, public_id)
    tables = sheets.tables(bytes(kept.body))
    if request.method == "POST":
        kept.chosen = _chosen(request, tables)
        kept.save(update_fields=["chosen"])
        if _format(request) is None:
            said = _("Write its limit, or how many deals are played, beside the format.")
            messages.error(request, said)
        elif request.POST.get("do") == "take":
            _take(request, kept, tables)
        return redirect("sheet", kept.public_id)
    return render(request, "replays/sheet.html", _context(request, kept, tables))


def _rules(viewer: Viewer) -> list[tuple[str, str]]:
    return rulesets_of_clubs.to_choose(viewer, timezone.localdate())


def _format(request: HttpRequest) -> str | None:
    """Return the format that was chosen, or nothing; None: its limit or number is missing."""
    played = request.POST.get("format", "")
    if played in ("pool", "deals"):
        whole = f"{played}-{request.POST.get('of', '').strip()}"
        return whole if _FORMAT.fullmatch(whole) else None
    return played if _FORMAT.fullmatch(played) else ""


def _chosen(request: HttpRequest, tables: list[tuple[Grid, Table]]) -> dict[str, Any]:
    """Return what a person has said about a sheet, as it is kept."""
    post = request.POST
    said = {name: post.get(name, "").strip() for name in ("match", "event", "table")}
    chosen: dict[str, Any] = {name: text for name, text in said.items() if _NAME.fullmatch(text)}
    if played := _format(request):
        chosen["format"] = played
    if post.get("ruleset") in dict(_rules(request.viewer)):
        chosen["ruleset"] = post["ruleset"]
    which = post.get("which", "")
    number = int(which) if which in {str(each) for each in range(len(tables))} else 0
    chosen["which"] = number
    # A box that is not ticked is not sent.
    chosen["roster"] = "roster" in post or "was" not in post
    # Columns and the match belong to one table: another one is read by itself.
    if post.get("was", which) != which:
        chosen.pop("match", None)
    elif any(key.startswith("kind-") for key in post):
        chosen["columns"] = [
            [index, post.get(f"kind-{index}", ""), post.get(f"name-{index}", "")]
            for index in (column.index for column in tables[number][1].columns)
        ]
    return chosen


def _reading(
    viewer: Viewer, kept: ScoreSheet, tables: list[tuple[Grid, Table]]
) -> tuple[Grid, Reading]:
    chosen = kept.chosen
    grid, table = tables[min(chosen.get("which", 0), len(tables) - 1)]
    ruleset = chosen.get("ruleset") or _rules(viewer)[0][0]
    settings = Settings(
        match=chosen.get("match") or sheets.match_name(kept.file, table),
        ruleset=ruleset,
        own=sheets.own_rules(viewer, ruleset),
        format=chosen.get("format") or FORMATS[0],
        event=chosen.get("event", ""),
        table=chosen.get("table", ""),
    )
    columns = _columns(table, chosen.get("columns"))
    if chosen.get("roster", True):
        names = [column.name for column in columns if column.kind == PLAYER]
        settings = replace(settings, refs=sheets.on_roster(viewer, names))
    try:
        return grid, read_table(grid, table, settings, columns=columns)
    except RulesetError:
        fallback = replace(settings, ruleset="indian-13", own=None, format="points")
        reading = read_table(grid, table, fallback, columns=columns)
        reading.problems[-1, -1] = _(
            "This game is not played as %(format)s: choose another format or other rules below."
        ) % {"format": format_words(settings.format)}
        return grid, reading


def _columns(table: Table, chosen: list[list[Any]] | None) -> list[Column]:
    """Return the columns as a person has set them."""
    if not chosen:
        return table.columns
    names = {index: str(name).strip()[:100] for index, _kind, name in chosen}
    columns = []
    for index, kind, _name in chosen:
        whose = re.fullmatch(r"total-([0-9]{1,2})", str(kind))
        if whose:
            columns.append(Column(index, TOTAL, names.get(int(whose[1]), "")))
        else:
            known = kind if kind in (PLAYER, DEAL) else IGNORE
            columns.append(Column(index, known, names[index]))
    return columns


def _take(request: HttpRequest, kept: ScoreSheet, tables: list[tuple[Grid, Table]]) -> None:
    _grid, reading = _reading(request.viewer, kept, tables)
    if reading.problems or not reading.deals:
        messages.error(request, _("Nothing was taken in yet: first see to what is marked below."))
        return
    upload = sheets.take(viewer=request.viewer, sheet=kept, reading=reading)
    new, differ, refused = (
        (upload.created, upload.conflict, upload.rejected) if upload else (0, 0, 0)
    )
    said = [ngettext("%(count)s new deal.", "%(count)s new deals.", new) % {"count": new}]
    if here := len(reading.deals) - new - differ - refused:
        said.append(
            ngettext("%(count)s is here already.", "%(count)s are here already.", here)
            % {"count": here}
        )
    if differ:
        said.append(
            ngettext("%(count)s differs, see below.", "%(count)s differ, see below.", differ)
            % {"count": differ}
        )
    if refused:
        said.append(
            ngettext("%(count)s could not be taken.", "%(count)s could not be taken.", refused)
            % {"count": refused}
        )
    messages.info(request, " ".join(said))


@require_POST
@needs(Scope.HANDS_WRITE)
def sheet_amend(request: HttpRequest, public_id: str) -> HttpResponse:
    """Amend one stored deal to what the sheet says."""
    kept = _get_sheet_for_user(request, public_id)
    _grid, reading = _reading(request.viewer, kept, sheets.tables(bytes(kept.body)))
    number = request.POST.get("number", "")
    reason = " ".join(request.POST.get("reason", "").replace("\0", "").split())[:200]
    if not reason:
        messages.error(request, _("Say why the deal is amended; the first entry stays visible."))
    elif not re.fullmatch(r"[0-9]{1,6}", number):
        raise Http404
    else:
        try:
            sheets.amend_deal(
                viewer=request.viewer, reading=reading, number=int(number), reason=reason
            )
        except LookupError:
            raise Http404 from None
        except AppendError:
            said = _("Deal %(number)s has changed meanwhile: look at it again.")
            messages.error(request, said % {"number": number})
        else:
            messages.info(request, _("Deal %(number)s is amended.") % {"number": number})
    return redirect("sheet", kept.public_id)


# --- what the preview shows --------------------------------------------------------------------


def _context(
    request: HttpRequest, kept: ScoreSheet, tables: list[tuple[Grid, Table]]
) -> dict[str, Any]:
    grid, reading = _reading(request.viewer, kept, tables)
    planned = sheets.plan(request.viewer, reading) if reading.deals else []
    states = {each.deal.row: each for each in planned}
    of = reading.settings
    count = sum(each.state == "new" for each in planned)
    return {
        "kept": kept,
        "reading": reading,
        "notes": [*grid.notes, *reading.table.notes],
        "general": [
            text for (row, column), text in reading.problems.items() if (row, column) == (-1, -1)
        ],
        "tables": [
            {
                "number": number,
                "title": each.title or _("Table %(n)s") % {"n": number + 1},
                "first": each.header + 1,
                "last": each.last + 1,
            }
            for number, (_grid, each) in enumerate(tables)
        ],
        "which": min(kept.chosen.get("which", 0), len(tables) - 1),
        "formats": [(each, format_words(each)) for each in dict.fromkeys((*FORMATS, of.format))],
        "rulesets": _rules(request.viewer),
        "columns": [_column_item(reading, column) for column in reading.columns],
        "players": [
            {"index": each.index, "name": each.name, "total_kind": f"total-{each.index}"}
            for each in reading.columns
            if each.kind == PLAYER
        ],
        "head": [_name_of(column) for column in reading.columns],
        "rows": [_row_item(grid, reading, row, states.get(row)) for row in _shown(reading)],
        "count": count,
        "on_roster": [name for name in reading.names.values() if name in of.refs],
        "strangers": [name for name in reading.names.values() if name not in of.refs],
        "roster": kept.chosen.get("roster", True),
        "ready": not reading.problems and bool(reading.deals),
        "differing": [
            _difference_item(reading, each) for each in planned if each.state == "differs"
        ],
        "match_log": next((each.log for each in planned if each.log), None),
    }


def _shown(reading: Reading) -> list[int]:
    totals = reading.table.totals_row
    taken = {deal.row for deal in reading.deals} | {row for row, _column in reading.problems}
    rows = [row for row in reading.table.rows if row in taken]
    return [*rows, *([totals] if totals is not None else [])]


def _name_of(column: Column) -> str:
    if column.kind == DEAL:
        return _("Deal")
    if column.kind == TOTAL:
        return _("total of %(who)s") % {"who": column.name}
    return column.name or _("column %(letter)s") % {"letter": _letter(column.index)}


def _letter(index: int) -> str:
    return chr(65 + index) if index < 26 else f"A{chr(39 + index)}"  # noqa: PLR2004 - letters


def _column_item(reading: Reading, column: Column) -> dict[str, Any]:
    players = {each.name: each.index for each in reading.columns if each.kind == PLAYER}
    kind = (
        f"total-{players.get(column.name, column.index)}" if column.kind == TOTAL else column.kind
    )
    return {
        "index": column.index,
        "letter": _letter(column.index),
        "kind": kind,
        "name": column.name,
        "problem": reading.problems.get((-1, column.index), ""),
    }


def _row_item(grid: Grid, reading: Reading, row: int, planned: Any) -> dict[str, Any]:
    cells = grid.rows[row]

    def beside(column: int) -> dict[str, str]:
        place = row, column
        return {
            "problem": reading.problems.get(place, ""),
            "warning": reading.warnings.get(place, ""),
        }

    return {
        "number": row + 1,
        "cells": [
            {
                "text": cells[each.index] if each.index < len(cells) else "",
                "of": _name_of(each),
                **beside(each.index),
            }
            for each in reading.columns
        ],
        **beside(-1),
        "state": planned.state if planned else "",
        "label": STATES[planned.state] if planned else "",
        "log": planned.log if planned else None,
    }


def _difference_item(reading: Reading, planned: Any) -> dict[str, Any]:
    what = {"points": "", "marks": _("mark"), "totals": _("total"), "plays": _("plays"),
            "rejoined": _("rejoined"), "format": _("format"), "ruleset": _("rules")}  # fmt: skip
    return {
        "deal": planned.deal.number,
        "log": planned.log,
        "can_amend": sheets.can_amend(planned),
        "cells": [
            {
                "who": " ".join(
                    filter(None, [reading.names.get(each.seat, ""), str(what[each.what])])
                ),
                "stored": "–" if each.stored is None else each.stored,
                "sheet": "–" if each.sheet is None else each.sheet,
            }
            for each in planned.differences
        ],
    }
