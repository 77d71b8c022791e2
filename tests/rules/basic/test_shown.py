"""Logs without the play: shown hands and score sheets, judged as far as they go."""

import pytest

from tests.rules.basic.play import audit, codes

ABOUT = {"seats": (1, 2, 3), "rules": "hand_size=7"}
HANDS = "show 1 + KS 3D\nshow 3 + 9H 9C 2S\n"


def shown(lines, rules="hand_size=7", **about):
    return audit(f"{lines}\nend", **(ABOUT | about | {"rules": rules, "detail": "shown"}))


@pytest.mark.parametrize("points", [33, 66])
def test_whether_the_winner_went_rummy_is_not_seen(points):
    found = shown(f"{HANDS}score 1=0 2={points} 3=0 winner=2")

    assert codes(found) == []
    assert found.result.scores == {1: 0, 3: 0}
    assert (
        "score-wrong",
        "whether the winner went rummy is not seen without the course of play",
    ) in [(each.check, each.why) for each in found.not_run]


def test_points_that_no_way_of_going_out_brings_are_wrong():
    found = shown(f"{HANDS}score 1=0 2=34 3=0 winner=2")

    assert codes(found) == [("score-wrong", 3, 2)]
    assert found.findings[0].expected == {1: 0, 2: 33, 3: 0}


def test_without_a_factor_the_points_are_known():
    rules = "hand_size=7 going_rummy=1 out_bonus=10"

    assert shown(f"{HANDS}score 1=0 2=43 3=0 winner=2", rules).result.scores == {1: 0, 2: 43, 3: 0}
    assert codes(shown(f"{HANDS}score 1=0 2=33 3=0 winner=2", rules)) == [("score-wrong", 3, 2)]


def test_who_still_holds_cards_has_not_won():
    assert codes(shown(f"{HANDS}score 1=33 2=0 3=0 winner=1")) == [
        ("score-wrong", 3, None),
        ("winner-wrong", 3, 1),
    ]


def test_charged_points_are_each_players_own():
    rules = "hand_size=7 scoring=charged"

    assert codes(shown(f"{HANDS}score 1=13 2=0 3=20 winner=2", rules)) == []
    assert codes(shown(f"{HANDS}score 1=26 2=0 3=40 winner=2", rules)) == []
    assert codes(shown(f"{HANDS}score 1=13 2=0 3=40 winner=2", rules)) == [("score-wrong", 3, 3)]


def test_shown_hands_hold_the_cards_of_one_pack():
    assert codes(shown("show 1 + KS 3D\nshow 3 + KS 2S")) == [
        ("score-missing", 0, None),
        ("too-many-copies", 2, 3),
    ]
    for seat, lines in ((1, "show 1 + KS KS"), (1, "show 3 + 3D\nshow 1 + KS KS")):
        assert codes(shown(lines)) == [
            ("score-missing", 0, None),
            ("card-in-two-groups", lines.count("\n") + 1, seat),
        ]
    assert codes(shown("show 1 + KS JK")) == [
        ("score-missing", 0, None),
        ("card-not-in-deck", 1, 1),
    ]


def test_where_cards_of_the_play_went_is_not_known_without_it():
    """A log of shown hands may name the upcard or a deal: somebody melds or shows it later."""
    play = "deal 1 KS 3D 4C 5C 6C 7C 9S\nupcard 9H\ndraw 3 discard 9H\ndiscard 3 7H\n"
    found = shown(f"{play}meld 2 4C 5C 6C\n{HANDS}score 1=0 2=33 3=0 winner=2")

    assert (codes(found), found.result.scores) == ([], {1: 0, 3: 0})


def test_melds_that_were_noted_are_judged():
    found = shown("meld 2 4H 5H 7H\nlayoff 1 8S > 1\nscore 1=0 2=0 3=0")

    assert codes(found) == [
        ("meld-invalid", 1, 2),
        ("sequence-gap", 1, 2),
        ("layoff-invalid", 2, 1),
        ("sequence-mixed-suits", 2, 1),
    ]


