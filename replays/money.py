"""Findings about money, which a club that plays for points alone is not shown.

Points come first, and money is off until a club switches it on. Verdicts and stored reports
say all that was found, whatever a club shows; pages and downloads for people leave amounts out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from replays.access import Viewer
from rummy_audit.rules.findings import Finding, codes
from rummy_audit.rules.matches import MatchReport
from rummy_audit.rules.view import Replay

# What is found about money alone, and the settings of a match that are stakes.
CODES = frozenset({"amount-wrong", "prize-wrong"})
STAKES = frozenset({"entry_fee", "point_value", "fee"})
_DIFFER = "match-settings-differ"
_put = msgspec.structs.replace


def shown_to(viewer: Viewer) -> bool:
    """Whether amounts are shown to somebody: where their club plays for money."""
    return viewer.club is not None and viewer.club.money


def code_choices(viewer: Viewer) -> list[tuple[str, str]]:
    """Return the kinds of findings that somebody can choose among, with their titles."""
    out = frozenset() if shown_to(viewer) else CODES
    return [(each.code, each.title) for each in codes().values() if each.code not in out]


def told(findings: Iterable[Finding], *, money: bool) -> tuple[Finding, ...]:
    """Return the findings that are shown where money is on or off."""
    if money:
        return tuple(findings)
    return tuple(each for each in map(_without, findings) if each is not None)


def of_replay(replay: Replay, *, money: bool) -> Replay:
    """Return a replay with what is shown of its findings; its verdict stays."""
    if money:
        return replay
    return _put(
        replay,
        findings=told(replay.findings, money=money),
        not_run=tuple(each for each in replay.not_run if each.check not in CODES),
        steps=tuple(
            _put(step, findings=told(step.findings, money=money)) if step.findings else step
            for step in replay.steps
        ),
    )


def of_match(report: MatchReport, *, money: bool) -> MatchReport:
    """Return a match's report with what is shown of its findings; its verdict stays."""
    if money:
        return report
    shown = [(placed, told((placed.finding,), money=money)) for placed in report.findings]
    found = tuple(_put(placed, finding=each) for placed, own in shown for each in own)
    return _put(report, findings=found)


def of_report(report: Mapping[str, Any], *, money: bool) -> dict[str, Any]:
    """Return a hand's report as it is taken away; one that leaves something out has no digest."""
    found = [each for each in report["findings"] if money or each["code"] not in CODES]
    if len(found) == len(report["findings"]):
        return dict(report)
    left = {name: own for name, own in report.items() if name != "report_digest"}
    return left | {"findings": found}


def _without(finding: Finding) -> Finding | None:
    if finding.code in CODES:
        return None
    if finding.code != _DIFFER or STAKES.isdisjoint(finding.data["settings"]):
        return finding
    rest = [name for name in finding.data["settings"] if name not in STAKES]
    if not rest:
        return None
    return _put(
        finding,
        recorded={name: own for name, own in finding.recorded.items() if name in rest},
        expected={name: own for name, own in finding.expected.items() if name in rest},
        data=finding.data | {"settings": rest},
    )
