"""The course of play: turns, draws, passes, turns taken back, penalties, the timer, the end."""

import msgspec
import pytest

from rummy_audit.rules.replay import replay
from tests.rules.tile.play import audit, codes, found_in, log

RED = "R13 B13 K13 O13"
TWO = "B7 B8"
WRONG = [("table-invalid", 3, 1), ("group-too-short", 3, 1)]


def notes(lines, **about):
    return codes(audit(lines, **about), notes=True)


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        pytest.param("draw 2 stock\ndraw 1 stock", [], id="whoever acts first begins"),
        pytest.param("draw 1 stock\ndraw 1 stock\ndraw 2 stock", [("second-draw", 4, 1)], id="2"),
        pytest.param(f"play 1 {RED}\ndraw 1 stock", [("out-of-turn", 4, 1)], id="played, drew"),
        pytest.param(f"draw 1 stock\nplay 1 {RED}", [("out-of-turn", 4, 1)], id="drew, played"),
        pytest.param(
            f"draw 1 stock cards=R1,R2\nplay 2 {RED}", [("second-draw", 3, 1)], id="two at once"
        ),
        pytest.param("pass 1\ndraw 2 stock", [("tile-draw-missing", 3, 1)], id="passed"),
        pytest.param(
            f"play 1 {RED}\ndraw 2 stock\nplay 1 {RED}", [("tile-draw-missing", 5, 1)], id="same"
        ),
        pytest.param("draw 1 discard R1", [("draw-not-top", 3, 1)], id="there is no pile"),
    ],
)
def test_a_turn_is_one_play_or_one_draw(lines, found):
    assert found_in(lines) == found


@pytest.mark.parametrize("act", ["pass 1", f"play 1 {RED}"])
def test_a_missing_draw_that_comes_after_all_is_one_slip(act):
    lines = f"play 1 {RED}\ndraw 2 stock\n{act}\ndraw 1 stock\ndraw 2 stock"

    assert found_in(lines) == [("tile-draw-missing", 5, 1)]
    twice = lines.replace("draw 1 stock", "draw 1 stock\ndraw 1 stock")
    assert found_in(twice) == [("tile-draw-missing", 5, 1), ("second-draw", 7, 1)]


@pytest.mark.parametrize(
    "act", [f"play 1 {RED}", "pass 1", "play 1 R13 K13 B13 O13", f"play 1 {RED} undone=true"]
)
def test_who_is_not_on_turn_owes_no_draw(act):
    """A turn that is written twice, or a pass before its turn, is one slip."""
    found = [("out-of-turn", 4, 1)]
    if "undone" in act:
        assert notes(f"play 1 {RED}\n{act}\npenalty 1 x3\ndraw 2 stock") == found
        return
    assert found_in(f"play 1 {RED}\n{act}\ndraw 2 stock\ndraw 1 stock") == found
    lines = f"play 3 {RED}\n{act.replace(' 1 ', ' 2 ')}\ndraw 3 stock\ndraw 1 stock"
    assert found_in(lines.replace("pass 1", "pass 2"), seats=(1, 2, 3)) == [("out-of-turn", 5, 2)]


def test_after_a_slip_the_turn_is_with_the_left_neighbour_of_who_acted():
    lines = "draw 1 stock\ndraw 3 stock\ndraw 1 stock\ndraw 2 stock\ndraw 3 stock"

    assert found_in(lines, seats=(1, 2, 3)) == [("out-of-turn", 5, 3)]


def test_the_seat_named_in_the_record_begins():
    assert found_in("draw 1 stock", head="first=2") == [("out-of-turn", 3, 1)]
    assert found_in("draw 2 stock", head="first=2") == []
    assert found_in("draw 2 stock\ndraw 1 stock", head="first=7") == []


def test_a_seat_that_was_dealt_nothing_is_outside_the_turn_order():
    lines = "deal 1 x14\ndeal 3 x14\ndraw 1 stock\ndraw 3 stock\ndraw 1 stock"

    assert found_in(lines, seats=(1, 2, 3)) == []
    assert found_in(f"{lines}\ndraw 2 stock", seats=(1, 2, 3)) == [("out-of-turn", 6, 2)]


