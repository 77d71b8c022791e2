"""Melds and lay-offs: what stands, what does not, and what comes of it."""

import pytest

from tests.rules.basic.play import audit, codes, found_in

DEAL = "deal 2 {}\ndeal 1 {}\nupcard TC\n"


def melded(cards, rules="", others="9C 9D 2S 3S 8D"):
    held = cards.split()
    size = len(held) + 1
    others = " ".join(others.split()[:size])
    size_of_others = len(others.split())
    lines = f"deal 2 {cards} QS\ndeal 1 {others}\nupcard TC\ndraw 2 stock KD\nmeld 2 {cards}\n"
    found = found_in(f"{lines}discard 2 KD", rules=f"hand_size={size} decks=2 {rules}")
    # A short other hand is only there to keep the deal small.
    return [each[0] for each in found if each != ("deal-count", 2, 1) or size_of_others == size]


@pytest.mark.parametrize(
    ("cards", "rules", "expected"),
    [
        ("7H 7S", "", ["group-too-short"]),
        ("7H 8H", "", ["group-too-short"]),
        ("7H 7S 7D 8H", "", ["set-mixed-ranks"]),
        ("7H 7S 8D", "", ["set-mixed-ranks"]),
        ("7H 8H 9S", "", ["sequence-mixed-suits"]),
        ("7H 8H TH", "", ["sequence-gap"]),
        ("KH AH 2H", "", ["sequence-wraps"]),
        ("QH KH AH", "", ["sequence-wraps"]),
        ("QH KH AH", "ace=high-or-low", []),
        ("KH AH 2H", "ace=high-or-low", ["sequence-wraps"]),
        ("KH AH 2H", "ace=round-corner", []),
        ("7H 7H 7S", "", ["set-repeated-suit"]),
        ("7H 7H 7S", "set_duplicates=true", []),
        ("7H 7S 7D 7C 7H", "", ["set-too-long", "set-repeated-suit"]),
        ("7H 7S 7D 7C 7H", "set_max=none set_duplicates=true", []),
        ("7H 7S 7D 7C", "set_max=3", ["set-too-long"]),
        ("7H 8H 9H", "run_min=4", ["group-too-short"]),
        ("7H 7S 7D", "set_min=4", ["group-too-short"]),
        ("7H 2S KD", "", ["group-invalid"]),
        ("5H 6H 6H 7H", "", ["sequence-gap"]),
        ("4H 5H 6S TD", "", ["sequence-mixed-suits", "sequence-gap"]),
    ],
)
def test_every_breach_of_a_meld_is_named_beside_it(cards, rules, expected):
    assert melded(cards, rules) == (["meld-invalid", *expected] if expected else [])


START = """
deal 2 4H 5H 6H 2C QS
deal 1 9C 9D 9S {lay} KS
upcard TC
draw 2 stock KD
meld 2 4H 5H 6H
discard 2 KD
draw 1 stock KC
"""


def laid(cards, rules="", meld=1, before=""):
    lines = START.format(lay=cards.split()[0]) + before
    size = 5
    return found_in(f"{lines}layoff 1 {cards} > {meld}", rules=f"hand_size={size} {rules}")


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        ("3H", []),
        ("7H", []),
        ("8H", ["sequence-gap"]),
        ("7S", ["sequence-mixed-suits"]),
        ("KH", ["sequence-gap"]),
        ("6S", ["sequence-mixed-suits", "sequence-gap"]),
    ],
)
def test_a_card_laid_off_on_a_run_fits_at_an_end(card, expected):
    found = laid(card)

    assert found == [
        (code, 8, 1) for code in (["layoff-invalid", *expected] if expected else expected)
    ]


def test_a_card_laid_off_on_a_set_is_of_its_rank():
    before = "meld 1 9C 9D 9S\n"

    assert laid("9H", before=before, meld=2) == []
    assert laid("8H", before=before, meld=2) == [
        ("layoff-invalid", 9, 1),
        ("set-mixed-ranks", 9, 1),
    ]


def test_several_cards_may_be_laid_off_at_once_in_any_order():
    deal = "deal 2 4H 5H 6H 2C QS\ndeal 1 7H 8H 3H 8D KS\nupcard TC\n"
    lines = "draw 2 stock KD\nmeld 2 4H 5H 6H\ndiscard 2 KD\ndraw 1 stock KC\n"

    def off(cards):
        return found_in(f"{deal}{lines}layoff 1 {cards} > 1", rules="hand_size=5")

    assert off("7H 8H") == off("8H 7H") == off("3H 7H 8H") == []
    assert off("7H 8D") == [("layoff-invalid", 8, 1), ("sequence-mixed-suits", 8, 1)]
    assert off("8H") == [("layoff-invalid", 8, 1), ("sequence-gap", 8, 1)]


def test_a_lay_off_on_a_meld_that_is_not_there():
    assert laid("7H", meld=4) == [("layoff-invalid", 8, 1)]


