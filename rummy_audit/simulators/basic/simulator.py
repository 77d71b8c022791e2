"""Whole hands of basic rummy, played by chance and by the rules, for tests and for load.

A hand follows from its seed alone. With ``fault`` one thing goes wrong in it: what,
where and with whom stands in the hand record under ``_fault``, a key of the
writer's own that is never judged.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import msgspec

from rummy_audit.rhl import canonical, records
from rummy_audit.rhl.records import End, Event, Hand, HandRecord, Player
from rummy_audit.rhl.shuffle import SCHEME, cards_pack, commit, deck_from
from rummy_audit.rules.rulesets import Ruleset, Value, ruleset
from rummy_audit.simulators.basic.faults import FAULTS, Fault, Played
from rummy_audit.simulators.basic.game import Game
from rummy_audit.simulators.basic.slips import Made

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
    """Return a whole hand by the rules, or with one fault in it (see ``faults.FAULTS``).

    Raises ValueError where the fault did not come about by these rules at this detail.

    >>> hand = simulate("basic", seed=1, players=2, fault="second-draw")
    >>> sorted(hand.record.extra["_fault"])
    ['code', 'seat', 'seq']
    """
    rules = ruleset(rules_name, players=players, house=house)
    if fault is None:
        dice = random.Random(f"basic:{seed}:{rules.digest}:{players}:{detail}")
        return _written(_play(rules, dice, players, detail), rules, seed, detail, None)
    for again in range(_TRIES):
        dice = random.Random(f"basic:{seed}:{rules.digest}:{players}:{detail}:{fault}:{again}")
        made = FAULTS[fault]
        if detail not in made.details:
            break
        played = _play(rules, dice, players, detail, fault=fault)
        done = played.made or (made.spoil(played, dice) if made.spoil else None)
        if done is not None:
            return _written(played, rules, seed, detail, done)
    raise ValueError(f"{fault} did not come about, expected a hand of detail {detail} to show it")


def _play(
    rules: Ruleset, dice: random.Random, players: int, detail: str, *, fault: str | None = None
) -> Played:
    """Play a hand to its end, with a slip on the way where one is wanted."""
    numbers = (
        range(1, players + 1)
        if dice.random() < _PLAIN
        else sorted(dice.sample(range(1, 13), players))
    )
    shuffled = None
    if detail == "full" and (fault == "shuffle-mismatch" or (not fault and dice.random() < _SEALS)):
        seed = f"seed {dice.randrange(0, 10**9)}"
        shuffled = seed
    game = Game(rules, dice, list(numbers))
    if shuffled is not None:
        pack = cards_pack(rules.number("decks"), game.settings.jokers)
        game = Game(rules, dice, list(numbers), deck_from(shuffled, 17, (), pack))
    played = Played(game)
    made = FAULTS[fault] if fault else None
    sizes = made.sizes(game) if made and made.sizes else None
    game.deal(sizes)
    if sizes is not None:
        seat = next(iter(sizes))
        played.made = Made("deal-count", 1 + game.order.index(seat), seat)
    elif not fault and dice.random() < _MISDEALS:
        return _misdealt(played)
    _turns(played, made, dice)
    if game.over:
        played.end()
    if shuffled is not None:
        sealed = records.Shuffle(scheme=SCHEME, commit=commit(shuffled), nonce=17)
        played.put_first(sealed)
        played.events.append(records.Reveal(seed=shuffled))
    elif detail == "full" and (fault in _STATED or (not fault and dice.random() < _STATES)):
        played.put_first(records.Deck(cards=game.pack))
    return played


def _turns(played: Played, made: Fault | None, dice: random.Random) -> None:
    """Take turns until the hand is over; a slip comes on some turn, when it can."""
    game = played.game
    seat = game.left(game.dealer) if game.dealer in game.seats else game.seats[0]
    slip = made.slip if made else None
    when = dice.randrange(1, 12)
    for turn in range(_TURNS):
        if game.over:
            return
        if slip is not None and turn >= when and played.made is None:
            done = slip(game, seat)
            if done is not None:
                played.made, after = done
                if after is None:
                    return
                seat = after
                continue
        if game.may_call():
            game.events.append(records.Call(seat=seat, what="stalemate"))
            game.over = "stalemate"
            return
        game.begin(seat)
        if not game.draw(seat):
            return
        game.lay(seat)
        if game.hands[seat]:
            game.discard(seat)
        game.end_turn(seat)
        seat = game.left(seat)


def _misdealt(played: Played) -> Played:
    """Let the table notice something wrong with the deal, and deal again."""
    dice, events = played.game.dice, played.events
    del events[-1]
    kind = dice.choice(("wrong-count", "exposed-card", "not-shuffled", "agreed"))
    if kind == "wrong-count":
        first = played.game.order[0]
        cards = tuple(played.game.hands[first][:-1])
        events[0] = records.Deal(seat=first, cards=cards)
    elif kind != "agreed":
        events.append(records.Irregularity(kind=kind))  # type: ignore[arg-type] # a kind
    events.append(records.Misdeal(cause=kind))  # type: ignore[arg-type] # a cause
    played.status = "misdeal"
    return played


_PLAIN = 0.8
_SEALS = 0.06
_STATES = 0.15
_MISDEALS = 0.04
_STATED = ("deck-order-draw",)


def _written(played: Played, rules: Ruleset, seed: int, detail: str, made: Made | None) -> Hand:
    """Number the events as somebody at this detail saw them, and make the hand of them."""
    kept: list[Event] = []
    places: dict[int, int] = {}
    for number, event in enumerate(played.events, start=1):
        seen = _seen(event, detail)
        if seen is not None:
            kept.append(seen)
            places[number] = len(kept)
    events = tuple(msgspec.structs.replace(each, seq=n) for n, each in enumerate(kept, start=1))
    extra: dict[str, Any] = {}
    if made is not None:
        seq = places.get(made.seq, 0)
        seat = {} if made.seat is None else {"seat": made.seat}  # a log has no null
        extra["_fault"] = {"code": made.code, "seq": seq, **seat}
    preset, _, _ = rules.preset.partition("@")
    record = HandRecord(
        rhl=1,
        id=f"{preset}-{seed}",
        ruleset=rules.preset,
        detail=detail,  # type: ignore[arg-type] # one of the details
        dealer=played.game.dealer,
        players=tuple(Player(seat=seat) for seat in played.seats),
        rules=dict(rules.house) or None,
        extra=extra or None,
    )
    count, head = len(events) + played.miscount, played.head
    end = End(status=played.status, count=count, head=head)
    hand = Hand(record=record, events=events, end=end, ended_after=len(events))
    lines = (record, *events, end)
    return msgspec.structs.replace(hand, lines=tuple(canonical.encode(each) for each in lines))


_RESULTS = (records.Score, records.Misdeal, records.Void)
_SHOWN = (*_RESULTS, records.Show, records.Irregularity, records.UnknownEvent)


def _seen(event: Event, detail: str) -> Event | None:
    """Return an event as it is seen at a detail, or nothing where it is not seen."""
    if detail == "full":
        return event
    if detail in ("scores", "shown"):
        return event if isinstance(event, _RESULTS if detail == "scores" else _SHOWN) else None
    if isinstance(event, records.Deck | records.Shuffle | records.Reveal):
        return None
    if isinstance(event, records.Deal):
        return records.Deal(seat=event.seat, count=len(event.cards or ()))
    if isinstance(event, records.Draw) and event.from_ == "stock":
        return records.Draw(seat=event.seat, from_="stock")
    if isinstance(event, records.Reshuffle):
        return records.Reshuffle(turned=event.turned)
    if isinstance(event, records.Discard) and event.facedown:
        return records.Discard(seat=event.seat, card=records.UNKNOWN, facedown=True)
    return event
