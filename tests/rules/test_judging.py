"""Judging cards without a log: one question, and a batch in which one bad line stops nothing."""

import json
from pathlib import Path

import pytest

from rummy_audit.rules.judging import MOST, MOST_LINE, JudgeError, judge, judge_batch, judge_text

CORPUS = Path(__file__).resolve().parents[1] / "corpus" / "indian"

DECLARED = "KH KS KD | 6H 7H JK | 9S TS JS JK | 5S 5H 5D"


def kinds(answer):
    return [group["kind"] for group in answer["groups"]]


def codes(findings):
    return [finding["code"] for finding in findings]


def refused(**question):
    with pytest.raises(JudgeError) as error:
        judge(**question)
    return error.value.part, error.value.found, error.value.expected


def test_a_declaration_is_judged_as_declared_with_the_best_of_its_cards_beside_it():
    answer = judge_text(DECLARED, wild="2")

    assert answer == {
        "valid": False,
        "groups": answer["groups"],
        "findings": answer["findings"],
        "points": 80,
        "declarable": True,
        "best": {
            "groups": answer["best"]["groups"],
            "layoffs": [],
            "loose": [],
            "points": 0,
        },
    }
    assert kinds(answer) == ["set", "impure-sequence", "impure-sequence", "set"]
    assert codes(answer["findings"]) == ["declare-no-pure-sequence", "wrong-declaration"]
    assert answer["findings"][0]["rule"] == {
        "parameter": "pure_min",
        "value": 1,
        "source": "001 Minimum sequence requirements for a valid hand",
    }
    assert sorted(card for group in answer["best"]["groups"] for card in group) == sorted(
        DECLARED.replace("|", "").split()
    )


def test_each_group_says_what_is_wrong_with_it_and_the_whole_names_all():
    answer = judge_text("8D 8C 8S 8H JK | KS AS 2S | 5H 6H 7H", wild="Q")

    assert kinds(answer) == ["invalid", "invalid", "pure-sequence"]
    assert [codes(group["findings"]) for group in answer["groups"]] == [
        ["set-too-long"],
        ["sequence-wraps"],
        [],
    ]
    assert codes(answer["findings"]) == [
        "set-too-long",
        "sequence-wraps",
        "declare-too-few-sequences",
        "declare-card-count",
        "wrong-declaration",
    ]


def test_a_group_tells_what_its_jokers_stand_for():
    answer = judge_text("6D 7D QS 9D | 9D QS 9S 9H", wild="QH")

    assert [group["places"] for group in answer["groups"]] == [
        ["6D", "7D", "8D", "9D"],
        ["9D", "9C", "9S", "9H"],
    ]


def test_cards_alone_are_arranged():
    answer = judge_text("2H 3H 4H 5C 6C QD 8D 8S 5C 2D 2C KS QS", wild="Q")

    assert (answer["valid"], answer["declarable"], answer["points"]) == (False, False, 19)
    assert (answer["groups"], answer["findings"]) == ([], [])
    assert sum(map(len, answer["best"]["groups"])) + len(answer["best"]["loose"]) == 13


def test_loose_cards_stand_after_a_plus():
    answer = judge_text("2H 3H 4H | 5C 6C QD + 8D 8S 5C 2D 2C KS QS", wild="Q")

    assert (answer["points"], answer["best"]["points"]) == (35, 19)
    assert codes(answer["findings"]) == ["declare-loose-cards", "wrong-declaration"]


def test_a_declaration_copied_from_a_log_is_read_with_its_finish_card_left_out():
    shown = "AD 2D 3D 4D | 5S 6S 7S | 9D 9S 9C | QS QD QC"

    assert judge_text(shown + " / KC", wild="K") == judge_text(shown, wild="K")
    assert judge_text(shown, wild="K")["valid"]


def test_house_rules_and_presets_decide():
    five = "2H 3H 4H 5H | 5C 6C 7C 8C | 5D 5C JK QH QS"

    assert not judge_text(five, wild="Q")["valid"]
    assert judge_text(five, wild="Q", house={"set_max": "none"})["valid"]
    assert judge_text(five, wild="Q", rules="indian-13-circle")["valid"]


@pytest.mark.parametrize("wild", ["7", "7D", "7♦"])
def test_the_wild_joker_is_a_rank_or_a_card(wild):
    assert kinds(judge_text("JC 7H QC | 5H 6H 7H", wild=wild)) == [
        "impure-sequence",
        "pure-sequence",
    ]


