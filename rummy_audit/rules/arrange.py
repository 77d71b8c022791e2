"""The best arrangement of a hand of Indian rummy, exactly.

What a loser is charged least, by the parameters of the ruleset, and whether the
cards can be declared.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rummy_audit.rhl.cards_text import JOKER
from rummy_audit.rules.candidates import BIT, MOST_CARDS, Candidate, tables
from rummy_audit.rules.groups import GroupRules
from rummy_audit.rules.search import Cards, TooHard, cheapest, lay_all

__all__ = ["MOST_CARDS", "ArrangeRules", "Arrangement", "TooHard", "arrange"]


class ArrangeRules(msgspec.Struct, frozen=True, kw_only=True):
    """By what the best arrangement of a loser's hand is sought.

    ``values`` names what cards count (``card_points``). ``sets_count``: with the
    sequences a declaration needs, sets are spared too. ``flat``: without them the
    cap is charged, else all cards; ``spare_pure``: all but those of a lone pure
    sequence.
    """

    groups: GroupRules
    values: str = "ace-ten"
    hand_size: int = 13
    sequences_min: int = 2
    pure_min: int = 1
    cap: int | None = 80
    sets_count: bool = True
    flat: bool = False
    spare_pure: bool = False


Groups = tuple[tuple[str, ...], ...]


class Arrangement(msgspec.Struct, frozen=True):
    """The best arrangement of some cards.

    ``points``: the least a loser can be charged for them, with ``groups`` laid
    and ``loose`` left; where no arrangement spares a card, no group is named.
    ``declaration``: all cards in groups as a declaration needs them, if they are
    as many as a hand holds and can be laid so.
    """

    groups: Groups
    loose: tuple[str, ...]
    points: int
    declaration: Groups | None = None

    @property
    def declarable(self) -> bool:
        """Whether the cards can be declared."""
        return self.declaration is not None


def arrange(cards: Sequence[str], rules: ArrangeRules, wild: str | None = None) -> Arrangement:
    """Arrange cards for the least points a loser can be charged for them.

    Raises TooHard for more than 40 cards, or where the search goes over its
    budget; ValueError for a face that no deck has.

    >>> rules = ArrangeRules(groups=GroupRules(ace="high-or-low", jokers=True))
    >>> hand = "2H 3H 4H 5C 6C QD 8D 8S 5C 2D 2C KS QS".split()
    >>> best = arrange(hand, rules, "Q")
    >>> best.points, best.declarable
    (19, False)
    """
    if len(cards) > MOST_CARDS:
        raise TooHard(f"{len(cards)} cards, at most {MOST_CARDS}")
    for card in cards:
        if card not in BIT and card != JOKER:
            raise ValueError(card)
    held = Cards(cards, tables(rules.groups, rules.values, wild))
    points, pure_run = _without_lives(held, rules)
    if rules.sets_count:
        held.with_sets()
    sequences, pure = rules.sequences_min, rules.pure_min
    found = cheapest(held, sequences=sequences, pure=pure, below=points)
    taken: list[Candidate] = []
    if found:
        points, path = found
        while path:
            taken.append(path[0])
            path = path[1]
        taken.reverse()  # the pure sequences needed were taken first
    elif pure_run:
        taken.append(pure_run)
    kept = [index < pure or not found for index in range(len(taken))]
    groups, loose = _lay(cards, taken, kept, wild)
    declaration: Groups | None = None
    if len(cards) == rules.hand_size:
        if found and not loose and rules.sets_count:
            declaration = groups
        elif not points or not rules.sets_count:
            held.with_sets()
            laid = lay_all(held, sequences=sequences, pure=pure)
            declaration = _lay(cards, laid.groups, laid.kept, wild)[0] if laid else None
    return Arrangement(groups, loose, points, declaration)


def _without_lives(held: Cards, rules: ArrangeRules) -> tuple[int, Candidate | None]:
    """Count a loser's cards without the sequences needed, and name the run that is spared."""
    if rules.flat and rules.cap is not None:
        return rules.cap, None
    points: int = held.total
    spared: Candidate | None = None
    if rules.spare_pure:
        for run in held.tables.long_runs(held.state):
            left = held.total - held.tables.worth(run.bits)
            if left < points:
                points, spared = left, run
    if rules.cap is not None and points >= rules.cap:
        return rules.cap, None
    return points, spared


def _lay(
    cards: Sequence[str], groups: list[Candidate], kept: list[bool], wild: str | None
) -> tuple[Groups, tuple[str, ...]]:
    """Lay the cards out: jokers in the places left for them, more where there is room.

    A group that is ``kept`` pure takes in no more.
    """
    if not groups:
        return (), tuple(cards)
    left = list(cards)
    for each in groups:
        for face in each.slots:
            if face is not None:
                left.remove(face)
    jokers = [card for card in left if card == JOKER]
    jokers += [card for card in left if card[0] == wild and card != JOKER]
    laid = [[face if face is not None else jokers.pop(0) for face in each.slots] for each in groups]
    for each, group, keep in zip(groups, laid, kept, strict=True):
        room = 0 if keep else min(each.room, len(jokers))
        group.extend(jokers[:room])
        del jokers[:room]
    loose = list(cards)
    for group in laid:
        for card in group:
            loose.remove(card)
    return tuple(tuple(group) for group in laid), tuple(loose)
