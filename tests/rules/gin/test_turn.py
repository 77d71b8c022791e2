"""003 Gameplay, Premature Play: the upcard offer, one draw and one discard a turn."""

import msgspec
import pytest

from rummy_audit.rules.replay import replay
from tests.rules.gin.hands import DEAL, REFUSED, found, hand, judged, not_run, said, turns

OFFER = f"{DEAL}\nupcard 9H\n"
ABANDONED = "end abandoned"
TAKES_1 = "draw 1 discard\ndiscard 1 3C"
TAKES_2 = "draw 2 discard\ndiscard 2 TH"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(f"{TAKES_1}\n{turns(2)}", [], id="the-non-dealer-takes-it"),
        pytest.param(f"pass 1\n{TAKES_2}\n{turns(1)}", [], id="the-dealer-takes-it"),
        pytest.param(f"pass 1\npass 2\n{turns(1, 2)}", [], id="refused-by-both"),
        pytest.param(f"{TAKES_2}\n{turns(1)}", ["upcard-order 4/2"], id="the-dealer-first"),
        pytest.param(f"{turns(1, 2)}", ["upcard-order 4/1"], id="the-stock-at-once"),
        pytest.param(f"pass 1\n{turns(1, 2)}", ["upcard-order 5/1"], id="the-dealer-left-out"),
        pytest.param(
            f"pass 1\n{turns(2, 1)}", ["upcard-order 5/2"], id="the-dealer-from-the-stock"
        ),
        pytest.param(f"pass 1\npass 2\n{TAKES_1}", ["upcard-order 6/1"], id="taken-after-all"),
        pytest.param(f"pass 1\npass 2\n{turns(2, 1)}", ["upcard-order 6/2"], id="the-dealer-draws"),
        pytest.param(f"pass 1\npass 2\npass 1\n{turns(1)}", ["upcard-order 6/1"], id="third-pass"),
        pytest.param(f"pass 1\npass 1\npass 2\n{turns(1)}", ["upcard-order 5/1"], id="pass-twice"),
        pytest.param(f"pass 2\npass 1\n{turns(1)}", ["upcard-order 4/2"], id="dealer-passes-first"),
        pytest.param(
            f"pass 2\npass 1\n{turns(2, 1)}", ["upcard-order 4/2"], id="who-dealt-is-mistaken"
        ),
        pytest.param(
            f"pass 1\ndraw 1 stock 4S\npass 2\ndiscard 1 4S\n{turns(2)}",
            ["upcard-order 5/1"],
            id="the-dealer-passes-late",
        ),
        pytest.param(f"pass 2\n{turns(1)}", ["upcard-order 4/2"], id="only-the-dealer-passes"),
        pytest.param("discard 1 3C", ["draw-missing 4/1"], id="nothing-drawn"),
        pytest.param("discard 2 TH", ["upcard-order 4/2"], id="not-even-offered"),
        pytest.param(
            f"upcard 4C\npass 1\npass 2\n{turns(1)}", ["upcard-order 4"], id="two-upcards"
        ),
    ],
)
def test_the_upcard_is_offered_to_the_non_dealer_and_then_to_the_dealer(body, expected):
    assert found(body, start=OFFER, end=ABANDONED) == expected


def test_an_upcard_after_the_first_draw():
    assert found(f"{turns(1)}\nupcard 4C\n{turns(2)}", end=ABANDONED) == ["upcard-order 8"]


@pytest.mark.parametrize("detail", ["full", "table"])
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"pass 1\npass 2\n{turns(1, 2)}", ["upcard-order 3"]),
        (f"draw 1 discard 9H\ndiscard 1 3C\n{turns(2)}", ["upcard-order 3"]),
        (f"draw 1 discard 9H\nupcard 9H\ndiscard 1 3C\n{turns(2)}", ["upcard-order 4"]),
        (turns(1, 2), ["upcard-order 3"]),
        (f"pass 1\nupcard 9H\npass 2\n{turns(1)}", ["upcard-order 4"]),
        (f"{turns(1)}\nupcard 9H\n{turns(2)}", ["upcard-order 5"]),
    ],
)
def test_a_log_of_the_play_without_its_upcard_is_one_slip(body, expected, detail):
    """003 Dealing."""
    result = judged(body, start=DEAL, detail=detail, end=ABANDONED)

    assert said(result) == expected


def test_without_an_offer_the_non_dealer_simply_begins():
    rules = "upcard_offer=false"

    assert found(turns(1, 2), start=OFFER, end=ABANDONED, rules=rules) == []
    assert found(turns(2, 1), start=OFFER, end=ABANDONED, rules=rules) == ["out-of-turn 4/2"]


