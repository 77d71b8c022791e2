"""Score sheets as they come: CSV and XLSX files become plain tables of text, within bounds.

Nothing of a file is run or looked up: no formula, no macro, no link. A file is measured
before it is unpacked. What cannot be read is refused with a sentence that says what to do.
"""

from __future__ import annotations

import csv
import datetime
import io
import re
import warnings
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

MOST_BYTES = 2 * 1024 * 1024
MOST_ROWS = 500
MOST_COLUMNS = 40
MOST_SHEETS = 20
MOST_TEXT = 200
# Unpacked; a sheet of 500 rows and 40 columns has less than 2 MB.
MOST_UNPACKED = 8 * 1024 * 1024
MOST_PARTS = 200

_DELIMITERS = ",;\t|"
_CELL = re.compile(rb'<(?:\w+:)?c\b[^>]*?\br="([A-Z]{1,3})([0-9]{1,7})"[^>]*(?<!/)>')
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s>/]")
_ENTITY = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_KINDS = {
    b"\xd0\xcf\x11\xe0": "xls",
    b"%PDF": "pdf",
    b"\x89PNG": "picture",
    b"\xff\xd8\xff": "picture",
    b"GIF8": "picture",
}


class SheetError(Exception):
    """A file that is not read; its words say what to change."""


