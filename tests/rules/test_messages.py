"""What findings say: sentences a club member would say, without the codes of a log in them."""

import pytest

from rummy_audit.rules.matches import audit_match
from rummy_audit.rules.messages import message
from tests.rules.indian.hands import RIGHT, WRONG, deals, judged, turns

DRAW = "draw 1 stock 5D\n"
ALONE = "\nscore 1={} 2=0 winner=2"
SHEET = {"detail": "scores", "start": "", "players": 2}


@pytest.mark.parametrize(
    ("body", "settings", "sentence"),
    [
        (
            f"{DRAW}{WRONG}",
            {"end": ""},
            "2D 3D 4D KC: the cards of a sequence are of one suit, these are clubs and diamonds.",
        ),
        (
            f"{DRAW}{RIGHT.replace('9H 9D 9C', '9H 9D KC').replace('/ KC', '/ 9C')}",
            {"end": ""},
            "9H 9D KC: the cards of a set are of one rank, these are 9 and king.",
        ),
        (
            "misdeal cause=agreed",
            {"end": "end misdeal"},
            "A misdeal was called for an agreement: that makes none, or the log speaks against it.",
        ),
        (
            "draw 1 stock 8C\ndrop 1",
            {"end": ""},
            "Seat 1 drops after drawing a card.",
        ),
        ("drop 2", {"end": ""}, "Seat 2 drops when it is not that seat's turn."),
        (
            f"{turns(1, 2)}\ndrop 1{ALONE.format(20)}",
            {"players": 2},
            "Seat 1 is written down with 20 points; a middle drop costs 40.",
        ),
        (
            f"drop 1{ALONE.format(80)}",
            {"players": 2, "match": "M format=deals-2"},
            "Seat 1 drops, and here nobody may.",
        ),
        (
            f"leave 1{ALONE.format(40)}",
            {"players": 2, "ruleset": "indian-13-circle"},
            "Seat 1 is written down with 40 points; leaving before a draw costs a first drop, 20.",
        ),
        (
            "score 1=0 2=40 winner=1 marks 2=first-drop",
            SHEET,
            "Seat 2 is written down with 40 points and marked as first drop; that costs 20.",
        ),
        (
            "score 1=0 2=91 winner=1",
            SHEET,
            "Seat 2 is written down with 91 points; no hand costs more than 80 (the cap is 80).",
        ),
        (
            f"{DRAW}{RIGHT}\nscore 1=2 2=33 3=54",
            {},
            (
                "Points are written down as seat 1: 2, seat 3: 54; "
                "by the rules they are seat 1: 0, seat 3: 55."
            ),
        ),
        (
            "score 1=0 winner=1",
            {**SHEET, "players": 1},
            "Players at the table: 1; these rules ask for at least 2.",
        ),
    ],
)
def test_a_finding_says_what_it_means(body, settings, sentence):
    first = judged(body, **settings).findings[0]

    assert message(first, "indian") == sentence


@pytest.mark.parametrize(
    ("body", "settings", "sentence"),
    [
        (
            "irregularity not-shuffled\nirregularity exposed-card 2 4S\ndraw 1 stock 8C",
            {"end": ""},
            (
                "A misdeal was due for an exposed card and a missing shuffle "
                "and was not called before the first draw."
            ),
        ),
        (
            RIGHT.replace("2D 3D 4D 5D", "QC KC AC 2C"),
            {"detail": "shown"},
            "QC KC AC 2C: the run goes round the corner, which these rules do not allow.",
        ),
        (
            RIGHT.replace("2D 3D 4D 5D", "JC QC KC AC"),
            {"detail": "shown", "rules": "ace=low"},
            "JC QC KC AC: the run goes round the corner, which these rules do not allow.",
        ),
    ],
)
def test_among_what_is_found_stands(body, settings, sentence):
    found = [message(each, "indian") for each in judged(body, **settings).findings]

    assert sentence in found


def test_the_settings_in_which_a_hand_differs_are_named_in_words():
    hands = "".join(
        f"hand H{deal} rhl=1 ruleset=indian-13 detail=scores\nplayer 1\nplayer 2\n"
        f"match M format=points deal={deal} point_value={deal} fee={deal}\n"
        "score 1=0 2=20\nend\n"
        for deal in (1, 2)
    )
    (placed,) = audit_match(deals(hands.encode())).findings

    assert message(placed.finding, "indian") == (
        "This hand was not played by the same fee and value of a point as H1."
    )
