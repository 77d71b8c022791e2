"""Hands of tile rummy for tests, in the text form of a log, and what is found in them."""

import itertools

from rummy_audit.rhl.read import read
from rummy_audit.rules.replay import replay

_numbers = itertools.count(1)


def log(
    lines,
    *,
    ruleset="tile-easy",
    detail="table",
    seats=(1, 2),
    rules="",
    head="",
    match="",
    deals=True,
):
    """Return the one hand of a log; without deals of its own each seat gets 14 unseen tiles."""
    dealt = any(line.startswith("deal ") for line in lines.splitlines())
    if deals and not dealt and detail in ("full", "table"):
        lines = "\n".join([*(f"deal {seat} x14" for seat in seats), lines.strip()])
    top = [f"hand t{next(_numbers)} rhl=1 ruleset={ruleset} detail={detail} {head}".strip()]
    top += [f"player {seat}" for seat in seats]
    top += [f"match {match}"] if match else []
    top += [f"rules {rules}"] if rules else []
    (hand,) = read("\n".join([*top, *lines.strip().splitlines()]).encode())
    return hand


def audit(lines, **about):
    """Return the replay of a hand written so."""
    return replay(log(lines, **about))


def codes(found, *, notes=False):
    """Return code, event and seat of everything found but notes; ``notes``: of those."""
    return [
        (each.code, each.seq, each.seat)
        for each in found.findings
        if (each.severity == "note") is notes
    ]


def found_in(lines, **about):
    """Return code, event and seat of everything found in a hand but notes."""
    return codes(audit(lines, **about))
