"""Rulesets: every value lawful and sourced, house rules on top, contradictions refused."""

import tomllib
from importlib import resources

import pytest

from rummy_audit.rhl.records import HandRecord, Match, Player
from rummy_audit.rules import rulesets
from rummy_audit.rules.findings import Rule
from rummy_audit.rules.rulesets import (
    FAMILIES,
    HOUSE,
    SILENT,
    Conflict,
    RulesetError,
    for_hand,
    parameters,
    pin,
    presets,
    ruleset,
)

EVERY = [(family, name) for family in FAMILIES for name in parameters(family)]

# Every parameter of the Indian family that the rulebooks are compared by.
INDIAN = [
    "players_min",
    "players_max",
    "decks",
    "printed_jokers",
    "hand_size",
    "wild_if_printed",
    "upcard_joker",
    "upcard_joker_takeable",
    "ace",
    "card_points",
    "sequence_min",
    "sequence_max",
    "natural_wild_pure",
    "naturals_min",
    "wild_anchors",
    "set_min",
    "set_max",
    "sequences_min",
    "pure_min",
    "joker_from_discard",
    "discard_just_taken",
    "first_drop",
    "middle_drop",
    "drop_after_draw",
    "misses_to_drop",
    "leave_before_draw",
    "leave_after_draw",
    "wrong_declaration_points",
    "wrong_declaration",
    "cap",
    "no_lives_points",
    "loser_counts",
    "pure_only",
    "judge_declarer",
    "judge_losers",
    "stock_exhausted",
    "drops",
    "limit",
    "pool_out",
    "rejoin_max",
    "split",
    "start_chips",
]


def refused(name="indian-13", **given):
    with pytest.raises(RulesetError) as error:
        ruleset(name, **given)
    return error.value.parameter, error.value.found, error.value.expected


def values(preset, *names, **given):
    rules = ruleset(preset, **given)
    return tuple(rules[name] for name in names)


def test_the_indian_family_has_every_parameter_the_rulebooks_are_compared_by():
    assert [name for name in INDIAN if name not in parameters("indian")] == []


@pytest.mark.parametrize(("family", "name"), EVERY)
def test_every_parameter_says_what_it_is_for_and_has_a_lawful_default(family, name):
    law = parameters(family)[name]

    assert law.words.endswith(".")
    assert law.topic
    assert law.check(law.default) == law.default
    assert law.choices or law.type != "choice"
    assert law.low <= law.high


@pytest.mark.parametrize("name", list(presets()))
def test_every_value_of_a_preset_is_lawful_and_says_where_it_comes_from(name):
    preset = presets()[name]
    rules = ruleset(name)

    assert name == f"{preset.id}@{preset.version}"
    assert set(preset.rules) <= set(parameters(preset.family))
    assert all(setting.source.strip() for setting in preset.rules.values())
    assert set(rules.values) == set(parameters(preset.family))
    assert all(rules.cite(parameter).source for parameter in rules.values)


@pytest.mark.parametrize("family", FAMILIES)
def test_conflicts_name_parameters_and_values_there_are(family):
    law = parameters(family)
    for conflict in rulesets._conflicts(family):
        assert isinstance(conflict, Conflict)
        assert bool(conflict.values) != bool(conflict.rising)
        assert set(conflict.rising) <= set(rulesets.parameters(family))
        for name, wrong in conflict.values.items():
            assert [law[name].check(value) for value in wrong] == wrong


@pytest.mark.parametrize("family", FAMILIES)
def test_formats_set_parameters_there_are_and_say_where_from(family):
    path = resources.files(rulesets.__package__).joinpath("families", family, "formats.toml")
    for overlay in tomllib.loads(path.read_text(encoding="utf-8")).values():
        assert set(overlay) <= set(parameters(family))
        assert all(setting["source"] for setting in overlay.values())


def test_the_presets_differ_as_their_rulebooks_do():
    names = ("set_max", "loser_counts", "leave_before_draw", "hand_size", "cap")

    assert values("indian-13", *names) == (4, "ungrouped", "middle", 13, 80)
    assert values("indian-13-central", *names) == (4, "unsequenced", "first", 13, 80)
    assert values("indian-13-circle", *names) == ("none", "ungrouped", "first", 13, 80)


def test_a_value_the_book_does_not_state_is_the_familys_and_says_so():
    assert ruleset("indian-13-central").cite("upcard_joker") == Rule("upcard_joker", "bury", SILENT)
    assert ruleset("indian-13").cite("upcard_joker") == Rule(
        "upcard_joker", "bury", "001 Dealing Rules"
    )


@pytest.mark.parametrize(
    ("house", "expected"),
    [
        ({"hand_size": 22}, ("hand_size", 22, "a whole number from 7 to 21")),
        ({"decks": 5}, ("decks", 5, "a whole number from 1 to 4")),
        ({"cap": 1001}, ("cap", 1001, 'a whole number from 1 to 1000 or "none"')),
        ({"first_drop": -1}, ("first_drop", -1, "a whole number from 0 to 1000")),
        ({"first_drop": True}, ("first_drop", True, "a whole number from 0 to 1000")),
        ({"drops": 1}, ("drops", 1, "true or false")),
        ({"ace": "high"}, ("ace", "high", "one of low, high-or-low, round-corner")),
        ({"set_max": "off"}, ("set_max", "off", 'a whole number from 3 to 21 or "none"')),
        ({"sets": 4}, ("sets", 4, "a parameter of the family indian")),
    ],
)
def test_out_of_range_is_named(house, expected):
    assert refused(house=house) == expected


