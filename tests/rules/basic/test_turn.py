"""The course of a turn: who acts, with one draw and one discard, and what follows a slip."""

import pytest

from tests.rules.basic.play import audit, codes, found_in

DEAL = """
deal 2 4H 5H KS
deal 3 9C 9D 2S
deal 1 7C 8C QH
upcard QD
"""
THREE = {"seats": (1, 2, 3), "dealer": 1, "rules": "hand_size=3"}


def turns(lines, deal=DEAL, **about):
    return found_in(deal + lines, **(THREE | about))


def test_the_dealers_left_neighbour_begins_and_play_goes_clockwise():
    assert turns("draw 2 stock AS\ndiscard 2 AS\ndraw 3 stock AD\ndiscard 3 AD") == []
    assert turns("draw 3 stock AS\ndiscard 3 AS") == [("out-of-turn", 5, 3)]


def test_after_a_turn_out_of_order_play_goes_on_from_there():
    lines = """
    draw 2 stock AS
    discard 2 AS
    draw 1 stock AD
    discard 1 AD
    draw 2 stock AC
    discard 2 AC
    draw 3 stock AH
    """

    assert turns(lines) == [("out-of-turn", 7, 1)]


def test_without_a_dealer_who_begins_is_not_known_and_the_rest_is():
    assert turns("draw 3 stock AS\ndiscard 3 AS\ndraw 1 stock AD", dealer=None) == []
    assert turns("draw 3 stock AS\ndiscard 3 AS\ndraw 2 stock AD", dealer=None) == [
        ("out-of-turn", 7, 2)
    ]


def test_a_seat_that_was_dealt_nothing_is_outside_the_turn_order():
    deal = "deal 2 4H 5H KS\ndeal 1 7C 8C QH\nupcard QD\n"

    assert turns("draw 2 stock AS\ndiscard 2 AS\ndraw 1 stock AD", deal=deal) == []
    again = "draw 3 stock AD\ndiscard 3 AD\n"
    assert turns(f"draw 2 stock AS\ndiscard 2 AS\n{again}{again.replace('D', 'C')}", deal=deal) == [
        ("out-of-turn", 6, 3)
    ]


def test_a_second_draw_is_found_once():
    lines = """
    draw 2 stock AS
    draw 2 stock AD
    discard 2 AS
    draw 3 stock AC
    discard 3 AC
    """

    assert turns(lines) == [("second-draw", 6, 2)]


def test_two_cards_at_once_are_a_second_draw():
    """002 5.1: one card, never more from deeper in the pile."""
    lines = "draw 2 stock AS\ndiscard 2 AS\ndraw 3 discard AS QD\n"

    assert turns(lines) == [("second-draw", 7, 3)]


def test_a_second_discard_is_found_once_and_play_goes_on():
    lines = """
    draw 2 stock AS
    discard 2 AS
    discard 2 KS
    draw 3 stock AC
    discard 3 AC
    """

    assert turns(lines) == [("second-discard", 7, 2)]


@pytest.mark.parametrize(
    ("play", "seq"),
    [
        ("discard 2 KS", 5),
        ("meld 2 4H 5H KS", 5),
    ],
)
def test_a_turn_begins_with_a_draw(play, seq):
    assert ("draw-missing", seq, 2) in turns(play)


def test_melding_before_the_draw_is_one_slip():
    deal = "deal 2 4H 5H 6H KS\ndeal 1 7C 8C QH 2D\nupcard QD\n"
    lines = "meld 2 4H 5H 6H\ndraw 2 stock AS\ndiscard 2 AS\ndraw 1 stock AD"

    assert turns(lines, deal=deal, seats=(1, 2), rules="hand_size=4") == [("draw-missing", 4, 2)]


def test_melding_without_any_draw_is_one_slip():
    deal = "deal 2 4H 5H 6H KS 2C\ndeal 1 7C 8C QH 2D 3D\nupcard QD\n"
    lines = "meld 2 4H 5H 6H\ndiscard 2 KS\ndraw 1 stock AD"

    assert turns(lines, deal=deal, seats=(1, 2), rules="hand_size=5") == [("draw-missing", 4, 2)]