def test_a_printed_joker_as_indicator_makes_the_aces_wild_unless_the_rules_say_otherwise():
    for house, kind in (({}, "impure-sequence"), ({"wild_if_printed": "printed-only"}, "invalid")):
        assert kinds(judge_text("5D 6D AS 8D | 2H 3H 4H", wild="JK", house=house))[0] == kind


def test_cards_are_read_as_people_write_them():
    written = judge_text("10h, J♥ q♥ | 5d 5C pj + 7s", wild="2")

    assert [group["cards"] for group in written["groups"]] == [
        ["TH", "JH", "QH"],
        ["5D", "5C", "JK"],
    ]
    assert written["points"] == 47


@pytest.mark.parametrize(
    ("question", "error"),
    [
        ({"cards": ["7X"]}, ("cards", "7X", "a card like 7H, TC or JK")),
        ({"cards": ["R7"]}, ("cards", "R7", "a card like 7H, TC or JK")),
        ({"cards": ["??"]}, ("cards", "??", "a card like 7H, TC or JK")),
        ({"groups": [["7H", "1H"]]}, ("groups", "1H", "a card like 7H, TC or JK")),
        (
            {"cards": ["7H"], "rules": "tile-easy"},
            ("cards", "7H", "a tile like R7 or JK"),
        ),
        ({"cards": []}, ("cards", "", "some cards")),
        ({"cards": ["7H"] * 41}, ("cards", 41, "at most 40 cards")),
        ({"cards": ["7H"], "wild": "X"}, ("wild", "X", "a rank like Q, or a card like 7D or JK")),
        (
            {"cards": ["7H"], "house": {"set_max": 2}},
            ("set_max", 2, 'a whole number from 3 to 21 or "none"'),
        ),
    ],
)
def test_what_cannot_be_judged_is_refused_with_the_part_and_what_was_expected(question, error):
    assert refused(**question) == error


def test_endless_input_is_cut_before_it_is_read():
    def endless():
        while True:
            yield "7H"

    assert refused(cards=endless()) == ("cards", 41, "at most 40 cards")
    assert MOST == {"indian": 40, "basic": 40, "gin": 40, "tile": 106}


def test_a_batch_answers_in_order_and_a_bad_line_stops_nothing():
    lines = [
        json.dumps({"id": "a", "ruleset": "indian-13", "cards": ["KS", "AS", "2S"]}),
        "",
        "{not json",
        json.dumps({"id": 4, "ruleset": "nobody-13", "cards": ["KS"]}),
        json.dumps({"id": 5, "ruleset": "indian-13", "cards": ["KS", "XX"]}),
        json.dumps({"id": 6, "ruleset": "indian-13", "cards": "KS"}),
        b'{"id":7,"ruleset":"indian-13","cards":["\xff"]}',
        "x" * (MOST_LINE + 1),
        json.dumps(
            {
                "id": 9,
                "ruleset": "indian-13",
                "rules": {"set_max": "none"},
                "wild": "QD",
                "groups": [["5D", "5C", "JK", "QH", "QS"], ["2H", "3H", "4H"]],
                "loose": ["9C"],
            }
        ),
    ]

    answers = list(judge_batch(lines))

    assert [answer.get("id") for answer in answers] == ["a", None, 4, 5, None, None, None, 9]
    assert [answer.get("error", {}).get("line") for answer in answers] == [
        None,
        3,
        4,
        5,
        6,
        7,
        8,
        None,
    ]
    assert [answer["error"]["part"] for answer in answers if "error" in answer] == [
        "line",
        "ruleset",
        "cards",
        "line",
        "line",
        "line",
    ]
    assert answers[0]["points"] == 22
    assert kinds(answers[-1]) == ["set", "pure-sequence"]


def test_the_corpus_of_arrangements_goes_through_a_batch():
    cases = [
        json.loads(line) for line in (CORPUS / "arrange.jsonl").read_text("utf-8").splitlines()
    ][:60]
    lines = [
        json.dumps(
            {"id": case["id"], "ruleset": preset, "wild": case["wild"], "cards": case["cards"]}
        )
        for case in cases
        for preset in case["points"]
    ]

    assert [
        (answer["id"], answer["points"], answer["declarable"]) for answer in judge_batch(lines)
    ] == [
        (case["id"], case["points"][preset], case["declarable"][preset])
        for case in cases
        for preset in case["points"]
    ]
