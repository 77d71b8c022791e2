"""Read and audit the gin hands that OpenSpiel played, against OpenSpiel replaying them.

Both do the same hands in one run, each counted in seconds of CPU of this process:

    python benchmarks/engine_gin.py [--rounds 7] [--json]

OpenSpiel applies the actions that were worked out from the logs beforehand. Here
the bytes are read and every event is judged; the report with its chain of digests,
of which OpenSpiel has no like, is counted apart. The target is 10 times OpenSpiel's
hands a second for reading and auditing, the aim 20 times.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyspiel

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.rows import Row, arguments, tell
from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import Discard, Draw, Hand, Knock, Layoff, Pass, Show, Upcard
from rummy_audit.rules.replay import replay
from rummy_audit.rules.report import hand_report
from rummy_audit.rules.rulesets import for_hand

HANDS = Path(__file__).resolve().parents[1] / "tests" / "corpus" / "gin" / "openspiel.rhl.jsonl"
TARGET = 10

CARDS = [rank + suit for suit in "SCDH" for rank in "A23456789TJQK"]
NUMBER = {card: number for number, card in enumerate(CARDS)}
UPCARD, STOCK, PASS, KNOCK = 52, 53, 54, 55

Game = pyspiel.Game


def game_of(hand: Hand) -> Game:
    """Return OpenSpiel's game with the parameters that the hand was played by."""
    rules = for_hand(hand.record)
    return pyspiel.load_game(
        "gin_rummy",
        {
            "knock_card": rules.number("knock_max"),
            "gin_bonus": rules.number("gin_bonus"),
            "undercut_bonus": rules.number("undercut_bonus"),
        },
    )


def melds(game: Game) -> dict[frozenset[str], int]:
    """Return OpenSpiel's number for every meld."""
    state = game.new_initial_state()
    names = {action: state.action_to_string(0, action) for action in range(56, 241)}
    return {
        frozenset(
            name[at].upper() + name[at + 1].upper()
            for name in [text.rpartition(" ")[2]]
            for at in range(0, len(name), 2)
        ): action
        for action, text in names.items()
    }


def actions_of(hand: Hand, game: Game, meld_number: dict[frozenset[str], int]) -> list[int]:
    """Work out the actions of a hand: what the log says, and the passes OpenSpiel asks for."""
    state = game.new_initial_state()
    done: list[int] = []

    def take(action: int) -> None:
        if not state.is_terminal():
            state.apply_action(action)
            done.append(action)

    def give(cards: tuple[str, ...]) -> None:
        for card in cards:
            take(NUMBER[card])

    deals = [event for event in hand.events if type(event).__name__ == "Deal"]
    for deal in sorted(deals, key=lambda deal: deal.seat):
        give(deal.cards)
    for event in hand.events:
        match event:
            case Upcard(card=card):
                take(NUMBER[card])
            case Pass():
                take(PASS)
            case Draw(from_="discard"):
                if UPCARD in state.legal_actions():  # at the wall the knock takes it
                    take(UPCARD)
            case Draw(card=str(card)):
                take(STOCK)
                if state.is_chance_node():
                    take(NUMBER[card])
            case Discard(card=card):
                take(NUMBER[card])
            case Knock(groups=groups, discard=str(discard)):
                take(KNOCK)
                take(NUMBER[discard])
                for group in groups:
                    take(meld_number[frozenset(group)])
                take(PASS)
            case Layoff(cards=cards):
                give(cards)
            case Show(groups=groups):
                if PASS in state.legal_actions() and "Layoff" in str(state):
                    take(PASS)
                for group in groups or ():
                    take(meld_number[frozenset(group)])
                take(PASS)
    return done


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds that some work takes in this process."""
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> int:
    """Run both in turn, and print hands a CPU-second and the ratio."""
    wanted = arguments(__doc__ or "", rounds=7)
    rounds = wanted.rounds
    data = HANDS.read_bytes()
    hands = [hand for hand in read(data) if isinstance(hand, Hand)]
    numbers = melds(pyspiel.load_game("gin_rummy"))
    played = []
    for hand in hands:
        game = game_of(hand)
        played.append((game, actions_of(hand, game, numbers)))

    def peer() -> None:
        for game, actions in played:
            state = game.new_initial_state()
            for action in actions:
                state.apply_action(action)

    def audit() -> None:
        for hand in read(data):
            replay(hand, for_hand(hand.record))

    def report() -> None:
        for hand in read(data):
            rules = for_hand(hand.record)
            hand_report(hand, rules, replay(hand, rules))

    works = (peer, audit, report)
    times = [[seconds(work) for work in works] for _ in range(rounds + 1)][1:]
    theirs, own, whole = map(min, zip(*times, strict=True))
    count, ratio = len(hands), theirs / own
    acts = sum(len(actions) for _, actions in played) / count
    events = sum(len(hand.events) for hand in hands) / count
    if not wanted.json:
        print(f"{count} hands, {events:.0f} events or {acts:.0f} actions a hand, best of {rounds}")
        print("                              hands a CPU-second   times OpenSpiel")
        for what, spent in (("OpenSpiel, replay", theirs), ("read and full audit", own)):
            print(f"{what:<36} {count / spent:11.0f} {theirs / spent:17.1f}")
        print(
            f"{'read, audit, report with digests':<36} {count / whole:11.0f}{theirs / whole:18.1f}"
        )
    name = "read and audit of gin hands against OpenSpiel's replay"
    detail = f"{count / own:,.0f} hands a CPU-second, OpenSpiel {count / theirs:,.0f}"
    row = Row(name, ratio, TARGET, 2 * TARGET, "x", detail)
    return tell(row, as_json=wanted.json)


if __name__ == "__main__":
    sys.exit(main())
