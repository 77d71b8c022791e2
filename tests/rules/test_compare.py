"""The same hand under another ruleset: what differs, and by which setting."""

import pytest

from rummy_audit.rhl.read import read
from rummy_audit.rules.compare import compare, under
from rummy_audit.rules.rulesets import RulesetError

FIVE = """\
hand five rhl=1 ruleset=indian-13-circle detail=shown
player 1 Asha
player 2 Bilal
wild QD
declare 1 2H 3H 4H 5H | 5C 6C 7C 8C | 5D 5C JK QH QS / KS
show 2 4H 5H 6H | 8C 9C TC | 9S 9D 9H + KS KD 9D 7D
score 1=0 2=36 winner=1
end
"""


def hand(text):
    (read_hand,) = read(text.encode())
    return read_hand


def told(comparison):
    return [
        (
            each.what,
            each.seat,
            getattr(each.here, "code", each.here),
            getattr(each.there, "code", each.there),
            [setting.parameter for setting in each.parameters],
        )
        for each in comparison.differences
    ]


def test_a_set_of_five_stands_by_one_book_and_not_by_the_other():
    five = hand(FIVE)

    comparison = compare(five, under(five, "indian-13"))

    assert (comparison.mine.verdict, comparison.theirs.verdict) == ("clean", "flagged")
    assert told(comparison) == [
        ("verdict", None, "clean", "flagged", ["set_max"]),
        ("winner", None, 1, 2, ["set_max"]),
        ("points", 1, 0, 80, ["set_max"]),
        ("points", 2, 36, 0, ["set_max"]),
        ("finding", 1, None, "set-too-long", ["set_max"]),
        ("finding", 1, None, "wrong-declaration", ["set_max"]),
        ("finding", 1, None, "wrong-declaration-accepted", ["set_max"]),
        ("finding", 1, None, "penalty-points-wrong", ["set_max"]),
        ("finding", 2, None, "score-wrong", ["set_max"]),
        ("finding", 1, None, "winner-wrong", ["set_max"]),
    ]


def test_what_needs_two_settings_names_both():
    # By unsequenced counting the set costs its cards; the cap keeps it from showing alone.
    text = FIVE.replace("5D 5C JK QH QS / KS", "5D 5C JK QH 5S / KS").replace("rhl=1", "rhl=1", 1)
    text = text.replace("wild QD\n", "rules cap=5 loser_counts=unsequenced\nwild QD\n")
    text = text.replace("2=36", "2=5")
    two = hand(text)

    comparison = compare(two, under(two, "indian-13-circle"))

    points = [each for each in told(comparison) if each[0] == "points"]
    assert points == [("points", 2, 5, 36, ["cap", "loser_counts"])]


def test_the_same_rules_differ_in_nothing():
    five = hand(FIVE)

    assert told(compare(five, under(five, "indian-13-circle"))) == []


def test_another_game_is_no_other_ruleset():
    with pytest.raises(RulesetError, match="a ruleset of the game indian"):
        under(hand(FIVE), "gin")
