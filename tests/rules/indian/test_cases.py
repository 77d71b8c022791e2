"""What people really asked about Indian rummy: groups, declarations and points.

Where rulebooks differ, the case is asked under each setting; the collectors'
words are mapped to parameters here.
"""

import json
from pathlib import Path

import pytest

from rummy_audit.rules.cards import pack
from rummy_audit.rules.judging import judge
from rummy_audit.rules.rulesets import ruleset

PATH = Path(__file__).resolve().parents[2] / "cases" / "cases.jsonl"
CASES = {case["id"]: case for case in map(json.loads, PATH.read_text("utf-8").splitlines())}

# Each answer a case knows, with the house rules that lead there. The rules under
# which a case is not ambiguous are the default's.
GROUPS = {
    "ind-g-010": {"joker_may_extend": {"set_max": "none"}, "max_four": {"set_max": 4}},
    "ind-g-011": {"joker_may_extend": {"set_max": "none"}, "max_four": {"set_max": 4}},
    "ind-g-025": {"min_naturals_1": {"naturals_min": 1}, "min_naturals_2": {"naturals_min": 2}},
    "ind-g-026": {"min_naturals_1": {"naturals_min": 1}, "min_naturals_2": {"naturals_min": 2}},
    "ind-g-027": {"min_naturals_1": {"naturals_min": 1}, "min_naturals_0": {"naturals_min": 0}},
    "ind-g-033": {
        "aces_wild": {"wild_if_printed": "aces"},
        "printed_only": {"wild_if_printed": "printed-only"},
    },
}
POINTS = {
    "ind-p-005": {
        "sum_capped_pure_counts": {"pure_only": "count-all"},
        "pure_sequence_spared": {"pure_only": "spare-pure"},
    },
    "ind-p-006": {
        "sum_capped": {"no_lives_points": "capped-sum"},
        "flat_80": {"no_lives_points": "flat"},
    },
}
KINDS = {"impure_sequence": "impure-sequence", "pure_sequence": "pure-sequence"}


def group(case, **house):
    wild = "JK" if case["wild_rank"].startswith("A (") else case["wild_rank"]
    return judge(groups=case["groups"], wild=wild, house=house)["groups"][0]


def declaration(name, **house):
    case = CASES[name]
    return judge(groups=case["groups"], wild=case["wild_rank"], house=house)


def plain(prefix):
    return [name for name in CASES if name.startswith(prefix) and not CASES[name]["ambiguous"]]


@pytest.mark.parametrize("name", plain("ind-g-"))
def test_a_group_is_classified(name):
    case = CASES[name]

    expected = case["expected"]["kind"]

    assert group(case)["kind"] == KINDS.get(expected, expected)


@pytest.mark.parametrize(
    ("name", "setting"), [(name, setting) for name in GROUPS for setting in GROUPS[name]]
)
def test_an_ambiguous_group_is_judged_under_each_setting(name, setting):
    case = CASES[name]

    stands = group(case, **GROUPS[name][setting])["kind"] != "invalid"

    assert stands == case["expected"][setting]


@pytest.mark.parametrize("name", ["ind-g-025", "ind-g-026"])
@pytest.mark.parametrize(("most", "stands"), [("none", True), (1, False)])
def test_the_most_jokers_in_a_group_decide_too(name, most, stands):
    assert (group(CASES[name], jokers_max=most)["kind"] != "invalid") == stands


@pytest.mark.parametrize("name", plain("ind-d-"))
def test_a_declaration_stands_or_not_and_the_best_of_its_cards_is_known(name):
    case = CASES[name]
    found = declaration(name)

    assert found["valid"] == case["expected"]["valid"]
    if case["best_grouping_points"] is not None:
        assert found["best"]["points"] == case["best_grouping_points"]


@pytest.mark.parametrize("name", ["ind-d-004", "ind-d-012"])
def test_a_declaration_is_judged_as_declared_or_by_its_best_grouping(name):
    assert not declaration(name, judge_declarer="declared")["valid"]
    assert declaration(name, judge_declarer="best")["valid"]
    assert declaration(name)["declarable"]


def test_ind_d_004_as_declared_no_sequence_is_pure():
    codes = [each["code"] for each in declaration("ind-d-004")["findings"]]

    assert codes == ["declare-no-pure-sequence", "wrong-declaration"]


def test_ind_d_010_a_set_of_five_by_either_setting_and_either_judgement():
    assert declaration("ind-d-010", set_max="none")["valid"]
    assert not declaration("ind-d-010", set_max=4)["valid"]
    assert declaration("ind-d-010", set_max=4, judge_declarer="best")["valid"]


def test_ind_d_013_a_loose_card_beside_twelve_in_groups():
    case = CASES["ind-d-013"]
    found = judge(groups=case["groups"], cards=["6C"], wild=case["wild_rank"])

    assert not found["valid"]
    assert [each["code"] for each in found["findings"]] == [
        "declare-loose-cards",
        "wrong-declaration",
    ]


def test_ind_p_004_the_best_arrangement_leaves_26():
    case = CASES["ind-p-004"]

    assert judge(cards=case["cards"], wild=case["wild_rank"])["points"] == 26


@pytest.mark.parametrize(
    ("name", "setting"), [(name, setting) for name in POINTS for setting in POINTS[name]]
)
def test_points_that_rulebooks_count_differently(name, setting):
    case = CASES[name]
    found = judge(cards=case["cards"], wild=case["wild_rank"], house=POINTS[name][setting])

    assert found["points"] == case["expected"][setting]


def test_ind_p_007_is_capped_as_laid_in_sets_but_three_runs_to_the_ace_would_leave_2():
    cards = CASES["ind-p-007"]["cards"]
    sets = [cards[start : start + 3] for start in (0, 3, 6, 9)]

    assert judge(groups=sets, cards=["2C"], wild="5")["points"] == 80
    assert judge(cards=cards, wild="5")["points"] == 2


@pytest.mark.parametrize(("jokers", "cards"), [(2, 106), (4, 108)])
def test_deck_001_printed_jokers_a_pack(jokers, cards):
    rules = ruleset("indian-13", house={"printed_jokers": jokers})

    assert sum(pack(rules.number("decks"), rules.number("printed_jokers")).values()) == cards


def test_deck_002_three_printed_jokers_are_one_too_many():
    found = judge(cards=CASES["deck-002"]["cards"])

    assert [(each["code"], each["recorded"], each["expected"]) for each in found["findings"]] == [
        ("too-many-copies", 3, 2)
    ]
    assert not found["valid"]
