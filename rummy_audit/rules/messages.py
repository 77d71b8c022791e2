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


def _plain(value: object, *, choice: bool = False) -> str:
    """Write a value out; several numbers are a list, or a choice, and several cards a row."""
    if isinstance(value, list | tuple):
        numbers = bool(value) and all(isinstance(each, int) for each in value)
        between = " or " if choice else ", "
        return (between if numbers else " ").join(_plain(each) for each in value)
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_plain(each)}" for key, each in value.items())
    return str(value)


def message(finding: Finding, family: str) -> str:
    """Return one sentence that says what was found, with the cards."""
    values = {name: _plain(value) for name, value in finding.data.items()}
    for name in ("seat", "recorded", "expected"):
        value = getattr(finding, name)
        if value is not None:
            values.setdefault(name, _plain(value, choice=name == "expected"))
    if finding.rule:
        values.setdefault("value", _plain(finding.rule.value))
    for names, template in _templates(family).get(finding.code, ()):
        if names <= values.keys():
            return template.format_map(values)
    return codes()[finding.code].title