def sheet(score, rules="hand_size=7", **about):
    found = audit(f"{score}\nend", **(ABOUT | about | {"rules": rules, "detail": "scores"}))
    return codes(found)


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        ("score 1=0 2=33 3=0 winner=2", []),
        ("score 1=0 2=33 3=0", []),
        ("score 1=0 2=0 3=0", []),  # a stalemate
        ("score 1=0 2=33 3=0 marks 2=won", []),
        ("score 1=0 2=33 marks 3=absent", []),
        ("score 1=0 2=33", [("score-missing", 1, 3)]),
        ("score 1=0 2=-3 3=0", [("score-impossible", 1, 2)]),
        ("score 1=5 2=33 3=0 winner=2", [("score-impossible", 1, 1)]),
        ("score 1=5 2=33 3=0", [("score-impossible", 1, None)]),
        ("score 1=0 2=33 3=0 winner=1", [("winner-wrong", 1, 1)]),
        ("score 1=0 2=33 3=0 marks 1=won", [("winner-wrong", 1, 1)]),
        ("score 1=0 2=33 3=0 winner=2 marks 2=won", []),
        ("score 1=0 2=33 3=0 winner=2 marks 1=won", [("winner-wrong", 1, 1)]),
        ("score 1=0 2=33 3=0 winner=1 marks 2=won", [("winner-wrong", 1, 1)]),
        ("score 1=0 2=33 3=0 marks 1=won 2=won", [("winner-wrong", 1, 1)]),
        ("score 1=0 2=281 3=0 winner=2", [("score-impossible", 1, 2)]),
        ("score 1=0 2=280 3=0 winner=2", []),
        ("score 1=0 2=141 3=0 winner=2", [("score-impossible", 1, 2)]),
        ("score 1=0 2=1 3=0 winner=2", [("score-impossible", 1, 2)]),
        ("score 1=0 2=0 3=0 winner=2", [("score-impossible", 1, 2)]),
        ("score winner=2", [("score-missing", 1, None)]),
    ],
)
def test_a_sheet_where_the_winner_takes(score, expected):
    """Fourteen cards of ten points and the factor of two are the most; two aces the least."""
    assert sheet(score) == expected


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        ("score 1=13 2=0 3=20 winner=2", []),
        ("score 1=0 2=0 3=0", []),
        ("score 1=13 2=5 3=20", [("score-impossible", 1, None)]),
        ("score 1=13 2=5 3=20 winner=2", [("score-impossible", 1, 2)]),
        ("score 1=13 2=5 3=0 winner=2", [("winner-wrong", 1, 2)]),
        ("score 1=13 2=0 3=20 winner=2 marks 3=won", [("winner-wrong", 1, 3)]),
        ("score 1=13 2=0 3=20 marks 2=won 3=won", [("winner-wrong", 1, 3)]),
        ("score 1=0 2=0 3=20 winner=2", [("score-impossible", 1, 1)]),
        ("score 1=0 2=0 3=20", [("score-impossible", 1, None)]),
        ("score 1=141 2=0 3=20 winner=2", [("score-impossible", 1, 1)]),
        ("score 1=140 2=0 3=20 winner=2", []),
        ("score 1=71 2=0 3=20 winner=2", [("score-impossible", 1, 1)]),
    ],
)
def test_a_sheet_where_players_are_charged(score, expected):
    assert sheet(score, "hand_size=7 scoring=charged") == expected


def test_where_the_hand_may_end_for_all_everybody_may_have_points():
    for scoring in ("charged", "winner-takes"):
        rules = f"hand_size=7 stock_exhausted=block scoring={scoring}"
        assert sheet("score 1=13 2=5 3=20", rules) == []
        assert sheet("score 1=13 2=5 3=141", rules) == [("score-impossible", 1, 3)]


def test_what_a_detail_does_not_show_is_said():
    def not_run(detail):
        found = audit("score 1=0 2=33 3=0\nend", **(ABOUT | {"detail": detail}))
        return {each.check for each in found.not_run}

    assert {"out-of-turn", "card-not-held", "score-wrong"} <= not_run("shown")
    assert not_run("scores") - not_run("shown") == {"card-not-in-deck", "too-many-copies"}
    assert {"layoff-invalid", "meld-invalid"} <= not_run("shown")
    assert "score-wrong" in not_run("scores")
    assert not_run("full") == {"hand-not-ended", "score-wrong"}


