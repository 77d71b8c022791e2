"""What was wrong with the deal, and hands that the table annulled."""

import pytest

from tests.rules.basic.play import audit, codes, found_in

GOOD = "deal 2 4H 5H 6H 2C\ndeal 1 9C 9D 9S 3H\n"
SHORT = "deal 2 4H 5H 6H 2C\ndeal 1 9C 9D 9S\n"
PLAY = "upcard TC\ndraw 2 stock KS\ndiscard 2 KS\n"
OUT = "upcard TC\ndraw 2 stock 7H\nmeld 2 4H 5H 6H 7H\ndiscard 2 2C\n"
FOUR = {"rules": "hand_size=4"}


def notes(lines, **about):
    return [
        (each.code, each.seq, each.handled)
        for each in audit(lines, **(FOUR | about)).findings
        if each.severity == "note"
    ]


def test_a_wrong_deal_is_named_and_played_on():
    lines = f"{SHORT}upcard TC\ndraw 2 stock KS\ndiscard 2 KS\ndraw 1 stock KC\ndiscard 1 KC"

    assert found_in(lines, **FOUR) == [("deal-count", 2, 1)]


@pytest.mark.parametrize(
    ("dealt", "expected"),
    [
        (["2C", "4D"], []),
        (["2C"], [("deal-count", 4, 1)]),
        (["2C", "4D", "5D"], [("deal-count", 4, 1)]),
    ],
)
def test_cards_dealt_one_event_at_a_time_are_counted_together(dealt, expected):
    """002 4. Setup and Deal: cards go round one at a time, and a log may say so."""
    lines = f"deal 1 AS 3H\ndeal 2 4H 5H\ndeal 2 6H 8C\ndeal 1 {' '.join(dealt)}\nupcard TC\n"
    found = audit(f"{lines}draw 2 stock KS", **FOUR)

    assert (codes(found), found.verdict) == (expected, "unfinished")


@pytest.mark.parametrize("misdeal", ["misdeal", "misdeal cause=wrong-count"])
def test_a_wrong_deal_that_was_dealt_again_was_dealt_with(misdeal):
    found = audit(f"{SHORT}{misdeal}\nend misdeal", **FOUR)

    assert found.verdict == "clean"
    assert [(each.code, each.handled) for each in found.findings] == [("deal-count", True)]
    assert found.result.outcome == "misdeal"
    assert audit(f"{SHORT}end misdeal", **FOUR).verdict == "clean"


def test_the_hand_may_go_on_with_the_new_deal():
    lines = f"{SHORT}misdeal cause=wrong-count\n{GOOD}{OUT}score 1=0 2=60 winner=2\nend"
    found = audit(lines, **FOUR)

    assert (found.verdict, found.result.scores) == ("clean", {1: 0, 2: 60})


@pytest.mark.parametrize(
    ("irregularity", "finding"),
    [
        ("exposed-card 1 9C", ("deal-exposed", 3, 1)),
        ("not-shuffled", ("deal-unshuffled", 3, None)),
        ("wrong-dealer 1", ("dealer-wrong", 3, 1)),
        ("wrong-count 1", None),
    ],
)
def test_what_the_table_notices_in_the_deal(irregularity, finding):
    lines = f"{GOOD}irregularity {irregularity}\n"

    assert found_in(lines + PLAY, **FOUR) == ([finding] if finding else [])
    if finding:
        assert found_in(f"{lines}misdeal\nend misdeal", **FOUR) == []
        assert notes(f"{lines}misdeal\nend misdeal") == [(finding[0], 3, True)]
    assert found_in(f"{GOOD}{PLAY}irregularity {irregularity}", **FOUR) == []


def test_a_wrong_count_that_only_the_table_saw():
    lines = "deal 2\ndeal 1\nirregularity wrong-count 1\nmisdeal cause=wrong-count\nend misdeal"

    assert found_in(lines, detail="table", **FOUR) == []
    assert notes(lines, detail="table") == [("deal-count", 3, True)]


@pytest.mark.parametrize(
    ("lines", "seq"),
    [
        (f"{GOOD}misdeal", 3),
        (f"{GOOD}misdeal cause=wrong-count", 3),
        (f"{GOOD}misdeal cause=other", 3),
        (f"{GOOD}misdeal cause=stock-exhausted", 3),
        (f"{GOOD}{PLAY}misdeal cause=agreed", 6),
        (f"{GOOD}{PLAY}misdeal cause=exposed-card", 6),
        (f"{GOOD}{OUT}misdeal cause=agreed", 7),
        (f"{GOOD}end misdeal", 0),
    ],
)
def test_a_misdeal_without_reason(lines, seq):
    assert found_in(lines, **FOUR) == [("misdeal-unfounded", seq, None)]


@pytest.mark.parametrize(
    "lines",
    [
        f"{GOOD}misdeal cause=agreed",
        f"{GOOD}misdeal cause=exposed-card",
        f"{GOOD}misdeal cause=not-shuffled",
        f"{SHORT}{PLAY}misdeal cause=wrong-count",
    ],
)
def test_a_misdeal_with_reason(lines):
    assert found_in(lines, **FOUR) == []


def test_a_misdeal_without_a_cause_cannot_be_judged_at_the_table():
    found = audit(
        "deal 2 x4\ndeal 1 x4\nmisdeal reason='they agreed'\nend misdeal".replace("'", '"'),
        detail="table",
        **FOUR,
    )

    assert codes(found) == []
    assert [each.check for each in found.not_run] == ["misdeal-unfounded"]


@pytest.mark.parametrize("misdeal", ["misdeal", "misdeal cause=other"])
def test_a_misdeal_of_cards_nobody_counted_is_not_judged(misdeal):
    found = audit(f"{misdeal}\nend misdeal", **FOUR)

    assert codes(found) == []
    assert [each.check for each in found.not_run] == ["misdeal-unfounded"]


def test_a_hand_is_void_by_agreement_and_not_without_a_word():
    assert found_in(f"{GOOD}{PLAY}void cause=agreed\nend void", **FOUR) == []
    assert found_in(f"{GOOD}{PLAY}void\nend void", **FOUR) == [("void-unfounded", 6, None)]
    assert found_in(f"{GOOD}{PLAY}end void", **FOUR) == [("void-unfounded", 0, None)]
    assert found_in(f"{GOOD}{PLAY}void cause=stock-exhausted\nend void", **FOUR) == [
        ("void-unfounded", 6, None)
    ]
    assert found_in(f"{GOOD}{OUT}void cause=agreed\nend void", **FOUR) == [
        ("void-unfounded", 7, None)
    ]


def test_nobody_scores_in_a_hand_that_was_annulled():
    lines = f"{GOOD}{PLAY}void cause=agreed\n"

    assert found_in(f"{lines}score 1=0 2=0\nend void", **FOUR) == []
    assert found_in(f"{lines}score 1=0 2=9 winner=2\nend void", **FOUR) == [
        ("score-wrong", 7, 2),
        ("winner-wrong", 7, 2),
    ]
    assert audit(f"{lines}end void", **FOUR).result.outcome == "void"


def test_play_after_a_hand_was_annulled_is_found_once():
    lines = f"{GOOD}{PLAY}void cause=agreed\ndraw 1 stock KC\ndiscard 1 KC"

    assert found_in(lines, **FOUR) == [("event-after-end", 7, 1)]
