"""The best arrangement of a hand: against every way to lay it, and against known answers."""

import json
import random
from itertools import combinations
from pathlib import Path

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rummy_audit.rhl.cards_text import CARD_FACES, parse_cards, parse_groups
from rummy_audit.rules import search
from rummy_audit.rules.arrange import (
    Arrangement,
    ArrangeRules,
    TooHard,
    arrange,
    can_declare,
    least_points,
)
from rummy_audit.rules.families.indian.law import arrange_rules, wild_rank
from rummy_audit.rules.groups import GroupRules, read_group
from rummy_audit.rules.rulesets import ruleset
from tests.effort import tries

CORPUS = Path(__file__).resolve().parents[1] / "corpus" / "indian"
PRESETS = ("indian-13", "indian-13-central", "indian-13-circle")
KNOWN = [json.loads(line) for line in (CORPUS / "arrange.jsonl").read_text("utf-8").splitlines()]

PLAIN = ArrangeRules(groups=GroupRules(ace="high-or-low", jokers=True))


def best(cards, wild=None, **rules):
    return arrange(parse_cards(cards), msgspec.structs.replace(PLAIN, **rules), wild)


def grouped(groups):
    return sorted(tuple(sorted(group)) for group in groups)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_corpus_is_exact(preset):
    rules = ruleset(preset)
    law = arrange_rules(rules)
    found = {}
    for case in KNOWN:
        laid = arrange(case["cards"], law, wild_rank(rules, case["wild"]))
        found[case["id"]] = (laid.points, laid.declarable)

    assert found == {
        case["id"]: (case["points"][preset], case["declarable"][preset]) for case in KNOWN
    }


# Every way to lay a few cards, by the definition: slow and plain, another method.


def value(cards, wild, ace):
    worth = {"A": ace} | dict.fromkeys("TJQK", 10)
    return sum(
        0 if card == "JK" or card[0] == wild else worth.get(card[0]) or int(card[0])
        for card in cards
    )


def ways(cards, rules, wild):
    """Yield every way to lay cards: groups with their kinds, and what stays loose."""
    if not cards:
        yield (), ()
        return
    first, others = cards[0], cards[1:]
    for groups, loose in ways(others, rules, wild):
        yield groups, (first, *loose)
    tried = set()
    for count in range(2, len(others) + 1):
        for chosen in combinations(range(len(others)), count):
            group = (first, *(others[i] for i in chosen))
            kind = None if group in tried else read_group(group, rules, wild).kind
            tried.add(group)
            if kind in (None, "invalid"):
                continue
            rest = tuple(card for i, card in enumerate(others) if i not in chosen)
            for groups, loose in ways(rest, rules, wild):
                yield ((group, kind), *groups), loose


def by_every_way(cards, rules, wild):
    ace = 10 if rules.values == "ace-ten" else 1
    least, declarable = [], False
    for groups, loose in ways(tuple(sorted(cards)), rules.groups, wild):
        runs = [group for group, kind in groups if kind != "set"]
        pure = [group for group, kind in groups if kind == "pure-sequence"]
        spared = []
        if len(runs) >= rules.sequences_min and len(pure) >= rules.pure_min:
            spared = [group for group, kind in groups if rules.sets_count or kind != "set"]
            declarable |= not loose and len(cards) == rules.hand_size
        elif rules.flat:
            least.append(rules.cap)
            continue
        elif rules.spare_pure and len(runs) == len(pure) == 1:
            spared = pure
        left = value(cards, wild, ace) - sum(value(group, wild, ace) for group in spared)
        least.append(left if rules.cap is None else min(left, rules.cap))
    return min(least), declarable


group_rules = st.builds(
    GroupRules,
    ace=st.sampled_from(["low", "high-or-low", "round-corner"]),
    sequence_max=st.sampled_from([None, None, 3, 5]),
    set_min=st.sampled_from([3, 3, 4]),
    set_max=st.sampled_from([4, 4, None]),
    set_duplicates=st.sampled_from([False, False, True]),
    jokers=st.just(True),
    jokers_max=st.sampled_from([None, None, 0, 1, 2]),
    naturals_min=st.sampled_from([1, 1, 0, 2]),
    wild_anchors=st.booleans(),
    natural_wild_pure=st.booleans(),
)
needs = st.sampled_from([(2, 1), (2, 1), (1, 1), (2, 0), (0, 0), (2, 2)])


@st.composite
def few_cards(draw):
    """Seven cards of a few ranks that lie together, so that they make groups."""
    ranks = draw(st.sampled_from(["A2345", "A2JQK", "56789", "34567"]))
    faces = [rank + suit for rank in ranks for suit in "SHD"]
    pack = [*faces, *faces, "JK", "JK"]
    cards = draw(st.permutations(pack))[:7]
    return tuple(cards), draw(st.sampled_from([None, *ranks]))


switches = st.fixed_dictionaries(dict.fromkeys(("sets_count", "flat", "spare_pure"), st.booleans()))


@given(few_cards(), group_rules, needs, switches)
@settings(max_examples=tries(40), deadline=None)
def test_nothing_is_cheaper_than_the_best(hand, groups, needed, switched):
    cards, wild = hand
    rules = ArrangeRules(
        groups=groups,
        hand_size=7,
        sequences_min=needed[0],
        pure_min=needed[1],
        cap=40,
        **switched,
    )

    laid = arrange(cards, rules, wild)

    assert (laid.points, laid.declarable) == by_every_way(cards, rules, wild)


