"""What may be seen of a hand that goes on: the table's view, without what lies face down."""

from __future__ import annotations

import msgspec

from replays.access import Viewer
from replays.models import HandLog
from replays.models.people import Scope
from rummy_audit.rhl import records, write
from rummy_audit.rhl.records import UNKNOWN, Event, Hand

_put = msgspec.structs.replace
_HIDDEN = "Hidden until the hand is over."


def reveals(viewer: Viewer) -> bool:
    """Whether this viewer may see the hidden cards of hands that go on."""
    return viewer.may(Scope.HANDS_REVEAL)


def sees_all(viewer: Viewer, log: HandLog) -> bool:
    """Whether this viewer may see all cards of a hand, and its head."""
    return not log.is_open or reveals(viewer)


def as_seen(hand: Hand, *, seat: int | None = None) -> Hand:
    """Return a hand as it is seen from the table, by everybody or from one seat.

    Cards that lie face down are unknown, remarks that may tell of them are left out. What
    the rules find in this hand rests on nothing hidden.
    """
    events = tuple(_seen(event, seat) for event in hand.events)
    made = _put(hand, record=_record(hand.record), events=events, lines=())
    return _put(made, lines=tuple(write.to_json(made).split(b"\n")[:-1]))


def _record(record: records.HandRecord) -> records.HandRecord:
    detail = "table" if record.detail == "full" else record.detail
    return _put(record, detail=detail, extra={})


def _seen(event: Event, seat: int | None) -> Event:
    bare = {name: None for name in ("note", "reason") if getattr(event, name, None) is not None}
    event = _put(event, extra={}, **bare)
    if seat is not None and getattr(event, "seat", None) == seat:
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
        case records.Irregularity(kind="saw-card"):
            return _put(event, card=None)
        case records.Amend():
            return _put(event, replace=_replaced(event.replace, seat))
        case _:
            return event


def _replaced(replace: object, seat: int | None) -> object:
    match replace:
        case records.HandRecord():
            return _record(replace)
        case Event():
            return _seen(replace, seat)
        case tuple():
            return tuple(_seen(each, seat) for each in replace)
        case _:
            return replace
