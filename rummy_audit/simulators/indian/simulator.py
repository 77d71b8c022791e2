"""Whole hands of Indian rummy, played by chance and by the rules, for tests and for load.

A hand follows from its seed alone. With ``fault`` one thing goes wrong in it: what,
where and with whom stands in the hand record under ``_fault``, a key of the
writer's own that is never judged.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from rummy_audit.rhl import canonical, records
from rummy_audit.rhl.records import End, Event, Hand, HandRecord, Match, Player
from rummy_audit.rhl.shuffle import SCHEME, cards_pack, commit, deck_from
from rummy_audit.rules.rulesets import Ruleset, Value, ruleset
from rummy_audit.simulators.indian.deal_faults import deck_of
from rummy_audit.simulators.indian.end_faults import FAULTS
from rummy_audit.simulators.indian.faults import DECLARED, Made
from rummy_audit.simulators.indian.game import Game

Detail = Literal["full", "table", "shown", "scores"]
Status = Literal["completed", "misdeal", "void", "abandoned"]

# A hand that drags on is left unfinished after so many rounds.
_ROUNDS = 80
_TRIES = 60

# How a seat may go out of a hand, and how often things happen.
WAYS = (
    *("drop",) * 10,
    *("leave",) * 4,
    *("leave late",),
    *("miss",) * 8,
    *("declare wrongly",) * 3,
    *("play",) * 74,
)
SELDOM, SOME, HALF, OFTEN, MOSTLY = 0.05, 0.4, 0.5, 0.8, 0.9


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

    Raises ValueError where the fault did not come about at this detail.

    >>> hand = simulate("indian-13", seed=1, players=2, fault="second-draw")
    >>> sorted(hand.record.extra["_fault"])
    ['code', 'seat', 'seq']
    """
    needed = FAULTS[fault].house if fault is not None else {}
    rules = ruleset(rules_name, players=players, house={**(house or {}), **needed})
    if fault is None:
        dice = random.Random(f"indian:{seed}:{rules.digest}:{players}:{detail}")
        return _written(_played(rules, dice, players, detail), rules, seed, detail, None)
    for again in range(_TRIES):
        dice = random.Random(f"indian:{seed}:{rules.digest}:{players}:{detail}:{fault}:{again}")
        made = _faulty(rules, dice, players, detail, fault)
        if made is not None:
            return made
    raise ValueError(f"{fault} did not come about, expected a hand of detail {detail} to show it")


def _faulty(
    rules: Ruleset, dice: random.Random, players: int, detail: str, name: str
) -> Hand | None:
    fault = FAULTS[name]
    if detail not in fault.details:
        return None
    table = _played(
        rules,
        dice,
        players,
        detail,
        broken=name if name in DECLARED else None,
        plain=name != "penalty-points-wrong",
    )
    made = fault.make(table, dice)
    if made is None:
        return None
    return _written(table, rules, dice.randrange(0, 10**6), detail, made)


class Table(msgspec.Struct):
    """A hand that was played, before it is written down as somebody saw it."""

    game: Game
    events: list[Event]
    status: Status
    record: dict[str, Any]


def _played(
    rules: Ruleset,
    dice: random.Random,
    players: int,
    detail: str,
    *,
    broken: str | None = None,
    plain: bool = False,
) -> Table:
    """Play a hand to its end; a ``plain`` one has no misdeal and ends with a declaration."""
    seats = tuple(range(1, players + 1))
    if dice.random() > OFTEN:
        seats = tuple(sorted(dice.sample(range(1, 13), players)))
    shuffled = None
    if not plain and detail == "full" and dice.random() < SELDOM:
        shuffled = _shuffled(rules, dice)
    game = Game(rules, dice, seats, deck=shuffled and shuffled[1], broken=broken)
    game.deal()
    record: dict[str, Any] = {}
    if not plain and dice.random() < SELDOM:
        _misdeal(game)
        return Table(game, game.events, "misdeal", record)
    _play(game, dice, plain=plain)
    if game.over == "void":
        game.events.append(records.Void(cause="stock-exhausted"))
        return Table(game, _ordered(game, dice, shuffled), "void", record)
    if not game.over:
        return Table(game, _ordered(game, dice, shuffled), "abandoned", record)
    _end(game, dice, record)
    return Table(game, _ordered(game, dice, shuffled), "completed", record)