@pytest.mark.parametrize(
    "lines",
    [
        f"play 1 {TWO}\npenalty 1 x3\ndraw 2 stock",
        f"play 1 {TWO} undone=true\npenalty 1 x3\ndraw 2 stock",
        f"play 1 {TWO}\nnote a word\npenalty 1 x3\ndraw 2 stock",
        f"play 1 {TWO}\nruling ref 3 penalty\npenalty 1 x3\ndraw 2 stock",
    ],
)
def test_a_wrong_turn_taken_back_with_its_penalty_was_dealt_with(lines):
    assert found_in(lines) == []
    assert notes(lines) == WRONG


@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_the_number_of_penalty_tiles(count):
    lines = f"play 1 {TWO}\npenalty 1 x{count}\ndraw 2 stock"

    assert found_in(lines) == [("penalty-wrong", 4, 1)]
    assert notes(lines) == WRONG
    assert found_in(lines, rules=f"penalty_tiles={count}") == []


@pytest.mark.parametrize(
    ("drawn", "wrong"), [((1, 1, 1), 0), ((2, 1), 0), ((1, 1), 5), ((3, 3), 5), ((2, 1, 1), 6)]
)
def test_penalty_tiles_drawn_one_after_the_other_are_one_penalty(drawn, wrong):
    tiles = "\n".join(f"penalty 1 x{count}" for count in drawn)
    lines = f"play 1 {TWO}\n{tiles}\ndraw 2 stock\ndraw 1 stock"

    assert found_in(lines) == ([("penalty-wrong", wrong, 1)] if wrong else [])
    assert notes(lines) == WRONG


def test_a_wrong_turn_taken_back_without_a_penalty():
    after = {"draw 2 stock": 4, "draw 1 stock": 4, f"play 1 {RED}": 4, "show 1 + R1": 4}
    for act in after:
        lines = f"play 1 {TWO} undone=true\n{act}"
        assert ("penalty-missing", 3, 1) in found_in(lines)
        assert notes(lines) == WRONG
    assert found_in(f"play 1 {TWO} undone=true") == []
    assert found_in(f"play 1 {TWO} undone=true\nend abandoned") == [("penalty-missing", 3, 1)]


def test_who_takes_a_right_play_back_may_go_on():
    assert found_in(f"play 1 {RED} undone=true\ndraw 1 stock\ndraw 2 stock") == []
    assert found_in(f"play 1 {RED} undone=true\nplay 1 {RED} | R1 R2 R3\ndraw 2 stock") == []
    assert found_in(f"play 1 {RED} undone=true\ndraw 2 stock") == [("penalty-missing", 3, 1)]


def test_a_penalty_that_is_not_due():
    assert found_in("penalty 1 x3\ndraw 2 stock") == [("penalty-wrong", 3, 1)]
    assert found_in(f"play 1 {RED}\npenalty 1 x3\ndraw 2 stock") == [("penalty-wrong", 4, 1)]
    assert found_in(f"play 1 {TWO}\npenalty 2 x3\ndraw 1 stock")[-1] == ("penalty-wrong", 4, 2)
    assert found_in("draw 1 stock\ndraw 1 stock\npenalty 1 x3") == [("second-draw", 4, 1)]
    in_parts = "draw 1 stock\npenalty 2 x1\npenalty 2 x2\ndraw 2 stock\ndraw 1 stock"
    assert found_in(in_parts) == [("penalty-wrong", 5, 2)]


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param("penalty 2 x3\ndraw 2 stock\ndraw 3 stock", id="its turn, and it goes on"),
        pytest.param("penalty 2 x3\ndraw 3 stock\ndraw 1 stock", id="its turn, over with it"),
        pytest.param("penalty 3 x3\ndraw 2 stock\ndraw 3 stock", id="not its turn"),
        pytest.param("penalty 1 x3\ndraw 2 stock\ndraw 3 stock", id="its turn is over"),
    ],
)
def test_a_penalty_for_nothing_is_one_finding_and_no_turn(lines):
    found = found_in(f"draw 1 stock\n{lines}", seats=(1, 2, 3))

    assert found == [("penalty-wrong", 5, int(lines[8]))]


