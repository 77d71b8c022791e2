"""The table of tile rummy: the melds that lie there, whose turn it is, who has opened.

Judges read it and never change it; the moves (``moves``) change it and never judge.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal, NamedTuple

import msgspec

from rummy_audit.rhl.records import (
    Deal,
    Deck,
    Event,
    HandRecord,
    Irregularity,
    Misdeal,
    Penalty,
    Play,
    Score,
    Show,
    Shuffle,
    Void,
)
from rummy_audit.rules.deck import Pull
from rummy_audit.rules.families.tile.arrange import BUDGET
from rummy_audit.rules.families.tile.explanations import JokerRules
from rummy_audit.rules.families.tile.melds import MeldRules, meld_rules
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.rulesets import Ruleset
from rummy_audit.rules.table import Holding, Table
from rummy_audit.rules.tiles import pack

# More tiles than any hand: of a seat whose deal was not written down.
UNCOUNTED = 1_000_000

Meld = tuple[str, ...]
Melds = tuple[Meld, ...]


class Settings(msgspec.Struct, frozen=True):
    """What the judges ask of a ruleset, read once; ``timer`` in milliseconds."""

    melds: MeldRules
    jokers: JokerRules
    hand_size: int
    first_play: int
    first_play_joker: str
    touch_at_once: bool
    penalty_tiles: int
    timer: int | None
    joker_points: int
    difference: bool


@lru_cache(maxsize=4096)
def settings(rules: Ruleset) -> Settings:
    """Return the settings of a ruleset.

    >>> from rummy_audit.rules.rulesets import ruleset
    >>> settings(ruleset("tile-50")).first_play
    50
    """
    timer = rules.limit("timer_seconds")
    melds = meld_rules(rules)
    return Settings(
        melds=melds,
        jokers=JokerRules(
            melds=melds,
            replace_first=rules.flag("joker_replace_first"),
            from_hand=rules.flag("joker_replace_from_hand"),
            locked=rules.flag("joker_meld_locked"),
            new_meld=rules.flag("joker_reuse_new_meld"),
            both=rules.choice("group_joker_replacement") == "both",
        ),
        hand_size=rules.number("hand_size"),
        first_play=rules.number("first_play"),
        first_play_joker=rules.choice("first_play_joker"),
        touch_at_once=rules.choice("first_turn_table") == "after-minimum",
        penalty_tiles=rules.number("penalty_tiles"),
        timer=None if timer is None else 1000 * timer,
        joker_points=rules.number("joker_points"),
        difference=rules.choice("blocked_scoring") == "difference",
    )


class Turn(NamedTuple):
    """A play as it changes the table.

    ``old`` and ``new`` are the melds that do not lie as before, and those that lie
    there now; of them ``gone`` and ``come`` are more than another order of the same
    tiles. ``added`` came from the
    hand, ``taken`` went there. ``unseen``: some tile was not seen; ``stop`` says
    why tiles cannot have moved so.
    """

    event: Play
    before: Melds
    after: Melds
    old: Melds
    new: Melds
    gone: Melds
    come: Melds
    added: tuple[str, ...]
    taken: tuple[str, ...]
    unseen: bool
    stop: Finding | None


class Ended(NamedTuple):
    """How the hand was decided, and at which event: won, blocked, misdeal or void."""

    outcome: Literal["won", "blocked", "misdeal", "void"]
    seq: int
    winner: int | None = None


class Fine(NamedTuple):
    """Penalty tiles of one seat, in one event or in several: how many, and whether any were due."""

    event: Penalty
    drawn: int | None
    due: bool | None


class TileTable(Table):
    """The state of a hand of tile rummy.

    ``live``: the course of play is in the log. ``playing`` holds the seats that
    were dealt tiles, ``turn`` the seat to act (None: whoever acts first begins),
    ``actor`` and ``acted`` who acted last and how. ``since`` is when the previous
    player's last event was. ``standing`` is a play that the same seat's penalty
    would take back, ``owed`` one that was taken back and whose penalty is not drawn
    yet. ``fined`` are penalty tiles that more of the same seat may still follow.
    ``passed`` are the seats that could do nothing, one after the other, with an empty
    stock. ``faults`` holds what was found at an event. ``search_left`` is what
    searches in this hand may still take. ``gone_from_deck`` counts the tiles that
    have left the stated order, as long as they came as stated; ``followed``: it is
    known how many tiles left the stock, so that ``pulls`` go on. ``next_deck`` and
    ``next_shuffle`` were stated behind a misdeal, for the deal to come. ``unseen``: a tile was
    laid or shown that nobody had seen in the hand.
    """

    def __init__(self, record: HandRecord, rules: Ruleset) -> None:
        """Seat the players; nothing is dealt yet."""
        self.settings = settings(rules)
        super().__init__(record, rules, pack())
        self.live = record.detail not in ("shown", "scores")
        self.told: set[str] = set()
        self.search_left = BUDGET // 4
        self.next_deck: Deck | None = None
        self.next_shuffle: Shuffle | None = None
        self.redeal()

    def redeal(self) -> None:
        """Gather the tiles: before the first deal, and after a misdeal."""
        self.told &= {"player-count"}  # how many sit at the table is one fact for all deals
        self.hands = {seat: Holding() for seat in self.order}
        for hand in self.hands.values():
            hand.unknown = UNCOUNTED
        self.seen = {}
        self.stock: int | None = None
        self.melds: Melds = ()
        self.opened: set[int] = set()
        self.newly_opened = False
        self.playing: list[int] = list(self.order)
        self.dealt: dict[int, int] = {}
        self.deals: list[Deal] = []
        self.deck, self.next_deck = self.next_deck, None
        self.gone_from_deck: int | None = None
        self.shuffle, self.next_shuffle = self.next_shuffle, None
        self.revealed = False
        self.pulls: list[Pull] = []
        self.followed = True
        self.unseen = False
        self.turn: int | None = self.record.first
        self.actor: int | None = None
        self.acted: type[Event] | None = None
        self.last: Event | None = None
        self.since: int | None = None
        self.last_ms: int | None = None
        self.passed: tuple[int, ...] = ()
        self.reading: Turn | None = None
        self.shown: Turn | None = None
        self.standing: Turn | None = None
        self.owed: Turn | None = None
        self.fined: Fine | None = None
        self.faults: dict[int, tuple[str, ...]] = {}
        self.ended: Ended | None = None
        self.late = False
        self.strays: dict[int, list[str]] = {}
        self.noticed: list[Irregularity] = []
        self.called: Misdeal | Void | None = None
        self.shows: dict[int, Show] = {}
        self.sound: dict[int, tuple[str, ...]] = {}
        self.scores: list[Score] = []
        self.end: Any = None
        self.status: str | None = None

    def hand(self, seat: int) -> Holding:
        """Return a seat's tiles; a seat that nobody sits at holds none."""
        found = self.hands.get(seat)
        if found is None:
            found = self.hands[seat] = Holding()
        return found

    def counted(self, seat: int) -> bool:
        """Whether it is known how many tiles the seat holds."""
        return len(self.hand(seat)) < UNCOUNTED // 2

    def next_seat(self, seat: int) -> int | None:
        """Return the left neighbour among those that were dealt tiles."""
        return self.left_of(seat, self.playing)

    def faults_of(self, event: Event | None) -> tuple[str, ...]:
        """Return what was found at an event: not by its seq, which an amendment may repeat."""
        return self.faults.get(id(event), ())

    def say_once(self, what: str) -> bool:
        """Whether this is the first time that such a thing is said."""
        if what in self.told:
            return False
        self.told.add(what)
        return True
