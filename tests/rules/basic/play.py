"""Hands of basic rummy for tests, in the text form of a log, and what is found in them."""

import itertools

from rummy_audit.rhl.read import read
from rummy_audit.rules.replay import replay

_numbers = itertools.count(1)


def log(lines, *, ruleset="basic", detail="full", seats=(1, 2), dealer=1, rules="", match=""):
    """Return the one hand of a log, written line by line under a head for these seats."""
    head = [f"hand t{next(_numbers)} rhl=1 ruleset={ruleset} detail={detail}"]
    if dealer:
        head[0] += f" dealer={dealer}"
    head += [f"player {seat}" for seat in seats]
    head += [f"match {match}"] if match else []
    head += [f"rules {rules}"] if rules else []
    (hand,) = read("\n".join([*head, *lines.strip().splitlines()]).encode())
    return hand


def audit(lines, **about):
    """Return the replay of a hand written so."""
    return replay(log(lines, **about))


def codes(found):
    """Return code, event and seat of everything found but notes."""
    return [(each.code, each.seq, each.seat) for each in found.findings if each.severity != "note"]


def found_in(lines, **about):
    """Return code, event and seat of everything found in a hand but notes."""
    return codes(audit(lines, **about))
