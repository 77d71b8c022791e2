"""Whole hands of gin, played by chance and by the rules, for tests and for load.

A hand follows from its seed alone. With ``fault`` one thing goes wrong in it: what,
where and with whom stands in the hand record under ``_fault``, a key of the
writer's own that is never judged.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from rummy_audit.rhl import canonical
from rummy_audit.rhl.records import (
    Choice,
    Deal,
    Deck,
    Discard,
    Draw,
    End,
    Event,
    Hand,
    HandRecord,
    Irregularity,
    Knock,
    Layoff,
    Pass,
    Player,
    Reshuffle,
    Reveal,
    Ruling,
    Show,
    Shuffle,
    UnknownEvent,
    Upcard,
)
from rummy_audit.rhl.shuffle import SCHEME, cards_pack, commit, deck_from
from rummy_audit.rules.rulesets import Ruleset, Value, ruleset
from rummy_audit.simulators.gin.end_faults import FAULTS
from rummy_audit.simulators.gin.faults import Fault
from rummy_audit.simulators.gin.game import Game, Mark

Detail = Literal["full", "table", "shown", "scores"]

_TURNS = 60
_TRIES = 200
_NONCE = 17


def simulate(
    rules_name: str,
    *,
    seed: int,
    detail: str = "full",
    players: int = 2,
    house: Mapping[str, Value] | None = None,
    fault: str | None = None,
) -> Hand:
    """Return a whole hand by the rules, or with one fault in it (see ``end_faults.FAULTS``).

    Raises ValueError where the fault did not come about: with another seed it may.

    >>> hand = simulate("gin", seed=1, fault="second-draw")
    >>> sorted(hand.record.extra["_fault"])
    ['code', 'seat', 'seq']
    """
    made = FAULTS[fault] if fault is not None else None
    needed = dict(made.house) if made is not None else {}
    rules = ruleset(rules_name, players=players, house={**(house or {}), **needed})
    about = f"gin:{seed}:{rules.digest}:{detail}:{fault}"
    if made is None:
        game, mark, seal = _played(rules, random.Random(about), None)
        return _written(game, mark, seal, seed=seed, detail=detail, fault=fault)
    for again in range(_TRIES if detail in made.details else 0):
        game, mark, seal = _played(rules, random.Random(f"{about}:{again}"), made)
        if mark is not None:
            return _written(game, mark, seal, seed=seed, detail=detail, fault=fault)
    raise ValueError(f"{fault} did not come about, expected a hand of detail {detail} to show it")


def _played(
    rules: Ruleset, dice: random.Random, fault: Fault | None
) -> tuple[Game, Mark | None, str]:
    """Play a hand, with a fault where one is asked for and comes about."""
    seal = f"seed {dice.randrange(10**9)}"
    first = dice.choice((1, dice.randrange(1, 8)))
    seats = (first, first + dice.choice((1, 1, 4)))
    game = Game(rules, dice, seats, deck_from(seal, _NONCE, (), cards_pack(1, 0)))
    mark: Mark | None = None
    if fault is not None:
        game.bold = 0.0 if fault.when == "wall" else 0.6

    def goes_wrong(when: str) -> bool:
        nonlocal mark
        if fault is None or fault.when != when or mark is not None:
            return False
        mark = fault.make(game)
        return mark is not None

    if goes_wrong("deal"):
        return game, mark, seal
    game.deal()
    game.turn_upcard()
    if not goes_wrong("offer") or not game.taken:
        _offer(game)
    wait = dice.randrange(0, 9)
    for number in range(_TURNS):
        if not game.over and game.at_the_wall:
            goes_wrong("wall")
        if not game.over and number >= wait and not game.at_the_wall:
            goes_wrong("turn")
        if game.over:
            break
        game.one_turn()
    if game.knocked is not None:
        _showdown(game, goes_wrong)
    goes_wrong("log")
    return game, mark, seal


def _offer(game: Game) -> None:
    if not any(isinstance(event, Draw) for event in game.events):
        game.offer()


def _showdown(game: Game, goes_wrong: Any) -> None:  # noqa: ANN401 - a closure of the caller
    """Let the opponent answer the knock, and write the score down."""
    goes_wrong("knock")
    if game.status != "completed":
        return
    if not goes_wrong("show"):
        game.show()
    game.reckon()
    game.score()
    goes_wrong("score")


def _written(
    game: Game, mark: Mark | None, seal: str, *, seed: int, detail: str, fault: str | None
) -> Hand:
    """Write the game as a log that shows what somebody could see at this detail."""
    events = list(game.events)
    if detail == "full":
        mark = _stated(game, events, mark, seal, fault)
    events, numbers = seen(events, detail)
    extra: dict[str, Any] = {}
    if mark is not None:
        seat = {} if mark.seat is None else {"seat": mark.seat}  # a log has no null
        extra["_fault"] = {"code": mark.code, "seq": numbers.get(mark.seq, 0), **seat}
    seats = [*game.seats, game.seats[1] + 1] if fault == "player-count" else game.seats
    record = HandRecord(
        rhl=1,
        id=f"sim-{seed}",
        ruleset=game.rules.preset,
        detail=msgspec.convert(detail, Detail),
        dealer=game.dealer,
        players=tuple(Player(seat=seat) for seat in seats),
        rules=dict(game.rules.house) or None,
        extra=extra or None,
    )
    end = End(
        status=game.status,  # type: ignore[arg-type] # one of the four
        count=len(events) + (fault == "seq-count"),
        head="0" * 64 if fault == "chain-broken" else None,
    )
    lines = tuple(canonical.encode(each) for each in (record, *events, end))
    return Hand(record=record, events=tuple(events), end=end, ended_after=len(events), lines=lines)


def _stated(
    game: Game, events: list[Event], mark: Mark | None, seal: str, fault: str | None
) -> Mark | None:
    """State the order of the pack before the deal, or seal it, sometimes."""
    if fault == "deck-order":
        events.insert(0, Deck(cards=(game.pack[1], game.pack[0], *game.pack[2:])))
        return mark
    if fault == "shuffle-mismatch":
        events.insert(0, Shuffle(scheme=SCHEME, commit=commit(seal), nonce=_NONCE))
        events.append(Reveal(seed=f"{seal}0"))
        return Mark("shuffle-mismatch", len(events))
    chance = game.dice.random()
    if fault is None and chance < _STATED:
        events.insert(0, Deck(cards=game.pack))
    elif fault is None and chance < 2 * _STATED:
        events.insert(0, Shuffle(scheme=SCHEME, commit=commit(seal), nonce=_NONCE))
        events.append(Reveal(seed=seal))
    return mark


_STATED = 0.2


def seen(events: Sequence[Event], detail: str) -> tuple[list[Event], dict[int, int]]:
    """Return the events as they are seen at a detail, and the numbers they have there."""
    kept: list[Event] = []
    numbers: dict[int, int] = {}
    for number, event in enumerate(events, 1):
        if isinstance(event, UNSEEN[detail]):
            continue
        numbers[number] = len(kept) + 1
        shown = _dimmed(event) if detail == "table" else event
        kept.append(msgspec.structs.replace(shown, seq=len(kept) + 1))
    for at, event in enumerate(kept):
        if isinstance(event, Ruling):
            target = numbers.get(event.target, event.target)
            kept[at] = msgspec.structs.replace(event, target=target)
    return kept, numbers


_PLAY = (
    *(Deck, Shuffle, Reveal, Deal, Draw, Pass, Discard, Reshuffle, UnknownEvent),
    *(Irregularity, Choice),
)
UNSEEN: dict[str, tuple[type[Event], ...]] = {
    "full": (),
    "table": (Deck, Shuffle, Reveal),
    "shown": _PLAY,
    "scores": (*_PLAY, Upcard, Knock, Layoff, Show, Ruling),
}


def _dimmed(event: Event) -> Event:
    """Return an event as a person at the table sees it."""
    if isinstance(event, Deal):
        return msgspec.structs.replace(event, cards=None, count=len(event.cards or ()))
    if isinstance(event, Draw) and event.from_ == "stock":
        return msgspec.structs.replace(event, card=None)
    return event
