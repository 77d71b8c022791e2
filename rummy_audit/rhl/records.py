"""The records of a hand log: the hand, its events in order, and its end.

Records are frozen and flat. A field that is ``None`` was not in the log: absent
means unknown, and an empty list that was written is kept as one. Cards stay text in canonical form (``7H``, ``JK``,
``??``; tiles ``R7``); what they are worth and whether they are wild is a matter
of the rules, never of the log.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Seat = int
Cards = tuple[str, ...]
Groups = tuple[tuple[str, ...], ...]

UNKNOWN = "??"
JOKER = "JK"

DETAILS = ("full", "table", "shown", "scores")

# The Angstrom sign is never NFC, and a reader brings every key to NFC: no log can
# hold this key, so it is a safe place for what a record carried beyond the fields
# that are known here. Writers merge ``extra`` back; it is never written as such.
_EXTRA = "\u212b"


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """What every record may carry: ``extra`` holds unknown fields and ``_`` keys as they came."""

    extra: dict[str, Any] = msgspec.field(name=_EXTRA, default_factory=dict)


class Player(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody at the table; ``ref`` is opaque and lasts longer than a name."""

    seat: Seat
    name: str | None = None
    ref: str | None = None
    kind: Literal["human", "bot"] | None = None
    extra: dict[str, Any] = msgspec.field(name=_EXTRA, default_factory=dict)


