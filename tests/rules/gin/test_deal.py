"""003 Number of Players, Dealing, Wrong Dealer, Faced Cards, Irregular Hands: the deal."""

import pytest

from rummy_audit.rules.replay import replay
from tests.rules.gin.hands import (
    DEAL,
    DEALT,
    REFUSED,
    SHOWDOWN,
    UPCARD,
    found,
    hand,
    judged,
    not_run,
    said,
    turns,
)

PLAYED = f"draw 1 stock 5S\n{SHOWDOWN}"
ABANDONED = "end abandoned"
NINE = REFUSED.replace(" AD\n", "\n")  # seat 2 was dealt nine cards
BOTH = NINE.replace(" 3C\n", "\n")  # and seat 1 as well
ELEVEN = REFUSED.replace(" AD\n", " AD 4D\n")  # seat 2 was dealt eleven


def test_a_plain_hand_is_clean():
    result = judged(PLAYED)

    assert (said(result), result.verdict, not_run(result)) == ([], "clean", {})
    assert (result.result.scores, result.result.winner) == ({1: 24, 2: 0}, 1)


@pytest.mark.parametrize(("seats", "expected"), [((1, 2, 3), 2), ((1,), 2)])
def test_gin_is_for_two(seats, expected):
    result = judged("", start="deal 1 7S 7H 7D JS QS KS AH 2H 2D 3C", seats=seats, end=ABANDONED)

    assert [(each.code, each.seq, each.recorded, each.expected) for each in result.findings] == [
        ("player-count", 0, len(seats), expected)
    ]


def test_a_seat_that_was_dealt_nothing_is_outside_the_turn_order():
    assert found(PLAYED, seats=(1, 2, 3)) == ["player-count 0"]

    body = "draw 3 stock *\ndiscard 3 *\n" * 2 + turns(1)
    assert found(body, seats=(1, 2, 3), end=ABANDONED) == ["player-count 0", "out-of-turn 6/3"]


@pytest.mark.parametrize("detail", ["full", "table"])
def test_a_deal_left_out_of_the_log_was_dealt_all_the_same(detail):
    """003 Number of Players: nobody plays alone."""
    start = REFUSED.partition("\n")[2]
    result = judged(PLAYED, start=start, detail=detail)

    assert (said(result), result.result.scores) == ([], {1: 24, 2: 0})
    assert not_run(result)["deal-count"] == "the deal of seat 1 is not in this log"


@pytest.mark.parametrize("start", [NINE, ELEVEN])
def test_a_wrong_number_of_cards_is_dealt_again(start):
    assert found("misdeal cause=wrong-count", start=start, end="end misdeal") == [
        "deal-count 2/2 note"
    ]


@pytest.mark.parametrize("start", [NINE, ELEVEN])
def test_a_wrong_number_of_cards_played_on(start):
    assert found(turns(1, 2), start=start, end=ABANDONED) == [
        "deal-count 2/2",
        "misdeal-not-called 6/2",
    ]


def test_a_misdeal_that_is_not_called_names_its_cause():
    result = judged(turns(1), start=NINE, end=ABANDONED)

    assert [(each.code, each.cause and each.cause.code) for each in result.findings] == [
        ("deal-count", None),
        ("misdeal-not-called", "deal-count"),
    ]


def test_cards_dealt_one_event_at_a_time_are_counted_together():
    cards = REFUSED.splitlines()[0].split()[2:]
    singles = "\n".join(f"deal 1 {card}" for card in cards)
    rest = "\n".join(REFUSED.splitlines()[1:])

    assert found(PLAYED, start=f"{singles}\n{rest}\n") == []


def test_a_deal_is_not_judged_before_it_is_over():
    assert found("", start="deal 1 7S 7H 7D", end="") == []
    assert found("", start="deal 1 7S 7H 7D\ndeal 2 KH", end=ABANDONED) == [
        "deal-count 1/1",
        "deal-count 2/2",
    ]


EXPOSED = f"{DEAL}\nirregularity exposed-card 2 AD\n"


