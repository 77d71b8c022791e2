"""The first play: enough new melds of own tiles, and the table left alone until then."""

import pytest

from rummy_audit.rules.messages import message
from rummy_audit.rules.replay import replay
from tests.rules.tile.play import audit, found_in, log

LOW, TOUCHED = "first-play-too-low", "first-play-touches-table"
LYING = "R4 R5 R6 | K8 K9 K10"


def first(melds, **house):
    """Return the codes of a first play on an empty table."""
    rules = " ".join(f"{name}={value}" for name, value in house.items())
    return [code for code, _, _ in found_in(f"play 1 {melds}", rules=rules)]


def second(after, *, preset="tile-easy", **house):
    """Return the codes of seat 2's first play, when seat 1's melds lie there."""
    rules = " ".join(f"{name}={value}" for name, value in house.items())
    log = f"play 1 {LYING}\nplay 2 {after}"
    return [code for code, _, _ in found_in(log, ruleset=preset, rules=rules)]


@pytest.mark.parametrize(
    ("melds", "codes"),
    [
        ("R9 R10 R11", []),
        ("R8 R9 R10", [LOW]),
        ("R1 R2 R3 | B8 K8 O8", []),
        ("R1 R2 R3 | B7 K7 O7", [LOW]),
        ("R10 B10 JK", []),
        ("JK R10 R11", []),
        ("R8 R9 JK", [LOW]),
        ("R13 JK JK", []),
        ("R9 JK JK", []),
        ("JK JK R9", [LOW]),
    ],
)
def test_the_new_melds_together_are_worth_thirty(melds, codes):
    assert first(melds) == codes


def test_a_joker_may_count_nothing():
    assert first("R10 B10 JK", first_play_joker="zero") == [LOW]
    assert first("R10 B10 K10 | R1 R2 JK", first_play_joker="zero") == []


def test_a_joker_may_not_be_in_it():
    assert first("R10 B10 JK", first_play_joker="not-allowed") == [LOW]
    assert first("R10 B10 K10", first_play_joker="not-allowed") == []
    assert first("R10 B10 K10 | R1 R2 JK", first_play_joker="not-allowed") == [LOW]
    at_once = {"first_play_joker": "not-allowed", "first_turn_table": "after-minimum"}
    assert first("R10 B10 K10 | R1 R2 JK", **at_once) == []
    assert first("R10 B10 JK", **at_once) == [LOW]


def test_a_joker_that_may_not_be_in_it_is_said_so():
    """Enough without it is not too little: the joker is what is wrong."""
    hand = log("play 1 R10 B10 K10 | R1 R2 JK", rules="first_play_joker=not-allowed")
    (finding,) = replay(hand).findings

    assert message(finding, "tile") == (
        "Seat 1's first play has a joker in it (R1 R2 JK), and it may have none; "
        "without that it is worth 30, and 30 are needed."
    )


def test_what_is_asked_for_and_what_it_was_worth():
    (finding,) = audit("play 1 R8 R9 JK | K1 K2 K3", rules="first_play=50").findings

    assert (finding.code, finding.recorded, finding.expected) == (LOW, 33, 50)
    assert [(term.cards, term.points) for term in finding.breakdown] == [
        (("R8", "R9", "JK"), 27),
        (("K1", "K2", "K3"), 6),
    ]
    assert finding.rule.parameter == "first_play"


def test_what_an_invalid_meld_is_worth_is_not_said():
    assert first("B7 B8") == ["table-invalid", "group-too-short"]
    assert first("B7 B8 | R1 R2 R3") == ["table-invalid", "group-too-short"]


@pytest.mark.parametrize(
    ("after", "codes"),
    [
        pytest.param("R4 R5 R6 R7 | K8 K9 K10 | R10 B10 O10", [TOUCHED], id="added to a meld"),
        pytest.param("R4 R5 R6 | K8 K9 K10 K11", [TOUCHED], id="touching hides too low"),
        pytest.param("R4 B4 O4 | R5 R6 R7 | K8 K9 K10", [TOUCHED], id="taken apart"),
        pytest.param("R6 R5 R4 | K10 K8 K9 | R10 B10 O10", [], id="only laid in another order"),
        pytest.param("K8 K9 K10 | R10 B10 O10 | R4 R5 R6", [], id="melds in another order"),
    ],
)
def test_the_table_is_left_alone_in_the_whole_turn(after, codes):
    assert second(after) == codes


