"""A score sheet of basic rummy: what points there can be, where the cards are not known."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from rummy_audit.rhl.records import Score
from rummy_audit.rules.cards import card_points
from rummy_audit.rules.families.basic.stock import RENEWED
from rummy_audit.rules.families.basic.table import BasicTable, Settings
from rummy_audit.rules.findings import Finding


class Range(NamedTuple):
    """The least and the most that some hands together can count."""

    least: int
    most: int


@lru_cache(maxsize=4096)
def _range(values: tuple[int, ...], hands: int, size: int) -> Range:
    """A loser holds one card at least and a whole hand at most."""
    return Range(sum(values[:hands]), sum(values[-hands * size :]) if hands else 0)


def range_of(table: BasicTable, hands: int) -> Range:
    """Return what so many losers' hands can count together."""
    rules = table.settings
    values = sorted(
        card_points(card, rules.points)
        for card, copies in table.pack.items()
        for _ in range(copies)
    )
    least = 0 if not rules.melds_count else None
    found = _range(tuple(values), hands, _hand_size(table))
    return found if least is None else Range(least, found.most)


def _hand_size(table: BasicTable) -> int:
    """Return the most cards that a hand had; fewer players, where some were absent, had more."""
    there = len(table.order) - len(absent(table))
    size = table.settings.hand_size
    if there == len(table.order):
        return size
    return max(size, int(table.rules.among("hand_size", there)))


def can_win(value: int, hands: Range, rules: Settings, *, rummy: bool | None = None) -> bool:
    """Whether the winner of such hands can have these points.

    ``rummy`` tells whether the winner went rummy; None: not known.
    """
    held = value - rules.out_bonus
    once = hands.least <= held <= hands.most
    doubled = held % rules.factor == 0 and hands.least <= held // rules.factor <= hands.most
    return (once and not rummy) or (doubled and rummy is not False)


def can_lose(value: int, rules: Settings, hand: Range) -> bool:
    """Whether a player can be charged these points for one hand."""
    return hand.least <= value <= hand.most or (
        value % rules.factor == 0 and hand.least <= value // rules.factor <= hand.most
    )


def all_charged_possible(table: BasicTable) -> bool:
    """Whether hands can end with everybody charged and nobody winning."""
    return table.settings.exhausted not in RENEWED


def named_winners(event: Score) -> list[int]:
    """Return the winners a score names, by the field and by marks."""
    won = [seat for seat, mark in sorted((event.marks or {}).items()) if mark == "won"]
    return [*dict.fromkeys(won if event.winner is None else (event.winner, *won))]


def named_winner(event: Score) -> int | None:
    """Return the winner a score names first, None where marks alone name several."""
    named = named_winners(event)
    return named[0] if event.winner is not None or len(named) == 1 else None


def absent(table: BasicTable) -> set[int]:
    """Return the seats that the score marks as not there: nothing was dealt to them.

    Where too few would be left, that says nothing of who played.
    """
    score = table.scores[-1] if table.scores else None
    if score is None or not score.marks:
        return set()
    away = {
        seat
        for seat in table.order
        if score.marks.get(seat) == "absent"
        and not (score.points or {}).get(seat)
        and not (table.live and table.deals and seat in table.playing)
    }
    enough = len(table.order) - len(away) >= table.rules.number("players_min")
    return away if enough else set()


def players_of(table: BasicTable, event: Score) -> list[int]:
    """Return the seats a score sheet counts: all that were not absent."""
    marks = event.marks or {}
    return [seat for seat in table.playing if marks.get(seat) != "absent"]


def sheet_possible(table: BasicTable, event: Score) -> list[Finding]:
    """Points on a score sheet are such as a hand can bring, and name one winner."""
    if event.points is None:
        return []
    points = {seat: event.points[seat] for seat in sorted(event.points)}
    below = [seat for seat, value in points.items() if value < 0]
    if below:
        return [_impossible(table, event, seat, points[seat], {"least": 0}) for seat in below]
    check = _charged_sheet if table.settings.charged else _winner_sheet
    return check(table, event, points)