def test_a_card_exposed_before_the_upcard_makes_a_misdeal():
    assert found("misdeal cause=exposed-card", start=EXPOSED, end="end misdeal") == [
        "deal-exposed 3/2 note"
    ]
    assert found("", start=EXPOSED, end="end misdeal") == ["deal-exposed 3/2 note"]
    assert found(f"upcard 9H\npass 1\npass 2\n{PLAYED}", start=EXPOSED) == [
        "deal-exposed 3/2",
        "misdeal-not-called 7/2",
    ]


def test_a_card_exposed_after_the_upcard_is_no_misdeal():
    assert found(f"irregularity exposed-card 2 AD\n{PLAYED}") == ["irregularity-handled 6/2 note"]
    assert found("irregularity exposed-card 2 AD\nmisdeal", end="end misdeal") == [
        "irregularity-handled 6/2 note",
        "misdeal-unfounded 7",
    ]


def test_a_pack_that_was_not_shuffled_may_be_dealt_again():
    assert found("irregularity not-shuffled\nmisdeal", end="end misdeal") == [
        "deal-unshuffled 6 note"
    ]
    assert found(f"irregularity not-shuffled\n{PLAYED}") == ["deal-unshuffled 6"]
    assert found(f"irregularity not-shuffled\n{PLAYED}", rules="misdeal_not_shuffled=true") == [
        "deal-unshuffled 6",
        "misdeal-not-called 7",
    ]


def test_a_wrong_dealer_may_be_stopped_before_the_upcard():
    noticed = "irregularity wrong-dealer 2\n"

    assert found(f"{noticed}misdeal", start=DEAL, end="end misdeal") == ["dealer-wrong 3/2 note"]
    assert found(f"{noticed}upcard 9H\npass 1\npass 2\n{PLAYED}", start=DEAL) == [
        "dealer-wrong 3/2"
    ]


def test_a_deal_by_the_wrong_player_stands_once_the_upcard_is_turned():
    noticed = "irregularity wrong-dealer 2\n"

    assert found(f"{noticed}{PLAYED}") == ["dealer-wrong 6/2"]
    assert found(f"{noticed}misdeal cause=wrong-dealer", end="end misdeal") == [
        "dealer-wrong 6/2",
        "misdeal-unfounded 7",
    ]
    assert found(
        f"{noticed}misdeal cause=wrong-dealer", end="end misdeal", rules="wrong_dealer=until-draw"
    ) == ["dealer-wrong 6/2 note"]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("misdeal", ["misdeal-unfounded 6"]),
        ("misdeal cause=wrong-count", ["misdeal-unfounded 6"]),
        ("misdeal cause=wrong-dealer", ["misdeal-unfounded 6"]),
        ("misdeal cause=stock-exhausted", ["misdeal-unfounded 6"]),
        ("misdeal cause=other", ["misdeal-unfounded 6"]),
        ("misdeal cause=agreed", []),
        ("misdeal cause=exposed-card", []),
        ("misdeal cause=not-shuffled", []),
        ("", ["misdeal-unfounded 0"]),
    ],
)
def test_a_misdeal_before_the_first_draw_needs_a_reason(call, expected):
    result = judged(call, end="end misdeal")

    assert said(result) == expected
    assert (result.result.outcome, result.result.scores) == ("misdeal", {})


@pytest.mark.parametrize("call", ["misdeal", "misdeal cause=other", "misdeal cause=wrong-count"])
@pytest.mark.parametrize("start", ["", DEAL.splitlines()[0]], ids=["no-deal", "one-deal"])
def test_a_misdeal_of_cards_nobody_counted_is_not_judged(call, start):
    result = judged(call, start=start, end="end misdeal")

    assert said(result) == []
    assert not_run(result)["misdeal-unfounded"] == "how many cards were dealt is not in this log"


