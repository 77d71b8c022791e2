"""003 Irregular Hands, Illegally Seeing a Card, Looking at Discard: what follows from each."""

import pytest

from tests.rules.gin.hands import (
    DEAL,
    KNOCK,
    LAYOFF,
    REFUSED,
    SCORE,
    SHOW,
    SHOWDOWN,
    found,
    judged,
    said,
    turns,
)

ABANDONED = "end abandoned"
DREW = "draw 1 stock 5S\n"
NINE = REFUSED.replace(" AD\n", "\n")  # seat 2 was dealt nine
KNOCKER_NINE = REFUSED.replace(" 3C\n", "\n")  # seat 1 was
BOTH = NINE.replace(" 3C\n", "\n")
ELEVEN = REFUSED.replace(" AD\n", " AD 4D\n")  # seat 2 was dealt eleven

COUNTED = "irregularity wrong-count 2\n"
HANDLED = ["deal-count 2/2 note"]
NOT_HANDLED = ["deal-count 2/2", "misdeal-not-called 6/2"]


# Irregular Hands, before the player's first draw


def test_a_wrong_count_found_before_the_players_first_draw_is_dealt_again():
    body = f"{COUNTED}misdeal cause=wrong-count"

    assert found(body, start=NINE, end="end misdeal") == [
        "deal-count 2/2 note",
        "irregularity-handled 6/2 note",
    ]
    # Seat 1 has drawn, but seat 2, whose hand is wrong, has not.
    assert found(f"{turns(1)}\n{body}", start=NINE, end="end misdeal") == [
        *HANDLED,
        "irregularity-handled 8/2 note",
    ]


def test_played_on_it_is_no_handled_irregularity():
    assert found(f"{COUNTED}{turns(1, 2)}", start=NINE, end=ABANDONED) == [
        "deal-count 2/2",
        "misdeal-not-called 7/2",
    ]


# after the first draw


def test_after_the_first_draw_one_wrong_hand_is_dealt_again_by_choice_only():
    called = f"{turns(1, 2)}\n{COUNTED}%smisdeal cause=wrong-count"

    assert found(called % "choice 1 redeal\n", start=NINE, end="end misdeal") == [
        *HANDLED,
        "irregularity-handled 10/2 note",
    ]
    assert found(called % "", start=NINE, end="end misdeal") == [
        *NOT_HANDLED,
        "misdeal-unfounded 11",
    ]


def test_after_the_first_draw_two_wrong_hands_are_dealt_again():
    noticed = f"{turns(1, 2)}\nirregularity wrong-count\n"

    assert found(f"{noticed}misdeal", start=BOTH, end="end misdeal") == [
        "deal-count 1/1 note",
        "deal-count 2/2 note",
        "irregularity-handled 10 note",
    ]
    assert "irregularity-handled 10 note" not in found(
        f"{noticed}{turns(1)}", start=BOTH, end=ABANDONED
    )


@pytest.mark.parametrize("choice", ["choice 1 play-on\n", ""])
def test_too_few_cards_are_put_right_by_drawing_without_discarding(choice):
    body = f"{turns(1, 2)}\n{COUNTED}{choice}{turns(1)}\ndraw 2 stock 3D\n{turns(1, 2)}"
    seq = 10

    assert found(body, start=NINE, end=ABANDONED) == [
        *HANDLED,
        f"irregularity-handled {seq}/2 note",
    ]


def test_too_few_cards_may_be_put_right_at_once():
    body = f"{turns(1, 2)}\n{COUNTED}choice 1 play-on\ndraw 2 stock 3D\n{turns(1, 2)}"

    assert found(body, start=NINE, end=ABANDONED) == [*HANDLED, "irregularity-handled 10/2 note"]


def test_too_few_cards_may_be_put_right_with_the_card_just_drawn():
    body = f"{turns(1)}\ndraw 2 stock 3D\n{COUNTED}choice 1 play-on\n{turns(1, 2)}"

    assert found(body, start=NINE, end=ABANDONED) == [*HANDLED, "irregularity-handled 9/2 note"]


