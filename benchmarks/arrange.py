"""Arrange hands of Indian rummy that are nearly complete, against parsing one logged hand.

    python benchmarks/arrange.py [--hands 2000] [--json]

A hand that can be declared is dealt, with and without jokers, and none, one or
two of its cards are exchanged for others of the pack; nearly complete are those
with none or one. Each hand is timed once. The reference is ``orjson.loads`` of one
whole hand of about 60 events, timed among the arrangements, so that a busy
machine slows both alike. Seconds of CPU of this process; the target is a median
of 3 and a 99th percentile of 20 times the reference, the aim 2 and 12 times.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from pathlib import Path

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.rows import Row, arguments, tell
from rummy_audit.rhl.cards_text import RANKS, SUITS
from rummy_audit.rules.arrange import arrange
from rummy_audit.rules.cards import pack
from rummy_audit.rules.families.indian.law import arrange_rules
from rummy_audit.rules.rulesets import ruleset

LOGS = Path(__file__).resolve().parents[1] / "tests" / "corpus" / "indian" / "clean.rhl.jsonl"
EVENTS = 60
SHAPES = ((3, 3, 3, 4), (4, 3, 3, 3), (3, 4, 3, 3), (5, 4, 4), (4, 5, 4))
BATCH = 25
WARM = 500  # hands before the clock runs, as a worker has seen others

Hand = tuple[list[str], str]


def logged_hand() -> bytes:
    """Return the logged hand of the corpus that is nearest to 60 events, as one JSON array."""
    hands: list[list[str]] = [[]]
    for line in LOGS.read_text(encoding="utf-8").splitlines():
        hands[-1].append(line)
        if line.startswith('{"type":"end"'):
            hands.append([])
    hand = min(filter(None, hands), key=lambda lines: abs(len(lines) - EVENTS))
    return f"[{','.join(hand)}]".encode()


def complete(rng: random.Random) -> Hand:
    """Deal a hand that can be declared: a pure sequence, a second one, sequences and sets."""
    while True:
        left = dict(pack(2, 2))
        wild = rng.choice(RANKS)
        hand = []
        for number, size in enumerate(rng.choice(SHAPES)):
            if number > 1 and size < 5 and rng.random() < 0.67:
                rank = rng.choice(RANKS)
                group = [rank + suit for suit in rng.sample(SUITS, size)]
            else:
                suit, start = rng.choice(SUITS), rng.randrange(15 - size)
                group = [rank + suit for rank in (RANKS + "A")[start : start + size]]
            if number and rng.random() < 0.4:
                joker = "JK" if rng.random() < 0.5 else wild + rng.choice(SUITS)
                group[rng.randrange(size)] = joker
            hand += group
        for card in hand:
            left[card] -= 1
        if min(left.values()) >= 0:
            return hand, wild


def spoil(hand: Hand, cards: int, rng: random.Random) -> Hand:
    """Exchange some cards for others of the pack."""
    held, wild = hand
    rest = [card for card, copies in pack(2, 2).items() for _ in range(copies)]
    for card in held:
        rest.remove(card)
    rng.shuffle(rest)
    spoilt = held[cards:] + rest[:cards] if cards else list(held)
    rng.shuffle(spoilt)
    return spoilt, wild


def measure(hands: list[Hand], reference: bytes) -> list[float]:
    """Return how often the reference fits into the time each hand takes."""
    rules = arrange_rules(ruleset("indian-13"))
    times = []
    for start in range(0, len(hands), BATCH):
        parsing = []
        for _ in range(BATCH):
            before = time.thread_time()
            orjson.loads(reference)
            parsing.append(time.thread_time() - before)
        unit = statistics.median(parsing)
        for held, wild in hands[start : start + BATCH]:
            before = time.thread_time()
            arrange(held, rules, wild)
            times.append((time.thread_time() - before) / unit)
    return sorted(times)


def main() -> int:
    """Print the medians and 99th percentiles."""
    wanted = arguments(__doc__ or "", hands=2000)
    count = wanted.hands
    rng = random.Random(13)
    reference = logged_hand()
    measure([spoil(complete(rng), 2, rng) for _ in range(WARM)], reference)
    lines = [f"reference: orjson.loads of {len(reference)} bytes"]
    lines.append(f"{'cards exchanged':>16} {'median':>8} {'p99':>8}")
    together = []
    for cards in range(3):
        hands = [spoil(complete(rng), cards, rng) for _ in range(count)]
        times = measure(hands, reference)
        together += times if cards < 2 else []
        lines.append(
            f"{cards:>16} {times[len(times) // 2]:>7.1f}x {times[len(times) * 99 // 100]:>7.1f}x"
        )
    together.sort()
    median, late = together[len(together) // 2], together[len(together) * 99 // 100]
    if not wanted.json:
        print("\n".join(lines))
    detail = f"{len(together):,} hands with none or one card exchanged, each timed once"
    return tell(
        Row("best arrangement, median", median, 3, 2, "x", detail, less=True),
        Row("best arrangement, p99", late, 20, 12, "x", detail, less=True),
        as_json=wanted.json,
    )


if __name__ == "__main__":
    sys.exit(main())
