"""What the viewer sees: the table after a turn, how jokers read, and which tiles moved."""

from rummy_audit.rules.replay import replay
from rummy_audit.rules.view import MeldView, SeatView
from tests.rules.tile.play import log

RED = ("R13", "B13", "K13", "O13")


def steps(lines, **about):
    return replay(log(lines, **about), keep_steps=True).steps


def test_the_table_after_each_turn_and_what_moved_in_it():
    lines = (
        "play 1 R13 B13 K13 O13 | R4 R5 R6 R7\n"
        "play 2 R13 B13 K13 O13 | R4 R5 R6 R7 | R12 B12 K12\n"
        "play 1 R13 B13 K13 O13 | R4 R5 R6 | R7 B7 JK | R12 B12 K12 O12\ndraw 2 stock"
    )
    first, _, third, last = (step.table for step in steps(lines)[2:])

    assert first.melds == (
        MeldView(number=1, cards=RED, kind="set", moved=(0, 1, 2, 3)),
        MeldView(number=2, cards=("R4", "R5", "R6", "R7"), kind="sequence", moved=(0, 1, 2, 3)),
    )
    assert third.melds == (
        MeldView(number=1, cards=RED, kind="set"),
        MeldView(number=2, cards=("R4", "R5", "R6"), kind="sequence"),
        MeldView(
            number=3,
            cards=("R7", "B7", "JK"),
            kind="set",
            stands_for=("R7", "B7", "K7"),
            moved=(0, 1, 2),
        ),
        MeldView(number=4, cards=("R12", "B12", "K12", "O12"), kind="set", moved=(3,)),
    )
    assert [meld.moved for meld in last.melds] == [(), (), (), ()]
    assert (third.turn, third.stock, last.stock) == (2, 78, 77)


def test_a_turn_that_was_taken_back():
    lines = "play 1 R13 B13\npenalty 1 x3\nplay 2 R1 R2 undone=true\npenalty 2 x3"
    played, back, undone, _ = (step.table for step in steps(lines)[2:])

    assert played.melds == (MeldView(number=1, cards=("R13", "B13"), kind="invalid", moved=(0, 1)),)
    assert back.melds == undone.melds == ()
    assert (back.notes, undone.notes) == ((), ("The last turn was taken back.",))
    assert back.seats[0] == SeatView(
        seat=1, cards=("B13", "R13"), unknown=15, public=("B13", "R13")
    )


def test_the_end_of_a_hand_at_full_detail():
    four = ("K1", "K2", "K3", "K4")
    lines = (
        "deal 1 R13 B13 K13 O13\ndeal 2 K1 K2 K3 K4\nplay 1 R13 B13 K13 O13\n"
        "show 2 + K1 K2 K3 K4\nscore 1=10 2=-10"
    )
    table = steps(lines, detail="full", rules="hand_size=4")[-1].table

    assert table.seats == (
        SeatView(seat=1, state="won"),
        SeatView(seat=2, cards=four, public=four, loose=four),
    )
    assert table.turn is None
    assert table.scores == {"1": 10, "2": -10}


def test_a_seat_that_was_dealt_nothing_is_out():
    table = steps("deal 1 x14\ndeal 2 x14\ndraw 1 stock", seats=(1, 2, 3))[-1].table

    assert [seat.state for seat in table.seats] == ["in", "in", "out"]
