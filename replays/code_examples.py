"""Examples of findings: for each code a short log that shows it, and what is found in that.

The logs are those of ``code_examples.rhl``, named by their code; those of a match are numbered.
What is found in them is not written down: they are judged when somebody asks.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Any

from replays.finding_items import finding_item
from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import Hand
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.matches import Deal, audit_match
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import for_hand

_NAMED = re.compile(r"hand ([a-z-]+?)(?:-[0-9]+)? ")


@cache
def logs() -> dict[str, list[str]]:
    """Return the texts of the logs by the code they show."""
    text = resources.files("replays").joinpath("code_examples.rhl").read_text(encoding="utf-8")
    texts: dict[str, list[str]] = {}
    for log in text.strip().split("\n\n"):
        if named := _NAMED.match(log):
            texts.setdefault(named[1], []).append(log)
    return texts


def example(code: str) -> dict[str, Any] | None:
    """Return the example of a code: its ``lines``, where it is found marked, and the findings."""
    texts = logs().get(code, [])
    deals = [_deal(text) for text in texts]
    found: list[tuple[int, Finding]] = [
        (at, each)
        for at, deal in enumerate(deals)
        for each in deal.replay.findings
        if each.code == code
    ]
    if deals and not found:
        places = {deal.id: at for at, deal in enumerate(deals)}
        placed = audit_match(deals).findings
        found = [(places[each.hand], each.finding) for each in placed if each.finding.code == code]
    if not found:
        return None
    marked = {(at, _line(texts[at], deals[at].hand, each.seq)) for at, each in found}
    lines = [
        {"text": line, "marked": (at, number) in marked, "first": not number}
        for at, text in enumerate(texts)
        for number, line in enumerate(text.splitlines())
    ]
    names = {player.seat: player.name or "" for player in deals[0].hand.record.players}
    family = deals[0].rules.family
    items = [finding_item(each, family, names) for _, each in found]
    return {"lines": lines, "findings": items, "family": family}


def _deal(text: str) -> Deal:
    hand = next(read(text.encode()))
    if not isinstance(hand, Hand):
        raise TypeError(text)
    rules = for_hand(hand.record)
    return Deal(hand=hand, rules=rules, replay=replay(hand, rules))


def _line(text: str, hand: Hand, seq: int) -> int:
    """Return the line of an event; what is of the hand as a whole stands at its first."""
    if not seq:
        return 0
    events = len(hand.events) + (hand.end is not None)
    return len(text.splitlines()) - events + seq - 1
