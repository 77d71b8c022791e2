"""Playing a hand of Indian rummy by chance and by the rules, for the simulator.

One seat is bound to win: the cards it needs are kept for its draws. What the others
hold and do is chance. Nothing of it is rigged that a log could show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rummy_audit.rhl import records
from rummy_audit.rhl.cards_text import JOKER
from rummy_audit.rhl.records import Event
from rummy_audit.rules.cards import is_wild, pack
from rummy_audit.rules.families.indian.declaration import judge_declaration
from rummy_audit.rules.families.indian.law import wild_rank
from rummy_audit.rules.families.indian.losers import loser_points
from rummy_audit.rules.rulesets import Ruleset
from rummy_audit.simulators.indian.targets import (
    Cards,
    Dice,
    Group,
    broken_declaration,
    random_declaration,
    random_group,
)


class Game:
    """A hand as it is played: the cards nobody has seen, the hands, the events so far."""

    def __init__(
        self,
        rules: Ruleset,
        dice: Dice,
        seats: tuple[int, ...],
        *,
        deck: tuple[str, ...] | None = None,
        broken: str | None = None,
    ) -> None:
        """Sit down; with a ``deck`` the cards come as it lies, and nobody is bound to win."""
        self.rules, self.dice, self.seats = rules, dice, seats
        self.fixed = None if deck is None else list(deck)
        self.broken = broken
        self.dealer: int = dice.choice(seats)
        place = seats.index(self.dealer) + 1
        self.order = [*seats[place:], *seats[:place]]
        self.events: list[Event] = []
        self.free = Counter(pack(rules.number("decks"), rules.number("printed_jokers")))
        self.lying = sorted(self.free.elements())
        dice.shuffle(self.lying)
        self.bottom: list[str] = []
        self.pile: list[str] = []
        self.hands: dict[int, list[str]] = {seat: [] for seat in seats}
        self.groups: dict[int, tuple[Group, ...]] = {}
        self.kept: Counter[str] = Counter()
        self.live = list(self.order)
        self.drew: set[int] = set()
        self.misses: Counter[int] = Counter()
        self.points: dict[int, int] = {}
        self.winner: int | None = None
        self.over = ""
        self.wild: str | None = None
        self.stock_draws: list[str] = []
        self.renewals: list[tuple[int, int]] = []
        # Some hands are over in a few turns, some outlast the stock.
        self.pace: float = dice.choice((0.6, 0.4, 0.2, 0.03))
        self.bound: int = self.order[dice.randrange(0, len(self.order))]

    # The deal

    def deal(self) -> None:
        """Turn the wild joker and the first open card, and deal every hand."""
        wilds = self._turn_wild()
        upcards = self._turn_upcard()
        self._choose_hands()
        size = self.rules.number("hand_size")
        for seat in self.order:
            hand = self.hands[seat]
            hand += [self._chance() for _ in range(size - len(hand))]
            if self.fixed is None:
                self.dice.shuffle(hand)
        if self.fixed is not None:
            self._deal_fixed(self.fixed, size)
        else:
            self.free.update(wilds[:-1])
            self.lying[:0] = wilds[:-1]
        self.events += [
            records.Deal(seat=seat, cards=tuple(self.hands[seat])) for seat in self.order
        ]
        self.events += [records.Upcard(card=card) for card in upcards]
        self.events += [records.Wild(card=card) for card in wilds]
        self.stock_draws.clear()

    def _turn_wild(self) -> list[str]:
        again = self.rules.choice("wild_if_printed") == "redraw"
        # Where a printed joker means that another card is turned, it goes back.
        if self.fixed is not None:
            cards = [self.fixed.pop()]
            while cards[-1] == JOKER and again:
                cards.append(self.fixed.pop())
            self.fixed += cards[:-1]
            self.free.subtract(cards[-1:])
        else:
            cards = [self._chance()]
            while cards[-1] == JOKER and again:
                cards.append(self._chance())
        self.wild = wild_rank(self.rules, cards[-1])
        return cards

    def _turn_upcard(self) -> list[str]:
        if self.fixed is not None:
            start = len(self.seats) * self.rules.number("hand_size")
            cards = [self.fixed.pop(start)]
            while cards[-1] == JOKER and self.rules.choice("upcard_joker") == "bury":
                cards.append(self.fixed.pop(start))
            self.free.subtract(cards)
            self.fixed += cards[:-1]
            self.free.update(cards[:-1])
        else:
            cards = [self._chance()]
            while cards[-1] == JOKER and self.rules.choice("upcard_joker") == "bury":
                self.bottom.append(JOKER)
                self.free[JOKER] += 1
                self.lying.insert(0, JOKER)
                cards.append(self._chance())
        self.pile = cards[-1:]
        return cards

    def _choose_hands(self) -> None:
        """Give the bound seat what it aims at but for a few cards, others some groups."""
        if self.fixed is not None:
            self.bound = 0
            return
        free = Cards(self.free, self.wild)
        aim = (
            random_declaration(free, self.dice, self.rules)
            if self.broken is None
            else broken_declaration(free, self.dice, self.rules, self.broken)
        )
        if aim is None:
            self.bound = 0
        else:
            cards = [card for group in aim for card in group]
            free.take(cards)
            self.groups[self.bound] = aim
            missing = self.dice.sample(cards, self.dice.randrange(1, 5))
            self.kept = Counter(missing)
            self.hands[self.bound] = list((Counter(cards) - self.kept).elements())
            self.free += self.kept
        for seat in self.seats:
            if seat != self.bound:
                self._start_some_groups(seat)

    def _start_some_groups(self, seat: int) -> None:
        free = Cards(self.free - self.kept, self.wild)
        groups = []
        for _ in range(self.dice.randrange(0, 4)):
            kind = self.dice.choice(("pure", "pure", "sequence", "set"))
            size = max(self.rules.number("sequence_min"), self.rules.number("set_min"))
            group = random_group(free, self.dice, self.rules, kind, size)
            if group is not None:
                free.take(group)
                groups.append(group)
        self.groups[seat] = tuple(groups)
        cards = [card for group in groups for card in group]
        self.hands[seat] = cards
        self.free.subtract(cards)

    def _deal_fixed(self, deck: list[str], size: int) -> None:
        count = len(self.order)
        dealt, self.fixed = deck[: size * count], deck[size * count :]
        for place, seat in enumerate(self.order):
            self.hands[seat] = dealt[place::count]
        self.free.subtract(dealt)

    def _chance(self) -> str:
        """Take any card that nobody has seen and that is not kept; the buried ones last.

        ``lying`` holds at least these, in a random order.
        """
        if self.fixed is not None:
            return ""
        card = next(
            (
                card
                for card in reversed(self.lying)
                if self.free[card] > self.kept[card] + self.bottom.count(card)
            ),
            None,
        ) or next(card for card in reversed(self.lying) if self.free[card] > 0)
        self.lying.remove(card)
        self.free[card] -= 1
        self._give_up()
        return card

    def _give_up(self) -> None:
        """Let nobody be bound to win any more where a card that was kept has gone elsewhere."""
        if self.bound and any(self.free[card] < self.kept[card] for card in self.kept):
            self.bound, self.kept = 0, Counter()

    # Turns

    def stock(self) -> int:
        """Return how many cards are left to draw."""
        return self.free.total()

    def draw(self, seat: int) -> bool:
        """Draw a card; False where the hand ends because there is none."""
        top = self.pile[-1] if self.pile else None
        barred = (
            seat == self.bound
            or top is None
            or (is_wild(top, self.wild) and not self.rules.flag("joker_from_discard"))
        )
        wanted = self._wanted(seat)
        from_pile = not barred and (self.stock() == 0 or self.dice.random() < 0.15)  # noqa: PLR2004
        if from_pile and wanted is None:
            card = self.pile.pop()
            self.events.append(records.Draw(seat=seat, from_="discard", card=card))
        else:
            if not self.stock() and not self._renew():
                return False
            card = self._from_stock(wanted)
            self.stock_draws.append(card)
            self.events.append(records.Draw(seat=seat, from_="stock", card=card))
        self.hands[seat].append(card)
        self.drew.add(seat)
        self.misses[seat] = 0
        return True

    def _wanted(self, seat: int) -> str | None:
        """Return a card that is kept for this seat, once the time has come."""
        if seat != self.bound or not self.kept.total():
            return None
        wanted: str = self.dice.choice(sorted(self.kept.elements()))
        in_time = self.dice.random() < self.pace or self.stock() <= self.kept.total()
        return wanted if in_time and self.free[wanted] else None

    def _from_stock(self, wanted: str | None) -> str:
        if self.fixed is not None:
            card = self.fixed.pop(0)
            self.free[card] -= 1
            return card
        if wanted is None:
            return self._chance()
        self.kept[wanted] -= 1
        self.free[wanted] -= 1
        if wanted in self.bottom and self.free[wanted] < self.bottom.count(wanted):
            self.bottom.remove(wanted)
        return wanted

    def _renew(self) -> bool:
        """Reshuffle the open pile, or end the hand as the rules say."""
        law = self.rules.choice("stock_exhausted")
        if law != "reshuffle" or len(self.pile) < 2:  # noqa: PLR2004 - only the top card is left
            self.over = "lowest" if law == "lowest-wins" else "void"
            return False
        self.renewals.append((len(self.events), len(self.stock_draws)))
        self.events.append(records.Reshuffle(cards=tuple(self.pile[:-1])))
        self.free = Counter(self.pile[:-1])
        self.lying = self.pile[:-1]
        self.dice.shuffle(self.lying)
        self._give_up()
        self.pile = self.pile[-1:]
        self.bottom, self.fixed = [], None
        return True

    def discard(self, seat: int) -> None:
        """Throw a card that belongs to no group, if there is one."""
        taken = self.events[-1]
        hand = self.hands[seat]
        spare = Counter(hand) - Counter(
            card for group in self.groups.get(seat, ()) for card in group
        )
        cards = sorted(spare.elements()) or sorted(hand)
        if isinstance(taken, records.Draw) and taken.from_ == "discard":
            # Not the card just taken, whatever the rules say of it.
            cards = [card for card in cards if card != taken.card] or [
                card for card in sorted(hand) if card != taken.card
            ]
        card = self.dice.choice(cards)
        hand.remove(card)
        self.pile.append(card)
        self.events.append(records.Discard(seat=seat, card=card))

    # Going out of the hand

    def out(self, seat: int, points: int) -> None:
        """Take a seat out; the last one left has won."""
        self.points[seat] = points
        self.live.remove(seat)
        if seat == self.bound:
            self.bound, self.kept = 0, Counter()
        if len(self.live) == 1 and not self.over:
            self.over, self.winner = "won", self.live[0]
            self.points[self.winner] = 0

    def cost(self, parameter: str) -> int:
        """Return what it costs to be out: another sum where nobody may drop."""
        return self.rules.number(parameter if self.rules.flag("drops") else "no_drops_points")

    def drop(self, seat: int) -> None:
        """Drop before drawing."""
        self.events.append(records.Drop(seat=seat))
        self.out(seat, self.cost("middle_drop" if seat in self.drew else "first_drop"))

    def leave(self, seat: int) -> None:
        """Leave the table."""
        self.events.append(records.Leave(seat=seat))
        way = self.rules.choice("leave_after_draw" if seat in self.drew else "leave_before_draw")
        self.out(seat, self.cost(f"{way}_drop"))

    def miss(self, seat: int) -> None:
        """Miss a turn; so many in a row are a drop, which some tables write down as well."""
        self.events.append(records.Miss(seat=seat))
        self.misses[seat] += 1
        if self.misses[seat] == self.rules.limit("misses_to_drop"):
            if self.dice.random() < 0.3 and self.rules.flag("drops"):  # noqa: PLR2004
                self.events.append(records.Drop(seat=seat))
            self.out(seat, self.cost("middle_drop"))

    # Declaring

    def may_declare(self, seat: int) -> bool:
        """Whether the bound seat holds all it aims at."""
        return seat == self.bound and not self.kept.total()

    def declare(self, seat: int) -> None:
        """Declare what the seat aimed at."""
        groups = self.groups[seat]
        spare = Counter(self.hands[seat]) - Counter(card for group in groups for card in group)
        finish = next(spare.elements())
        self._lay(seat, groups, finish)
        self.over, self.winner = "won", seat
        self.points[seat] = 0

    def declare_wrongly(self, seat: int) -> bool:
        """Declare any groups; where the table sees it the others play on, or the hand ends."""
        cards = sorted(self.hands[seat])
        self.dice.shuffle(cards)
        taken = getattr(self.events[-1], "card", None)
        finish = next(card for card in cards if card != taken)  # never the card just taken
        cards.remove(finish)
        groups = tuple(tuple(cards[at : at + 4]) for at in range(0, len(cards), 4))
        if judge_declaration(groups, rules=self.rules, wild=self.wild).right:
            return False
        self._lay(seat, groups, finish)
        if self.dice.random() < 0.7 or len(self.live) > 1:  # noqa: PLR2004
            self.events.append(
                records.Ruling(by="ref1", target=len(self.events), outcome="declaration-wrong")
            )
        if self.rules.choice("wrong_declaration") == "end":
            self.over = "ended"
        self.out(seat, self.rules.number("wrong_declaration_points"))
        if self.over == "ended":
            self.points |= dict.fromkeys(self.live, 0)
        return True

    def _lay(self, seat: int, groups: Iterable[Group], finish: str) -> None:
        self.hands[seat].remove(finish)
        self.events.append(records.Declare(seat=seat, groups=tuple(groups), discard=finish))

    # The end

    def show(self, seat: int) -> None:
        """Lay the hand open in groups, and count it."""
        cards = self.hands[seat]
        groups = [
            group for group in self.groups.get(seat, ()) if not Counter(group) - Counter(cards)
        ]
        counted = loser_points(None, cards, rules=self.rules, wild=self.wild)
        way = self.dice.random()
        if way < 0.5:  # noqa: PLR2004 - half of the losers group their cards well
            groups = list(counted.best_groups)
        elif way < 0.6:  # noqa: PLR2004 - and some not at all
            groups = []
        loose = Counter(cards)
        kept: list[Group] = []
        for group in groups:
            if not Counter(group) - loose:
                loose -= Counter(group)
                kept.append(group)
        left = tuple(loose.elements())
        counted = loser_points(kept, left, rules=self.rules, wild=self.wild)
        self.points[seat] = counted.points
        self.events.append(records.Show(seat=seat, groups=tuple(kept), loose=left))

    def count(self, seat: int) -> None:
        """Count a hand that was not laid open."""
        self.points[seat] = loser_points(
            None, self.hands[seat], rules=self.rules, wild=self.wild
        ).points
