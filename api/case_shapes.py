"""What the API takes and answers about cases."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from api import paging
from api.shapes import Answer, Digest, PublicId

StateOfCase = Literal[
    "draft",
    "open",
    "assigned",
    "decided",
    "appealed",
    "final",
    "withdrawn",
    "duplicate",
    "no-action",
]
KindWord = Literal["declaration", "play", "drop", "deal", "record", "score", "total", "conduct"]
OutcomeOfCase = Literal["granted", "partly", "refused"]
EffectWord = Literal["none", "points", "void"]
AudienceWord = Literal["parties", "officials"]
EvidenceWord = Literal["event", "note", "what-if", "image"]
Words = Annotated[str, Meta(max_length=10_000)]
Number = Annotated[int, Meta(ge=0, le=999_999)]
# Without a nought before it: "1" and "01" would be one seat with two numbers.
Seat = Annotated[str, Meta(pattern="^[1-9][0-9]?$")]
Points = Annotated[
    dict[Seat, Annotated[int, Meta(ge=0, le=9_999)]],
    Meta(max_length=10, description="By seat.", examples=[{"1": 80, "2": 0}]),
]


class EventOfCase(Answer):
    """One thing that happened in a case; `text` is left out where it was erased."""

    number: int
    at: datetime
    verb: str
    who: str
    after: StateOfCase
    audience: AudienceWord
    digest: Digest
    text: str | UnsetType = UNSET


class DecisionShown(Answer):
    """A decision; of a case only its newest stands."""

    number: Annotated[int, Meta(description="What it is cited by.")]
    at: datetime
    level: int
    outcome: OutcomeOfCase
    code: str
    clause: str
    effect: EffectWord
    points: Points
    stands: bool
    overturns: bool
    winner: int | UnsetType = UNSET


class CaseShown(Answer):
    """A case as lists show it; `version` is its ETag."""

    number: int
    url: str
    hand: PublicId
    seq: Annotated[int, Meta(description="The event in dispute; 0 is the hand or its match.")]
    kind: KindWord
    code: str
    state: StateOfCase
    level: Annotated[int, Meta(description="How many appeals it has had.")]
    version: int
    opened_at: datetime
    late: Annotated[bool, Meta(description="Whether the officials are over their time.")]
    due_at: datetime | UnsetType = UNSET
    holder: Annotated[str, Meta(description="The referee who has it.")] | UnsetType = UNSET
    duplicate_of: int | UnsetType = UNSET


class CaseWhole(CaseShown):
    """A case with what happened in it, as far as this key may read it, and its decisions."""

    events: list[EventOfCase] = []
    decisions: list[DecisionShown] = []


class CasePage(Answer):
    """A page of cases, the newest first; `next` is the cursor of the page after it."""

    cases: list[CaseShown]
    next: str | UnsetType = UNSET


class WhichCases(paging.Paged):
    """Which cases."""

    state: StateOfCase | None = None


class CaseNew(msgspec.Struct, forbid_unknown_fields=True):
    """A dispute about an event, a finding (with its `code`) or a hand's row in its match."""

    hand: PublicId
    kind: KindWord
    text: Words
    seq: Number = 0
    code: Annotated[str, Meta(max_length=60)] = ""


class Statement(msgspec.Struct, forbid_unknown_fields=True):
    """What somebody has to say in a case."""

    text: Words = ""
    audience: AudienceWord = "parties"


class Why(msgspec.Struct, forbid_unknown_fields=True):
    """The reason for a step."""

    text: Words = ""


class Nothing(msgspec.Struct, forbid_unknown_fields=True):
    """Nothing has to be said."""


class Joining(msgspec.Struct, forbid_unknown_fields=True):
    """The case that another one about the same hand is joined to, by its number."""

    into: Annotated[int, Meta(ge=1, le=999_999)]


class EvidenceNew(msgspec.Struct, forbid_unknown_fields=True):
    """Something to pin: an event by its seq, a note, a what-if by its address, or a picture."""

    kind: EvidenceWord
    text: Words = ""
    seq: Annotated[int, Meta(ge=1, le=999_999)] | None = None
    address: Annotated[
        str, Meta(max_length=500, description="The path and query of a what-if of this hand.")
    ] = ""
    picture: Annotated[
        bytes, Meta(description="A PNG, JPEG or WebP of at most 8 MB, in base64.")
    ] = b""
    audience: AudienceWord = "parties"


class Reopening(msgspec.Struct, forbid_unknown_fields=True):
    """Why a closed case is opened again, and the new evidence for it."""

    text: Words
    kind: EvidenceWord
    seq: Annotated[int, Meta(ge=1, le=999_999)] | None = None
    address: Annotated[str, Meta(max_length=500)] = ""
    picture: bytes = b""


class DecisionNew(msgspec.Struct, forbid_unknown_fields=True):
    """A decision. Without `seen` it only tells what it would move, and the digest to send."""

    outcome: OutcomeOfCase | None = None
    clause: Annotated[str, Meta(max_length=200)] = ""
    text: Words = ""
    code: Annotated[str, Meta(max_length=60)] = ""
    effect: EffectWord = "none"
    points: Points = {}
    winner: Annotated[int, Meta(ge=1, le=99)] | None = None
    cites: Annotated[list[Annotated[int, Meta(ge=1, le=999_999)]], Meta(max_length=10)] = []
    seen: Annotated[str, Meta(max_length=64)] = ""


class SeatMoved(Answer):
    """A seat before and after: its points, and its total in the match."""

    seat: int
    out_now: bool
    out_then: bool
    now: int | UnsetType = UNSET
    then: int | UnsetType = UNSET
    total_now: int | UnsetType = UNSET
    total_then: int | UnsetType = UNSET


class Moved(Answer):
    """What a decision would move; send `seen` with it to save it."""

    seen: Digest
    seats: list[SeatMoved]
    winner_changes: bool
