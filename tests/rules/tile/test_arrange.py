"""The most that can be laid: exact, also beside a table, and never without an end."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_audit.rules.families.tile import judging
from rummy_audit.rules.families.tile.arrange import SearchTooLong, arrange
from rummy_audit.rules.families.tile.melds import MeldRules, readings
from rummy_audit.rules.judging import JudgeError, judge, judge_text
from rummy_audit.rules.rulesets import ruleset
from rummy_audit.rules.tiles import pack
from tests.effort import tries
from tests.reference.tile_melds import most

TILES = [tile for tile, count in pack().items() for _ in range(count)]
NATURALS = [tile for tile in TILES if tile != "JK"]
RULES = MeldRules()
HOUSES = [{}, {"run_min": 4}, {"set_max": 3}, {"set_min": 4}]


def checked(rack, table=(), rules=RULES, **about):
    """Return the arrangement, once it is known to be one of these tiles."""
    found = arrange(rack, rules, table=table, **about)
    if found is not None:
        lying = Counter(tile for meld in found.melds for tile in meld)
        assert lying + Counter(found.loose) == Counter(rack) + Counter(table)
        assert all(readings(meld, rules) for meld in found.melds)
        assert not Counter(table) - lying
        assert found.tiles == len(rack) - len(found.loose)
    return found


@st.composite
def positions(draw):
    low = draw(st.integers(1, 10))
    colours = draw(st.lists(st.sampled_from("RBKO"), min_size=1, max_size=4, unique=True))
    faces = [f"{colour}{low + step}" for colour in colours for step in range(4)]
    copies = draw(st.lists(st.sampled_from(faces), max_size=7))
    tiles = [*(+(Counter(copies) & Counter(dict.fromkeys(faces, 2)))).elements()]
    tiles += ["JK"] * draw(st.integers(0, 2))
    cut = draw(st.sampled_from([0, 0, *range(len(tiles))]) if tiles else st.just(0))
    return tiles[:cut], tiles[cut:], draw(st.sampled_from(HOUSES))


@given(positions())
@settings(max_examples=tries(40), deadline=None)
def test_as_good_as_trying_everything(position):
    table, rack, house = position
    asked = ruleset("tile-easy", house=house)
    rules = MeldRules(asked["run_min"], asked["set_min"], asked["set_max"])
    by_tiles = checked(rack, table, rules)
    by_value = checked(rack, table, rules, aim="value")

    assert (by_tiles and by_tiles.tiles) == most(rack, table, rules=asked)
    assert (by_value and by_value.value) == most(rack, table, rules=asked, by_value=True)


@pytest.mark.parametrize(
    ("rack", "tiles", "value"),
    [
        pytest.param("B6 O5 JK JK R5", 4, 21, id="both jokers only make a set longer"),
        pytest.param("JK R13 JK O12 K12", 4, 48, id="a set of four beats one of thirteens"),
        pytest.param("R1 R2 R3 R3 R4 R5", 6, 18, id="two runs of one colour"),
        pytest.param(
            "R3 R4 R4 R5 R5 R6 R6 R7 JK", 9, 48, id="a joker as a third five or at an end"
        ),
        pytest.param("R1 R13 B7", 0, 0, id="nothing"),
    ],
)
def test_most_tiles_and_most_value(rack, tiles, value):
    assert checked(rack.split()).tiles == tiles
    assert checked(rack.split(), aim="value").value == value


def test_a_joker_can_be_a_third_copy():
    """Both red suits whole leave a joker no end: it splits one of the runs."""
    both = [f"R{number}" for number in range(1, 14)] * 2

    assert checked([*both, "JK"]).loose == ()


def test_all_tiles_of_the_game_can_lie():
    assert checked([], TILES).melds
    assert checked(TILES).tiles == 106


@pytest.mark.parametrize("seed", range(4))
def test_sixty_tiles_with_both_jokers(seed):
    tiles = [*random.Random(seed).sample(NATURALS, 58), "JK", "JK"]
    by_value = checked(tiles, aim="value")
    by_tiles = checked(tiles)

    assert by_tiles.tiles >= by_value.tiles
    assert by_value.value >= by_tiles.value
    assert checked(by_tiles.loose, [t for meld in by_tiles.melds for t in meld]).tiles == 0


def test_what_a_table_cannot_hold_is_said():
    assert arrange(["R4"], RULES, table=["R1", "R2"]) is None
    assert checked(["R3"], ["R1", "R2"]).tiles == 1


def test_a_search_has_an_end():
    with pytest.raises(SearchTooLong):
        arrange(TILES, RULES, budget=1000)


def test_over_the_budget_the_answer_is_an_error_and_no_hang(monkeypatch):
    monkeypatch.setattr(judging, "BUDGET", 100)

    with pytest.raises(JudgeError, match="too many ways"):
        judge(cards=random.Random(1).sample(NATURALS, 60), rules="tile-easy")


# Judging without a log


def test_melds_as_they_lie_with_tiles_beside_them():
    answer = judge_text("R4 JK R6 | B7 B7 K7 + O1", rules="tile-easy")

    assert answer["valid"] is False
    assert [group["kind"] for group in answer["groups"]] == ["sequence", "invalid"]
    assert answer["groups"][0]["places"] == ["R4", "R5", "R6"]
    assert [each["code"] for each in answer["findings"]] == ["set-repeated-suit"]
    assert answer["points"] == 7 + 7 + 7 + 1
    assert answer["declarable"] is False
    assert (answer["most_tiles"], answer["most_value"]) == (3, 21)
    assert answer["best"]["points"] == 4 + 6 + 7 + 1


def test_a_valid_table():
    answer = judge_text("R4 JK R6 | B7 O7 K7", rules="tile-50")

    assert answer["valid"] is answer["declarable"] is True
    assert (answer["points"], answer["findings"]) == (0, [])


@pytest.mark.parametrize(
    ("rack", "table", "tiles", "value", "declarable"),
    [
        ("R7 K9", "R4 R5 R6", 1, 7, False),
        ("R7", "R4 R5 R6", 1, 7, True),
        ("R7", "R4 R5", None, None, False),
        ("R7", "R4 R5 B9", None, None, False),
        ("", "R6 R4 R5", 0, 0, True),
        ("JK", "R4 R5", 1, 6, True),
    ],
)
def test_a_rack_beside_a_table(rack, table, tiles, value, declarable):
    answer = judge(cards=rack.split(), table=[table.split()], rules="tile-easy")

    assert (answer["most_tiles"], answer["most_value"]) == (tiles, value)
    assert answer["declarable"] is declarable


def test_a_rack_is_charged_for_what_stays_on_it():
    answer = judge(cards=["R7", "R8", "R9", "JK", "K2"], rules="tile-easy")

    assert answer["best"]["loose"] == ["K2"]
    assert answer["points"] == answer["best"]["points"] == 2
    assert answer["valid"] is False


def test_more_copies_than_the_game_has():
    answer = judge(cards=["R4", "R4", "R4"], rules="tile-easy")

    assert [each["code"] for each in answer["findings"]] == ["too-many-copies"]
    assert (answer["valid"], answer["declarable"], answer["most_tiles"]) == (False, False, None)


def test_the_rules_of_the_house_are_asked():
    run = ["R4", "R5", "R6"]

    assert judge(cards=run, rules="tile-easy", house={"run_min": 4})["declarable"] is False
    assert judge(groups=[run], rules="tile-easy", house={"run_min": 4})["valid"] is False


def test_cards_are_no_tiles():
    with pytest.raises(JudgeError):
        judge(cards=["7H"], rules="tile-easy")
