"""Soak every referee with hostile logs: right hands with their records thrown about.

``python -m tests.soak.hostile --hands 20000`` judges so many mutated logs of all games and
says which broke the program, took too long or were judged otherwise a second time.
``./test`` does the same with two thousand.
"""

import argparse
import random
import sys
import time
import traceback
from functools import cache
from pathlib import Path

import msgspec

from rummy_audit.rhl.read import ReadError, read
from rummy_audit.rules.replay import replay

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
FAMILIES = ("indian", "basic", "gin", "tile")
MOST_SECONDS = 0.05
SIMPLE = ("", "??", "JK", "R14", "7H", "B7", "AS", "9Z")


@cache
def hands(family):
    """Return the right hands of a game, of every detail."""
    return [*read((CORPUS / family / "clean.rhl.jsonl").read_bytes())]


@cache
def right(family):
    """Return the records of the right hands of a game as plain values."""
    return [[msgspec.json.decode(line) for line in hand.lines] for hand in hands(family)]


def swap(dice, events):
    """Two events change places."""
    one, other = dice.randrange(len(events)), dice.randrange(len(events))
    events[one], events[other] = events[other], events[one]


def drop(dice, events):
    """An event is lost."""
    del events[dice.randrange(len(events))]


def double(dice, events):
    """An event comes twice, the second time anywhere."""
    events.insert(dice.randrange(len(events) + 1), dict(dice.choice(events)))


def seat(dice, events):
    """Somebody else did it, perhaps one who is not at the table."""
    event = dice.choice(events)
    if "seat" in event:
        event["seat"] = dice.randrange(1, 8)


def card(dice, events):
    """It was another card, perhaps one that no pack has or one that lies elsewhere."""
    event, other = dice.choice(events), dice.choice(events)
    if "card" in event:
        event["card"] = other.get("card") or dice.choice(SIMPLE)


def cards(dice, events):
    """A list of cards loses one, holds one twice or takes in another's."""
    event = dice.choice([each for each in events if each.get("cards")] or [{"cards": ["7H"]}])
    held, place = list(event["cards"]), dice.randrange(len(event["cards"]))
    held[place : place + 1] = dice.choice(([], [held[place]] * 2, [dice.choice(held)], ["??"]))
    event["cards"] = held


def groups(dice, events):
    """The groups of a claim, or the melds of a table, are mixed up."""
    claims = [each for each in events if each.get("groups") or each.get("table")]
    if claims:
        event = dice.choice(claims)
        name = "groups" if event.get("groups") else "table"
        mixed = [each for group in event[name] for each in group]
        dice.shuffle(mixed)
        cut = dice.randrange(len(mixed) + 1)
        event[name] = [mixed[:cut], mixed[cut:]]


def numbers(dice, events):
    """Points, counts and targets are any numbers."""
    for event in events:
        for name, value in event.items():
            if type(value) is int and name not in ("seat", "seq") and dice.random() < 0.5:
                event[name] = dice.choice((0, 1, -1, 13, 999, 2**53 - 1))
            elif name == "points" and value:
                event[name] = {each: dice.randrange(-90, 200) for each in value}


def foreign(dice, events):
    """An event of another game comes in between."""
    other = dice.choice(right(dice.choice(FAMILIES)))
    events.insert(dice.randrange(len(events) + 1), dict(dice.choice(other[1:-1])))


def again(dice, events):
    """A stretch of the hand comes many times over."""
    cut = dice.randrange(len(events))
    events[cut:cut] = [dict(each) for each in events[cut : cut + 40] * dice.randrange(1, 4)]


def amended(dice, events):
    """An amendment puts something else in an event's place, or strikes it out."""
    inside = {name: value for name, value in dice.choice(events).items() if name != "seq"}
    target = dice.randrange(1, len(events) + 1)
    if inside.get("type") != "amend":
        replace = {} if dice.random() < 0.3 else {"replace": inside}
        events.append({"type": "amend", "target": target, "by": "x", **replace})


def table(dice, head, events):
    """Somebody else, one alone or nobody sat at the table, or nobody was dealt a card."""
    kind = dice.randrange(4)
    if kind == 0:
        head["players"] = head["players"][: dice.randrange(2)]
    elif kind == 1:
        head["players"] = [*head["players"], {"seat": dice.randrange(1, 13)}]
    elif kind == 2:
        head["dealer"] = dice.randrange(1, 13)
    else:
        nothing = dice.choice(({"count": 0}, {"cards": []}))
        for place, event in enumerate(events):
            if event["type"] == "deal":
                kept = {name: event[name] for name in ("type", "seat", "seq") if name in event}
                events[place] = kept | nothing


MUTATIONS = (*(swap, drop, double, seat, card, cards, groups, numbers, foreign, again, amended),)


def mutated(number):
    """Return the bytes of one hostile log: a right hand, mutated once or several times."""
    dice = random.Random(number)
    hand = dice.choice(right(FAMILIES[number % len(FAMILIES)]))
    head, *events, end = map(dict, hand)
    for _ in range(dice.choice((1, 1, 2, 3, 6))):
        if events:
            dice.choice(MUTATIONS)(dice, events)
    if dice.random() < 0.1:
        table(dice, head, events)
    for seq, event in enumerate(events, start=1):
        event["seq"] = seq
    if "count" in end:
        end["count"] = len(events)
    kept = [end] if dice.random() < 0.9 else []
    return b"\n".join(msgspec.json.encode(record) for record in (head, *events, *kept))


def trouble(number):
    """Return what went wrong with one hostile log, as a line; nothing where all is well."""
    log = mutated(number)
    (hand,) = read(log)
    if isinstance(hand, ReadError):
        return "" if hand == next(read(log)) else f"{number}: read otherwise a second time"
    answers, times = [], []
    for _ in range(2):
        began = time.process_time()
        answers.append(replay(hand))
        times.append(time.process_time() - began)
    if answers[0] != answers[1]:
        return f"{number}: judged otherwise a second time"
    if min(times) >= MOST_SECONDS:
        return f"{number}: {min(times) * 1000:.0f} ms for {len(hand.events)} events"
    return ""


def sweep(what, trouble, *, about):
    """Try numbers from ``--first`` on, print each that is trouble, and end with 1 if any was."""
    options = argparse.ArgumentParser(description=about)
    options.add_argument(f"--{what}", dest="count", type=int, default=20_000)
    options.add_argument("--first", type=int, default=0)
    asked = options.parse_args()
    begun, bad = time.process_time(), 0
    for number in range(asked.first, asked.first + asked.count):
        try:
            line = trouble(number)
        except Exception:  # noqa: BLE001 - the next is to be judged too
            line = f"{number}: {traceback.format_exc()}"
        if line:
            bad += 1
            print(line, flush=True)
    print(f"{asked.count} {what}, {bad} in trouble, {time.process_time() - begun:.0f} s of CPU")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(sweep("hands", trouble, about=__doc__))