# Seat 2 draws and discards nothing; the others have their turns.
ROUND_WITHOUT_A_DISCARD = """
    draw 2 stock AS
    draw 3 stock AD
    discard 3 AD
    draw 1 stock AC
    discard 1 AC
"""


def test_the_next_players_draw_shows_a_missing_discard():
    lines = f"""{ROUND_WITHOUT_A_DISCARD}
    draw 2 stock AH
    discard 2 AH
    """

    assert turns(lines) == [("discard-missing", 6, 2)]


def test_two_players_missing_their_discards_are_two_slips():
    lines = "draw 2 stock AS\ndraw 3 stock AD\ndraw 1 stock AC\ndiscard 1 AC"

    assert turns(lines) == [("discard-missing", 6, 2), ("discard-missing", 7, 3)]


def test_the_last_discard_may_be_missing_too():
    lines = "draw 2 stock AS\ndiscard 2 AS\ndraw 3 stock AD\ndraw 1 stock AC"

    assert turns(lines) == [("discard-missing", 8, 3)]


def test_a_player_between_draw_and_discard_may_finish_after_another_cut_in():
    lines = """
    draw 2 stock AS
    draw 1 stock AD
    discard 2 AS
    """

    assert turns(lines) == [("out-of-turn", 6, 1)]


def test_laying_off_out_of_turn_does_not_move_the_turn():
    deal = "deal 2 4H 5H 6H KS\ndeal 3 9C 9D 2S 3S\ndeal 1 7C 8C QH 7H\nupcard QD\n"
    lines = """
    draw 2 stock AS
    meld 2 4H 5H 6H
    layoff 1 7H > 1
    discard 2 AS
    draw 3 stock AD
    discard 3 AD
    """

    assert turns(lines, deal=deal, rules="hand_size=4") == [("out-of-turn", 7, 1)]


def test_laying_off_after_the_own_discard_is_out_of_turn_once():
    deal = "deal 2 4H 5H 6H KS 7H\ndeal 1 9C 9D 2S 3S 4S\nupcard QD\n"
    lines = """
    draw 2 stock AS
    meld 2 4H 5H 6H
    discard 2 AS
    layoff 2 7H > 1
    draw 1 stock AD
    discard 1 AD
    draw 2 stock AC
    discard 2 AC
    """

    assert turns(lines, deal=deal, seats=(1, 2), rules="hand_size=5") == [("out-of-turn", 7, 2)]


def test_an_act_of_a_seat_where_nobody_sits_is_out_of_turn():
    assert turns("draw 5 stock AS\ndiscard 5 AS\ndraw 2 stock AD") == [("out-of-turn", 5, 5)]


def test_play_after_the_end_is_found_once():
    deal = "deal 2 4H 5H 6H\ndeal 3 9C 9D 2S\ndeal 1 7C 8C QH\nupcard QD\n"
    lines = """
    draw 2 stock KS
    meld 2 4H 5H 6H
    discard 2 KS
    draw 3 stock AD
    discard 3 AD
    show 3 + 9C 9D 2S
    show 1 + 7C 8C QH
    score 1=0 2=90 3=0 winner=2
    draw 1 stock AC
    end
    """

    assert turns(lines, deal=deal) == [("event-after-end", 8, 3)]


def test_a_discard_that_follows_late_is_no_second_slip():
    lines = """
    draw 2 stock AS
    draw 3 stock AD
    discard 2 AS
    discard 3 AD
    draw 1 stock AC
    discard 1 AC
    """

    assert turns(lines) == [("discard-missing", 6, 2)]