def test_a_penalty_for_nothing_takes_no_time_of_another_turn():
    lines = "draw 1 stock @0\npenalty {} x3 @30000\ndraw 2 stock @70000"

    assert found_in(lines.format(1), rules="timer_seconds=60") == [("penalty-wrong", 4, 1)]
    three = {"rules": "timer_seconds=60", "seats": (1, 2, 3)}
    late = [("penalty-wrong", 5, 3), ("timer-exceeded", 6, 2)]
    assert found_in(lines.format(3), **three) == late


def test_a_penalty_whose_number_is_not_written_down_leaves_the_rack_uncounted():
    rack = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 O1 O2 B7 B8"
    found = audit(f"play 1 {TWO}\npenalty 1\ndraw 2 stock\nshow 1 + {rack}\nend abandoned")

    assert codes(found) == []
    assert [each.check for each in found.not_run] == [
        "card-not-held",
        "hand-not-ended",
        "hand-size",
        "penalty-wrong",
    ]


def test_a_wrong_play_that_stands_is_its_own_finding_only():
    assert found_in(f"play 1 {TWO}\ndraw 2 stock\ndraw 1 stock") == WRONG


def test_tiles_that_were_taken_back_are_in_the_hand_again():
    lines = "play 1 B7 B8\npenalty 1 x3\ndraw 2 stock\nplay 1 B7 B8 B9 | K12 K13 K11"
    rack = audit(lines, rules="hand_size=3").steps
    assert rack == ()
    dealt = "deal 1 x3\ndeal 2 x3\n"

    assert found_in(dealt + lines, rules="hand_size=3") == []


def test_a_turn_out_of_order_that_was_taken_back_was_dealt_with():
    lines = f"draw 1 stock\nplay 1 {RED}\npenalty 1 x3\ndraw 2 stock"

    assert found_in(lines) == []
    assert notes(lines) == [("out-of-turn", 4, 1)]


# The timer


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (f"play 1 {RED} @1000\ndraw 2 stock @61000", []),
        (f"play 1 {RED} @1000\ndraw 2 stock @61001", [("timer-exceeded", 4, 2)]),
        (f"draw 1 stock @1000\nplay 2 {RED} @99000", [("timer-exceeded", 4, 2)]),
        ("draw 1 stock @99000\ndraw 2 stock @100000", []),
        ("draw 1 stock @1000\npenalty 2 x3 @61001\ndraw 1 stock @62000", []),
        ("draw 1 stock @1000\npenalty 2 x3 @61000", []),
        ("draw 1 stock @1000\npenalty 2 x3 @60999", [("penalty-wrong", 4, 2)]),
        ("draw 1 stock @1000\npenalty 2 x2 @61001", [("penalty-wrong", 4, 2)]),
        (f"draw 1 stock @1000\nplay 2 {RED} @2000\npenalty 2 x3 @61001", []),
        (
            f"play 1 {TWO} @1000\npenalty 1 x3 @5000\ndraw 2 stock @65001",
            [("timer-exceeded", 5, 2)],
        ),
    ],
)
def test_a_turn_takes_a_minute_from_the_previous_players_last_event(lines, found):
    assert found_in(lines, rules="timer_seconds=60") == found
    assert "timer-exceeded" not in [code for code, _, _ in found_in(lines)]


def test_a_late_turn_that_was_taken_back_was_dealt_with():
    lines = f"draw 1 stock @1000\nplay 2 {RED} @70000\npenalty 2 x3 @71000\ndraw 1 stock @72000"

    assert found_in(lines, rules="timer_seconds=60") == []
    assert notes(lines, rules="timer_seconds=60") == [("timer-exceeded", 4, 2)]