def test_too_few_cards_may_be_put_right_beside_the_turns_own_draw():
    turn = "draw 2 stock 3D\ndraw 2 stock 3H\ndiscard 2 3H"
    body = f"{turns(1, 2)}\n{COUNTED}choice 1 play-on\n{turns(1)}\n{turn}\n{turns(1)}"

    assert found(body, start=NINE, end=ABANDONED) == [*HANDLED, "irregularity-handled 10/2 note"]


def test_too_few_cards_are_not_put_right_by_an_ordinary_turn():
    body = f"{turns(1, 2)}\n{COUNTED}choice 1 play-on\n{turns(1, 2, 1, 2)}"
    result = judged(body, start=NINE, end=ABANDONED)

    assert said(result) == [*NOT_HANDLED, "count-correction-wrong 15/2"]
    assert (result.findings[-1].recorded, result.findings[-1].expected) == (9, 10)


def test_too_many_cards_are_put_right_by_discarding_without_drawing():
    body = f"{turns(1, 2)}\n{COUNTED}choice 1 play-on\n{turns(1)}\ndiscard 2 4D\n{turns(1, 2)}"

    assert found(body, start=ELEVEN, end=ABANDONED) == [*HANDLED, "irregularity-handled 10/2 note"]


def test_too_many_cards_found_after_the_draw_are_put_right_in_the_next_turn():
    drew = f"{turns(1)}\ndraw 2 stock 3D\n{COUNTED}choice 1 play-on\ndiscard 2 3D\n"
    body = f"{drew}{turns(1)}\ndiscard 2 4D\n{turns(1, 2)}"

    assert found(body, start=ELEVEN, end=ABANDONED) == [*HANDLED, "irregularity-handled 9/2 note"]


def test_too_many_cards_are_not_put_right_by_an_ordinary_turn():
    body = f"{turns(1, 2)}\n{COUNTED}choice 1 play-on\n{turns(1, 2, 1, 2)}"

    assert found(body, start=ELEVEN, end=ABANDONED) == [*NOT_HANDLED, "count-correction-wrong 14/2"]


def test_who_puts_a_count_right_does_not_knock_before_the_next_turn():
    noticed = f"{turns(1, 2)}\nirregularity wrong-count 1\nchoice 2 play-on\n"
    knock = "knock 1 7S 7H 7D | JS QS KS + AH 2H 2D / 5S"
    at_once = f"{noticed}draw 1 stock 5S\n{knock}\n{LAYOFF}\n{SHOW}\nscore 1=17 2=0 winner=1"

    assert found(at_once, start=KNOCKER_NINE) == [
        "deal-count 1/1",
        "misdeal-not-called 6/1",
        "knock-while-barred 13/1",
    ]
    later = f"{noticed}draw 1 stock 3C\n{turns(2)}\n{DREW}{SHOWDOWN}"
    assert found(later, start=KNOCKER_NINE) == [
        "deal-count 1/1 note",
        "irregularity-handled 10/1 note",
    ]


def test_a_count_that_is_right_by_the_log_asks_for_nothing():
    assert found(f"{turns(1, 2)}\n{COUNTED}{turns(1, 2)}", end=ABANDONED) == [
        "irregularity-handled 10/2 note"
    ]


# after the hand


def ended(show, points, *, noticed="", knock=KNOCK, start=NINE):
    return judged(
        f"{DREW}{knock}\n{LAYOFF}\n{show}\n{noticed}score 1={points} 2=0 winner=1", start=start
    )


NINE_SHOWN = "show 2 KH KD KC + TH 8C 6D 5C 2C"


def test_found_after_the_hand_a_missing_card_counts_ten():
    result = ended(NINE_SHOWN, 33)

    assert said(result) == NOT_HANDLED
    assert [(term.what, term.points) for term in result.result.breakdown[1]] == [
        ("", 31),
        ("missing cards", 10),
        ("", -8),
    ]
    assert said(ended(NINE_SHOWN, 33, noticed=COUNTED)) == [
        *HANDLED,
        "irregularity-handled 10/2 note",
    ]


def test_the_points_without_the_penalty_are_a_consequence_of_the_deal():
    result = ended(NINE_SHOWN, 23)

    assert said(result) == [*NOT_HANDLED, "score-wrong 10/1"]
    assert (result.findings[-1].cause.code, result.findings[-1].cause.seq) == ("deal-count", 2)


