"""004 Tile rummy: every example that the rulebook prints, and each rule it states, by clause."""

import pytest

from rummy_audit.rules.families.tile.melds import meld_rules, readings, value
from rummy_audit.rules.families.tile.table import settings
from rummy_audit.rules.rulesets import RulesetError, ruleset
from rummy_audit.rules.tiles import pack
from tests.rules.tile.play import audit, codes, found_in

EASY = meld_rules(ruleset("tile-easy"))
RED = "R13 B13 K13 O13"
BLUE = "B12 K12 O12 | O9 O10 O11"
PRESETS = ("tile-easy", "tile-pup", "tile-dutch", "tile-rrrummy", "tile-50")


def kinds(tiles):
    return {way.kind for way in readings(tuple(tiles.split()), EASY)}


def turn(before, after, **about):
    """Return the codes of a turn of seat 1, once both players have opened."""
    return [
        code
        for code, _, _ in found_in(
            f"play 1 {RED} | {before}\nplay 2 {RED} | {before} | {BLUE}\n"
            f"play 1 {RED} | {after} | {BLUE}",
            **about,
        )
    ]


def test_start_of_the_game_106_tiles():
    assert sum(pack().values()) == 106
    assert pack()["JK"] == pack()["R1"] == pack()["O13"] == 2


def test_start_of_the_game_each_player_takes_14():
    assert found_in("deal 1 x14\ndeal 2 x13\ndraw 1 stock") == [("deal-count", 2, 2)]


@pytest.mark.parametrize("run", ["R4 R5 R6", "K9 K10 K11 K12 K13"])
def test_playing_your_tiles_a_run(run):
    assert kinds(run) == {"sequence"}


def test_playing_your_tiles_a_one_never_after_a_thirteen():
    assert kinds("O12 O13 O1") == set()
    assert turn("R5 R6 R7", "R5 R6 R7 | O12 O13 O1") == ["table-invalid", "sequence-wraps"]


@pytest.mark.parametrize("group", ["R7 B7 K7", "R11 B11 K11", "R1 B1 K1 O1"])
def test_playing_your_tiles_a_set(group):
    assert kinds(group) == {"set"}


def test_playing_your_tiles_all_colours_must_be_different():
    assert kinds("R4 B4 R4") == set()
    assert turn("R5 R6 R7", "R5 R6 R7 | O4 K4 K4") == ["table-invalid", "set-repeated-suit"]


def test_playing_your_tiles_all_tiles_are_in_valid_melds_at_the_end_of_a_turn():
    assert turn("R4 R5 R6 R7", "R4 R5 R6 | R7 B7 K7") == []
    assert turn("R4 R5 R6 R7", "R4 R5 | R6 R7 R8") == ["table-invalid", "group-too-short"]


def test_playing_your_tiles_nothing_of_the_table_goes_to_the_hand():
    assert turn("R4 R5 R6 R7", "R4 R5 R6 | K1 K2 K3") == ["tile-taken-to-hand"]


@pytest.mark.parametrize("meld", ["K4 JK K6", "R7 B7 JK K7"])
def test_using_jokers_as_the_tile_they_stand_for(meld):
    assert len(kinds(meld)) == 1


@pytest.mark.parametrize("name", ["tile-easy", "tile-pup"])
def test_using_jokers_in_any_way_you_like(name):
    assert turn("R4 R5 R6 JK", "R4 R5 R6 | K8 O8 JK", ruleset=name) == []


@pytest.mark.parametrize("name", ["tile-dutch", "tile-rrrummy", "tile-50"])
def test_using_jokers_replaced_with_the_matching_tile_first(name):
    assert turn("R4 R5 R6 JK", "R4 R5 R6 | K8 O8 JK", ruleset=name) == ["joker-not-replaced"]
    assert turn("R4 R5 R6 JK", "R4 R5 R6 R7 | K8 O8 JK", ruleset=name) == []


@pytest.mark.parametrize("colour", ["K", "O"])
def test_using_jokers_in_a_set_of_three_either_missing_colour_frees_it(colour):
    after = f"R2 B2 {colour}2 | K8 O8 JK"
    assert turn("R2 B2 JK", after, ruleset="tile-dutch") == []


@pytest.mark.parametrize("name", ["tile-dutch", "tile-rrrummy", "tile-50"])
def test_using_jokers_the_matching_tile_comes_from_the_hand(name):
    before, after = "R5 R6 JK | R7 B7 K7 O7", "R5 R6 R7 | B7 K7 O7 | K1 K2 JK"

    assert turn(before, after, ruleset=name) == ["joker-not-from-hand"]
    house = "joker_replace_from_hand=false"
    assert turn(before, after, ruleset="tile-dutch", rules=house) == []


