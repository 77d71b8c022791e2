"""What the rulebooks print about groups, declarations and points, clause by clause.

000 first half: RummyCentral; 001: the complete rulebook; 003 first half:
RummyCircle. ``W`` after the groups is the wild joker.
"""

import json
from pathlib import Path

import pytest

from rummy_audit.rhl.cards_text import parse_cards, parse_groups
from rummy_audit.rhl.read import read
from rummy_audit.rules.families.indian.declaration import judge_declaration
from rummy_audit.rules.families.indian.law import group_rules
from rummy_audit.rules.families.indian.losers import loser_points
from rummy_audit.rules.groups import read_group
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import ruleset

EXAMPLES = Path(__file__).resolve().parents[2] / "corpus" / "indian" / "examples.jsonl"
CENTRAL, RULEBOOK, CIRCLE = "indian-13-central", "indian-13", "indian-13-circle"


def kind(cards, book, wild=None):
    return read_group(parse_cards(cards), group_rules(ruleset(book)), wild).kind


def breaches(cards, book, wild=None):
    reading = read_group(parse_cards(cards), group_rules(ruleset(book)), wild)
    return [breach.code for breach in reading.breaches]


def declared(groups, book, wild, loose=""):
    return judge_declaration(
        parse_groups(groups), rules=ruleset(book), wild=wild, loose=parse_cards(loose)
    )


def codes(groups, book, wild, loose=""):
    return [finding.code for finding in declared(groups, book, wild, loose).findings]


def counted(groups, loose, book, wild, **house):
    return loser_points(
        parse_groups(groups), parse_cards(loose), rules=ruleset(book, house=house), wild=wild
    )


# 000, RummyCentral


def test_000_sequences_1_four_diamonds():
    assert kind("6D 7D 8D 9D", CENTRAL) == "pure-sequence"


def test_000_sequences_2_the_ace_above_the_king_and_any_order():
    assert kind("AC KC QC JC", CENTRAL) == "pure-sequence"


def test_000_sets_1_four_eights():
    assert kind("8D 8H 8C 8S", CENTRAL) == "set"


def test_000_sets_2_three_queens_are_a_set_though_the_text_calls_them_a_sequence_later():
    assert kind("QC QD QH", CENTRAL) == "set"


def test_000_colours_do_not_matter_in_a_set():
    assert kind("2D 2C 2H", CENTRAL) == "set"


def test_000_joker_in_a_sequence():
    assert kind("5D 6D JK 8D", CENTRAL) == "impure-sequence"


def test_000_joker_in_a_set():
    assert kind("6C 6D 6H JK", CENTRAL) == "set"


def test_000_declaration_example_a():
    judged = declared("AD 2D 3D 4D | 5S 6S 7S | 9D 9S 9C | QS QD QC", CENTRAL, "K")

    assert (judged.right, judged.findings) == (True, ())


def test_000_declaration_example_b_with_the_wild_seven():
    judged = declared("3H 4H 5H 6H | JC 7H QC | QS QD QC | 9S 9H 9C", CENTRAL, "7")

    assert judged.right
    assert [reading.kind for reading in judged.readings] == [
        "pure-sequence",
        "impure-sequence",
        "set",
        "set",
    ]


def test_000_points_3_values_of_the_cards():
    worth = {
        card: counted("", card, CENTRAL, "3").points
        for card in ("AS", "KS", "QS", "JS", "TS", "8D", "2H", "JK", "3C")
    }

    assert worth == {
        "AS": 10,
        "KS": 10,
        "QS": 10,
        "JS": 10,
        "TS": 10,
        "8D": 8,
        "2H": 2,
        "JK": 0,
        "3C": 0,
    }


def test_000_points_6_without_the_sequences_all_cards_count_up_to_80():
    assert counted("KS KH KD", "2H 4C 7D", CENTRAL, "5").points == 43
    assert counted("KS KH KD", "QH QC JD JS TD 9C", CENTRAL, "5").points == 80


