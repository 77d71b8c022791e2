"""A log as its amendments correct it: the whole log is amended before it is judged."""

from __future__ import annotations

import msgspec

from rummy_audit.rhl.records import Amend, Event, Hand, HandRecord

_put = msgspec.structs.replace


class Corrected(Hand, frozen=True, kw_only=True):
    """A hand as its amendments leave it, and what it was.

    ``events`` are the log's without its amendments; an event that stands in the place
    of another, or each of several, has that one's seq, so seqs may repeat or be missing.
    ``amended`` tells for each amended seq which amendment is in force; what stood there is
    in ``original``, the log as written, from which the chain is taken. ``ended_after`` is
    that log's too: what has a seq up to it stands before the end. Amendments in
    ``idle`` (their seqs) change nothing: no such event stands before them, or it is an
    amendment itself. A later amendment of the same target is how an amendment is corrected.
    """

    original: Hand
    amended: dict[int, Amend] = msgspec.field(default_factory=dict)
    idle: tuple[int, ...] = ()


def corrected(hand: Hand) -> Corrected:
    """The hand as all amendments of its log leave it.

    The last amendment of a target wins. Target 0 is the hand record, which keeps its
    identity: id, source, event and rhl.

    >>> from rummy_audit.rhl.read import read
    >>> log = b'''hand T4-17 rhl=1 ruleset=gin detail=shown
    ... discard 2 KS
    ... drop 2
    ... amend 1 by=scorer : discard 2 KH
    ... amend 2
    ... end'''
    >>> for event in corrected(next(read(log))).events:
    ...     print(event.seq, event.card)
    1 KH
    """
    if Amend not in map(type, hand.events):
        return _view(hand, hand.record, hand.events)
    amended: dict[int, Amend] = {}
    idle: list[int] = []
    for event in hand.events:
        if isinstance(event, Amend):
            if _has_target(hand, event):
                amended[event.target] = event
            else:
                idle.append(event.seq)
    record = hand.record
    if 0 in amended and isinstance(amended[0].replace, HandRecord):
        record = _put(
            amended[0].replace,
            rhl=record.rhl,
            id=record.id,
            source=record.source,
            event=record.event,
        )
    events: list[Event] = []
    for event in hand.events:
        if event.seq in amended:
            events.extend(_in_place(event, amended[event.seq]))
        elif not isinstance(event, Amend):
            events.append(event)
    return _view(hand, record, tuple(events), amended=amended, idle=tuple(idle))


def _view(
    hand: Hand,
    record: HandRecord,
    events: tuple[Event, ...],
    *,
    amended: dict[int, Amend] | None = None,
    idle: tuple[int, ...] = (),
) -> Corrected:
    return Corrected(
        record=record,
        events=events,
        end=hand.end,
        ended_after=hand.ended_after,
        file=hand.file,
        line=hand.line,
        original=hand,
        amended=amended or {},
        idle=idle,
    )


def _has_target(hand: Hand, amendment: Amend) -> bool:
    """An amendment corrects what stands before it, but no amendment."""
    target = amendment.target
    if target == 0:
        return isinstance(amendment.replace, HandRecord)
    return target < amendment.seq and not isinstance(hand.events[target - 1], Amend)


def _in_place(event: Event, amendment: Amend) -> tuple[Event, ...]:
    """What stands in the place of *event*: nothing, an event or several."""
    stands = amendment.replace
    if stands is None or isinstance(stands, HandRecord):
        return ()
    return tuple(
        _put(each, seq=event.seq) for each in (stands if isinstance(stands, tuple) else (stands,))
    )
