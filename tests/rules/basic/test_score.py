"""The score: what the table wrote down, against the points by the rules."""

import pytest

from tests.rules.basic.play import audit, codes, found_in

DEAL = "deal 2 4H 5H 6H 2C\ndeal 3 KS KD AC 3H\ndeal 1 9C 9D 9S 8H\nupcard TC\n"
OUT = f"{DEAL}draw 2 stock 7H\nmeld 2 4H 5H 6H 7H\ndiscard 2 2C\n"
THREE = {"seats": (1, 2, 3), "rules": "hand_size=4"}
SUM = 2 * (24 + 35)


def scored(score, lines=OUT, **about):
    return audit(f"{lines}{score}\nend", **(THREE | about))


def test_the_right_score_is_clean():
    assert scored(f"score 1=0 2={SUM} 3=0 winner=2").verdict == "clean"
    assert scored(f"score 1=0 2={SUM} 3=0").verdict == "clean"


def test_a_wrong_score_names_the_seats_and_the_sum_behind_the_right_one():
    found = scored("score 1=0 2=59 3=0 winner=2")
    (wrong,) = found.findings

    assert (wrong.code, wrong.seq, wrong.seat) == ("score-wrong", 8, 2)
    assert (wrong.recorded, wrong.expected) == ({1: 0, 2: 59, 3: 0}, {1: 0, 2: SUM, 3: 0})
    assert [(term.what, term.points) for term in wrong.breakdown] == [
        ("seat 1", 35),
        ("seat 3", 24),
        ("going_rummy", 59),
    ]
    assert (wrong.rule.parameter, wrong.rule.source) == ("scoring", "002 7.1 Default Method")


def test_points_for_the_wrong_seat_are_one_finding_and_its_winner_another():
    assert codes(scored(f"score 1={SUM} 2=0 3=0 winner=1")) == [
        ("score-wrong", 8, None),
        ("winner-wrong", 8, 1),
    ]


def test_a_seat_left_out_is_found_at_the_score():
    assert codes(scored(f"score 1=0 2={SUM} winner=2")) == [("score-missing", 8, 3)]


def test_a_completed_hand_without_a_score_is_found_with_the_points_due():
    found = audit(f"{OUT}end", **THREE)

    assert codes(found) == [("score-missing", 0, None)]
    assert found.findings[0].expected == {1: 0, 2: SUM, 3: 0}


def test_a_hand_scored_before_anybody_went_out_has_not_ended():
    lines = f"{DEAL}draw 2 stock 7H\ndiscard 2 7H\n"

    assert codes(scored("score 1=0 2=30 3=0 winner=2", lines)) == [("hand-not-ended", 7, None)]
    assert found_in(f"{lines}score 1=0 2=30 3=0", **THREE) == []  # no end yet
    assert found_in(f"{lines}end abandoned", **THREE) == []


def test_a_score_written_anew_and_rightly_was_dealt_with():
    found = scored(f"score 1=0 2=59 3=0 winner=2\nscore 1=0 2={SUM} 3=0 winner=2")

    assert found.verdict == "clean"
    assert [(each.code, each.handled) for each in found.findings] == [("score-wrong", True)]


def test_a_score_that_a_ruling_corrected_was_dealt_with():
    """What the table wrote down instead is judged for itself."""
    ruled = "score 1=0 2=59 3=0 winner=2\nruling ref1 8 score-corrected"
    right, wrong = f"{ruled}\nscore 1=0 2={SUM} 3=0", f"{ruled}\nscore 1=0 2=60 3=0"

    assert [(each.code, each.handled) for each in scored(right).findings] == [("score-wrong", True)]
    assert codes(scored(wrong)) == [("score-wrong", 10, 2)]
    assert codes(scored(wrong.replace("score-corrected", "other"))) == [
        ("score-wrong", 8, 2),
        ("score-wrong", 10, 2),
    ]
    assert codes(scored(ruled)) == [("score-wrong", 8, 2)]
    sheet = {"lines": "", "detail": "scores", "rules": ""}
    twice = "score 1=5 2=59 3=0\nscore 1=6 2=59 3=0\nruling ref1 1 score-corrected"
    assert codes(scored(twice, **sheet)) == [("score-impossible", 2, None)]


def test_charged_players_pay_for_their_own_cards():
    rules = "hand_size=4 scoring=charged out_bonus=10"
    found = scored("score 1=70 2=0 3=48 winner=2", rules=rules)

    assert (codes(found), found.result.scores) == ([], {1: 70, 2: 0, 3: 48})
    assert codes(scored("score 1=35 2=0 3=24 winner=2", rules=rules)) == [("score-wrong", 8, None)]


