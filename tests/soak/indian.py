"""Soak the Indian referee: many right hands of every preset, detail and number of players.

``python -m tests.soak.indian --hands 100000`` plays and judges so many and says which were
found wrong. ``./test`` does the same with two thousand.
"""

import argparse
import random
import sys
import time

from rummy_audit.rhl.records import DETAILS
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import RulesetError, parameters, ruleset
from rummy_audit.simulators.indian.simulator import simulate

PRESETS = ("indian-13", "indian-13-central", "indian-13-circle")

# Settings that change what is right without making another game of it.
HOUSE = (
    *({"ace": "low"}, {"ace": "round-corner"}, {"set_max": 5}, {"naturals_min": 2}),
    *({"judge_losers": "best"}, {"loser_counts": "unsequenced"}, {"no_lives_points": "flat"}),
    *({"pure_only": "spare-pure"}, {"joker_from_discard": True}, {"misses_to_drop": 2}),
    *({"upcard_joker": "keep"}, {"stock_exhausted": "void"}, {"stock_exhausted": "lowest-wins"}),
    *({"wrong_declaration": "end"}, {"wild_if_printed": "redraw"}, {"drops": False}),
    *({"wild_if_printed": "printed-only"}, {"printed_jokers": 0}, {"printed_jokers": 8}),
    *({"cap": 100, "wrong_declaration_points": 100}, {"cap": "none"}, {"jokers_max": 1}),
    *({"discard_just_taken": False}, {"natural_wild_pure": False}, {"wild_anchors": True}),
    *({"card_points": "ace-one"}, {"hand_size": 10}, {"sequence_max": 4}, {"decks": 3}),
)


def settings(number):
    """Return the preset, detail, players and house rules of one hand of the soak."""
    dice = random.Random(number)
    house = dice.choice(HOUSE) if dice.random() < 0.5 else {}
    detail = DETAILS[number % 4] if dice.random() < 0.6 else "full"
    return {
        "rules_name": PRESETS[number % 3],
        "seed": number,
        "detail": detail,
        "players": dice.randrange(2, 7),
        "house": house,
    }


def wrong(number):
    """Return what is found wrong with one right hand, as a line; nothing where all is well."""
    how = settings(number)
    hand = simulate(**how)
    result = replay(hand)
    recorded = [event.points for event in hand.events if type(event).__name__ == "Score"]
    beside = [each for each in result.findings if each.severity != "note"]
    scores = result.result.scores
    other = {
        seat: points
        for seat, points in scores.items()
        if recorded and recorded[-1].get(seat) != points
    }
    if not beside and not other and result.verdict == "clean":
        return ""
    codes = [f"{each.code} {each.seq}/{each.seat}" for each in beside]
    return f"{how}: {result.verdict} {codes} {other}"


def random_rules(number):
    """Return house rules drawn from the whole law of the family, or none where they clash."""
    dice = random.Random(f"rules {number}")
    law = [each for each in parameters("indian").values() if each.type in ("bool", "choice")]
    house = {}
    for each in dice.sample(law, 4):
        house[each.name] = dice.choice(each.choices) if each.choices else dice.random() < 0.5
    try:
        ruleset("indian-13", house=house)
    except RulesetError:
        return {}
    return house


def main():
    """Play and judge; say what was wrong, and how long it took."""
    options = argparse.ArgumentParser(description=main.__doc__)
    options.add_argument("--hands", type=int, default=100_000)
    options.add_argument("--first", type=int, default=0)
    given = options.parse_args()
    start, bad = time.perf_counter(), 0
    for number in range(given.first, given.first + given.hands):
        line = wrong(number)
        if line:
            bad += 1
            print(line, flush=True)
        if (number + 1 - given.first) % 10_000 == 0:
            print(f"{number + 1 - given.first} hands, {bad} wrong", flush=True)
    print(f"{given.hands} hands, {bad} wrong, {time.perf_counter() - start:.0f} s")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
