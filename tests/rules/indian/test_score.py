"""001 Scoring Rules: what is shown and counted."""

import pytest

from tests.rules.indian.hands import (
    BOTH,
    RIGHT,
    SHOWN,
    WON,
    found,
    judged,
    not_run,
    said,
    scored,
    turns,
)

# What is counted


def test_a_score_by_the_rules_comes_with_its_sum():
    result = scored("score 1=0 2=33 3=55 winner=1")

    assert said(result) == []
    assert sum(term.points for term in result.result.breakdown[2]) == 33
    assert {card for term in result.result.breakdown[2] for card in term.cards} == {
        *("2C", "8H", "9C", "4C", "AS")
    }


def test_wrong_points_of_one_seat():
    (finding,) = scored("score 1=0 2=43 3=55 winner=1").findings

    assert (finding.code, finding.seq, finding.seat) == ("score-wrong", 10, 2)
    assert (finding.recorded, finding.expected) == (43, 33)
    assert sum(term.points for term in finding.breakdown) == 33
    assert finding.rule.parameter == "judge_losers"


def test_wrong_points_of_several_seats_are_one_finding():
    (finding,) = scored("score 1=5 2=43 3=55 winner=1").findings

    assert (finding.code, finding.seat, finding.data) == ("score-wrong", None, {"seats": [1, 2]})
    assert (finding.recorded, finding.expected) == ({1: 5, 2: 43}, {1: 0, 2: 33})


def test_the_winner_has_nought():
    (finding,) = scored("score 1=13 2=33 3=55 winner=1").findings

    assert (finding.code, finding.seat, finding.expected, finding.rule) == (
        "score-wrong",
        1,
        0,
        None,
    )


def test_a_seat_left_out_of_the_points():
    assert said(scored("score 1=0 2=33 winner=1")) == ["score-missing 10/3"]
    assert said(scored("score 2=33 3=55 winner=1")) == ["score-missing 10/1"]


def test_no_score_at_all():
    assert said(scored("")) == ["score-missing 0"]
    assert said(scored("score winner=1")) == ["score-missing 10"]
    assert said(scored("", end="end abandoned")) == []
    assert said(scored("", end="")) == []


def test_a_hand_that_nobody_has_won_is_not_scored():
    body = f"{turns(1, 2)}\nscore 1=0 2=33 3=55 winner=1"

    assert found(body) == ["hand-not-ended 10"]
    assert found(body, end="") == []
    assert found(body, end="end abandoned") == []
    assert judged(body).result.scores == {}


def test_a_named_winner_who_has_not_won():
    (finding,) = scored("score 1=0 2=33 3=55 winner=2").findings

    assert (finding.code, finding.seat) == ("winner-wrong", 2)
    assert (finding.recorded, finding.expected) == (2, 1)
    both = said(scored("score 1=0 2=0 3=55 winner=2"))
    assert both == ["score-wrong 10/2", "winner-wrong 10/2"]


def test_whoever_is_marked_as_the_winner_is_named_as_one_too():
    (finding,) = scored("score 1=0 2=33 3=55 winner=1 marks 2=won").findings

    assert (finding.code, finding.seat, finding.expected) == ("winner-wrong", 2, 1)
    assert said(scored("score 1=0 2=33 3=55 winner=1 marks 1=won")) == []
    sheet = {"detail": "scores", "start": ""}
    assert found("score 1=0 2=33 3=55 winner=1 marks 2=won", **sheet) == ["winner-wrong 1/2"]


def test_a_score_that_was_corrected_at_the_table():
    body = "score 1=0 2=43 3=55\nruling ref1 10 score-corrected\nscore 1=0 2=33 3=55 winner=1"

    assert said(scored(body)) == ["score-wrong 10/2 note"]
    assert said(scored(body.replace("2=33", "2=44"))) == [
        "score-wrong 10/2 note",
        "score-wrong 12/2",
    ]
    assert said(scored(body.split("\nscore", maxsplit=1)[0])) == ["score-wrong 10/2"]


def test_amendments_are_judged_as_if_they_had_been_written_so():
    body = "score 1=0 2=43 3=55 winner=1"

    assert said(scored(body, end="end\namend 10 : score 1=0 2=33 3=55 winner=1")) == []
    assert said(scored(body, end="end\namend 10 : score 1=0 2=44 3=55")) == ["score-wrong 10/2"]
    assert said(scored(body, end="end\namend 10")) == ["score-missing 0"]