def test_a_knocker_of_nine_cards_has_no_gin():
    start = f"{DEAL.replace('AH 2H 2D 3C', 'AH 2H 3H')}\nupcard 9H\npass 1\npass 2\n"
    gin = "knock 1 7S 7H 7D | JS QS KS | AH 2H 3H / 5S"
    result = judged(f"{DREW}{gin}\n{LAYOFF}\n{SHOW}\nscore 1=22 2=0 winner=1", start=start)

    # 32 against ten for the missing card; so the ten of spades could be laid off.
    assert said(result) == ["deal-count 1/1", "misdeal-not-called 6/1"]
    assert result.result.scores == {1: 22, 2: 0}


def test_an_undercut_by_nine_cards_has_no_bonus():
    start = NINE.replace("TS TH 8C 6D 5C 2C", "TD TH TC AS AC 3H")
    show = "show 2 KH KD KC | TD TH TC + AS AC 3H"
    result = judged(
        f"{DREW}{KNOCK.replace('AH 2H 2D 3C', '5D 2H 2D 6C')}\n{show}\nscore 1=0 2=0",
        start=start.replace("AH 2H 2D 3C", "5D 2H 2D 6C"),
    )

    # Fifteen of the knocker, over the limit but accepted, against five and ten: a tie.
    assert result.result.scores == {1: 0, 2: 0}


ELEVEN_SHOWN = "show 2 KH KD KC + TH 8C 6D 5C 2C AD 4D"


def test_a_hand_of_too_many_cards_pays_for_all_of_them():
    result = ended(ELEVEN_SHOWN, 28, start=ELEVEN)

    assert (said(result), result.result.scores) == (NOT_HANDLED, {1: 28, 2: 0})


def test_a_hand_of_too_many_cards_may_not_win():
    start = f"{DEAL.replace('2D 3C', '2D 3C 4C')}\nupcard 9H\npass 1\npass 2\n"
    knock = "knock 1 7S 7H 7D | JS QS KS + AH 2H 2D 3C 4C / 5S"
    lost = f"{DREW}{knock}\n{LAYOFF}\n{SHOW}\nscore 1=0 2=0"

    result = judged(lost, start=start, rules="knock_max=12")
    assert (said(result), result.result.scores, result.result.outcome) == (
        ["deal-count 1/1", "misdeal-not-called 6/1"],
        {1: 0, 2: 0},
        "drawn",
    )
    assert judged(lost, start=start, rules="knock_max=12 too_many_wins=true").result.scores == {
        1: 20,
        2: 0,
    }


def test_a_hand_that_went_wrong_in_play_has_no_penalty():
    # Seat 1 knocked without a draw and has nine cards: a slip of play, not of the deal.
    nine = f"knock 1 7S 7H 7D | JS QS KS + AH 2H 2D / 3C\n{LAYOFF}\n{SHOW}\n"

    assert judged(f"{nine}score 1=27 2=0 winner=1").result.scores == {1: 27, 2: 0}


# Illegally Seeing a Card

SAW = "irregularity saw-card 1 4D\n"


@pytest.mark.parametrize("body", [f"{DREW}{SAW}{SHOWDOWN}", f"{SAW}{DREW}{SHOWDOWN}"])
def test_who_saw_a_card_does_not_knock_in_that_turn(body):
    assert found(body) == ["knock-while-barred 8/1"]


def test_who_saw_a_card_may_go_gin():
    start = f"{DEAL.replace('AH 2H 2D 3C', 'AH 2H 3H 4H')}\nupcard 9H\npass 1\npass 2\n"
    gin = "knock 1 7S 7H 7D | JS QS KS | AH 2H 3H 4H / 5S"
    body = f"{DREW}{SAW}{gin}\n{SHOW.replace('+', '+ TS')}\nscore 1=67 2=0 winner=1"

    assert found(body, start=start) == ["irregularity-handled 7/1 note"]
    assert found(body, start=start, rules="seen_card_bars_knock=always") == [
        "knock-while-barred 8/1"
    ]


def test_who_saw_a_card_may_knock_in_the_next_turn():
    body = f"draw 1 stock 4C\n{SAW}discard 1 4C\n{turns(2)}\n{DREW}{SHOWDOWN}"

    assert found(body) == ["irregularity-handled 7/1 note"]
    assert found(f"{DREW}{SAW}{SHOWDOWN}", rules="seen_card_bars_knock=never") == [
        "irregularity-handled 7/1 note"
    ]