def test_000_points_7_with_them_only_cards_outside_sequences_count_by_its_letter():
    shown = ("2H 3H 4H | 5C 6C JK | KS KH KD", "9S 4D")

    assert counted(*shown, CENTRAL, "8").points == 43
    assert counted(*shown, CENTRAL, "8", loser_counts="ungrouped").points == 13


def test_000_points_8_a_declaration_without_a_pure_sequence_is_wrong():
    groups = "5H 6H JK | 9S TS JK QS | 8D 8C 8S | KH KC KS"

    assert codes(groups, CENTRAL, "2") == ["declare-no-pure-sequence", "wrong-declaration"]


# 001, the complete rulebook


def test_001_pure_sequences_a_wild_card_in_its_own_place_leaves_it_pure():
    assert kind("3D 4D 5D", RULEBOOK, "4") == "pure-sequence"


def test_001_impure_sequences_one_card_and_two_jokers():
    assert kind("5H JK JK", RULEBOOK) == "impure-sequence"


@pytest.mark.parametrize(
    ("cards", "expected"),
    [("AS 2S 3S", []), ("QS KS AS", []), ("KS AS 2S", ["sequence-wraps"])],
)
def test_001_ace_rules_high_or_low_never_round_the_corner(cards, expected):
    assert breaches(cards, RULEBOOK) == expected


def test_001_minimum_sequences_skip_runs_are_never_valid():
    assert breaches("5H 7H 9H", RULEBOOK) == ["sequence-gap"]


def test_001_minimum_sequences_there_is_no_longest():
    assert kind("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", RULEBOOK) == "pure-sequence"


@pytest.mark.parametrize("cards", ["KS KH JK", "KS KH KD", "KS KH KD KC"])
def test_001_set_rules_three_or_four_of_one_rank(cards):
    assert kind(cards, RULEBOOK) == "set"


def test_001_set_rules_one_king_and_two_jokers_stands_and_reads_as_a_sequence_first():
    assert kind("KS JK JK", RULEBOOK) == "impure-sequence"


def test_001_set_rules_a_fifth_card_is_too_many_even_a_joker():
    assert breaches("8D 8C 8S 8H JK", RULEBOOK) == ["set-too-long"]


def test_001_set_rules_two_identical_cards():
    assert breaches("QH QH QD", RULEBOOK) == ["set-repeated-suit"]


def test_001_set_rules_a_hand_of_sequences_alone_stands():
    assert declared("AS 2S 3S | 4H 5H 6H | 7D 8D 9D | TC JC QC KC", RULEBOOK, "2").right


def test_001_joker_rules_1_three_jokers_have_no_anchor():
    assert breaches("JK JK JK", RULEBOOK) == ["group-unanchored"]


def test_001_joker_rules_3_a_joker_left_over_costs_nothing():
    assert counted("2H 3H 4H | 5C 6C 7C", "JK 9D 9S", RULEBOOK, "9").points == 0


SHOWN = "5H 6H 7H | 9S TS JK QS | 8D 8C 8S | KH KC KS"


def test_001_declaration_rules_all_thirteen_cards_in_groups():
    assert declared(SHOWN, RULEBOOK, "2").right
    groups = SHOWN.replace(" KS", "")
    assert codes(groups, RULEBOOK, "2", "KS") == [
        "group-too-short",
        "declare-loose-cards",
        "wrong-declaration",
    ]
    assert codes(groups.replace("| KH KC", ""), RULEBOOK, "2", "KH KC KS") == [
        "declare-loose-cards",
        "wrong-declaration",
    ]


def test_001_declaration_rules_the_number_of_cards():
    assert codes(SHOWN + " | 2H 3H 4H", RULEBOOK, "2") == [
        "declare-card-count",
        "wrong-declaration",
    ]


def test_001_declaration_rules_at_least_two_sequences():
    groups = "5H 6H 7H | 9S 9D 9C | 8D 8C 8S | KH KC KS KD"

    assert codes(groups, RULEBOOK, "2") == ["declare-too-few-sequences", "wrong-declaration"]