@pytest.mark.parametrize(
    ("after", "codes"),
    [
        pytest.param("R4 R5 R6 R7 | K8 K9 K10 | R10 B10 O10", [], id="ten, ten, ten, and a seven"),
        pytest.param("R4 R5 R6 R7 | K8 K9 K10 | R3 B3 O3", [TOUCHED], id="nine are too little"),
        pytest.param("R4 R5 R6 | K8 K9 K10 | R3 B3 O3", [LOW], id="too low, and not touched"),
        pytest.param(
            "R4 R5 R6 | K8 K9 K10 K11 | B10 O10 R10",
            [],
            id="the thirty and one more",
        ),
        pytest.param(
            "R4 R5 R6 | K8 K9 | K10 R10 B10 O10",
            ["table-invalid", "group-too-short"],
            id="the thirty lie with a tile of the table in the end",
        ),
    ],
)
def test_the_table_is_free_at_once_after_the_minimum(after, codes):
    assert second(after, first_turn_table="after-minimum") == codes


def test_a_joker_of_the_table_counts_for_nobodys_thirty():
    log = "play 1 R10 R11 JK\nplay 2 R10 R11 R12 | K11 B11 JK"
    rules = "first_turn_table=after-minimum"

    assert found_in(log, rules=rules) == [(TOUCHED, 4, 2)]


def test_at_once_the_tiles_of_the_hand_are_laid_as_well_as_they_can_be():
    """A joker that lies on a set of the table in the end made the run worth enough before."""
    lying, rules = "play 1 R10 B10 K10", "first_turn_table=after-minimum"

    with_ten = f"{lying}\nplay 2 R10 B10 K10 O10 | O8 O9 JK"
    assert found_in(with_ten, rules=rules) == []
    without = f"{lying}\nplay 2 R10 B10 K10 JK | O7 O8 O9"
    assert found_in(without, rules=rules) == []
    too_low = f"{lying}\nplay 2 R10 B10 K10 JK | O5 O6 O7"
    assert found_in(too_low, rules=rules) == [(TOUCHED, 4, 2)]


def test_a_wrong_first_play_that_stands_opens_the_seat():
    log = "play 1 R1 R2 R3\nplay 2 R1 R2 R3 | R10 B10 K10\nplay 1 R1 R2 R3 R4 | R10 B10 K10"

    assert found_in(log) == [(LOW, 3, 1)]


def test_a_first_play_that_was_taken_back_does_not_open_it():
    log = "play 1 R1 R2 R3\npenalty 1 x3\nplay 2 R10 B10 K10\nplay 1 R10 B10 K10 O10"

    assert found_in(log) == [(TOUCHED, 6, 1)]


def test_a_second_play_that_was_taken_back_leaves_the_seat_open():
    log = (
        "play 1 R10 B10 K10\nplay 2 R10 B10 K10 | R9 B9 K9 O9\n"
        "play 1 R10 B10 K10 | R9 B9 K9 O9 | R1 R2\npenalty 1 x3\ndraw 2 stock\n"
        "play 1 R10 B10 K10 O10 | R9 B9 K9 O9"
    )

    assert found_in(log) == []


def test_rearranging_before_the_first_play_is_touching_and_adds_nothing():
    log = "play 1 R1 R2 R3 R4 R5 R6 R7 R8\nplay 2 R1 R2 R3 R4 | R5 R6 R7 R8"

    assert found_in(log) == [("tile-draw-missing", 4, 2), (TOUCHED, 4, 2)]
    later = f"{log}\ndraw 1 stock\nplay 2 R1 R2 R3 R4 | R5 R6 R7 R8 | B1 B2 B3"
    assert found_in(later)[2:] == [(LOW, 6, 2)]
