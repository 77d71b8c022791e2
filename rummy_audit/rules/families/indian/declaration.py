"""Judging a declaration as a whole: its groups, the sequences it needs, its cards.

001 Declaration Rules: all cards in valid groups, at least two sequences, at
least one of them pure. Whether the table took it as right is judged elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from rummy_audit.rules.findings import Finding
from rummy_audit.rules.groups import Reading
from rummy_audit.rules.rulesets import Ruleset

Groups = Sequence[Sequence[str]]


class Claim(msgspec.Struct, frozen=True):
    """Groups and loose cards as a player named them, each card counted once.

    ``repeated`` names a card that stands in a second place although the player
    holds too few copies, with the number of that group (0: among the loose
    ones); it has been left out there. ``unheld`` names cards the player cannot
    have at all; they stay where they were named.
    """

    groups: tuple[tuple[str, ...], ...]
    loose: tuple[str, ...]
    repeated: tuple[tuple[str, int], ...] = ()
    unheld: tuple[str, ...] = ()


class Declaration(msgspec.Struct, frozen=True):
    """A declaration judged.

    ``right``: it stands under the ruleset (``judge_declarer``); ``as_declared``
    and ``at_best`` are the two answers that it chooses from. ``findings`` are the
    reasons in the order a referee asks, then ``wrong-declaration``; empty when it
    stands.
    """

    right: bool
    as_declared: bool
    at_best: bool
    claim: Claim
    readings: tuple[Reading, ...]
    findings: tuple[Finding, ...]


def read_claim(
    groups: Groups, loose: Sequence[str] = (), copies: Mapping[str, int] | None = None
) -> Claim:
    """Count each card of a declaration or show once.

    ``copies``: the most copies of each face that the player can have (a face
    left out: none); None: as many as are named.
    """
    raise NotImplementedError


def judge_declaration(
    groups: Groups,
    *,
    rules: Ruleset,
    wild: str | None,
    loose: Sequence[str] = (),
    copies: Mapping[str, int] | None = None,
    because: Sequence[Finding] = (),
    seq: int = 0,
    seat: int | None = None,
) -> Declaration:
    """Judge a declaration by its groups; ``wild`` is the wild rank (``law.wild_rank``).

    ``copies`` as in ``read_claim``. ``because`` holds what else is wrong with it
    at this event (``declare-without-draw``): it does not stand then, whatever
    its groups. A card that cannot be held is ``card-not-held``, judged as named;
    the declaration does not stand either.
    """
    raise NotImplementedError
