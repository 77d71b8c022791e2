"""The same hand under another ruleset: where the verdicts differ, and by which settings.

A hand is judged by its own rules and by the other's. Each difference is put down to
the smallest set of settings that makes it when they alone are switched over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

import msgspec

from rummy_audit.rhl import amend
from rummy_audit.rhl.records import Hand
from rummy_audit.rules.findings import Finding, Rule
from rummy_audit.rules.replay import replay
from rummy_audit.rules.report import finding_report
from rummy_audit.rules.rulesets import Preset, Ruleset, RulesetError, for_hand, ruleset
from rummy_audit.rules.view import Replay

# Settings are switched one by one, then two by two; more is said to come from all together.
MOST_TOGETHER = 2


class Switched(msgspec.Struct, frozen=True):
    """A setting on which two rulesets differ: its name, and the rule on either side."""

    parameter: str
    here: Rule
    there: Rule


class Difference(msgspec.Struct, frozen=True):
    """Something one ruleset says of a hand and the other does not, and the settings behind it.

    ``what`` is finding, points, winner or verdict. ``here`` and ``there`` are what either says,
    None for nothing; for points they are numbers, and ``seat`` is whose.
    """

    what: str
    here: Finding | int | str | None
    there: Finding | int | str | None
    seat: int | None = None
    parameters: tuple[Switched, ...] = ()


class Comparison(msgspec.Struct, frozen=True):
    """A hand under its own rules and under others: both replays, and what differs."""

    here: Ruleset
    there: Ruleset
    mine: Replay
    theirs: Replay
    differences: tuple[Difference, ...]

    def to_report(self) -> dict[str, Any]:
        """Return the comparison as data for JSON."""
        return {
            "under": {"id": self.there.preset, "digest": self.there.digest},
            "verdict": self.theirs.verdict,
            "scores": {
                str(seat): points for seat, points in sorted(self.theirs.result.scores.items())
            },
            "winner": self.theirs.result.winner,
            "differences": [
                {
                    "what": each.what,
                    "seat": each.seat,
                    "here": _said(each.here, self.here.family),
                    "there": _said(each.there, self.there.family),
                    "parameters": msgspec.to_builtins(each.parameters),
                }
                for each in self.differences
            ],
        }


def _said(value: Finding | int | str | None, family: str) -> Any:  # noqa: ANN401 - JSON
    return finding_report(value, family) if isinstance(value, Finding) else value


Fact = tuple[str, Any]


def under(hand: Hand, name: str | Preset, here: Ruleset | None = None) -> Ruleset:
    """Return another ruleset for a hand: its preset, with the hand's match and players.

    House rules of the hand stay behind: they are among what differs. ``here`` are its
    own rules, if its record alone does not tell. Raises RulesetError, also where the other
    is a ruleset of another game.
    """
    record = amend.corrected(hand).record
    other = ruleset(
        name,
        format=record.match.format if record.match else None,
        players=len(record.players),
    )
    own = here or for_hand(record)
    if other.family != own.family:
        raise RulesetError("ruleset", other.preset, f"a ruleset of the game {own.family}")
    return other


def compare(hand: Hand, there: Ruleset, here: Ruleset | None = None) -> Comparison:
    """Judge a hand by two rulesets of one game and say by which settings the verdicts differ."""
    hand = amend.corrected(hand)
    here = here or for_hand(hand.record)
    mine = replay(hand, here, corrected=False)
    theirs = replay(hand, there, corrected=False)
    before, after = _facts(mine), _facts(theirs)
    changed = [key for key in (*before, *after) if before.get(key) != after.get(key)]
    keys = list(dict.fromkeys(changed))
    causes = _causes(hand, here, there, keys, before=before, after=after) if keys else {}
    return Comparison(
        here=here,
        there=there,
        mine=mine,
        theirs=theirs,
        differences=tuple(
            _difference(key, before.get(key), after.get(key), causes[key]) for key in keys
        ),
    )


def _facts(judged: Replay) -> dict[Fact, Any]:
    """What a ruleset says of a hand, by what it speaks of."""
    facts: dict[Fact, Any] = {("verdict", None): judged.verdict}
    if judged.result.winner is not None:
        facts["winner", None] = judged.result.winner
    for seat, points in sorted(judged.result.scores.items()):
        facts["points", seat] = points
    count: dict[tuple[str, int, int | None], int] = {}
    for finding in judged.findings:
        place = (finding.code, finding.seq, finding.seat)
        count[place] = count.get(place, 0) + 1
        facts["finding", (*place, count[place])] = _Same(finding)
    return facts


class _Same:
    """A finding that equals another when it says the same, whatever rule it cites."""

    __slots__ = ("finding", "key")

    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        self.key = (finding.severity, repr(finding.recorded), repr(finding.expected))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def differing(here: Ruleset, there: Ruleset) -> list[Switched]:
    """Return the settings on which two rulesets of a game differ, in the order of its law."""
    return [
        Switched(name, here.cite(name), there.cite(name))
        for name in here.values
        if here[name] != there[name]
    ]


def _causes(
    hand: Hand,
    here: Ruleset,
    there: Ruleset,
    keys: Iterable[Fact],
    *,
    before: Mapping[Fact, Any],
    after: Mapping[Fact, Any],
) -> dict[Fact, tuple[Switched, ...]]:
    """Find for each difference the smallest set of settings that makes it."""
    settings = differing(here, there)
    causes: dict[Fact, tuple[Switched, ...]] = {}
    for chosen in _sets(settings):
        open_keys = [key for key in keys if key not in causes]
        if not open_keys:
            break
        facts = _facts(replay(hand, _switch(here, there, chosen), corrected=False))
        for key in open_keys:
            if facts.get(key) == after.get(key) and facts.get(key) != before.get(key):
                causes[key] = chosen
    return {key: causes.get(key, tuple(settings)) for key in keys}


def _sets(settings: list[Switched]) -> Iterator[tuple[Switched, ...]]:
    for size in range(1, MOST_TOGETHER + 1):
        yield from combinations(settings, size)


def _switch(here: Ruleset, there: Ruleset, chosen: tuple[Switched, ...]) -> Ruleset:
    names = [each.parameter for each in chosen]
    return here.with_values({name: there[name] for name in names}, there.sources)


def _difference(key: Fact, here: Any, there: Any, cause: tuple[Switched, ...]) -> Difference:  # noqa: ANN401
    what, place = key
    seat = place[2] if what == "finding" else place
    if what == "finding":
        here, there = (each and each.finding for each in (here, there))
    return Difference(what, here, there, seat, cause)
