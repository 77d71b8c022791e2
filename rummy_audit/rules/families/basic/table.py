"""The table of basic rummy: whose turn it is, what lies on the table, how the stock stands.

Judges read it and never change it; the moves (``moves``) change it and never judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

import msgspec

from rummy_audit.rhl.records import (
    Deal,
    Event,
    HandRecord,
    Misdeal,
    Result,
    Score,
    Show,
    Shuffle,
    Void,
)
from rummy_audit.rules.cards import ACE_LOW, pack
from rummy_audit.rules.deck import Order, Pull
from rummy_audit.rules.findings import Term
from rummy_audit.rules.groups import GroupRules
from rummy_audit.rules.rulesets import Ruleset
from rummy_audit.rules.table import Holding, Table

# More cards than any hand: of a seat whose deal was not written down.
UNCOUNTED = 1_000_000

# Names of ``GroupRules`` that this family calls otherwise.
NAMES: Mapping[str, str] = {"sequence_min": "run_min", "naturals_min": "jokers_wild"}

# At these details the course of play is not in the log.
UNSEEN_PLAY = frozenset({"shown", "scores"})


class Settings(msgspec.Struct, frozen=True):
    """What the judges ask of a ruleset, read once."""

    groups: GroupRules
    points: dict[str, int]
    hand_size: int
    final_discard: bool
    only_going_out: bool
    layoff_needs_meld: bool
    retake: bool
    exhausted: str
    keeps_top: bool
    reshuffles_max: int | None
    stalemate: str
    factor: int
    first_turn: bool
    with_layoffs: bool
    out_bonus: int
    charged: bool
    melds_count: bool
    jokers: int


@lru_cache(maxsize=4096)
def settings(rules: Ruleset) -> Settings:
    """Return the settings of a ruleset.

    >>> from rummy_audit.rules.rulesets import ruleset
    >>> settings(ruleset("basic-general")).groups.ace
    'round-corner'
    """
    wild = rules.flag("jokers_wild")
    return Settings(
        groups=GroupRules(
            ace=rules.choice("ace"),  # type: ignore[arg-type]
            sequence_min=rules.number("run_min"),
            set_min=rules.number("set_min"),
            set_max=rules.limit("set_max"),
            set_duplicates=rules.flag("set_duplicates"),
            jokers=wild,
        ),
        points={**ACE_LOW, "A": rules.number("ace_points")},
        hand_size=rules.number("hand_size"),
        final_discard=rules.choice("final_discard") == "required",
        only_going_out=rules.choice("meld_when") == "going-out",
        layoff_needs_meld=rules.flag("layoff_needs_meld"),
        retake=rules.flag("discard_just_taken"),
        exhausted=rules.choice("stock_exhausted"),
        keeps_top=rules.flag("reshuffle_keeps_top"),
        reshuffles_max=rules.limit("reshuffles_max"),
        stalemate=rules.choice("stalemate_call"),
        factor=rules.number("going_rummy"),
        first_turn=rules.flag("rummy_first_turn"),
        with_layoffs=rules.flag("rummy_with_layoffs"),
        out_bonus=rules.number("out_bonus"),
        charged=rules.choice("scoring") == "charged",
        melds_count=rules.flag("hand_melds_count"),
        # Packs are sold with two jokers; a table that plays with another number says so.
        jokers=rules.number("printed_jokers") or (2 * rules.number("decks") if wild else 0),
    )


class Course:
    """One seat's course through the hand.

    ``turns`` counts the turns it began; ``drawn`` holds between its draw and its
    discard, ``undrawn`` once a missing draw was found. ``taken`` is the card taken
    from the pile on this turn, ``spare`` whether another copy was held then (None:
    not known). ``laid_before`` tells of earlier turns; ``melds`` and ``layoffs``
    count this turn's. ``early`` is the seq of this turn's first meld or lay-off.
    ``owes`` is the draw or the discard whose lack was found, and which may yet follow,
    ``paid`` such a discard where a turn of its own was due, which may be that turn's,
    ``ahead`` tells of a discard out of turn, which may be the next turn's own;
    ``more`` how many cards more than counted the hand may hold for draws found missing
    that were only not written down, less than none for such discards and for draws
    one too many that were only written down twice.
    """

    __slots__ = (
        "ahead",
        "drawn",
        "early",
        "laid_before",
        "layoffs",
        "melds",
        "more",
        "owes",
        "own_meld",
        "paid",
        "size",
        "spare",
        "taken",
        "turns",
        "undrawn",
    )

    def __init__(self, size: int = 0) -> None:
        """Sit down with so many cards."""
        self.size = size
        self.turns = 0
        self.drawn = False
        self.undrawn = False
        self.taken: str | None = None
        self.spare: bool | None = False
        self.laid_before = False
        self.melds = 0
        self.layoffs = 0
        self.own_meld = False
        self.early: int | None = None
        self.owes: Literal["", "draw", "discard"] = ""
        self.more = 0
        self.paid = 0
        self.ahead = False

    @property
    def at_rest(self) -> int:
        """The cards held between turns."""
        return self.size - 1 if self.drawn else self.size

    def close(self) -> None:
        """End the turn."""
        self.laid_before = self.laid_before or self.melds > 0 or self.layoffs > 0
        self.drawn = self.undrawn = False
        self.taken, self.spare = None, False
        self.melds = self.layoffs = 0
        self.early = None


class Laid:
    """A meld on the table; ``added`` names who laid off what.

    ``readings`` are the ways it can stand, each a face for every card: where a
    joker's place is not fixed by the cards there are several, and ``JK`` remains
    where a set leaves it open. None: it does not stand.
    """

    __slots__ = ("added", "cards", "number", "readings", "seat")

    def __init__(
        self, number: int, seat: int, cards: list[str], readings: tuple[tuple[str, ...], ...]
    ) -> None:
        """Lay a meld."""
        self.number = number
        self.seat = seat
        self.cards = cards
        self.readings = readings
        self.added: list[tuple[int, str]] = []


class Ended(NamedTuple):
    """How the hand was decided, and at which event.

    ``outcome``: won, stalemate (nobody scores), exhausted (all are charged),
    misdeal or void. ``loose``: the end fell against the rules, so that the table
    may yet have played on. ``by_stock``: the stock ran out for the last time.
    ``rummy``: the winner went rummy.
    """

    outcome: str
    seq: int
    winner: int | None = None
    loose: bool = False
    by_stock: bool = False
    rummy: bool = False


class Counted(msgspec.Struct):
    """The points of a hand as far as they can be known; ``unknown`` says why they cannot.

    ``outcome``: won, stalemate, exhausted, misdeal, void, abandoned, open or undecided.
    """

    outcome: str
    winner: int | None = None
    points: dict[int, int] = {}
    breakdown: dict[int, tuple[Term, ...]] = {}
    unknown: dict[int, str] = {}

    @property
    def decided(self) -> bool:
        """Whether the log says how the hand ended."""
        return self.outcome not in ("open", "undecided")


class BasicTable(Table):
    """A hand of basic rummy while it is replayed.

    ``live``: the course of play is in the log. ``turn`` is the seat to act (None:
    not known), ``actor`` the one that acted last, ``also`` a seat that may act
    because its right neighbour acted out of turn. ``known`` is the stock's order
    where it is known, ``pulls`` what came off a pack while a seed is still to be
    revealed. ``small``: no hand is above two cards between turns, ``ripe``: the
    stock has since run out. ``left`` is what the seats held when the hand was
    decided, ``late`` the first play after that; ``faults`` what was wrong with the
    deal, by event. ``slack``: how many cards smaller than it counts the stock may be,
    for draws and an upcard that were not written down; ``unwritten`` and
    ``late_upcard``: a renewal or an upcard that a draw has shown, and that the log
    may yet name. ``unthrown`` counts the discards found missing. ``waiting``: a seat of
    uncounted cards that laid some on its last turn, and where; it may have gone out.
    """

    def __init__(self, record: HandRecord, rules: Ruleset) -> None:
        """Seat the players; nothing is dealt yet."""
        self.settings = settings(rules)
        super().__init__(record, rules, pack(rules.number("decks"), self.settings.jokers))
        self.live = record.detail not in UNSEEN_PLAY
        self.gather()

    def gather(self) -> None:
        """Gather the cards: before the first deal, and again after a misdeal."""
        self.hands = {seat: Holding() for seat in self.order}
        self.course = {seat: Course(UNCOUNTED) for seat in self.order}
        for hand in self.hands.values():
            hand.unknown = UNCOUNTED
        self.seen = {}
        self.stock = None
        self.pile = []
        self.seat_players(self.order)
        self.deck: tuple[str, ...] | None = None
        self.shuffle: Shuffle | None = None
        self.deals: list[Deal] = []
        self.turn: int | None = None
        self.actor: int | None = None
        self.also: int | None = None
        self.first_draw: int | None = None
        self.turned_up = False
        self.slack = 0
        self.unthrown = 0
        self.unwritten: Literal["", "now", "before"] = ""
        self.late_upcard: Literal["", "lies", "due"] = ""
        self.waiting: tuple[int, int] | None = None
        self.melds: list[Laid] = []
        self.known: Order | None = None
        self.recording = False
        self.pulls: list[Pull] = []
        self.reshuffles = 0
        self.upcard_due = False
        self.upcard_free = False
        self.small = False
        self.ripe = False
        self.ended: Ended | None = None
        self.left: dict[int, Holding] = {}
        self.late: int | None = None
        self.calls: list[tuple[int, int, int]] = []
        self.faults: dict[int, str] = {}
        self.annulled: Misdeal | Void | None = None
        self.shows: dict[int, Show] = {}
        self.sound: dict[int, tuple[str, ...]] = {}
        self.scores: list[Score] = []
        self.results: list[Result] = []
        self.counted_up: Counted | None = None

    def hand(self, seat: int) -> Holding:
        """Return a seat's cards; a seat that nobody sits at holds none."""
        found = self.hands.get(seat)
        if found is None:
            found = self.hands[seat] = Holding()
        return found

    def seat_course(self, seat: int) -> Course:
        """Return a seat's course; nobody sits at a new one."""
        found = self.course.get(seat)
        if found is None:
            found = self.course[seat] = Course()
        return found

    def seat_players(self, seats: Iterable[int]) -> None:
        """Say who plays, in turn order: those that were dealt cards."""
        self.playing = sorted(seats)
        left = [*self.playing[1:], *self.playing[:1]]
        self.neighbours = dict(zip(self.playing, left, strict=True))

    def next_seat(self, seat: int) -> int | None:
        """Return the left neighbour among those that were dealt cards."""
        after = self.neighbours.get(seat)
        return self.left_of(seat, self.playing) if after is None else after

    @property
    def done(self) -> bool:
        """Whether the hand is decided for good, so that play is no longer judged."""
        return self.ended is not None and not self.ended.loose

    @property
    def may_be_empty(self) -> bool:
        """Whether the stock may have run out, as far as is known."""
        return self.stock is None or self.stock <= self.slack

    @property
    def is_renewed(self) -> bool:
        """Whether a renewal that the log names now is one that a draw has shown before."""
        return self.unwritten == "now" or (self.unwritten == "before" and self.stock != 0)

    def decide(self, ended: Ended) -> None:
        """Decide the hand; what each seat is left with is kept for the count."""
        self.ended = ended
        self.left = {seat: copied(hand) for seat, hand in self.hands.items()}

    def plays_on(self, event: Event) -> None:
        """Note a play event after the end; an end that fell against the rules is undone by it."""
        if self.ended is None:
            return
        if self.ended.loose:
            out = self.ended.winner
            self.ended = None
            if out is not None and self.may_hold_more(out) and getattr(event, "seat", out) != out:
                self.seat_course(out).close()
        elif self.late is None:
            self.late = event.seq

    def pile_is_unsure(self) -> bool:
        """Whether the pile may hold a discard that was found missing, and only not written down."""
        return self.unthrown > 0 and self.detail == "table"

    def may_be_out(self, seat: int) -> bool:
        """Whether a discard that was found missing may have been the seat's last card but one."""
        course = self.seat_course(seat)
        return self.detail == "table" and course.more < 0 >= course.size + course.more

    def may_hold_more(self, seat: int) -> bool:
        """Whether the seat may hold more unseen cards than were counted."""
        return self.seat_course(seat).more > 0 and self.detail == "table"

    def counted(self, seat: int) -> bool:
        """Whether it is known how many cards the seat holds."""
        return self.seat_course(seat).size < UNCOUNTED // 2


def copied(hand: Holding) -> Holding:
    """Return a copy of a hand as it stands."""
    other = Holding()
    other.known = dict(hand.known)
    other.unknown, other.gone = hand.unknown, hand.gone
    other.public = dict(hand.public)
    return other