def test_without_a_dealer_the_first_to_act_begins():
    result = judged(f"pass 2\npass 1\n{turns(2, 1)}", start=OFFER, end=ABANDONED, dealer=None)

    assert said(result) == []
    assert not_run(result) == {
        "upcard-order": "who dealt is not in this log, so who begins is not known"
    }


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            "draw 1 stock 4C\ndraw 1 stock 3D\ndiscard 1 4C", ["second-draw 7/1"], id="two"
        ),
        pytest.param("draw 1 stock 4C 3D\ndiscard 1 4C", ["second-draw 6/1"], id="two-at-once"),
        pytest.param(
            "draw 1 stock 4C\ndiscard 1 4C\ndiscard 1 3C", ["second-discard 8/1"], id="discards"
        ),
        pytest.param("discard 1 3C", ["draw-missing 6/1"], id="no-draw"),
        pytest.param(f"{turns(1)}\npass 2", ["draw-missing 8/2"], id="a-pass-for-a-turn"),
        pytest.param(
            f"{turns(1)}\ndraw 2 stock 4C\npass 2", ["discard-missing 9/2"], id="no-discard"
        ),
        pytest.param(
            "draw 1 stock 4C\ndiscard 2 TH\ndiscard 1 4C", ["out-of-turn 7/2"], id="discard"
        ),
        pytest.param(f"{turns(1)}\npass 1", ["out-of-turn 8/1"], id="a-pass-out-of-turn"),
    ],
)
def test_exactly_one_draw_and_one_discard(body, expected):
    # Whoever is next plays on, and nothing is found again.
    follows = turns(1) if "pass 2" in body else turns(2)

    assert found(f"{body}\n{follows}", end=ABANDONED) == expected


def test_a_seat_that_plays_twice_in_a_row_is_out_of_turn():
    assert found(turns(1, 1, 2, 1), end=ABANDONED) == ["out-of-turn 8/1"]


def test_a_seat_that_drew_out_of_turn_keeps_the_card_and_the_other_its_turn():
    body = f"{turns(1)}\ndraw 1 stock 3D\n{turns(2)}\ndiscard 1 3D"

    assert found(f"{body}\n{turns(2, 1)}", end=ABANDONED) == ["out-of-turn 8/1"]


BOTH_HOLD = "draw 1 stock 4C\ndraw 2 stock 3D\n"


def test_a_draw_before_the_opponent_discards_is_out_of_turn_and_stands():
    played = f"{BOTH_HOLD}discard 1 4C\ndiscard 2 3D\n{turns(1, 2)}"

    assert found(played, end=ABANDONED) == ["out-of-turn 7/2"]


def test_the_card_drawn_out_of_turn_is_the_draw_of_that_turn():
    played = f"{BOTH_HOLD}discard 1 4C\ndraw 2 stock 3H\ndiscard 2 3D\n{turns(1)}"

    assert found(played, end=ABANDONED) == ["out-of-turn 7/2", "second-draw 9/2"]


def test_a_draw_in_the_others_turn_is_the_next_turns_own_unless_one_was_left_out():
    """Who discarded without a draw and then drew has but made that good: one slip."""
    early = f"draw 1 stock 4C\n{turns(2)}\ndraw 1 stock 3D\ndiscard 1 4C\n{turns(2)}"

    assert found(f"{turns(1, 2, 1)}\n{early}", end=ABANDONED) == [
        "out-of-turn 12/1",
        "second-draw 15/1",
    ]
    assert found(f"{turns(1, 2)}\ndiscard 1 3C\n{early}", end=ABANDONED) == ["draw-missing 10/1"]
    assert found(f"{turns(1, 2)}\ndiscard 1 3C\n{turns(2, 1, 1)}", end=ABANDONED) == [
        "draw-missing 10/1",
        "out-of-turn 15/1",
    ]


def test_a_draw_left_out_is_made_good_once():
    """The turn after the late draw ends it, and a turn that the other lost is no late draw."""
    body = f"{turns(1, 2)}\ndiscard 1 3C\n"
    early = "draw 1 stock 4C\ndraw 2 stock 3D\ndiscard 2 3D\ndiscard 1 4C"
    lost = "irregularity looked-back 2"
    twice = "draw 1 stock 4D\ndraw 1 stock 3H\ndiscard 1 3H"

    assert found(f"{body}{early}\n{turns(2)}\n{twice}", end=ABANDONED) == [
        "draw-missing 10/1",
        "second-draw 18/1",
    ]
    assert found(f"{body}draw 1 stock 4C\ndiscard 1 4C\n{turns(2, 1)}", end=ABANDONED) == [
        "draw-missing 10/1",
        "second-discard 12/1",
    ]
    assert found(f"{body}{lost}\n{twice}", end=ABANDONED) == [
        "draw-missing 10/1",
        "irregularity-handled 11/2 note",
        "second-draw 13/1",
    ]


