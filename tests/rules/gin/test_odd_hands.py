"""Odd hands: two rules meet, a line is missing or late, or a card was not seen."""

import msgspec
import pytest

from rummy_audit.rules.replay import replay
from tests.rules.gin.hands import (
    DEAL,
    DEALT,
    KNOCK,
    LAYOFF,
    SCORE,
    SHOW,
    SHOWDOWN,
    UPCARD,
    found,
    hand,
    judged,
    said,
    turns,
)

PLAY = "draw 1 stock 5S\n" + SHOWDOWN
FIRST, SECOND = (f"deal {seat} {cards}" for seat, cards in DEALT.items())
OFFER = f"upcard {UPCARD}\npass 1\npass 2"
BEFORE_THE_WALL = turns(*(1, 2) * 14, 1)


@pytest.mark.parametrize("kind", ["wrong-dealer 2", "not-shuffled", "exposed-card 2 2S", "other"])
@pytest.mark.parametrize("place", [0, 1], ids=["before-the-deal", "between-the-deals"])
def test_an_irregularity_in_the_deal_does_not_end_it(kind, place):
    start = [FIRST, SECOND]
    start.insert(place, f"irregularity {kind}")
    result = judged(PLAY, start="\n".join([*start, OFFER]))

    codes = {each.code for each in result.findings if each.severity != "note"}
    of_the_deal = {"dealer-wrong", "deal-unshuffled", "deal-exposed", "misdeal-not-called"}
    assert codes <= of_the_deal
    assert result.result.scores == {1: 24, 2: 0}


@pytest.mark.parametrize("void", ["", "void cause=stock-exhausted\n"], ids=["end", "void"])
def test_a_dead_hand_may_be_scored_before_it_is_called_void(void):
    body = f"{BEFORE_THE_WALL}\nscore 1=0 2=0\n{void}"

    assert found(body, end="end void") == []


@pytest.mark.parametrize("void", ["", "void\n", "void cause=stock-exhausted\n"])
def test_a_dead_hand_does_not_deal_with_its_misdeal(void):
    """003 Faced Cards: the new deal was due before the first draw."""
    start = f"{DEAL}\nirregularity exposed-card 2 2S\n{OFFER}"

    assert found(f"{BEFORE_THE_WALL}\n{void}", start=start, end="end void") == [
        "deal-exposed 3/2",
        "misdeal-not-called 7/2",
    ]


@pytest.mark.parametrize("detail", ["shown", "scores"])
def test_whether_a_void_was_right_is_not_run_without_the_play(detail):
    result = judged("score 1=0 2=0", start="", detail=detail, end="end void")

    assert said(result) == []
    assert "void-unfounded" in {each.check for each in result.not_run}


def test_a_card_exposed_after_the_upcard_is_no_misdeal():
    start = f"{DEAL}\nupcard {UPCARD}\nirregularity exposed-card 2 2S"
    body = "misdeal cause=exposed-card"

    assert "misdeal-unfounded 5" in found(body, start=start, end="end misdeal")


@pytest.mark.parametrize("act", ["draw 2 stock 2S", "draw 2 discard 5S", "discard 2 5C", "pass 2"])
def test_what_is_played_after_the_knock_is_one_finding_and_counts_for_nothing(act):
    knock, *rest = SHOWDOWN.splitlines()
    result = judged("\n".join(["draw 1 stock 5S", knock, act, *rest]))

    assert said(result) == ["event-after-end 8/2"]
    assert result.result.scores == {1: 24, 2: 0}


def test_whoever_holds_the_wrong_hand_has_no_choice():
    short = " ".join(DEALT[1].split()[:9])
    start = f"deal 1 {short}\n{SECOND}\n{OFFER}"
    slip = "draw 1 stock *\ndiscard 1 *\nirregularity wrong-count 1\n"

    own = found(f"{slip}choice 1 redeal\nmisdeal cause=wrong-count", start=start, end="end misdeal")
    other = found(
        f"{slip}choice 2 redeal\nmisdeal cause=wrong-count", start=start, end="end misdeal"
    )
    assert "misdeal-unfounded 10" in own
    assert "misdeal-unfounded 10" not in other


def test_lay_offs_without_a_knock_are_one_finding():
    lays = "layoff 2 TS > 2\nlayoff 2 8C > 1"

    assert found(f"{turns(1)}\n{lays}", end="end abandoned") == ["layoff-invalid 8/2"]


def test_an_exposed_card_is_no_reason_where_it_makes_no_misdeal():
    start = f"{DEAL}\nirregularity exposed-card 2 2S\nmisdeal cause=exposed-card"

    def without_notes(rules):
        codes = found("", start=start, rules=rules, end="end misdeal")
        return [each for each in codes if not each.endswith("note")]

    assert without_notes("misdeal_exposed_card=true") == []
    assert without_notes("misdeal_exposed_card=false") == ["misdeal-unfounded 4"]


def test_a_draw_written_down_after_its_knock_refuses_no_knock():
    """003 Illegal Knock: it is the opponent who may play on."""
    knock, *rest = SHOWDOWN.splitlines()
    log = "\n".join([knock, "draw 1 stock 5S", *rest])
    result = judged(log, detail="table")

    assert said(result) == ["knock-without-draw 6/1"]
    assert result.result.scores == {1: 24, 2: 0}


BARE = KNOCK.removesuffix(" / 5S")


