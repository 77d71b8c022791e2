"""Play that goes on behind a right declaration: the table refused it, or the hand was over."""

import pytest

from tests.rules.indian.hands import RIGHT, SHOWN, found, judged, not_run, said, turns

DRAW = "draw 1 stock 5D\n"
RIGHT_END = f"{SHOWN[2]}\n{SHOWN[3]}\nscore 1=0 2=33 3=55 winner=1"
LATE_WRONG = "draw 2 stock 2S\ndeclare 2 3S 4S 5S | 6S TD JD | QD KD 2C | 8H 9C AS 4C / 2S"


@pytest.mark.parametrize(
    ("act", "points"),
    [("drop 2", 20), ("leave 2", 40), ("miss 2", 20), (LATE_WRONG, 80)],
)
@pytest.mark.parametrize("ruled", ["", "ruling ref1 8 declaration-wrong\n"])
def test_the_play_goes_on_behind_a_declaration_that_was_refused(act, points, ruled):
    last = "drop 2\n" if act == "miss 2" else ""
    after = f"{ruled}{act}\n{turns(3, 4)}\n{last}{turns(3, 4)}\ndrop 3\nscore 1=80"
    body = f"{DRAW}{RIGHT}\n{after} 2={{}} 3=40 4=0"
    codes = [each for each in found(body.format(points), players=4) if not each.endswith("note")]

    assert [each.split()[0] for each in codes] == ["right-declaration-refused", "score-wrong"]
    assert codes[-1].endswith("/1")
    # Where a card of it was not seen nobody can tell; who went out then pays for that.
    unseen = body.replace("2D 3D 4D 5D", "2D 3D 4D ??")
    assert [each for each in found(unseen.format(points), players=4) if "note" not in each] == []
    assert [each.split()[0] for each in found(unseen.format(10), players=4)][-1] == (
        "penalty-points-wrong"
    )


@pytest.mark.parametrize("act", ["draw 3 stock 2S", "drop 3", "miss 3", "reshuffle"])
def test_behind_the_score_nobody_plays_on_though_a_declaration_was_refused(act):
    body = f"{DRAW}{RIGHT}\n{turns(2, 3)}\ndrop 2\nscore 1=80 2=40 3=0\n{act}"
    seat = "" if act == "reshuffle" else "/3"

    assert found(body) == [
        "right-declaration-refused 7/1",
        "score-wrong 13/1",
        f"event-after-end 14{seat}",
    ]
    # Where the score accepts it, play had gone on before, and that is said once.
    accepted = f"{DRAW}{RIGHT}\n{turns(2)}\n{RIGHT_END}\n{act}"
    assert found(accepted) == ["event-after-end 8/2"]


def test_nobody_goes_out_behind_a_declaration_that_was_accepted():
    for act in ("drop 2", "miss 2\nmiss 3\nmiss 2\nmiss 3\nmiss 2"):
        assert found(f"{DRAW}{RIGHT}\n{act}\n{RIGHT_END}") == ["event-after-end 8/2"]
    assert found(f"{DRAW}{RIGHT}\nleave 2\n{RIGHT_END}") == []
    assert found(f"{DRAW}{RIGHT}\n{LATE_WRONG}\n{SHOWN[3]}\nscore 1=0 2=80 3=55")[0] == (
        "event-after-end 8/2"
    )