def test_what_is_wrong_with_a_meld_is_not_found_again_at_a_lay_off():
    lines = """
    deal 2 4H 5H 8H 2C QS
    deal 1 9H 9D 9S 3S KS
    upcard TC
    draw 2 stock KD
    meld 2 4H 5H 8H
    discard 2 KD
    draw 1 stock KC
    layoff 1 {} > 1
    """

    assert found_in(lines.format("9H"), rules="hand_size=5") == [
        ("meld-invalid", 5, 2),
        ("sequence-gap", 5, 2),
    ]
    assert found_in(lines.format("9S"), rules="hand_size=5") == [
        ("meld-invalid", 5, 2),
        ("sequence-gap", 5, 2),
        ("layoff-invalid", 8, 1),
        ("sequence-mixed-suits", 8, 1),
    ]


def test_an_invalid_meld_stays_and_its_cards_do_not_count():
    lines = """
    deal 2 4H 5H 8H 2C
    deal 1 9H 9D 9S KS
    upcard TC
    draw 2 stock KD
    meld 2 4H 5H 8H
    discard 2 KD
    draw 1 stock KC
    meld 1 9H 9D 9S
    discard 1 KC
    draw 2 stock QC
    discard 2 QC
    draw 1 stock JD
    discard 1 JD
    draw 2 stock 8D
    discard 2 8D
    draw 1 stock 9C
    layoff 1 9C > 2
    discard 1 KS
    score 1=2 2=0 winner=1
    end
    """
    found = audit(lines, rules="hand_size=4")

    assert codes(found) == [("meld-invalid", 5, 2), ("sequence-gap", 5, 2)]
    assert found.result.scores == {1: 2, 2: 0}


def test_a_finding_names_the_rule_and_what_it_follows_from():
    lines = "deal 2 QH KH AH 2C\ndeal 1 9H 9D 9S KS\nupcard TC\ndraw 2 stock KD\nmeld 2 QH KH AH"
    meld, reason = audit(lines, rules="hand_size=4").findings

    assert (meld.rule.parameter, meld.rule.value, meld.rule.source) == (
        "ace",
        "low",
        "002 2.1 Rank Order",
    )
    assert (meld.cause.code, meld.cause.seq) == ("sequence-wraps", 5)
    assert reason.data["cards"] == ["QH", "KH", "AH"]


WAITING = "deal 2 4H 5H 6H 2C QS\ndeal 1 9C 9D 9S 3H KS\nupcard TC\n"
LATE = "hand_size=5 meld_when=going-out"


def test_melds_before_going_out_are_found_at_the_first_of_the_turn():
    lines = "draw 2 stock KD\nmeld 2 4H 5H 6H\ndiscard 2 KD\ndraw 1 stock KC\ndiscard 1 KC\n"

    assert found_in(WAITING + lines, rules=LATE) == [("meld-not-allowed-yet", 5, 2)]
    assert found_in(f"{WAITING}{lines}draw 2 stock QD\ndiscard 2 QD", rules=LATE) == [
        ("meld-not-allowed-yet", 5, 2)
    ]


def test_until_the_turn_is_over_nobody_knows_whether_melds_came_too_early():
    lines = "draw 2 stock KD\nmeld 2 4H 5H 6H\n"

    assert found_in(WAITING + lines, rules=LATE) == []
    assert found_in(f"{WAITING}{lines}draw 1 stock KC", rules=LATE) == [
        ("meld-not-allowed-yet", 5, 2),
        ("discard-missing", 6, 2),
    ]
    assert found_in(f"{WAITING}{lines}end abandoned", rules=LATE) == [
        ("meld-not-allowed-yet", 5, 2)
    ]


def test_of_a_hand_nobody_counted_only_play_that_goes_on_tells():
    """Without the deal nobody knows whether the last discard was the player's last card."""
    lines = "draw 2 stock KD\nmeld 2 4H 5H 6H\n{}"
    discard, more = "discard 2 KD\n", "draw 1 stock KC\n"

    for last in (discard, ""):
        found = audit(f"{lines.format(last)}end abandoned", rules=LATE, detail="table")
        assert [each for each in codes(found) if each[0] == "meld-not-allowed-yet"] == []
        assert "meld-not-allowed-yet" in {each.check for each in found.not_run}
        assert ("meld-not-allowed-yet", 2, 2) in found_in(lines.format(last) + more, rules=LATE)


def test_a_lay_off_before_going_out_is_too_early_as_well():
    lines = """
    draw 2 stock KD
    meld 2 4H 5H 6H
    discard 2 KD
    draw 1 stock KC
    layoff 1 3H > 1
    discard 1 KC
    """

    assert found_in(WAITING + lines, rules=LATE) == [
        ("meld-not-allowed-yet", 5, 2),
        ("meld-not-allowed-yet", 8, 1),
    ]


def test_an_own_meld_of_the_same_turn_lets_a_player_lay_off():
    lines = """
    draw 2 stock KD
    meld 2 4H 5H 6H
    discard 2 KD
    draw 1 stock KC
    meld 1 9C 9D 9S
    layoff 1 3H > 1
    discard 1 KC
    """

    assert found_in(WAITING + lines, rules="hand_size=5 layoff_needs_meld=true") == []