def _shuffled(rules: Ruleset, dice: random.Random) -> tuple[str, tuple[str, ...]]:
    seed = f"seed {dice.randrange(0, 10**9)}"
    cards = cards_pack(rules.number("decks"), rules.number("printed_jokers"))
    return seed, deck_from(seed, 17, (), cards)


def _misdeal(game: Game) -> None:
    """Let the deal go wrong, and let the table call it in time."""
    deals = [place for place, event in enumerate(game.events) if isinstance(event, records.Deal)]
    place = game.dice.choice(deals)
    dealt = game.events[place]
    way = game.dice.choice(("wrong-count", "exposed-card", "not-shuffled"))
    del game.events[deals[-1] + 1 :]
    if way == "wrong-count" and isinstance(dealt, records.Deal) and dealt.cards:
        game.events[place] = msgspec.structs.replace(dealt, cards=dealt.cards[:-1])
    else:
        game.events.append(records.Irregularity(kind=way))
    game.events.append(records.Misdeal(cause=game.dice.choice((None, way))))


def _play(game: Game, dice: random.Random, *, plain: bool) -> None:
    """Take turns until the hand is over."""
    ways = {seat: "play" if plain else dice.choice(WAYS) for seat in game.order}
    for _ in range(_ROUNDS):
        for seat in game.order:
            if game.over:
                return
            way = ways[seat] if dice.random() < SOME else "play"
            if seat in game.live and not _turn(game, seat, way):
                return
        if not game.bound and len(game.live) > 1 and game.rules.flag("drops"):
            # Nobody is bound to win any more: let the hand end by drops.
            ways = dict.fromkeys(game.order, "drop")


def _turn(game: Game, seat: int, way: str) -> bool:
    """Take one turn, in the way this seat has come to; False where no card is left for it."""
    if way == "drop" and game.rules.flag("drops"):
        game.drop(seat)
    elif way == "leave":
        game.leave(seat)
    elif way == "miss":
        game.miss(seat)
    elif not game.draw(seat):
        return False
    elif way == "leave late":
        game.leave(seat)
    elif game.may_declare(seat):
        game.declare(seat)
    elif way != "declare wrongly" or not game.declare_wrongly(seat):
        game.discard(seat)
    return True


def _end(game: Game, dice: random.Random, record: dict[str, Any]) -> None:
    """Show the hands that count, and write the score down."""
    open_hands = [seat for seat in game.live if seat not in game.points]
    for seat in open_hands:
        if dice.random() < MOSTLY:
            game.show(seat)
        else:
            game.count(seat)
    if game.over == "lowest":
        least = min(game.points[seat] for seat in open_hands)
        lowest = [seat for seat in open_hands if game.points[seat] == least]
        if len(lowest) == 1:
            game.winner = lowest[0]
            game.points[game.winner] = 0
    points = {seat: game.points[seat] for seat in sorted(game.points)}
    amounts = None
    if game.winner is not None and dice.random() < 2 * SELDOM:
        record["match"] = Match(id="M1", format="points", point_value=5, fee=3)
        amounts = {game.winner: 5 * sum(points.values()) - 3}
    game.events.append(records.Score(points=points, winner=game.winner, amounts=amounts))


