"""The feed of verdicts: each verdict once, in an order that passes over none."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from msgspec import Meta

from api import paging, scopes
from api.auth import ask_again
from api.operations import answer, operation
from api.shapes import Answer, Digest, PublicId, VerdictWord
from replays import feed, outbox, sight, waiting
from replays.models.people import Scope


class RulesetNamed(Answer):
    """A version of rules, and the digest of what they say."""

    id: Annotated[str, Meta(examples=["indian-13@1"])]
    digest: Digest


class VerdictShown(Answer, omit_defaults=False):
    """A verdict that a hand got. A hand that was judged again comes again.

    Of a hand that could not be judged, `engine`, `ruleset` and `report_digest` are null.
    """

    hand: PublicId
    url: str
    id: Annotated[str, Meta(description="The id that the log gives the hand.")]
    source: str
    event: str
    match: str
    version: Annotated[int, Meta(description="Which version of the log; it grows with appends.")]
    open: Annotated[bool, Meta(description="Whether its end had not come yet.")]
    verdict: VerdictWord
    errors: int
    breaches: int
    notes: int
    engine: str | None
    ruleset: RulesetNamed | None
    report_digest: Digest | None
    audited_at: datetime


class Verdicts(Answer):
    """Verdicts, the oldest first; `next` goes on behind them, also when there are none yet."""

    verdicts: list[VerdictShown]
    next: str
    more: Annotated[bool, Meta(description="Whether there are more at this moment.")]


class Follow(paging.Paged):
    """Where to go on in the feed."""

    start: Annotated[
        Literal["oldest", "newest"],
        Meta(description="Without a cursor: from the first verdict on, or only what comes."),
    ] = "oldest"
    wait: Annotated[
        int,
        Meta(
            ge=0,
            le=20,
            description="Where there is nothing new: for how many seconds to wait for it. While "
            "too many wait, the answer comes at once.",
        ),
    ] = 0


EXAMPLE = {
    "verdicts": [
        {
            "hand": "7k2m9qxw4tbd3hnp",
            "url": "/api/v1/hands/7k2m9qxw4tbd3hnp",
            "id": "T4-17",
            "source": "tables.example",
            "event": "",
            "match": "M12",
            "version": 1,
            "open": False,
            "verdict": "flagged",
            "errors": 2,
            "breaches": 0,
            "notes": 1,
            "engine": "0.1.0",
            "ruleset": {"id": "indian-13@1", "digest": "0" * 64},
            "report_digest": "0" * 64,
            "audited_at": "2026-05-01T20:00:07.250000Z",
        }
    ],
    "next": "NDI:1uX…",
    "more": False,
}


@operation(
    scope=Scope.HANDS_READ,
    query=Follow,
    answers={200: Verdicts},
    problems=("bad-cursor",),
    examples={"200": EXAMPLE},
)
def verdicts(request: HttpRequest, *, query: Follow) -> HttpResponse:
    """Follow the verdicts: give the `next` of the answer before, once a second or with `wait`.

    Whoever goes on so sees every verdict, also one that was stored late.
    """
    viewer = request.viewer
    place = paging.place_of(query.cursor, salt="verdicts")
    if place is None:
        place = feed.newest(viewer) if query.start == "newest" else 0
    reading = feed.read(viewer, after=place, most=query.limit)
    if query.wait and reading.place == place:
        after = reading.place
        if waiting.wait(lambda: feed.has_more(viewer, after=after), seconds=query.wait):
            # Whoever has lost the right to it while they waited is told nothing of it.
            request.viewer = viewer = ask_again(request)
            scopes.require(viewer, Scope.HANDS_READ)
            reading = feed.read(viewer, after=after, most=query.limit)
    parts = sight.parts_of(viewer, [entry.log for entry in reading.entries])
    shown = Verdicts(
        verdicts=[
            msgspec.convert(
                {
                    **outbox.hand_told(entry.log, entry, whole=entry.log_id not in parts),
                    "url": reverse("api:hand", args=[entry.log.public_id]),
                },
                VerdictShown,
            )
            for entry in reading.entries
        ],
        next=paging.cursor_of(reading.place, salt="verdicts"),
        more=reading.more,
    )
    return answer(shown)