def test_the_stock_runs_out_behind_a_declaration_that_was_refused():
    start = """
deal 1 AS 2S 3S 4S 5S 6S 7S 7H 8H 9H TH JH QH AC
deal 2 8S 9S TS JS QS KS AH 2H 3H 4H 5H 6H 2C 3C
deal 3 4C 5C 6C 7C 8C 9C TC JC QC KC AD 2D 3D 4D
upcard 5D
wild 9D
"""
    declared = (
        "draw 1 stock KH\ndeclare 1 AS 2S 3S 4S 5S 6S 7S | 7H 8H 9H TH JH QH KH / AC\n"
        + "\n".join(
            f"draw {2 + number % 2} stock {card}\ndiscard {2 + number % 2} {card}"
            for number, card in enumerate(["6D", "7D", "8D", "TD", "JD", "QD", "KD"])
        )
    )
    settings = {"start": start, "rules": "decks=1 printed_jokers=0 hand_size=14", "end": ""}

    refused = "right-declaration-refused 7/1"
    assert found(f"{declared}\nreshuffle\ndraw 3 stock 5D", **settings) == [refused]
    assert found(f"{declared}\ndraw 3 stock 5D", **settings) == [refused, "reshuffle-missing 22/3"]
    void = {"start": start, "rules": f"{settings['rules']} stock_exhausted=void", "end": "end void"}
    assert found(f"{declared}\nvoid cause=stock-exhausted", **void) == [refused]
    early = "\n".join(declared.splitlines()[:-2])
    assert found(f"{early}\nvoid cause=stock-exhausted", **void) == [
        refused,
        "void-unfounded 20",
    ]


@pytest.mark.parametrize("end", ["void cause=stock-exhausted", ""])
def test_a_hand_is_void_right_behind_a_declaration_that_was_refused(end):
    """The declarer drew the last card of the stock: nobody can play on."""
    start = """
deal 1 AS 2S 3S 4S 5S 6S 7S 7H 8H 9H TH JH QH AC
deal 2 8S 9S TS JS QS KS AH 2H 3H 4H 5H 6H 2C 3C
deal 3 4C 5C 6C 7C 8C 9C TC JC QC KC AD 2D 3D 4D
upcard 5D
wild 9D
"""
    drawn = ["6D", "7D", "8D", "TD", "JD", "QD", "KD"]
    quiet = "\n".join(
        f"draw {seat} stock {card}\ndiscard {seat} {card}"
        for seat, card in zip((1, 2, 3, 1, 2, 3, 1), drawn, strict=True)
    )
    declared = (
        f"{quiet}\nmiss 2\nmiss 3\ndraw 1 stock KH\n"
        "declare 1 AS 2S 3S 4S 5S 6S 7S | 7H 8H 9H TH JH QH KH / AC"
    )
    rules = "decks=1 printed_jokers=0 hand_size=14 stock_exhausted=void"
    settings = {"start": start, "rules": rules, "end": "end void"}

    refused = f"{declared}\nruling ref1 23 declaration-wrong\n{end}"
    assert found(refused, **settings) == ["right-declaration-refused 23/1"]
    place = 24 if end.startswith("void") else 0
    assert found(f"{declared}\n{end}", **settings) == [f"void-unfounded {place}"]
    early = refused.replace("draw 3 stock QD\ndiscard 3 QD", "miss 3\nnote cards are left")
    assert f"void-unfounded {place and place + 1}" in found(early, **settings)


UNSEEN = "declare 1 4H 5H 6H | 8S 9S TS | 9H 9D 9C | 2D 3D 4D ?? / KC"


@pytest.mark.parametrize(
    "acts",
    ["draw 1 stock 3C\ndiscard 1 3C", "declare 1 4H 5H 6H | 8S 9S TS | 9H 9D 9C | 2D 3D 4D 5D"],
)
@pytest.mark.parametrize("ruled", ["", "ruling ref1 8 declaration-wrong\n"])
def test_who_declared_what_nobody_saw_may_be_out_of_the_hand_and_moves_no_turn(ruled, acts):
    body = f"{DRAW}{UNSEEN}\n{ruled}{turns(2, 3)}\n{acts}\n{turns(2, 3)}\ndrop 2"
    result = judged(f"{body}\nscore 1=80 2=40 3=0")

    assert [each for each in said(result) if "note" not in each] == []
    assert {"acted-after-drop", "event-after-end"} <= not_run(result).keys()
