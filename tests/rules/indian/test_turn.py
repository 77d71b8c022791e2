"""001 Turn Structure Rules: one draw, one discard, clockwise from the dealer's left."""

import pytest

from tests.rules.indian.hands import RIGHT, SHOWN, dealt, found, judged, not_run, said, turns

# Events 1 to 5 are the deal, the upcard and the wild joker: the first turn begins at 6.
END = f"{RIGHT}\n{SHOWN[2]}\n{SHOWN[3]}\nscore 1=0 2=33 3=55 winner=1"


def test_a_plain_hand_is_clean():
    result = judged(f"{turns(1, 2, 3)}\ndraw 1 stock 5D\n{END}")

    assert (said(result), result.verdict) == ([], "clean")
    assert (result.result.scores, result.result.winner) == ({1: 0, 2: 33, 3: 55}, 1)


def test_the_dealers_left_begins():
    assert found(turns(2, 3, 1), end="") == ["out-of-turn 6/2"]


def test_without_a_dealer_nobody_knows_who_begins():
    result = judged(turns(2, 3, 1), dealer=None, end="")

    assert said(result) == []
    assert not_run(result)["out-of-turn"] == (
        "who dealt is not in this log, so who begins is not known"
    )


def test_whoever_begins_has_not_drawn():
    assert found(f"discard 2 AS\n{turns(3)}", dealer=None, end="") == ["draw-missing 6/2"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            "draw 1 stock 8C\ndraw 1 stock 2S\ndiscard 1 2S", ["second-draw 7/1"], id="two"
        ),
        pytest.param("draw 1 stock 8C 2S\ndiscard 1 2S", ["second-draw 6/1"], id="at-once"),
        pytest.param(
            "draw 1 stock 8C\ndiscard 1 8C\ndiscard 1 KC", ["second-discard 8/1"], id="discards"
        ),
        pytest.param("discard 1 KC", ["draw-missing 6/1"], id="no-draw"),
        pytest.param(
            "draw 1 stock 8C\ndraw 2 stock 2S\ndiscard 2 2S",
            ["discard-missing 7/1"],
            id="no-discard",
        ),
        pytest.param(
            "draw 1 stock 8C\nmiss 2", ["discard-missing 7/1"], id="no-discard-then-a-miss"
        ),
    ],
)
def test_exactly_one_draw_and_one_discard(body, expected):
    assert found(f"{body}\n", end="") == expected


def test_the_turn_goes_on_from_what_happened():
    # Seat 3 plays after seat 1, and from there on it goes clockwise.
    assert found(turns(1, 3, 1, 2, 3), end="") == ["out-of-turn 8/3"]


def test_a_seat_that_is_skipped_in_every_round_is_said_once():
    """Its drop may have been left out of the log."""
    assert found(turns(1, 3, 1, 3, 1, 3), end="") == ["out-of-turn 8/3"]
    assert found(turns(1, 3, 1, 3, 1, 2, 3, 1, 3), end="") == [
        "out-of-turn 8/3",
        "out-of-turn 22/3",
    ]


def test_a_skipped_seat_that_plays_at_once_is_no_second_slip():
    assert found(turns(1, 3, 2, 3, 1), end="") == ["out-of-turn 8/3"]
    assert found(turns(1, 3, 2, 1, 2), end="") == ["out-of-turn 8/3"]


def test_a_turn_that_somebody_breaks_into_is_ended_all_the_same():
    body = "draw 1 stock 8C\ndraw 3 stock 2S\ndiscard 1 8C\ndiscard 3 2S\n" + turns(1, 2)

    assert found(body, end="") == ["out-of-turn 7/3"]


