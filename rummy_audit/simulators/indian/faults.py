"""Faults for the simulator: one slip in a hand that was right, with its code and its place.

Slips of play are put where a turn would begin, and the hand is broken off there;
slips of dealing, declaring, showing and scoring are made in the events themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import msgspec

from rummy_audit.rhl import records
from rummy_audit.rhl.cards_text import JOKER
from rummy_audit.rhl.records import Event
from rummy_audit.rules.cards import is_wild
from rummy_audit.rules.rulesets import Value
from rummy_audit.simulators.indian.game import Game
from rummy_audit.simulators.indian.targets import BROKEN, SHAPES, Dice

put = msgspec.structs.replace


class Made(msgspec.Struct, frozen=True):
    """What was done: the code it has to be found by, its event and seat; what the end says."""

    code: str
    seq: int
    seat: int | None = None
    count: int | None = None
    head: str | None = None


class Played(Protocol):
    """A hand that was played, open to be spoilt."""

    game: Game
    events: list[Event]
    status: Any
    record: dict[str, Any]


class Fault(NamedTuple):
    """A fault: the details that show it, how it is made, and the house rules it needs.

    ``make`` gives None where the fault cannot come about in this hand.
    """

    details: tuple[str, ...]
    make: Callable[[Played, Dice], Made | None]
    house: Mapping[str, Value] = MappingProxyType({})


PLAY = ("full", "table")
CARDS = ("full", "table", "shown")
ALL = ("full", "table", "shown", "scores")
DECLARED = frozenset({*BROKEN, *SHAPES})


# A slip takes a few more cards from the stock, and the log may have left one out.
SPARE = 4

# Where a turn would begin


class Moment:
    """The cards and the turn after some events of a plain hand: no drop, no reshuffle yet."""

    def __init__(self, played: Played, dice: Dice) -> None:
        """Cut the hand after a discard, and look at what lies there."""
        events = played.events
        ends = [n for n, event in enumerate(events) if isinstance(event, records.Discard)]
        self.played, self.dice, self.game = played, dice, played.game
        cut = dice.choice(ends) + 1 if ends else 0
        before = events[:cut]
        self.hands: dict[int, list[str]] = {}
        self.pile: list[str] = []
        self.free = Counter(card for event in events for card in _out_of_stock(event))
        self.free += self.game.free
        for event in before:
            self._follow(event)
        # What is drawn here comes in no stated order.
        stated = any(isinstance(event, records.Deck) for event in before)
        plain = not (stated or self.game.renewals)
        self.found = bool(ends) and plain and self.free.total() > SPARE
        last = before[-1].seat if before and isinstance(before[-1], records.Discard) else 0
        order = self.game.order
        self.seats = (
            [order[(order.index(last) + n + 1) % len(order)] for n in range(len(order))]
            if last
            else []
        )
        played.events = list(before)
        played.status = "abandoned"

    def _follow(self, event: Event) -> None:
        if isinstance(event, records.Deal):
            self.hands[event.seat] = list(event.cards or ())
        elif isinstance(event, records.Upcard):
            self.pile = [event.card]
        elif isinstance(event, records.Draw) and event.card:
            if event.from_ == "stock":
                self.free[event.card] -= 1
            else:
                self.pile.pop()
            self.hands[event.seat].append(event.card)
        elif isinstance(event, records.Discard):
            self.hands[event.seat].remove(event.card)
            self.pile.append(event.card)

    def add(self, event: Event) -> int:
        """Add an event, and return its number."""
        self.played.events.append(event)
        self._follow(event)
        return len(self.played.events)

    def plain_card(self) -> str:
        """Return a card of the stock that is no joker, if there is one."""
        cards = sorted((+self.free).elements())
        plain = [card for card in cards if not is_wild(card, self.game.wild)] or cards
        card: str = self.dice.choice(plain)
        return card

    def draw(self, seat: int) -> int:
        """Let a seat draw from the stock."""
        return self.add(records.Draw(seat=seat, from_="stock", card=self.plain_card()))

    def discard(self, seat: int, card: str | None = None) -> int:
        """Let a seat throw a card that is no joker, the last one drawn for choice."""
        hand = self.hands[seat]
        plain = [each for each in hand if not is_wild(each, self.game.wild)]
        return self.add(records.Discard(seat=seat, card=card or (plain or hand)[-1]))

    def turn(self, seat: int) -> None:
        """Let a seat take a quiet turn."""
        self.draw(seat)
        self.discard(seat)


def _out_of_stock(event: Event) -> tuple[str, ...]:
    if isinstance(event, records.Draw) and event.from_ == "stock" and event.card:
        return (event.card,)
    return ()


def slip(
    code: str,
    steps: Callable[[Moment], tuple[int, int | None] | None],
    details: tuple[str, ...] = PLAY,
    **house: Value,
) -> Fault:
    """Return a fault that is made where a turn would begin."""

    def make(played: Played, dice: Dice) -> Made | None:
        moment = Moment(played, dice)
        if not moment.found:
            return None
        made = steps(moment)
        return made and Made(code, *made)

    return Fault(details, make, house)


def _out_of_turn(at: Moment) -> tuple[int, int] | None:
    seat = at.seats[1]
    return (at.draw(seat), seat)


def _second_draw(at: Moment) -> tuple[int, int]:
    seat = at.seats[0]
    at.draw(seat)
    return at.draw(seat), seat


def _second_discard(at: Moment) -> tuple[int, int]:
    seat = at.seats[0]
    at.turn(seat)
    return at.discard(seat), seat


def _draw_missing(at: Moment) -> tuple[int, int]:
    seat = at.seats[0]
    return at.discard(seat), seat


def _discard_missing(at: Moment) -> tuple[int, int]:
    at.draw(at.seats[0])
    return at.draw(at.seats[1]), at.seats[0]


def _just_taken(at: Moment) -> tuple[int, int] | None:
    seat, card = at.seats[0], at.pile[-1]
    if (
        at.game.rules.flag("discard_just_taken")
        or is_wild(card, at.game.wild)
        or card in at.hands[seat]
    ):
        return None
    at.add(records.Draw(seat=seat, from_="discard", card=card))
    return at.discard(seat, card), seat


def _joker_taken(at: Moment) -> tuple[int, int] | None:
    seat, other = at.seats[0], at.seats[1]
    jokers = [card for card in sorted(+at.free) if is_wild(card, at.game.wild)]
    if not jokers or at.game.rules.flag("joker_from_discard"):
        return None
    at.add(records.Draw(seat=seat, from_="stock", card=jokers[0]))
    at.discard(seat, jokers[0])
    return at.add(records.Draw(seat=other, from_="discard", card=jokers[0])), other


def _not_top(at: Moment) -> tuple[int, int] | None:
    seat = at.seats[0]
    under = [
        card for card in at.pile[:-1] if card != at.pile[-1] and not is_wild(card, at.game.wild)
    ]
    if not under:
        return None
    at.played.events.append(records.Draw(seat=seat, from_="discard", card=under[0]))
    return len(at.played.events), seat


def _not_in_the_pile(at: Moment) -> tuple[int, int]:
    seat = at.seats[0]
    card = next(card for card in sorted(at.game.free + at.free) if card not in at.pile)
    at.played.events.append(records.Draw(seat=seat, from_="discard", card=card))
    return len(at.played.events), seat


def _acts_after_drop(at: Moment) -> tuple[int, int] | None:
    seat, other = at.seats[0], at.seats[1]
    if len(at.seats) == 2 or not at.game.rules.flag("drops"):  # noqa: PLR2004 - the hand would be over
        return None
    at.add(records.Drop(seat=seat))
    at.turn(other)
    return at.draw(seat), seat


def _drop_forbidden(at: Moment) -> tuple[int, int] | None:
    seat = at.seats[0]
    return None if at.game.rules.flag("drops") else (at.add(records.Drop(seat=seat)), seat)


def _drop_late(at: Moment) -> tuple[int, int] | None:
    seat = at.seats[at.dice.randrange(0, 2)]
    if not at.game.rules.flag("drops"):
        return None
    if seat == at.seats[0]:
        if at.game.rules.flag("drop_after_draw"):
            return None
        at.draw(seat)
    return at.add(records.Drop(seat=seat)), seat


def _not_dropped(at: Moment) -> tuple[int, int] | None:
    seat, *others = at.seats
    most = at.game.rules.limit("misses_to_drop")
    if most is None or most * len(others) >= at.free.total():  # and one card more
        return None
    for _ in range(most):
        at.add(records.Miss(seat=seat))
        for other in others:
            at.turn(other)
    return at.draw(seat), seat


def _reshuffles_early(at: Moment) -> tuple[int, None] | None:
    if at.free.total() < 2:  # noqa: PLR2004 - the last card may be one the log left out
        return None
    return at.add(records.Reshuffle()), None


def _not_renewed(at: Moment) -> tuple[int, int] | None:
    if at.game.rules.choice("stock_exhausted") != "reshuffle" or at.game.bottom:
        return None
    seats = at.seats
    for number in range(at.free.total()):
        at.turn(seats[number % len(seats)])
        seat = seats[(number + 1) % len(seats)]
    card = at.pile[0] if not is_wild(at.pile[0], None) else at.pile[1]
    at.played.events.append(records.Draw(seat=seat, from_="stock", card=card))
    return len(at.played.events), seat


def _late_upcard(at: Moment) -> tuple[int, None]:
    return at.add(records.Upcard(card=at.plain_card())), None


def _noticed_late(at: Moment) -> tuple[int, int]:
    seat = at.seats[0]
    return at.add(records.Irregularity(kind="exposed-card", seat=seat)), seat


def _third_copy(at: Moment) -> tuple[int, int] | None:
    seat = at.seats[0]
    held = Counter(card for hand in at.hands.values() for card in hand)
    gone = [
        card
        for card in sorted(held)
        if held[card] == at.game.rules.number("decks") and card != JOKER
    ]
    if not gone:
        return None
    return at.add(records.Draw(seat=seat, from_="stock", card=gone[0])), seat


def _no_card(at: Moment) -> tuple[int, int]:
    seat = at.seats[0]
    at.draw(seat)
    at.played.events.append(records.Discard(seat=seat, card="R9"))
    return len(at.played.events), seat


def _not_held(at: Moment) -> tuple[int, int]:
    seat = at.seats[0]
    at.draw(seat)
    card = next(card for card in sorted(+at.free) if card not in at.hands[seat])
    at.played.events.append(records.Discard(seat=seat, card=card))
    return len(at.played.events), seat


def _voided(at: Moment) -> tuple[int, None] | None:
    if at.free.total() < 3:  # noqa: PLR2004 - too near to the end of the stock
        return None
    return at.add(records.Void(cause="stock-exhausted")), None


def _misdealt_late(at: Moment) -> tuple[int, None] | None:
    if not at.game.rules.flag("deal_stands"):
        return None
    return at.add(records.Misdeal(cause="exposed-card")), None


SLIPS: dict[str, Fault] = {
    "out-of-turn": slip("out-of-turn", _out_of_turn),
    "second-draw": slip("second-draw", _second_draw),
    "second-discard": slip("second-discard", _second_discard),
    "draw-missing": slip("draw-missing", _draw_missing),
    "discard-missing": slip("discard-missing", _discard_missing),
    "discard-just-taken": slip(
        "discard-just-taken", _just_taken, ("full",), discard_just_taken=False
    ),
    "joker-from-discard": slip("joker-from-discard", _joker_taken),
    "draw-not-top": slip("draw-not-top", _not_top),
    "draw-not-in-pile": slip("draw-not-top", _not_in_the_pile),
    "acted-after-drop": slip("acted-after-drop", _acts_after_drop),
    "drop-not-allowed": slip("drop-not-allowed", _drop_forbidden, drops=False),
    "drop-late": slip("drop-late", _drop_late),
    "auto-drop-missing": slip("auto-drop-missing", _not_dropped),
    "reshuffle-early": slip("reshuffle-early", _reshuffles_early),
    "reshuffle-missing": slip("reshuffle-missing", _not_renewed),
    "upcard-order": slip("upcard-order", _late_upcard),
    "irregularity-handled": slip("irregularity-handled", _noticed_late),
    "too-many-copies": slip("too-many-copies", _third_copy, ("full",)),
    "card-not-in-deck": slip("card-not-in-deck", _no_card),
    "card-not-held": slip("card-not-held", _not_held, ("full",)),
    "void-unfounded": slip("void-unfounded", _voided),
    "misdeal-too-late": slip("misdeal-too-late", _misdealt_late),
}
