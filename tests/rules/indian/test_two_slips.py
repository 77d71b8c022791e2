"""Indian rummy: each of two slips in a hand is named once, and nothing beside them."""

import pytest

from rummy_audit.rhl.cards_text import RANKS, SUITS
from rummy_audit.rules.matches import audit_match
from tests.rules.indian.hands import (
    DEALT,
    RIGHT,
    SHOWN,
    WON,
    deals,
    found,
    judged,
    not_run,
    said,
    turns,
)

THREE = f"{SHOWN[2]}\n{SHOWN[3]}\nscore 1=0 2=33 3=55"


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        pytest.param(
            "draw 1 stock 7C\ndraw 2 stock 7S\ndiscard 2 7S\ndraw 3 stock 7D\ndiscard 3 7D\n"
            "drop 1\ndrop 2\nscore 1=40 2=40 3=0\ndiscard 1 7C",
            ["discard-missing 7/1", "event-after-end 14/1"],
            id="a-discard-after-the-end-ends-no-turn",
        ),
        pytest.param(
            f"draw 2 stock 7C\ndrop 2\n{turns(1, 3, 1, 3)}\ndrop 1\nscore 1=40 2=40 3=0",
            ["out-of-turn 6/2", "drop-late 7/2"],
            id="drops-in-anothers-turn-that-is-taken-then",
        ),
        pytest.param(
            f"draw 2 stock 7C\nleave 2\n{turns(3, 1, 3)}\ndrop 1\nscore 1=40 2=40 3=0",
            ["out-of-turn 6/2"],
            id="leaves-in-anothers-turn-that-is-gone",
        ),
        pytest.param(
            f"{turns(1, 3, 2)}\nleave 4\n{turns(1, 2, 3)}\n{WON}{THREE} 4=40",
            ["out-of-turn 9/3"],
            id="leaves-behind-a-turn-that-came-late",
        ),
        pytest.param(
            f"{turns(1, 3, 4, 1, 3, 4, 1)}\ndrop 3\n{turns(4)}\ndrop 1\ndrop 4\n"
            "score 1=40 2=0 3=40 4=40",
            ["out-of-turn 9/3"],
            id="drops-behind-a-seat-that-is-skipped-again",
        ),
        pytest.param(
            "draw 1 stock 7C\ndiscard 1 KC\ndiscard 2 AS\ndraw 2 discard KC\n"
            f"{turns(3, 1)}\ndrop 2\ndrop 3\nscore 1=0 2=40 3=40",
            ["draw-missing 8/2"],
            id="draws-from-the-pile-behind-the-discard",
        ),
        pytest.param(
            f"draw 1 stock QH\ndraw 3 stock 7C\ndiscard 3 7C\n{turns(2, 3, 1)}\n"
            "drop 2\ndrop 3\nscore 1=0 2=40 3=40",
            ["out-of-turn 7/3", "discard-missing 9/1"],
            id="ends-anothers-turn-and-the-next-goes-on",
        ),
        pytest.param(
            f"{turns(1)}\nmiss 2\nmiss 2\n{turns(3, 1)}\nmiss 2\n{turns(3, 1, 2, 3)}\n"
            "drop 1\ndrop 2\nscore 1=40 2=40 3=0",
            ["out-of-turn 9/2"],
            id="misses-the-turn-that-was-missed-already",
        ),
        pytest.param(
            f"{turns(1, 2, 3)}\ndrop 1\nscore 1=40 2=40 3=0\ndrop 2",
            ["event-after-end 14/2"],
            id="drops-behind-the-score-that-charges-it",
        ),
    ],
)
def test_001_turn_structure_a_turn_out_of_order_is_one_slip(body, codes):
    assert found(body, players=4 if "4=" in body else 3) == codes


def test_001_turn_structure_a_skipped_seat_may_take_its_turn_in_the_middle_of_the_next():
    body = f"draw 2 stock 7C\nmiss 1\ndiscard 2 7C\nmiss 1\n{turns(2)}\ndrop 1\nscore 1=20 2=0"

    assert found(body, players=2) == ["out-of-turn 5/2"]


