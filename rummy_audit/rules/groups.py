"""One group of cards: which kind it is, or every breach of the rules.

The rules of a group come from the parameters of a family. A reading never
raises on a bad group: it names the breaches in the order a referee asks, and
the order in which the cards were laid does not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

import msgspec

from rummy_audit.rhl.cards_text import JOKER, RANKS
from rummy_audit.rules.cards import RANK_OF
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.laying import (
    CORNER,
    Group,
    GroupRules,
    Run,
    SetLaid,
    best_run,
    best_set,
    sort,
    starts_of,
)
from rummy_audit.rules.rulesets import Ruleset

__all__ = ["Breach", "GroupRules", "Kind", "Reading", "group_findings", "read_group", "read_laid"]

Kind = Literal["pure-sequence", "impure-sequence", "set", "invalid"]


class Breach(msgspec.Struct, frozen=True):
    """One rule a group breaks: the code, the parameter behind it, what to name.

    ``data`` may hold ``recorded`` and ``expected``.
    """

    code: str
    parameter: str
    data: dict[str, Any]


class Reading(msgspec.Struct, frozen=True):
    """How a group reads: its kind, what each card stands for, and every breach.

    ``places`` names for each card of the group the face it stands for (itself
    when natural), in the group's order; a joker that only makes a full set
    longer stands for ``JK``. Empty when the group is invalid.
    """

    kind: Kind
    breaches: tuple[Breach, ...] = ()
    places: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether the group stands."""
        return not self.breaches

    @property
    def is_sequence(self) -> bool:
        """Whether the group stands as a sequence, pure or not."""
        return self.kind in ("pure-sequence", "impure-sequence")


def _within(size: int, least: int, most: int | None) -> bool:
    return size >= least and (most is None or size <= most)


def _nearer(group: Group, rules: GroupRules) -> Literal["sequence", "set"] | None:
    """Say what a group that is neither was meant to be: fewest cards to exchange.

    A tie goes by the majority of the natural cards: of one suit a sequence, of
    one rank a set, else neither.
    """
    size, jokers = len(group.cards), len(group.wilds) + len(group.printed)
    known = [i for i in group.naturals if group.cards[i] in RANK_OF]
    in_run = 0
    for suit in group.suits(known):
        held = {RANK_OF[group.cards[i]] for i in known if group.cards[i][1] == suit}
        for start in starts_of((), size, rules.ace) or (0,):  # too long for any: all of them
            in_run = max(in_run, sum((rank - start) % 13 < size for rank in held))
    in_set = 0
    for rank in group.ranks(known):
        held_suits = [group.cards[i][1] for i in known if group.cards[i][0] == rank]
        in_set = max(in_set, len(held_suits if rules.set_duplicates else set(held_suits)))
    to_run, to_set = size - jokers - in_run, size - jokers - in_set
    if to_run != to_set:
        return "sequence" if to_run < to_set else "set"
    for count, meant in (
        (group.suits(known), "sequence"),
        (group.ranks(known), "set"),
    ):
        if count and 2 * max(count.values()) > len(group.naturals):
            return "sequence" if meant == "sequence" else "set"
    return None


def _order_breach(group: Group, rules: GroupRules) -> Iterator[Breach]:
    """Name what is wrong with the ranks as a run, the suits left aside."""
    ranks = [RANK_OF[group.cards[i]] for i in group.naturals if group.cards[i] in RANK_OF]
    size = len(group.cards)

    def run_of(ace: str) -> bool:
        # Only a run of all ranks has room for a second ace, above the king.
        two_aces = size > CORNER and ace == "high-or-low" and ranks.count(0) > 1
        once = len(set(ranks)) + two_aces == len(ranks)
        return once and any(True for _ in starts_of(ranks, size, ace))

    if run_of(rules.ace):
        return
    data = {"ranks": [RANKS[rank] for rank in sorted(ranks)]}
    if rules.ace != "round-corner" and (run_of("round-corner") or _meets_its_tail(ranks, size)):
        yield Breach("sequence-wraps", "ace", data)
    else:
        yield Breach("sequence-gap", "sequence_min", data)


