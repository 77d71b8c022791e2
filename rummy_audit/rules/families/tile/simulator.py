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
    Penalty,
    Player,
    Score,
    Show,
)
from rummy_audit.rules.families.tile.end_faults import FAULTS
from rummy_audit.rules.families.tile.faults import Mark
from rummy_audit.rules.families.tile.game import Dice, Game, Status
from rummy_audit.rules.rulesets import Ruleset, Value, ruleset

Detail = Literal["full", "table", "shown", "scores"]

# A hand that drags on is left unfinished after so many turns.
_TURNS = 400


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
    rules = ruleset(rules_name, players=players, house=house)
    dice = Dice(f"tile:{seed}:{rules.digest}:{players}")
    game = Game(rules, dice, players if made is None else made.seats or players)
    mark: Mark | None = None
    if made is not None and made.when == "deal":
        mark = made.make(game, game.turn)
    if not game.events:
        game.deal()
    wait = dice.below(8)
    for number in range(_TURNS):
        if game.over or game.stopped:
            break
        if made is not None and made.when == "turn" and mark is None and number >= wait:
            game.ms += 1000
            mark = made.make(game, game.turn)
            if mark is not None:
                continue
        game.one_turn()
    if made is not None and made.when == "over" and game.over:
        mark = made.make(game, game.turn)
    if game.over and not game.stopped:
        game.score()
    if made is not None and made.when == "end" and game.over:
        mark = made.make(game, game.turn)
    if made is not None and mark is None:
        raise ValueError(f"{fault}: did not come about with seed {seed}")
    return _written(game, rules, seed, detail, mark)


def _written(game: Game, rules: Ruleset, seed: int, detail: str, mark: Mark | None) -> Hand:
    """Write the game as a log that shows what somebody could see at this detail."""
    extra: dict[str, Any] = {}
    if mark is not None:
        extra["_fault"] = {"code": mark.code, "seq": mark.seq, "seat": mark.seat}
    record = HandRecord(
        rhl=1,
        id=f"sim-{seed}",
        ruleset=rules.preset,
        detail=msgspec.convert(detail, Detail),
        players=tuple(Player(seat=seat) for seat in game.seats),
        rules=dict(rules.house) or None,
        extra=extra,
    )
    events = tuple(seen(game.events, detail))
    status: Status = "completed" if game.over and not game.stopped else "abandoned"
    end = End(status=game.status or status, count=game.claimed or len(events), head=game.head)
    lines = tuple(canonical.encode(each) for each in (record, *events, end))
    return Hand(record=record, events=events, end=end, ended_after=len(events), lines=lines)


def seen(events: Sequence[Event], detail: str) -> list[Event]:
    """Return the events that are seen at a detail, as far as they are seen, renumbered."""
    if detail == "full":
        return list(events)
    kept: list[Event] = []
    for event in events:
        if isinstance(event, Deck):
            continue
        if detail in ("shown", "scores") and not isinstance(event, Show | Score):
            continue
        if detail == "scores" and isinstance(event, Show):
            continue
        kept.append(msgspec.structs.replace(_dimmed(event), seq=len(kept) + 1))
    return kept


def _dimmed(event: Event) -> Event:
    """Return an event without the tiles that are not seen at the table."""
    if isinstance(event, Deal | Penalty) and event.cards is not None:
        return msgspec.structs.replace(event, cards=None, count=len(event.cards))
    if isinstance(event, Draw):
        return msgspec.structs.replace(event, card=None)
    return event
