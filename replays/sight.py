"""Who may see which cards of a hand at this moment, and the hand as they may see it.

Whatever leaves the house about a hand that somebody may not see whole (its page, steps,
sentences, findings, report, log, export) is made by judging the hand as ``redacted`` for
them: what is not in it can be in nothing that follows from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Self

import msgspec
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from replays.access import Viewer
from replays.models import Club, HandLog, LogBatch, Seat
from replays.models.hands import Verdict
from replays.models.people import Scope
from rummy_audit.rhl import records, write
from rummy_audit.rhl.records import UNKNOWN, Amend, Event, Hand

_DIGESTS = ("head", "core_digest", "report_digest")
_put = msgspec.structs.replace
_HIDDEN = "Hidden until the hand is open to all."
# What the whole table saw; of any other irregularity the card may be one person's knowledge.
_FOR_ALL = ("exposed-card", "looked-back")


@dataclass(frozen=True, slots=True)
class Sight:
    """What somebody sees of a hand: all of it, or what is public and what ``seats`` could see."""

    whole: bool
    seats: frozenset[int] = frozenset()

    def from_seat(self, seat: int | None) -> Self:
        """Return what of this can be seen from one seat; None: from nowhere else than before.

        >>> WHOLE.from_seat(2)
        Sight(whole=False, seats=frozenset({2}))
        >>> Sight(whole=False, seats=frozenset({1})).from_seat(2)
        Sight(whole=False, seats=frozenset())
        """
        if seat is None:
            return self
        mine = {seat} if self.whole or seat in self.seats else set()
        return type(self)(whole=False, seats=frozenset(mine))


WHOLE = Sight(whole=True)
PUBLIC = Sight(whole=False)


def reveals(viewer: Viewer) -> bool:
    """Whether this viewer may see the hidden cards of hands that go on."""
    return viewer.may(Scope.HANDS_REVEAL)


def sight_of(viewer: Viewer, log: HandLog) -> Sight:
    """Return what this viewer may see of a hand now.

    Those who keep and judge the record see all. A shared link sees from its fixed seat. Until
    the cards lie open a player sees what their seats could see, and anybody else what the
    table could.
    """
    if reveals(viewer):
        return WHOLE
    seat = viewer.link.scope.get("seat") if viewer.link is not None else None
    if seat is not None:
        return Sight(whole=False, seats=frozenset({seat}))
    if viewer.club is not None and is_opened(log, viewer.club):
        return WHOLE
    if viewer.user is None or viewer.link is not None:
        return PUBLIC
    own = Seat.objects.filter(log=log, player__user=viewer.user, player__club=viewer.club)
    return Sight(whole=False, seats=frozenset(own.values_list("seat", flat=True)))


def is_opened(log: HandLog, club: Club) -> bool:
    """Whether the cards of a hand lie open for everybody who may read it.

    A club says how long after its end that is (``Club.opens_after``).
    """
    hours = club.opens_after
    if log.ended_after is None or hours is None:
        return False
    if hours == 0:
        return True
    # The hand record is line 0 and an event stands at the line of its seq: the end comes next.
    brought = log.batches.filter(first_line__lte=log.ended_after + 1).order_by("-first_line")
    ended_at = brought.values_list("received_at", flat=True).first()
    return ended_at is not None and ended_at <= timezone.now() - timedelta(hours=hours)


def opened(viewer: Viewer) -> Q:
    """Return the condition on hands that this viewer may see whole, for lists and searches."""
    hours = viewer.club.opens_after if viewer.club else None
    if reveals(viewer):
        return Q()
    if hours is None:
        return Q(pk=None)
    ended = Q(ended_after__isnull=False)
    if not hours:
        return ended
    late = LogBatch.objects.filter(
        log=OuterRef("pk"),
        first_line__lte=OuterRef("ended_after") + 1,
        received_at__gt=timezone.now() - timedelta(hours=hours),
    )
    return ended & ~Exists(late)


def with_verdict(viewer: Viewer, verdict: str) -> Q:
    """Return the condition on hands that this viewer is told have this verdict."""
    whole = opened(viewer)
    told = whole & Q(verdict=verdict)
    if reveals(viewer):
        return told
    if verdict == Verdict.UNFINISHED:
        return told | Q(ended_after=None)
    if verdict == Verdict.WAITING:
        return told | (Q(ended_after__isnull=False) & ~whole)
    return told


def as_listed(viewer: Viewer, hands: Sequence[HandLog]) -> Sequence[HandLog]:
    """Return hands for a list; a verdict that may rest on cards hidden from the viewer is not told.

    Such a hand is unfinished while it goes on, and after that waits until it opens.
    """
    if reveals(viewer) or not hands:
        return hands
    seen = _opened_of(viewer, hands)
    for each in hands:
        if each.pk not in seen:
            each.verdict = told_verdict(each)
            each.errors = each.breaches = each.notes = 0
    return hands


def told_verdict(log: HandLog) -> str:
    """Return what is told of the verdict of a hand to those who do not see it whole."""
    return str(Verdict.UNFINISHED if log.is_open else Verdict.WAITING)


def parts_of(viewer: Viewer, hands: Sequence[HandLog]) -> dict[int, Sight]:
    """Return what this viewer may see of those hands that they may not see whole, by their keys.

    At most two queries, whatever the number of hands.
    """
    if reveals(viewer) or not hands:
        return {}
    seen = _opened_of(viewer, hands)
    seats: dict[int, set[int]] = {each.pk: set() for each in hands if each.pk not in seen}
    if seats and viewer.user is not None and viewer.link is None:
        own = Seat.objects.filter(log__in=list(seats), player__user=viewer.user)
        for pk, seat in own.filter(player__club=viewer.club).values_list("log", "seat"):
            seats[pk].add(seat)
    return {pk: Sight(whole=False, seats=frozenset(own)) for pk, own in seats.items()}


def _opened_of(viewer: Viewer, hands: Sequence[HandLog]) -> set[int]:
    """Return which of these hands lie open to a viewer, by their keys: one query at most."""
    hours = viewer.club.opens_after if viewer.club else None
    if hours is None:
        return set()
    ended = {each.pk for each in hands if each.ended_after is not None}
    if not hours or not ended:
        return ended
    rows = HandLog.objects.filter(opened(viewer), pk__in=ended)
    return set(rows.values_list("pk", flat=True))


def closed_match(viewer: Viewer, path: str = "") -> Q:
    """Return the condition on matches of which this viewer does not see every hand whole.

    ``path`` leads to the match. Its verdict, its totals and its winner may rest on hidden cards.
    """
    if reveals(viewer):
        return Q(pk=None)
    same = {
        "club": OuterRef(f"{path}club"),
        "source": OuterRef(f"{path}source"),
        "event": OuterRef(f"{path}event"),
        "match": OuterRef(f"{path}name"),
    }
    return Q(Exists(HandLog.objects.filter(~opened(viewer), **same)))


def sees_all(viewer: Viewer, log: HandLog) -> bool:
    """Whether this viewer may see all cards of a hand, and its head."""
    return sight_of(viewer, log).whole


def redacted(hand: Hand, sight: Sight) -> Hand:
    """Return a hand as it may be seen: what is hidden is unknown, counted or left out.

    Hidden are what others were dealt, drew from the stock or laid face down, the pack, the
    seed and the order of a reshuffle, and every remark, since it may tell of any of them. No
    digest over hidden cards is left: with it they could be guessed one by one.
    """
    if sight.whole:
        return hand
    others = _of_others(hand, sight.seats)
    events = tuple(
        _seen(event, frozenset() if event.seq in others else sight.seats) for event in hand.events
    )
    end = hand.end and _put(hand.end, head=None, sig=None, extra=None)
    made = _put(hand, record=_record(hand.record), events=events, end=end, lines=())
    return _put(made, lines=tuple(write.to_json(made).split(b"\n")[:-1]))


def without_digests(report: dict[str, Any]) -> dict[str, Any]:
    """Return the report of a redacted hand without digests, which would be of no stored log."""
    return {name: value for name, value in report.items() if name not in _DIGESTS}


def _of_others(hand: Hand, seats: frozenset[int]) -> set[int]:
    """Return the seqs of events that were taken for these seats', and are others' as corrected."""
    amends = [each for each in hand.events if isinstance(each, Amend)]
    return {
        place
        for each in amends
        if any(_seat_of(event) not in (None, *seats) for event in _replacing(each))
        for place in (each.target, each.seq)
    }


def _replacing(amend: Amend) -> tuple[object, ...]:
    return amend.replace if isinstance(amend.replace, tuple) else (amend.replace,)


def _seat_of(event: object) -> int | None:
    return getattr(event, "seat", None)


def _record(record: records.HandRecord) -> records.HandRecord:
    detail = "table" if record.detail == "full" else record.detail
    return _put(
        record,
        detail=detail,
        players=tuple(_put(player, extra=None) for player in record.players),
        match=record.match and _put(record.match, extra=None),
        writer=record.writer and _put(record.writer, extra=None),
        extra=None,
    )


def _seen(event: Event, seats: frozenset[int]) -> Event:
    bare = {name: None for name in ("note", "reason") if getattr(event, name, None) is not None}
    event = _put(event, extra=None, **bare)
    if _seat_of(event) in seats:
        return event
    match event:
        case records.Deck() | records.Reveal() | records.Note():
            return records.Note(seq=event.seq, ms=event.ms, text=_HIDDEN)
        case records.Deal() | records.Penalty() if event.cards is not None:
            return _put(event, cards=None, count=len(event.cards))
        case records.Draw(from_="stock"):
            cards = None if event.cards is None else (UNKNOWN,) * len(event.cards)
            return _put(event, card=None, cards=cards)
        case records.Discard(facedown=True):
            return _put(event, card=UNKNOWN)
        case records.Reshuffle(turned=None | False):
            return _put(event, cards=None)
        case records.Result() if event.bonuses is not None:
            bonuses = {seat: _put(each, extra=None) for seat, each in event.bonuses.items()}
            return _put(event, bonuses=bonuses)
        case records.Irregularity() if event.kind not in _FOR_ALL:
            return _put(event, card=None)
        case records.Amend():
            return _put(event, replace=_replaced(event.replace, seats))
        case _:
            return event


def _replaced(replace: object, seats: frozenset[int]) -> object:
    match replace:
        case records.HandRecord():
            return _record(replace)
        case Event():
            return _seen(replace, seats)
        case tuple():
            return tuple(_seen(each, seats) for each in replace)
        case _:
            return replace