@pytest.mark.parametrize("parameter", ["first_play", "joker_points"])
def test_points_of_tiles_go_as_far_as_all_points(parameter):
    assert ruleset("tile-easy", house={parameter: 1000}).number(parameter) == 1000
    expected = (parameter, 1001, "a whole number from 0 to 1000")
    assert refused("tile-easy", house={parameter: 1001}) == expected


@pytest.mark.parametrize(
    ("house", "names"),
    [
        ({"set_min": 4, "set_max": 3}, "set_min, set_max"),
        ({"sequence_min": 5, "sequence_max": 4}, "sequence_min, sequence_max"),
        ({"pure_min": 3}, "pure_min, sequences_min"),
        ({"pure_min": 1, "sequences_min": 0}, "pure_min, sequences_min"),
        ({"sequences_min": 3, "hand_size": 8}, "sequences_min, hand_size"),
        ({"no_lives_points": "flat", "cap": "none"}, "no_lives_points, cap"),
        ({"wild_anchors": True, "jokers_max": 0}, "wild_anchors, jokers_max"),
    ],
)
def test_contradictions_are_refused_by_name(house, names):
    assert refused(house=house)[0] == names


def test_unknown_presets_and_formats_are_refused_with_those_there_are():
    assert "indian-13" in refused("rummy")[2]
    assert refused("indian-13@9")[0] == "ruleset"
    assert refused(format="pool-x")[0] == "match.format"
    assert refused(format="deals-0")[0] == "match.format"
    assert refused(format="deals-x")[0] == "match.format"
    assert "pool-101" in refused(format="target")[2]


def test_a_bare_name_is_pinned_to_its_current_version():
    assert pin("indian-13") == "indian-13@1"
    assert pin("indian-13@1") == "indian-13@1"
    assert ruleset("indian-13").preset == "indian-13@1"


def test_a_format_lies_over_the_preset_and_house_rules_over_both():
    drops = ("first_drop", "middle_drop")

    assert values("indian-13", *drops) == (20, 40)
    assert values("indian-13", *drops, format="points") == (20, 40)
    assert values("indian-13", *drops, "limit", format="pool-101") == (20, 40, 101)
    assert values("indian-13", *drops, "limit", format="pool-201") == (25, 50, 201)
    assert values("indian-13", *drops, "cap", "limit", format="pool-61") == (15, 30, 60, 61)
    assert values("indian-13", "drops", "start_chips", format="deals-6") == (False, 480)
    house = {"first_drop": 30}
    assert values("indian-13", *drops, format="pool-201", house=house) == (30, 50)
    assert ruleset("indian-13", format="pool-201", house=house).source("first_drop") == HOUSE


def test_the_number_of_players_lies_over_the_preset_and_house_rules_over_it():
    assert values("basic", "hand_size", "decks", players=2) == (10, 1)
    assert values("basic", "hand_size", "decks", players=4) == (7, 1)
    assert values("basic", "hand_size", "decks", players=5) == (6, 2)
    assert values("basic", "hand_size", players=2, house={"hand_size": 7}) == (7,)


def test_the_rules_of_a_hand_are_computed_from_its_record():
    record = HandRecord(
        rhl=1,
        id="T4-17",
        ruleset="indian-13-circle",
        detail="scores",
        players=(Player(seat=1), Player(seat=2)),
        match=Match(id="M", format="pool-201"),
        rules={"set_max": 4},
    )

    rules = for_hand(record)

    assert (rules.preset, rules["first_drop"], rules["set_max"]) == ("indian-13-circle@1", 25, 4)
    assert dict(rules.house) == {"set_max": 4}
    assert rules == ruleset("indian-13-circle", format="pool-201", players=2, house={"set_max": 4})


def test_the_digest_is_over_the_values_however_they_came_to_be():
    plain = ruleset("indian-13")

    assert len(plain.digest) == 64
    assert ruleset("indian-13", house={"set_max": 4}).digest == plain.digest
    assert ruleset("indian-13", house={"set_max": 4}) != plain
    assert ruleset("indian-13", house={"set_max": "none"}).digest != plain.digest
    indian = [name for name in presets() if name.startswith("indian")]
    assert len({ruleset(name).digest for name in indian}) == len(indian) == 3


def test_a_pool_may_have_any_limit():
    rules = ruleset("indian-13", format="pool-151")

    assert (rules["limit"], rules["pool_out"], rules["first_drop"]) == (151, "reach", 20)
    assert rules.source("limit") == "the format's name"


@pytest.mark.parametrize(
    ("base", "house", "found"),
    [
        ("indian-13", {"players_min": 6, "players_max": 2}, "players_min=6, players_max=2"),
    ],
)
def test_numbers_that_must_not_fall_are_refused_by_name(base, house, found):
    with pytest.raises(RulesetError) as refused:
        rulesets.ruleset(base, house=house)

    assert refused.value.found == found
