"""The records of a hand log: the hand, its events in order, and its end.

Records are frozen and flat. A field that is ``None`` was not in the log: absent
means unknown, and an empty list that was written is kept as one. Cards stay text in
canonical form (``7H``, ``JK``, ``??``; tiles ``R7``); what they are worth and whether
they are wild is a matter of the rules, never of the log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

from rummy_audit.rhl import cards_text
from rummy_audit.rhl.limits import MAX_COUNT, MAX_INTEGER, MAX_LIST, MAX_SEAT, MAX_TEXT
from rummy_audit.rhl.lines import Lines

UNKNOWN = cards_text.UNKNOWN
JOKER = cards_text.JOKER


def _says(expected: str) -> dict[str, str]:
    """What a reader says it expected where this kind of value stands."""
    return {"expected": expected}


Seat = Annotated[int, Meta(ge=1, le=MAX_SEAT, extra=_says("a seat from 1 to 12"))]
Whole = Annotated[
    int, Meta(ge=-MAX_INTEGER, le=MAX_INTEGER, extra=_says("a whole number below 2^53"))
]
Count = Annotated[int, Meta(ge=0, le=MAX_COUNT, extra=_says("a number from 0 to 1000"))]
Place = Annotated[int, Meta(ge=0, le=MAX_INTEGER, extra=_says("the seq of an event, or 0"))]
Text = Annotated[str, Meta(max_length=MAX_TEXT, extra=_says("text of at most 500 characters"))]
Name = Annotated[
    str, Meta(min_length=1, max_length=MAX_TEXT, extra=_says("text of 1 to 500 characters"))
]
if TYPE_CHECKING:
    Card = str
else:
    # Decoding takes the canonical faces straight from this table; any other face
    # (R14, which is kept to be judged) goes the reader's careful way.
    Card = Annotated[Literal[cards_text.FACES], Meta(extra=_says(cards_text.EXPECTED))]
Cards = Annotated[tuple[Card, ...], Meta(max_length=MAX_LIST, extra=_says("a list of cards"))]
Groups = Annotated[
    tuple[Cards, ...], Meta(max_length=MAX_LIST, extra=_says("a list of groups of cards"))
]
Seats = Annotated[tuple[Seat, ...], Meta(max_length=MAX_LIST, extra=_says("a list of seats"))]

DETAILS = ("full", "table", "shown", "scores")

# The Angstrom sign is never NFC, and a reader brings every key to NFC: no log can
# hold this key, so it is a safe place for what a record carried beyond the fields
# that are known here. Writers merge ``extra`` back; it is never written as such.
_EXTRA = "\u212b"


class Record(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    gc=False,  # records hold no cycles, and a big file holds many
    tag_field="type",
):
    """What every record may carry: ``extra`` holds unknown fields and ``_`` keys as they came.

    None where there were none, as for most: no record makes a dict for nothing.
    """

    extra: dict[str, Any] | None = msgspec.field(name=_EXTRA, default=None)


class Player(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Somebody at the table; ``ref`` is opaque and lasts longer than a name."""

    seat: Seat
    name: Text | None = None
    ref: Text | None = None
    kind: Literal["human", "bot"] | None = None
    extra: dict[str, Any] | None = msgspec.field(name=_EXTRA, default=None)