def test_an_amended_hand_record_changes_the_rules_it_is_judged_by():
    record = "hand rhl=1 ruleset=indian-13 detail=full dealer=3 ; player 1 ; player 2 ; player 3"
    amended = f"end\namend 0 : {record} ; rules cap=50"

    assert said(scored("score 1=0 2=33 3=55 winner=1", end=amended)) == ["score-wrong 10/3"]


def test_a_missed_event_goes_in_beside_its_neighbour():
    body = f"{turns(1)}\ndraw 2 stock 7S\ndraw 3 stock 7D\ndiscard 3 7D"

    assert found(body, end="") == ["discard-missing 9/2"]
    amended = body + "\namend 8 : draw 2 stock 7S ; discard 2 7S"
    assert found(amended, end="") == []


def test_two_declarations_that_one_amendment_put_in_are_answered_each_by_itself():
    wrong = "declare 2 3S 4S 5S | 6S TD JD | QD KD 2C | 8H 9C AS 4C / 2S"
    body = f"{RIGHT}\n{SHOWN[3]}\nscore 1=0 2=80 3=55 winner=1"
    amended = judged(body, detail="shown", end=f"end\namend 2 : {wrong} ; {RIGHT} ;")
    written = judged(f"{wrong}\n{body}", detail="shown")

    assert amended.verdict == written.verdict == "clean"
    assert [each.split()[0] for each in said(amended)] == [
        each.split()[0] for each in said(written)
    ]
    assert all(each.handled for each in amended.findings)


# What is shown


def test_a_loser_who_shows_no_groups_is_counted_by_the_best():
    loose = "show 2 + 3S 4S 5S 6S TD JD QD KD 2C 8H 9C 4C AS\n"

    assert scored("score 1=0 2=33 3=55", loose + SHOWN[3] + "\n").verdict == "clean"
    assert scored("score 1=0 2=33 3=55", SHOWN[3] + "\n").verdict == "clean"


def test_shown_groups_count_as_they_lie():
    # Two sequences lie in the hand; what is shown has one.
    shown = "show 2 3S 4S 5S 6S | TD JD QD + KD 2C 8H 9C 4C AS\n"
    result = scored("score 1=0 2=43 3=55", shown + SHOWN[3] + "\n")
    (note,) = result.findings

    assert (note.code, note.severity, note.recorded, note.expected) == (
        *("arrangement-not-best", "note"),
        *(43, 33),
    )
    best = scored("score 1=0 2=33 3=55", shown + SHOWN[3] + "\n", rules="judge_losers=best")
    assert best.verdict == "clean"


def test_shown_groups_without_the_two_sequences_count_all_cards():
    shown = "show 2 3S 4S 5S 6S + TD JD QD KD 2C 8H 9C 4C AS\n"
    result = scored("score 1=0 2=80 3=55", shown + SHOWN[3] + "\n")

    assert said(result) == ["arrangement-not-best 8/2 note"]


@pytest.mark.parametrize(
    ("shown", "codes"),
    [
        pytest.param(
            "show 2 3S 4S 5S 6S | TD JD QD KD + 2C 8H 9C 4C AC",
            ["card-not-held 8/2"],
            id="not-held",
        ),
        pytest.param(
            "show 2 3S 4S 5S 6S | TD JD QD KD + KD 2C 8H 9C 4C AS",
            ["card-in-two-groups 8/2"],
            id="twice",
        ),
        pytest.param(
            "show 2 3S 4S 5S 6S | TD JD QD KD + 2C 8H 9C 4C",
            ["hand-size 8/2", "score-wrong 10/2"],
            id="one-left-out",
        ),
        pytest.param(
            "show 2 3S 4S 5S 6S | TD JD QD KD + 2C 8H 9C 4C AS AC",
            ["card-not-held 8/2"],
            id="one-too-many",
        ),
        pytest.param(
            "show 2 3S 4S 5S 6S | TD JD QD KD + 2C 8H 9C AC",
            ["card-not-held 8/2", "hand-size 8/2"],
            id="not-held-and-left-out",
        ),
        pytest.param(
            "show 2 3S 4S 5S 6S | TD JD QD KD + 2C 8H 9C 4C JK", ["card-not-held 8/2"], id="a-joker"
        ),
        pytest.param(
            "show 2 3S 4S 5S 6S | TD JD QD KD + 2C 8H 9C 4C R9",
            ["card-not-in-deck 8/2"],
            id="no-card",
        ),
    ],
)
def test_a_show_is_the_hand_and_nothing_else(shown, codes):
    score = "score 1=0 2=23 3=55" if "score-wrong 10/2" in codes else "score 1=0 2=33 3=55"
    result = scored(score, f"{shown}\n{SHOWN[3]}\n")

    assert said(result) == codes
    assert result.verdict == "flagged"
    known = "card-in-two-groups 8/2" in codes or "score-wrong 10/2" in codes
    assert result.result.scores == ({1: 0, 2: 33, 3: 55} if known else {1: 0, 3: 55})