@pytest.mark.parametrize(
    ("act", "found"),
    [
        (f"play 2 {RED} @61001", [("timer-exceeded", 5, 2)]),
        ("draw 2 stock @61001", [("timer-exceeded", 5, 2)]),
        ("draw 2 stock @61000", []),
    ],
)
def test_who_takes_a_right_play_back_and_goes_on_has_no_more_time(act, found):
    lines = f"draw 1 stock @1000\nplay 2 {RED} undone=true @2000\n{act}\ndraw 1 stock @62000"

    assert found_in(lines, rules="timer_seconds=60") == found


def test_without_times_the_timer_is_not_judged():
    found = audit("draw 1 stock\npenalty 2 x3 reason=timer", rules="timer_seconds=60")

    assert codes(found) == []
    assert [each.check for each in found.not_run] == ["penalty-wrong"]
    found = audit("draw 1 stock\ndraw 2 stock", rules="timer_seconds=60")
    assert [each.check for each in found.not_run] == ["timer-exceeded"]


# The stock used up

DRAWS = "".join(f"draw {1 + turn % 2} stock\n" for turn in range(78))


def test_with_an_empty_stock_who_cannot_play_passes():
    assert found_in(f"{DRAWS}pass 1\nplay 2 {RED}\npass 1") == []
    assert found_in(f"{DRAWS}draw 1 stock") == [("too-many-copies", 81, 1)]


def test_a_full_round_of_passes_ends_the_hand():
    assert found_in(f"{DRAWS}pass 1\npass 2\npass 1\npass 2") == [("event-after-end", 83, 1)]
    blocked = f"{DRAWS}pass 1\npass 2\nscore 1=5 2=-5\nend"
    assert found_in(blocked) == []
    assert [each.check for each in audit(blocked).not_run] == ["score-wrong"]


def test_a_seat_that_passes_twice_is_no_full_round():
    """Three passes, but seat 1 was not asked: the hand goes on until it passes as well."""
    draws = "".join(f"draw {1 + turn % 3} stock\n" for turn in range(64))
    lines = f"{draws}pass 2\npass 2\npass 3"
    goes_on = found_in(f"{lines}\nplay 1 {RED}\npass 2", seats=(1, 2, 3))

    assert goes_on == [("out-of-turn", 69, 2)]
    blocked = found_in(f"{lines}\npass 1\npass 2", seats=(1, 2, 3))
    assert blocked == [*goes_on, ("event-after-end", 72, 2)]


@pytest.mark.parametrize(
    ("lines", "check"),
    [
        ("pass 1", "tile-draw-missing"),
        (f"play 1 {RED}\ndraw 2 stock\nplay 1 {RED}", "tile-draw-missing"),
        (f"play 1 {TWO} undone=true\npass 2", "penalty-missing"),
        (f"play 1 {TWO}\npenalty 1 x2\ndraw 2 stock", "penalty-wrong"),
    ],
)
def test_of_a_stock_that_was_not_counted_nobody_knows_whether_it_is_empty(lines, check):
    found = audit(f"deal 1\ndeal 2\n{lines}")

    assert codes(found) == []
    assert check in [each.check for each in found.not_run]


def test_a_draw_shows_that_there_were_tiles_for_a_penalty():
    lines = f"deal 1\ndeal 2\nplay 1 {TWO} undone=true\ndraw 2 stock"

    assert found_in(lines) == [("penalty-missing", 3, 1)]


def test_a_turn_taken_back_is_no_pass():
    """With nothing left to draw, nothing is owed."""
    lines = f"{DRAWS}pass 1\nplay 2 B7 B8 undone=true\npass 1\nplay 2 {RED}"

    assert found_in(lines) == []
    assert found_in(f"{DRAWS}pass 1\nplay 2 B7 B8\npenalty 2 x0\npass 1\nplay 2 {RED}") == []


