"""The clause registers as data: which clauses of the rulebooks stand behind a finding."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

import msgspec

from rummy_audit.rules.rulesets import FAMILIES


class Clause(msgspec.Struct, frozen=True):
    """What rulebooks say in one place, in our words, and the parameters that hold it.

    ``sources`` are rulebook and section; ``codes`` the findings that come of it.
    """

    family: str
    sources: tuple[str, ...]
    words: str
    parameters: tuple[str, ...]
    codes: tuple[str, ...]


@cache
def _by_code() -> Mapping[str, tuple[Clause, ...]]:
    found: dict[str, tuple[Clause, ...]] = {}
    for family in FAMILIES:
        file = resources.files(__package__).joinpath("families", family, "clauses.toml")
        register = tomllib.loads(file.read_text(encoding="utf-8"))
        for entry in register["clauses"]:
            clause = msgspec.convert({**entry, "family": family}, Clause)
            for code in clause.codes:
                found[code] = (*found.get(code, ()), clause)
    return MappingProxyType(found)


def clauses_behind(code: str) -> tuple[Clause, ...]:
    """Return the clauses behind a finding, game by game in the order of their registers.

    >>> [clause.words for clause in clauses_behind("player-count") if clause.family == "gin"]
    ['Gin is for two players; a seat that was dealt nothing is outside the turn order.']
    """
    return _by_code().get(code, ())
