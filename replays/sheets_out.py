"""Tables out: CSV that no spreadsheet takes for a formula, and the empty score sheet."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence

from defusedcsv import csv
from django.http import HttpResponse
from django.utils.translation import gettext as _

# Beside what defusedcsv knows: a tab or a line end before the sign hides it from a rule of the
# first character, and spreadsheets drop both.
_HIDDEN = re.compile(r"[\x00-\x1f\x7f]+")
# The wide forms are signs too where such letters are typed.
_SIGNS = ("=", "+", "-", "@", "|", "%", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_NUMBERED = 40

Cell = str | int | None


def safe(text: str) -> str:
    """Return text that a spreadsheet shows and does not run.

    >>> safe("=1+1"), safe(" @SUM(A1)"), safe("Asha")
    ("'=1+1", "'@SUM(A1)", 'Asha')
    """
    seen = _HIDDEN.sub(" ", text).strip()
    return f"'{seen}" if seen.startswith(_SIGNS) or seen[:1] == "'" else seen


def csv_of(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """Return a table as CSV in UTF-8 with its mark, so that spreadsheets read its letters."""
    out = io.StringIO(newline="")
    # The plain writer of defusedcsv marks what is left, such as a number written as text.
    writer = csv.writer(out, lineterminator="\r\n")
    for row in [header, *rows]:
        writer.writerow([safe(cell) if isinstance(cell, str) else cell for cell in row])
    return out.getvalue().encode("utf-8-sig")


def csv_response(name: str, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> HttpResponse:
    """Answer with a table as a CSV file of this name."""
    response = HttpResponse(csv_of(header, rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def template_rows(players: int) -> list[list[Cell]]:
    """Return the empty score sheet: a column a player, a row a deal, all numbered."""
    names = [_("Player %(number)s") % {"number": number} for number in range(1, players + 1)]
    return [[_("Deal"), *names], *[[number] for number in range(1, _NUMBERED + 1)]]


def template_csv(players: int) -> bytes:
    """Return the empty score sheet as CSV."""
    header, *rows = template_rows(players)
    return csv_of([str(cell) for cell in header], rows)


def template_xlsx(players: int) -> bytes:
    """Return the empty score sheet as a workbook, with what to write on a sheet of its own."""
    import openpyxl  # noqa: PLC0415 - takes its time to load, and few ask for it
    from openpyxl.styles import Alignment, Font  # noqa: PLC0415 - as above

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = _("Deals")
    for row in template_rows(players):
        sheet.append(row)
    sheet.freeze_panes = "B2"
    for cell in sheet[1]:
        cell.font = Font(bold=True)
        cell.alignment = Alignment(horizontal="center")
    how = book.create_sheet(_("How"))
    for line in how_to_write():
        how.append([line])
    how.column_dimensions["A"].width = 90
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def how_to_write() -> list[str]:
    """Return what a person must know to fill the sheet in, a sentence a line."""
    return [
        _("One row a deal, one column a player. Write the players' names over the numbers."),
        _("Write the points of the deal; the winner has 0."),
        _("Or a word: drop, middle drop, wrong, full, left, absent, won. A number may go with it."),
        _("Write “rejoin” beside the points of the first deal after buying in again."),
        _("Leave cells empty once a player is out. A row that begins with “Total” is no deal."),
    ]
