"""Soak the tile referee: many right hands of every preset, detail and number of players.

``python -m tests.soak.tile --hands 10000`` plays and judges so many and says which were
found wrong. ``./test`` does the same with a few.
"""

import argparse
import random
import sys
import time

from rummy_audit.rhl.records import DETAILS
from rummy_audit.rules.replay import replay
from rummy_audit.simulators.tile.simulator import simulate

PRESETS = ("tile-easy", "tile-pup", "tile-dutch", "tile-rrrummy", "tile-50")

# Settings that change what is right without making another game of it.
HOUSE = (
    *({"first_turn_table": "after-minimum"}, {"first_play_joker": "zero"}, {"run_min": 4}),
    *({"first_play_joker": "not-allowed"}, {"first_play": 0}, {"timer_seconds": 60}),
    *({"joker_replace_first": True}, {"joker_replace_from_hand": False}, {"set_max": 3}),
    *({"joker_meld_locked": True}, {"joker_reuse_new_meld": True}, {"joker_points": 0}),
    *({"group_joker_replacement": "both"}, {"joker_position": "literal"}, {"set_min": 4}),
    *({"blocked_scoring": "difference"}, {"penalty_tiles": 0}, {"hand_size": 7}),
)


def settings(number):
    """Return the preset, detail, players and house rules of one hand of the soak."""
    dice = random.Random(number)
    return {
        "rules_name": PRESETS[number % 5],
        "seed": number,
        "detail": DETAILS[number // 5 % 4] if dice.random() < 0.4 else "full",
        "players": dice.randrange(2, 5),
        "house": dice.choice(HOUSE) if dice.random() < 0.6 else {},
    }


def wrong(number):
    """Return what is found wrong with one right hand, as a line; nothing where all is well."""
    how = settings(number)
    hand = simulate(**how)
    result = replay(hand)
    recorded = [event.points for event in hand.events if type(event).__name__ == "Score"]
    beside = [each for each in result.findings if each.severity != "note"]
    scores = result.result.scores
    known = how["detail"] != "scores" and recorded
    if not beside and result.verdict == "clean" and (not known or scores == recorded[0]):
        return ""
    found = [(each.code, each.seq, each.seat) for each in beside]
    return f"{number} {how} {result.verdict} {found} {scores} {recorded}"


def main():
    """Judge hands from ``--first`` on, and print each that was found wrong."""
    options = argparse.ArgumentParser()
    options.add_argument("--hands", type=int, default=1000)
    options.add_argument("--first", type=int, default=0)
    asked = options.parse_args()
    begun, bad = time.perf_counter(), 0
    for number in range(asked.first, asked.first + asked.hands):
        line = wrong(number)
        if line:
            bad += 1
            print(line, flush=True)
    print(f"{asked.hands} hands, {bad} wrong, {time.perf_counter() - begun:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
