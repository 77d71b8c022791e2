"""A log as its amendments correct it."""

import msgspec
import pytest
from hypothesis import given

from rummy_audit.rhl.amend import Corrected, corrected
from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import (
    Amend,
    Discard,
    Draw,
    Drop,
    HandRecord,
    Match,
    Note,
    Player,
    Ruling,
    UnknownEvent,
)
from tests.rhl import strategies
from tests.rhl.profile import quick

HEAD = """hand T4-17 rhl=1 ruleset=indian-13 detail=full dealer=2 source=pad event=Friday
player 1 Asha
player 2 Bilal
match M1
"""
PLAYED = """draw 1 stock 9H
discard 1 KS
draw 2 stock
discard 2 7D
"""
EVENTS = (
    Draw(seq=1, seat=1, from_="stock", card="9H"),
    Discard(seq=2, seat=1, card="KS"),
    Draw(seq=3, seat=2, from_="stock"),
    Discard(seq=4, seat=2, card="7D"),
)


def hand_of(text):
    (hand,) = read((HEAD + PLAYED + text).encode())
    return hand


def test_without_amendments_everything_stands_as_written():
    hand = hand_of("end\n")

    assert corrected(hand) == Corrected(
        record=hand.record,
        events=EVENTS,
        end=hand.end,
        ended_after=4,
        line=1,
        original=hand,
    )


def test_an_event_takes_the_place_of_another():
    hand = hand_of("amend 2 by=scorer : discard 1 KH\nend\n")
    view = corrected(hand)

    assert view.events == (EVENTS[0], Discard(seq=2, seat=1, card="KH"), *EVENTS[2:])
    assert view.amended == {2: hand.events[4]}
    assert view.original is hand
    assert (view.ended_after, view.idle) == (5, ())


def test_a_missed_event_goes_in_beside_its_neighbour():
    view = corrected(hand_of("amend 3 : drop 1 ; draw 2 stock 5C ; cheer seat=2\nend\n"))

    assert view.events == (
        *EVENTS[:2],
        Drop(seq=3, seat=1),
        Draw(seq=3, seat=2, from_="stock", card="5C"),
        UnknownEvent(seq=3, kind="cheer", extra={"seat": 2}),
        EVENTS[3],
    )
    assert view.ended_after == 5


@pytest.mark.parametrize("struck", ["amend 3", "amend 3 : ;"])
def test_an_event_is_struck_out(struck):
    view = corrected(hand_of(f"{struck}\nend\n"))

    assert view.events == (*EVENTS[:2], EVENTS[3])
    assert view.ended_after == 5


def test_the_last_amendment_of_a_target_wins():
    hand = hand_of("amend 2\namend 2 : discard 1 KH\nend\namend 2 : discard 1 KD\n")
    view = corrected(hand)

    assert view.events[1] == Discard(seq=2, seat=1, card="KD")
    assert view.amended == {2: hand.events[6]}
    assert view.ended_after == 6


def test_the_hand_record_is_amended_but_for_its_identity():
    view = corrected(
        hand_of(
            "amend 0 : hand X9 rhl=1 ruleset=gin detail=shown dealer=1 source=fax event=Sunday"
            " table=T7 ; player 3 Chitra ; match M2\nend\n"
        )
    )

    assert view.record == HandRecord(
        rhl=1,
        id="T4-17",
        source="pad",
        event="Friday",
        ruleset="gin",
        detail="shown",
        dealer=1,
        table="T7",
        players=(Player(seat=3, name="Chitra"),),
        match=Match(id="M2"),
    )
    assert view.events == EVENTS


def test_a_hand_record_without_its_identity_keeps_it_too():
    view = corrected(hand_of("amend 0 : hand ruleset=gin detail=shown\nend\n"))

    assert (view.record.rhl, view.record.id, view.record.ruleset) == (1, "T4-17", "gin")


def test_events_after_the_end_can_be_amended_and_stay_after_it():
    view = corrected(hand_of("end\nruling r1 4 other\nnote late\namend 5 : ruling r2 4 penalty\n"))

    assert view.events == (
        *EVENTS,
        Ruling(seq=5, by="r2", target=4, outcome="penalty"),
        Note(seq=6, text="late"),
    )
    assert view.ended_after == 4


@pytest.mark.parametrize(
    ("line", "seq"),
    [
        ("amend 99 : drop 1", 5),  # no such event
        ("amend 5 : drop 1", 5),  # itself
        ("amend 6 : drop 1\nnote later", 5),  # an event that came after it
        ("amend 4\namend 5", 6),  # an amendment: amend its target again instead
    ],
)
def test_an_amendment_of_what_is_not_there_changes_nothing(line, seq):
    view = corrected(hand_of(f"{line}\n"))

    assert view.idle == (seq,)
    assert view.events[:3] == EVENTS[:3]
    assert seq not in view.amended


@quick
@given(strategies.hands())
def test_what_is_not_amended_stands_as_it_was(hand):
    view = corrected(hand)

    kept = [each for each in hand.events if not isinstance(each, Amend)]
    untouched = [each for each in kept if each.seq not in view.amended]
    assert [each for each in view.events if each.seq not in view.amended] == untouched
    assert {each.seq for each in view.events} <= {each.seq for each in kept}
    assert corrected(msgspec.structs.replace(hand, events=view.events)).events == view.events