def saw(*acts, seer=1):
    lines = [
        f"draw {seer} stock 4C",
        f"irregularity saw-card {seer} 4D",
        f"discard {seer} 4C",
        *acts,
    ]
    return found("\n".join(lines), end=ABANDONED)


NOTED = ["irregularity-handled 7/1 note"]


def test_the_opponent_may_take_the_card_until_drawing_from_the_stock():
    assert saw("draw 2 exposed 4D", "discard 2 TH") == NOTED
    assert saw("draw 2 discard", "discard 2 TH", turns(1), "draw 2 exposed 4D") == NOTED
    assert saw(
        "draw 2 stock 3D", "discard 2 TH", "draw 1 discard", "discard 1 3C", "draw 2 exposed 4D"
    ) == ["exposed-card-taken 13/2"]


def test_then_the_offender_may_take_it_likewise():
    assert saw("draw 2 stock 3D", "discard 2 TH", "draw 1 exposed 4D", "discard 1 3C") == NOTED
    assert saw("draw 2 discard", "discard 2 TH", "draw 1 exposed 4D") == ["exposed-card-taken 11/1"]


def test_then_it_goes_to_the_discard_pile():
    assert saw("draw 2 stock 3D", "discard 2 TH", "draw 1 stock 3H", "draw 1 discard 4D") == [
        *NOTED,
        "second-draw 12/1",
    ]
    assert saw(turns(2, 1), "draw 2 exposed 4D") == [*NOTED, "exposed-card-taken 13/2"]


def test_who_saw_it_in_a_draw_out_of_turn_never_takes_it():
    body = """
        draw 1 stock 4C
        draw 2 stock 3D
        irregularity saw-card 2 4D
        discard 1 4C
        discard 2 3D
        draw 1 stock 3H
        discard 1 3H
        draw 2 exposed 4D
    """

    assert found(body, end=ABANDONED) == ["out-of-turn 7/2", "exposed-card-taken 13/2"]


def test_a_card_that_nobody_laid_open_cannot_be_taken():
    result = judged("draw 1 exposed 4D", end=ABANDONED)

    assert (said(result), result.verdict) == (["draw-not-top 6/1"], "impossible")


# Looking at Discard

LOOKED = f"{turns(1)}\nirregularity looked-back 2\n"


def test_who_looks_back_loses_the_next_draw():
    assert found(f"{LOOKED}{turns(2, 1)}", end=ABANDONED) == ["draw-while-barred 9/2"]


@pytest.mark.parametrize("turn", ["", "pass 2\n", "discard 2 TH\n"])
def test_the_turn_without_a_draw_goes_by(turn):
    assert found(f"{LOOKED}{turn}{turns(1, 2, 1)}", end=ABANDONED) == [
        "irregularity-handled 8/2 note"
    ]


def test_the_draw_of_the_next_turn_is_lost_when_this_turn_has_its_draw():
    body = f"{turns(1)}\ndraw 2 stock 3D\nirregularity looked-back 2\ndiscard 2 3D\n"

    assert found(f"{body}{turns(1)}\npass 2\n{turns(1)}", end=ABANDONED) == [
        "irregularity-handled 9/2 note"
    ]
    assert found(f"{body}{turns(1, 2)}", end=ABANDONED) == ["draw-while-barred 13/2"]


def test_players_may_agree_that_looking_back_is_free():
    assert found(f"{LOOKED}{turns(2, 1)}", end=ABANDONED, rules="looking_back=allowed") == [
        "irregularity-handled 8/2 note"
    ]


def test_a_consequence_that_never_came_due_is_handled():
    body = f"{turns(1, 2)}\nirregularity looked-back 2\n{DREW}{SHOWDOWN}"

    assert found(body) == ["irregularity-handled 10/2 note"]
    # As long as the hand is open it may still come.
    assert found(f"{turns(1, 2)}\nirregularity looked-back 2\n{turns(1)}", end="") == []


def test_other_irregularities_are_noted():
    assert found(f"irregularity other 1\n{DREW}{SHOWDOWN}") == ["irregularity-handled 6/1 note"]
    assert found(f"{DREW}{KNOCK}\n{LAYOFF}\n{SHOW}\n{SCORE}") == []
