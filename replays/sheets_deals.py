"""From a table of a score sheet to deals: who has what, what is odd, and the hands to take in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from replays.sheets_cells import CHARGES, Entry, entry_of, number_of, total_of
from replays.sheets_read import Grid
from replays.sheets_tables import DEAL, MOST_PLAYERS, PLAYER, TOTAL, Column, Table
from rummy_audit.rules import rulesets
from rummy_audit.rules.rulesets import Preset, Ruleset

_FEWEST = 2


@dataclass(frozen=True, slots=True)
class Settings:
    """What a sheet does not say by itself: the match, its format and rules, where it was played."""

    match: str
    ruleset: str = "indian-13"
    format: str = "pool-101"
    event: str = ""
    table: str = ""
    # Who on the roster a name is, as a person has confirmed.
    refs: Mapping[str, str] = field(default_factory=dict)
    # The club's own rules of that name, where they are not a preset of ours.
    own: Preset | None = None


@dataclass(frozen=True, slots=True)
class SheetDeal:
    """One deal of a sheet: its row and number, and what each seat has."""

    row: int
    number: int
    entries: dict[int, Entry]
    totals: dict[int, int]

    def score(self, charges: Mapping[str, int | None]) -> dict[str, Any]:
        """Return the score as the log writes it; a mark alone is charged by the rules."""
        points: dict[str, int] = {}
        for seat, entry in self.entries.items():
            charged = 0 if entry.mark == "won" else charges.get(entry.mark)
            value = entry.points if entry.points is not None else charged
            if value is not None and not (entry.mark == "absent" and entry.points is None):
                points[str(seat)] = value
        score: dict[str, Any] = {"seq": 1, "type": "score", "points": points}
        marks = {str(seat): each.mark for seat, each in self.entries.items() if each.mark}
        winners = [int(seat) for seat, mark in marks.items() if mark == "won"]
        if marks:
            score["marks"] = marks
        if len(winners) == 1:
            score["winner"] = winners[0]
        if self.totals:
            score["totals"] = {str(seat): total for seat, total in self.totals.items()}
        return score


@dataclass(frozen=True, slots=True)
class Reading:
    """A table read with its columns and settings: deals, warnings and problems by cell.

    Row and column count from 0; column -1 stands for a whole row, row -1 for a column.
    With a problem nothing is taken in.
    """

    table: Table
    columns: list[Column]
    settings: Settings
    names: dict[int, str]
    deals: list[SheetDeal]
    charges: dict[str, int | None]
    warnings: dict[tuple[int, int], str] = field(default_factory=dict)
    problems: dict[tuple[int, int], str] = field(default_factory=dict)

    def hand_id(self, deal: SheetDeal) -> str:
        """Return the id a deal's hand has, the same for every sheet of this match."""
        return f"{self.settings.match}-{deal.number}"

    def records(self, deal: SheetDeal) -> list[dict[str, Any]]:
        """Return the records of a deal's hand."""
        of = self.settings
        match: dict[str, Any] = {"id": of.match, "format": of.format, "deal": deal.number}
        if back := [seat for seat, entry in deal.entries.items() if entry.rejoined]:
            match["rejoined"] = back
        hand: dict[str, Any] = {
            "type": "hand",
            "rhl": 1,
            "id": self.hand_id(deal),
            "ruleset": of.ruleset,
            "detail": "scores",
            "players": [self._player(seat) for seat in deal.entries],
            "match": match,
        }
        if of.table:
            hand["table"] = of.table
        return [hand, deal.score(self.charges), {"type": "end", "status": "completed"}]

    def _player(self, seat: int) -> dict[str, Any]:
        name = self.names[seat]
        player: dict[str, Any] = {"seat": seat, "name": name}
        if ref := self.settings.refs.get(name):
            player["ref"] = ref
        return player


def rules_of(settings: Settings, players: int) -> Ruleset:
    """Return the rules that a sheet is played by. Raises RulesetError."""
    return rulesets.ruleset(
        settings.own or settings.ruleset, format=settings.format, players=max(players, _FEWEST)
    )


