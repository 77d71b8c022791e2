"""Finding the table in a sheet: where its names stand, which column is whose, which rows are deals.

What is guessed here is shown before anything is taken in, and a person may change it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from replays.sheets_cells import TOTALS, entry_of, is_entry, number_of, plain, total_of
from replays.sheets_read import Grid, SheetError

DEAL, PLAYER, TOTAL, IGNORE = "deal", "player", "total", "ignore"
MOST_PLAYERS = 12

_DEAL_WORDS = frozenset(
    {
        "deal",
        "deals",
        "deal no",
        "deal number",
        "no",
        "nr",
        "#",
        "hand",
        "game",
        "round",
        "sr",
        "sr no",
        "s no",
        "sl",
        "sl no",
        "number",
    }
)
_OTHER_WORDS = frozenset(
    {
        "date",
        "time",
        "table",
        "dealer",
        "remarks",
        "remark",
        "note",
        "notes",
        "comment",
        "comments",
        "check",
        "signature",
        "winner",
        "joker",
        "wild",
    }
)
_POINTS_WORDS = frozenset({"points", "point", "pts", "score", "p", "deal", "game"})
_RUNNING_WORDS = frozenset({"total", "totals", "running", "running total", "sum", "t", "cum"})
_TOTAL_OF = re.compile(
    r"(?:(?P<before>.+) )?(?:running )?(?:total|sum)s?(?: (?:of )?(?P<after>.+))?"
)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: what it is, and the player's name it belongs to."""

    index: int
    kind: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a sheet: its columns, the rows of its deals, and its row of totals."""

    title: str
    header: int
    columns: list[Column]
    rows: list[int]
    totals_row: int | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def last(self) -> int:
        """The last row that belongs to it."""
        return max([*self.rows, self.totals_row or 0])


def tables_of(grid: Grid) -> list[Table]:
    """Return the tables of a sheet, one under another. Raises SheetError where there is none."""
    found = list(_tables(grid))
    if found:
        return found
    if any(map(_has_numbers, grid.rows)):
        raise SheetError(
            _(
                "No row of names was found above the numbers. Write the players' names in the "
                "row above the first deal, one name a column."
            )
        )
    raise SheetError(
        _(
            "No deals were found. Write the players' names in one row and below it one row a "
            "deal, with points or words such as “drop”; the template shows how."
        )
    )


def _has_numbers(row: Sequence[str]) -> bool:
    return any(map(is_entry, row))


def _is_header(row: Sequence[str]) -> bool:
    """Whether a row can be one of names: at least two words, and no number among them."""
    words = [cell for cell in row if cell]
    return len(words) > 1 and not any(total_of(cell) is not None for cell in words)


def _is_totals(row: Sequence[str]) -> bool:
    first = next((cell for cell in row if cell), "")
    return plain(first).rstrip(":. ") in TOTALS


def _tables(grid: Grid) -> Iterator[Table]:
    rows = grid.rows
    headers: list[int] = []
    deals: list[int] = []
    totals: int | None = None
    for number, row in enumerate([*rows, []]):
        is_last = number == len(rows)
        is_deal = _is_deal(row, headers=bool(headers))
        if not is_last and deals and _is_totals(row):
            totals = number
        elif is_deal:
            deals.append(number)
        elif is_last or _is_header(row):
            if deals:
                yield _table(grid, headers, deals, totals)
                headers, deals, totals = [], [], None
            if not is_last:
                headers = [*headers, number][-2:]


def _is_deal(row: Sequence[str], *, headers: bool) -> bool:
    if not headers or not _has_numbers(row) or _is_totals(row):
        return False
    # Marks are words too: a row of names has none of the others.
    words = [cell for cell in row if cell and total_of(cell) is None]
    numbers = [cell for cell in row if total_of(cell) is not None]
    return bool(numbers) or all(map(is_entry, words[1:]))


def _table(grid: Grid, headers: list[int], deals: list[int], totals: int | None) -> Table:
    rows = grid.rows
    header = headers[-1]
    below: Mapping[int, str] = {}
    words = [plain(cell) for cell in rows[header] if cell]
    if len(headers) > 1 and sum(word in _POINTS_WORDS | _RUNNING_WORDS for word in words) > 1:
        below = {index: plain(cell) for index, cell in enumerate(rows[header]) if cell}
        header = headers[-2]
    width = max(len(rows[number]) for number in [header, *deals])
    names = _names(rows[header], below, width)
    columns = [_column(grid, index, names, below, deals) for index in range(width)]
    _refuse_side_by_side(columns, rows[header])
    if not any(column.kind == DEAL for column in columns):
        columns = _first_counts(columns, rows, deals)
    notes = [
        _("“%(name)s” has no numbers: the column is left out.") % {"name": names[column.index]}
        for column in columns
        if column.kind == IGNORE and names[column.index] and _is_unused(rows, column.index, deals)
        and plain(names[column.index]) not in _OTHER_WORDS
    ]  # fmt: skip
    if totals is not None and totals < deals[-1]:
        notes.append(_("Row %(row)s holds sums: no deal.") % {"row": totals + 1})
        totals = None
    if totals is not None:
        notes.append(_("Row %(row)s holds the totals: no deal.") % {"row": totals + 1})
    title = " ".join(filter(None, [grid.name, _title(rows, header)]))
    return Table(title, header, columns, deals, totals, notes)


def _names(header: Sequence[str], below: Mapping[int, str], width: int) -> list[str]:
    """Return the name above each column; one that is merged over several stands over them all."""
    names, last = [], ""
    for index in range(width):
        own = header[index] if index < len(header) else ""
        last = own or (last if index in below else "")
        names.append(_unmarked(last))
    return names


def _unmarked(name: str) -> str:
    """Take away the mark that keeps a name from being a formula: spreadsheets and we write it."""
    return name[1:] if re.match("'[^\\w\\s]", name) else name


def _column(
    grid: Grid, index: int, names: list[str], below: Mapping[int, str], deals: list[int]
) -> Column:
    name, small = names[index], _word(names[index])
    under = below.get(index, "")
    if small in _DEAL_WORDS and under not in _RUNNING_WORDS:
        return Column(index, DEAL)
    if small in _OTHER_WORDS or small in TOTALS or _is_unused(grid.rows, index, deals):
        return Column(index, IGNORE)
    if under in _RUNNING_WORDS:
        return Column(index, TOTAL, name)
    found = _TOTAL_OF.fullmatch(small)
    if found and (whose := found["before"] or found["after"]):
        others = {plain(other): other for other in names}
        if whose in others and others[whose] != name:
            return Column(index, TOTAL, others[whose])
    return Column(index, PLAYER, name)


def _word(name: str) -> str:
    return " ".join(re.sub(r"[.:]", " ", plain(name)).split())


def _is_unused(rows: Sequence[Sequence[str]], index: int, deals: list[int]) -> bool:
    cells = (rows[number][index] for number in deals if index < len(rows[number]))
    return all(entry_of(cell).is_empty for cell in cells)


def _first_counts(
    columns: list[Column], rows: Sequence[Sequence[str]], deals: list[int]
) -> list[Column]:
    """Take a first column without a name for the numbers of the deals, if it counts up."""
    first = next((column for column in columns if column.kind == PLAYER), None)
    if first is None or first.name:
        return columns
    counted = [number_of(rows[number][first.index]) for number in deals]
    if None in counted or counted != sorted(set(counted)):  # type: ignore[type-var]
        return columns
    return [Column(each.index, DEAL) if each is first else each for each in columns]


def _refuse_side_by_side(columns: list[Column], header: Sequence[str]) -> None:
    deals = [header[column.index] for column in columns if column.kind == DEAL]
    if len(deals) > 1 and len({plain(cell) for cell in deals}) < len(deals):
        raise SheetError(
            _(
                "Two tables stand side by side. Put one below the other with an empty row "
                "between, or send them as two files."
            )
        )


def _title(rows: Sequence[Sequence[str]], header: int) -> str:
    """Return what stands alone in the row above the names, such as the table's name."""
    for row in reversed(rows[max(0, header - 2) : header]):
        words = [cell for cell in row if cell]
        if len(words) == 1 and total_of(words[0]) is None:
            return words[0]
    return ""
