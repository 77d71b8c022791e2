"""The table of Indian rummy: whose turn it is, what each seat has done, where the cards are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from rummy_audit.rhl.records import (
    Deal,
    Deck,
    Event,
    HandRecord,
    Misdeal,
    Reveal,
    Score,
    Shuffle,
    Upcard,
    Void,
)
from rummy_audit.rules.deck import Order, Pull
from rummy_audit.rules.families.indian.law import law
from rummy_audit.rules.families.indian.seat import Declared, Seat, State
from rummy_audit.rules.findings import Term
from rummy_audit.rules.rulesets import Ruleset
from rummy_audit.rules.table import Table

if TYPE_CHECKING:
    from rummy_audit.rules.families.indian.claim import Named

How = Literal["", "declared", "alone", "ended", "void", "misdeal", "lowest"]


class IndianTable(Table):
    """The state of a hand of Indian rummy.

    ``turn`` is the seat that is next to act, ``drawn`` whether it has drawn;
    ``may_draw`` and ``may_discard`` name the seat that may do so while nothing is
    out of the ordinary, 0 for none: the short way of nearly every event.
    ``pending`` holds seats whose turn was broken into before they discarded,
    ``passed_by`` those whose neighbour went on without it: by which event, who, and
    what that was if the discard still comes. ``also`` holds seats whose acting now
    is only what follows from a turn taken out of order. ``over`` says how the hand
    was decided, "" while it is not.

    After a slip that was named the count of the stock is off by so many cards: up to
    ``slack`` may be left where it seems to be used up, ``grace`` more drawn than it
    seems to hold; ``muddled`` tells that the open pile may not be what it seems: it may
    hold ``owed`` cards more, of discards not in the log, and ``doubted`` cards less.
    ``renewed`` is how many cards the stock held after a draw for which it must have been
    renewed, unseen.
    ``absent`` holds seats that were skipped and have not acted since, ``strays`` those
    whose last draw was out of turn and ended no turn.
    ``unseen`` tells that a card was thrown or named that nobody had seen in the hand;
    ``dark`` counts the cards taken from the open pile that nobody saw: each may be one that
    was seen in the hand of whoever discarded it face down.
    ``late`` is a seat that discarded without drawing, while nobody has acted since.
    ``behind`` holds seats that went out behind a declaration, which may have ended the hand.
    ``ahead`` holds what was told after a misdeal of the pack of the next deal.
    """

    __slots__ = (
        "absent",
        "ahead",
        "also",
        "begun",
        "behind",
        "blind",
        "breakdown",
        "called",
        "claimed",
        "corrected",
        "covered",
        "dark",
        "dealing",
        "deals",
        "decider",
        "deck",
        "declared",
        "doubted",
        "drawn",
        "drawn_from",
        "due",
        "grace",
        "jumper",
        "known_order",
        "last_discard",
        "late",
        "law",
        "left",
        "live",
        "may_discard",
        "may_draw",
        "muddled",
        "named",
        "over",
        "owed",
        "passed",
        "passed_by",
        "pending",
        "played_on",
        "points",
        "pulls",
        "recording",
        "renewed",
        "revealed",
        "rightly_called",
        "scores",
        "seats",
        "shuffle",
        "slack",
        "status",
        "strays",
        "told",
        "turn",
        "unseen",
        "untouched",
        "upcard",
        "wild",
        "wild_card",
        "winner",
    )

    def __init__(self, record: HandRecord, rules: Ruleset) -> None:
        """Seat the players."""
        self.law = law(rules)
        super().__init__(record, rules, self.law.pack)
        self.blind = self.detail in ("shown", "scores")
        self._clear()

    def redeal(self) -> None:
        """Gather the cards after a misdeal, to deal again."""
        self.hands = {seat: type(hand)() for seat, hand in self.hands.items()}
        self.pile = []
        self._clear()

    def _clear(self) -> None:
        self.told: set[tuple[str, int]] = set()
        # The seats
        self.seats = {seat: Seat() for seat in self.order}
        self.declared: list[Declared] = []
        self.claimed: Declared | None = None
        self.named: Named | None = None
        # The cards
        self.seen = {}
        self.stock = None if self.blind else self.law.cards
        self.slack = self.grace = self.owed = self.doubted = self.dark = 0
        self.renewed: int | None = None
        self.muddled = self.unseen = False
        self.covered: dict[int, int] = {}
        self.deals: list[Deal] = []
        self.due: dict[int, str] = {}
        self.dealing = True
        self.upcard: Upcard | None = None
        self.untouched = False
        self.wild: str | None = None
        self.wild_card: str | None = None
        self.known_order: Order | None = None
        self.deck: tuple[str, ...] | None = None
        self.shuffle: Shuffle | None = None
        self.revealed: Reveal | None = None
        self.recording = False
        self.pulls: list[Pull] = []
        # The turns
        self.begun = self.drawn_from = self.drawn = False
        self.turn: int | None = None
        self.passed: int | None = None
        self.last_discard: int | None = None
        self.late: int | None = None
        self.jumper: int | None = None
        self.also: tuple[int, ...] = ()
        self.may_draw = self.may_discard = 0
        self.pending: set[int] = set()
        self.passed_by: dict[int, tuple[int, int, str]] = {}
        self.absent: set[int] = set()
        self.strays: set[int] = set()
        # The end
        self.over: How = ""
        self.winner: int | None = None
        self.decider: Event | None = None
        self.played_on: Event | None = None
        self.called: Misdeal | Void | None = None
        self.ahead: tuple[Deck | Shuffle, ...] = ()
        self.behind: tuple[int, ...] = ()
        self.rightly_called = False
        self.scores: list[Score] = []
        self.corrected: set[int] = set()
        self.status: str | None = None
        self.points: dict[int, int] = {}
        self.breakdown: dict[int, tuple[Term, ...]] = {}
        self._take_all_in()

    # Seats

    def settle_seats(self) -> None:
        """Work out who is still in, and who sits to the left of whom."""
        seats, order = self.seats, self.order
        live = [seat for seat in order if seats[seat].state == "in"]
        if len(live) == len(order):
            self._take_all_in()
        else:
            self.live, self.left = live, {}
            after = live[0] if live else 0
            for seat in reversed(order) if live else ():
                self.left[seat] = after
                if seat in live:
                    after = seat
        self.mark()

    def _take_all_in(self) -> None:
        order = self.order
        self.live, self.left = [*order], dict(zip(order, order[1:] + order[:1], strict=True))

    def say_once(self, code: str, seat: int) -> bool:
        """Whether this is the first time that such a thing is said of a seat."""
        if (code, seat) in self.told:
            return False
        self.told.add((code, seat))
        return True

    def go_back(self) -> None:
        """Take back that play went on after the hand was over: it was not."""
        if self.played_on is not None:
            self.take_back("event-after-end", self.played_on.seq)
            self.told.discard(("event-after-end", 0))
            self.played_on = None

    # Turns

    def goes_on(self, event: Event) -> None:
        """Note that play went on after every declaration so far: the table refused them."""
        for declared in self.declared:
            declared.resumed = declared.resumed or event
            if declared.ruled is None:
                self.answered(declared, accepted=False)

    def answered(self, declared: Declared, *, accepted: bool) -> None:
        """Note what the table said to a declaration, so far: a wrong one refused is dealt with."""
        seq = declared.event.seq
        if declared.right is False and not accepted and declared.judged is not None:
            self.handle(seq, (finding.code for finding in declared.judged.findings))
        elif declared.right is False:
            self.handled.pop(seq, None)

    def mark(self) -> None:
        """Mark who may draw or discard without a word said."""
        plain = self.begun and not (
            self.over
            or self.scores
            or self.declared
            or self.pending
            or self.passed_by
            or self.absent
            or self.also
            or self.late is not None
            or self.recording
            or self.known_order is not None
        )
        turn = self.turn if plain and self.turn is not None else 0
        self.may_draw = 0 if self.drawn else turn
        self.may_discard = turn if self.drawn else 0

    def begin(self, seat: int, seq: int) -> None:
        """Begin the turn of a seat with a draw, in its turn or not."""
        turn = self.turn
        self.late = None
        self.absent.discard(seat)
        self.strays.discard(seat)
        self.passed_by.pop(seat, None)
        if (owing := self.follows(seat)) is not None:
            self.pending.discard(owing)
            self.seats[owing].slipped = True
            self.absent.clear()
            self.also, self.jumper = (), None
        elif turn is not None and seat != turn:
            passed_by = self.pass_by(seat, seq, "out-of-turn")
            if self.drawn:
                self.pending.add(turn)
            if seat in self.also:
                self.also = () if self.jumper is None else (self.left[self.jumper],)
                self.jumper = None
            elif passed_by:
                self.also, self.jumper = (), None
            else:
                self.skip_to(seat)
                self.strays.add(seat)
        elif self.also and seat == turn and not self.drawn:
            self.also, self.jumper = (), None
        self.turn = seat
        self.drawn = True
        self.last_discard = None
        self.mark()

    def skip_to(self, seat: int) -> None:
        """Note which seats were skipped when this one acted; the first may still take its turn."""
        turn = self.turn
        if turn is None:
            return
        self.also, self.jumper = (turn,), seat
        while turn != seat and turn not in self.absent:
            self.absent.add(turn)
            turn = self.left[turn]

    def follows(self, seat: int) -> int | None:
        """Return whose turn was broken into and never ended, if this seat is the next one."""
        if self.drawn or seat == self.turn:
            return None
        broken = (each for each in self.also if each in self.pending and self.left[each] == seat)
        return next(broken, None)

    def next_present(self) -> int | None:
        """Return the seat that is next to act if those skipped before are skipped again."""
        turn = self.turn
        for _ in self.live:
            if turn is None or turn not in self.absent:
                break
            turn = self.left[turn]
        return turn

    def pass_by(self, seat: int, seq: int, code: str) -> bool:
        """Note that a seat acts as if the turn before its own were over, if it does.

        ``code`` is what was wrong if that turn is ended after all.
        """
        turn = self.turn
        if turn is None or not self.drawn or seat in (turn, *self.also) or seat != self.left[turn]:
            return False
        self.passed_by[turn] = (seq, seat, code)
        self.seats[turn].slipped = self.muddled = True
        self.owed += 1
        self.drawn = False
        return True

    def last_to_discard(self) -> int | None:
        """Return the seat whose discard was the last act of play, if it was one."""
        return None if self.drawn else self.last_discard

    def answers_late(self, seat: int) -> bool:
        """Whether a seat that was passed by now ends the turn it had begun."""
        if seat not in self.passed_by:
            return False
        _, early, _ = self.passed_by[seat]
        return seat != self.turn or (not self.drawn and self.passed == early)

    def answer(self, seat: int) -> None:
        """End the turn of a seat that had been passed by."""
        _, early, _ = self.passed_by.pop(seat)
        self.seats[seat].slipped = False
        self.owed = max(0, self.owed - 1)
        if self.drawn and self.turn == early:
            self.strays.add(early)
        self.also, self.jumper = (self.left[early],), None

    def pass_on(self, seat: int) -> None:
        """End the turn of a seat: its left neighbour is next."""
        if self.drawn and self.turn is not None and self.turn != seat:
            self.pending.add(self.turn)
        self.pending.discard(seat)
        self.absent.discard(seat)
        self.strays.discard(seat)
        self.late = None
        self.turn = self.left.get(seat)
        self.drawn = False
        self.passed = seat
        self.mark()

    # The end

    def decide(
        self,
        how: How,
        event: Event,
        winner: int | None = None,
    ) -> None:
        """Note how, by what and for whom the hand is decided."""
        self.over = how
        self.decider = event
        self.winner = winner
        self.may_draw = self.may_discard = 0

    def put_out(self, seat: int, state: State, charge: str, event: Event) -> None:
        """Take a seat out of the hand; the last one left has won it."""
        if self.over == "declared":
            self.behind += (seat,)
        self.seats[seat].state = state
        self.seats[seat].charge = charge
        self.settle_seats()
        # Without the play missed turns need not have followed one another: who missed may be in.
        unsure = self.blind and any(each.state == "missed" for each in self.seats.values())
        if len(self.live) == 1 and not self.over and not unsure:
            self.decide("alone", event, self.live[0])

    def bring_back(self, seat: int) -> None:
        """Let a seat play on that the table did not take out."""
        self.seats[seat].state = "in"
        self.seats[seat].charge = None
        if self.over == "alone":
            self.over = ""
            self.winner = self.decider = None
            self.go_back()
        self.settle_seats()