def _winner_sheet(table: BasicTable, event: Score, points: dict[int, int]) -> list[Finding]:
    """One seat at most has points, what the others can have held."""
    named, players = named_winner(event), players_of(table, event)
    scoring = [seat for seat, value in points.items() if value]
    if len(scoring) > 1:
        if named is None and all_charged_possible(table):
            return _charges(table, event, points)
        if named in scoring:
            wrong = [seat for seat in scoring if seat != named]
            return [_impossible(table, event, seat, points[seat], 0) for seat in wrong]
        return [_impossible(table, event, None, points, {"seats": 1})]
    if not scoring and named is None:
        return []
    winner = scoring[0] if scoring else named
    wrong = [seat for seat in named_winners(event) if seat != winner] if scoring else []
    found = [_winner_wrong(table, event, seat, winner) for seat in wrong]
    value = points.get(winner or 0)
    hands = range_of(table, len(players) - 1)
    charged = named is None and scoring and all_charged_possible(table)
    if value is not None and not charged and not can_win(value, hands, table.settings):
        found.append(_impossible(table, event, winner, value, between(hands, table.settings)))
    return found


def _charged_sheet(table: BasicTable, event: Score, points: dict[int, int]) -> list[Finding]:
    """The winner alone has 0, and the others what one hand can hold."""
    named, players = named_winner(event), players_of(table, event)
    free = [seat for seat in players if points.get(seat) == 0]
    if not any(points.values()) and named is None:
        return []
    zero = free[0] if len(free) == 1 else None
    found = [
        _winner_wrong(table, event, seat, zero)
        for seat in named_winners(event)
        if points.get(seat) and free
    ]
    whole = all(seat in points for seat in players)
    if whole and not free and named is not None:
        found.append(_impossible(table, event, named, points.get(named), 0))
    elif whole and not free and not all_charged_possible(table):
        found.append(_impossible(table, event, None, points, {"zeros": 1}))
    elif len(free) > 1 and range_of(table, 1).least > 0:
        wrong = [seat for seat in free if seat != named] if named in free else [None]
        found += [_impossible(table, event, seat, 0, {"zeros": 1}) for seat in wrong]
    return found + _charges(table, event, points)


def _charges(table: BasicTable, event: Score, points: dict[int, int]) -> list[Finding]:
    hand = range_of(table, 1)
    return [
        _impossible(
            table,
            event,
            seat,
            value,
            {"least": hand.least, "most": hand.most * table.settings.factor},
        )
        for seat, value in points.items()
        if value and not can_lose(value, table.settings, hand)
    ]


def between(hands: Range, rules: Settings, *, rummy: bool | None = None) -> dict[str, int]:
    """Return the least and the most that a winner of these hands can have."""
    least, most = (rules.factor if rummy else 1), (1 if rummy is False else rules.factor)
    return {
        "least": hands.least * least + rules.out_bonus,
        "most": hands.most * most + rules.out_bonus,
    }


def wrong_seats(
    wrong: list[int], recorded: dict[int, int], expected: dict[int, int]
) -> dict[str, Any]:
    """Return what the sentence of wrong points names: the seats, and of a lone one the points."""
    if len(wrong) > 1:
        return {"seats": wrong}
    return {"seats": wrong, "given": recorded[wrong[0]], "due": expected[wrong[0]]}


def _impossible(
    table: BasicTable, event: Score, seat: int | None, recorded: object, expected: object
) -> Finding:
    bounds = expected if isinstance(expected, dict) else {}
    return table.found(
        *("score-impossible", event, "scoring"),
        seat=seat,
        recorded=recorded,
        expected=expected,
        **bounds,
    )


def _winner_wrong(table: BasicTable, event: Score, recorded: int, expected: int | None) -> Finding:
    return table.found(
        "winner-wrong", event, "scoring", seat=recorded, recorded=recorded, expected=expected
    )
