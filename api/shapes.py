"""What the API answers, as structs: the OpenAPI document is made from them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

PublicId = Annotated[
    str,
    Meta(
        pattern="^[23456789bcdfghjkmnpqrstvwxyz]{16}$",
        description="The random id in addresses.",
        examples=["7k2m9qxw4tbd3hnp"],
    ),
]
VerdictWord = Literal[
    "waiting", "clean", "flagged", "irregular", "unfinished", "impossible", "unreadable", "failed"
]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="SHA-256 in hex.")]
OutcomeWord = Literal["created", "appended", "duplicate", "conflict", "rejected"]


class Answer(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What is not known is left out."""


class HandShown(Answer):
    """A stored hand: which, how far its log goes, and its verdict.

    `head` and `core_digest` of a hand that goes on are told only to those who may see its
    hidden cards (`hands:reveal`): two heads in a row give a card away.
    """

    id: PublicId
    url: str
    name: str
    source: str
    event: str
    table: str
    match: str
    ruleset: str
    detail: str
    ingested_at: datetime
    seq: Annotated[int, Meta(description="The seq of its last event.")]
    open: Annotated[bool, Meta(description="Whether its end has not come yet.")]
    verdict: VerdictWord
    audited: Annotated[bool, Meta(description="Whether the verdict is of the log as it is now.")]
    errors: int
    breaches: int
    notes: int
    deal: int | UnsetType = UNSET
    head: Digest | UnsetType = UNSET
    core_digest: Digest | UnsetType = UNSET


class HandPage(Answer):
    """A page of hands, the newest first; `next` is the cursor of the page after it."""

    hands: list[HandShown]
    next: str | UnsetType = UNSET


class Place(Answer):
    """Where in what was sent: line and column from 1, or a JSON pointer."""

    line: int | UnsetType = UNSET
    column: int | UnsetType = UNSET
    pointer: str | UnsetType = UNSET


class Extent(Answer):
    """How far a log goes: its last seq, and its head."""

    seq: int
    head: Digest | UnsetType = UNSET


class OutcomeShown(Answer):
    """What became of one hand of a request.

    `created` and `appended` changed the record, `duplicate` was there already. Of a
    `conflict` the stored log is as it was, `sent` and `stored` say how they differ. What was
    `rejected` could not be read: `found` and `expected` say why.
    """

    number: Annotated[int, Meta(description="Which hand of the request, from 1.")]
    outcome: OutcomeWord
    name: str
    place: Place
    id: PublicId | UnsetType = UNSET
    url: str | UnsetType = UNSET
    stored: Extent | UnsetType = UNSET
    sent: Extent | UnsetType = UNSET
    core_digest: Digest | UnsetType = UNSET
    found: str | UnsetType = UNSET
    expected: str | UnsetType = UNSET


class UploadShown(Answer):
    """What was sent, how much of it is read, and what became of its hands.

    `sha256`, the heads of what was sent, and why a hand was not taken are left out for those who
    may neither send hands nor see hidden cards: they speak of cards that may be hidden.
    """

    id: PublicId
    url: str
    finished: bool
    failed: bool
    percent: int
    size: int
    received_at: datetime
    created: int
    appended: int
    duplicate: int
    conflict: int
    rejected: int
    outcomes: list[OutcomeShown]
    sha256: str | UnsetType = UNSET
    next: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET


class FindingShown(Answer, omit_defaults=False):
    """One thing that is wrong or worth knowing, with its rule; docs/findings.md."""

    code: str
    category: str
    severity: Literal["error", "breach", "note"]
    handled: bool
    cause: Any
    seq: int
    seat: int | None
    message: str
    rule: Any
    recorded: Any
    expected: Any
    breakdown: list[dict[str, Any]]
    data: Any


class Findings(Answer):
    """The findings of a hand as far as it went."""

    id: PublicId
    seq: int
    verdict: str
    findings: list[FindingShown]


class Appended(Answer):
    """What stands in the log after the events that were sent, and what is wrong so far.

    The same events again get the same answer.
    """

    id: PublicId
    seq: Annotated[int, Meta(description="The seq of the last event that was sent.")]
    open: bool
    verdict: str
    findings: list[FindingShown]
    head: Digest | UnsetType = UNSET


class Steps(Answer):
    """A hand step by step: each event, the table after it, and what was found at it."""

    id: PublicId
    verdict: str
    steps: list[dict[str, Any]]
    seat: int | UnsetType = UNSET


class Report(msgspec.Struct):
    """The report of a hand; its JSON Schema stands in docs/."""

    id: str
    verdict: str
    findings: list[FindingShown]


class Problem(msgspec.Struct, omit_defaults=True):
    """A problem document (RFC 9457): a stable `code`, the place, and what to do `next`."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    next: str
    place: dict[str, Any] | UnsetType = UNSET