def test_a_discard_that_follows_a_whole_round_late_is_no_draw():
    lines = f"{ROUND_WITHOUT_A_DISCARD}discard 2 KS\n"

    assert turns(f"{lines}draw 2 stock TD\ndiscard 2 TD") == [("discard-missing", 6, 2)]
    assert turns(f"{lines}draw 3 stock TD\ndiscard 3 TD\ndraw 1 stock TC") == [
        ("discard-missing", 6, 2),
        ("draw-missing", 10, 2),
    ]


def test_a_draw_that_follows_late_is_no_second_slip():
    lines = """
    discard 2 KS
    draw 2 stock AS
    draw 3 stock AD
    discard 3 AD
    draw 1 stock AC
    """

    assert turns(lines) == [("draw-missing", 5, 2)]


def test_a_last_card_discarded_without_a_draw_ends_the_hand_unless_the_draw_follows():
    deal = "deal 2 4H 5H 6H 2C\ndeal 1 9C 9D 9S 3H\nupcard TC\n"
    start = "draw 2 stock KS\nmeld 2 4H 5H 6H\ndiscard 2 KS\ndraw 1 stock KC\ndiscard 1 KC\n"
    two = {"seats": (1, 2), "rules": "hand_size=4"}
    out = f"{start}discard 2 2C\nscore 1=0 2=30 winner=2\nend"
    late = f"{start}discard 2 2C\ndraw 2 stock AS\ndraw 1 stock AD\ndiscard 1 AD\n"

    assert turns(out, deal=deal, **two) == [("draw-missing", 9, 2)]
    assert turns(late, deal=deal, **two) == [("draw-missing", 9, 2)]


# At the table a draw or a discard found missing may only not have been written down

SEEN = {"detail": "table", "rules": "hand_size=4", "seats": (1, 2)}
START = "deal 2 x4\ndeal 1 x4\nupcard TC\n"
REST = "draw 1 stock\ndiscard 1 JD\n"


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        ("discard 2 8C\n", [("draw-missing", 4, 2)]),
        ("draw 2 stock\n", [("discard-missing", 5, 2)]),
    ],
)
def test_the_hand_that_is_shown_tells_whether_a_missing_one_was_written_down(play, expected):
    again = f"draw 2 stock\ndiscard 2 8D\n{REST.replace('JD', 'QD')}"
    end = "draw 2 stock\nmeld 2 4H 5H 6H\ndiscard 2 2C\nshow 2 + 3C\nend abandoned"

    assert found_in(f"{START}{play}{REST}{again}{end}", **SEEN) == expected


@pytest.mark.parametrize("last", ["2C", "??"])
def test_who_is_only_counted_out_plays_on(last):
    """A draw was left out: one more card is held than the log counts."""
    play = f"{START}discard 2 8C\n{REST}draw 2 stock\nmeld 2 4H 5H 6H\ndiscard 2 8D\n{REST}"
    end = f"draw 2 stock\nlayoff 2 7H > 1\ndiscard 2 {last}\nscore 2=31 1=0\nend"

    assert found_in(f"{play.replace('JD', 'QD', 1)}{end}", **SEEN) == [("draw-missing", 4, 2)]


def test_who_is_only_counted_in_may_have_gone_out():
    play = f"{START}draw 2 stock\n{REST}draw 2 stock\nmeld 2 4H 5H 6H 7H\ndiscard 2 8D\n"
    found = audit(f"{play}score 2=31 1=0 winner=2\nend", **SEEN)

    assert codes(found) == [("discard-missing", 5, 2)]
    assert "hand-not-ended" in {each.check for each in found.not_run}


def test_a_discard_that_stands_too_early_is_the_discard_of_its_turn():
    lines = """
    draw 2 stock AS
    discard 3 9C
    discard 2 AS
    draw 3 stock AD
    draw 1 stock AC
    discard 1 AC
    """

    assert turns(lines) == [("out-of-turn", 6, 3)]
    assert turns(f"{lines}draw 2 stock TC\ndraw 3 stock TD\n") == [
        ("out-of-turn", 6, 3),
        ("discard-missing", 12, 2),
    ]
