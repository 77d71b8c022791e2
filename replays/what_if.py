"""What if: the verdict of a log that was never written, beside that of the one that was.

A change is an event as it might have been written, a card that was misread, or a house
rule. The log itself is never touched: the changed one lives as long as its page, unless
somebody who keeps the record appends it as an amendment.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from rummy_audit.rhl import write
from rummy_audit.rhl.cards_text import parse_card
from rummy_audit.rhl.read import ReadError, read
from rummy_audit.rhl.records import Amend, Event, Hand
from rummy_audit.rhl.text_write import record_line
from rummy_audit.rules.rulesets import Value

_put = msgspec.structs.replace
MOST_LINE = 2000
# What the address of a what-if can say.
FIELDS = ("seq", "line", "card", "read_as", "rule", "value")


class WhatIfError(ValueError):
    """A change that cannot be tried: what was found, and what was expected."""

    def __init__(self, found: str, expected: str) -> None:
        """Say what was found and what was expected."""
        super().__init__(f"{found}: expected {expected}")
        self.found = found
        self.expected = expected


@dataclass(frozen=True, slots=True)
class Change:
    """What is tried. ``line`` stands in the place of event ``seq``; ``card`` was ``read_as``."""

    seq: int = 0
    line: str = ""
    card: str = ""
    read_as: str = ""
    rules: Mapping[str, Value] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is changed at all."""
        return not (self.line or self.read_as or self.rules)


def line_of(hand: Hand, seq: int) -> str:
    """Return an event as the text form writes it, as something to change; empty for none."""
    event = _event(hand, seq)
    return record_line(_put(event, note=None)) if event is not None else ""


def changed(hand: Hand, change: Change) -> Hand:
    """Return the hand as the change would have it; raises WhatIfError."""
    if change.rules:
        rules = {**(hand.record.rules or {}), **change.rules}
        hand = _put(hand, record=_put(hand.record, rules=rules))
    if line := _line(hand, change):
        hand = _put(hand, events=(*hand.events, _read(hand, change.seq, line)))
    return hand


def amendment(hand: Hand, change: Change, *, by: str, reason: str) -> Amend:
    """Return the change as the amendment that would make it the record; raises WhatIfError.

    A house rule is no part of it: what is amended is what was written of one event.
    """
    line = _line(hand, change)
    if not line or change.rules:
        raise WhatIfError(line or "–", "an event as it should have been written")
    return _put(_read(hand, change.seq, line), by=by, reason=reason)


def _line(hand: Hand, change: Change) -> str:
    if change.read_as:
        return _reread(change.line or line_of(hand, change.seq), change.card, change.read_as)
    return change.line


def house_rule(name: str, text: str) -> dict[str, Value]:
    """Read a setting as people write it: a whole number, true or false, else a word."""
    if not name or not text:
        return {}
    if text in ("true", "false"):
        return {name: text == "true"}
    return {name: int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text}


def _event(hand: Hand, seq: int) -> Event | None:
    return next((event for event in hand.events if event.seq == seq), None)


def _reread(line: str, card: str, read_as: str) -> str:
    """Put one card in the place of another, the first time that it stands there."""
    try:
        before, after = parse_card(card), parse_card(read_as)
    except ValueError:
        raise WhatIfError(f"{card} {read_as}".strip(), "two cards, such as 7H and 7D") from None
    words = line.split(" ")
    if before not in words:
        raise WhatIfError(before, f"a card of this event: {line}")
    words[words.index(before)] = after
    return " ".join(words)


def _read(hand: Hand, seq: int, line: str) -> Amend:
    """Read a line as the amendment of an event, as the log would take it."""
    if _event(hand, seq) is None:
        raise WhatIfError(f"event {seq}", "an event of this hand")
    if len(line) > MOST_LINE or not line.isprintable():
        raise WhatIfError(line[:40], "one event on one line")
    text = f"{write.to_text(hand).rstrip()}\namend {seq} : {line}\n"
    (item,) = read(text.encode())
    if isinstance(item, ReadError):
        raise WhatIfError(item.found or line, item.expected)
    made = item.events[-1]
    if not isinstance(made, Amend) or made.target != seq:
        raise WhatIfError(line, "an event as the log writes it")
    return made