def test_001_dealing_3_how_a_slip_was_made_good_beside_a_wrong_deal_is_not_in_the_rules():
    """Fourteen of fifteen cards: the second draw may have been put back, or the deal made good."""
    start = f"deal 1 {DEALT[1]}\ndeal 2 {DEALT[2]} KC\ndeal 3 {DEALT[3]}\nupcard KS\nwild 7H"
    body = f"{turns(1)}\ndraw 2 stock QS\ndraw 2 stock QH\ndiscard 2 QH\n{turns(3)}\n{WON}"
    shown = f"{SHOWN[2]} {{}}\n{SHOWN[3]}\nscore 1=0 2={{}} 3=55"

    slips = ["deal-count 2/2", "misdeal-not-called 6/1", "second-draw 9/2"]
    assert found(body + shown.format("KC", 43), start=start) == slips
    assert found(body + shown.format("KC QS", 53), start=start) == slips
    (*_, size) = found(body + shown.format("KC QS JK", 53), start=start)
    assert size == "card-not-held 15/2"


def test_001_scoring_a_card_shown_twice_hides_none():
    """AS was held back and KD named for it: the hand is known, so its ten points are too."""
    twice = "show 2 3S 4S 5S 6S | TD JD QD KD + KD 2C 8H 9C 4C"
    shown = f"{WON}{twice}\n{SHOWN[3]}\nscore 1=0 2={{}} 3=55"

    right = judged(shown.format(33))
    assert (said(right), right.result.scores) == (["card-in-two-groups 8/2"], {1: 0, 2: 33, 3: 55})
    (_, score) = judged(shown.format(23)).findings
    assert (score.recorded, score.expected, score.cause.code) == (23, 33, "card-in-two-groups")

    # Where the hand is not known, neither is what was held back.
    seen = judged(shown.format(23).replace("KD 2C 8H", "JK JK JK"), detail="table")
    assert (said(seen), seen.result.scores) == (["card-in-two-groups 8/2"], {1: 0, 3: 55})
    assert not_run(seen)["score-wrong"] == "not all cards of the hand were shown"


def test_a_draw_from_the_pile_that_was_not_written_down_is_one_slip():
    """Both KC were seen in the pile; seat 2 may have taken the one that lay there."""
    body = "draw 1 stock\ndiscard 1 KC\ndiscard 2 JK\ndraw 3 stock\ndiscard 3 KC\ndraw 1 stock\n"
    shown = f"{RIGHT.replace('KC', 'JC')}\n{SHOWN[2][:-2]}KC\n{THREE.split(chr(10), 1)[1]}"
    thrown = "discard 1 JC\ndraw 2 stock\ndiscard 2 KC\ndrop 3\ndrop 1\nscore 1=40 2=0 3=40"

    for rest in (shown, thrown):
        assert found(body + rest, detail="table") == ["draw-missing 8/2"]
        taken = body.replace("discard 2", "draw 2 discard KC\ndiscard 2")
        assert found(taken + rest, detail="table") == []


def test_where_no_hand_was_seen_a_card_named_twice_may_have_been_held_once():
    twice = SHOWN[2].replace("8H 9C", "2C 9C")
    body = f"{WON}{{}}\n{SHOWN[3]}\nscore 1=0 2={{}} 3=55"
    unsure = judged(body.format(twice, 27), detail="table")

    why = "a card named twice may have been held once"
    assert (said(unsure), not_run(unsure)["card-in-two-groups"]) == ([], why)
    plain = judged(body.format(SHOWN[2], 33), detail="table")
    assert "card-in-two-groups" not in not_run(plain)


def test_which_of_two_wild_jokers_is_the_right_one_is_not_guessed():
    start = "\n".join(f"deal {seat} {DEALT[seat]}" for seat in (1, 2, 3)) + "\nupcard KS\nwild 7H\n"
    other = judged(WON + THREE, start=f"{start}wild 8D")

    assert (said(other), other.result.scores) == ([], {1: 0})
    assert not_run(other)["score-wrong"] == "the wild joker is not in this log"
    alike = judged(WON + THREE, start=f"{start}wild 7D")
    assert (said(alike), alike.result.scores) == ([], {1: 0, 2: 33, 3: 55})


def test_001_scoring_what_a_show_lacks_is_told_as_what_it_is():
    body = f"{RIGHT}\n{SHOWN[2][:-3]}\n{SHOWN[3]}\nscore 1=0 2=23 3=55"
    result = judged(body, detail="shown")

    assert (said(result), result.result.scores) == (["hand-size 3/2"], {1: 0, 3: 55})
    assert not_run(result)["score-wrong"] == "not all cards of the hand were shown"


