"""A game of basic rummy as the simulator plays it: legal moves, chosen by chance.

It keeps its own books and asks no judge, so that the referee can be tried on it.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Literal, Protocol, TypeVar

from rummy_audit.rhl.records import (
    Call,
    Deal,
    Discard,
    Draw,
    Event,
    Layoff,
    Meld,
    Reshuffle,
    Upcard,
)
from rummy_audit.rhl.shuffle import cards_pack
from rummy_audit.rules.arrange import Arrangement
from rummy_audit.rules.families.basic.deadwood import best, counted
from rummy_audit.rules.families.basic.readings import extended, readings
from rummy_audit.rules.families.basic.table import Settings, settings
from rummy_audit.rules.rulesets import Ruleset

T = TypeVar("T")


class Dice(Protocol):
    """Chance, as it is handed in: a ``random.Random`` made from a seed."""

    def random(self) -> float:
        """Return a number from 0 up to 1."""

    def choice(self, seq: Sequence[T], /) -> T:
        """Return one of some things."""

    def shuffle(self, x: MutableSequence[T], /) -> None:
        """Put some things in any order."""


Over = Literal["", "won", "stalemate", "exhausted"]


class Game:
    """One hand under way: cards, melds, and the events so far.

    ``style`` says of each seat whether it lays melds at once or hides them to go
    rummy. ``over`` is how the hand ended, "" while it goes on.
    """

    def __init__(
        self,
        rules: Ruleset,
        dice: Dice,
        seats: Sequence[int],
        deck: Sequence[str] | None = None,
    ) -> None:
        """Shuffle the pack, or take it as it lies."""
        self.rules = rules
        self.dice = dice
        self.seats = list(seats)
        self.settings: Settings = settings(rules)
        self.dealer = dice.choice(self.seats)
        pack = list(deck or cards_pack(rules.number("decks"), self.settings.jokers))
        if deck is None:
            dice.shuffle(pack)
        self.pack = tuple(pack)
        self.stock = pack[::-1]
        self.hands: dict[int, list[str]] = {}
        self.pile: list[str] = []
        self.melds: list[list[str]] = []
        self.standing: list[tuple[tuple[str, ...], ...]] = []
        self.events: list[Event] = []
        self.turns = dict.fromkeys(self.seats, 0)
        self.laid = dict.fromkeys(self.seats, 0)
        self.own_meld = dict.fromkeys(self.seats, False)
        self.hides = {seat: dice.random() < _HIDES for seat in self.seats}
        self.arranged: dict[tuple[str, ...], Arrangement] = {}
        self.reshuffles = 0
        self.small = self.ripe = False
        self.taken: str | None = None
        self.now_melds = self.now_layoffs = 0
        self.over: Over = ""
        self.winner: int | None = None
        self.rummy = False

    # The deal

    @property
    def order(self) -> list[int]:
        """The seats from the dealer's left."""
        after = [seat for seat in self.seats if seat > self.dealer]
        return after + [seat for seat in self.seats if seat <= self.dealer]

    def left(self, seat: int) -> int:
        """Return the left neighbour."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def deal(self, sizes: dict[int, int] | None = None) -> None:
        """Deal one card at a time from the dealer's left, and turn one up."""
        size = self.settings.hand_size
        sizes = sizes or {}
        self.hands = {seat: [] for seat in self.order}
        for number in range(max([size, *sizes.values()])):
            for seat in self.order:
                if number < sizes.get(seat, size):
                    self.hands[seat].append(self.stock.pop())
        for seat in self.order:
            self.events.append(Deal(seat=seat, cards=tuple(self.hands[seat])))
        self.turn_up()

    def turn_up(self) -> None:
        """Turn the top card of the stock up."""
        self.pile.append(self.stock.pop())
        self.events.append(Upcard(card=self.pile[-1]))

    # The stock

    @property
    def renews(self) -> bool:
        """Whether the rules renew a stock that has run out, once more."""
        most = self.settings.reshuffles_max
        kind = self.settings.exhausted in ("reshuffle", "turn-over")
        return kind and (most is None or self.reshuffles < most)

    def renew(self) -> None:
        """Make the pile the stock as the rules say."""
        self.reshuffles += 1
        if self.settings.exhausted == "turn-over":
            cards, self.pile = self.pile, []
            self.stock = cards[::-1] + self.stock
            self.events.append(Reshuffle(cards=tuple(cards), turned=True))
            self.turn_up()
            return
        kept = self.pile[-1:] if self.settings.keeps_top else []
        cards = self.pile[: len(self.pile) - len(kept)]
        self.dice.shuffle(cards)
        self.pile = kept
        self.stock = cards[::-1] + self.stock
        self.events.append(Reshuffle(cards=tuple(cards)))

    # One turn

    def begin(self, seat: int) -> None:
        """Begin a turn."""
        self.turns[seat] += 1
        self.taken = None
        self.now_melds = self.now_layoffs = 0

    def draw(self, seat: int) -> bool:
        """Draw a card; False where there is none to be had."""
        if self.wants_top(seat):
            self.take_top(seat)
            return True
        if not self.stock and self.renews and len(self.pile) > 1:
            self.renew()
        if self.stock:
            self.draw_stock(seat)
        elif self.pile:
            self.take_top(seat)
        else:
            return False
        return True

    def draw_stock(self, seat: int) -> str:
        """Draw the top card of the stock."""
        card = self.stock.pop()
        self.hands[seat].append(card)
        self.events.append(Draw(seat=seat, from_="stock", card=card))
        if not self.stock and self.small:
            self.ripe = True
        return card

    def take_top(self, seat: int) -> None:
        """Take the open card."""
        card = self.pile.pop()
        held = card in self.hands[seat] or self.settings.retake
        self.taken = None if held else card
        self.hands[seat].append(card)
        self.events.append(Draw(seat=seat, from_="discard", card=card))

    def wants_top(self, seat: int) -> bool:
        """Whether the open card makes a meld, or a player takes it for no reason."""
        if not self.pile:
            return False
        if self.dice.random() < _WHIM:
            return True
        top = self.pile[-1]
        hand = [*self.hands[seat], top]
        return any(top in group for group in self.arrange(hand).groups)

    def lay(self, seat: int) -> None:
        """Meld and lay off: at once, or all on the turn of going out."""
        plan = self.plan(seat)
        goes_out = plan is not None
        if plan is None:
            if self.settings.only_going_out or self.hides[seat]:
                return
            plan = self.some(seat)
        groups, offs = plan
        if goes_out and self.goes_rummy(seat, offs) and self.dice.random() < _SAYS:
            self.events.append(Call(seat=seat, what="rummy"))
        for group in groups:
            self.meld(seat, group)
        while offs:
            number, card = offs.pop(0)
            cards = [card]
            while offs and offs[0][0] == number and self.dice.random() < _TOGETHER:
                cards.append(offs.pop(0)[1])
            self.lay_off(seat, number, cards)

    def goes_rummy(self, seat: int, offs: Sequence[tuple[int, str]]) -> bool:
        """Whether going out now is going rummy."""
        return (
            not self.laid[seat]
            and (self.settings.with_layoffs or not offs)
            and (self.settings.first_turn or self.turns[seat] > 1)
        )

    def plan(self, seat: int) -> Plan | None:
        """Return how to get rid of the whole hand on this turn, if that can be."""
        hand = self.hands[seat]
        found = self.arrange(hand)
        groups = [list(group) for group in found.groups]
        loose = list(found.loose)
        offs = self.fitting(seat, loose, melds=bool(groups))
        for _, card in offs:
            loose.remove(card)
        if len(loose) == 1 and loose[0] != self.taken:
            return groups, offs
        if loose:
            return None
        if not self.settings.final_discard:
            return groups, offs
        return self.spare_one(groups, offs)

    def spare_one(self, groups: list[list[str]], offs: list[tuple[int, str]]) -> Plan | None:
        """Keep one card of melds that take in the whole hand, to be discarded."""
        if offs and offs[-1][1] != self.taken:
            return groups, offs[:-1]
        for place, group in enumerate(groups):
            for kept in (group[1:], group[:-1]):
                card = group[0] if kept == group[1:] else group[-1]
                if card != self.taken and readings(kept, self.settings.groups):
                    return [*groups[:place], kept, *groups[place + 1 :]], offs
        return None

    def some(self, seat: int) -> Plan:
        """Return melds and lay-offs that leave a card in hand that may be discarded."""
        hand = self.hands[seat]
        found = self.arrange(hand)
        left = sum(card != self.taken for card in hand)
        groups: list[list[str]] = []
        for group in found.groups:
            laid = sum(card != self.taken for card in group)
            if left > laid and self.dice.random() < _LAYS:
                groups.append(list(group))
                left -= laid
        loose = [card for card in found.loose if self.dice.random() < _LAYS]
        offs: list[tuple[int, str]] = []
        for off in self.fitting(seat, loose, melds=bool(groups)):
            laid = off[1] != self.taken
            if left > laid:
                offs.append(off)
                left -= laid
        return groups, offs

    def fitting(self, seat: int, cards: Sequence[str], *, melds: bool) -> list[tuple[int, str]]:
        """Return which cards fit on which melds that lie there, one after the other."""
        if self.settings.layoff_needs_meld and not (melds or self.own_meld[seat]):
            return []
        standing = list(self.standing)
        found: list[tuple[int, str]] = []
        for card in cards:
            for number, faces in enumerate(standing, start=1):
                grown = extended(faces, (card,), self.settings.groups) if faces else ()
                if grown:
                    standing[number - 1] = grown
                    found.append((number, card))
                    break
        return found

    def arrange(self, hand: Sequence[str]) -> Arrangement:
        """Return the best arrangement of a hand; asked of the same cards again and again."""
        key = tuple(sorted(hand))
        found = self.arranged.get(key)
        if found is None:
            found = self.arranged[key] = best(key, self.settings)
        return found

    def meld(self, seat: int, cards: Sequence[str]) -> None:
        """Lay a meld."""
        for card in cards:
            self.hands[seat].remove(card)
        self.melds.append(list(cards))
        self.standing.append(readings(cards, self.settings.groups))
        self.events.append(Meld(seat=seat, cards=tuple(cards)))
        self.own_meld[seat] = True
        self.now_melds += 1

    def lay_off(self, seat: int, number: int, cards: Sequence[str]) -> None:
        """Lay cards off on a meld."""
        for card in cards:
            self.hands[seat].remove(card)
        faces = self.standing[number - 1]
        self.melds[number - 1] += cards
        self.standing[number - 1] = extended(faces, tuple(cards), self.settings.groups)
        self.events.append(Layoff(seat=seat, cards=tuple(cards), meld=number))
        self.now_layoffs += 1

    def discard(self, seat: int) -> None:
        """Discard a card, not the one just taken; the last one may go face down."""
        hand = self.hands[seat]
        able = [card for card in hand if card != self.taken] or hand
        loose = [card for card in self.arrange(hand).loose if card in able]
        self.put_down(seat, self.dice.choice(loose or able))

    def put_down(self, seat: int, card: str) -> None:
        """Put a card on the pile."""
        hand = self.hands[seat]
        hand.remove(card)
        self.pile.append(card)
        covered = None if hand or self.dice.random() < _COVERS else True
        self.events.append(Discard(seat=seat, card=card, facedown=covered))

    def end_turn(self, seat: int) -> None:
        """End a turn, and the hand where it ends it."""
        if not self.hands[seat]:
            self.over, self.winner = "won", seat
            offs = [(0, "")] * self.now_layoffs
            self.rummy = self.goes_rummy(seat, offs) and self.now_melds + self.now_layoffs > 0
            return
        self.laid[seat] += self.now_melds + self.now_layoffs
        if not self.stock and not self.renews:
            ends = self.settings.exhausted in ("hand-ends", "block")
            self.over = "exhausted" if ends else "stalemate"
        few = all(len(hand) <= _FEW for hand in self.hands.values())
        if few and not self.small:
            self.small, self.ripe = True, not self.stock

    def may_call(self) -> bool:
        """Whether a stalemate may be called before the next draw."""
        rule = self.settings.stalemate
        if rule == "table":
            return self.dice.random() < _BORED
        if rule == "after-exhaustion":
            return self.ripe and self.dice.random() < _CALLS
        return rule == "detected" and self.blocked() and self.dice.random() < _CALLS

    def blocked(self) -> bool:
        """Whether all hands are small and no card that is in no meld fits on one."""
        if any(len(hand) > _FEW for hand in self.hands.values()):
            return False
        free = {*self.stock, *self.pile, *(card for hand in self.hands.values() for card in hand)}
        groups = self.settings.groups
        return not any(
            extended(faces, (card,), groups) for faces in self.standing if faces for card in free
        )

    # The count

    def points(self) -> dict[int, int]:
        """Count the hand."""
        held = {seat: counted(hand, self.settings)[1] for seat, hand in self.hands.items()}
        if self.over == "exhausted":
            return held
        if self.over != "won":
            return dict.fromkeys(held, 0)
        factor = self.settings.factor if self.rummy else 1
        if self.settings.charged:
            return {seat: 0 if seat == self.winner else factor * own for seat, own in held.items()}
        total = factor * sum(held.values()) + self.settings.out_bonus
        return {seat: total if seat == self.winner else 0 for seat in held}


Plan = tuple[list[list[str]], list[tuple[int, str]]]

_HIDES = 0.25
_WHIM = 0.06
_SAYS = 0.7
_LAYS = 0.9
_COVERS = 0.5
_TOGETHER = 0.5
_CALLS = 0.3
_BORED = 0.02
_FEW = 2
