"""Jokers of the table: a turn is right if one explanation of it is, else the least breach."""

import pytest

from tests.rules.tile.play import audit, found_in

RED = "R13 B13 K13 O13"
BLUE = "B12 K12 O12 R12 | O9 O10 O11"
REPLACED, FROM_HAND = "joker-not-replaced", "joker-not-from-hand"
LOCKED, NEW_MELD = "joker-meld-locked", "joker-not-in-new-meld"
TAKEN, NO_TILE = "tile-taken-to-hand", "tile-draw-missing"


def log(before, after):
    """Both players open, then seat 1 makes the turn that is asked about; racks are large."""
    return (
        "deal 1 x21\ndeal 2 x21\n"
        f"play 1 {RED} | {before}\nplay 2 {RED} | {before} | {BLUE}\n"
        f"play 1 {RED} | {after} | {BLUE}"
    )


def turn(before, after, preset="tile-dutch", **house):
    house["hand_size"] = 21
    rules = " ".join(f"{name}={str(each).lower()}" for name, each in house.items())
    return [code for code, _, _ in found_in(log(before, after), ruleset=preset, rules=rules)]


ALIKE = ("tile-dutch", "tile-rrrummy", "tile-50")


@pytest.mark.parametrize("preset", ALIKE)
@pytest.mark.parametrize(
    ("before", "after", "codes"),
    [
        pytest.param("R4 R5 JK", "R4 R5 R6 | K8 K9 JK", [], id="freed by its tile"),
        pytest.param("R4 R5 JK", "R3 R4 R5 | K8 K9 JK", [REPLACED], id="moved without it"),
        pytest.param("R4 R5 JK", "R3 R4 R5 JK", [], id="kept, the run grows"),
        pytest.param("R4 R5 JK", "R4 R5 JK R7", [], id="kept, the run grows behind it"),
        pytest.param("R4 R5 JK", "JK R4 R5 | K1 K2 K3", [REPLACED], id="to the other end"),
        pytest.param("B7 K7 JK", "B7 K7 R7 | K1 K2 JK", [], id="a set of three, one colour"),
        pytest.param("B7 K7 JK", "B7 K7 O7 | K1 K2 JK", [], id="a set of three, the other"),
        pytest.param("B7 K7 JK", "B7 K7 O7 JK", [], id="the fourth tile names the joker"),
        pytest.param("B7 K7 JK", "B7 K7 O7 R7 | K1 K2 JK", [], id="both colours laid"),
        pytest.param("B7 K7 R7 JK", "B7 K7 R7 | K1 K2 JK", [REPLACED], id="a set of four"),
        pytest.param("B7 K7 R7 JK", "B7 K7 R7 O7 | K1 K2 JK", [], id="a set of four, freed"),
        pytest.param(
            "R4 R5 JK", "R3 R4 R5 | R6 B6 K6 | K1 K2 JK", [], id="the freeing tile lies elsewhere"
        ),
        pytest.param(
            "R4 R5 JK | R6 B6 K6 O6",
            "R4 R5 R6 | B6 K6 O6 | K1 K2 JK",
            [FROM_HAND],
            id="a tile of the table",
        ),
        pytest.param(
            "R4 R5 JK | R6 B6 K6 O6",
            "R3 R4 R5 | R6 B6 K6 O6 | K1 K2 JK",
            [REPLACED],
            id="a matching tile that stays where it was frees nothing",
        ),
        pytest.param(
            "R6 K6 O6 JK | R6 B6 K6 O6",
            "R6 K6 O6 B6 | R6 K6 O6 | B3 B2 JK",
            [FROM_HAND],
            id="of two sets alike the one that lies anew took the tile",
        ),
        pytest.param("R4 JK JK R7", "R4 R5 JK R7 | K1 K2 JK", [], id="two in a run, one freed"),
        pytest.param("R4 JK JK R7", "R4 R5 R6 R7 | K1 JK JK", [], id="two in a run, both freed"),
        pytest.param("JK R1 R2", "R1 R2 R3 | K1 K2 JK", [], id="a joker read freely"),
        pytest.param("JK R1 R2", "R1 R2 JK R4", [], id="a joker read freely, kept"),
        pytest.param(
            "R4 R5 JK | B4 B5 B6", "R4 R5 R6 | B4 B5 B6 | K8 K9 JK JK", [], id="with an own joker"
        ),
        pytest.param("R4 R5 JK", "R4 R5 JK | K8 K9 JK", [], id="an own joker laid beside"),
        pytest.param("R4 R5 R6 JK", "R4 R5 R6 | K1 K2 K3", [TAKEN], id="taken hides the rest"),
        pytest.param("R4 R5 JK", "R4 R5 JK | K1 K2 K3", [], id="left alone"),
    ],
)
def test_what_all_rules_that_ask_for_the_tile_have_in_common(before, after, codes, preset):
    assert turn(before, after, preset) == codes


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("R4 R5 R6 JK", "R4 R5 R6 | K8 K9 JK"),
        ("R4 R5 R6 JK", "R5 R6 JK | R4 B4 K4"),
        ("R4 R5 JK", "JK R4 R5 | K1 K2 K3"),
        ("R4 R5 JK | K1 K2 K3", "R3 R4 R5 | K1 K2 K3 JK"),
    ],
)
def test_jokers_are_free(before, after):
    assert turn(before, after, "tile-easy") == turn(before, after, "tile-pup") == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("R4 R5 R6 JK", "R5 R6 JK | R4 B4 K4", id="a tile leaves a run"),
        pytest.param("B7 K7 R7 JK", "B7 K7 JK | R7 R8 R9", id="a tile leaves a set"),
        pytest.param(
            "B7 K7 JK", "R6 JK R8 | B7 B8 B9 | K7 K8 K9", id="the joker leaves as what it stood for"
        ),
        pytest.param(
            "R3 R4 JK JK", "R4 R5 JK | R3 B3 K3 | K8 K9 JK", id="a tile leaves the other joker"
        ),
    ],
)
def test_a_locked_meld(before, after):
    assert turn(before, after, "tile-dutch") == []
    assert turn(before, after, "tile-rrrummy") == [LOCKED]
    assert turn(before, after, "tile-50") == [LOCKED]


