"""Gin as two simple players play it: for the simulator, tests and load.

They take what lowers their deadwood, throw what costs most, and knock when they
may and feel like it. All they do is right; what goes wrong is in ``faults``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

from rummy_audit.rhl.records import (
    Deal,
    Discard,
    Draw,
    Event,
    Knock,
    Layoff,
    Pass,
    Score,
    Show,
    Upcard,
    Void,
)
from rummy_audit.rules.families.gin.deadwood import (
    BIT,
    best_against,
    best_melds,
    cards_of,
    deadwood,
    groups_of,
    mask_of,
    points_of,
)
from rummy_audit.rules.families.gin.law import knock_limit, law
from rummy_audit.rules.rulesets import Ruleset

T = TypeVar("T")


class Mark(NamedTuple):
    """What went wrong in a hand: its code, the number of the event and the seat."""

    code: str
    seq: int = 0
    seat: int | None = None


# How readily the players of a hand knock: never, seldom, mostly.
BOLD = (0.0, 0.2, 0.6, 0.6)


class Dice(Protocol):
    """What the players need of chance, as ``random.Random`` has it."""

    def random(self) -> float:
        """Return a number from 0 to 1."""

    def randrange(self, start: int, stop: int) -> int:
        """Return a whole number from start on, below stop."""

    def choice(self, seq: Sequence[T]) -> T:
        """Return one of some things."""

    def shuffle(self, x: list[T]) -> None:
        """Bring a list into another order."""


class Game:
    """A hand under way: the cards, and the events as they come.

    ``stock`` is drawn from its end, ``bold`` says how readily the players knock.
    ``knocked`` is the knock that ended play, ``laid`` the cards laid off, ``shown`` the
    opponent's hand where it was shown otherwise, ``points`` what it brings; ``status``
    how the log ends.
    """

    def __init__(
        self, rules: Ruleset, dice: Dice, seats: Sequence[int], pack: Sequence[str]
    ) -> None:
        """Sit down with a shuffled pack, top card first."""
        self.rules = rules
        self.law = law(rules)
        self.dice = dice
        self.seats = list(seats)
        self.dealer = dice.choice(self.seats)
        self.pack = tuple(pack)
        self.stock = list(reversed(pack))
        self.pile: list[str] = []
        self.hands: dict[int, list[str]] = {seat: [] for seat in self.seats}
        self.events: list[Event] = []
        self.turn = self.other(self.dealer)
        self.taken: str | None = None
        self.refused = False
        self.knocked: Knock | None = None
        self.laid: list[str] = []
        self.shown: Show | None = None
        self.over = False
        self.points: dict[int, int] = {}
        self.winner: int | None = None
        self.status = "abandoned"
        self.bold = dice.choice(BOLD)

    def other(self, seat: int) -> int:
        """Return the opponent."""
        return self.seats[1] if seat == self.seats[0] else self.seats[0]

    def add(self, event: Event) -> int:
        """Write an event down and return its number."""
        self.events.append(event)
        return len(self.events)

    # The deal and the offer

    def deal(self, sizes: dict[int, int] | None = None) -> None:
        """Deal one card at a time, the non-dealer first; ``sizes`` deals somebody otherwise."""
        order = (self.other(self.dealer), self.dealer)
        sizes = {seat: (sizes or {}).get(seat, self.law.hand_size) for seat in order}
        for round_ in range(max(sizes.values())):
            for seat in order:
                if round_ < sizes[seat]:
                    self.hands[seat].append(self.stock.pop())
        for seat in order:
            self.add(Deal(seat=seat, cards=tuple(self.hands[seat])))

    def turn_upcard(self) -> None:
        """Turn the upcard."""
        self.pile.append(self.stock.pop())
        self.add(Upcard(card=self.pile[-1]))

    def offer(self) -> None:
        """Offer the upcard to the non-dealer and to the dealer; who takes it has the turn."""
        if not self.law.upcard_offer:
            return
        for seat in (self.other(self.dealer), self.dealer):
            if self.wants(seat, self.pile[-1]):
                self.turn = seat
                self.draw(seat, "discard")
                self.finish_turn(seat)
                return
            self.add(Pass(seat=seat))
        self.refused = True
        self.turn = self.other(self.dealer)

    # Turns

    def mask(self, seat: int) -> int:
        """Return a hand as a mask."""
        return mask_of(self.hands[seat])

    def wants(self, seat: int, card: str) -> bool:
        """Whether taking a card lets a hand end the turn with less deadwood."""
        with_it = self.mask(seat) | BIT[card]
        best = min(deadwood(with_it & ~BIT[held]) for held in self.hands[seat])
        return best < deadwood(self.mask(seat))

    def draw(self, seat: int, source: str, card: str | None = None) -> str:
        """Draw a card from the stock or the pile, by default the top one."""
        pile = self.stock if source == "stock" else self.pile
        drawn = pile[-1] if card is None else card
        pile.remove(drawn)
        self.hands[seat].append(drawn)
        self.taken = drawn if source == "discard" else None
        where = "stock" if source == "stock" else "discard"
        self.add(Draw(seat=seat, from_=where, card=drawn))  # type: ignore[arg-type] # one of two
        return drawn

    def throw(self, seat: int, card: str) -> int:
        """Discard a card."""
        self.hands[seat].remove(card)
        self.pile.append(card)
        return self.add(Discard(seat=seat, card=card))

    def to_throw(self, seat: int) -> str:
        """Choose the discard that leaves least deadwood, the dearest of equals."""
        hand = self.mask(seat)
        cards = [card for card in self.hands[seat] if self.law.retake or card != self.taken]
        return min(cards, key=lambda card: (deadwood(hand & ~BIT[card]), -points_of(BIT[card])))

    def begin_turn(self, seat: int) -> None:
        """Draw: the top discard where it helps, else from the stock."""
        take = not self.refused and bool(self.pile) and self.wants(seat, self.pile[-1])
        self.refused = False
        self.draw(seat, "discard" if take else "stock")

    def finish_turn(self, seat: int) -> None:
        """Knock where it may be and the player likes to, else discard."""
        card = self.to_throw(seat)
        left = self.mask(seat) & ~BIT[card]
        limit = knock_limit(self.law, self.upcard)
        points = deadwood(left)
        big = self.law.big_gin is not None and deadwood(self.mask(seat)) == 0
        if big and self.likes_to_knock(0):
            self.knock(seat, None)
        elif limit is not None and points <= limit and self.likes_to_knock(points):
            self.knock(seat, card)
        else:
            self.throw(seat, card)
            self.turn = self.other(seat)

    def likes_to_knock(self, points: int) -> bool:
        """Whether a player who may knock does; with gin always, but for who never does."""
        return bool(self.bold and not points) or self.dice.random() < self.bold

    @property
    def upcard(self) -> str | None:
        """The card that was turned after the deal."""
        return next((event.card for event in self.events if isinstance(event, Upcard)), None)

    @property
    def at_the_wall(self) -> bool:
        """Whether no card of the stock may be drawn any more."""
        return len(self.stock) <= self.law.stock_floor

    def one_turn(self) -> None:
        """Play one turn, or end the hand at the wall."""
        seat = self.turn
        if not self.at_the_wall:
            self.begin_turn(seat)
            self.finish_turn(seat)
            return
        if self.law.last_upcard:
            limit = knock_limit(self.law, self.upcard)
            mask = self.mask(seat) | BIT[self.pile[-1]]
            left = [deadwood(mask & ~BIT[card]) for card in self.hands[seat]]
            if limit is not None and min(left) <= limit:
                self.draw(seat, "discard")
                self.knock(seat, self.to_throw(seat))
                return
            self.add(Pass(seat=seat))
        self.over = True
        self.status = "void"
        self.add(Void(cause="stock-exhausted"))

    # The end

    def over_limit(self) -> bool:
        """Whether what was knocked with is too much."""
        limit = knock_limit(self.law, self.upcard)
        loose = self.knocked.loose if self.knocked else None
        return limit is None or points_of(mask_of(loose or ())) > limit

    def knock(self, seat: int, discard: str | None) -> None:
        """Lay the hand down in its best melds."""
        if discard is not None:
            self.hands[seat].remove(discard)
        mask = self.mask(seat)
        _, melds = best_melds(mask)
        event = Knock(
            seat=seat,
            groups=groups_of(melds),
            loose=cards_of(mask & ~sum(melds)),
            discard=discard,
        )
        self.knocked = event
        self.add(event)
        self.over = True
        self.status = "completed"

    def show(self) -> None:
        """The opponent lays off what helps and shows the rest, at its best."""
        knock = self.knocked
        if knock is None:
            return
        seat = self.other(knock.seat)
        lays_off = self.law.layoff_on_gin or bool(knock.loose)
        melds = [mask_of(group) for group in knock.groups] if lays_off else []
        best = best_against(self.mask(seat), melds)
        for card, meld in best.layoffs:
            (face,) = cards_of(card)
            self.laid.append(face)
            self.add(Layoff(seat=seat, cards=(face,), meld=meld + 1))
        self.add(Show(seat=seat, groups=groups_of(best.melds), loose=cards_of(best.left)))

    def reckon(self) -> None:
        """Work the points out from what was laid down."""
        knock = self.knocked
        show = self.shown or next((each for each in self.events if isinstance(each, Show)), None)
        if knock is None or show is None:
            return
        mine, theirs = points_of(mask_of(knock.loose or ())), points_of(mask_of(show.loose or ()))
        if not mine:
            big = knock.discard is None and self.law.big_gin is not None
            bonus = (self.law.big_gin or 0) if big else self.law.gin_bonus
            self.winner, points = knock.seat, theirs + bonus
        elif mine < theirs:
            self.winner, points = knock.seat, theirs - mine
        elif mine > theirs or self.law.undercut_on_tie:
            self.winner, points = show.seat, mine - theirs + self.law.undercut_bonus
        else:
            self.winner, points = None, 0
        self.points = dict.fromkeys(self.seats, 0)
        if self.winner is not None:
            self.points[self.winner] = points

    def score(self) -> None:
        """Write the score down."""
        if self.knocked is not None:
            self.add(Score(points=dict(self.points), winner=self.winner))


def stop(game: Game) -> None:
    """Break a hand off."""
    game.over = True
    game.status = "abandoned"
