"""Findings as templates show them: names in the place of seats, values and sums in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from replays import rule_words, wording
from rummy_audit.rules.findings import Finding, Term, codes
from rummy_audit.rules.messages import message

SHAPES = {"error": "●", "breach": "▲", "note": "○"}
SEVERITIES = {
    "error": gettext_lazy("error"),
    "breach": gettext_lazy("breach"),
    "note": gettext_lazy("note"),
}


def finding_item(finding: Finding, family: str, names: Mapping[int, str]) -> dict[str, Any]:
    """Return a finding as its template shows it, with names in the place of seats."""
    return {
        "finding": finding,
        "shape": SHAPES[finding.severity],
        "title": codes()[finding.code].title,
        "message": wording.told(finding, family, names),
        **_sides(finding, family, names),
        "sum": sum_text(finding.breakdown),
        "family": family,
    }


# No seat has this number: where the sentence says it as one, what is expected is a seat.
_NO_SEAT = 987654


def _sides(finding: Finding, family: str, names: Mapping[int, str]) -> dict[str, str]:
    """Return what was recorded and what is expected, seats by their names."""
    sides = {"recorded": finding.recorded, "expected": finding.expected}
    if isinstance(finding.expected, int):
        said = message(msgspec.structs.replace(finding, expected=_NO_SEAT), family)
        if f"eat {_NO_SEAT}" in said:
            seats = {side: seat for side, seat in sides.items() if isinstance(seat, int)}
            sides |= {side: names.get(seat, seat) for side, seat in seats.items()}
    if finding.recorded == finding.expected:
        return {"recorded": "", "expected": ""}
    said = {side: _value(value, names) for side, value in sides.items()}
    return said | {"expected": _limit(finding) % {"value": said["expected"]}}


def _limit(finding: Finding) -> str:
    """Return what is said around an expected value that is a setting's limit, not its amount."""
    rule = finding.rule
    if rule and finding.expected is not None and rule.value == finding.expected:
        if rule.parameter.endswith("_max"):
            return _("at most %(value)s")
        if rule.parameter.endswith("_min"):
            return _("at least %(value)s")
    return "%(value)s"


def sum_text(terms: Sequence[Term]) -> str:
    """Return a sum written out: K♠ 10 + 8♦ 8 − 5♣ 5 = 13; empty for no terms."""
    said = ""
    for term in terms:
        what = wording.listed(term.cards) or term.what.replace("_", " ")
        points = abs(term.points) if said else term.points
        sign = (" − " if term.points < 0 else " + ") if said else ""
        said += sign + f"{what}\N{NO-BREAK SPACE}{points}".strip()
    return f"{said} = {sum(term.points for term in terms)}" if len(terms) > 1 else said


def _value(value: object, names: Mapping[int, str]) -> str:
    if value is None:
        return ""
    if isinstance(value, dict):
        if all(isinstance(key, int) or str(key).isdigit() for key in value):
            return wording.by_seat({int(key): each for key, each in value.items()}, names)
        return ", ".join(f"{_key(key)}: {_named(key, each)}" for key, each in value.items())
    if isinstance(value, list | tuple):
        faces = all(isinstance(each, str) for each in value)
        return wording.listed(value) if faces else ", ".join(map(str, value))
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value)


_KEYS = {
    "format": gettext_lazy("format"),
    "ruleset": gettext_lazy("rules"),
    "rules": gettext_lazy("house rules"),
    "entry_fee": gettext_lazy("entry fee"),
    "point_value": gettext_lazy("value of a point"),
    "fee": gettext_lazy("fee of the club"),
    "game": gettext_lazy("game"),
    "shutout": gettext_lazy("shutout"),
    "boxes": gettext_lazy("boxes"),
}


def _key(name: str) -> str:
    return str(_KEYS.get(name) or rule_words.setting(name))


def _named(name: str, value: object) -> str:
    """Return what stands under a name, in words where the name says what they are."""
    if name == "format":
        return wording.format_words(str(value)) if value else "–"
    if name == "ruleset" and value:
        return rule_words.preset(str(value))
    if isinstance(value, dict):
        told = (
            f"{rule_words.setting(each)} {rule_words.value(own)}" for each, own in value.items()
        )
        return ", ".join(told) or rule_words.value(None)
    return rule_words.value(value)


def worst(findings: Iterable[Finding]) -> str:
    """Return the gravest severity among findings, or nothing."""
    found = {finding.severity for finding in findings}
    return next((severity for severity in SHAPES if severity in found), "")