@given(few_cards(), group_rules, needs)
@settings(max_examples=tries(50), deadline=None)
def test_what_is_laid_are_these_cards_in_groups_that_stand(hand, groups, needed):
    cards, wild = hand
    rules = ArrangeRules(
        groups=groups, hand_size=7, sequences_min=needed[0], pure_min=needed[1], cap=None
    )

    laid = arrange(cards, rules, wild)

    held = sorted(cards)
    assert sorted([card for group in laid.groups for card in group] + list(laid.loose)) == held
    assert all(read_group(group, groups, wild).valid for group in laid.groups)
    assert value(laid.loose, wild, 10) == laid.points
    if laid.declaration is not None:
        kinds = [read_group(group, groups, wild).kind for group in laid.declaration]
        assert sorted(card for group in laid.declaration for card in group) == held
        assert "invalid" not in kinds
        assert kinds.count("pure-sequence") >= needed[1]
        assert len(kinds) - kinds.count("set") >= needed[0]


def test_the_pure_sequence_is_kept_pure_and_other_groups_take_the_spare_jokers_in():
    laid = best("2H 3H 4H 7S 8S 9S KD KC KS JK JK 5D 5S", "5")

    assert laid.points == 0
    assert ("2H", "3H", "4H") in laid.declaration or ("7S", "8S", "9S") in laid.declaration


def test_one_long_run_makes_two_sequences():
    laid = best("4H 5H 6H 7H 8H 9H TH 2S 2H 2D KC KD KS", "A")

    assert laid.declarable
    assert sum(group[0][1] == group[1][1] for group in laid.declaration) == 2


def test_a_long_run_up_to_the_ace_stays_whole_where_no_part_of_it_is_long_enough():
    high = msgspec.structs.replace(PLAIN.groups, sequence_min=4)
    higher = msgspec.structs.replace(PLAIN.groups, sequence_min=5)
    needs = {"sequences_min": 1, "pure_min": 0}

    assert best("AS KS QS JS TS 9S 8S 2H", groups=high, **needs).points == 2
    assert best("AC QC JC TC 9C 8C 7C JH 4D", "J", groups=higher, **needs).points == 4


def test_the_same_run_held_twice_makes_two_pure_sequences():
    laid = best("TS JS QS TS JS QS 9D", pure_min=2)

    assert laid.groups == (("TS", "JS", "QS"), ("TS", "JS", "QS"))
    assert laid.points == 9


def test_without_the_sequences_needed_no_group_is_named():
    cards = "9S 9H 9D 2C 4D KC 5H 3S 8C 6D JH QS AD"

    assert best(cards) == Arrangement((), parse_cards(cards), 80, None)


def test_a_lone_pure_sequence_is_spared_where_the_rules_say_so():
    cards = "AH 2H 3H 9S 9H 9D 2C 4D KC 5H 3S 8C 6D"

    laid = best(cards, "7", spare_pure=True)

    assert (laid.points, laid.groups) == (65, parse_groups("AH 2H 3H"))
    assert best(cards, "7").points == 80


def test_flat_wins_over_sparing_a_pure_sequence():
    laid = best("AH 2H 3H 9S 9H 2C", "7", flat=True, spare_pure=True)

    assert laid == Arrangement((), parse_cards("AH 2H 3H 9S 9H 2C"), 80, None)


def test_jokers_alone_are_nothing_to_pay():
    assert best("JK JK QS QH", "Q").points == 0


@given(few_cards(), group_rules, needs, st.integers(0, 60))
@settings(max_examples=tries(40), deadline=None)
def test_the_quick_ways_agree_with_the_whole_one(hand, groups, needed, below):
    cards, wild = hand
    rules = ArrangeRules(groups=groups, hand_size=7, sequences_min=needed[0], pure_min=needed[1])
    whole = arrange(cards, rules, wild)

    assert can_declare(cards, rules, wild) == whole.declarable
    assert least_points(cards, rules, wild).points == whole.points
    quick = least_points(cards, rules, wild, below=below)
    assert (quick and quick.points) == (whole.points if whole.points < below else None)


def test_more_than_forty_cards_are_refused():
    with pytest.raises(TooHard, match="41 cards, at most 40"):
        arrange(["KS"] * 41, PLAIN)


def test_a_search_over_the_budget_is_refused_and_does_not_hang(monkeypatch):
    cards = "4S 4C JK 7C 8C 9C AD 6D 6C 4D KS 3C 7S"
    assert best(cards, "6").points == 20

    monkeypatch.setattr(search, "BUDGET", 2)

    with pytest.raises(TooHard):
        best(cards, "6")


@pytest.mark.parametrize("seed", range(6))
def test_forty_cards_are_arranged_or_refused_in_a_moment(seed):
    pack = [*CARD_FACES, *CARD_FACES, "JK", "JK"]
    cards = random.Random(seed).sample(pack, 40)

    try:
        laid = arrange(cards, PLAIN, "6")
    except TooHard:
        return
    assert len(laid.loose) < 10


@given(st.lists(st.sampled_from([*CARD_FACES, "JK"]), max_size=13), st.randoms())
@settings(max_examples=tries(40), deadline=None)
def test_the_answer_does_not_depend_on_the_order_of_the_cards(cards, shuffler):
    assume(len(cards) > 5)
    mixed = list(cards)
    shuffler.shuffle(mixed)

    one, other = arrange(cards, PLAIN, "5"), arrange(mixed, PLAIN, "5")

    assert (one.points, one.declarable, grouped(one.groups)) == (
        other.points,
        other.declarable,
        grouped(other.groups),
    )