def _ordered(
    game: Game, dice: random.Random, shuffled: tuple[str, tuple[str, ...]] | None
) -> list[Event]:
    """Write out the order in which the cards of a stock came, and would have come."""
    events = list(game.events)
    ends = [*(drawn for _, drawn in game.renewals[1:]), len(game.stock_draws)]
    for (place, start), end in zip(game.renewals, ends, strict=False):
        event = events[place]
        if isinstance(event, records.Reshuffle) and event.cards is not None:
            drawn = game.stock_draws[start:end]
            rest = list(event.cards)
            for card in drawn:
                rest.remove(card)
            dice.shuffle(rest)
            cards = (*drawn, *rest)
            events[place] = records.Reshuffle(cards=cards if dice.random() < OFTEN else None)
    if shuffled is not None:
        seed, deck = shuffled
        before = records.Shuffle(scheme=SCHEME, commit=commit(seed), nonce=17)
        stated = [records.Deck(cards=deck)] if dice.random() < HALF else []
        return _moved([before, *stated, *events, records.Reveal(seed=seed)], 1 + len(stated))
    if not game.renewals and not game.bottom and dice.random() < 2 * SELDOM:
        deck = deck_of(game, dice)
        return _moved([records.Deck(cards=deck), *events], 1) if deck else events
    return events


def _moved(events: Sequence[Event], by: int) -> list[Event]:
    """Let rulings point at their event again when others have come before it."""
    return [
        msgspec.structs.replace(event, target=event.target + by)
        if isinstance(event, records.Ruling)
        else event
        for event in events
    ]


# Writing it down


def _written(table: Table, rules: Ruleset, seed: int, detail: str, made: Made | None) -> Hand:
    """Number the events as somebody at this detail saw them, and make the hand of them."""
    kept: list[Event] = []
    places: dict[int, int] = {}
    for number, event in enumerate(table.events, start=1):
        seen = _seen(event, detail)
        if seen is not None:
            kept.append(seen)
            places[number] = len(kept)
    events = tuple(_numbered(event, number, places) for number, event in enumerate(kept, start=1))
    extra: dict[str, Any] = {}
    if made is not None:
        seq = places.get(made.seq, made.seq)
        seat = {} if made.seat is None else {"seat": made.seat}  # a log has no null
        extra["_fault"] = {"code": made.code, "seq": seq, **seat}
    preset, _, _ = rules.preset.partition("@")
    record = HandRecord(
        rhl=1,
        id=f"{preset}-{seed}",
        ruleset=rules.preset,
        detail=detail,  # type: ignore[arg-type] # one of the details
        dealer=table.game.dealer,
        players=tuple(Player(seat=seat) for seat in table.game.seats),
        rules=dict(rules.house) or None,
        extra=extra or None,
        **table.record,
    )
    status = table.status
    end = End(
        status=status, count=made.count if made else len(events), head=made.head if made else None
    )
    hand = Hand(record=record, events=events, end=end, ended_after=len(events))
    lines = (record, *events, end)
    return msgspec.structs.replace(hand, lines=tuple(canonical.encode(each) for each in lines))


def _numbered(event: Event, number: int, places: Mapping[int, int]) -> Event:
    if isinstance(event, records.Ruling):
        event = msgspec.structs.replace(event, target=places.get(event.target, event.target))
    return msgspec.structs.replace(event, seq=number)


_SHOWN = (
    *(records.Wild, records.Declare, records.Show, records.Score, records.Ruling),
    *(records.Drop, records.Misdeal, records.Void, records.Irregularity, records.UnknownEvent),
)


def _seen(event: Event, detail: str) -> Event | None:
    """Return an event as it is seen at a detail, or nothing where it is not seen."""
    if detail == "full":
        return event
    if detail == "scores":
        return event if isinstance(event, records.Score | records.Void | records.Misdeal) else None
    if detail == "shown":
        return event if isinstance(event, _SHOWN) else None
    if isinstance(event, records.Deck | records.Shuffle | records.Reveal):
        return None
    if isinstance(event, records.Deal):
        return records.Deal(seat=event.seat, count=len(event.cards or ()))
    if isinstance(event, records.Draw) and event.from_ == "stock":
        return records.Draw(seat=event.seat, from_="stock")
    if isinstance(event, records.Reshuffle):
        return records.Reshuffle()
    return event
