"""Calls of rummy and of a stalemate: claims, judged by what happened."""

import pytest

from tests.rules.basic.play import audit, codes, found_in

DEAL = "deal 2 4H 5H 6H 2C\ndeal 1 9C 9D 9S 3H\nupcard TC\n"
FOUR = {"rules": "hand_size=4"}
OUT = "draw 2 stock 7H\nmeld 2 4H 5H 6H 7H\ndiscard 2 2C\n"


@pytest.mark.parametrize(
    "lines",
    [
        f"call 2 rummy\n{OUT}",
        "draw 2 stock 7H\ncall 2 rummy\nmeld 2 4H 5H 6H 7H\ndiscard 2 2C\n",
        "draw 2 stock 7H\nmeld 2 4H 5H 6H 7H\ncall 2 rummy\ndiscard 2 2C\n",
        f"{OUT}call 2 rummy\n",
        OUT,
    ],
)
def test_rummy_may_be_called_at_any_time_of_the_turn_and_need_not_be(lines):
    assert found_in(f"{DEAL}{lines}score 1=0 2=60 winner=2\nend", **FOUR) == []


CALLED = """draw 2 stock
call 2 rummy
meld 2 4H 5H 6H
meld 2 8S 8D 8C
discard 2 QS
"""


@pytest.mark.parametrize(
    ("lines", "seq", "seat", "data"),
    [
        (f"call 1 rummy\n{OUT}", 4, 1, {"turn_of": 2}),
        ("draw 2 stock KS\ncall 2 rummy\ndiscard 2 KS\ndraw 1 stock KC", 5, 2, {"left": 4}),
        ("draw 2 stock KS\ncall 2 rummy\nmeld 2 4H 5H 6H\ndiscard 2 KS", 5, 2, {"left": 1}),
        ("call 2 rummy\ndraw 2 stock KS\ndiscard 2 KS", 4, 2, {"left": 4}),
        (f"{OUT}call 1 rummy", 7, 1, {"over": 6}),
    ],
)
def test_a_call_that_the_turn_does_not_bear_out_is_wrong(lines, seq, seat, data):
    found = audit(DEAL + lines, **FOUR)

    assert codes(found) == [("rummy-call-wrong", seq, seat)]
    assert found.findings[0].data == data


def test_a_call_of_a_player_of_unknown_cards_is_wrong_only_if_play_went_on():
    log = f"upcard TC\ndraw 2 stock\ndiscard 2 KC\ndraw 1 stock\ndiscard 1 KD\n{CALLED}"

    assert found_in(f"{log}end abandoned", detail="table") == []
    went_on = f"{log}draw 1 stock\nend abandoned"
    assert found_in(went_on, detail="table") == [("rummy-call-wrong", 7, 2)]


def test_a_call_waits_for_the_end_of_its_turn():
    assert found_in(f"{DEAL}draw 2 stock 7H\ncall 2 rummy\nmeld 2 4H 5H 6H 7H\n", **FOUR) == []


def test_a_call_of_a_player_who_laid_cards_before_is_wrong_at_once():
    lines = """
    draw 2 stock KS
    meld 2 4H 5H 6H
    discard 2 KS
    draw 1 stock KC
    discard 1 KC
    call 2 rummy
    draw 2 stock 7H
    layoff 2 7H > 1
    discard 2 2C
    score 1=30 2=0
    end
    """
    found = audit(DEAL + lines, rules="hand_size=4 scoring=charged")

    assert codes(found) == [("rummy-call-wrong", 9, 2)]
    assert found.result.scores == {1: 30, 2: 0}


def test_rummy_by_lay_offs_counts_only_where_the_rules_say_so():
    lines = """
    draw 2 stock KS
    meld 2 4H 5H 6H
    discard 2 KS
    draw 1 stock 7H
    discard 1 9S
    draw 2 stock KC
    discard 2 KC
    draw 1 stock 9H
    call 1 rummy
    layoff 1 3H > 1
    meld 1 9C 9D 9H
    discard 1 7H
    end
    """
    with_layoffs = audit(DEAL + lines, rules="hand_size=4 rummy_with_layoffs=true")
    without = audit(DEAL + lines, rules="hand_size=4")

    assert codes(with_layoffs) == [("score-missing", 0, None)]
    assert with_layoffs.result.scores == {1: 4, 2: 0}
    assert codes(without) == [("score-missing", 0, None), ("rummy-call-wrong", 12, 1)]
    assert without.result.scores == {1: 2, 2: 0}


def test_the_factor_may_be_another_or_off():
    for factor, points in ((1, 30), (3, 90)):
        found = audit(f"{DEAL}{OUT}end abandoned", rules=f"hand_size=4 going_rummy={factor}")
        assert found.result.scores == {1: 0, 2: points}


WRONG_CALL = f"{DEAL}draw 2 stock KS\ncall 2 rummy\n%smeld 2 4H 5H 6H\ndiscard 2 KS\nend abandoned"
PREMATURE = f"{DEAL}call 2 stalemate\n%s{OUT}score 1=0 2=60 winner=2\nend"


