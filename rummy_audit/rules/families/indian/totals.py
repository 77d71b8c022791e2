"""Totals of a match of Indian rummy: points or chips by seat, None where one is not known."""

from __future__ import annotations

Totals = dict[int, int | None]
Points = dict[int, int | None]


def plus(total: int | None, points: int | None) -> int | None:
    """Add points to a total."""
    return None if total is None or points is None else total + points


def highest(totals: Totals, seats: set[int]) -> int | None:
    """Return the highest of these seats' totals, as far as they are known."""
    known = [total for seat in seats if (total := totals[seat]) is not None]
    return max(known, default=None)


def leaders(totals: Totals) -> list[int]:
    """Return the seats with the most chips; none where a total is not known."""
    known = {seat: total for seat, total in totals.items() if total is not None}
    if not known or len(known) < len(totals):
        return []
    return [seat for seat in sorted(known) if known[seat] == max(known.values())]


def chips(points: Points, winner: int | None) -> Points:
    """The winner of a hand takes the others' points in chips."""
    if winner is None:
        nothing = [seat for seat, own in points.items() if own == 0]
        winner = nothing[0] if len(nothing) == 1 else None
    if winner not in points:
        return dict.fromkeys(points)
    others = [own for seat, own in points.items() if seat != winner]
    won = None if None in others else sum(own for own in others if own is not None)
    return {
        seat: won if seat == winner else None if own is None else -own
        for seat, own in points.items()
    }