@pytest.mark.parametrize("place", [0, 1, 2, 3, 4])
def test_a_card_drawn_out_of_turn_owes_no_discard(place):
    """One slip is one finding: it is not said again at the turn that comes for this seat."""
    plays = turns(1, 2, 3, 1, 2, 3).splitlines()
    for seat in {1, 2, 3} - {place // 2 + 1}:
        body = "\n".join([*plays[:place], f"draw {seat} stock 8C", *plays[place:]])

        assert found(body, end="") == [f"out-of-turn {6 + place}/{seat}"]


def test_a_turn_broken_into_and_never_ended():
    body = "draw 1 stock 8C\ndraw 3 stock 2S\ndiscard 3 2S\ndraw 1 stock 2D\ndiscard 1 2D"

    assert found(body, end="") == ["out-of-turn 7/3", "discard-missing 9/1"]


@pytest.mark.parametrize(
    ("early", "code"),
    [
        pytest.param("draw 2 stock 2S", "out-of-turn 7/2", id="draws"),
        pytest.param("miss 2", "out-of-turn 7/2", id="misses"),
        pytest.param("drop 2", "drop-late 7/2", id="drops"),
    ],
)
def test_a_neighbour_who_is_too_early(early, code):
    """What looks like a missing discard is none if the discard still comes."""
    before = f"draw 1 stock 8C\n{early}"
    rest = {"drop 2": turns(3, 1, 3), "miss 2": turns(2, 3, 1)}

    assert found(before, end="") == ["discard-missing 7/1"]
    after = rest.get(early, "discard 2 2S\n" + turns(3, 1))
    assert found(f"{before}\ndiscard 1 8C\n{after}", end="") == [code]


def test_a_declaration_behind_a_neighbour_who_is_too_early():
    body = f"draw 1 stock 5D\nmiss 2\n{RIGHT}\n{SHOWN[2]}\n{SHOWN[3]}\nscore 1=0 2=33 3=55 winner=1"

    assert found(body) == ["out-of-turn 7/2"]


def test_a_draw_behind_its_discard():
    assert found(f"discard 1 KC\ndraw 1 stock 8C\n{turns(2, 3, 1)}", end="") == ["draw-missing 6/1"]
    # In the next turn a draw is that turn's.
    taken = "draw 1 discard QH\ndiscard 1 8S"
    assert found(f"discard 1 KC\n{turns(2)}\ndraw 3 stock QH\ndiscard 3 QH\n{taken}", end="") == [
        "draw-missing 6/1"
    ]


def test_a_discard_that_comes_when_the_neighbour_has_played():
    body = "draw 1 stock 8C\ndraw 2 stock 2S\ndiscard 2 2S\ndiscard 1 8C\n" + turns(2, 1)

    assert found(body, players=2, end="") == ["out-of-turn 6/2"]


def test_somebody_draws_in_anothers_turn():
    """One seat draws for another, who discards: two slips, and nobody owes a discard for them."""
    body = f"draw 3 stock 8C\ndiscard 1 KC\n{turns(2, 3, 1)}"

    assert found(body, end="") == ["out-of-turn 6/3", "draw-missing 7/1"]


def test_a_discard_out_of_turn():
    assert found("draw 1 stock 8C\ndiscard 3 2H\ndiscard 1 8C", end="") == ["out-of-turn 7/3"]


def test_gaps_between_the_seats():
    body = "\n".join(turns(2, 4, 6, 2).splitlines())

    assert found(body, seats=(2, 4, 6), end="") == []
    assert found(turns(4, 6, 2), seats=(2, 4, 6), end="") == ["out-of-turn 6/4"]


def test_a_dealer_who_sits_out_still_has_a_left_neighbour():
    assert found(turns(4, 6, 2), seats=(2, 4, 6), dealer=3, end="") == []


def test_who_is_not_at_the_table_cannot_act():
    result = judged("draw 5 stock 8C", end="")

    assert (said(result), result.verdict) == (["out-of-turn 6/5"], "impossible")


# Cards taken from the open pile


def test_only_the_top_card_may_be_taken():
    body = turns(1) + "\ndraw 2 discard KS\ndiscard 2 2C"

    assert found(body, end="") == ["draw-not-top 8/2"]


def test_a_card_that_is_not_in_the_pile_cannot_be_taken():
    result = judged("draw 1 discard 8C", end="")

    assert (said(result), result.verdict) == (["draw-not-top 6/1"], "impossible")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(f"{turns(1)}\ndraw 2 discard cards=KS", "draw-not-top 8/2", id="not-top"),
        pytest.param(f"{turns(1)}\ndraw 2 discard cards=7S", "joker-from-discard 8/2", id="joker"),
    ],
)
def test_a_draw_may_list_its_one_card(body, expected):
    assert found(body, end="") == [expected]


def test_a_draw_from_the_pile_without_a_card_takes_the_top_one():
    assert found("draw 1 discard\ndiscard 1 KS", end="") == []


@pytest.mark.parametrize(
    ("rules", "expected"), [("", ["joker-from-discard 8/2"]), ("joker_from_discard=true", [])]
)
def test_a_discarded_joker_stays_where_it_lies(rules, expected):
    assert found(turns(1) + "\ndraw 2 discard 7S\ndiscard 2 2C", rules=rules, end="") == expected


def test_an_open_card_that_is_not_in_the_log_was_discarded_by_nobody():
    start = "\n".join([dealt(1), dealt(2), dealt(3), "wild 7H"])

    assert found("draw 1 discard 7C", start=start, end="") == ["draw-not-top 5/1"]


def test_a_printed_joker_that_was_discarded_stays_too():
    body = "draw 1 stock JK\ndiscard 1 JK\ndraw 2 discard JK\ndiscard 2 2C"

    assert found(body, end="") == ["joker-from-discard 8/2"]


def test_the_card_just_taken_may_be_discarded_where_the_rules_allow_it():
    body = "draw 1 discard KS\ndiscard 1 KS"

    assert found(body, end="") == []
    assert found(body, rules="discard_just_taken=false", end="") == ["discard-just-taken 7/1"]


def test_another_copy_of_the_card_just_taken_may_be_discarded():
    # Seat 4 was dealt the other KS.
    settings = {"rules": "discard_just_taken=false", "seats": (4, 1), "end": ""}

    assert found("draw 4 discard KS\ndiscard 4 KS", **settings) == []


