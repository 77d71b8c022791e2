"""Which settings would make the rules agree with what a table wrote down.

A platform that plays by other rules than we think is wrong in many hands, all for the same
reason. Each hand that is not clean is judged again with one setting switched over, then with
two; the first that leaves nothing wrong is what the platform seems to play by.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, combinations

import msgspec

from rummy_audit.rhl.records import Hand
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import Parameter, Ruleset, Value, parameters, presets, ruleset
from rummy_audit.rules.view import Replay

_WEIGHTY = ("error", "breach")
# A hand is judged again at most so often.
MOST_TRIES = 120
# Settings are switched two by two only among those that the findings cite.
_MOST_PAIRED = 6

Switch = tuple[tuple[str, Value], ...]


class Reconciled(msgspec.Struct, frozen=True):
    """What is wrong with a hand (codes, each once), and the settings under which nothing is.

    ``settings`` is None where no one or two settings explain the hand, and empty where
    nothing is wrong.
    """

    codes: tuple[str, ...]
    settings: Switch | None


def reconcile(hand: Hand, rules: Ruleset, *, first: Iterable[Switch] = ()) -> Reconciled:
    """Find the settings under which a hand, its amendments applied, has nothing wrong.

    ``first`` are settings that explained other hands: they are tried before all others, so
    that many hands come under few explanations.

    >>> from rummy_audit.rhl.read import read
    >>> from rummy_audit.rules.rulesets import for_hand
    >>> log = b'''hand T4-17 rhl=1 ruleset=indian-13 detail=scores
    ... player 1 Asha
    ... player 2 Bilal
    ... score 1=25 2=0 winner=2 marks 1=first-drop
    ... end'''
    >>> [hand] = read(log)
    >>> reconcile(hand, for_hand(hand.record))
    Reconciled(codes=('penalty-points-wrong',), settings=(('first_drop', 25),))
    """
    wrong = _wrong(replay(hand, rules, corrected=False))
    codes = tuple(dict.fromkeys(finding.code for finding in wrong))
    if not wrong:
        return Reconciled((), ())
    tried: set[Switch] = set()
    for switch in chain(first, _switches(rules, wrong)):
        if switch in tried or not _differs(rules, switch):
            continue
        if len(tried) >= MOST_TRIES:
            break
        tried.add(switch)
        if not _wrong(replay(hand, _switched(rules, switch), corrected=False)):
            return Reconciled(codes, switch)
    return Reconciled(codes, None)


def _wrong(judged: Replay) -> list[Finding]:
    return [
        finding
        for finding in judged.findings
        if finding.severity in _WEIGHTY and not finding.handled
    ]


def _differs(rules: Ruleset, switch: Switch) -> bool:
    return all(name in rules.values and rules[name] != value for name, value in switch)


def _switched(rules: Ruleset, switch: Switch) -> Ruleset:
    return rules.with_values(dict(switch), rules.sources)


def _switches(rules: Ruleset, wrong: list[Finding]) -> Iterator[Switch]:
    """Yield settings to try: those that the findings cite, all others, then two by two."""
    law = parameters(rules.family)
    cited = dict.fromkeys(each.rule.parameter for each in wrong if each.rule is not None)
    numbers = sorted({number for each in wrong for number in _numbers(each.recorded)})
    near = {
        name: list(dict.fromkeys([*_values(rules.family, name), *_lawful(law[name], numbers)]))
        for name in cited
        if name in law
    }
    for name, values in near.items():
        yield from (((name, value),) for value in values)
    for name in law:
        if name not in near:
            yield from (((name, value),) for value in _values(rules.family, name))
    for one, two in combinations(list(near)[:_MOST_PAIRED], 2):
        for a in near[one]:
            yield from (((one, a), (two, b)) for b in near[two])


@cache
def _values(family: str, name: str) -> tuple[Value, ...]:
    """Return the values that a parameter has anywhere: its words, and what presets say."""
    parameter = parameters(family)[name]
    found: dict[tuple[type, Value], Value] = {}

    def put(value: Value) -> None:
        found.setdefault((type(value), value), value)

    for preset in presets().values():
        if preset.family == family:
            put(ruleset(preset.name)[name])
    put(parameter.default)
    if parameter.type == "bool":
        put(value=True)
        put(value=False)
    for word in parameter.choices if parameter.type == "choice" else parameter.words_allowed:
        put(word)
    return tuple(found.values())


def _numbers(recorded: object) -> Iterator[int]:
    """Yield the numbers that a table wrote down: they may be the value it plays by."""
    if isinstance(recorded, bool):
        return
    if isinstance(recorded, int):
        yield recorded
    elif isinstance(recorded, Mapping):
        for value in recorded.values():
            yield from _numbers(value)


def _lawful(parameter: Parameter, numbers: Iterable[int]) -> Iterator[Value]:
    if parameter.type in ("int", "limit") and not (parameter.type == "int" and parameter.choices):
        yield from (each for each in numbers if parameter.low <= each <= parameter.high)