def test_a_draw_out_of_turn_that_the_table_noticed_is_handled():
    played = f"{BOTH_HOLD}irregularity out-of-turn 2\ndiscard 1 4C\ndiscard 2 3D\n{turns(1)}"

    assert found(played, end=ABANDONED) == [
        "out-of-turn 7/2 note",
        "irregularity-handled 8/2 note",
    ]


def test_a_draw_before_the_dealer_has_refused_that_the_table_noticed_is_handled():
    played = f"pass 1\ndraw 1 stock 4C\nirregularity out-of-turn 1\ndiscard 1 4C\n{turns(2)}"

    assert found(played, start=OFFER, end=ABANDONED) == [
        "upcard-order 5/1 note",
        "irregularity-handled 6/1 note",
    ]


@pytest.mark.parametrize("end", ["", ABANDONED])
def test_a_discard_that_never_comes_is_missing(end):
    assert found(f"{BOTH_HOLD}discard 2 3D\n{turns(1, 2)}", end=end) == ["discard-missing 7/1"]
    assert found(BOTH_HOLD, end=end) == ["discard-missing 7/1"]


def test_the_card_taken_from_the_pile_is_not_thrown_back():
    taken = f"{turns(1)}\ndraw 2 discard\ndiscard 2 *\n"

    assert found(taken, end=ABANDONED) == ["discard-just-taken 9/2"]
    assert found(taken, end=ABANDONED, rules="discard_just_taken=true") == []


def test_the_upcard_is_not_thrown_back_either():
    assert found("draw 1 discard\ndiscard 1 9H", start=OFFER, end=ABANDONED) == [
        "discard-just-taken 5/1"
    ]


def test_a_card_from_the_stock_may_be_thrown_at_once():
    assert found(f"{turns(1, 2, 1)}", end=ABANDONED) == []


def test_a_card_from_below_the_top_is_a_breach():
    result = judged("draw 2 discard 9H\ndiscard 2 TH", start=f"{REFUSED}{turns(1)}", end=ABANDONED)

    assert said(result) == ["draw-not-top 8/2"]
    assert result.findings[0].recorded == "9H"


def test_one_card_may_be_written_as_a_list_of_one():
    right = hand("draw 2 discard 9H\ndiscard 2 TH", start=f"{REFUSED}{turns(1)}", end=ABANDONED)
    *before, drawn, thrown = right.events
    listed = msgspec.structs.replace(drawn, card=None, cards=(drawn.card,))
    written_so = msgspec.structs.replace(right, events=(*before, listed, thrown))

    assert said(replay(written_so)) == said(replay(right)) == ["draw-not-top 8/2"]


@pytest.mark.parametrize("card", ["3D", "KH"])
def test_a_card_that_is_not_in_the_pile_cannot_be_taken(card):
    result = judged(f"draw 2 discard {card}", start=f"{REFUSED}{turns(1)}", end=ABANDONED)

    assert (said(result), result.verdict) == (["draw-not-top 8/2"], "impossible")


def test_a_card_that_is_not_held_cannot_be_thrown():
    result = judged("draw 1 stock 4C\ndiscard 1 TH", end=ABANDONED)

    assert (said(result), result.verdict) == (["card-not-held 7/1"], "impossible")


def test_a_card_cannot_be_drawn_twice():
    assert found(f"{turns(1)}\ndraw 2 stock KS", end=ABANDONED) == ["too-many-copies 8/2"]


def test_somebody_who_does_not_sit_there_cannot_draw():
    result = judged("draw 5 stock 4C", end=ABANDONED)

    assert (said(result), result.verdict) == (["out-of-turn 6/5"], "impossible")


def test_the_discard_pile_is_never_shuffled_in_again():
    assert found(f"{turns(1, 2)}\nreshuffle\n{turns(1)}", end=ABANDONED) == ["reshuffle-early 10"]


def test_an_event_of_another_game_is_kept_and_noted():
    assert found(f"{turns(1)}\nwild 7D\ndrop 2\n{turns(2)}", end=ABANDONED) == [
        "unknown-event 8 note",
        "unknown-event 9/2 note",
    ]


def test_a_pass_under_the_other_seat_is_one_slip():
    assert found(f"pass 1\npass 1\n{turns(1, 2)}", start=OFFER, end=ABANDONED) == [
        "upcard-order 5/1"
    ]
    for then in (f"pass 2\n{turns(1, 2)}", f"{TAKES_2}\n{turns(1, 2)}"):
        assert found(f"pass 2\n{then}", start=OFFER, end=ABANDONED) == ["upcard-order 4/2"]
