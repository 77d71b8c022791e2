"""What a hand of basic rummy scores by the rules, with the breakdown that leads there."""

from __future__ import annotations

from collections.abc import Iterable

from rummy_audit.rules.arrange import TooHard
from rummy_audit.rules.families.basic.deadwood import counted
from rummy_audit.rules.families.basic.show import shown_cards
from rummy_audit.rules.families.basic.table import BasicTable, Counted
from rummy_audit.rules.findings import Term

NOBODY = ("stalemate", "misdeal", "void", "abandoned")


def cards_left(table: BasicTable, seat: int) -> tuple[str, ...] | None:
    """Return the cards a seat was left with, from the play or as shown; None: not known."""
    unsure = table.detail == "table" and table.seat_course(seat).more != 0
    if table.live and not unsure:
        hand = table.left[seat] if seat in table.left else table.hand(seat)
        if not hand.unknown and not hand.gone:
            return hand.cards()
    return table.sound.get(seat)


def tally(table: BasicTable, seat: int) -> tuple[tuple[str, ...], int] | str:
    """Return the cards that count against a seat with their points, or why nobody can know."""
    cards = cards_left(table, seat)
    if cards is None:
        return f"the cards left to seat {seat} are not known"
    try:
        return counted(cards, table.settings)
    except TooHard:
        return f"the cards left to seat {seat} can be melded in too many ways"


def count(table: BasicTable) -> Counted:
    """Count a decided hand by the rules."""
    ended = table.ended
    if ended is None:
        return Counted("undecided")
    if ended.outcome in NOBODY:
        points = dict.fromkeys(table.playing, 0) if ended.outcome == "stalemate" else {}
        return Counted(ended.outcome, points=points)
    if ended.outcome == "exhausted":
        return _charged(table, Counted("exhausted"), table.playing, 1)
    found = Counted("won", winner=ended.winner)
    factor = table.settings.factor if ended.rummy else 1
    losers = [seat for seat in table.playing if seat != ended.winner]
    if table.settings.charged:
        found.points[ended.winner or 0] = 0
        return _charged(table, found, losers, factor)
    return winner_takes(table, found, losers, factor)


def _charged(table: BasicTable, found: Counted, seats: Iterable[int], factor: int) -> Counted:
    """Each player is charged the own cards, by the factor of going rummy."""
    for seat in seats:
        held = tally(table, seat)
        if isinstance(held, str):
            found.unknown[seat] = held
            continue
        against, points = held
        found.points[seat] = factor * points
        found.breakdown[seat] = (Term(cards=against, points=points), *_times(factor, points))
    return found


def winner_takes(table: BasicTable, found: Counted, losers: Iterable[int], factor: int) -> Counted:
    """The winner gets what the others hold, by the factor of going rummy, then the bonus."""
    winner = found.winner or 0
    terms: list[Term] = []
    total = 0
    for seat in losers:
        found.points[seat] = 0
        held = tally(table, seat)
        if isinstance(held, str):
            found.unknown[winner] = held
            continue
        against, points = held
        total += points
        terms.append(Term(cards=against, points=points, what=f"seat {seat}"))
    if found.unknown:
        return found
    terms += _times(factor, total)
    bonus = table.settings.out_bonus
    if bonus:
        terms.append(Term(points=bonus, what="out_bonus"))
    found.points[winner] = factor * total + bonus
    found.breakdown[winner] = tuple(terms)
    return found


def _times(factor: int, points: int) -> tuple[Term, ...]:
    if factor == 1:
        return ()
    return (Term(points=(factor - 1) * points, what="going_rummy"),)


def shown_by(table: BasicTable, seat: int) -> tuple[str, ...] | None:
    """Return the cards a seat showed, None where it showed no hand."""
    event = table.shows.get(seat)
    return None if event is None else shown_cards(event)
