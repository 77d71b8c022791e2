"""The score: what each seat gets by the rules, against what the table wrote down."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from rummy_audit.rhl.records import Score
from rummy_audit.rules.families.indian.declaring import named_winner
from rummy_audit.rules.families.indian.seat import Declared
from rummy_audit.rules.families.indian.show import count_of
from rummy_audit.rules.families.indian.table import IndianTable
from rummy_audit.rules.findings import Finding, Term

# 001 Scoring Rules, Drop rules


class Due(msgspec.Struct, frozen=True):
    """What a seat is due: points with the sum behind them, or why they cannot be known.

    ``parameter`` is set for a fixed penalty; ``choices`` where it is one of two.
    """

    points: int | None
    breakdown: tuple[Term, ...] = ()
    parameter: str | None = None
    why: str = ""
    choices: tuple[int, ...] = ()


NOUGHT = Due(0)
NOT_ENDED = Due(None, why="by this log nobody has won the hand")
MARKED = Due(None, why="by its mark the cards of a seat do not count")
ANNULLED = Due(None, why="the hand was annulled")


def due(table: IndianTable) -> dict[int, Due]:
    """Return what every seat in the hand is due by the rules."""
    seats = [number for number, seat in table.seats.items() if seat.state != "out"]
    spoiled = _spoiled(table)
    if spoiled is not None:
        declared, points = spoiled
        unknown = Due(None, why="the table's answer to the declaration was wrong")
        fixed = _fixed(table, declared.seat) if points else NOUGHT
        return {number: fixed if number == declared.seat else unknown for number in seats}
    if table.over in ("void", "misdeal"):
        return dict.fromkeys(seats, ANNULLED)
    if not table.over or _is_open(table):
        return {number: _due_anyway(table, number) for number in seats}
    dues = {number: _due(table, number) for number in seats}
    return _lowest(table, dues) if table.over == "lowest" else dues


def _spoiled(table: IndianTable) -> tuple[Declared, bool] | None:
    """Return the declaration whose wrong answer makes the rest unknown.

    Beside it whether its declarer is due the penalty. Where the hand was decided
    all the same, by one player being left or by playing on, all can be known.
    """
    for declared in table.declared:
        if declared.right:
            if declared.accepted is False:
                return declared, False
        elif declared.right is False and declared.accepted:
            ended = table.over == "ended" and len(table.live) > 1
            if ended or not table.over:
                return declared, True
    return None


def _is_open(table: IndianTable) -> bool:
    """Whether the hand hangs on a declaration of which nothing can be said."""
    if table.over != "declared":
        return False
    for declared in table.declared:
        if declared.event is table.decider:
            return not (declared.right or declared.accepted)
    return False


def is_spoiled(table: IndianTable) -> bool:
    """Whether the table's wrong answer to a declaration makes the rest unknown."""
    return _spoiled(table) is not None


def is_unended(table: IndianTable) -> bool:
    """Whether by a log of the whole play nobody has won, declared or been left alone."""
    if table.over or table.blind:
        return False
    unsure = any(declared.right is None for declared in table.declared)
    if table.stock is None and table.law.stock_exhausted == "lowest-wins":
        table.skip("hand-not-ended", "the number of cards in the stock is not known")
        return False
    return not (unsure or is_spoiled(table))


def _due(table: IndianTable, number: int) -> Due:
    seat = table.seats[number]
    if seat.state != "in":
        return NOUGHT if number == table.winner else _fixed(table, number)
    if table.over == "ended" and table.blind:
        return Due(None, why="whether the player was still in the hand is not in this log")
    if number == table.winner or table.over in ("ended", "alone"):
        return NOUGHT
    if table.blind and _is_marked_out(table, number):
        return MARKED
    count, why = count_of(table, number)
    return Due(None, why=why) if count is None else Due(count.points, count.breakdown)


def _due_anyway(table: IndianTable, number: int) -> Due:
    """Who is out of the hand, or has shown one that another won, pays alike whoever that is.

    So it can be told where the end of the hand need not be in the log.
    """
    seat = table.seats[number]
    if is_unended(table):
        return NOT_ENDED
    if seat.state not in ("in", "won"):
        return _fixed(table, number)
    if not table.blind:
        return NOT_ENDED
    if _is_marked_out(table, number):
        return MARKED
    if not table.over and seat.shown is not None and _has_lost(table, number):
        count, why = count_of(table, number)
        return Due(None, why=why) if count is None else Due(count.points, count.breakdown)
    return NOT_ENDED


def _is_marked_out(table: IndianTable, number: int) -> bool:
    """Whether a log without the play marks a seat as one whose cards do not count."""
    marks = table.scores[-1].marks if table.scores else None
    return (marks or {}).get(number) in ("first-drop", "middle-drop", "left", "wrong", "absent")


def _has_lost(table: IndianTable, number: int) -> bool:
    """Whether the table wrote down that another has won: by name, or with the only nought."""
    if not table.scores:
        return False
    score = table.scores[-1]
    noughts = [seat for seat, points in (score.points or {}).items() if points == 0]
    named = named_winner(score)
    if noughts and named is not None and named not in noughts:
        return False  # whoever has won, it is not the one named: that is said
    winner = named or (noughts[0] if len(noughts) == 1 else None)
    return winner is not None and winner != number