@pytest.mark.parametrize("name", ["tile-rrrummy", "tile-50"])
def test_using_jokers_nothing_leaves_a_meld_with_a_joker(name):
    before, after = "R4 R5 R6 JK", "R5 R6 JK | R4 B4 K4"

    assert turn(before, after, ruleset=name) == ["joker-meld-locked"]
    assert turn(before, after, ruleset="tile-dutch") == []
    assert turn(before, "R5 R6 R7 | R4 B4 K4 JK", ruleset="tile-rrrummy") == []


def test_using_jokers_only_in_a_new_meld_with_own_tiles():
    before, after = "R4 R5 JK | K1 K2 K3", "R4 R5 R6 | K1 K2 K3 JK"

    assert turn(before, after, ruleset="tile-50") == ["joker-not-in-new-meld"]
    assert turn(before, after, ruleset="tile-rrrummy") == []
    assert turn(before, "R4 R5 R6 | K1 K2 K3 | K8 O8 JK", ruleset="tile-50") == []


def test_your_turn_ends_the_player_at_the_left_is_next():
    assert found_in("draw 2 stock\ndraw 3 stock\ndraw 1 stock", seats=(1, 2, 3)) == []
    assert found_in("draw 2 stock\ndraw 1 stock", seats=(1, 2, 3)) == [("out-of-turn", 5, 1)]


def test_your_turn_ends_who_played_nothing_draws_a_tile():
    assert found_in("pass 1\ndraw 2 stock") == [("tile-draw-missing", 3, 1)]


def test_your_turn_ends_the_new_tile_waits_for_the_next_turn():
    assert found_in(f"draw 1 stock\nplay 1 {RED}") == [("out-of-turn", 4, 1)]


@pytest.mark.parametrize("melds", ["R9 R10 R11", "R3 B3 K3 O3 | K5 K6 JK"])
def test_your_first_melds_thirty_or_more(melds):
    assert sum(value(tuple(meld.split()), EASY) for meld in melds.split("|")) == 30
    assert found_in(f"play 1 {melds}") == []


def test_your_first_melds_less_than_thirty():
    assert found_in("play 1 R8 R9 R10 R11 | R1 R2 R3") == []
    assert found_in("play 1 R8 R9 R10") == [("first-play-too-low", 3, 1)]


def test_your_first_melds_only_then_may_the_table_be_used():
    begun = f"play 1 {RED} | B4 B5 B6\n"

    assert found_in(f"{begun}play 2 {RED} | B4 B5 B6 B7") == [("first-play-touches-table", 4, 2)]
    later = f"play 2 {RED} | B4 B5 B6 | {BLUE}\ndraw 1 stock\nplay 2 {RED} | B4 B5 B6 B7 | {BLUE}"
    assert found_in(begun + later) == []


def test_your_first_melds_fifty_in_tiles_50():
    assert settings(ruleset("tile-50")).first_play == 50
    assert found_in(f"play 1 {RED}", ruleset="tile-50") == []
    assert found_in("play 1 R12 B12 K12 O12", ruleset="tile-50") == [("first-play-too-low", 3, 1)]


def test_penalty_for_invalid_moves_all_back_and_three_tiles():
    found = audit(f"play 1 {RED}\nplay 2 {RED} R12\npenalty 2 x3\nplay 1 {RED} | R1 R2 R3")

    assert codes(found) == []
    assert ("first-play-touches-table", 4, 2) in codes(found, notes=True)
    assert found_in("play 1 K7 K8\npenalty 1 x1\ndraw 2 stock") == [("penalty-wrong", 4, 1)]


def test_winning_the_game_the_winner_gets_what_the_others_hold_a_joker_is_30():
    found = audit(
        "show 2 + R1 R2 JK\nshow 3 + B13\nshow 4 + K10 K11\n"
        "score 1=67 2=-33 3=-13 4=-21 winner=1\nend",
        detail="shown",
        seats=(1, 2, 3, 4),
    )

    assert found.result.scores == {1: 67, 2: -33, 3: -13, 4: -21}
    assert codes(found) == []


@pytest.mark.parametrize("name", PRESETS)
def test_the_timer_runs_from_20_seconds_to_2_minutes(name):
    assert settings(ruleset(name)).timer is None
    assert settings(ruleset(name, house={"timer_seconds": 120})).timer == 120_000
    for seconds in (19, 121):
        with pytest.raises(RulesetError, match="timer_seconds"):
            ruleset(name, house={"timer_seconds": seconds})


def test_the_timer_out_costs_three_tiles():
    log = f"play 1 {RED} @1000\n{{}}\ndraw 1 stock @130000"

    late = log.format("draw 2 stock @121001")
    assert found_in(late, rules="timer_seconds=120") == [("timer-exceeded", 4, 2)]
    assert found_in(log.format("penalty 2 x3 @121001"), rules="timer_seconds=120") == []
