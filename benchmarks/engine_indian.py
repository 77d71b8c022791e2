"""Read and audit hands of Indian rummy, against ``orjson.loads`` of the same bytes.

    python benchmarks/engine_indian.py [--rounds 40] [--json]

Hands of three players and about 60 events, two losers shown, as JSON Lines: the bytes
are read, every event is judged, both losers are arranged for the least they could
cost, and the score is held against the rules. The reference parses every line of the
same bytes, hand by hand in turn with the others, so that a busy machine slows all alike;
of every hand the least of the rounds counts. CPU time of this process; the target is 8
times the reference, the aim 5 times.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.rows import Row, arguments, tell
from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import Deck, Hand, Reshuffle, Show, Shuffle
from rummy_audit.rhl.write import to_json
from rummy_audit.rules.replay import replay
from rummy_audit.rules.report import hand_report
from rummy_audit.rules.rulesets import for_hand
from rummy_audit.simulators.indian.simulator import simulate

HANDS = 60
EVENTS = range(55, 66)
TARGET = 8
LONGER = (Deck, Shuffle, Reshuffle)


def logged_hands() -> list[bytes]:
    """Return hands of about 60 events: three players, two losers shown, a plain stock."""
    found: list[bytes] = []
    seed = 0
    while len(found) < HANDS:
        seed += 1
        hand = simulate("indian-13", seed=seed, players=3)
        shows = sum(isinstance(event, Show) for event in hand.events)
        plain = not any(isinstance(event, LONGER) for event in hand.events)
        if len(hand.events) in EVENTS and shows == 2 and plain:
            found.append(to_json(hand))
    return found


def parsed(log: bytes) -> None:
    """Parse every line of a log."""
    for line in log.splitlines():
        orjson.loads(line)


def audited(log: bytes) -> None:
    """Read a log and judge the hand in it."""
    for hand in read(log):
        assert isinstance(hand, Hand)
        replay(hand)


def reported(log: bytes) -> None:
    """Read a log, judge the hand and make its report with the digests."""
    for hand in read(log):
        assert isinstance(hand, Hand)
        hand_report(hand, for_hand(hand.record), replay(hand))


def nanoseconds(work: Callable[[bytes], None], log: bytes) -> int:
    """Return the CPU time that some work takes over one log."""
    began = time.process_time_ns()
    work(log)
    return time.process_time_ns() - began


def main() -> int:
    """Time the three in turn, hand by hand, and print the mean of each hand's least."""
    wanted = arguments(__doc__ or "", rounds=40)
    rounds = wanted.rounds
    logs = logged_hands()
    works = (parsed, audited, reported)
    gc.collect()
    gc.freeze()  # what was loaded before is no part of any work
    times: dict[Callable[[bytes], None], list[list[int]]] = {
        work: [[] for _ in logs] for work in works
    }
    for _ in range(rounds):
        for at, log in enumerate(logs):
            for work in works:
                times[work][at].append(nanoseconds(work, log))
    least = {work: sum(map(min, times[work])) for work in works}
    middle = {work: sum(map(statistics.median, times[work])) for work in works}
    lines = [f"{len(logs)} hands of about 60 events, {rounds} rounds; microseconds of CPU a hand"]
    for work in works:
        a_hand = [f"{each[work] / len(logs) / 1e3:.0f}" for each in (least, middle)]
        ratio = least[work] / least[parsed]
        lines.append(
            f"  {work.__name__:9} {a_hand[0]:>5} (median {a_hand[1]}) {ratio:6.1f} × parsing"
        )
    ratio = least[audited] / least[parsed]
    if not wanted.json:
        print("\n".join(lines))
    own = least[audited] / len(logs) / 1e3
    detail = f"{own:.0f} microseconds a hand, {rounds} rounds over {len(logs)} hands"
    name = "read and audit of an Indian hand against orjson.loads"
    return tell(Row(name, ratio, TARGET, 5, "x", detail, less=True), as_json=wanted.json)


if __name__ == "__main__":
    sys.exit(main())
