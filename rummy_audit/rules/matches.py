"""Matches: totals over the hands of one match, by deal number and not by arrival.

What every family shares stands here: which deals there are, which are missing or
stand twice, and whether all were played by the same settings. How points add
up, who is out and who has won is each family's own (``families/<family>/match``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

import msgspec

from rummy_audit.rhl.records import Hand, Match, Result, Score
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.report import finding_report
from rummy_audit.rules.rulesets import Ruleset
from rummy_audit.rules.rulings import was_corrected
from rummy_audit.rules.view import Replay

# A deal that was annulled is dealt again, often under the same number.
ANNULLED = frozenset({"misdeal", "void", "abandoned"})

MOST_NAMED = 50  # missing deals that are named one by one

SETTINGS = ("format", "target", "entry_fee", "point_value", "fee")


class Deal(msgspec.Struct, frozen=True):
    """One hand of a match: its log as corrected, its rules, and its replay.

    ``before`` is the number of the last deal before its game, where the numbers go on
    over the games of a match.
    """

    hand: Hand
    rules: Ruleset
    replay: Replay
    before: int = 0

    @property
    def match(self) -> Match:
        """The match as this hand's record names it."""
        return cast("Match", self.hand.record.match)

    @property
    def game(self) -> int:
        """Which game of its match it belongs to; 0 where none is named."""
        return self.match.game or 0

    @property
    def number(self) -> int | None:
        """Which deal of its game it is, from 1."""
        number = self.match.deal
        return None if number is None else number - self.before

    @property
    def id(self) -> str:
        """The hand's own id."""
        return self.hand.record.id

    @property
    def annulled(self) -> bool:
        """Whether the hand was annulled and brings nobody points."""
        ended = self.hand.end
        return self.replay.result.outcome in ANNULLED or (
            ended is not None and ended.status in ANNULLED
        )

    @property
    def score(self) -> Score | None:
        """What the table wrote down for this hand, the last time it did."""
        scores = [event for event in self.hand.events if isinstance(event, Score)]
        return scores[-1] if scores else None


class Placed(msgspec.Struct, frozen=True):
    """A finding of a match, with the id of the hand where it stands."""

    hand: str
    finding: Finding


class Row(msgspec.Struct, frozen=True):
    """One deal of the standings: points and totals by seat, recorded and by the rules."""

    hand: str
    deal: int | None
    points: dict[int, int]
    totals: dict[int, int]
    recorded_totals: dict[int, int]
    out: tuple[int, ...] = ()


class Standing(msgspec.Struct, frozen=True):
    """What a family makes of the deals: findings, totals by the rules, and the winner."""

    findings: tuple[Placed, ...]
    totals: dict[int, int]
    winner: int | None = None
    rows: tuple[Row, ...] = ()


class MatchReport(msgspec.Struct, frozen=True):
    """A match audited. ``verdict``: clean, irregular or flagged."""

    id: str
    family: str
    verdict: str
    findings: tuple[Placed, ...]
    totals: dict[int, int]
    winner: int | None
    rows: tuple[Row, ...] = ()

    def to_report(self) -> dict[str, Any]:
        """Return the report as data for JSON; each finding names its hand."""
        return {
            "id": self.id,
            "verdict": self.verdict,
            "findings": [
                {**finding_report(placed.finding, self.family), "hand": placed.hand}
                for placed in self.findings
            ],
            "totals": {str(seat): self.totals[seat] for seat in sorted(self.totals)},
            "winner": self.winner,
        }


class MatchReferee(Protocol):
    """What a family's ``match`` module offers."""

    def audit(self, deals: Sequence[Deal], *, whole: bool) -> Standing:
        """Add the deals up, in order; ``whole`` is false where deals are missing."""


@cache
def _referee(family: str) -> MatchReferee:
    return cast("MatchReferee", import_module(f"rummy_audit.rules.families.{family}.match"))


def by_match(deals: Iterable[Deal]) -> dict[str, list[Deal]]:
    """Gather the deals that name a match, by its id, in the order they come."""
    matches: dict[str, list[Deal]] = {}
    for deal in deals:
        match = deal.hand.record.match
        if match is not None and match.id is not None:
            matches.setdefault(match.id, []).append(deal)
    return matches


def audit_match(deals: Sequence[Deal]) -> MatchReport:
    """Audit the hands of one match; they may come in any order.

    The deals are taken by game and deal number, one that was annulled before the deal of
    that number that counts; those without a number keep the order they came in.
    """
    ordered = _numbered(sorted(deals, key=_place))
    counted, doubled = _doubled(ordered)
    missing = list(_missing(counted))
    found = [*doubled, *missing, *_settings(counted)]
    family = ordered[0].rules.family
    # A hand of another game has no place in these totals; its settings say so.
    same = [deal for deal in counted if deal.rules.family == family]
    standing = _referee(family).audit(same, whole=not missing)
    place = {deal.id: index for index, deal in enumerate(ordered)}
    findings = tuple(
        sorted(
            [*found, *_put_right(standing.findings, ordered)],
            key=lambda placed: (place.get(placed.hand, len(place)), placed.finding.seq),
        )
    )
    severities = {placed.finding.severity for placed in findings}
    verdict = (
        "flagged" if "error" in severities else "irregular" if "breach" in severities else "clean"
    )
    return MatchReport(
        id=cast("str", ordered[0].match.id),
        family=family,
        verdict=verdict,
        findings=findings,
        totals=standing.totals,
        winner=standing.winner,
        rows=standing.rows,
    )