# Who was not there, and whom a mark names beside the winner

SEVEN = tuple(range(1, 8))


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        ("score 1=33 2=0 3=0 4=0 5=0 6=0 marks 7=absent", []),
        ("score 1=33 2=0 3=0 4=0 5=0 6=0 7=0 winner=1 marks 7=absent", []),
        ("score 1=33 2=0 3=0 4=0 6=0 marks 7=absent", [("score-missing", 1, 5)]),
        ("score 1=33 2=0 3=0 4=0 5=0 6=0 7=0", [("player-count", 0, None)]),
    ],
)
def test_who_was_not_there_is_no_player_of_the_hand(score, expected):
    """Six play, and a seventh of the evening is marked absent: nothing was dealt there."""
    assert sheet(score, "", seats=SEVEN) == expected


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        ("score 1=0 2=95 marks 3=absent", []),
        ("score 1=0 2=95 3=0", []),
        ("score 1=0 2=101 marks 3=absent", [("score-impossible", 1, 2)]),
    ],
)
def test_two_who_are_left_were_dealt_ten_cards(score, expected):
    assert sheet(score, "going_rummy=1", seats=(1, 2, 3)) == expected


@pytest.mark.parametrize("detail", ["full", "table"])
def test_a_seat_that_was_dealt_nothing_may_be_marked_as_absent(detail):
    dealt = [f"deal {seat} x6" for seat in SEVEN[:6]]
    lines = "\n".join([*dealt, "upcard KS", "draw 2 stock", "discard 2 4H", "score {}", "end"])

    for score, expected in (
        ("1=0 marks 7=absent", []),
        ("1=0", ["player-count"]),
    ):
        found = audit(lines.format(score), seats=SEVEN, detail=detail, rules="decks=2")
        assert [each.code for each in found.findings if each.code == "player-count"] == expected


@pytest.mark.parametrize("marks", ["marks 1=won", "marks 1=won 2=won"])
def test_a_mark_names_a_winner_beside_the_one_that_is_named(marks):
    found = shown(f"{HANDS}score 1=0 2=33 3=0 winner=2 {marks}")

    assert codes(found) == [("winner-wrong", 3, 1)]
    assert codes(shown(f"{HANDS}score 1=0 2=33 3=0 winner=2 marks 2=won")) == []


# Hands that were annulled


@pytest.mark.parametrize(
    ("call", "end"),
    [
        ("void cause=agreed", "end void"),
        ("misdeal cause=agreed", "end misdeal"),
        ("void cause=agreed", "end"),
        ("", "end void"),
        ("", "end misdeal"),
    ],
)
@pytest.mark.parametrize("detail", ["shown", "scores"])
def test_nobody_scores_in_a_hand_that_was_annulled(call, end, detail):
    about = ABOUT | {"detail": detail}
    at = 2 if call else 1
    right = audit(f"{call}\nscore 1=0 2=0 3=0\n{end}".strip(), **about)
    wrong = audit(f"{call}\nscore 1=0 2=30 3=0\n{end}".strip(), **about)

    assert (codes(right), right.result.scores) == ([], {})
    assert (codes(wrong), wrong.result.scores) == ([("score-wrong", at, 2)], {})
    assert right.result.outcome == wrong.result.outcome == (call.split() or end.split()[1:])[0]


def test_a_hand_that_is_shown_after_a_misdeal_was_dealt_again():
    """The deals are not in such a log: what is shown and scored behind it is the next one."""
    again = f"misdeal cause=wrong-count\n{HANDS}score 1=0 2={{}} 3=0 winner=2"
    sheet = "misdeal cause=wrong-count\nscore 1=0 2=33 3=0 winner=2"

    assert codes(shown(again.format(33))) == []
    assert codes(shown(again.format(34))) == [("score-wrong", 4, 2)]
    for detail in ("shown", "scores"):
        assert codes(audit(f"{sheet}\nend", **ABOUT, detail=detail)) == []
