"""One group of cards: which kind it is, or every breach of the rules.

The rules of a group come from the parameters of a family. A reading never
raises on a bad group: it names the breaches in the order a referee asks, and
the order in which the cards were laid does not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, cast

import msgspec

from rummy_audit.rhl.cards_text import JOKER, RANKS, SUITS
from rummy_audit.rules.cards import RANK_OF
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.rulesets import Ruleset

Kind = Literal["pure-sequence", "impure-sequence", "set", "invalid"]

_KING = 12
_CORNER = 13  # a run round the corner cannot be longer: it would meet its own tail


class GroupRules(msgspec.Struct, frozen=True, kw_only=True):
    """What makes a group valid, as the families' parameters say; limits in cards.

    Without ``jokers`` neither printed jokers nor a wild rank stand in for a card.
    """

    ace: Literal["low", "high-or-low", "round-corner"]
    sequence_min: int = 3
    sequence_max: int | None = None
    set_min: int = 3
    set_max: int | None = 4
    set_duplicates: bool = False
    jokers: bool = False
    jokers_max: int | None = None
    naturals_min: int = 1
    wild_anchors: bool = False
    natural_wild_pure: bool = True


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


class _Group(NamedTuple):
    """A group sorted by what its cards can do: indices into ``cards``.

    ``naturals`` stand only for themselves, ``wilds`` (of the wild rank) for
    themselves or any card, ``printed`` jokers for any card.
    """

    cards: tuple[str, ...]
    naturals: list[int]
    wilds: list[int]
    printed: list[int]

    def suits(self, indices: list[int]) -> Counter[str]:
        return Counter(self.cards[i][1:] for i in indices)

    def ranks(self, indices: list[int]) -> Counter[str]:
        return Counter(self.cards[i][0] for i in indices)


def _sort(cards: tuple[str, ...], rules: GroupRules, wild: str | None) -> _Group:
    group = _Group(cards, [], [], [])
    for i, card in enumerate(cards):
        if not rules.jokers:
            group.naturals.append(i)
        elif card == JOKER:
            group.printed.append(i)
        elif card[0] == wild:
            group.wilds.append(i)
        else:
            group.naturals.append(i)
    return group


def _starts(ranks: Sequence[int], size: int, ace: str) -> Iterable[int]:
    """Yield where a run of this size may start to have room for all these ranks.

    Ranks count from the ace at 0; with a high ace, 13 is the ace again.
    """
    if ace == "round-corner":
        starts = range(_CORNER if size <= _CORNER else 0)
        return [start for start in starts if all((rank - start) % 13 < size for rank in ranks)]
    last = (14 if ace == "high-or-low" else 13) - size
    if not ranks:
        return range(last + 1)
    below = [rank for rank in ranks if rank] if ace == "high-or-low" else ranks
    low, high = min(ranks), max(ranks)
    starts = range(max(0, high - size + 1), min(low, last) + 1)
    if len(below) == len(ranks):
        return starts
    # The ace may stand above the king: then the run ends there, or it is the low one.
    above = [last] if all(rank >= last for rank in below) and last >= 0 else []
    return [*starts, *(start for start in above if start not in starts)]


def _stands(naturals: int, wilds: int, substitutes: int, rules: GroupRules) -> bool:
    """Whether enough of a group is natural; ``wilds`` are wild-rank cards in their own place.

    A lone wild-rank card gives substitutes nothing to hold on to: it is itself
    a joker then (``wild_anchors``).
    """
    anchors = naturals + wilds
    if anchors == wilds == 1 and substitutes and not rules.wild_anchors:
        anchors = 0
    return anchors >= rules.naturals_min


class _Run(NamedTuple):
    substitutes: int
    muddled: bool  # the cards do not lie in the run's order
    start: int
    places: tuple[str, ...]
    anchored: bool


def _run_in(group: _Group, suit: str, start: int, rules: GroupRules) -> _Run | None:
    """Lay the group over a run of a suit, or None where a natural card has no place."""
    size = len(group.cards)
    spots: list[int | None] = [None] * size  # where each card lies in the run
    free = [True] * size
    for i in group.naturals:
        spot = _spot(RANK_OF[group.cards[i]], start, free)
        if spot is None:
            return None
        spots[i], free[spot] = spot, False
    own = 0
    for i in group.wilds:
        card = group.cards[i]
        spot = _spot(RANK_OF[card], start, free) if card[1] == suit else None
        if spot is not None:
            spots[i], free[spot] = spot, False
            own += 1
    substitutes = size - len(group.naturals) - own
    order, muddled = _fill(spots, free) if substitutes else _in_order(cast("list[int]", spots))
    return _Run(
        substitutes=substitutes,
        muddled=muddled,
        start=start,
        places=tuple([RANKS[(start + spot) % 13] + suit for spot in order]),
        anchored=_stands(len(group.naturals), own, substitutes, rules),
    )


def _spot(rank: int, start: int, free: list[bool]) -> int | None:
    """Return where a rank lies in a run, None where it is taken or not there."""
    spot = (rank - start) % 13
    if spot == 0 and not free[0] and len(free) > _CORNER:
        spot = 13  # the second ace of a run from ace to ace
    return spot if spot < len(free) and free[spot] else None


def _in_order(order: list[int]) -> tuple[list[int], bool]:
    """Return the places, and whether they lie neither upwards nor downwards."""
    ordered = sorted(order)
    return order, order != ordered and order != ordered[::-1]


def _fill(spots: list[int | None], free: list[bool]) -> tuple[list[int], bool]:
    """Put the jokers into the places left, in the order in which the cards were laid."""
    gaps = [spot for spot, is_free in enumerate(free) if is_free]
    order: list[int] = []
    for left in (iter(gaps), reversed(gaps)):
        order, muddled = _in_order([next(left) if spot is None else spot for spot in spots])
        if not muddled:
            return order, False
    return order, True


def _best_run(group: _Group, rules: GroupRules) -> _Run | None:
    """Return the run these cards are, whatever its length; fewest substitutes first.

    Where a joker could stand at either end, the order in which the cards were
    laid decides, else it stands at the low end.
    """
    naturals = {group.cards[i][1:] for i in group.naturals}
    if len(naturals) > 1 or any(group.cards[i] not in RANK_OF for i in group.naturals):
        return None
    ranks = [RANK_OF[group.cards[i]] for i in group.naturals]
    starts = _starts(ranks, len(group.cards), rules.ace)
    suits: Iterable[str] = naturals
    if not naturals:
        wilds = {group.cards[i][1] for i in group.wilds}
        suits = [suit for suit in SUITS if suit in wilds] or ["S"]
    runs = [
        run for suit in suits for start in starts if (run := _run_in(group, suit, start, rules))
    ]
    if len(runs) == 1:
        return runs[0]
    return min(runs, key=lambda run: (not run.anchored, *run[:3]), default=None)


class _Set(NamedTuple):
    substitutes: int
    places: tuple[str, ...]
    anchored: bool


def _best_set(group: _Group, rules: GroupRules) -> _Set | None:
    """Return the set these cards are, whatever its size, or None."""
    ranks = {group.cards[i][0] for i in group.naturals}
    if len(ranks) > 1 or any(group.cards[i] not in RANK_OF for i in group.naturals):
        return None
    rank = next(iter(ranks), None) or (group.cards[group.wilds[0]][0] if group.wilds else "A")
    places: list[str | None] = [None] * len(group.cards)
    taken: set[str] = set()
    for i in group.naturals:
        card = group.cards[i]
        if card in taken and not rules.set_duplicates:
            return None
        places[i] = card
        taken.add(card)
    own = 0
    for i in group.wilds:
        card = group.cards[i]
        if card[0] == rank and (rules.set_duplicates or card not in taken):
            places[i] = card
            taken.add(card)
            own += 1
    missing = iter([rank + suit for suit in SUITS if rank + suit not in taken])
    substitutes = len(places) - len(group.naturals) - own
    return _Set(
        substitutes=substitutes,
        places=tuple([next(missing, JOKER) if place is None else place for place in places]),
        anchored=_stands(len(group.naturals), own, substitutes, rules),
    )


def _within(size: int, least: int, most: int | None) -> bool:
    return size >= least and (most is None or size <= most)


def _nearer(group: _Group, rules: GroupRules) -> Literal["sequence", "set"] | None:
    """Say what a group that is neither was meant to be: fewest cards to exchange.

    A tie goes by the majority of the natural cards: of one suit a sequence, of
    one rank a set, else neither.
    """
    size, jokers = len(group.cards), len(group.wilds) + len(group.printed)
    known = [i for i in group.naturals if group.cards[i] in RANK_OF]
    in_run = 0
    for suit in group.suits(known):
        held = {RANK_OF[group.cards[i]] for i in known if group.cards[i][1] == suit}
        for start in _starts((), size, rules.ace):
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


def _order_breach(group: _Group, rules: GroupRules) -> Iterator[Breach]:
    """Name what is wrong with the ranks as a run, the suits left aside."""
    ranks = [RANK_OF[group.cards[i]] for i in group.naturals if group.cards[i] in RANK_OF]
    size = len(group.cards)

    def run_of(ace: str) -> bool:
        # Only a run of all ranks has room for a second ace, above the king.
        two_aces = size > _CORNER and ace == "high-or-low" and ranks.count(0) > 1
        once = len(set(ranks)) + two_aces == len(ranks)
        return once and any(True for _ in _starts(ranks, size, ace))

    if run_of(rules.ace):
        return
    data = {"ranks": [RANKS[rank] for rank in sorted(ranks)]}
    if rules.ace != "round-corner" and run_of("round-corner"):
        yield Breach("sequence-wraps", "ace", data)
    else:
        yield Breach("sequence-gap", "sequence_min", data)


def _too_short(size: int, least: int, parameter: str) -> Iterator[Breach]:
    if size < least:
        yield Breach("group-too-short", parameter, {"recorded": size, "expected": least})


def _sequence_breaches(group: _Group, rules: GroupRules) -> Iterator[Breach]:
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


def _set_breaches(group: _Group, rules: GroupRules) -> Iterator[Breach]:
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


def _joker_breaches(group: _Group, rules: GroupRules, laid: _Run | _Set | None) -> Iterator[Breach]:
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


def _breaches(group: _Group, rules: GroupRules) -> Iterator[Breach]:
    if not group.cards:
        yield from _too_short(0, min(rules.sequence_min, rules.set_min), "sequence_min")
        return
    run, full_set = _best_run(group, rules), _best_set(group, rules)
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
        if low == 0 and high == _KING and rules.ace != "low":
            low, high = min(rank for rank in ranks if rank), _KING + 1
        runs = high - low == size - 1
        fits = runs and _within(size, rules.sequence_min, rules.sequence_max)
        return Reading("pure-sequence", (), cards) if fits else None
    if len({card[0] for card in cards}) == 1 and _within(size, rules.set_min, rules.set_max):
        return Reading("set", (), cards)
    return None


@lru_cache(maxsize=8192)
def _read(cards: tuple[str, ...], rules: GroupRules, wild: str | None) -> Reading:
    if cards and JOKER not in cards and wild not in {card[0] for card in cards}:
        plain = _natural(cards, rules)
        if plain is not None:
            return plain
    group = _sort(cards, rules, wild)
    most = rules.jokers_max
    if cards and _within(len(cards), rules.sequence_min, rules.sequence_max):
        run = _best_run(group, rules)
        if run and run.anchored and (most is None or run.substitutes <= most):
            pure = not run.substitutes and (rules.natural_wild_pure or not group.wilds)
            return Reading("pure-sequence" if pure else "impure-sequence", (), run.places)
    if cards and _within(len(cards), rules.set_min, rules.set_max):
        full = _best_set(group, rules)
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
    return _read(tuple(cards), rules, wild)


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