@pytest.mark.parametrize("detail", ["full", "table"])
@pytest.mark.parametrize(
    ("lines", "slip"),
    [
        (f"{BARE}\ndiscard 1 5S", "discard-missing 7/1"),
        (f"discard 1 5S\n{BARE}", "knock-without-draw 8/1"),
    ],
    ids=["behind-it", "before-it"],
)
def test_the_card_thrown_with_a_knock_on_a_line_of_its_own_is_one_slip(lines, slip, detail):
    """003 Knocking: the final card is thrown with the knock."""
    result = judged(f"draw 1 stock 5S\n{lines}\n{LAYOFF}\n{SHOW}\n{SCORE}", detail=detail)

    assert (said(result), result.result.scores) == ([slip], {1: 24, 2: 0})


@pytest.mark.parametrize("detail", ["full", "table"])
def test_a_card_thrown_late_may_leave_too_much(detail):
    knock = f"{BARE.replace('2D', '5S')}\ndiscard 1 2D"
    body = f"draw 1 stock 5S\n{knock}\n{LAYOFF}\n{SHOW}\nscore 1=21 2=0 winner=1"
    result = judged(body, detail=detail)

    assert said(result) == ["discard-missing 7/1", "knock-over-limit 7/1"]


def test_a_card_that_was_taken_late_lay_on_top_before_the_discard():
    turn = "draw 1 stock 3S\ndiscard 1 3S\n"
    late = f"{turn}discard 2 8C\ndraw 2 discard {{}}\n{turn.replace('3S', '4S')}"

    assert found(late.format("3S"), end="end abandoned") == ["draw-missing 8/2"]
    assert found(late.format(UPCARD), end="end abandoned") == [
        "draw-missing 8/2",
        "draw-not-top 9/2",
    ]


def test_two_hands_shown_by_one_amendment_are_two_hands():
    """What an amendment puts in the place of one line has that line's number, all of it."""
    own = "show 1 7S 7H 7D | JS QS KS + AH 2H 2D 3C"
    log_ = f"draw 1 stock 5S\n{KNOCK}\n{LAYOFF}\nnote shown\n{SCORE}"
    right = hand(f"{log_}\namend 9 by=scorer : note x")
    *before, amendment = right.events
    shows = hand(f"{own}\n{SHOW}", start="", detail="shown").events
    both = tuple(msgspec.structs.replace(each, seq=0) for each in shows)
    amendment = msgspec.structs.replace(amendment, replace=both)
    result = replay(msgspec.structs.replace(right, events=(*before, amendment)))

    assert (said(result), result.result.scores) == ([], {1: 24, 2: 0})


@pytest.mark.parametrize("detail", ["full", "table", "shown"])
def test_a_hand_may_be_shown_without_the_cards_that_are_laid_off_after_it(detail):
    body = f"{KNOCK}\n{SHOW}\n{LAYOFF}\n{SCORE}"
    result = judged(
        body if detail == "shown" else f"draw 1 stock 5S\n{body}",
        detail=detail,
        **({"start": ""} if detail == "shown" else {}),
    )

    assert (said(result), result.result.scores) == ([], {1: 24, 2: 0})


def test_the_hand_of_the_other_seat_is_one_finding_with_all_its_cards():
    mistaken = SHOW.replace("show 2", "show 1")
    result = judged(f"draw 1 stock 5S\n{KNOCK}\n{LAYOFF}\n{mistaken}\n{SCORE}")

    assert said(result) == ["card-not-held 9/1", "hand-size 9/1"]
    assert result.findings[0].data == {"cards": mistaken.split("1 ")[1].replace("+ ", "").split()}
    assert result.result.scores == {1: 24, 2: 0}


def test_a_missing_discard_that_stands_behind_the_others_knock_is_one_slip():
    """003 Gameplay: it was owed before the knock, and leaves the hand that is shown."""
    knock = f"{KNOCK}\ndiscard 2 4D\n{LAYOFF}\n{SHOW}\n{SCORE}"
    result = judged(f"{turns(1)}\ndraw 2 stock 4D\ndraw 1 stock 5S\n{knock}")

    assert (said(result), result.result.scores) == (["discard-missing 9/2"], {1: 24, 2: 0})


def test_a_discard_that_follows_a_whole_turn_late_is_no_turn_without_its_draw():
    """003 Gameplay: what follows shows whether it was the missing one or that turn's own."""
    late = "draw 1 stock 4S\ndraw 2 stock 4D\ndiscard 2 4D\ndiscard 1 4S\n"
    its_own = f"{late}{turns(2, 1)}"
    over_it = f"{late}draw 1 discard 4D\ndiscard 1 3C"

    assert found(f"{late}{turns(1, 2)}", end="end abandoned") == ["discard-missing 7/1"]
    assert found(over_it, end="end abandoned") == ["discard-missing 7/1"]
    assert found(its_own, end="end abandoned") == ["discard-missing 7/1", "draw-missing 9/1"]


def test_a_missing_discard_may_stand_behind_the_next_turns_own():
    late = "draw 1 stock 4S\ndraw 2 stock 4D\ndiscard 2 4D\ndraw 1 stock 4C\ndiscard 1 4S\n"

    assert found(f"{late}discard 1 4C\n{turns(2)}", end="end abandoned") == ["discard-missing 7/1"]
    twice = "draw 1 stock 4S\ndraw 1 stock 4C\ndiscard 1 4C\ndiscard 1 4S\n"
    assert found(f"{twice}{turns(2)}", end="end abandoned") == [
        "second-draw 7/1",
        "second-discard 9/1",
    ]


def test_a_discard_that_stands_too_early_is_the_discard_of_its_turn():
    early = "draw 1 stock 4S\ndiscard 2 TH\ndiscard 1 4S\ndraw 2 stock 4D\n"

    assert found(f"{early}{turns(1, 2)}", end="end abandoned") == ["out-of-turn 7/2"]