def test_001_scoring_with_the_sequences_only_loose_cards_count():
    assert counted("2H 3H 4H | 5C 6C JK | KS KH KD", "4S 2D 3C", RULEBOOK, "8").points == 9


def test_001_scoring_without_them_all_count_even_full_sets():
    count = counted("KS KH KD | 9S 9H 9D | 4S 4H 4D 4C", "2S 3C 5D", RULEBOOK, "8")

    assert count.points == 80
    assert count.breakdown[-1].what == "cap"
    assert sum(term.points for term in count.breakdown) == 80


def test_001_scoring_the_cap_is_absolute():
    count = counted("KS KH KD | QS QH QD | JS JH JD | AS AH AD", "2C", RULEBOOK, "5")

    assert (count.points, count.best) == (80, 2)


def test_001_mistakes_1_two_impure_sequences():
    groups = "6H 7H JK | 9S 4D JS QS | KH KC KD | 5S 5C 5D"

    assert codes(groups, RULEBOOK, "4") == ["declare-no-pure-sequence", "wrong-declaration"]


def test_001_mistakes_2_a_five_card_set():
    groups = "2H 3H 4H 5H | 5C 6C 7C 8C | 5D 5C JK QH QS"

    assert codes(groups, RULEBOOK, "Q") == ["set-too-long", "wrong-declaration"]


def test_001_mistakes_3_two_queens_of_hearts():
    groups = "2H 3H 4H 5H | 5C 6C 7C 8C 9C JK | QH QH QD"

    assert codes(groups, RULEBOOK, "K") == ["set-repeated-suit", "wrong-declaration"]


def test_001_mistakes_4_king_ace_two_costs_22_not_three_points():
    assert breaches("KS AS 2S", RULEBOOK, "5") == ["sequence-wraps"]
    assert counted("KS AS 2S | 3H 4H 5H | 6C 7C JK", "", RULEBOOK, "9").points == 22


def test_001_mistakes_5_a_natural_wild_card_is_not_impure():
    assert declared("3D 4D 5D | 6H 7H JK | 9S 9D 9C | KH KC KS KD", RULEBOOK, "4").right


# 003, RummyCircle


@pytest.mark.parametrize("cards", ["5H 6H 7H", "3S 4S 5S 6S"])
def test_003_pure_sequences(cards):
    assert kind(cards, CIRCLE, "Q") == "pure-sequence"


@pytest.mark.parametrize("cards", ["6D 7D QS 9D", "5S QH 7S 8S JK"])
def test_003_impure_sequences(cards):
    assert kind(cards, CIRCLE, "Q") == "impure-sequence"


@pytest.mark.parametrize(
    "cards",
    ["AH AC AD", "8D 8C 8S 8H", "9D QS 9S 9H", "5D 5C 5S JK", "5D 5C QS JK", "5D 5C JK QH QS"],
)
def test_003_sets_1_to_6(cards):
    assert kind(cards, CIRCLE, "Q") == "set"


@pytest.mark.parametrize(("cards", "wild"), [("QH QH QD", "5"), ("7S 7H 7D 7S QH", "Q")])
def test_003_invalid_sets(cards, wild):
    assert breaches(cards, CIRCLE, wild) == ["set-repeated-suit"]


def test_003_typical_example_a_set_of_five_completes_the_hand():
    groups = "2H 3H 4H 5H | 5C 6C 7C 8C | 5D 5C JK QH QS"

    assert declared(groups, CIRCLE, "Q").right
    assert not declared(groups, RULEBOOK, "Q").right
    assert declared(groups, RULEBOOK, "Q").at_best


@pytest.mark.parametrize("cards", ["TS TS TD TC QH", "KH KH KD"])
def test_003_wrong_sets(cards):
    assert breaches(cards, CIRCLE, "Q") == ["set-repeated-suit"]


def test_003_wrong_sequences_1_no_sequence_at_all():
    groups = "TS TH TD TC | 5S 5H 5D | 6S 6H 6C | 9H 9D JK"

    assert codes(groups, CIRCLE, "2") == [
        "declare-no-pure-sequence",
        "declare-too-few-sequences",
        "wrong-declaration",
    ]
    assert not declared(groups, CIRCLE, "2").at_best