def _put_right(findings: Iterable[Placed], deals: Iterable[Deal]) -> Iterator[Placed]:
    """Mark what was wrong with a result that a ruling corrected, and that was written anew."""
    anew = {
        (deal.id, event.seq)
        for deal in deals
        for event in deal.hand.events
        if isinstance(event, Result) and was_corrected(deal.hand, event)
    }
    for placed in findings:
        if (placed.hand, placed.finding.seq) in anew:
            handled = msgspec.structs.replace(placed.finding, handled=True)
            yield msgspec.structs.replace(placed, finding=handled)
        else:
            yield placed


def _place(deal: Deal) -> tuple[int, int, bool]:
    number = deal.match.deal
    return deal.game, number or 0, number is not None and not deal.annulled


def _numbered(deals: list[Deal]) -> list[Deal]:
    """Note for each deal where the count of its game began.

    What ``match.deal`` counts over several games is not stated: the deals of each, from 1,
    or those of all. Where every game begins behind the last, the numbers go on.
    """
    before: dict[int, int] = {}
    last = 0
    for deal in deals:
        number, game = deal.match.deal, deal.game
        if number is None:
            continue
        if game not in before:
            before[game] = last
            if number <= last:
                return deals
        last = number
    if not any(before.values()):
        return deals
    return [msgspec.structs.replace(deal, before=before.get(deal.game, 0)) for deal in deals]


def by_game(deals: Sequence[Deal]) -> list[list[Deal]]:
    """Part the deals of a match, in order, by their games.

    Where each game is one deal, it is but another count of the deals.
    """
    games: dict[int, list[Deal]] = {}
    for deal in deals:
        games.setdefault(deal.game, []).append(deal)
    counted = [sum(not deal.annulled for deal in game) for game in games.values()]
    return [*games.values()] if max(counted, default=0) > 1 else [[*deals]]


def in_turn(standings: Iterable[Standing]) -> Standing:
    """Put the standings of the games of a match together: the totals are those of the last."""
    games = [*standings]
    return Standing(
        tuple(placed for game in games for placed in game.findings),
        games[-1].totals,
        games[-1].winner,
        tuple(row for game in games for row in game.rows),
    )


def _doubled(deals: Sequence[Deal]) -> tuple[list[Deal], list[Placed]]:
    """A deal number stands once, but for deals that were annulled and dealt again."""
    counted: list[Deal] = []
    found: list[Placed] = []
    first: dict[tuple[int, int], str] = {}
    for deal in deals:
        number = deal.match.deal
        if number is None or deal.annulled:
            counted.append(deal)
            continue
        key = (deal.game, number)
        if key in first:
            data = {"deal": number, "other": first[key]}
            found.append(Placed(deal.id, Finding(code="match-deal-doubled", data=data)))
            continue
        first[key] = deal.id
        counted.append(deal)
    return counted, found


def _missing(deals: Sequence[Deal]) -> Iterator[Placed]:
    """The deals of a game are numbered without gaps, from 1 or on from the game before."""
    last: dict[int, int] = {}
    for deal in deals:
        number = deal.match.deal
        if number is None:
            continue
        before = last.get(deal.game, deal.before)
        if number > before + 1:
            data: dict[str, object] = {"first": before + 1, "last": number - 1}
            if number - before <= MOST_NAMED:  # by a slip of the pen it is millions
                data = {"deals": [*range(before + 1, number)]}
            yield Placed(deal.id, Finding(code="match-deal-missing", data=data))
        last[deal.game] = max(before, number)


def usual_settings(deals: Sequence[Deal]) -> dict[str, Any]:
    """Return the settings of a match: of each the value that most of its hands name.

    Of values named equally often the first counts; None where no hand names one. A slip
    in one hand, the first of a match too, is that hand's alone.
    """
    named = [_settings_of(deal) for deal in deals]
    return {name: _most_usual([each[name] for each in named]) for name in named[0]}


def typical(deals: Sequence[Deal]) -> Deal:
    """Return the first deal by the settings of its match; the first of all where none is so."""
    settings = usual_settings(deals)
    return next((deal for deal in deals if not differing(deal, settings)), deals[0])


def is_on(deal: Deal, deals: Sequence[Deal]) -> bool:
    """Whether a hand is on still, the last of its match: it has brought nobody points yet."""
    return deal is deals[-1] and deal.hand.end is None and deal.score is None


def differing(deal: Deal, settings: Mapping[str, Any]) -> list[str]:
    """Return the settings of a match that a hand names otherwise.

    What a hand leaves out is not known and no difference, but for the format: without
    one it was played by other rules.
    """
    return [
        name
        for name, value in _settings_of(deal).items()
        if value != settings[name] and (value is not None or name == "format")
    ]


def _settings_of(deal: Deal) -> dict[str, Any]:
    rules = deal.rules
    named = {name: getattr(deal.match, name) for name in SETTINGS}
    return {**named, "ruleset": rules.preset, "rules": dict(sorted(rules.house.items()))}


def _most_usual(values: Sequence[Any]) -> Any:  # noqa: ANN401 - a setting of any type
    known = [value for value in values if value is not None]
    if not known:
        return None
    names = [str(value) for value in known]
    return known[names.index(Counter(names).most_common(1)[0][0])]


def _settings(deals: Sequence[Deal]) -> Iterator[Placed]:
    """All hands of a match are played by the same rules and for the same stakes."""
    settings = usual_settings(deals)
    for deal in deals:
        recorded = _settings_of(deal)
        names = differing(deal, settings)
        if names:
            first = names[0]
            like = next(each for each in deals if _settings_of(each)[first] == settings[first])
            yield Placed(
                deal.id,
                Finding(
                    code="match-settings-differ",
                    recorded={name: recorded[name] for name in names},
                    expected={name: settings[name] for name in names},
                    data={"settings": sorted(names), "other": like.id},
                ),
            )