class Match(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The match a hand belongs to; money in the smallest unit, ``fee`` absolute."""

    id: Name | None = None
    format: Text | None = None
    deal: Whole | None = None
    seats: Seats | None = None
    game: Whole | None = None
    target: Whole | None = None
    entry_fee: Whole | None = None
    point_value: Whole | None = None
    fee: Whole | None = None
    rejoined: Seats | None = None
    left: Seats | None = None
    extra: dict[str, Any] | None = msgspec.field(name=_EXTRA, default=None)


class Writer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The program that wrote the log."""

    name: Text | None = None
    version: Text | None = None
    extra: dict[str, Any] | None = msgspec.field(name=_EXTRA, default=None)


class HandRecord(Record, frozen=True, kw_only=True, omit_defaults=True, tag="hand"):
    """The first record of a hand: which hand it is, by which rules, and who sat where.

    ``rhl`` is 0 and ``id`` empty only inside an amendment of target 0, which keeps
    the hand's identity and need not repeat it.
    """

    rhl: Whole = 0
    id: Name = ""
    ruleset: Name
    detail: Literal["full", "table", "shown", "scores"]
    players: tuple[Player, ...]
    dealer: Seat | None = None
    first: Seat | None = None
    source: Text | None = None
    event: Text | None = None
    counter: Whole | None = None
    table: Text | None = None
    match: Match | None = None
    rules: dict[Name, Whole | Text | bool] | None = None
    started: Text | None = None
    writer: Writer | None = None


class Event(Record, frozen=True, kw_only=True, omit_defaults=True):
    """Something that happened or was claimed; ``ms`` since the hand's start.

    ``seq`` counts from 1. It is 0 only inside an amendment, where an event takes
    the place of the amended one.
    """

    seq: Whole = 0
    ms: Whole | None = None
    note: Text | None = None


class Deck(Event, frozen=True, kw_only=True, omit_defaults=True, tag="deck"):
    """The whole pack before the deal, top card first."""

    cards: Cards


class Shuffle(Event, frozen=True, kw_only=True, omit_defaults=True, tag="shuffle"):
    """The commitment to a shuffle, made before the deal."""

    scheme: Text | None = None
    commit: Text | None = None
    client: tuple[Text, ...] | None = None
    nonce: Text | Whole | None = None


class Reveal(Event, frozen=True, kw_only=True, omit_defaults=True, tag="reveal"):
    """The seed behind a shuffle's commitment, told after the last play event."""

    seed: Name


class Deal(Event, frozen=True, kw_only=True, omit_defaults=True, tag="deal"):
    """What one seat was dealt: the cards in the order received, or only how many."""

    cards: Cards | None = None
    count: Count | None = None
    seat: Seat


class Upcard(Event, frozen=True, kw_only=True, omit_defaults=True, tag="upcard"):
    """A card turned face up to start the discard pile."""

    card: Card


class Wild(Event, frozen=True, kw_only=True, omit_defaults=True, tag="wild"):
    """The wild indicator: every card of its rank is wild in this hand."""

    card: Card


class Draw(Event, frozen=True, kw_only=True, omit_defaults=True, tag="draw"):
    """A draw; without a card it was not seen by the writer."""

    card: Card | None = None
    cards: Cards | None = None
    from_: Literal["stock", "discard", "exposed"] = msgspec.field(name="from")
    seat: Seat


class Pass(Event, frozen=True, kw_only=True, omit_defaults=True, tag="pass"):
    """A seat passes: the upcard offer, the last upcard, or a rack that cannot play."""

    seat: Seat


class Discard(Event, frozen=True, kw_only=True, omit_defaults=True, tag="discard"):
    """A card put on the discard pile; ``??`` when it went face down and unseen."""

    auto: bool | None = None
    card: Card
    facedown: bool | None = None
    seat: Seat


class Meld(Event, frozen=True, kw_only=True, omit_defaults=True, tag="meld"):
    """A meld laid on the table; melds are numbered 1, 2, … as they come."""

    seat: Seat
    cards: Cards


class Layoff(Event, frozen=True, kw_only=True, omit_defaults=True, tag="layoff"):
    """Cards added to a meld, each fitting after the ones before."""

    seat: Seat
    cards: Cards
    meld: Whole


class Play(Event, frozen=True, kw_only=True, omit_defaults=True, tag="play"):
    """The table after a turn of tiles: all melds, tiles in order."""

    seat: Seat
    table: Groups
    undone: bool | None = None


class Penalty(Event, frozen=True, kw_only=True, omit_defaults=True, tag="penalty"):
    """Tiles drawn as a penalty."""

    seat: Seat
    cards: Cards | None = None
    count: Count | None = None
    reason: Text | None = None


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
    discard: Card | None = None
    loose: Cards | None = None


class Knock(Event, frozen=True, kw_only=True, omit_defaults=True, tag="knock"):
    """A claim to end a hand of gin; no discard is big gin."""

    seat: Seat
    groups: Groups
    loose: Cards | None = None
    discard: Card | None = None
    deadwood: Whole | None = None


class Show(Event, frozen=True, kw_only=True, omit_defaults=True, tag="show"):
    """A hand laid open at the end, in the groups its player chose."""

    seat: Seat
    groups: Groups | None = None
    loose: Cards | None = None
    deadwood: Whole | None = None


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
    card: Card | None = None


class Ruling(Event, frozen=True, kw_only=True, omit_defaults=True, tag="ruling"):
    """A decision made at the table on the event ``target``."""

    by: Text
    target: Place
    outcome: Literal[
        "declaration-right", "declaration-wrong", "redeal", "score-corrected", "penalty", "other"
    ]
    reason: Text | None = None


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
    reason: Text | None = None


class Void(Event, frozen=True, kw_only=True, omit_defaults=True, tag="void"):
    """The table called the hand void: nobody scores."""

    cause: Cause | None = None
    reason: Text | None = None


Mark = Literal["won", "first-drop", "middle-drop", "wrong", "full", "left", "absent"]


class Score(Event, frozen=True, kw_only=True, omit_defaults=True, tag="score"):
    """What the table wrote down, by seat: points of the hand, running totals, money."""

    points: dict[Seat, Whole] | None = None
    winner: Seat | None = None
    totals: dict[Seat, Whole] | None = None
    amounts: dict[Seat, Whole] | None = None
    marks: dict[Seat, Mark] | None = None


class Bonuses(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A seat's bonuses at the end of a game, in points."""

    game: Whole | None = None
    shutout: Whole | None = None
    box: Whole | None = None
    extra: dict[str, Any] | None = msgspec.field(name=_EXTRA, default=None)


class Result(Event, frozen=True, kw_only=True, omit_defaults=True, tag="result"):
    """The end of a game or match as the table wrote it down."""

    winner: Seat | None = None
    totals: dict[Seat, Whole] | None = None
    bonuses: dict[Seat, Bonuses] | None = None
    net: Whole | None = None
    amounts: dict[Seat, Whole] | None = None


class Note(Event, frozen=True, kw_only=True, omit_defaults=True, tag="note"):
    """A remark in free text."""

    text: Text


class Amend(Event, frozen=True, kw_only=True, omit_defaults=True, tag="amend"):
    """A correction: what stands in the place of event ``target``, or nothing.

    ``target`` 0 is the hand record. A list puts missed events beside their
    neighbour.
    """

    target: Place
    replace: AmendedRecord | UnknownEvent | tuple[AmendedEvent | UnknownEvent, ...] | None = None
    by: Text | None = None
    reason: Text | None = None


class UnknownEvent(Event, frozen=True, kw_only=True, omit_defaults=True, tag="?"):
    """An event of a type that RHL 1 does not know: kept, never judged.

    ``kind`` is its type as written; its fields are in ``extra``.
    """

    kind: Name


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
    count: Whole | None = None
    head: Text | None = None
    sig: Text | None = None


class Hand(msgspec.Struct, frozen=True, kw_only=True):
    """One hand of a file: its record, all its events in order, and its end.

    ``ended_after`` is the number of events before the end record and so the seq of
    the last of them; amendments, rulings and notes may follow it. ``lines`` are the
    canonical bytes of every record in the order of the log, ``file`` and ``line`` say
    where it was read.
    """

    record: HandRecord
    events: tuple[Event, ...] = ()
    end: End | None = None
    ended_after: int | None = None
    lines: Lines | tuple[bytes, ...] = ()
    file: str = ""
    line: int = 0