def test_rearranging_with_an_empty_stock_is_as_good_as_a_pass():
    begun = "play 1 R1 R2 R3 R4 R5 R6 R7 R8\n" + "".join(
        f"draw {2 - turn % 2} stock\n" for turn in range(78)
    )

    lines = (
        f"{begun}play 2 R1 R2 R3 R4 R5 R6 R7 R8 | {RED}\nplay 1 R1 R2 R3 R4 | R5 R6 R7 R8 | {RED}"
    )
    assert found_in(lines) == []
    assert found_in(f"{lines}\npass 2\ndraw 1 stock")[-1] == ("event-after-end", 85, 1)


@pytest.mark.parametrize("left", [1, 2])
def test_fewer_tiles_than_the_penalty_are_all_that_is_drawn(left):
    draws = "".join(f"draw {1 + turn % 2} stock\n" for turn in range(78 - left))
    seat = 1 + (78 - left) % 2

    assert found_in(f"{draws}play {seat} B7 B8\npenalty {seat} x{left}\npass {3 - seat}") == []
    three = f"{draws}play {seat} B7 B8\npenalty {seat} x3\npass {3 - seat}"
    assert found_in(three) == [("penalty-wrong", 82 - left, seat)]


# The end

OUT = "deal 1 x4\ndeal 2 x4\nplay 1 R13 B13 K13 O13\n"


def test_the_last_tile_ends_the_hand():
    assert found_in(OUT, rules="hand_size=4") == []
    after = {"draw 2 stock": 2, "play 2 R13 B13 K13 O13 | R1 R2 R3": 2, "pass 2": 2}
    for act, seat in after.items():
        found = found_in(f"{OUT}{act}\ndraw 1 stock", rules="hand_size=4")
        assert found == [("event-after-end", 4, seat)]


def test_a_last_tile_that_was_taken_back_does_not_end_it():
    lines = "deal 1 x2\ndeal 2 x2\nplay 1 R12 R13\npenalty 1 x3\ndraw 2 stock\ndraw 1 stock"

    assert found_in(lines, rules="hand_size=2") == []


# What cannot be


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        pytest.param("play 1 R14 R13 R12", ("card-not-in-deck", 3, 1), id="no such tile"),
        pytest.param("draw 1 stock K0", ("card-not-in-deck", 3, 1), id="no such tile drawn"),
        pytest.param(
            f"play 1 {RED} | R1 R2 R3\nplay 2 {RED} | R1 R2 R3 | {RED}\nplay 1 {RED} | R1 R2 R3 | "
            f"{RED} | R13 R12 R11",
            ("too-many-copies", 5, 1),
            id="a third copy",
        ),
        pytest.param(
            "play 1 R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 | K1 K2 K3",
            ("card-not-held", 3, 1),
            id="more than the rack holds",
        ),
    ],
)
def test_tiles_that_cannot_have_moved_so_stop_the_replay(lines, found):
    result = audit(lines)

    assert codes(result) == [found]
    assert result.verdict == "impossible"


def test_an_empty_meld_is_no_meld():
    hand = log(f"play 1 {RED}")
    play = msgspec.structs.replace(hand.events[2], table=((), *hand.events[2].table, ()))
    found = replay(msgspec.structs.replace(hand, events=(*hand.events[:2], play)))

    assert codes(found) == []


def test_a_tile_nobody_saw_is_not_judged():
    lines = "play 1 R13 ?? K13\nplay 2 R13 ?? K13 | R1 R2 R3"
    found = audit(lines)
    not_run = [each.check for each in found.not_run]
    of_a_turn = ["table-invalid", "tile-draw-missing", "tile-taken-to-hand"]

    assert codes(found) == [("first-play-too-low", 4, 2)]
    assert not_run == ["first-play-too-low", "first-play-touches-table", *of_a_turn]
    later = f"{lines.replace('R1 R2 R3', 'R10 R11 JK')}\nplay 1 R13 B13 K13 | R10 R11 JK ??"
    jokers = [each.check for each in audit(later, ruleset="tile-50", rules="first_play=0").not_run]
    assert [each for each in jokers if each.startswith("joker")] == [
        *("joker-meld-locked", "joker-not-from-hand", "joker-not-in-new-meld"),
        "joker-not-replaced",
    ]