def _fixed(table: IndianTable, number: int) -> Due:
    """Return the fixed penalty of a seat that is out of the hand."""
    if table.blind and table.seats[number].state == "missed":
        return Due(None, why="whether the missed turns followed one another is not in this log")
    charge = table.seats[number].charge or "wrong_declaration_points"
    ways = [_penalty(table, each) for each in charge.split(" or ")]
    points = tuple(dict.fromkeys(points for points, _ in ways))
    parameter = ways[0][1]
    if len(points) > 1:
        why = "whether the player had drawn a card is not in this log"
        return Due(None, parameter=parameter, why=why, choices=points)
    return Due(points[0], (Term(points=points[0], what=parameter),), parameter)


def _penalty(table: IndianTable, charge: str) -> tuple[int, str]:
    """Return a penalty and its parameter; leaving costs a first or a middle drop."""
    if charge.startswith("leave"):
        return table.rules.number(f"{table.rules.choice(charge)}_drop"), charge
    return table.rules.number(charge), charge


def _lowest(table: IndianTable, dues: dict[int, Due]) -> dict[int, Due]:
    """Where the lowest hand wins, its points are nought; a tie is not in the rules."""
    still_in = {number: each for number, each in dues.items() if number in table.live}
    if not still_in or any(each.points is None for each in still_in.values()):
        return dues | dict.fromkeys(still_in, Due(None, why="not every hand is known"))
    least = min(each.points or 0 for each in still_in.values())
    winners = [number for number, each in still_in.items() if each.points == least]
    if len(winners) > 1:
        return dues | dict.fromkeys(winners, Due(None, why="two hands are equally low"))
    table.winner = winners[0]
    return {**dues, winners[0]: NOUGHT}


# What the table wrote down


def judge_score(table: IndianTable, event: Score, dues: dict[int, Due]) -> Iterator[Finding]:
    """The points written down are those by the rules, for every seat in the hand."""
    points = event.points
    if points is None:
        return
    counted: dict[int, Due] = {}
    if ANNULLED in dues.values():
        # Nobody scores in a hand that was annulled rightly; else nobody knows.
        nought = dict.fromkeys(dues, NOUGHT if table.rightly_called else ANNULLED)
        dues = {seat: each for seat, each in nought.items() if points.get(seat)}
    for number, each in dues.items():
        recorded = points.get(number)
        if recorded is None:
            if (event.marks or {}).get(number) != "absent":
                yield table.found("score-missing", event, seat=number)
        elif each.parameter is not None and recorded not in (each.choices or (each.points,)):
            yield table.found(
                "penalty-points-wrong",
                event,
                each.parameter,
                seat=number,
                recorded=recorded,
                expected=each.points if each.points is not None else list(each.choices),
                breakdown=each.breakdown,
            )
        elif each.points is not None and each.parameter is None and recorded != each.points:
            counted[number] = each
        elif each.points is None and not (each is NOT_ENDED and is_unended(table)):
            table.skip("penalty-points-wrong" if each.parameter else "score-wrong", each.why)
    if counted:
        yield _score_wrong(table, event, counted)


def _score_wrong(table: IndianTable, event: Score, wrong: dict[int, Due]) -> Finding:
    points = event.points or {}
    if len(wrong) == 1:
        ((number, each),) = wrong.items()
        parameter = "judge_losers" if number != table.winner and each.points else None
        return table.found(
            "score-wrong",
            event,
            parameter,
            seat=number,
            recorded=points[number],
            expected=each.points,
            breakdown=each.breakdown,
            seats=[number],
        )
    return table.found(
        "score-wrong",
        event,
        "judge_losers",
        recorded={number: points[number] for number in wrong},
        expected={number: each.points for number, each in wrong.items()},
        seats=sorted(wrong),
    )


def judge_winner(table: IndianTable, event: Score, dues: dict[int, Due]) -> Iterator[Finding]:
    """The winner that is named, in so many words or by a mark, is the one who has won."""
    if is_spoiled(table) or table.over in ("void", "misdeal"):
        return
    marked = [seat for seat, mark in sorted((event.marks or {}).items()) if mark == "won"]
    for named in dict.fromkeys(marked if event.winner is None else (event.winner, *marked)):
        yield from _named(table, event, named, dues)


def _named(table: IndianTable, event: Score, named: int, dues: dict[int, Due]) -> Iterator[Finding]:
    if table.over and not _is_open(table) and (table.winner or table.over == "ended"):
        # Where one is left when a wrong declaration ends the hand, a table may call that winning.
        if named != table.winner and not (table.over == "ended" and table.live == [named]):
            yield table.found(
                "winner-wrong", event, seat=named, recorded=named, expected=table.winner
            )
        return
    points = event.points or {}
    unknown = dues.get(named, NOT_ENDED).points is None
    if unknown and (points.get(named) or named not in dues) and 0 in points.values():
        zero = sorted(seat for seat, value in points.items() if value == 0)
        yield table.found("winner-wrong", event, seat=named, recorded=named, expected=zero)
