"""Points where the course of play is not in the log: from the shown hands and the sheet alone.

Whether the winner went rummy is not seen then, so that two results may be right.
"""

from __future__ import annotations

from typing import NamedTuple

from rummy_audit.rhl.records import Score
from rummy_audit.rules.families.basic.score import shown_by, tally, winner_takes
from rummy_audit.rules.families.basic.sheet import (
    all_charged_possible,
    named_winners,
    players_of,
    sheet_possible,
    wrong_seats,
)
from rummy_audit.rules.families.basic.table import BasicTable, Counted
from rummy_audit.rules.findings import Finding

UNSEEN_RUMMY = "whether the winner went rummy is not seen without the course of play"


class Seen(NamedTuple):
    """What the shown hands say: who is left with what, and who alone can have gone out."""

    held: dict[int, int]
    out: int | None
    whole: bool


def look(table: BasicTable, event: Score) -> Seen:
    """Gather the shown hands."""
    players = players_of(table, event)
    held: dict[int, int] = {}
    empty: list[int] = []
    whole = True
    for seat in players:
        shown = shown_by(table, seat)
        if not shown:
            empty.append(seat)
            continue
        left = tally(table, seat)
        if isinstance(left, str):
            whole = False
            continue
        held[seat] = left[1]
    one = len(empty) == 1 and len(players) > 1 and len(held) + (not whole) > 0
    return Seen(held, empty[0] if one else None, whole and one)


def judge_seen(table: BasicTable, event: Score) -> tuple[list[Finding], Counted]:
    """Judge a score by the hands that were shown; without them, whether it can be."""
    seen = look(table, event)
    points = event.points
    if points is None or not seen.held:
        table.skip("score-wrong", "no hand was shown")
        return sheet_possible(table, event), Counted("undecided")
    won = any(points.values()) or bool(named_winners(event))
    if not won or (all_charged_possible(table) and seen.out is None):
        table.skip("score-wrong", "how the hand ended is not seen without the course of play")
        return sheet_possible(table, event), Counted("undecided")
    found = Counted("won", winner=seen.out)
    wrong, expected = _compare(table, event, seen, found)
    findings: list[Finding] = []
    if wrong:
        seat = wrong[0] if len(wrong) == 1 else None
        breakdown = found.breakdown.get(seen.out or 0, ())
        findings.append(
            table.found(
                "score-wrong",
                event,
                "scoring",
                seat=seat,
                recorded=points,
                expected=expected,
                breakdown=breakdown,
                **wrong_seats(wrong, points, expected),
                **_doubled(table, wrong, expected, seen),
            )
        )
    findings += [
        table.found("winner-wrong", event, "scoring", seat=named, recorded=named, expected=seen.out)
        for named in named_winners(event)
        if named in seen.held or (seen.out is not None and named != seen.out)
    ]
    return findings or sheet_possible(table, event), found


def _doubled(
    table: BasicTable, wrong: list[int], expected: dict[int, int], seen: Seen
) -> dict[str, int]:
    """Return what going rummy would have brought, for the sentence of a lone seat."""
    rules = table.settings
    if len(wrong) != 1 or rules.factor == 1 or not expected[wrong[0]]:
        return {}
    bonus = rules.out_bonus if wrong[0] == seen.out else 0
    return {"doubled": rules.factor * (expected[wrong[0]] - bonus) + bonus}


def _compare(
    table: BasicTable, event: Score, seen: Seen, found: Counted
) -> tuple[list[int], dict[int, int]]:
    """Return the seats whose points cannot be right, and what was expected."""
    rules, points = table.settings, event.points or {}
    factors = (1,) if rules.factor == 1 else (1, rules.factor)
    if rules.charged:
        options = [{seat: each * own for seat, own in seen.held.items()} for each in factors]
        for option in options:
            if seen.out is not None:
                option[seen.out] = 0
    else:
        options = [dict.fromkeys(seen.held, 0)]
        if seen.whole and seen.out is not None:
            options = []
            for each in factors:
                taken = Counted("won", winner=seen.out)
                winner_takes(table, taken, sorted(seen.held), each)
                options.append(taken.points)
                found.breakdown = found.breakdown or taken.breakdown
    fitting = [
        option
        for option in options
        if all(points.get(seat, value) == value for seat, value in option.items())
    ]
    sure = {
        seat: value
        for seat, value in options[0].items()
        if all(option[seat] == value for option in options)
    }
    found.points = sure
    if len(options) > 1 and fitting:
        table.skip("score-wrong", UNSEEN_RUMMY)
    if len(sure) < len(options[0]):
        found.breakdown = {seat: terms for seat, terms in found.breakdown.items() if seat in sure}
    if fitting:
        return [], options[0]
    expected = options[0]
    return [
        seat for seat in expected if points.get(seat, expected[seat]) != expected[seat]
    ], expected