def _meets_its_tail(ranks: Sequence[int], size: int) -> bool:
    """Whether this is a run of all ranks that goes on before the lowest or behind the highest."""
    return any(
        Counter(ranks) <= Counter((step - before) % CORNER for step in range(size))
        for before in range(size - CORNER + 1 if size > CORNER else 0)
    )


def _too_short(size: int, least: int, parameter: str) -> Iterator[Breach]:
    if size < least:
        yield Breach("group-too-short", parameter, {"recorded": size, "expected": least})


def _sequence_breaches(group: Group, rules: GroupRules) -> Iterator[Breach]:
    size = len(group.cards)
    yield from _too_short(size, rules.sequence_min, "sequence_min")
    if rules.sequence_max is not None and size > rules.sequence_max:
        yield Breach(
            "sequence-too-long", "sequence_max", {"recorded": size, "expected": rules.sequence_max}
        )
    suits = group.suits(group.naturals)
    if len(suits) > 1:
        yield Breach("sequence-mixed-suits", "sequence_min", {"suits": sorted(suits)})
    yield from _order_breach(group, rules)


def _set_breaches(group: Group, rules: GroupRules) -> Iterator[Breach]:
    size = len(group.cards)
    yield from _too_short(size, rules.set_min, "set_min")
    if rules.set_max is not None and size > rules.set_max:
        yield Breach("set-too-long", "set_max", {"recorded": size, "expected": rules.set_max})
    ranks = group.ranks(group.naturals)
    if len(ranks) > 1:
        in_order = sorted(ranks, key=RANKS.find)
        yield Breach("set-mixed-ranks", "set_min", {"ranks": in_order})
    copies = Counter(group.cards[i] for i in group.naturals)
    repeated = [card for card in sorted(copies) if copies[card] > 1]
    if repeated and not rules.set_duplicates:
        yield Breach("set-repeated-suit", "set_duplicates", {"repeated": repeated})


def _joker_breaches(
    group: Group, rules: GroupRules, laid: Run | SetLaid | None
) -> Iterator[Breach]:
    """Name too many jokers, and too few natural cards beside them."""
    jokers = len(group.wilds) + len(group.printed)
    substitutes = laid.substitutes if laid else jokers
    if rules.jokers_max is not None and substitutes > rules.jokers_max:
        yield Breach(
            "group-too-many-jokers",
            "jokers_max",
            {"recorded": substitutes, "expected": rules.jokers_max},
        )
    anchored = laid.anchored if laid else len(group.naturals) >= rules.naturals_min
    if not anchored:
        lone = laid is not None and len(group.cards) - laid.substitutes >= rules.naturals_min
        yield Breach(
            "group-unanchored",
            "wild_anchors" if lone else "naturals_min",
            {"recorded": len(group.naturals), "expected": rules.naturals_min},
        )


def _breaches(group: Group, rules: GroupRules) -> Iterator[Breach]:
    if not group.cards:
        yield from _too_short(0, min(rules.sequence_min, rules.set_min), "sequence_min")
        return
    run, full_set = best_run(group, rules), best_set(group, rules)
    if run is None and full_set is None:
        meant = _nearer(group, rules)
    elif run is None or full_set is None:
        meant = "set" if run is None else "sequence"
    else:
        # Either would do but for its length or its jokers: judge the one that asks for less.
        length = _within(len(group.cards), rules.sequence_min, rules.sequence_max)
        fits = length or not _within(len(group.cards), rules.set_min, rules.set_max)
        meant = "sequence" if fits else "set"
    if meant == "sequence":
        yield from _sequence_breaches(group, rules)
    elif meant == "set":
        yield from _set_breaches(group, rules)
    else:
        least = min(rules.sequence_min, rules.set_min)
        yield from _too_short(len(group.cards), least, "sequence_min")
        yield Breach("group-invalid", "sequence_min", {})
    yield from _joker_breaches(group, rules, run if meant == "sequence" else full_set)


