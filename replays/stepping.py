"""What the viewer jumps by: the turns of a hand, and the way that a card takes through it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rummy_audit.rhl.records import (
    Declare,
    Discard,
    Draw,
    Drop,
    Event,
    Knock,
    Layoff,
    Meld,
    Pass,
)
from rummy_audit.rules.view import Step

# What somebody does first in a turn.
_TURN_BEGINS = (Draw, Pass, Discard, Meld, Layoff, Drop, Declare, Knock)


def turn_numbers(steps: Sequence[Step]) -> list[int]:
    """Return the number of the turn that each step belongs to, from 0 for what is before play."""
    turn, player = 0, None
    numbers = []
    for step in steps:
        if isinstance(step.event, _TURN_BEGINS) and step.event.seat != player:
            turn, player = turn + 1, step.event.seat
        numbers.append(turn)
    return numbers


def card_paths(steps: Sequence[Step]) -> dict[str, list[int]]:
    """Return for each face that an event names the seqs of those events, in order."""
    paths: dict[str, list[int]] = {}
    for step in steps:
        for face in dict.fromkeys(_faces(step.event)):
            paths.setdefault(face, []).append(step.number)
    return paths


def _faces(event: Event) -> Iterable[str]:
    for name in ("card", "discard", "finish"):
        if (card := getattr(event, name, None)) and card != "??":
            yield card
    cards = (*(getattr(event, "cards", None) or ()), *(getattr(event, "loose", None) or ()))
    for group in (cards, *(getattr(event, "groups", None) or ())):
        yield from (card for card in group if card != "??")
