"""What a ruling at the table did to what had been written down."""

from __future__ import annotations

from rummy_audit.rhl.records import Hand, Result, Ruling, Score


def was_corrected(hand: Hand, event: Score | Result) -> bool:
    """Whether a ruling corrected this score or result, and it was written anew after it.

    What was wrong with it the table has dealt with then; what stands instead is judged
    for itself.

    >>> from rummy_audit.rhl.read import read
    >>> log = b'''hand T4-17 rhl=1 ruleset=gin detail=scores
    ... score 1=24 2=0
    ... ruling ref1 1 score-corrected
    ... score 1=25 2=0'''
    >>> [hand] = read(log)
    >>> [was_corrected(hand, event) for event in (hand.events[0], hand.events[2])]
    [True, False]
    """
    ruled = any(
        isinstance(each, Ruling) and each.outcome == "score-corrected" and each.target == event.seq
        for each in hand.events
    )
    return ruled and any(type(each) is type(event) and each.seq > event.seq for each in hand.events)