def test_003_wrong_sequences_2_both_impure_as_declared_though_the_cards_would_do():
    judged = declared("KH KS KD | 6H 7H JK | 9S TS JS JK | 5S 5H 5D", CIRCLE, "2")

    assert [finding.code for finding in judged.findings] == [
        "declare-no-pure-sequence",
        "wrong-declaration",
    ]
    assert judged.at_best
    assert declared("KH KS KD JK | 6H 7H JK | 9S TS JS | 5S 5H 5D", CIRCLE, "2").right


def test_003_wrong_sequences_3_only_one_sequence():
    groups = "QH QS QD | 6H 7H 8H 9H | 5S 5H 5D | TS TH TD"

    assert codes(groups, CIRCLE, "2") == ["declare-too-few-sequences", "wrong-declaration"]


def test_003_values_of_eight_nine_ten():
    assert counted("", "8H 9H TH", CIRCLE, "Q").points == 27


def test_003_points_table_player_1_the_queen_of_spades_is_wild_so_35_not_45():
    count = counted("2H 3H 4H | 5C 6C QD", "8D 8S 5C 2D 2C KS QS", CIRCLE, "Q")

    assert (count.points, count.best) == (35, 19)
    assert sum(term.points for term in count.breakdown) == 35


def test_003_points_table_player_2_is_68_in_the_table_and_78_in_the_winnings_line():
    count = counted("4S 4H 4C 4D", "5D QD 3S 7S 8S QD KD TC 9C", CIRCLE, "Q")

    assert (count.points, count.best) == (68, 68)


def test_003_points_table_player_3_the_set_is_spared_so_23_and_22_at_best():
    shown = ("3H 4H 5H | 5C 6C 7C | 2D 2C 2H", "QD 8D 5C KS")
    count = counted(*shown, CIRCLE, "Q")

    assert (count.points, count.best) == (23, 22)
    assert counted(*shown, CIRCLE, "Q", loser_counts="unsequenced").points == 29


def test_003_points_table_player_6_declares():
    assert declared("2H 3H 4H | 5C 6C 7C | QD 5D 5C 5H | 2D 2C 2H", CIRCLE, "Q").right


# The corpus of printed examples, exactly


CASES = [json.loads(line) for line in EXAMPLES.read_text(encoding="utf-8").splitlines()]
# What the score of a hand shows once the table has answered a declaration wrongly.
CONSEQUENCES = {"score-wrong", "penalty-points-wrong", "winner-wrong"}
NAMES = {"pure": "pure-sequence", "sequence": "impure-sequence", "set": "set"}


@pytest.mark.parametrize("case", [c for c in CASES if c["type"] == "group"], ids=lambda c: c["id"])
def test_a_printed_group_reads_as_the_corpus_says(case):
    law = group_rules(ruleset(case["ruleset"]))
    reading = read_group(case["cards"], law, case["wild_rank"])
    expected = [NAMES[name] for name in case["expect"]["kinds"]]

    assert reading.kind in (expected or ["invalid"])
    assert sorted(breach.code for breach in reading.breaches) == case["expect"]["codes"]


@pytest.mark.parametrize("case", [c for c in CASES if c["type"] == "hand"], ids=lambda c: c["id"])
def test_a_printed_hand_is_judged_as_the_corpus_says(case):
    (hand,) = read(case["text"].encode())
    found, expected = replay(hand), case["expect"]

    if "codes" in expected:
        codes = {each.code for each in found.findings}
        answered_wrongly = codes & {"wrong-declaration-accepted", "right-declaration-refused"}
        assert codes - (CONSEQUENCES if answered_wrongly else set()) == set(expected["codes"])
        assert found.verdict == expected["verdict"]
    for seat, points in expected.get("points", {}).items():
        assert found.result.scores[int(seat)] == points
    wrong = any(each.code == "wrong-declaration" for each in found.findings)
    assert wrong == (expected.get("declaration") == "wrong")