class Match(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The match a hand belongs to; money in the smallest unit, ``fee`` absolute."""

    id: str | None = None
    format: str | None = None
    deal: int | None = None
    seats: tuple[Seat, ...] | None = None
    game: int | None = None
    target: int | None = None
    entry_fee: int | None = None
    point_value: int | None = None
    fee: int | None = None
    rejoined: tuple[Seat, ...] | None = None
    left: tuple[Seat, ...] | None = None
    extra: dict[str, Any] = msgspec.field(name=_EXTRA, default_factory=dict)


class Writer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The program that wrote the log."""

    name: str | None = None
    version: str | None = None
    extra: dict[str, Any] = msgspec.field(name=_EXTRA, default_factory=dict)


class HandRecord(Record, frozen=True, kw_only=True, omit_defaults=True, tag="hand"):
    """The first record of a hand: which hand it is, by which rules, and who sat where."""

    rhl: int
    id: str
    ruleset: str
    detail: Literal["full", "table", "shown", "scores"]
    players: tuple[Player, ...]
    dealer: Seat | None = None
    first: Seat | None = None
    source: str | None = None
    event: str | None = None
    counter: int | None = None
    table: str | None = None
    match: Match | None = None
    rules: dict[str, int | str | bool] | None = None
    started: str | None = None
    writer: Writer | None = None


class Event(Record, frozen=True, kw_only=True, omit_defaults=True):
    """Something that happened or was claimed; ``ms`` since the hand's start.

    ``seq`` counts from 1. It is 0 only inside an amendment, where an event takes
    the place of the amended one.
    """

    seq: int = 0
    ms: int | None = None
    note: str | None = None


class Deck(Event, frozen=True, kw_only=True, omit_defaults=True, tag="deck"):
    """The whole pack before the deal, top card first."""

    cards: Cards


class Shuffle(Event, frozen=True, kw_only=True, omit_defaults=True, tag="shuffle"):
    """The commitment to a shuffle, made before the deal."""

    scheme: str | None = None
    commit: str | None = None
    client: tuple[str, ...] | None = None
    nonce: str | int | None = None


class Reveal(Event, frozen=True, kw_only=True, omit_defaults=True, tag="reveal"):
    """The seed behind a shuffle's commitment, told after the last play event."""

    seed: str


class Deal(Event, frozen=True, kw_only=True, omit_defaults=True, tag="deal"):
    """What one seat was dealt: the cards in the order received, or only how many."""

    seat: Seat
    cards: Cards | None = None
    count: int | None = None


class Upcard(Event, frozen=True, kw_only=True, omit_defaults=True, tag="upcard"):
    """A card turned face up to start the discard pile."""

    card: str


class Wild(Event, frozen=True, kw_only=True, omit_defaults=True, tag="wild"):
    """The wild indicator: every card of its rank is wild in this hand."""

    card: str


class Draw(Event, frozen=True, kw_only=True, omit_defaults=True, tag="draw"):
    """A draw; without a card it was not seen by the writer."""

    seat: Seat
    from_: Literal["stock", "discard", "exposed"] = msgspec.field(name="from")
    card: str | None = None
    cards: Cards | None = None


class Pass(Event, frozen=True, kw_only=True, omit_defaults=True, tag="pass"):
    """A seat passes: the upcard offer, the last upcard, or a rack that cannot play."""

    seat: Seat


class Discard(Event, frozen=True, kw_only=True, omit_defaults=True, tag="discard"):
    """A card put on the discard pile; ``??`` when it went face down and unseen."""

    seat: Seat
    card: str
    facedown: bool | None = None
    auto: bool | None = None


class Meld(Event, frozen=True, kw_only=True, omit_defaults=True, tag="meld"):
    """A meld laid on the table; melds are numbered 1, 2, … as they come."""

    seat: Seat
    cards: Cards


class Layoff(Event, frozen=True, kw_only=True, omit_defaults=True, tag="layoff"):
    """Cards added to a meld, each fitting after the ones before."""

    seat: Seat
    cards: Cards
    meld: int


class Play(Event, frozen=True, kw_only=True, omit_defaults=True, tag="play"):
    """The table after a turn of tiles: all melds, tiles in order."""

    seat: Seat
    table: Groups
    undone: bool | None = None


class Penalty(Event, frozen=True, kw_only=True, omit_defaults=True, tag="penalty"):
    """Tiles drawn as a penalty."""

    seat: Seat
    cards: Cards | None = None
    count: int | None = None
    reason: str | None = None


class Reshuffle(Event, frozen=True, kw_only=True, omit_defaults=True, tag="reshuffle"):
    """The discard pile becomes the stock: shuffled, or turned over unshuffled."""

    cards: Cards | None = None
    turned: bool | None = None


class Drop(Event, frozen=True, kw_only=True, omit_defaults=True, tag="drop"):
    """A seat drops out of the hand."""

    seat: Seat


class Miss(Event, frozen=True, kw_only=True, omit_defaults=True, tag="miss"):
    """A seat lets its turn pass without acting."""

    seat: Seat


class Leave(Event, frozen=True, kw_only=True, omit_defaults=True, tag="leave"):
    """A seat leaves the table in the middle of the hand."""

    seat: Seat


class Declare(Event, frozen=True, kw_only=True, omit_defaults=True, tag="declare"):
    """A claim to have won: all cards in groups, the finish card in ``discard``."""

    seat: Seat
    groups: Groups
    discard: str | None = None
    loose: Cards | None = None


class Knock(Event, frozen=True, kw_only=True, omit_defaults=True, tag="knock"):
    """A claim to end a hand of gin; no discard is big gin."""

    seat: Seat
    groups: Groups
    loose: Cards | None = None
    discard: str | None = None
    deadwood: int | None = None


class Show(Event, frozen=True, kw_only=True, omit_defaults=True, tag="show"):
    """A hand laid open at the end, in the groups its player chose."""

    seat: Seat
    groups: Groups | None = None
    loose: Cards | None = None
    deadwood: int | None = None


class Call(Event, frozen=True, kw_only=True, omit_defaults=True, tag="call"):
    """A claim called out: going rummy, or a stalemate."""

    seat: Seat
    what: Literal["rummy", "stalemate"]


class Choice(Event, frozen=True, kw_only=True, omit_defaults=True, tag="choice"):
    """What a player chose after the other's irregularity."""

    seat: Seat
    what: Literal["redeal", "play-on", "accept-knock", "hand-stays-open", "hand-picked-up"]


class Irregularity(Event, frozen=True, kw_only=True, omit_defaults=True, tag="irregularity"):
    """Something irregular that the table noticed."""

    kind: Literal[
        "wrong-count",
        "exposed-card",
        "saw-card",
        "looked-back",
        "not-shuffled",
        "wrong-dealer",
        "out-of-turn",
        "other",
    ]
    seat: Seat | None = None
    card: str | None = None


class Ruling(Event, frozen=True, kw_only=True, omit_defaults=True, tag="ruling"):
    """A decision made at the table on the event ``target``."""

    by: str
    target: int
    outcome: Literal[
        "declaration-right", "declaration-wrong", "redeal", "score-corrected", "penalty", "other"
    ]
    reason: str | None = None


Cause = Literal[
    "wrong-count",
    "exposed-card",
    "not-shuffled",
    "wrong-dealer",
    "agreed",
    "stock-exhausted",
    "other",
]


class Misdeal(Event, frozen=True, kw_only=True, omit_defaults=True, tag="misdeal"):
    """The table called a misdeal: the hand is dealt again."""

    cause: Cause | None = None
    reason: str | None = None


class Void(Event, frozen=True, kw_only=True, omit_defaults=True, tag="void"):
    """The table called the hand void: nobody scores."""

    cause: Cause | None = None
    reason: str | None = None


Mark = Literal["won", "first-drop", "middle-drop", "wrong", "full", "left", "absent"]


class Score(Event, frozen=True, kw_only=True, omit_defaults=True, tag="score"):
    """What the table wrote down, by seat: points of the hand, running totals, money."""

    points: dict[Seat, int] | None = None
    winner: Seat | None = None
    totals: dict[Seat, int] | None = None
    amounts: dict[Seat, int] | None = None
    marks: dict[Seat, Mark] | None = None


class Bonuses(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat's bonuses at the end of a game, in points."""

    game: int | None = None
    shutout: int | None = None
    box: int | None = None
    extra: dict[str, Any] = msgspec.field(name=_EXTRA, default_factory=dict)


class Result(Event, frozen=True, kw_only=True, omit_defaults=True, tag="result"):
    """The end of a game or match as the table wrote it down."""

    winner: Seat | None = None
    totals: dict[Seat, int] | None = None
    bonuses: dict[Seat, Bonuses] | None = None
    net: int | None = None
    amounts: dict[Seat, int] | None = None


class Note(Event, frozen=True, kw_only=True, omit_defaults=True, tag="note"):
    """A remark in free text."""

    text: str


class Amend(Event, frozen=True, kw_only=True, omit_defaults=True, tag="amend"):
    """A correction: what stands in the place of event ``target``, or nothing.

    ``target`` 0 is the hand record. A list puts missed events beside their
    neighbour.
    """

    target: int
    replace: AmendedRecord | tuple[AmendedEvent, ...] | None = None
    by: str | None = None
    reason: str | None = None


class UnknownEvent(Event, frozen=True, kw_only=True, omit_defaults=True, tag="?"):
    """An event of a type that RHL 1 does not know: kept, never judged.

    ``kind`` is its type as written; its fields are in ``extra``.
    """

    kind: str


AmendedEvent = (
    Deck
    | Shuffle
    | Reveal
    | Deal
    | Upcard
    | Wild
    | Draw
    | Pass
    | Discard
    | Meld
    | Layoff
    | Play
    | Penalty
    | Reshuffle
    | Drop
    | Miss
    | Leave
    | Declare
    | Knock
    | Show
    | Call
    | Choice
    | Irregularity
    | Ruling
    | Misdeal
    | Void
    | Score
    | Result
    | Note
)
AmendedRecord = AmendedEvent | HandRecord
KnownEvent = AmendedEvent | Amend


class End(Record, frozen=True, kw_only=True, omit_defaults=True, tag="end"):
    """The end of a hand; ``count`` and ``head`` cover what stands before it."""

    status: Literal["completed", "misdeal", "void", "abandoned"]
    count: int | None = None
    head: str | None = None
    sig: str | None = None


class Hand(msgspec.Struct, frozen=True, kw_only=True):
    """One hand of a file: its record, all its events in order, and its end.

    ``ended_after`` is the number of events before the end record; amendments,
    rulings and notes may follow it. ``lines`` are the canonical bytes of every
    record in the order of the log, ``file`` and ``line`` say where it was read.
    """

    record: HandRecord
    events: tuple[Event, ...] = ()
    end: End | None = None
    ended_after: int | None = None
    lines: tuple[bytes, ...] = ()
    file: str = ""
    line: int = 0
