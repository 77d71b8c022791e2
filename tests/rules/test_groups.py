"""One group of cards: its kind, what its jokers stand for, and every breach in order."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_audit.rhl.cards_text import CARD_FACES, parse_cards
from rummy_audit.rules.findings import Finding, Rule
from rummy_audit.rules.groups import GroupRules, Reading, group_findings, read_group
from rummy_audit.rules.rulesets import ruleset
from tests.effort import tries

INDIAN = GroupRules(ace="high-or-low", jokers=True)
CIRCLE = GroupRules(ace="high-or-low", jokers=True, set_max=None)
ACE_LOW = GroupRules(ace="low")
ROUND = GroupRules(ace="round-corner")


def read(cards, rules=INDIAN, wild=None):
    return read_group(parse_cards(cards), rules, wild)


def codes(cards, rules=INDIAN, wild=None):
    return [breach.code for breach in read(cards, rules, wild).breaches]


@pytest.mark.parametrize(
    ("cards", "wild", "kind", "places"),
    [
        ("5H 6H 7H", "Q", "pure-sequence", "5H 6H 7H"),
        ("7H 5H 6H", "Q", "pure-sequence", "7H 5H 6H"),
        ("AS 2S 3S", None, "pure-sequence", "AS 2S 3S"),
        ("QS KS AS", None, "pure-sequence", "QS KS AS"),
        ("3D 4D 5D", "4", "pure-sequence", "3D 4D 5D"),
        ("6D 7D QS 9D", "Q", "impure-sequence", "6D 7D 8D 9D"),
        ("5S QH 7S 8S JK", "Q", "impure-sequence", "5S 6S 7S 8S 9S"),
        ("QC TC AC KC", "T", "impure-sequence", "QC JC AC KC"),
        ("AC TC 3C JK 5C 6C", "T", "impure-sequence", "AC 2C 3C 4C 5C 6C"),
        ("KS JK JK", "2", "impure-sequence", "KS QS JS"),
        ("JK JK KS", "2", "impure-sequence", "JS QS KS"),
        ("9D QS 9S 9H", "Q", "set", "9D 9C 9S 9H"),
        ("KS KH JK", "2", "set", "KS KH KD"),
        ("QH QH QD", "Q", "set", "QH QS QD"),
        ("QH QS QD", "Q", "set", "QH QS QD"),
        ("4D 4D 5D", "4", "impure-sequence", "4D 3D 5D"),
    ],
)
def test_a_group_that_stands_reads_as_its_kind_and_places_its_jokers(cards, wild, kind, places):
    assert read(cards, wild=wild) == Reading(kind, (), parse_cards(places))


@pytest.mark.parametrize(
    ("cards", "wild", "expected"),
    [
        ("", None, ["group-too-short"]),
        ("5H", None, ["group-too-short"]),
        ("5H 6H", None, ["group-too-short"]),
        ("5H 5D", None, ["group-too-short"]),
        ("5H 9H", None, ["group-too-short", "sequence-gap"]),
        ("5H KD", None, ["group-too-short", "group-invalid"]),
        ("5H JK", None, ["group-too-short"]),
        ("5H 7H 9H", None, ["sequence-gap"]),
        ("4H 4H 5H", None, ["sequence-gap"]),
        ("KS AS 2S", None, ["sequence-wraps"]),
        ("KS JK 2S", None, ["sequence-wraps"]),
        ("5H 6D 7H", None, ["sequence-mixed-suits"]),
        ("5H 6D 9H", None, ["sequence-mixed-suits", "sequence-gap"]),
        ("KH AD 2H", None, ["sequence-mixed-suits", "sequence-wraps"]),
        ("5H 6H 7H 8D", None, ["sequence-mixed-suits"]),
        ("5H 5D 6H", None, ["sequence-mixed-suits", "sequence-gap"]),
        ("8H 8D 9C", None, ["set-mixed-ranks"]),
        ("8H 8D 8C 9C", None, ["set-mixed-ranks"]),
        ("QH QH QD", "5", ["set-repeated-suit"]),
        ("TS TS TD TC QH", "Q", ["set-too-long", "set-repeated-suit"]),
        ("8D 8C 8S 8H JK", None, ["set-too-long"]),
        ("5H 6H 5D 6D", None, ["group-invalid"]),
        ("4H 9D KC", None, ["group-invalid"]),
        ("4H 9D JK", None, ["group-invalid"]),
        ("JK JK JK", None, ["group-unanchored"]),
        ("JK JK QD", "Q", ["group-unanchored"]),
        ("JK", None, ["group-too-short", "group-unanchored"]),
        ("R7 R8 R9", None, ["group-invalid"]),
    ],
)
def test_breaches_come_in_the_order_a_referee_asks(cards, wild, expected):
    assert codes(cards, wild=wild) == expected


@pytest.mark.parametrize(
    ("cards", "rules", "expected"),
    [
        ("QS KS AS", ACE_LOW, ["sequence-wraps"]),
        ("QS KS AS", ROUND, []),
        ("KS AS 2S", ROUND, []),
        ("QS KS AS 2S 3S", ROUND, []),
        ("AS 2S 3S", ACE_LOW, []),
        ("5H 5H 5D", GroupRules(ace="low", set_duplicates=True), []),
        ("5H 6H JK", ACE_LOW, ["sequence-mixed-suits"]),
        ("5H 6H 7H 8H", GroupRules(ace="low", sequence_max=3), ["sequence-too-long"]),
        ("5H 6H 7H", GroupRules(ace="low", sequence_min=4), ["group-too-short"]),
        ("5H 5D 5C", GroupRules(ace="low", set_min=4), ["group-too-short"]),
        ("5D 5C JK QH QS", CIRCLE, ["set-mixed-ranks"]),
    ],
)
def test_the_rules_decide(cards, rules, expected):
    assert codes(cards, rules) == expected


def test_jokers_may_make_a_full_set_longer_where_there_is_no_limit():
    assert read("8D 8C 8S 8H JK", CIRCLE) == Reading("set", (), parse_cards("8D 8C 8S 8H JK"))
    assert read("5D 5C JK QH QS", CIRCLE, "Q").kind == "set"
    assert codes("7S 7H 7D 7S QH", CIRCLE, "Q") == ["set-repeated-suit"]


@pytest.mark.parametrize(
    ("least", "cards", "kind"),
    [
        (0, "JK JK 7C", "impure-sequence"),
        (1, "JK JK 7C", "invalid"),
        (1, "KS JK JK", "impure-sequence"),
        (2, "KS JK JK", "invalid"),
        (2, "KS KH JK", "set"),
        (2, "7C 7D JK", "set"),
    ],
)
def test_least_natural_cards(least, cards, kind):
    rules = GroupRules(ace="high-or-low", jokers=True, naturals_min=least)

    assert read(cards, rules, "7").kind == kind


def test_a_card_of_the_wild_rank_may_anchor_jokers_only_where_allowed():
    anchors = GroupRules(ace="high-or-low", jokers=True, wild_anchors=True)

    assert read("JK JK QD", wild="Q").breaches[0].parameter == "wild_anchors"
    assert read("JK JK QD", anchors, "Q").kind == "impure-sequence"
    assert read("JK JK JK", anchors, "Q").breaches[0].parameter == "naturals_min"


def test_most_jokers_in_a_group():
    one = GroupRules(ace="high-or-low", jokers=True, jokers_max=1)

    assert codes("KS JK JK", one) == ["group-too-many-jokers"]
    assert read("KS KH JK", one).kind == "set"
    assert read("QS KS JK", one, "Q").kind == "impure-sequence"


def test_a_natural_wild_card_leaves_a_sequence_pure_only_where_it_may():
    strict = GroupRules(ace="high-or-low", jokers=True, natural_wild_pure=False)

    assert read("3D 4D 5D", strict, "4").kind == "impure-sequence"
    assert read("3D 4D 5D", strict, "9").kind == "pure-sequence"


def test_a_finding_cites_the_parameter_and_names_the_group():
    cards = parse_cards("8D 8C 8S 8H JK")
    rules = ruleset("indian-13")

    assert group_findings(
        read_group(cards, INDIAN), rules, cards=cards, seq=7, seat=2, group=3
    ) == (
        Finding(
            code="set-too-long",
            seq=7,
            seat=2,
            rule=Rule("set_max", 4, "001 Set Rules"),
            recorded=5,
            expected=4,
            data={"cards": list(cards), "group": 3},
        ),
    )


def test_a_family_may_call_a_rule_otherwise():
    cards = parse_cards("5H 6H")
    (found,) = group_findings(
        read_group(cards, INDIAN),
        ruleset("indian-13"),
        cards=cards,
        names={"sequence_min": "hand_size"},
    )

    assert found.rule == ruleset("indian-13").cite("hand_size")


faces = st.sampled_from([*CARD_FACES, "JK", "JK", "JK"])


@given(st.lists(faces, max_size=7), st.sampled_from([None, "5", "A"]), st.randoms())
@settings(max_examples=tries(100), deadline=None)
def test_the_order_of_the_cards_does_not_matter(cards, wild, shuffler: random.Random):
    mixed = list(cards)
    shuffler.shuffle(mixed)
    one, other = read_group(cards, INDIAN, wild), read_group(mixed, INDIAN, wild)

    assert one.kind == other.kind
    assert [each.code for each in one.breaches] == [each.code for each in other.breaches]
    assert (one.kind == "invalid") == bool(one.breaches)
    assert len(one.places) == (0 if one.breaches else len(cards))


@given(st.integers(0, 11), st.integers(3, 8), st.sampled_from("SHDC"), st.data())
@settings(max_examples=tries(60), deadline=None)
def test_a_run_with_some_cards_replaced_by_jokers_is_a_sequence_still(start, size, suit, data):
    run = [rank + suit for rank in ("A23456789TJQKA")[start : start + size]]
    if len(run) < 3:
        return
    replaced = data.draw(st.sets(st.sampled_from(range(len(run))), max_size=len(run) - 1))
    cards = ["JK" if i in replaced else card for i, card in enumerate(run)]

    reading = read_group(cards, INDIAN)

    assert reading.is_sequence
    assert reading.kind == ("impure-sequence" if replaced else "pure-sequence")