def test_001_validation_nobody_needs_nought_in_a_hand_that_nobody_has_won():
    wrong = RIGHT.replace("2D 3D 4D 5D / KC", "2D 3D 4D KC / 5D")
    body = f"draw 1 stock 5D\n{wrong}\n{SHOWN[2]}\n{SHOWN[3]}\nscore 1=80 2=33 3=55"

    assert [code for code in found(body) if "note" not in code] == ["hand-not-ended 10"]


@pytest.mark.parametrize(
    ("body", "status", "codes"),
    [
        (WON + THREE, "void", ["void-unfounded 0"]),
        (WON + THREE, "misdeal", ["misdeal-too-late 0"]),
        (f"{turns(1, 2, 3)}\nscore 1=0 2=33 3=55", "void", ["void-unfounded 0"]),
        ("irregularity exposed-card\nscore 1=0 2=0 3=0", "misdeal", ["deal-exposed 6 note"]),
        (
            "irregularity exposed-card\nscore 1=0 2=33 3=55",
            "misdeal",
            ["deal-exposed 6 note", "score-wrong 7"],
        ),
        (WON + THREE, "abandoned", []),
    ],
)
def test_001_misdeals_a_hand_that_was_scored_is_not_annulled_without_a_word(body, status, codes):
    assert found(body, end=f"end {status}") == codes


def test_001_drop_rules_which_of_two_penalties_was_due_is_a_check_of_penalties():
    result = judged(f"drop 2\n{RIGHT}\n{SHOWN[3]}\nscore 1=0 2=20 3=55", detail="shown")

    why = "whether the player had drawn a card is not in this log"
    assert (said(result), not_run(result)["penalty-points-wrong"]) == ([], why)
    assert "score-wrong" not in not_run(result)


def test_001_closed_deck_runs_out_behind_a_draw_that_is_missing():
    """The stock seems to have a card left: that it lies in the pile tells that it had none."""
    pack = [rank + suit for suit in SUITS for rank in RANKS]
    start = [f"deal {seat} {' '.join(pack[13 * seat - 13 : 13 * seat])}" for seat in (1, 2, 3)]
    upcard, wild, *stock = pack[39:]
    drawn = [*zip((2, 3, 1) * 4, [*stock[1:], pack[0]], strict=False)]
    body = [f"discard 1 {pack[0]}", *(f"draw {s} stock {c}\ndiscard {s} {c}" for s, c in drawn)]
    settings = {
        "rules": "decks=1 printed_jokers=0",
        "start": "\n".join([*start, f"upcard {upcard}", f"wild {wild}"]),
        "end": "",
    }

    assert len(drawn) == 11
    assert found("\n".join(body), **settings) == ["draw-missing 6/1", "reshuffle-missing 27/3"]


def _pool(number: int, played: str, *, seats: str = "1,2,3", match: str = "") -> str:
    players = "\n".join(f"player {seat}" for seat in seats.split(","))
    named = f"match M format=pool-101 deal={number} seats=1,2,3{match}"
    return f"hand H{number} rhl=1 ruleset=indian-13 detail=scores\n{players}\n{named}\n{played}\n"


@pytest.mark.parametrize(
    "second",
    [
        pytest.param("score 1=0 2=20 totals 1=40 2=40 3=0\nend", id="may-have-left"),
        pytest.param("score 1=0 2=20\nend", id="totals-are-not-known"),
        pytest.param("void cause=stock-exhausted\nend void", id="nothing-was-scored"),
    ],
)
def test_003_pool_behind_missing_deals_nobody_knows_who_is_out(second):
    hands = [
        _pool(1, "score 1=0 2=20 3=30\nend"),
        _pool(3, second, seats="1,2"),
        _pool(4, "score 1=0 2=2\nend", seats="1,2"),
    ]
    report = audit_match(deals("".join(hands).encode()))

    assert [each.finding.code for each in report.findings] == ["match-deal-missing"]


@pytest.mark.parametrize(("most", "codes"), [("79", []), ("none", ["prize-wrong"])])
def test_003_pool_behind_missing_deals_nobody_knows_how_many_have_paid(most, codes):
    """Where rejoining is allowed one of three may have paid twice: 200, not 150."""
    paid = f" entry_fee=50\nrules rejoin_max={most}"
    hands = [
        _pool(1, "score 1=0 2=20 3=30\nend", match=paid),
        _pool(3, "score 1=0 2=80 3=80 totals 1=0 2=150 3=160 amounts 1=200\nend", match=paid),
    ]
    report = audit_match(deals("".join(hands).encode()))

    assert [each.finding.code for each in report.findings] == ["match-deal-missing", *codes]