@pytest.mark.parametrize(
    ("log", "seq", "code"),
    [(WRONG_CALL, 5, "rummy-call-wrong"), (PREMATURE, 4, "stalemate-premature")],
)
def test_a_wrong_call_that_a_referee_refused_was_dealt_with(log, seq, code):
    refused, upheld = (f"ruling ref1 {seq} declaration-{word}\n" for word in ("wrong", "right"))

    for ruled in (refused, upheld + refused):
        (finding,) = audit(log % ruled, **FOUR).findings
        assert (finding.code, finding.seq, finding.severity) == (code, seq, "note")
    for ruled in ("", upheld, refused + upheld, f"ruling ref1 {seq} other\n"):
        assert found_in(log % ruled, **FOUR) == [(code, seq, 2)]


def test_a_stalemate_that_ends_the_hand_was_not_refused():
    zeros = f"{DEAL}call 2 stalemate\nruling ref1 4 declaration-wrong\nscore 1=0 2=0\nend"

    assert found_in(zeros, **FOUR) == [("stalemate-premature", 4, 2)]
    borne_out = f"{DEAL}{OUT}call 2 rummy\nruling ref1 7 declaration-wrong\nscore 1=0 2=60\nend"
    assert audit(borne_out, **FOUR).verdict == "clean"


# Two hands of 23 leave five cards in the stock; one meld each of 22 would be too long to
# write, so that these hands are small and the pack is used up by a third seat's 39 cards.
SMALL = "deal 2 2C 3D\ndeal 1 4S 5H\nupcard KC\n"


def drawn(cards, first=2):
    seats = (first, 3 - first)
    return "".join(
        f"draw {seats[n % 2]} stock {card}\ndiscard {seats[n % 2]} {card}\n"
        for n, card in enumerate(cards)
    )


PACK = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
REST = [card for card in PACK if card not in {"2C", "3D", "4S", "5H", "KC"}]
TWO = "hand_size=3"


def stalemate(lines, rules="", deal=SMALL):
    found = found_in(deal + lines, rules=f"hand_size=3 {rules}")
    return [each for each in found if each[0] != "deal-count"]


RIPE = drawn(REST)


def test_after_the_stock_ran_out_with_small_hands_a_stalemate_stands():
    """002 6.4: any time later, before a draw."""
    assert stalemate(f"{RIPE}call 1 stalemate\nscore 1=0 2=0\nend") == []
    later = f"{RIPE}reshuffle\n{drawn(REST[:1], first=1)}"
    assert stalemate(f"{later}call 2 stalemate\nscore 1=0 2=0\nend") == []


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (f"{drawn(REST[:-1])}call 2 stalemate", "stalemate-premature"),
        (f"{RIPE}draw 1 discard {REST[-1]}\ncall 1 stalemate", "stalemate-premature"),
        (f"{RIPE}call 2 stalemate", "out-of-turn"),
    ],
)
def test_a_stalemate_called_too_early_or_out_of_turn(lines, code):
    assert [each[0] for each in stalemate(lines)] == [code]


def test_large_hands_make_no_stalemate():
    deal = "deal 2 2C 3D 6C\ndeal 1 4S 5H 7S\nupcard KC\n"
    rest = [card for card in REST if card not in {"6C", "7S"}]

    assert stalemate(f"{drawn(rest)}call 2 stalemate", deal=deal) == [
        ("stalemate-premature", 4 + 2 * len(rest), 2)
    ]


def test_a_premature_stalemate_ends_the_hand_with_nought_all_the_same():
    found = audit(f"{DEAL}call 2 stalemate\nscore 1=0 2=0\nend", **FOUR)

    assert codes(found) == [("stalemate-premature", 4, 2)]
    assert (found.result.outcome, found.result.scores) == ("stalemate", {1: 0, 2: 0})


def test_playing_on_after_a_premature_stalemate_is_no_second_slip():
    lines = f"{DEAL}call 2 stalemate\n{OUT}score 1=0 2=60 winner=2\nend"
    found = audit(lines, **FOUR)

    assert codes(found) == [("stalemate-premature", 4, 2)]
    assert found.result.winner == 2


def test_playing_on_after_a_stalemate_that_stands_is_one():
    lines = f"{RIPE}call 1 stalemate\ndraw 1 discard {REST[-1]}\ndiscard 1 4S"

    assert [each[0] for each in stalemate(lines)] == ["event-after-end"]


@pytest.mark.parametrize(("rule", "expected"), [("table", []), ("never", ["stalemate-premature"])])
def test_a_table_may_end_hands_as_it_likes_or_not_at_all(rule, expected):
    found = found_in(f"{DEAL}call 2 stalemate", rules=f"hand_size=4 stalemate_call={rule}")

    assert [each[0] for each in found] == expected


def test_a_detected_stalemate_needs_small_hands_and_nothing_to_lay_off():
    rule = "stalemate_call=detected"

    assert stalemate("call 2 stalemate", rule) == []  # nothing lies there to lay off on
    assert found_in(f"{DEAL}call 2 stalemate", rules=f"hand_size=4 {rule}") == [
        ("stalemate-premature", 4, 2)
    ]


def test_nobody_who_has_gone_out_can_be_stopped_by_a_stalemate():
    assert found_in(f"{DEAL}{OUT}call 1 stalemate", **FOUR) == [("stalemate-premature", 7, 1)]