@dataclass(frozen=True, slots=True)
class Grid:
    """One sheet of a file: rows of text, what is wrong with single cells, and what to know."""

    name: str
    rows: list[list[str]]
    problems: dict[tuple[int, int], str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def read_file(content: bytes) -> list[Grid]:
    """Return the sheets of a CSV or XLSX file that have anything in them. Raises SheetError."""
    if len(content) > MOST_BYTES:
        raise SheetError(
            _("The file is larger than %(most)s MB. Send the score sheet alone, for one evening.")
            % {"most": MOST_BYTES >> 20}
        )
    if content.startswith(b"PK"):
        grids = _xlsx(content)
    else:
        _refuse_others(content)
        grids = [_csv(content)]
    found = [grid for grid in grids if any(map(any, grid.rows))]
    if not found:
        raise SheetError(
            _("There is nothing in this file. Write one row a deal and send it again.")
        )
    return found


def _refuse_others(content: bytes) -> None:
    kind = next((_KINDS[start] for start in _KINDS if content.startswith(start)), "")
    if kind == "xls":
        raise SheetError(
            _("This is an old Excel file, or one with a password. Save it as .xlsx or as CSV.")
        )
    if kind:
        raise SheetError(
            _("This is a picture or a printed page. Save the score sheet as .xlsx or as CSV.")
        )


# --- CSV ---------------------------------------------------------------------------------------


def _csv(content: bytes) -> Grid:
    text, notes = _decoded(content)
    text = text.replace("\0", "")
    if not re.search(r"\w", text):
        raise SheetError(_nothing())
    first, _line, rest = text.partition("\n")
    named = re.fullmatch(r"sep=(.)\r?", first)
    delimiter = named[1] if named else _delimiter(text)
    rows: list[list[str]] = []
    try:
        for row in csv.reader(
            io.StringIO(rest if named else text, newline=""), delimiter=delimiter
        ):
            if len(rows) == MOST_ROWS and any(map(str.strip, row)):
                raise SheetError(_too_many_rows())
            if len(row) > MOST_COLUMNS and any(map(str.strip, row[MOST_COLUMNS:])):
                raise SheetError(_too_many_columns())
            if len(rows) < MOST_ROWS:
                rows.append([_clean(cell) for cell in row[:MOST_COLUMNS]])
    except csv.Error as error:
        raise SheetError(
            _("Line %(line)s is not CSV: a quotation mark has no partner. Save the file anew.")
            % {"line": len(rows) + 1}
        ) from error
    return Grid("", rows, notes=notes)


def _decoded(content: bytes) -> tuple[str, list[str]]:
    """Return the text of a file: by its mark, as UTF-16 by its look, UTF-8 or Windows-1252."""
    for mark, encoding in (
        (b"\xef\xbb\xbf", "utf-8-sig"),
        (b"\xff\xfe", "utf-16"),
        (b"\xfe\xff", "utf-16"),
    ):
        if content.startswith(mark):
            return _decode(content, encoding), []
    for start, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        half = content[start:2000:2]
        if half and half.count(0) > len(half) * 0.6:
            return _decode(content, encoding), []
    if b"\0" in content:
        raise SheetError(_not_a_sheet())
    try:
        return content.decode(), []
    except UnicodeDecodeError:
        note = _("Read as Windows-1252. If names look wrong, save the file as CSV UTF-8.")
        return _decode(content, "cp1252"), [note]


def _decode(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise SheetError(
            _("Some letters of this file cannot be read. Save it as CSV UTF-8 or as .xlsx.")
        ) from error


def _delimiter(text: str) -> str:
    """Return what parts the columns: what gives most lines the same number of them."""
    lines = [line for line in text.splitlines() if line.strip()][:60]

    def weight(delimiter: str) -> tuple[int, int]:
        widths: Counter[int] = Counter()
        # A broken line is said by its number later, when all lines are read.
        with suppress(csv.Error):
            for row in csv.reader(lines, delimiter=delimiter):
                widths[len(row)] += len(row) > 1
        width, count = max(widths.items(), key=lambda each: (each[1], each[0]), default=(0, 0))
        return count, width

    best = max(_DELIMITERS, key=weight)
    if not weight(best)[0]:
        raise SheetError(
            _(
                "No columns were found. Part them by commas, semicolons or tabs: "
                "one column a player, one row a deal."
            )
        )
    return best


# --- XLSX --------------------------------------------------------------------------------------


def _xlsx(content: bytes) -> list[Grid]:
    import openpyxl  # noqa: PLC0415 - takes its time to load, and few ask for it
    from openpyxl.utils.exceptions import InvalidFileException  # noqa: PLC0415 - as above

    notes, has_formulas = _measure(content)
    try:
        with warnings.catch_warnings():
            # openpyxl tells of styles and extensions that it leaves out; none of them is read.
            warnings.simplefilter("ignore")
            books = [
                openpyxl.load_workbook(
                    io.BytesIO(content), read_only=True, data_only=values, keep_links=False
                )
                for values in ((True, False) if has_formulas else (True,))
            ]
            grids = [
                _grid(sheet, books[-1][sheet.title] if has_formulas else None, notes)
                for sheet in books[0].worksheets
                if sheet.sheet_state == "visible"
            ]
    except (
        InvalidFileException, zipfile.BadZipFile, zlib.error, KeyError, ValueError, TypeError,
        IndexError, AttributeError, SyntaxError, OSError, EOFError, NotImplementedError,
    ) as error:  # fmt: skip
        raise SheetError(
            _("This workbook is damaged. Open it in your spreadsheet program and save it anew.")
        ) from error
    return grids


def _measure(content: bytes) -> tuple[list[str], bool]:
    """Measure a workbook before anything of it is unpacked for good.

    Returns what to know about it, and whether there are formulas in it. The sizes that a
    zip file states hold: no more than that is ever unpacked of a part.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            names = {part.filename for part in parts}
            if "xl/workbook.xml" not in names:
                raise SheetError(
                    _("This is not an .xlsx workbook. Save the score sheet as .xlsx or as CSV.")
                )
            if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
                raise SheetError(
                    _(
                        "Unpacked, this workbook is far too large for a score sheet. "
                        "Copy the table alone into a new workbook and send that."
                    )
                )
            if any(part.flag_bits & 1 for part in parts):
                raise SheetError(_("This workbook has a password. Save it without one."))
            has_formulas = _look_into(archive, parts)
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError) as error:
        raise SheetError(
            _("This workbook is damaged. Open it in your spreadsheet program and save it anew.")
        ) from error
    macros = any(name.lower().endswith("vbaproject.bin") for name in names)
    return ([_("There are macros in this workbook; they were not looked at.")] if macros else []), (
        has_formulas
    )


def _look_into(archive: zipfile.ZipFile, parts: list[zipfile.ZipInfo]) -> bool:
    sheets, has_formulas = 0, False
    for part in parts:
        if not part.filename.endswith((".xml", ".rels", ".vml")):
            continue
        body = archive.read(part)
        # A workbook's XML is UTF-8 and declares no entities: whatever else is no score sheet.
        if _ENTITY.search(body) or b"\0" in body:
            raise SheetError(
                _("No spreadsheet program has made this workbook. Save it anew and send that.")
            )
        if not part.filename.startswith("xl/worksheets/") or part.filename.endswith(".rels"):
            continue
        sheets += 1
        has_formulas = has_formulas or bool(_FORMULA.search(body))
        for cell in _CELL.finditer(body):
            if int(cell[2]) > MOST_ROWS:
                raise SheetError(_too_many_rows())
            if _column_number(cell[1]) > MOST_COLUMNS:
                raise SheetError(_too_many_columns())
    if sheets > MOST_SHEETS:
        raise SheetError(
            _("There are more than %(most)s sheets in this workbook. Send those of one evening.")
            % {"most": MOST_SHEETS}
        )
    return has_formulas


def _column_number(letters: bytes) -> int:
    """Return the number of a column.

    >>> _column_number(b"A"), _column_number(b"AN")
    (1, 40)
    """
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def _grid(sheet: Any, with_formulas: Any, notes: list[str]) -> Grid:
    rows: list[list[str]] = []
    problems: dict[tuple[int, int], str] = {}
    formulas = iter(_cells(with_formulas)) if with_formulas is not None else None
    for number, row in enumerate(_cells(sheet)):
        behind = next(formulas, ()) if formulas is not None else ()
        rows.append(_without_end([_clean(_text(cell.value)) for cell in row]))
        for column, cell in enumerate(behind):
            is_empty = column >= len(row) or row[column].value is None
            if getattr(cell, "data_type", "") == "f" and is_empty:
                problems[number, column] = _(
                    "This formula has no result in the file. Open it in your spreadsheet "
                    "program and save it again, or write the number."
                )
    return Grid(sheet.title[:MOST_TEXT], rows, problems, list(notes))


def _without_end(cells: list[str]) -> list[str]:
    """Return cells without the empty ones behind the last: every row is read to the same width."""
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _cells(sheet: Any) -> Iterator[tuple[Any, ...]]:
    sheet.reset_dimensions()  # what a file says of its own size is not to be trusted
    yield from sheet.iter_rows(max_row=MOST_ROWS, max_col=MOST_COLUMNS)


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime | datetime.date):
        return value.isoformat()[:10]
    return str(value)


# --- both --------------------------------------------------------------------------------------


def _clean(text: str) -> str:
    """Return a cell's text on one line, without what cannot be seen."""
    seen = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * MOST_TEXT])
    return " ".join(seen.split())[:MOST_TEXT]


def _too_many_rows() -> str:
    return _("There are more than %(most)s rows. Send one evening a file, one row a deal.") % {
        "most": MOST_ROWS
    }


def _too_many_columns() -> str:
    return _(
        "There are more than %(most)s columns. Send one table a file, one column a player."
    ) % {"most": MOST_COLUMNS}


def _nothing() -> str:
    return _("There is nothing in this file. Write one row a deal and send it again.")


def _not_a_sheet() -> str:
    return _("This is not a score sheet. Save it as .xlsx or as CSV and send that.")
