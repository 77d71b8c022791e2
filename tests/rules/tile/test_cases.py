"""What people really asked about tile rummy, each question under each setting it depends on."""

import json
from pathlib import Path

import pytest

from rummy_audit.rules.judging import judge
from tests.rules.tile.play import audit, found_in

PATH = Path(__file__).resolve().parents[2] / "cases" / "cases.jsonl"
CASES = {
    case["id"]: case
    for case in map(json.loads, PATH.read_text("utf-8").splitlines())
    if case["game"] == "rummikub"
}
ASKED = {name for name in CASES if "valid" in CASES[name]["question"]}
POSITION = {"literal_positions": "literal", "free_positions": "free"}


def tiles(texts):
    return ["JK" if text == "*" else text for text in texts]


def melds(groups):
    return " | ".join(" ".join(tiles(group)) for group in groups)


@pytest.mark.parametrize("name", sorted(ASKED - {"rk-025", "rk-026"}))
def test_is_it_a_valid_meld(name):
    case = CASES[name]
    answer = judge(groups=[tiles(case["tiles"])], rules="tile-easy")

    assert answer["valid"] is case["expected"]["valid"]


@pytest.mark.parametrize("name", ["rk-025", "rk-026"])
@pytest.mark.parametrize("position", POSITION)
def test_a_joker_whose_place_is_no_tile_is_read_by_the_setting(name, position):
    """Read freely the three are a run; by their places they can only be a set."""
    case = CASES[name]
    house = {"joker_position": POSITION[position]}
    answer = judge(groups=[tiles(case["tiles"])], rules="tile-easy", house=house)

    assert (answer["groups"][0]["kind"] == "sequence") is case["expected"][position]


def test_rk_027_one_tile_in_two_runs():
    """Two red fours are two tiles; a hand with one of them cannot lay both runs."""
    first, other = (" ".join(tile[:-1] for tile in meld) for meld in CASES["rk-027"]["sets"])
    found = found_in(
        f"deal 1 {first} R7 R8 K1 K2 K3 K4 B1 B2 B3 B4 O1\n"
        "deal 2 K5 K6 K7 K8 K9 B5 B6 B7 B8 B9 O5 O6 O7 O8\n"
        f"play 1 {first} | {other}",
        detail="full",
    )

    assert found == [("card-not-held", 3, 1)]


@pytest.mark.parametrize("name", ["rk-030", "rk-031"])
def test_is_it_enough_to_open(name):
    case = CASES[name]
    opens = not found_in(f"play 1 {melds(case['sets'])}")

    assert opens is case["expected"]["opens"]
    if not opens:
        (finding,) = audit(f"play 1 {melds(case['sets'])}").findings
        assert finding.recorded == case["expected"]["points"]


def test_rk_032_may_the_opening_turn_use_the_table():
    log = "play 1 R4 R5 R6 | K8 K9 K10\nplay 2 R4 R5 R6 R7 | K8 K9 K10 | R10 B10 O10"

    assert CASES["rk-032"]["settings"] == {"manipulate_in_opening_turn": [True, False]}
    assert found_in(log, rules="first_turn_table=after-minimum") == []
    assert found_in(log, rules="first_turn_table=next-turn") == [("first-play-touches-table", 4, 2)]


def test_rk_032_the_thirty_come_from_the_rack_alone():
    log = "play 1 R4 R5 R6 | K8 K9 K10\nplay 2 R4 R5 R6 R7 | K8 K9 K10 | R3 B3 O3"

    for house in ("after-minimum", "next-turn"):
        assert found_in(log, rules=f"first_turn_table={house}") == [
            ("first-play-touches-table", 4, 2)
        ]


def test_rk_033_a_set_holds_each_colour_once():
    answer = judge(cards=CASES["rk-033"]["tiles"], rules="tile-easy")

    assert (answer["most_tiles"], answer["best"]["loose"]) == (3, ["K13"])


def test_rk_038_a_joker_is_not_freed_before_the_first_play():
    log = "play 1 R10 R11 JK | K4 K5 K6\nplay 2 R10 R11 R12 | K4 K5 K6 | B1 O1 JK"

    assert CASES["rk-038"]["expected"] == {"allowed": False}
    assert found_in(log) == [("first-play-touches-table", 4, 2)]


def test_rk_039_what_the_losers_hold():
    case = CASES["rk-039"]
    shows = [f"show {2 + n} + {' '.join(tiles(hand))}" for n, hand in enumerate(case["hands"])]
    found = audit("\n".join([*shows, "end"]), detail="shown", seats=(1, 2, 3, 4))
    expected = [case["expected"]["winner"], *case["expected"]["losers"]]

    assert [found.result.scores[seat] for seat in (1, 2, 3, 4)] == expected


def test_every_case_is_asked():
    here = ASKED | {"rk-027", "rk-030", "rk-031", "rk-032", "rk-033", "rk-038", "rk-039"}

    assert here == CASES.keys()
