"""Writing hands, strictly: canonical JSON Lines, or the text form."""

from __future__ import annotations

from collections.abc import Iterator

from rummy_audit.rhl import canonical, records, text_write


def in_order(hand: records.Hand) -> Iterator[records.Record]:
    """The records of a hand as they stand in its log, the end among the events."""
    yield hand.record
    if hand.end is None:
        yield from hand.events
        return
    ended_after = len(hand.events) if hand.ended_after is None else hand.ended_after
    yield from hand.events[:ended_after]
    yield hand.end
    yield from hand.events[ended_after:]


def to_json(hand: records.Hand) -> bytes:
    """A hand as JSON Lines: the canonical bytes of its records, one a line."""
    return b"".join(canonical.encode(record) + b"\n" for record in in_order(hand))


def to_text(hand: records.Hand) -> str:
    """A hand in the text form, one record a line; the hand record takes several.

    >>> from rummy_audit.rhl.read import read
    >>> log = b'''{"type":"hand","rhl":1,"id":"7","ruleset":"gin","detail":"scores","players":[]}
    ... {"type":"score","seq":1,"points":{"1":0,"2":20},"winner":1}
    ... {"type":"end","status":"completed"}'''
    >>> print(to_text(next(read(log))), end="")
    hand 7 rhl=1 ruleset=gin detail=scores
    score 1=0 2=20 winner=1
    end
    """
    _, *others = in_order(hand)
    lines = [*text_write.hand_lines(hand.record), *map(text_write.record_line, others)]
    return "".join(f"{line}\n" for line in lines)