def test_whether_another_copy_was_held_cannot_be_told_at_the_table():
    settings = {"rules": "discard_just_taken=false", "detail": "table", "end": ""}
    result = judged("draw 1 discard KS\ndiscard 1 KS", **settings)

    assert said(result) == []
    assert not_run(result)["discard-just-taken"] == (
        "another copy may have been among the unseen cards"
    )
    other = "draw 1 stock\ndiscard 1 KS\n"  # the other copy lies open already
    taken = "draw 2 discard KS\ndiscard 2 KS"
    assert found(other + taken, **settings) == ["discard-just-taken 9/2"]


def test_the_finish_card_counts_as_the_discard_of_the_turn():
    body = "draw 1 discard KS\n" + RIGHT.replace("/ KC", "/ KS").replace("5D", "KC")

    assert "discard-just-taken 7/1" in found(body, rules="discard_just_taken=false", end="")


# Missed turns


def test_missed_turns_pass_on():
    assert found("miss 1\n" + turns(2, 3) + "\nmiss 1\n" + turns(2), end="") == []


def test_a_missed_turn_of_another_seat():
    assert found("miss 2", end="") == ["out-of-turn 6/2"]


def test_the_third_miss_in_a_row_is_the_drop():
    body = "miss 1\n" + turns(2, 3) + "\nmiss 1\n" + turns(2, 3) + "\nmiss 1\n" + turns(2, 3, 2)

    assert found(body, end="") == []
    assert found(body + "\ndrop 1", end="") == []


def test_a_drop_after_the_third_miss_changes_nothing_but_acting_after_it_does():
    body = "miss 1\n" + turns(2, 3) + "\nmiss 1\n" + turns(2, 3) + "\nmiss 1\ndrop 1\n"

    assert found(body + turns(2, 3, 1, 2), end="") == ["acted-after-drop 22/1"]


def test_a_turn_played_between_starts_the_count_again():
    body = "miss 1\n" + turns(2, 3) + "\nmiss 1\n" + turns(2, 3, 1, 2, 3) + "\nmiss 1\n"

    assert found(body + turns(2, 3, 1), end="") == []


def test_who_should_be_dropped_and_plays_on():
    body = "miss 1\n" + turns(2, 3) + "\nmiss 1\n" + turns(2, 3) + "\nmiss 1\n" + turns(2, 3)
    end = f"draw 1 stock 5D\n{END}"
    result = judged(f"{body}\n{end}")

    # The hand is played on, and the seat is scored by its cards.
    assert said(result) == ["auto-drop-missing 21/1"]
    assert result.result.scores == {1: 0, 2: 33, 3: 55}


def test_where_two_play_the_third_miss_wins_the_hand_for_the_other():
    body = "miss 1\n" + turns(2) + "\nmiss 1\n" + turns(2) + "\nmiss 1\n"
    result = judged(body + "score 1=40 2=0 winner=2", players=2)

    assert (said(result), result.result.winner) == ([], 2)
    assert found(body + turns(2) + "\nscore 1=40 2=0 winner=2", players=2) == [
        "event-after-end 12/2"
    ]
    # The table did not see it: that is one slip.
    assert found(body + turns(2, 1, 2), players=2, end="") == ["auto-drop-missing 14/1"]


def test_a_fourth_miss_says_nothing_new():
    body = "miss 1\n" + turns(2, 3) + "\nmiss 1\n" + turns(2, 3) + "\nmiss 1\n" + turns(2, 3)

    assert found(body + "\nmiss 1\n" + turns(2, 3), end="") == []
    assert found(body + "\nmiss 1\n" + turns(2, 3, 1), end="") == ["auto-drop-missing 26/1"]


def test_a_miss_after_the_draw_leaves_a_dead_hand():
    body = "draw 1 stock 8C\nmiss 1\n" + turns(2, 3, 2)

    assert found(body, end="") == []
    assert found(body + "\n" + turns(3, 1), end="") == ["acted-after-drop 16/1"]


def test_two_misses_where_the_rules_ask_for_two():
    body = "miss 1\n" + turns(2, 3) + "\nmiss 1\n" + turns(2, 3, 2, 3)

    assert found(body, rules="misses_to_drop=2", end="") == []
    assert found(body, end="") == ["out-of-turn 16/2"]


def test_no_number_of_misses_drops_a_player_where_the_rules_say_none():
    body = ("miss 1\n" + turns(2, 3) + "\n") * 5 + turns(1)

    assert found(body, rules="misses_to_drop=none", end="") == []


# Acting when out of the hand


def test_a_seat_that_dropped_acts_no_more_and_moves_no_turn():
    body = "drop 1\ndraw 1 stock 8C\ndiscard 1 8C\n" + turns(2, 3, 2) + "\n" + turns(1, 3)

    assert found(body, end="") == ["acted-after-drop 7/1"]


def test_a_second_drop_is_an_act_too():
    assert found("drop 1\n" + turns(2) + "\ndrop 1\n" + turns(3), end="") == [
        "acted-after-drop 9/1"
    ]
    assert found("leave 1\n" + turns(2) + "\ndrop 1\n" + turns(3), end="") == []