def read_table(
    grid: Grid, table: Table, settings: Settings, *, columns: Sequence[Column] | None = None
) -> Reading:
    """Read a table into deals. Raises RulesetError for a format its game does not have."""
    chosen = list(columns or table.columns)
    players = [column for column in chosen if column.kind == PLAYER]
    rules = rules_of(settings, min(len(players), 6))
    reading = Reading(
        table=table,
        columns=chosen,
        settings=settings,
        names={seat: column.name for seat, column in enumerate(players, 1)},
        deals=[],
        charges={mark: _charge(rules, mark) for mark in CHARGES},
    )
    if found := _wrong_columns(chosen, players):
        reading.problems.update(found)
        return reading
    reading.deals.extend(_deals(grid, reading, players))
    _judge_rows(grid, reading, players, rules)
    return reading


def _charge(rules: Ruleset, mark: str) -> int | None:
    """Return what a mark costs by the rules; nothing where they leave it open."""
    try:
        if mark.endswith("drop") and not rules.flag("drops"):
            return rules.number("no_drops_points")
        (parameter,) = CHARGES[mark]
        return rules.limit(parameter)
    except KeyError:
        return None  # another game, where the word means nothing


def _wrong_columns(columns: list[Column], players: list[Column]) -> dict[tuple[int, int], str]:
    wrong: dict[tuple[int, int], str] = {}
    first: dict[str, int] = {}
    for column in players:
        if not column.name:
            wrong[-1, column.index] = _(
                "This column has numbers and no name. Write the player's name above it, or "
                "leave the column out."
            )
        elif first.setdefault(column.name, column.index) != column.index:
            wrong[-1, column.index] = _(
                "“%(name)s” stands above two columns. Give each player a name of their own."
            ) % {"name": column.name}
    if not _FEWEST <= len(players) <= MOST_PLAYERS:
        wrong[-1, -1] = _(
            "A table has 2 to %(most)s players; here are %(count)s columns of them."
        ) % {
            "most": MOST_PLAYERS,
            "count": len(players),
        }
    if sum(column.kind == DEAL for column in columns) > 1:
        wrong[-1, -1] = _("Two columns count the deals. Leave one of them out.")
    return wrong


def _deals(grid: Grid, reading: Reading, players: list[Column]) -> Iterator[SheetDeal]:
    counter = next((each.index for each in reading.columns if each.kind == DEAL), None)
    seats = {column.name: seat for seat, column in enumerate(players, 1)}
    taken: dict[int, int] = {}
    last = 0
    for row in reading.table.rows:
        cells = grid.rows[row]
        entries: dict[int, Entry] = {}
        for seat, column in enumerate(players, 1):
            entry = entry_of(_at(cells, column.index))
            if problem := grid.problems.get((row, column.index)) or entry.problem:
                reading.problems[row, column.index] = problem
            elif not entry.is_empty:
                entries[seat] = entry
        if not entries and not any((row, each.index) in reading.problems for each in players):
            continue
        number = last + 1 if counter is None else number_of(_at(cells, counter))
        if number is None:
            reading.problems[row, counter or 0] = _("Write the number of the deal here.")
            continue
        if number in taken:
            reading.problems[row, counter or 0] = _(
                "Deal %(number)s stands in row %(row)s too. Give each deal a number of its own."
            ) % {"number": number, "row": taken[number] + 1}
        taken.setdefault(number, row)
        last = number
        totals = {
            seats[column.name]: total
            for column in reading.columns
            if column.kind == TOTAL and column.name in seats
            if (total := total_of(_at(cells, column.index))) is not None
        }
        yield SheetDeal(row, number, entries, totals)


def _at(cells: Sequence[str], index: int) -> str:
    return cells[index] if index < len(cells) else ""


# --- what is odd about it ----------------------------------------------------------------------


