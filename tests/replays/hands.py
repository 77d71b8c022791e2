"""Hands for the tests of what is stored: short ones, written as a scorekeeper would."""

SHOWN = """\
wild 7D
declare 1 4H 5H 6H 7H | 8S 9S TS | 9H 9D 9C | KD KS KH / QC
show 2 2H 3H 4H + 9S JD QD KD 2C 8H 9C 3S TD 4C
score 1=0 2=80 winner=1
end
"""


def hand(name="T4-17", *, event="", lines=SHOWN, names=("Asha", "Bilal"), head="") -> bytes:
    """A hand in text form; ``head`` goes into its first line."""
    first = f"hand {name} rhl=1 ruleset=indian-13 detail=shown"
    first += f" event={event}" if event else ""
    players = "".join(f"player {seat} {name}\n" for seat, name in enumerate(names, 1))
    return f"{first} {head}\n{players}{lines}".encode()


def hands(count, *, prefix="H") -> bytes:
    """Many hands with the same cards and names of their own."""
    return b"\n".join(hand(f"{prefix}-{number}") for number in range(count))
