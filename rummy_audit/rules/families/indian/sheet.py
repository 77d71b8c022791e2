"""The score sheet: what can be told of points and money without the play behind them."""

from __future__ import annotations

from collections.abc import Iterator

from rummy_audit.rhl.records import Score
from rummy_audit.rules.families.indian.score import ANNULLED, Due, is_spoiled, is_unended
from rummy_audit.rules.families.indian.table import IndianTable
from rummy_audit.rules.findings import Finding, Term

# What a mark on the sheet says a seat was charged for: the parameters it may be.
MARKS = {
    "first-drop": ("first_drop",),
    "middle-drop": ("middle_drop",),
    "wrong": ("wrong_declaration_points",),
    "left": ("leave_before_draw", "leave_after_draw"),
    "full": ("cap",),
}
DROPS = frozenset({"first-drop", "middle-drop", "left"})


def judge_sheet(table: IndianTable, event: Score, dues: dict[int, Due]) -> Iterator[Finding]:
    """Points that no play explains are at least such as a hand can bring.

    Seats whose points are known by the rules are judged by those alone.
    """
    points = event.points or {}
    marks = event.marks or {}
    annulled = ANNULLED in dues.values()
    unknown = [
        seat
        for seat, recorded in sorted(points.items())
        if not annulled and not _is_known(dues.get(seat), recorded, marks.get(seat))
    ]
    most, penalties = _bounds(table) if unknown else (None, set[int]())
    too_few: set[int] = set()
    for seat in unknown:
        recorded = points[seat]
        if (mark := marks.get(seat)) in MARKS and seat in dues:
            yield from _judge_mark(table, event, seat, str(mark))
            continue
        bound: tuple[int | str, str | None] | None = None
        if recorded < 0:
            bound = "at least 0", None
        elif most is not None and recorded > most:
            bound = most, "cap"
        elif recorded == 1 and 1 not in penalties and _lightest(table) > 1:
            bound = "0, or 2 and more", "card_points"
        if bound is not None:
            expected, parameter = bound
            if recorded <= 1:
                too_few.add(seat)
            yield table.found(
                "score-impossible",
                event,
                parameter,
                seat=seat,
                recorded=recorded,
                expected=expected,
            )
    if not points or 0 in [points.get(seat) for seat in dues]:
        return
    low = table.over == "lowest" or (not table.over and table.stock is None)  # or may have been
    tie = table.law.stock_exhausted == "lowest-wins" and (table.blind or low)
    unsure = annulled or tie or is_spoiled(table) or is_unended(table)
    if not unsure and not any(each.points == 0 for each in dues.values()):
        named = event.winner or next((seat for seat in marks if marks[seat] == "won"), None)
        if named in too_few or (named is None and too_few):
            return  # the winner's 0 was written wrongly: that is said already
        yield table.found(
            "score-impossible", event, seat=named, recorded=points.get(named or 0), expected=0
        )


def _is_known(due: Due | None, recorded: int, mark: str | None) -> bool:
    """Whether the rules say what is due; which penalty of two it was, a mark can tell."""
    if due is None or due.points is not None:
        return due is not None
    return bool(due.choices) and not (mark in MARKS and recorded in due.choices)


def _bounds(table: IndianTable) -> tuple[int | None, set[int]]:
    """Return the most a hand can cost (None: no bound), and all fixed penalties."""
    rules = table.rules
    names = ["wrong_declaration_points"]
    names += ["first_drop", "middle_drop"] if table.law.drops else ["no_drops_points"]
    penalties = {rules.number(name) for name in names}
    cap = rules.limit("cap")
    return (None if cap is None else max(cap, *penalties)), penalties | {cap or 0}


def _lightest(table: IndianTable) -> int:
    """Return the least points that a card counts which is no joker."""
    return 1 if table.rules.choice("card_points") == "ace-one" else 2


def _judge_mark(table: IndianTable, event: Score, seat: int, mark: str) -> Iterator[Finding]:
    """A seat that is marked on the sheet has the points the mark stands for."""
    recorded = (event.points or {})[seat]
    parameters = MARKS[mark]
    if mark in DROPS and not table.law.drops:
        parameters = ("no_drops_points",)
    allowed = []
    for parameter in parameters:
        if parameter.startswith("leave"):
            allowed.append(table.rules.number(f"{table.rules.choice(parameter)}_drop"))
        elif table.rules[parameter] != "none":
            allowed.append(table.rules.number(parameter))
    allowed = list(dict.fromkeys(allowed))
    if not allowed or recorded in allowed:
        return
    yield table.found(
        "score-wrong" if mark == "full" else "penalty-points-wrong",
        event,
        parameters[0],
        seat=seat,
        recorded=recorded,
        expected=allowed[0] if len(allowed) == 1 else allowed,
        breakdown=(Term(points=allowed[0], what=parameters[0]),) if len(allowed) == 1 else (),
        mark=mark,
    )


def judge_amounts(table: IndianTable, event: Score, dues: dict[int, Due]) -> Iterator[Finding]:
    """In points rummy the winner gets the others' points, times the value of a point, less the fee.

    What the others pay may stand beside it. Amounts that follow from the points as
    they were written down are no second mistake.
    """
    match = table.record.match
    if not event.amounts or match is None or match.format not in (None, "points"):
        return
    if match.point_value is None:
        table.skip("amount-wrong", "what a point is worth is not in this log")
        return
    written: dict[int, int | None] = {**(event.points or {})}
    by_rules = {
        seat: each.points if each.points is not None else written.get(seat)
        for seat, each in dues.items()
    }
    ways = [_money(table, event, written)]
    if by_rules != written:
        ways.insert(0, _money(table, event, by_rules))
    for seat in sorted(event.amounts):
        expected = [way[seat] for way in ways if way is not None and seat in way]
        if not expected:
            table.skip("amount-wrong", "not all points of the hand are known")
        elif event.amounts[seat] not in expected:
            yield table.found(
                "amount-wrong",
                event,
                seat=seat,
                recorded=event.amounts[seat],
                expected=expected[0],
                breakdown=_terms(table, written, seat) if expected[0] == expected[-1] else (),
            )


def _money(
    table: IndianTable, event: Score, points: dict[int, int | None]
) -> dict[int, int] | None:
    """Return what every seat gets or pays for these points; None where some are not known."""
    match = table.record.match
    value, fee = (match.point_value or 0, match.fee or 0) if match else (0, 0)
    known = {seat: each for seat, each in points.items() if each is not None}
    winner = event.winner if event.winner is not None else table.winner
    if winner is None:
        noughts = [seat for seat, each in known.items() if each == 0]
        winner = noughts[0] if len(noughts) == 1 else None
    paid = {seat: -each * value for seat, each in known.items() if seat != winner}
    if winner is None or len(known) < len(points) or len(known) < len(table.live):
        return paid or None
    return paid | {
        winner: sum(each for seat, each in known.items() if seat != winner) * value - fee
    }


def _terms(table: IndianTable, points: dict[int, int | None], seat: int) -> tuple[Term, ...]:
    """Return how an amount adds up."""
    match = table.record.match
    if match is None or points.get(seat):
        return ()
    others = [each or 0 for other, each in points.items() if other != seat]
    value = match.point_value or 0
    terms = [Term(points=each * value, what="points × value") for each in others]
    return (*terms, Term(points=-(match.fee or 0), what="fee"))