def test_what_a_log_leaves_out_of_a_show_is_not_known():
    """An empty list says that there were none; a field that is not there says nothing."""
    won = "winner=1"
    loose = "show 2 loose=2C,8H,9C,4C,AS\n"  # the groups are left out
    result = scored(f"score 1=0 2=47 3=55 {won}", loose + SHOWN[3] + "\n")
    assert (said(result), result.result.scores) == ([], {1: 0, 3: 55})
    assert not_run(result)["score-wrong"] == "only a part of the hand is in this log"

    groups = "show 2 3S 4S 5S 6S | TD JD QD KD\n"  # the loose cards are left out, but known
    assert said(scored(f"score 1=0 2=33 3=55 {won}", groups + SHOWN[3] + "\n")) == []
    assert said(scored(f"score 1=0 2=43 3=55 {won}", groups + SHOWN[3] + "\n")) == [
        "score-wrong 10/2"
    ]
    body = f"draw 1 stock\n{RIGHT}\n{groups}{SHOWN[3]}\nscore 1=0 2=47 3=55 {won}"
    assert found(body, detail="table") == []
    written = "show 2 3S 4S 5S 6S | TD JD QD KD loose=[]\n"
    assert "hand-size 8/2" in said(scored(f"score 1=0 2=33 3=55 {won}", written + SHOWN[3] + "\n"))

    # A show that names nothing shows nothing: the hand is counted by its best.
    assert said(scored(f"score 1=0 2=33 3=55 {won}", "show 2\n" + SHOWN[3] + "\n")) == []
    assert found(f"{RIGHT}\n{loose}{SHOWN[3]}\nscore 1=0 2=12 3=55 {won}", detail="shown") == []


def test_cards_held_back_count_all_the_same():
    # AS was not shown; the hand is known, so its ten points are.
    (size, score) = scored("score 1=0 2=23 3=55", f"{SHOWN[2][:-3]}\n{SHOWN[3]}\n").findings

    assert (size.recorded, size.expected) == (12, 13)
    assert (score.recorded, score.expected, score.cause.code) == (23, 33, "hand-size")


def test_a_slip_in_the_play_is_not_said_again_of_the_show():
    twice = "draw 2 stock 8C\ndraw 2 stock 7D\ndiscard 2 7D"
    body = f"{turns(1)}\n{twice}\n{turns(3)}\n{WON}{BOTH}score 1=0 2=33 3=55"

    assert found(body) == ["second-draw 9/2"]
    with_it = body.replace("4C AS", "4C AS 8C").replace("2=33", "2=41")
    assert found(with_it) == ["second-draw 9/2"]


@pytest.mark.parametrize("detail", ["table", "shown"])
def test_a_card_shown_twice_by_one_player_is_not_charged_to_the_next(detail):
    # Seat 2 names its 8H twice; the other copy is in the hand of seat 3.
    twice, other = SHOWN[2].replace("8H", "8H 8H"), SHOWN[3].replace("8D", "8H")
    body = f"{RIGHT}\n{twice}\n{other}\nscore 1=0 2=33 3=55"
    draw = "draw 1 stock\n" if detail == "table" else ""

    assert [each.split()[0] for each in found(draw + body, detail=detail)] == ["hand-size"]


def test_after_the_draw_somebody_is_caught_with_fourteen_cards():
    # Seat 2 drew and never discarded before seat 3 went on; all its cards count.
    body = f"{turns(1)}\ndraw 2 stock 8C\n{turns(3)}\n{WON}{BOTH}score 1=0 2=33 3=55"

    assert found(body) == ["discard-missing 9/2"]


def test_a_dropped_hand_may_be_shown_and_counts_its_drop():
    body = f"{turns(1)}\ndrop 2\n{turns(3)}\n{WON}{BOTH}score 1=0 2=20 3=55 winner=1"

    assert found(body) == []


# At the table: hands are counted as far as they are seen