def test_held_melds_count_unless_the_rules_spare_them():
    spared = scored("score 1=0 2=64 3=0 winner=2", rules="hand_size=4 hand_melds_count=false")

    assert (codes(spared), spared.result.scores) == ([], {1: 0, 2: 2 * (24 + 8), 3: 0})


@pytest.mark.parametrize(("ace", "more"), [(1, 0), (11, 20), (15, 28)])
def test_aces_count_as_the_rules_say(ace, more):
    found = audit(f"{OUT}end abandoned", **(THREE | {"rules": f"hand_size=4 ace_points={ace}"}))

    assert found.result.scores[2] == SUM + more


def test_the_bonus_of_going_out_is_added_after_the_factor():
    found = audit(f"{OUT}end abandoned", **(THREE | {"rules": "hand_size=4 out_bonus=10"}))

    assert found.result.scores[2] == SUM + 10


def test_a_stalemate_scores_nothing_for_anybody():
    lines = f"{DEAL}call 2 stalemate\n"
    rules = "hand_size=4 stalemate_call=table"

    assert codes(scored("score 1=0 2=0 3=0", lines, rules=rules)) == []
    assert codes(scored("score 1=0 2=59 3=0 winner=2", lines, rules=rules)) == [
        ("score-wrong", 6, 2),
        ("winner-wrong", 6, 2),
    ]


WHOLE = DEAL.replace("6H 2C", "6H 8H").replace("9S 8H", "9S 8D")


def test_a_last_card_melded_against_the_rules_is_its_own_finding_only():
    melded = f"{WHOLE}draw 2 stock 7H\nmeld 2 4H 5H 6H 7H 8H\n"
    found = scored(f"score 1=0 2={SUM} 3=0 winner=2", melded)

    assert (codes(found), found.result.winner) == ([("out-without-discard", 6, 2)], 2)


def test_a_table_that_plays_on_after_it_has_not_ended_the_hand():
    melded = f"{WHOLE}draw 2 stock 7H\nmeld 2 4H 5H 6H 7H 8H\ndraw 3 stock QC\ndiscard 3 QC\n"
    melded += "draw 1 stock QD\ndiscard 1 QD\ndraw 2 stock QS\ndiscard 2 QS\n"
    found = scored("score 1=0 2=59 3=0 winner=2", melded)

    assert codes(found) == [("out-without-discard", 6, 2)]
    assert found.result.scores == {1: 0, 2: 59, 3: 0}


AT_THE_TABLE = """
deal 2 x4
deal 3 x4
deal 1 x4
upcard TC
draw 2 stock
meld 2 4H 5H 6H 7H
discard 2 2C
"""


def test_at_the_table_points_come_from_the_shown_hands():
    shown = f"{AT_THE_TABLE}show 3 + KS KD AC 3H\nshow 1 + 9C 9D 9S 8H\n"
    found = scored(f"score 1=0 2={SUM} 3=0 winner=2", shown, detail="table")

    assert (found.verdict, found.result.scores) == ("clean", {1: 0, 2: SUM, 3: 0})
    assert codes(scored("score 1=0 2=59 3=0", shown, detail="table")) == [("score-wrong", 10, 2)]


@pytest.mark.parametrize("detail", ["full", "table"])
def test_a_show_that_names_no_cards_says_nothing_of_the_hand(detail):
    shown = f"{AT_THE_TABLE if detail == 'table' else OUT}show 3\nshow 1 + 9C 9D 9S 8H\n"
    found = scored("score 1=0 3=0 winner=2", shown, detail=detail)

    assert codes(found) == [("score-missing", 10, 2)]
    assert "hand-size" in {each.check for each in found.not_run}
    empty = scored("score 1=0 3=0 winner=2", shown.replace("show 3", "show 3 +"), detail=detail)
    assert ("hand-size", 8, 3) in codes(empty)


def test_a_hand_that_was_not_shown_leaves_the_winners_points_unknown():
    shown = f"{AT_THE_TABLE}show 3 + KS KD AC 3H\n"
    found = scored("score 1=0 2=118 3=0 winner=2", shown, detail="table")

    assert (codes(found), found.result.scores) == ([], {1: 0, 3: 0})
    assert [(each.check, each.why) for each in found.not_run] == [
        ("score-wrong", "the cards left to seat 1 are not known")
    ]
    assert codes(scored("score 1=5 2=118 3=0 winner=2", shown, detail="table")) == [
        ("score-wrong", 9, 1)
    ]
    assert codes(scored("score 1=0 2=2000 3=0 winner=2", shown, detail="table")) == [
        ("score-impossible", 9, 2)
    ]