def test_a_locked_meld_is_open_once_its_joker_is_replaced():
    assert turn("B7 K7 R7 JK", "B7 K7 O7 | R7 R8 R9 | K1 K2 JK", "tile-50") == []
    assert turn("R4 JK JK R7", "R4 R5 R6 | R7 B7 K7 | K1 JK JK", "tile-50") == []


@pytest.mark.parametrize(
    ("before", "after", "codes"),
    [
        pytest.param(
            "R4 R5 JK | K1 K2 K3", "R4 R5 R6 | K1 K2 K3 JK", [NEW_MELD], id="into an old meld"
        ),
        pytest.param("R4 R5 JK", "R4 R5 R6 JK", [NEW_MELD], id="into its own old meld"),
        pytest.param(
            "R4 R5 JK | K1 K2 K3",
            "R4 R5 R6 | K1 K2 K3 | JK K5 K6",
            [],
            id="into a new meld of own tiles",
        ),
        pytest.param(
            "R4 R5 JK | K5 K6 K7",
            "R4 R5 R6 | JK K3 K4 K5 K6 K7",
            [],
            id="a new meld that old tiles then joined",
        ),
        pytest.param(
            "R4 R5 JK | K5 K6 K7",
            "R4 R5 R6 | JK K4 K5 K6 K7",
            [NEW_MELD],
            id="too few own tiles for a meld of their own",
        ),
        pytest.param("R4 JK JK R7", "R4 R5 R6 R7 | K1 JK JK", [], id="two jokers, one own tile"),
        pytest.param(
            "R4 R5 JK | B4 B5 JK",
            "R4 R5 R6 | B4 B5 B6 | K1 JK JK",
            [],
            id="two jokers of two melds in one new meld",
        ),
        pytest.param(
            "R4 R5 JK | B4 B5 JK | K1 K2 K3 | O1 O2 O3",
            "R4 R5 R6 | B4 B5 B6 | K1 K2 K3 JK | O1 O2 O3 JK",
            [NEW_MELD, NEW_MELD],
            id="two jokers, two breaches",
        ),
    ],
)
def test_a_freed_joker_goes_into_a_new_meld(before, after, codes):
    assert turn(before, after, "tile-50") == codes
    assert turn(before, after, "tile-rrrummy") == []


def test_the_least_breach_counts_the_fewest_then_the_mildest():
    """One joker lies where the other was: that neither was freed would be two breaches."""
    before = "O10 O11 O12 JK | JK B9 B10 B11"
    assert turn(before, "O10 O11 O12 | R5 B5 JK | JK B9 B10 B11") == [REPLACED]
    locked = "R4 R5 R6 JK"
    assert turn(locked, "R5 R6 JK | R4 B4 K4", "tile-50") == [LOCKED]


def test_both_missing_colours_by_house_rule():
    both = {"group_joker_replacement": "both"}

    assert turn("B7 K7 JK", "B7 K7 O7 JK", **both) == []
    assert turn("B7 K7 JK", "B7 K7 O7 | K1 K2 JK", **both) == [REPLACED]
    assert turn("B7 K7 JK", "B7 K7 O7 R7 | K1 K2 JK", **both) == []
    assert turn("B7 K7 R7 JK", "B7 K7 O7 R7 | K1 K2 JK", **both) == []
    assert turn("R4 R5 JK", "R4 R5 R6 | K1 K2 JK", **both) == []


