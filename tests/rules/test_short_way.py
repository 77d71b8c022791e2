"""The short way of plain play says what the judges say, whatever happened to a hand."""

import random
from pathlib import Path

import msgspec
import pytest

from rummy_audit.rhl.cards_text import CARD_FACES, JOKER
from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import Miss, Pass
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