def test_at_the_table_a_hand_that_is_not_shown_is_not_known():
    body = f"draw 1 stock\n{RIGHT}\n{SHOWN[3]}\nscore 1=0 2=47 3=55 winner=1"
    result = judged(body, detail="table")

    assert (said(result), result.result.scores) == ([], {1: 0, 3: 55})
    assert not_run(result)["score-wrong"] == "not all cards of the hand are known"


def test_at_the_table_a_show_that_is_too_small_is_not_counted():
    body = f"draw 1 stock\n{RIGHT}\n{SHOWN[2][:-3]}\n{SHOWN[3]}\nscore 1=0 2=23 3=55 winner=1"
    result = judged(body, detail="table")

    assert (said(result), result.result.scores) == (["hand-size 8/2"], {1: 0, 3: 55})


# Lower details


def test_who_is_not_in_the_hand_shows_declares_and_wins_nothing():
    won = f"{RIGHT}\n{SHOWN[2]}\nscore 1=0 2=33 winner={{}}"
    shows = f"{RIGHT}\nshow 5 + KH KD\n{SHOWN[2]}\nscore 1=0 2=33 winner=1"
    declares = f"{RIGHT.replace('declare 1', 'declare 5')}\n{won.format(1)}"
    two = {"players": 2, "detail": "shown"}

    assert found(declares, **two) == ["card-not-held 2/5"]
    assert found(shows, **two) == ["card-not-held 3/5"]
    assert found(f"draw 1 stock 5D\n{shows}", players=2) == ["card-not-held 7/5"]
    assert found(won.format(5), **two) == ["winner-wrong 4/5"]
    sheet = "score 1=0 2=33 winner=5"
    assert found(sheet, detail="scores", start="", players=2) == ["winner-wrong 1/5"]


def test_marks_tell_what_a_seat_was_charged_for():
    body = f"{RIGHT}\n{SHOWN[3]}\nscore 1=0 2={{}} 3=55 winner=1 marks 2={{}}"

    for mark, points, wrong in [
        *[("first-drop", 20, 40), ("middle-drop", 40, 20), ("left", 40, 20)],
        *[("wrong", 80, 60), ("absent", 17, None)],
    ]:
        assert found(body.format(points, mark), detail="shown") == []
        if wrong is not None:
            expected = ["penalty-points-wrong 4/2"]
            assert found(body.format(wrong, mark), detail="shown") == expected
    assert found(body.format(79, "full"), detail="shown") == ["score-wrong 4/2"]


@pytest.mark.parametrize("declared", [f"{RIGHT}\n", ""])
def test_001_drop_rules_who_is_marked_as_dropped_may_show_the_hand_all_the_same(declared):
    settings = {"detail": "shown", "start": "wild 7H"}
    body = f"{declared}{BOTH}score 1=0 2={{}} 3=55 winner=1 marks 2=first-drop"

    assert found(body.format(20), **settings) == []
    assert [each.split()[0] for each in found(body.format(33), **settings)] == [
        "penalty-points-wrong"
    ]


@pytest.mark.parametrize("detail", ["shown", "scores"])
def test_nothing_that_was_not_seen_is_passed(detail):
    result = judged("score 1=0 2=33 3=55 winner=1", detail=detail, start="")

    assert said(result) == []
    checks = not_run(result)
    assert {"out-of-turn", "second-draw", "deck-order", "hand-not-ended"} <= checks.keys()
    assert ("wrong-declaration" in checks) == (detail == "scores")
    assert {"score-wrong", "misdeal-too-late"} <= checks.keys()
    assert result.result.scores == {}


def test_whether_a_card_was_held_is_not_told_where_the_hands_are_not_seen():
    body = f"draw 1 stock\n{RIGHT}\n{BOTH}score 1=0 2=33 3=55"

    why = not_run(judged(body, detail="table"))["card-not-held"]
    assert why == "not every card of the hands was seen"
    assert "card-not-held" not in not_run(scored("score 1=0 2=33 3=55"))


def test_001_scoring_a_loser_who_shows_is_counted_though_nobody_noted_who_declared():
    settings = {"detail": "shown", "start": "wild 7H"}
    body = f"{BOTH}score 1=0 2=33 3={{}}"

    result = judged(body.format(55), **settings)
    assert (result.findings, result.result.scores) == ((), {2: 33, 3: 55})
    for ending in ["45", "45 winner=1", "45 marks 1=won"]:
        assert found(body.format(ending), **settings) == ["score-wrong 4/3"]
    # Whoever is named as winner, or has the only nought, need not be a loser.
    assert found(body.format("0 winner=3"), **settings) == []
    assert found(body.format(0), **settings) == []
