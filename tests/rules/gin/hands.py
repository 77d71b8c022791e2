"""Hands of gin in a few lines: the rulebook's example deal, and what is found in a log.

Seat 2 deals. Seat 1 holds 7-7-7 and J-Q-K of spades with 8 points beside them, as
the knocker of 003 Knocking does once the 5 of spades is thrown; seat 2 holds the
opponent's hand: K-K-K, the 10 of spades, and 32 points.
"""

from rummy_audit.rhl.read import read
from rummy_audit.rhl.records import Hand
from rummy_audit.rules.cards import pack
from rummy_audit.rules.replay import replay
from rummy_audit.rules.view import Replay

DEALT = {
    1: "7S 7H 7D JS QS KS AH 2H 2D 3C",
    2: "KH KD KC TS TH 8C 6D 5C 2C AD",
}
UPCARD = "9H"
DEAL = f"deal 1 {DEALT[1]}\ndeal 2 {DEALT[2]}"

# Events 1 to 5; seat 1 is next to draw, at event 6.
REFUSED = f"{DEAL}\nupcard {UPCARD}\npass 1\npass 2\n"

KNOCK = "knock 1 7S 7H 7D | JS QS KS + AH 2H 2D 3C / 5S"
LAYOFF = "layoff 2 TS > 2"
SHOW = "show 2 KH KD KC + TH 8C 6D 5C 2C AD"
SCORE = "score 1=24 2=0 winner=1"
SHOWDOWN = f"{KNOCK}\n{LAYOFF}\n{SHOW}\n{SCORE}"

_NAMED = {*DEALT[1].split(), *DEALT[2].split(), UPCARD, "5S"}
FREE = [card for card in pack() if card not in _NAMED]


def log(
    body: str,
    *,
    start: str = REFUSED,
    seats: tuple[int, ...] = (1, 2),
    dealer: int | None = 2,
    detail: str = "full",
    rules: str = "",
    match: str = "",
    end: str = "end",
    name: str = "H1",
) -> bytes:
    """Write a hand: its head, the start (by default up to the first draw), the body, the end.

    A drawn ``*`` is a card that no hand of ``DEALT`` holds; a discarded ``*`` the same one.
    """
    by = "" if dealer is None else f" dealer={dealer}"
    lines = [f"hand {name} rhl=1 ruleset=gin detail={detail}{by}"]
    lines += [f"player {seat}" for seat in seats]
    lines += [f"match {match}"] * bool(match) + [f"rules {rules}"] * bool(rules)
    lines += _filled([*start.strip().splitlines(), *body.strip().splitlines()])
    if detail == "table":
        lines = [_as_seen(line) for line in lines]
    return "\n".join([*lines, end]).encode()


def _as_seen(line: str) -> str:
    """What a person at the table sees: no stock card, and of a deal only the number."""
    words = line.split()
    if words[0] == "draw" and words[2] == "stock":
        return " ".join(words[:3])
    if words[0] == "deal" and not words[2].startswith("x"):
        return f"deal {words[1]} x{len(words) - 2}"
    return line


def _filled(lines: list[str]) -> list[str]:
    cards, card, filled = iter(FREE), "", []
    for line in lines:
        if line.startswith("draw") and line.endswith("*"):
            card = next(cards)
        filled.append(line.replace("*", card) if line.endswith("*") else line)
    return filled


def dealt(one: str, two: str, upcard: str = UPCARD) -> str:
    """Return the start of a hand of these cards: dealt, the upcard turned and refused."""
    return f"deal 1 {one}\ndeal 2 {two}\nupcard {upcard}\npass 1\npass 2\n"


def hand(body: str, **settings: object) -> Hand:
    """Read a hand written by ``log``; a log that cannot be read fails the test."""
    found = next(read(log(body, **settings)))
    assert isinstance(found, Hand), found
    return found


def judged(body: str, **settings: object) -> Replay:
    """Replay a hand written by ``log``."""
    return replay(hand(body, **settings))


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
    """Return quiet turns, one of each seat in the order given: a card drawn and thrown again."""
    return "\n".join(f"draw {seat} stock *\ndiscard {seat} *" for seat in seats)


def to_the_wall() -> str:
    """Return quiet turns until two cards are left in the stock: 29 of them, seat 1's the last."""
    return turns(*([1, 2] * 14), 1)