def _natural(cards: tuple[str, ...], rules: GroupRules) -> Reading | None:
    """Read a group without any joker the short way; None if it is not plainly one or other."""
    size = len(cards)
    if size < rules.naturals_min or len(set(cards)) < size or not RANK_OF.keys() >= set(cards):
        return None
    if len({card[1] for card in cards}) == 1:
        ranks = [RANK_OF[card] for card in cards]
        low, high = min(ranks), max(ranks)
        if low == 0 and high == CORNER - 1 and rules.ace != "low":
            low, high = min(rank for rank in ranks if rank), CORNER
        runs = high - low == size - 1
        fits = runs and _within(size, rules.sequence_min, rules.sequence_max)
        return Reading("pure-sequence", (), cards) if fits else None
    if len({card[0] for card in cards}) == 1 and _within(size, rules.set_min, rules.set_max):
        return Reading("set", (), cards)
    return None


@lru_cache(maxsize=8192)
def read_laid(cards: tuple[str, ...], rules: GroupRules, wild: str | None) -> Reading:
    """Read a group as ``read_group`` does: what was laid before is not read again."""
    if cards and JOKER not in cards and wild not in {card[0] for card in cards}:
        plain = _natural(cards, rules)
        if plain is not None:
            return plain
    group = sort(cards, rules, wild)
    most = rules.jokers_max
    if cards and _within(len(cards), rules.sequence_min, rules.sequence_max):
        run = best_run(group, rules)
        if run and run.anchored and (most is None or run.substitutes <= most):
            pure = not run.substitutes and (rules.natural_wild_pure or not group.wilds)
            return Reading("pure-sequence" if pure else "impure-sequence", (), run.places)
    if cards and _within(len(cards), rules.set_min, rules.set_max):
        full = best_set(group, rules)
        if full and full.anchored and (most is None or full.substitutes <= most):
            return Reading("set", (), full.places)
    return Reading("invalid", tuple(_breaches(group, rules)))


def read_group(cards: Sequence[str], rules: GroupRules, wild: str | None = None) -> Reading:
    """Read a group under the rules; ``wild`` is the wild rank (``Q``) or None.

    A group that reads as both is a sequence. One that is neither is judged as
    the nearer, by the fewest cards to exchange.

    >>> rules = GroupRules(ace="high-or-low", jokers=True)
    >>> read_group(["6D", "7D", "QS", "9D"], rules, "Q")
    Reading(kind='impure-sequence', breaches=(), places=('6D', '7D', '8D', '9D'))
    >>> [breach.code for breach in read_group(["KS", "AS", "2S"], rules).breaches]
    ['sequence-wraps']
    """
    return read_laid(tuple(cards), rules, wild)


def group_findings(
    reading: Reading,
    ruleset: Ruleset,
    *,
    cards: Sequence[str],
    seq: int = 0,
    seat: int | None = None,
    group: int | None = None,
    names: Mapping[str, str] | None = None,
) -> tuple[Finding, ...]:
    """Return a reading's breaches as findings, each with the rule behind it.

    ``group`` is the number of the group from 1; ``names`` maps a rule of
    ``GroupRules`` to the family's parameter where that is called otherwise.

    >>> from rummy_audit.rules.rulesets import ruleset
    >>> fours = GroupRules(ace="high-or-low", set_max=3)
    >>> cards = ["4S", "4H", "4D", "4C"]
    >>> found = group_findings(read_group(cards, fours), ruleset("indian-13"), cards=cards)
    >>> [(each.code, each.recorded, each.expected) for each in found]
    [('set-too-long', 4, 3)]
    """
    findings = []
    for breach in reading.breaches:
        data = dict(breach.data)
        recorded, expected = data.pop("recorded", None), data.pop("expected", None)
        data["cards"] = list(cards)
        if group is not None:
            data["group"] = group
        parameter = (names or {}).get(breach.parameter, breach.parameter)
        findings.append(
            Finding(
                code=breach.code,
                seq=seq,
                seat=seat,
                rule=ruleset.cite(parameter) if parameter in ruleset.values else None,
                recorded=recorded,
                expected=expected,
                data=data,
            )
        )
    return tuple(findings)
