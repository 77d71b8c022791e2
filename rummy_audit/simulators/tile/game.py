"""One simulated game of tiles: what lies where, and the events so far."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Literal, TypeVar

import msgspec

from rummy_audit.rhl.records import (
    Deal,
    Deck,
    Draw,
    Event,
    Pass,
    Penalty,
    Play,
    Reveal,
    Score,
    Show,
    Shuffle,
)
from rummy_audit.rhl.shuffle import SCHEME, commit, deck_from, tiles_pack
from rummy_audit.rules.families.tile.melds import readings
from rummy_audit.rules.families.tile.table import Meld, Melds, settings
from rummy_audit.rules.rulesets import Ruleset
from rummy_audit.rules.tiles import in_order, rack_points
from rummy_audit.simulators.tile.players import Hand, take_turn

T = TypeVar("T")

Status = Literal["completed", "misdeal", "void", "abandoned"]


class Dice:
    """Numbers that follow from a seed, the same everywhere.

    >>> [Dice("a").below(6) for _ in range(2)], Dice("b").shuffled("abc")
    ([3, 3], ['b', 'c', 'a'])
    """

    def __init__(self, seed: str) -> None:
        """Start from a seed."""
        self._seed = seed
        self._block = 0
        self._bytes = b""

    def below(self, limit: int) -> int:
        """Return a number from 0, below the limit."""
        if len(self._bytes) < 4:  # noqa: PLR2004 - bytes of a number
            block = f"{self._seed}:{self._block}".encode()
            self._bytes = hashlib.sha256(block).digest()
            self._block += 1
        number = int.from_bytes(self._bytes[:4], "big")
        self._bytes = self._bytes[4:]
        return number % limit

    def pick(self, among: Sequence[T]) -> T:
        """Return one of some things."""
        return among[self.below(len(among))]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """Return things in another order."""
        left = list(things)
        for last in range(len(left) - 1, 0, -1):
            place = self.below(last + 1)
            left[last], left[place] = left[place], left[last]
        return left


class Game:
    """One simulated game: what lies where, and the events so far."""

    def __init__(self, rules: Ruleset, dice: Dice, seats: int) -> None:
        """Shuffle and deal; the first seat to be dealt begins."""
        self.rules = rules
        self.settings = settings(rules)
        self.dice = dice
        self.seats = list(range(1, seats + 1))
        self.events: list[Event] = []
        self.seed = f"seed {dice.below(1_000_000)}"
        self.deck = deck_from(self.seed, 1, (), tiles_pack())
        self.stock = list(self.deck)
        self.racks: dict[int, list[str]] = {seat: [] for seat in self.seats}
        self.melds: Melds = ()
        self.opened: set[int] = set()
        self.passes = 0
        self.winner: int | None = None
        self.over = False
        self.ms = 0
        self.turn = dice.pick(self.seats)
        self.stopped = False
        self.status: Status | None = None
        self.claimed: int | None = None
        self.head: str | None = None

    def add(self, event: Event, *, at: int | None = None) -> int:
        """Add an event with its number and, under a timer, its time; return the number."""
        seq = len(self.events) + 1
        timed = {"ms": self.ms if at is None else at} if self.settings.timer is not None else {}
        self.events.append(msgspec.structs.replace(event, seq=seq, **timed))
        return seq

    def vouch(self) -> None:
        """State the order of the tiles before the deal, or commit to the seed it came from."""
        chance = self.dice.below(4)
        if chance == 0:
            self.add(Deck(cards=self.deck))
        elif chance == 1:
            self.add(Shuffle(scheme=SCHEME, commit=commit(self.seed), nonce=1))

    def deal(self) -> None:
        """Deal one tile at a time, from the seat that begins."""
        order = self.in_turn()
        for _ in range(self.settings.hand_size):
            for seat in order:
                self.racks[seat].append(self.stock.pop(0))
        for seat in order:
            self.add(Deal(seat=seat, cards=tuple(self.racks[seat])))

    @property
    def begun(self) -> bool:
        """Whether anybody has played or drawn."""
        return any(isinstance(event, Play | Draw | Pass | Penalty) for event in self.events)

    def goes_on(self) -> bool:
        """Whether there is another turn to play."""
        return not self.over and not self.stopped

    def in_turn(self) -> list[int]:
        """Return the seats from the one whose turn it is."""
        place = self.seats.index(self.turn)
        return self.seats[place:] + self.seats[:place]

    def stands(self, *melds: Meld) -> bool:
        """Whether all of some melds are valid."""
        return all(readings(meld, self.settings.melds) for meld in melds)

    def next_turn(self, seat: int) -> None:
        """Pass the turn on to the left neighbour."""
        self.turn = self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def take(self, seat: int, count: int) -> tuple[str, ...]:
        """Move tiles from the stock to a rack."""
        tiles = tuple(self.stock[:count])
        del self.stock[:count]
        self.racks[seat] += tiles
        return tiles

    def play(self, seat: int, melds: Melds) -> int:
        """Lay the table as a player leaves it, right or wrong."""
        before = Counter(t for m in self.melds for t in m)
        after = Counter(t for m in melds for t in m)
        self.racks[seat] = list((Counter(self.racks[seat]) - (after - before)).elements())
        self.racks[seat] += list((before - after).elements())
        self.melds = melds
        self.opened.add(seat)
        self.passes = 0
        if not self.racks[seat]:
            self.winner, self.over = seat, True
        return self.add(Play(seat=seat, table=melds))

    def draw(self, seat: int) -> int:
        """Draw a tile, or pass with an empty stock."""
        if self.stock:
            self.passes = 0
            (tile,) = self.take(seat, 1)
            return self.add(Draw(seat=seat, from_="stock", card=tile))
        self.passes += 1
        self.over = self.over or self.passes >= len(self.seats)
        return self.add(Pass(seat=seat))

    def undone(self, seat: int, melds: Melds, *, marked: bool, penalty: int | None = None) -> int:
        """Let a turn be taken back with its penalty, or with another number of tiles."""
        seq = self.add(Play(seat=seat, table=melds, undone=True if marked else None))
        self.passes = 0
        due = min(self.settings.penalty_tiles, len(self.stock))
        tiles = self.take(seat, due if penalty is None else penalty)
        if tiles or not marked:
            self.add(Penalty(seat=seat, cards=tiles))
        return seq

    def wrong_turn(self, seat: int) -> Melds | None:
        """Return a table with two tiles of a rack that are no meld."""
        rack = self.racks[seat]
        return (*self.melds, tuple(rack[:2])) if len(rack) > 2 else None  # noqa: PLR2004 - a pair

    def one_turn(self) -> None:
        """Let the seat whose turn it is play or draw."""
        seat, dice = self.turn, self.dice
        self.ms += 1000 + dice.below(10_000)
        self.next_turn(seat)
        if dice.below(25) == 0 and (wrong := self.wrong_turn(seat)) is not None:
            self.undone(seat, wrong, marked=dice.below(2) == 0)
            return
        hand = Hand(tuple(self.racks[seat]), self.melds, self.settings)
        melds = take_turn(hand, dice, opened=seat in self.opened)
        if melds is None:
            self.draw(seat)
        else:
            self.play(seat, melds)

    def points(self) -> tuple[int | None, dict[int, int]]:
        """Return the winner and everybody's points by the rules."""
        worth = {
            seat: rack_points(self.racks[seat], self.settings.joker_points) for seat in self.seats
        }
        winner, spared = self.winner, 0
        if winner is None:
            winner = min(self.seats, key=lambda seat: (worth[seat], seat))
            spared = worth[winner] if self.settings.difference else 0
        points = {seat: spared - worth[seat] for seat in self.seats if seat != winner}
        return winner, {**points, winner: -sum(points.values())}

    def score(self) -> None:
        """Show what is left, tell the seed, and write the score."""
        if any(isinstance(event, Shuffle) for event in self.events):
            self.add(Reveal(seed=self.seed))
        for seat in self.seats:
            if self.racks[seat]:
                self.add(Show(seat=seat, groups=(), loose=tuple(in_order(self.racks[seat]))))
        winner, points = self.points()
        self.add(Score(points=points, winner=winner))
