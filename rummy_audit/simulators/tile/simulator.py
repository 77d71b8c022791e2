"""Whole hands of tile rummy, played by chance and by the rules, for tests and for load.

A hand follows from its seed alone, on every machine. With ``fault`` one thing goes
wrong in it: what, where and with whom stands in the hand record under ``_fault``,
a key of the writer's own that is never judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from rummy_audit.rhl import canonical
from rummy_audit.rhl.records import (
    Deal,
    Deck,
    Draw,
    End,
    Event,
    Hand,
    HandRecord,
    Pass,
    Penalty,
    Play,
    Player,
    Reveal,
    Show,
    Shuffle,
    UnknownEvent,
)
from rummy_audit.rules.rulesets import Ruleset, Value, ruleset
from rummy_audit.simulators.tile.end_faults import FAULTS
from rummy_audit.simulators.tile.faults import Fault, Mark
from rummy_audit.simulators.tile.game import Dice, Game, Status

Detail = Literal["full", "table", "shown", "scores"]

# A hand that drags on is left unfinished after so many turns.
_TURNS = 400
_TRIES = 40


def simulate(
    rules_name: str,
    *,
    seed: int,
    detail: str = "full",
    players: int = 3,
    house: Mapping[str, Value] | None = None,
    fault: str | None = None,
) -> Hand:
    """Return a whole hand by the rules, or with one fault in it (see ``end_faults.FAULTS``).

    Raises ValueError where the fault did not come about: with another seed it may.

    >>> hand = simulate("tile-easy", seed=1, players=2, fault="second-draw")
    >>> sorted(hand.record.extra["_fault"])
    ['code', 'seat', 'seq']
    """
    made = FAULTS[fault] if fault is not None else None
    needed = made.house if made is not None else {}
    rules = ruleset(rules_name, players=players, house={**(house or {}), **needed})
    about = f"tile:{seed}:{rules.digest}:{players}:{fault}"
    if made is None:
        return _written(*_played(rules, Dice(about), players), seed, detail)
    if detail in made.details:
        for again in range(_TRIES):
            game, mark = _played(rules, Dice(f"{about}:{again}"), made.seats or players, made)
            if mark is not None:
                return _written(game, mark, seed, detail)
    raise ValueError(f"{fault} did not come about, expected a hand of detail {detail} to show it")


def _played(
    rules: Ruleset, dice: Dice, players: int, fault: Fault | None = None
) -> tuple[Game, Mark | None]:
    """Play a game, with a fault where one is asked for and comes about."""
    game = Game(rules, dice, players)

    def goes_wrong(when: str, mark: Mark | None) -> Mark | None:
        if mark is not None or fault is None or fault.when != when:
            return mark
        return fault.make(game, game.turn)

    mark = goes_wrong("deal", None)
    if not game.events:
        game.vouch()
        game.deal()
    wait = dice.below(8)
    for number in range(_TURNS):
        if not game.goes_on():
            break
        if number >= wait:
            game.ms += 1000
            mark = goes_wrong("turn", mark)
        if game.goes_on():
            game.one_turn()
    if game.over and not game.stopped:
        mark = goes_wrong("over", mark)
        game.score()
        mark = goes_wrong("end", mark)
    return game, mark


def _written(game: Game, mark: Mark | None, seed: int, detail: str) -> Hand:
    """Write the game as a log that shows what somebody could see at this detail."""
    events, numbers = seen(game.events, detail)
    extra: dict[str, Any] = {}
    if mark is not None:
        seq = numbers.get(mark.seq, 0)
        seat = {} if mark.seat is None else {"seat": mark.seat}  # a log has no null
        extra["_fault"] = {"code": mark.code, "seq": seq, **seat}
    record = HandRecord(
        rhl=1,
        id=f"sim-{seed}",
        ruleset=game.rules.preset,
        detail=msgspec.convert(detail, Detail),
        players=tuple(Player(seat=seat) for seat in game.seats),
        rules=dict(game.rules.house) or None,
        extra=extra or None,
    )
    status: Status = "completed" if game.over and not game.stopped else "abandoned"
    end = End(status=game.status or status, count=game.claimed or len(events), head=game.head)
    lines = tuple(canonical.encode(each) for each in (record, *events, end))
    return Hand(record=record, events=tuple(events), end=end, ended_after=len(events), lines=lines)


def seen(events: Sequence[Event], detail: str) -> tuple[list[Event], dict[int, int]]:
    """Return the events as they are seen at a detail, and the numbers they have there."""
    kept: list[Event] = []
    numbers: dict[int, int] = {}
    for event in events:
        if isinstance(event, UNSEEN[detail]):
            continue
        numbers[event.seq] = len(kept) + 1
        shown = event if detail == "full" else _dimmed(event)
        kept.append(msgspec.structs.replace(shown, seq=len(kept) + 1))
    return kept, numbers


_PLAY = (Deck, Shuffle, Reveal, Deal, Play, Draw, Pass, Penalty, UnknownEvent)
UNSEEN: dict[str, tuple[type[Event], ...]] = {
    "full": (),
    "table": (Deck, Shuffle, Reveal),
    "shown": _PLAY,
    "scores": (*_PLAY, Show),
}


def _dimmed(event: Event) -> Event:
    """Return an event without the tiles that are not seen at the table."""
    if isinstance(event, Deal | Penalty) and event.cards is not None:
        return msgspec.structs.replace(event, cards=None, count=len(event.cards))
    if isinstance(event, Draw):
        return msgspec.structs.replace(event, card=None)
    return event
