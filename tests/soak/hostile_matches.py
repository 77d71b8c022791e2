"""Soak the referees of matches with hostile ones: right matches with their hands thrown about.

``python -m tests.soak.hostile_matches --matches 20000`` audits so many mutated matches of all
games that have any and says which broke the program or took too long. ``./test`` does the
same with three hundred.
"""

import random
import sys
import time
from functools import cache

import msgspec

from rummy_audit.rhl.read import ReadError, read
from rummy_audit.rules.matches import Deal, audit_match, by_match
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import RulesetError, for_hand
from tests.soak import hostile

FAMILIES = ("indian", "basic", "gin")
MOST_DEALS = 8
MOST_SECONDS = 0.5
STRANGE = (0, 1, -1, 7, 100, 2**53 - 1)
NUMBERS = ("deal", "game", "target", "entry_fee", "point_value", "fee")


@cache
def right(family):
    """Return the matches of a game: each a list of hands, each hand its records as values."""
    found = {}
    for name in ("matches", "matches-faulty"):
        for hand in read((hostile.CORPUS / family / f"{name}.rhl.jsonl").read_bytes()):
            lines = [msgspec.json.decode(line) for line in hand.lines]
            found.setdefault(hand.record.match.id, []).append(lines)
    return [*found.values()]


def head_of(dice, deal):
    """What the record of a hand says of its match, its table or its dealer is something else."""
    head = deal[0]
    match = head["match"] = dict(head["match"])
    kind = dice.randrange(4)
    if kind == 0:
        match[dice.choice(NUMBERS)] = dice.choice(STRANGE)
    elif kind == 1:
        match[dice.choice(("rejoined", "left", "seats"))] = [dice.randrange(1, 8)] * dice.randrange(
            2
        )
    elif kind == 2:
        match.pop(dice.choice([name for name in match if name != "id"] or ["deal"]), None)
    else:
        hostile.table(dice, head, deal)


def events_of(dice, deal):
    """The events of a hand are thrown about as in a hostile log."""
    head, *events, end = deal
    for _ in range(dice.choice((1, 3))):
        if events:
            dice.choice(hostile.MUTATIONS)(dice, events)
    for seq, event in enumerate(events, start=1):
        event["seq"] = seq
    if "count" in end:
        end["count"] = len(events)
    deal[:] = [head, *events, end]


def end_of(dice, deal):
    """The hand ended otherwise."""
    deal[-1]["status"] = dice.choice(("misdeal", "void", "abandoned", "completed"))


def mutated(number):
    """Return the logs of a hostile match, hand by hand."""
    dice = random.Random(number)
    whole = dice.choice(right(FAMILIES[number % len(FAMILIES)]))
    first = dice.randrange(max(len(whole) - MOST_DEALS, 0) + 1)
    deals = [[dict(each) for each in deal] for deal in whole[first : first + MOST_DEALS]]
    for _ in range(dice.choice((1, 1, 2, 4))):
        dice.choice((head_of, head_of, events_of, end_of))(dice, dice.choice(deals))
        way = dice.random()
        if way < 0.1 and len(deals) > 1:
            del deals[dice.randrange(len(deals))]
        elif way < 0.2:
            deals.append(dice.choice(deals))
        elif way < 0.3:
            dice.shuffle(deals)
    return [b"\n".join(map(msgspec.json.encode, deal)) for deal in deals]


def trouble(number):
    """Return what went wrong with one hostile match, as a line; nothing where all is well."""
    played = []
    for log in mutated(number):
        (hand,) = read(log)
        if isinstance(hand, ReadError):
            continue
        try:
            played.append(Deal(hand, for_hand(hand.record), replay(hand)))
        except RulesetError:
            continue
    began = time.process_time()
    reports = [[audit_match(deals) for deals in by_match(played).values()] for _ in range(2)]
    if reports[0] != reports[1]:
        return f"{number}: judged otherwise a second time"
    spent = time.process_time() - began
    return f"{number}: {spent * 1000:.0f} ms" if spent >= MOST_SECONDS else ""


if __name__ == "__main__":
    sys.exit(hostile.sweep("matches", trouble, about=__doc__))
