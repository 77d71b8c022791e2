"""One meld of tiles: what it is, what its jokers can stand for, and what is wrong with it."""

import pytest

from rummy_audit.rules.families.tile.melds import (
    MeldRules,
    breaches,
    readings,
    same_fault,
    shape,
    value,
)

RULES = MeldRules()
LITERAL = MeldRules(literal=True)
RED_RUN = " ".join(f"R{number}" for number in range(1, 14))


def meld(text):
    return tuple(text.split())


def jokers(text, rules=RULES):
    """Return what the jokers of a meld can stand for, each reading once."""
    tiles = meld(text)
    return sorted(
        {
            tuple(place for tile, place in zip(tiles, way.places, strict=True) if tile == "JK")
            for way in readings(tiles, rules)
        }
    )


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        pytest.param("R4 R5 JK", [("R6",)], id="behind a run"),
        pytest.param("JK R4 R5", [("R3",)], id="before a run"),
        pytest.param("R4 JK R6", [("R5",)], id="in a run"),
        pytest.param("R4 JK JK R7", [("R5", "R6")], id="two in a run"),
        pytest.param("JK R5 JK", [("R4", "R6")], id="one tile between two jokers is a run"),
        pytest.param("R5 JK JK", [("R6", "R7")], id="one tile before two jokers is a run"),
        pytest.param("R12 R13 JK", [("R11",)], id="behind the thirteen, read freely"),
        pytest.param("JK R1 R2", [("R3",)], id="before the one, read freely"),
        pytest.param("B7 K7 JK", [("O7",), ("R7",)], id="either missing colour"),
        pytest.param("JK B7 K7 R7", [("O7",)], id="the one missing colour"),
        pytest.param(
            "K8 JK O8 JK", [("B8", "R8"), ("R8", "B8")], id="both missing colours, in either order"
        ),
        pytest.param("R6 R5 JK", [("R4",), ("R7",)], id="a run laid the other way round"),
        pytest.param(
            "R13 JK JK",
            [
                *[("B13", "K13"), ("B13", "O13"), ("K13", "B13"), ("K13", "O13")],
                *[("O13", "B13"), ("O13", "K13"), ("R11", "R12"), ("R12", "R11")],
            ],
            id="two jokers behind the thirteen: a run or a set",
        ),
        pytest.param("R7 B7 K7 O7 JK", [], id="five are no set"),
        pytest.param("JK JK JK", [], id="no natural tile"),
        pytest.param("R4 R4 JK", [], id="a tile twice"),
        pytest.param("R1 JK R13", [], id="no way round the corner"),
    ],
)
def test_what_a_joker_stands_for(text, stands):
    assert jokers(text) == stands


def test_a_joker_stands_in_its_place_or_the_run_does_not_hold():
    assert jokers("R12 R13 JK", LITERAL) == []
    assert jokers("R4 R5 JK", LITERAL) == [("R6",)]
    assert jokers("B7 JK K7", LITERAL) == [("O7",), ("R7",)]
    assert [breach.parameter for breach in breaches(meld("R12 R13 JK"), LITERAL)] == [
        "joker_position"
    ]


def test_a_whole_run_of_one_colour():
    assert len(readings(tuple(f"O{number}" for number in range(1, 14)), RULES)) == 1
    assert readings((*(f"O{number}" for number in range(1, 14)), "JK"), RULES) == ()


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("B7 B8", ["group-too-short"]),
        ("K9", ["group-too-short"]),
        ("", ["group-too-short"]),
        ("JK JK", ["group-too-short", "group-unanchored"]),
        ("O2 O3 O5", ["sequence-gap"]),
        ("O2 O3 O3 O4", ["sequence-gap"]),
        ("K12 K13 K1", ["sequence-wraps"]),
        ("K13 K1 JK", ["sequence-wraps"]),
        ("R4 R5 B6", ["sequence-mixed-suits"]),
        ("R4 R5 B7", ["sequence-mixed-suits", "sequence-gap"]),
        ("R8 B8 K8 O9", ["set-mixed-ranks"]),
        ("R8 R8 B8", ["set-repeated-suit"]),
        ("R8 B8 K8 O8 JK", ["set-too-long"]),
        (f"{RED_RUN} JK", ["sequence-wraps"]),
        (f"{RED_RUN} R1", ["sequence-wraps"]),
        (f"{RED_RUN} B1", ["sequence-mixed-suits", "sequence-wraps"]),
        (f"{RED_RUN} R7", ["sequence-gap"]),
        ("R1 K9 O5", ["group-invalid"]),
        ("K9 B2", ["group-too-short", "group-invalid"]),
    ],
)
def test_every_breach_in_the_order_a_referee_asks(text, codes):
    assert [breach.code for breach in breaches(meld(text), RULES)] == codes


def test_a_tile_that_no_set_has_is_in_no_meld():
    assert readings(meld("R14 R13 R12"), RULES) == ()


def test_breaches_name_tiles_and_not_cards():
    (gap,) = breaches(meld("O10 O11 O13"), RULES)
    (mixed,) = breaches(meld("R4 R5 B6"), RULES)
    (twice,) = breaches(meld("K12 K12 B12"), RULES)

    assert gap.data == {"numbers": [10, 11, 13]}
    assert mixed.data == {"colours": ["B", "R"]}
    assert twice.data == {"repeated": ["K12"]}


@pytest.mark.parametrize(
    ("text", "with_jokers", "without"),
    [
        ("K5 K6 JK", 18, 11),
        ("R13 K13 JK", 39, 26),
        ("R13 JK JK", 39, 13),
        ("JK JK R13", 36, 13),
        ("R1 R2 R3", 6, 6),
    ],
)
def test_what_a_meld_is_worth_at_best(text, with_jokers, without):
    assert value(meld(text), RULES) == with_jokers
    assert value(meld(text), RULES, jokers=False) == without


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("B7 K7 R7", "R7 B7 K7", True),
        ("R4 R5 R6", "R6 R5 R4", True),
        ("B7 K7 JK", "JK K7 B7", True),
        ("R4 R5 JK", "JK R4 R5", False),
        ("R4 JK R6", "R4 R6 JK", True),
        ("R4 R5 R6", "R4 R5 R6 R7", False),
    ],
)
def test_another_order_of_the_same_tiles_is_the_same_meld_but_for_jokers_of_a_run(one, other, same):
    assert (shape(meld(one), RULES) == shape(meld(other), RULES)) is same


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("R8 R9 R11", "R8 R9 R11 R12", True),
        ("R8 R9 R11", "R8 R9 R11 R13", False),
        ("R8 R9 R11", "R8 R9 R11 R11", False),
        ("B7 B8", "B7 B8 B9", False),
        ("B7 K7 R6", "B7 K7 R6 O7", True),
        ("B7 K7 R6", "B7 K7", False),
        ("R8 R9 R10", "R8 R9 R11", False),
    ],
)
def test_a_fault_that_was_there_before(old, new, same):
    assert same_fault(meld(old), meld(new), RULES) is same


def test_longer_runs_and_shorter_sets_by_house_rule():
    longer, short = MeldRules(run_min=4), MeldRules(set_max=3)

    assert readings(meld("R4 R5 R6"), longer) == ()
    assert [breach.code for breach in breaches(meld("R4 R5 R6"), longer)] == ["group-too-short"]
    assert [breach.code for breach in breaches(meld("R4 B4 K4 O4"), short)] == ["set-too-long"]
