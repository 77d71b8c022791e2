"""What if: a change is tried beside the log, which stays as it was."""

from urllib.parse import urlencode

import pytest
from django.urls import reverse

from replays import queries, what_if
from replays.models import HandLog, LogBatch
from rummy_audit.rhl.read import read
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import for_hand
from tests.replays.hands import hand

WRONG = """wild 2D
declare 1 KH KS KD | 6H 7H JK | 9S TS JS JK | 5S 5H 5D / 3C
show 2 4H 5H 6H | 8C 9C TC + KS QD 9D 7D 5C 4C 3D
score 1=0 2=48 winner=1
end
"""
RIGHT = "declare 1 KH KS KD | 6H 7H 8H | 9S TS JS JK | 5S 5H 5D / 3C"


def one(text=WRONG):
    return next(read(hand("W-1", lines=text)))


def codes(changed):
    return [each.code for each in replay(changed, for_hand(changed.record)).findings]


def verdict(changed):
    return replay(changed, for_hand(changed.record)).verdict


def test_an_event_as_it_might_have_been_written():
    log = one()
    changed = what_if.changed(log, what_if.Change(seq=2, line=RIGHT))

    assert verdict(log) == "flagged"
    assert verdict(changed) != verdict(log)
    assert "declare-no-pure-sequence" not in codes(changed)
    assert log == one()


def test_a_card_that_was_misread():
    changed = what_if.changed(one(), what_if.Change(seq=2, card="JK", read_as="8H"))

    assert codes(one())[0] == "declare-no-pure-sequence"
    assert "declare-no-pure-sequence" not in codes(changed)


def test_a_house_rule():
    assert what_if.house_rule("pure_sequences_min", "0") == {"pure_sequences_min": 0}
    changed = what_if.changed(one(), what_if.Change(rules={"pure_sequences_min": 0}))

    assert dict(changed.record.rules) == {"pure_sequences_min": 0}


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (what_if.Change(seq=2, line="declare 1 KH KS"), "declare 1 KH KS"),
        (what_if.Change(seq=99, line="drop 1"), "event 99"),
        (what_if.Change(seq=2, line="drop 1\nend"), "drop 1\nend"),
        (what_if.Change(seq=2, card="2C", read_as="3C"), "2C"),
        (what_if.Change(seq=2, card="zz", read_as="3C"), "zz 3C"),
        (what_if.Change(seq=2, line="end"), '"end"'),
        (what_if.Change(seq=2, line="x" * 3000), "x" * 40),
    ],
)
def test_what_cannot_be_tried_says_why(change, found):
    if found == "declare 1 KH KS":
        # A short declaration can be tried: it is wrong, not unreadable.
        assert verdict(what_if.changed(one(), change)) == "flagged"
        return
    with pytest.raises(what_if.WhatIfError) as told:
        what_if.changed(one(), change)
    assert told.value.found == found


def test_the_page_lays_both_side_by_side_and_stores_nothing(bob, send, signed_in):
    send(hand("W-1", lines=WRONG))
    log = HandLog.objects.get()
    client = signed_in(bob)
    page = client.get(reverse("what-if", args=[log.public_id]), {"seq": "2", "line": RIGHT})
    said = page.content.decode()

    assert said.count(">declare-no-pure-sequence<") == 1
    assert LogBatch.objects.count() == 1
    assert queries.hand_of(log) == one(WRONG)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"rule": "cap"}, "Write what “Most points of a hand” is set to:"),
        ({"card": "JK"}, "Write which card it really was."),
        ({}, "Nothing is changed yet"),
    ],
)
def test_what_a_form_still_lacks_is_said(bob, send, signed_in, sent, said):
    send(hand("W-1", lines=WRONG))
    address = reverse("what-if", args=[HandLog.objects.get().public_id])
    form = {"seq": "2", "line": "", "card": "", "read_as": "", "rule": "", "value": ""}

    assert said in signed_in(bob).get(address, form | sent).content.decode()


def test_the_page_of_another_club_is_not_there(bob, mallory, send, signed_in):
    send(hand("W-1", lines=WRONG))
    address = reverse("what-if", args=[HandLog.objects.get().public_id])

    assert signed_in(bob).get(address).status_code == 200
    assert signed_in(mallory).get(address).status_code == 404


def test_what_was_tried_is_saved_as_an_amendment_with_its_reason(bob, send, signed_in):
    send(hand("W-1", lines=WRONG))
    log = HandLog.objects.get()
    client, tried = signed_in(bob), f"?{urlencode({'seq': 2, 'line': RIGHT})}"
    address = reverse("hand-amend", args=[log.public_id]) + tried

    without = client.post(address, {"version": log.version, "reason": " "}).content.decode()
    older = client.post(address, {"version": 0, "reason": "The photo says so"}).content.decode()
    assert LogBatch.objects.count() == 1
    assert "Say why, in a few words" in without
    assert "has gone on since you opened" in older
    # What was typed stays.
    assert 'value="The photo says so"' in older
    assert RIGHT in older

    saved = client.post(address, {"version": log.version, "reason": "The photo says so"})
    amended = queries.hand_of(HandLog.objects.get()).events[-1]
    assert saved["Location"] == reverse("hand-at", args=[log.public_id, 2])
    assert (amended.target, amended.by, amended.reason) == (
        2,
        bob.user.username,
        "The photo says so",
    )
    page = client.get(saved["Location"]).content.decode()
    assert "The record is corrected" in page
    assert "<s>" in page
