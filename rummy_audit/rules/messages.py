"""The sentence of a finding, made from its code and data.

Templates are data: for each code a list, of which the first whose names are all
there is used; a family's own come first. They are no part of a verdict.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from string import Formatter

from rummy_audit.rules.findings import Finding, codes


@cache
def _templates(family: str) -> dict[str, list[tuple[frozenset[str], str]]]:
    here = resources.files(__package__)
    places = here.joinpath("messages.toml"), here.joinpath("families", family, "messages.toml")
    said: dict[str, list[str]] = {}
    for place in places:
        if place.is_file():
            for code, own in tomllib.loads(place.read_text(encoding="utf-8")).items():
                said[code] = [*own, *said.get(code, ())]
    return {
        code: [
            (frozenset(name for _, name, _, _ in Formatter().parse(template) if name), template)
            for template in templates
        ]
        for code, templates in said.items()
    }


# What is named in short, as people say it: by the name under which it stands.
_SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_RANKS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
_COLOURS = {"R": "red", "B": "blue", "K": "black", "O": "orange"}
_CAUSES = {
    "wrong-count": "a wrong count",
    "deal-count": "a wrong count",
    "exposed-card": "an exposed card",
    "deal-exposed": "an exposed card",
    "not-shuffled": "a missing shuffle",
    "deal-unshuffled": "a missing shuffle",
    "wrong-dealer": "a wrong dealer",
    "stock-exhausted": "an empty stock",
    "agreed": "an agreement",
    "other": "another reason",
    "saw-card": "a card that was seen",
    "looked-back": "a look back",
    "out-of-turn": "an act out of turn",
}
_MARKS = {"first-drop": "first drop", "middle-drop": "middle drop", "full": "full count"}
_SETTINGS = {"point_value": "value of a point", "entry_fee": "entry fee", "rules": "house rules"}
_WHEN = {"drawn": "after drawing a card", "turn": "when it is not that seat's turn"}
_WORDS: dict[str, dict[str, str]] = {
    "suits": _SUITS,
    "ranks": _RANKS,
    "colours": _COLOURS,
    "recorded": _CAUSES,
    "causes": _CAUSES,
    "reasons": _CAUSES,
    "kind": _CAUSES,
    "mark": _MARKS,
    "settings": _SETTINGS,
    "when": _WHEN,
}
_IN_A_ROW = ("suits", "ranks", "colours", "causes", "reasons", "settings", "seats")


def _named(name: str, value: object) -> str:
    """Write out what stands under a name, in words where there are some."""
    words = _WORDS.get(name, {})
    if name in _IN_A_ROW and isinstance(value, list | tuple) and value:
        *others, last = [words.get(str(each), str(each)) for each in value]
        return f"{', '.join(others)} and {last}" if others else last
    if isinstance(value, str):
        return words.get(value, value)
    return _plain(value, choice=name == "expected")


def _plain(value: object, *, choice: bool = False) -> str:
    """Write a value out; several numbers are a list, or a choice, and several cards a row."""
    if isinstance(value, list | tuple):
        numbers = bool(value) and all(isinstance(each, int) for each in value)
        between = " or " if choice else ", "
        return (between if numbers else " ").join(_plain(each) for each in value)
    if isinstance(value, dict):
        return ", ".join(
            f"{f'seat {key}' if str(key).isdigit() else key}: {_plain(each)}"
            for key, each in value.items()
        )
    return str(value)


def message(finding: Finding, family: str) -> str:
    """Return one sentence that says what was found, with the cards.

    A template may also name the setting that the finding rests on, as ``{cap}``: then
    it is used for findings of that setting alone; ``{choices}`` only where several
    values are expected.
    """
    values = {name: _named(name, value) for name, value in finding.data.items()}
    for name in ("seat", "recorded", "expected"):
        value = getattr(finding, name)
        if value is not None:
            values.setdefault(name, _named(name, value))
    if isinstance(finding.expected, list):
        values["choices"] = values["expected"]
    if finding.rule:
        values.setdefault("value", _plain(finding.rule.value))
        values.setdefault(finding.rule.parameter, _plain(finding.rule.value))
    for names, template in _templates(family).get(finding.code, ()):
        if names <= values.keys():
            return template.format_map(values)
    return codes()[finding.code].title