def _judge_rows(grid: Grid, reading: Reading, players: list[Column], rules: Ruleset) -> None:
    """Say beside the cells what a person would ask about; the audit judges the rest."""
    column_of = {seat: column.index for seat, column in enumerate(players, 1)}
    sums = dict.fromkeys(column_of, 0)
    gone: dict[int, int] = {}
    limit = _limit(rules)
    for place, deal in enumerate(reading.deals):
        points = {int(s): p for s, p in deal.score(reading.charges)["points"].items()}
        if place > 1 and place == len(reading.deals) - 1 and points and points == {
            seat: sums[seat] for seat in points
        }:  # fmt: skip
            reading.problems[deal.row, -1] = _(
                "These numbers are the sums of the deals above. Write “Total” at the beginning "
                "of the row, or take it out."
            )
        before = dict(sums)
        for seat, index in column_of.items():
            cell = (deal.row, index)
            entry = deal.entries.get(seat)
            if entry is None:
                if cell not in reading.problems and not _is_out(sums[seat], limit):
                    gone.setdefault(seat, deal.number)
                    if gone[seat] == deal.number:
                        reading.warnings[cell] = _(
                            "%(who)s has nothing here and is left out of the deal. Write the "
                            "points, or “absent”."
                        ) % {"who": reading.names[seat]}
                continue
            was_out = _is_out(sums[seat], limit)
            _judge_entry(reading, cell, seat, entry, has_points=seat in points, was_out=was_out)
            gone.pop(seat, None)
            if entry.rejoined and limit is not None:
                # Who is out is not among them, nor who comes back beside them.
                still_in = [total for total in before.values() if not _is_out(total, limit)]
                sums[seat] = max(still_in, default=0) + 1
            sums[seat] += points.get(seat, 0)
        if _has_problem(reading, deal.row):
            continue
        if len(deal.entries) < _FEWEST:
            reading.problems[deal.row, -1] = _("A deal has at least two players.")
        elif points and 0 not in points.values():
            reading.warnings[deal.row, -1] = _("Nobody has 0 in this deal: who has won it?")
    _check_totals(grid, reading, column_of, sums)


def _has_problem(reading: Reading, row: int) -> bool:
    return any(place[0] == row for place in reading.problems)


def _judge_entry(
    reading: Reading,
    cell: tuple[int, int],
    seat: int,
    entry: Entry,
    *,
    has_points: bool,
    was_out: bool,
) -> None:
    if not has_points and entry.mark not in ("absent", "won"):
        reading.problems[cell] = (
            _("Write the points too: the rules charge this by how it came.")
            if entry.mark
            else _("Write the points of this deal beside it.")
        )
    elif was_out and not entry.rejoined and entry.mark != "absent":
        reading.warnings[cell] = _(
            "%(who)s was out and plays again. Write “rejoin” beside the points if they bought in."
        ) % {"who": reading.names[seat]}
    elif entry.mark in CHARGES and entry.points is None:
        charged = reading.charges[entry.mark]
        reading.warnings[cell] = _("By the rules: %(points)s points.") % {"points": charged}


def _limit(rules: Ruleset) -> int | None:
    try:
        limit = rules.number("limit")
        return limit + (rules.choice("pool_out") == "exceed")
    except (KeyError, TypeError, ValueError):
        return None


def _is_out(total: int, limit: int | None) -> bool:
    return limit is not None and total >= limit


def _check_totals(
    grid: Grid, reading: Reading, column_of: Mapping[int, int], sums: Mapping[int, int]
) -> None:
    """Hold the sheet's row of totals against the sums of its deals."""
    row = reading.table.totals_row
    if row is None:
        return
    for seat, index in column_of.items():
        written = total_of(_at(grid.rows[row], index))
        if written is not None and written != sums[seat]:
            reading.warnings[row, index] = _(
                "The deals of %(who)s add up to %(sum)s, the sheet says %(written)s."
            ) % {"who": reading.names[seat], "sum": sums[seat], "written": written}