@pytest.mark.parametrize("cause", ["agreed", "exposed-card", "wrong-count", "not-shuffled"])
def test_after_the_first_draw_the_deal_stands(cause):
    assert found(f"{turns(1)}\nmisdeal cause={cause}", end="end misdeal") == ["misdeal-unfounded 8"]


def test_below_full_detail_a_misdeal_without_a_cause_is_not_judged():
    result = judged("misdeal", end="end misdeal", detail="table")

    assert said(result) == []
    assert not_run(result)["misdeal-unfounded"] == "the cause of the misdeal is not recorded"


def test_a_misdeal_that_the_log_shows_is_right_at_every_detail():
    assert found("misdeal", start=NINE, end="end misdeal", detail="table") == [
        "deal-count 2/2 note"
    ]
    assert found("misdeal", start=EXPOSED, end="end misdeal", detail="table") == [
        "deal-exposed 3/2 note"
    ]


def test_after_a_misdeal_the_cards_may_be_dealt_again_in_the_same_log():
    assert found(f"misdeal cause=wrong-count\n{REFUSED}{PLAYED}", start=NINE) == [
        "deal-count 2/2 note"
    ]


# A known order of the deck: cards go round one at a time from the dealer's left.

ROUND = [card for pair in zip(DEALT[1].split(), DEALT[2].split(), strict=True) for card in pair]


def deck(*after):
    first = [*ROUND, "9H", *after]
    rest = [card for card in _PACK if card not in first]
    return f"deck {' '.join([*first, *rest])}\n"


_PACK = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]


def test_cards_come_in_the_order_of_the_deck():
    assert found(PLAYED, start=f"{deck('5S')}{REFUSED}") == []


def test_a_draw_against_the_order_of_the_deck():
    result = judged(f"{PLAYED}\n", start=f"{deck('4C')}{REFUSED}")

    assert [
        (each.code, each.seq, each.seat, each.recorded, each.expected) for each in result.findings
    ] == [("deck-order", 7, 1, "5S", "4C")]


@pytest.mark.parametrize(("card", "code"), [("JK", "card-not-in-deck"), ("7S", "too-many-copies")])
def test_a_card_that_cannot_be_there_is_one_slip(card, code):
    start = f"{deck('5S')}{REFUSED}"

    assert found(f"draw 1 stock {card}", start=start, end=ABANDONED) == [f"{code} 7/1"]
    up = f"{deck('5S')}{DEAL}\nupcard {card}\n"
    assert found("", start=up, end=ABANDONED) == [f"{code} 4"]


def test_a_deal_against_the_order_of_the_deck():
    swapped = REFUSED.replace("7S 7H", "7H 7S")

    assert found(PLAYED, start=f"{deck('5S')}{swapped}") == ["deck-order 2/1"]


def test_an_upcard_against_the_order_of_the_deck():
    assert found("pass 1\npass 2", start=f"{deck('5S')}{DEAL}\nupcard 4C\n", end=ABANDONED) == [
        "deck-order 4"
    ]


def test_a_deck_that_is_no_pack():
    twice = deck("5S").replace("KS", "KH")

    assert [each.code for each in replay(hand("", start=twice, end=ABANDONED)).findings] == [
        "too-many-copies"
    ]


def test_a_card_dealt_twice_cannot_be():
    result = judged("", start=DEAL.replace("KH", "7S"), end=ABANDONED)

    assert (said(result), result.verdict) == (["too-many-copies 2/2"], "impossible")


@pytest.mark.parametrize("card", ["JK", "1H", "R7"])
def test_a_card_that_the_pack_does_not_have(card):
    assert found(f"draw 1 stock {card}", end=ABANDONED) == ["card-not-in-deck 6/1"]


def test_a_deal_written_down_after_the_play_began_is_that_seats_deal():
    start = f"deal 1 {DEALT[1]}\ndraw 1 stock 5S\ndeal 2 {DEALT[2]}\nupcard {UPCARD}\n"

    assert found(f"discard 1 5S\n{turns(2, 1, 2)}", start=start, end=ABANDONED) == [
        "upcard-order 4"
    ]