def test_a_tile_of_the_table_may_free_a_joker_by_house_rule():
    house = {"joker_replace_from_hand": False}
    before = "R4 R5 JK | R6 B6 K6 O6"

    assert turn(before, "R4 R5 R6 | B6 K6 O6 | K1 K2 JK", **house) == []
    assert turn(before, "R3 R4 R5 | B6 K6 O6 | R6 R7 R8 | K1 K2 JK", **house) == []
    assert turn(before, "R3 R4 R5 | R6 B6 K6 O6 | K1 K2 JK", **house) == [REPLACED]


@pytest.mark.parametrize("lying", ["K7 K8 K9 K10", "K10 K9 K8 K7", "K7 K8 K9 K10 K11"])
@pytest.mark.parametrize("from_hand", [True, False])
def test_a_matching_tile_that_lies_as_before_frees_no_joker(lying, from_hand):
    """In whatever order its meld is written, and though another tile joins it."""
    house = {"joker_replace_from_hand": from_hand}
    before, after = "K4 K5 K6 K7 JK | K7 K8 K9 K10", f"K4 K5 K6 K7 | {lying} | R9 B9 JK"

    assert turn(before, after, **house) == [REPLACED]
    sets = "R1 K1 B1 JK | R1 O1 K1", "R1 K1 B1 | K1 O1 R1 | JK B10 B11"
    assert turn(*sets, **house) == [REPLACED]


@pytest.mark.parametrize("lying", ["R4 R5 R6", "R6 R5 R4", "R4 R5 R6 R7"])
def test_of_melds_alike_either_may_be_the_jokers_where_the_table_may_free_it(lying):
    """Copies are not told apart: the six can have gone to the joker's place and freed it."""
    before, after = "R4 R5 JK | R4 R5 R6", f"R3 R4 R5 | {lying} | K1 K2 JK"

    assert turn(before, after, joker_replace_from_hand=False) == []
    assert turn(before, after) == [REPLACED]
    sets = "B7 K7 JK | B7 K7 O7 R7", "B7 K7 O7 R7 | R7 B7 K7 | K1 K2 JK"
    both = {"group_joker_replacement": "both", "joker_replace_from_hand": False}
    assert turn(*sets, **both) == []


def test_of_two_runs_that_were_joined_either_may_have_moved():
    low, high, house = "O5 O6 O7", "O8 O9 O10", {"joker_replace_from_hand": False}

    for lying in (f"{low} | {high}", f"{high} | {low}"):
        for stood_for in ("B5 K5 R5 JK", "B8 K8 R8 JK"):
            after = f"O5 O6 O7 O8 O9 O10 | {stood_for.removesuffix(' JK')} | K1 K2 JK"
            assert turn(f"{stood_for} | {lying}", after, **house) == []


def test_each_joker_rule_stands_alone():
    """House rules on top of free jokers ask only for what they say."""
    locked, reuse = {"joker_meld_locked": True}, {"joker_reuse_new_meld": True}
    away = ("R4 R5 R6 JK", "R4 R5 R6 | K8 K9 JK")

    assert turn(*away, "tile-easy", **locked) == [LOCKED]
    assert turn("R4 R5 JK", "JK R4 R5 | K1 K2 K3", "tile-easy", **locked) == []
    assert turn(*away, "tile-easy", **reuse) == []
    assert turn(
        "R4 R5 R6 JK | K1 K2 K3", "R4 R5 R6 | K1 K2 K3 JK | B1 B2 B3", "tile-easy", **reuse
    ) == [NEW_MELD]
    assert turn(*away, "tile-easy", joker_replace_from_hand=True) == []


def test_jokers_of_a_wrong_meld_are_not_asked_about():
    """What a joker stood for in a meld that does not hold, nobody knows."""
    before = "R4 R6 R8 JK"
    assert turn(before, "R4 R6 R8 | K1 K2 JK")[:1] == ["table-invalid"]
    assert REPLACED not in turn(before, "R4 R6 R8 | K1 K2 JK")
    assert turn("R4 R5 R6 JK", "R4 R5 R6 | K1 K9 JK") == ["table-invalid", "sequence-gap"]


def test_rearranging_a_joker_without_a_tile_is_both():
    assert turn("R4 R5 R6 JK | K2 B2 O2", "R4 R5 R6 | K2 B2 O2 JK") == [NO_TILE, REPLACED]


def test_the_finding_says_how_it_read_the_table():
    played = log("R4 R5 R6 JK", "R4 R5 R6 | K8 K9 JK")
    (finding,) = audit(played, ruleset="tile-dutch", rules="hand_size=21").findings

    assert finding.data == {
        "meld": ["R4", "R5", "R6", "JK"],
        "stood_for": "R7",
        "went_to": ["K8", "K9", "JK"],
        "stands_for": "K10",
        "left": ["R4", "R5", "R6"],
    }
    assert finding.rule.parameter == "joker_replace_first"
    assert finding.rule.source == "004 Using Jokers"
