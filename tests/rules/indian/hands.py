"""Hands of Indian rummy in a few lines: one deal that all tests share, and what is said of it.

Seat 1 needs 5D to declare; the wild joker is a seven, and nobody was dealt one.
"""

from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import Hand
from rummy_audit.rules.matches import Deal
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import for_hand
from rummy_audit.rules.view import Replay

DEALT = {
    1: "4H 5H 6H 8S 9S TS 9H 9D 9C 2D 3D 4D KC",
    2: "4S 5S 6S JD QD KD 2C 8H 9C 3S TD 4C AS",
    3: "2H 3H JS KH QC TC 6C 8D AH AD 5C 6D JC",
    4: "KS KD QS QH JH TH 3C 3D 2S 8C 6S 4C AC",
    5: "QS QH JC TC 9S 8H 8D 6C 5S 3H 2H 2C AS",
    6: "AH AC JS JH QD QC TH TS 5D 5C 3S 3C 2S",
}

# Jokers first: thrown, they stay where they lie.
FREE = "7S 7S 7D 7D 7C 7C 7H QH QH QS QS JH JH TH TH 3C 3C AC AC KD"

RIGHT = "declare 1 4H 5H 6H | 8S 9S TS | 9H 9D 9C | 2D 3D 4D 5D / KC"
WRONG = "declare 1 4H 5H 6H | 8S 9S TS | 9H 9D 9C | 2D 3D 4D KC / 5D"
SHOWN = {
    2: "show 2 3S 4S 5S 6S | TD JD QD KD + 2C 8H 9C 4C AS",  # 33
    3: "show 3 AH 2H 3H | TC JC QC + JS KH 6C 8D AD 5C 6D",  # 55
}
WON = f"draw 1 stock 5D\n{RIGHT}\n"
BOTH = f"{SHOWN[2]}\n{SHOWN[3]}\n"


def log(
    body: str,
    *,
    players: int = 3,
    seats: tuple[int, ...] | None = None,
    dealer: int | None = 0,
    detail: str = "full",
    ruleset: str = "indian-13",
    rules: str = "",
    match: str = "",
    start: str | None = None,
    end: str = "end",
) -> bytes:
    """Write a hand: the deal (unless ``start`` says otherwise), then the lines of the body.

    The dealer is the last seat, so the first one begins; None leaves the dealer out.
    """
    order = seats or tuple(range(1, players + 1))
    by = "" if dealer is None else f" dealer={dealer or order[-1]}"
    lines = [f"hand H1 rhl=1 ruleset={ruleset} detail={detail}{by}"]
    lines += [f"player {seat}" for seat in order]
    lines += [f"match {match}"] * bool(match) + [f"rules {rules}"] * bool(rules)
    if start is None:
        lines += [dealt(seat, detail) for seat in order] + ["upcard KS", "wild 7H"]
        if detail in ("shown", "scores"):
            lines = [*lines[: -len(order) - 2], "wild 7H"]
    else:
        lines += start.strip().splitlines()
    lines += _filled(body.strip().splitlines())
    if detail == "table":
        lines = [
            " ".join(line.split()[:3]) if line.startswith("draw") and "stock" in line else line
            for line in lines
        ]
    return "\n".join([*lines, end]).encode()


def dealt(seat: int, detail: str = "full") -> str:
    """Return the line that deals a seat its cards."""
    return f"deal {seat} {DEALT[seat] if detail == 'full' else 'x13'}"


def hand(body: str, **settings: object) -> Hand:
    """Read a hand written by ``log``; a log that cannot be read fails the test."""
    found = next(read(log(body, **settings)))
    assert isinstance(found, Hand), found
    return found


def judged(body: str, **settings: object) -> Replay:
    """Replay a hand written by ``log``."""
    return replay(hand(body, **settings))


def scored(score: str, shows: str = BOTH, **settings: object) -> Replay:
    """Judge the hand that seat 1 won at the first draw, with this score."""
    return judged(f"{WON}{shows}{score}", **settings)


def said(result: Replay) -> list[str]:
    """Return what was found, each as code, event and seat; notes are marked as such."""
    return [
        f"{each.code} {each.seq}"
        + (f"/{each.seat}" if each.seat else "")
        + (" note" if each.severity == "note" else "")
        for each in result.findings
    ]


def found(body: str, **settings: object) -> list[str]:
    """Return what is found in a hand written by ``log``."""
    return said(judged(body, **settings))


def not_run(result: Replay) -> dict[str, str]:
    """Return the checks that could not run, each with its reason."""
    return {each.check: each.why for each in result.not_run}


def turns(*seats: int) -> str:
    """Return quiet turns, one of each seat in the order given: a card drawn and thrown again.

    ``*`` is a card that no test names otherwise; ``log`` says which.
    """
    return "\n".join(f"draw {seat} stock *\ndiscard {seat} *" for seat in seats)


def _filled(lines: list[str]) -> list[str]:
    """Put the next free card in the place of each drawn ``*``, and the same in its discard."""
    cards = iter(FREE.split())
    card = ""
    filled = []
    for line in lines:
        if line.startswith("draw") and line.endswith("*"):
            card = next(cards)
        filled.append(line.replace("*", card) if line.endswith("*") else line)
    return filled


def deals(data):
    """Return the hands of a log as deals of their matches."""
    hands = list(read(data))
    assert all(isinstance(hand, Hand) for hand in hands), hands
    return [Deal(hand, for_hand(hand.record), replay(hand)) for hand in hands]
