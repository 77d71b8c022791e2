"""The short way of plain play says what the judges say, whatever happened to a hand."""

import random
from pathlib import Path

import msgspec
import pytest

from rummy_audit.rhl.cards_text import CARD_FACES, JOKER
from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import Amend, End, Miss, Pass
from rummy_audit.rhl.write import to_json
from rummy_audit.rules.replay import replay
from tests.effort import tries

CORPUS = Path(__file__).parents[1] / "corpus"
FACES = (*sorted(CARD_FACES), JOKER)


def altered(hand, dice):
    """Return a hand with one event left out, put in, doubled, swapped, of another card or seat."""
    events = list(hand.events)
    at = dice.randrange(len(events))
    event = events[at]
    match dice.randrange(6):
        case 0:
            del events[at]
        case 1:
            events.insert(at, event)
        case 2 if at:
            events[at - 1], events[at] = event, events[at - 1]
        case 3 if getattr(event, "card", None):
            events[at] = msgspec.structs.replace(event, card=dice.choice(FACES))
        case 4 if hasattr(event, "seat"):
            events.insert(at, dice.choice((Miss, Pass))(seq=1, seat=event.seat))
        case _ if hasattr(event, "seat"):
            seat = 1 + dice.randrange(len(hand.record.players))
            events[at] = msgspec.structs.replace(event, seat=seat)
    return msgspec.structs.replace(
        hand,
        events=tuple(
            msgspec.structs.replace(event, seq=seq) for seq, event in enumerate(events, start=1)
        ),
    )


@pytest.mark.parametrize("family", ["gin", "indian"])
def test_the_short_way_says_what_the_judges_say(family, monkeypatch):
    dice = random.Random(f"short way {family}")
    log = (CORPUS / family / "clean.rhl.jsonl").read_bytes()
    clean = [hand for hand in read(log) if hand.record.detail in ("full", "table")]
    hands = [altered(dice.choice(clean), dice) for _ in range(tries(300))]

    short = [replay(hand) for hand in hands]
    monkeypatch.delattr(f"rummy_audit.rules.families.{family}.referee.goes_plainly")

    assert [replay(hand) for hand in hands] == short


def test_a_file_that_is_one_hand_is_corrected_as_any_other():
    log = (CORPUS / "indian" / "clean.rhl.jsonl").read_bytes()
    hand = next(hand for hand in read(log) if hand.record.detail == "full")
    score = hand.events[-1]
    wrong = msgspec.structs.replace(score, points=dict.fromkeys(score.points, 7))
    made_good = Amend(
        seq=score.seq + 1, target=score.seq, replace=msgspec.structs.replace(score, seq=0)
    )
    whole = msgspec.structs.replace(
        hand, events=(*hand.events[:-1], wrong, made_good), end=End(status="completed")
    )

    (alone,) = read(to_json(whole))
    first, second = read(to_json(whole) + to_json(hand))

    assert replay(alone).verdict == replay(first).verdict == replay(second).verdict == "clean"
    assert replay(alone, corrected=False).verdict == "flagged"
