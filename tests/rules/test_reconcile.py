"""Settings that would make the rules agree with what a table wrote down."""

import pytest

from rummy_audit.rhl.read import read
from rummy_audit.rules.reconcile import Reconciled, reconcile
from rummy_audit.rules.rulesets import for_hand

HEAD = (
    "hand T4-17 rhl=1 ruleset=indian-13 detail=scores\nplayer 1 Asha\nplayer 2 Bilal\nplayer 3 C\n"
)


def hand(lines, head=HEAD):
    [read_hand] = read(f"{head}{lines}end\n".encode())
    return read_hand


def found(lines, **words):
    one = hand(lines)
    return reconcile(one, for_hand(one.record), **words)


def test_where_nothing_is_wrong_there_is_nothing_to_explain():
    lines = "score 1=20 2=0 3=40 winner=2 marks 1=first-drop 3=middle-drop\n"

    assert found(lines) == Reconciled(codes=(), settings=())


def test_a_number_that_was_written_down_may_be_the_platforms_setting():
    lines = "score 1=25 2=0 3=40 winner=2 marks 1=first-drop 3=middle-drop\n"

    assert found(lines).settings == (("first_drop", 25),)


def test_two_settings_may_explain_together_what_neither_does_alone():
    lines = "score 1=25 2=0 3=50 winner=2 marks 1=first-drop 3=middle-drop\n"

    assert found(lines) == Reconciled(
        codes=("penalty-points-wrong",), settings=(("first_drop", 25), ("middle_drop", 50))
    )


def test_a_slip_that_no_rule_explains_stays_one():
    lines = "score 1=1 2=0 3=40 winner=1 marks 1=full 3=middle-drop\n"
    reconciled = found(lines)

    assert reconciled.settings is None
    assert reconciled.codes


def test_what_explained_other_hands_is_tried_first():
    lines = "score 1=20 2=0 3=300 winner=2 marks 1=first-drop 3=wrong\n"
    first = (("wrong_declaration_points", 300),)

    assert found(lines, first=[first]).settings == first


@pytest.mark.parametrize("ruleset", ["indian-13-central", "indian-13-circle"])
def test_leaving_before_the_first_draw_is_a_first_drop_elsewhere(ruleset):
    """The books differ: 001 makes it a middle drop, 000 and 003 a first drop."""
    head = (
        "hand T4-17 rhl=1 ruleset=indian-13 detail=table dealer=2\n"
        "player 1 Asha\nplayer 2 Bilal\nplayer 3 C\n"
    )
    lines = "deal 1 x13\ndeal 2 x13\ndeal 3 x13\nupcard KS\nwild 7D\nleave 3\ndrop 1\n"
    lines += "score 1=20 2=0 3=20 winner=2\n"
    one = hand(lines, head)
    other = hand(lines, head.replace("indian-13 ", f"{ruleset} "))

    assert reconcile(other, for_hand(other.record)).settings == ()
    assert reconcile(one, for_hand(one.record)).settings == (("leave_before_draw", "first"),)
