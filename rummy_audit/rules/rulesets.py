"""Rulesets: the rules as parameters, each with the place it comes from.

A ruleset is a family, a preset of that family, and what a match format, the
number of players and the house rules of a hand set on top. It is data: nothing
in the engine asks for the name of a preset.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Literal, cast

import msgspec

from rummy_audit.rhl.records import HandRecord
from rummy_audit.rules.findings import Rule

Value = int | str | bool

HOUSE = "house rule of this hand"
CLUB = "own rule of the club"
SILENT = "not stated, the family's default"

FAMILIES = ("indian", "basic", "gin", "tile")


class RulesetError(ValueError):
    """A ruleset that cannot be: what was found, and what was expected of the parameter."""

    def __init__(self, parameter: str, found: object, expected: str) -> None:
        """Name the parameter (or ``ruleset``), what was found and what was expected."""
        super().__init__(f"{parameter}: {found!r}, expected {expected}")
        self.parameter = parameter
        self.found = found
        self.expected = expected


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """The law of one parameter: its type, its range, and what it is for.

    A ``limit`` is a number or a word (``"none"``, where ``choices`` names no other);
    a ``choice`` is one of ``choices``; numbers lie in ``low`` … ``high``, and an
    ``int`` with ``choices`` is one of those numbers.
    """

    name: str
    type: Literal["int", "limit", "bool", "choice"]
    words: str
    default: Value
    topic: str
    low: int = 0
    high: int = 1000
    choices: tuple[str, ...] = ()

    @property
    def words_allowed(self) -> tuple[str, ...]:
        """The words that may stand for a number: of a limit, ``"none"`` by default."""
        return (self.choices or ("none",)) if self.type == "limit" else ()

    @property
    def expected(self) -> str:
        """What a value of this parameter must be, for a person to read."""
        if self.type == "bool":
            return "true or false"
        if self.type == "choice" or (self.type == "int" and self.choices):
            return "one of " + ", ".join(self.choices)
        number = f"a whole number from {self.low} to {self.high}"
        return " or ".join([number, *(f'"{word}"' for word in self.words_allowed)])

    def check(self, value: object) -> Value:
        """Return the value if it is lawful, else raise RulesetError."""
        match self.type:
            case "bool":
                lawful = isinstance(value, bool)
            case "choice":
                lawful = isinstance(value, str) and value in self.choices
            case _:
                number = isinstance(value, int) and not isinstance(value, bool)
                lawful = (number and self.low <= cast("int", value) <= self.high) or (
                    isinstance(value, str) and value in self.words_allowed
                )
                if self.type == "int" and self.choices:
                    lawful = lawful and str(value) in self.choices
        if not lawful:
            raise RulesetError(self.name, value, self.expected)
        return cast("Value", value)


class Conflict(msgspec.Struct, frozen=True):
    """Values that contradict each other: a ruleset with all of them is refused.

    ``rising`` names numbers instead, none of which may be below the one before it.
    ``matches_only``: only where hands are added up over a match.
    """

    words: str
    values: dict[str, list[Value]] = {}
    rising: list[str] = []
    matches_only: bool = False


class Setting(msgspec.Struct, frozen=True):
    """A value with its source; ``by_players`` where it depends on how many play.

    In a match format of the kind ``deals-N`` or ``pool-N``, ``per_n`` is
    multiplied by N.
    """

    source: str
    value: Value | None = None
    by_players: dict[str, Value] | None = None
    per_n: int | None = None


class Preset(msgspec.Struct, frozen=True):
    """A named and versioned set of values of one family; never changed once published."""

    id: str
    version: int
    family: Literal["indian", "basic", "gin", "tile"]
    title: str
    rules: dict[str, Setting]
    rulebook: str = ""

    @property
    def name(self) -> str:
        """The pinned name, like ``indian-13@1``."""
        return f"{self.id}@{self.version}"


class Ruleset:
    """The rules a hand is judged by: values, sources, and a digest over the values.

    >>> rules = ruleset("indian-13", house={"set_max": "none"})
    >>> rules["set_max"], rules.source("set_max")
    ('none', 'house rule of this hand')
    """

    __slots__ = ("by_players", "digest", "family", "house", "preset", "sources", "values")

    def __init__(
        self,
        preset: Preset,
        values: Mapping[str, Value],
        sources: Mapping[str, str],
        house: Mapping[str, Value],
    ) -> None:
        """Freeze the values; they have been checked by ``ruleset``."""
        self.preset = preset.name
        self.family = preset.family
        self.values = MappingProxyType(dict(values))
        self.sources = MappingProxyType(dict(sources))
        self.house = MappingProxyType(dict(house))
        self.by_players = {
            name: setting
            for name, setting in preset.rules.items()
            if setting.by_players is not None and name not in house
        }
        self.digest = _digest(preset.family, values)

    def __repr__(self) -> str:
        return f"<Ruleset {self.preset} {dict(self.house)}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruleset) and (self.preset, self.digest, self.house) == (
            other.preset,
            other.digest,
            other.house,
        )

    def __hash__(self) -> int:
        return hash(self.digest)

    def __getitem__(self, parameter: str) -> Value:
        return self.values[parameter]

    def number(self, parameter: str) -> int:
        """Return a parameter that is always a whole number."""
        return cast("int", self.values[parameter])

    def limit(self, parameter: str) -> int | None:
        """Return a limit, None where a word stands for it (``"none"``: it is off)."""
        value = self.values[parameter]
        return None if isinstance(value, str) else value

    def flag(self, parameter: str) -> bool:
        """Return a parameter that is true or false."""
        return cast("bool", self.values[parameter])

    def choice(self, parameter: str) -> str:
        """Return a parameter that is one of its choices."""
        return cast("str", self.values[parameter])

    def among(self, parameter: str, players: int) -> Value:
        """Return what a parameter is among another number of players; a house rule stays.

        >>> ruleset("basic", players=3).among("hand_size", 2)
        10
        """
        setting = self.by_players.get(parameter)
        return self.values[parameter] if setting is None else _value(setting, players, 1)

    def source(self, parameter: str) -> str:
        """Where the value of this parameter comes from: rulebook and section, or not stated."""
        return self.sources[parameter]

    def with_values(self, values: Mapping[str, Value], sources: Mapping[str, str]) -> Ruleset:
        """Return these rules with some values set to others, to ask what would be then."""
        changed = Ruleset.__new__(Ruleset)
        changed.preset, changed.family, changed.house = self.preset, self.family, self.house
        changed.values = MappingProxyType({**self.values, **values})
        changed.sources = MappingProxyType(
            {**self.sources, **{name: sources[name] for name in values}}
        )
        changed.by_players = {
            name: setting for name, setting in self.by_players.items() if name not in values
        }
        changed.digest = _digest(self.family, changed.values)
        return changed

    def cite(self, parameter: str) -> Rule:
        """Return the rule a finding rests on."""
        return Rule(parameter, self.values[parameter], self.sources[parameter])


def _digest(family: str, values: Mapping[str, Value]) -> str:
    law = json.dumps([family, dict(values)], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(law.encode()).hexdigest()


def _toml(*path: str) -> dict[str, object]:
    text = resources.files(__package__).joinpath(*path).read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def parameters(family: str) -> Mapping[str, Parameter]:
    """Return the parameters of a family, in the order its pages show them."""
    law = _toml("families", family, "parameters.toml")
    return MappingProxyType(
        {
            name: msgspec.convert({"name": name, **cast("dict[str, object]", entry)}, Parameter)
            for name, entry in law.items()
            if name != "conflicts"
        }
    )


@cache
def _conflicts(family: str) -> tuple[Conflict, ...]:
    law = _toml("families", family, "parameters.toml")
    return msgspec.convert(law.get("conflicts", []), tuple[Conflict, ...])


@cache
def _formats(family: str) -> Mapping[str, dict[str, Setting]]:
    return msgspec.convert(_toml("families", family, "formats.toml"), dict[str, dict[str, Setting]])


@cache
def presets() -> Mapping[str, Preset]:
    """Return every preset by its pinned name, oldest version first."""
    found = [
        msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Preset)
        for file in resources.files(__package__).joinpath("presets").iterdir()
        if file.name.endswith(".toml")
    ]
    found.sort(key=lambda preset: (FAMILIES.index(preset.family), preset.id, preset.version))
    return MappingProxyType({preset.name: preset for preset in found})


def pin(name: str) -> str:
    """Return the pinned name of a preset: a bare name means its current version.

    >>> pin("indian-13")
    'indian-13@1'
    """
    known = presets()
    if name in known:
        return name
    versions = [preset for preset in known.values() if preset.id == name]
    if not versions:
        names = ", ".join(sorted({preset.id for preset in known.values()}))
        raise RulesetError("ruleset", name, f"one of {names}")
    return versions[-1].name


def on_top(
    base: str, *, slug: str, version: int, title: str, values: Mapping[str, Value]
) -> Preset:
    """Return a preset of a club's own: ``base`` with some values set to the club's.

    Values are checked when rules are built on it. Raises RulesetError for an unknown base.

    >>> own = on_top("indian-13", slug="house", version=2, title="Ours", values={"cap": 100})
    >>> rules = ruleset(own)
    >>> rules.preset, rules["cap"], rules.source("cap"), rules["set_max"]
    ('house@2', 100, 'own rule of the club', 4)
    """
    below = presets()[pin(base)]
    own = {name: Setting(CLUB, value) for name, value in values.items()}
    return Preset(slug, version, below.family, title, {**below.rules, **own}, below.rulebook)


def problems(base: str, values: Mapping[str, object]) -> list[RulesetError]:
    """Return everything that is wrong with values set on top of a preset, by parameter.

    Raises RulesetError for an unknown base.

    >>> [each.parameter for each in problems("indian-13", {"cap": -1, "caps": 3})]
    ['cap', 'caps']
    """
    law = parameters(presets()[pin(base)].family)
    wrong: list[RulesetError] = []
    right: dict[str, Value] = {}
    for name, value in values.items():
        if name not in law:
            expected = f"a parameter of the family {presets()[pin(base)].family}"
            wrong.append(RulesetError(name, value, expected))
            continue
        try:
            right[name] = law[name].check(value)
        except RulesetError as error:
            wrong.append(error)
    preset = on_top(base, slug="", version=0, title="", values=right)
    all_values = _values(preset, None, 0, {})[0]
    return wrong + list(_contradictions(preset.family, all_values, matches=False))


_MOST_N = 1000


def _overlay(family: str, name: str) -> Iterator[tuple[str, Setting, int]]:
    formats = _formats(family)
    if name in formats:
        for parameter, setting in formats[name].items():
            yield parameter, setting, 1
        return
    kind, _, number = name.rpartition("-")
    general = formats.get(f"{kind}-N")
    counted = number.isascii() and number.isdigit() and 0 < int(number) <= _MOST_N
    if general is None or not counted:
        raise RulesetError("match.format", name, "one of " + ", ".join(formats))
    for parameter, setting in general.items():
        yield parameter, setting, int(number)


def _value(setting: Setting, players: int, n: int) -> Value:
    if setting.per_n is not None:
        return setting.per_n * n
    if setting.by_players is not None:
        table = {int(count): value for count, value in setting.by_players.items()}
        fitting = [count for count in sorted(table) if count <= players] or [min(table)]
        return table[fitting[-1]]
    if setting.value is None:
        raise RulesetError("preset", setting.source, "a value")
    return setting.value


def ruleset(
    name: str | Preset,
    *,
    format: str | None = None,  # noqa: A002 - the log's word
    players: int = 0,
    house: Mapping[str, Value] | None = None,
) -> Ruleset:
    """Build the rules: preset < match format < number of players < house rules.

    ``name`` is a preset's name, or a club's own preset (``on_top``). Raises RulesetError
    for an unknown preset, format or parameter, a value out of range, and values that
    contradict each other.
    """
    house = house or {}
    if isinstance(name, Preset):
        return _build(name, format, players, house)
    # True == 1 in a key, so the types must tell a flag from a number.
    key: tuple[object, ...] = (name, format, players)
    if house:
        key = (*key, *house.items(), *map(type, house.values()))
    if (known := _built.get(key)) is not None:
        return known
    if len(_built) >= _KEPT:
        _built.clear()
        _equal.clear()
    built = _build(presets()[pin(name)], format, players, house)
    # Equal rules are one object: then what is kept by rules is found without comparing them.
    _built[key] = _equal.setdefault(built, built)
    return _built[key]


_KEPT = 4096
_built: dict[object, Ruleset] = {}
_equal: dict[Ruleset, Ruleset] = {}


def _build(preset: Preset, match: str | None, players: int, house: Mapping[str, Value]) -> Ruleset:
    values, sources = _values(preset, match, players, house)
    for contradiction in _contradictions(preset.family, values, matches=match is not None):
        raise contradiction
    return Ruleset(preset, values, sources, house)


def _values(
    preset: Preset, match: str | None, players: int, house: Mapping[str, Value]
) -> tuple[dict[str, Value], dict[str, str]]:
    """Lay one level over the other; return the values and where each comes from."""
    law = parameters(preset.family)
    values = {parameter.name: parameter.default for parameter in law.values()}
    sources = dict.fromkeys(values, SILENT)

    def put(parameter: str, value: Value, source: str) -> None:
        if parameter not in law:
            raise RulesetError(parameter, value, f"a parameter of the family {preset.family}")
        values[parameter] = law[parameter].check(value)
        sources[parameter] = source

    for parameter, setting in preset.rules.items():
        put(parameter, _value(setting, players, 1), setting.source)
    if match is not None:
        for parameter, setting, n in _overlay(preset.family, match):
            put(parameter, _value(setting, players, n), setting.source)
    for parameter, value in house.items():
        put(parameter, value, HOUSE)
    return values, sources


def _contradictions(
    family: str, values: Mapping[str, Value], *, matches: bool
) -> Iterator[RulesetError]:
    for conflict in _conflicts(family):
        if conflict.matches_only and not matches:
            continue
        if conflict.rising:
            numbers = [cast("int", values[each]) for each in conflict.rising]
            wrong = numbers != sorted(numbers)
        else:
            wrong = all(values[each] in some for each, some in conflict.values.items())
        if wrong:
            names = conflict.rising or list(conflict.values)
            found = ", ".join(f"{each}={values[each]}" for each in names)
            yield RulesetError(", ".join(names), found, conflict.words)


def for_hand(record: HandRecord, own: Preset | None = None) -> Ruleset:
    """Return the rules of a hand, from its record alone; raises RulesetError.

    ``own`` is the club's preset that the record names, if it names one.
    """
    return ruleset(
        own or record.ruleset,
        format=record.match.format if record.match else None,
        players=len(record.players),
        house=record.rules,
    )
