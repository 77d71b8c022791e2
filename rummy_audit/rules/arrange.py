"""The best arrangement of a hand of Indian rummy, exactly.

What a loser is charged least, by the parameters of the ruleset, and whether the
cards can be declared.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rummy_audit.rhl.cards_text import JOKER
from rummy_audit.rules.candidates import Candidate, tables
from rummy_audit.rules.groups import GroupRules
from rummy_audit.rules.lay_all import LayAll
from rummy_audit.rules.planes import MOST_CARDS
from rummy_audit.rules.search import Cards, Path, TooHard, cheapest

__all__ = [
    "MOST_CARDS",
    "ArrangeRules",
    "Arrangement",
    "TooHard",
    "arrange",
    "can_declare",
    "least_points",
]


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
Laid = tuple[Candidate, bool]  # a group, and whether it has to stay pure


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
    budget; KeyError for a face that no pack has.

    >>> rules = ArrangeRules(groups=GroupRules(ace="high-or-low", jokers=True))
    >>> hand = "2H 3H 4H 5C 6C QD 8D 8S 5C 2D 2C KS QS".split()
    >>> best = arrange(hand, rules, "Q")
    >>> best.points, best.declarable
    (19, False)
    """
    held = _lay_out(cards, rules, wild)
    points, taken, grouped = _least(held, rules, below=None)
    best = Arrangement(*_lay(held.cards, taken, wild), points)
    if len(cards) != rules.hand_size:
        return best
    if grouped and not best.loose and rules.sets_count:
        return msgspec.structs.replace(best, declaration=best.groups)
    if best.points and rules.sets_count:
        return best
    return msgspec.structs.replace(best, declaration=_declaration(held, rules, wild))


def least_points(
    cards: Sequence[str], rules: ArrangeRules, wild: str | None = None, *, below: int | None = None
) -> Arrangement | None:
    """Arrange cards for the least points, quicker than ``arrange``: no declaration is sought.

    None if nothing costs less than ``below``. Raises as ``arrange``.
    """
    held = _lay_out(cards, rules, wild)
    points, taken, _ = _least(held, rules, below=below)
    if below is not None and points >= below:
        return None
    return Arrangement(*_lay(held.cards, taken, wild), points)


def can_declare(cards: Sequence[str], rules: ArrangeRules, wild: str | None = None) -> bool:
    """Whether all cards can be laid in groups as a declaration needs; raises as ``arrange``."""
    if len(cards) != rules.hand_size:
        return False
    return _declaration(_lay_out(cards, rules, wild), rules, wild) is not None


def _lay_out(cards: Sequence[str], rules: ArrangeRules, wild: str | None) -> Cards:
    if len(cards) > MOST_CARDS:
        raise TooHard(f"{len(cards)} cards, at most {MOST_CARDS}")
    return Cards(cards, tables(rules.groups, rules.values), wild)


def _least(
    held: Cards, rules: ArrangeRules, *, below: int | None
) -> tuple[int, Sequence[Laid], bool]:
    """Return the least points, the groups for them, and whether the sequences needed are there.

    Nothing is sought that does not cost less than ``below``.
    """
    sequences, pure = rules.sequences_min, rules.pure_min
    points, spared = _without_lives(held, rules)
    taken: Sequence[Laid] = [(spared, True)] if spared else ()
    grouped = False
    limit = points if below is None else min(points, below)
    held.sets = rules.sets_count
    found = cheapest(held, sequences=sequences, pure=pure, below=limit)
    if found is not None:
        points, taken, grouped = found.points, _taken(found.path, pure), True
    return points, taken, grouped


def _declaration(held: Cards, rules: ArrangeRules, wild: str | None) -> Groups | None:
    """Lay all cards in groups as a declaration needs them, or return None."""
    if rules.pure_min and not held.may_be_pure(held.state):
        return None
    held.sets = True
    laid = LayAll(held, sequences=rules.sequences_min, pure=rules.pure_min).found
    return _lay(held.cards, laid, wild)[0] if laid else None


def _taken(path: Path, pure: int) -> list[Laid]:
    """Return the groups of a path, and which of them have to stay pure."""
    taken: list[Laid] = []
    while path:
        each, path = path
        taken.append((each, each.pure and pure > 0))
        pure -= each.pure
    return taken


def _without_lives(held: Cards, rules: ArrangeRules) -> tuple[int, Candidate | None]:
    """Count a loser's cards without the sequences needed, and name the run that is spared."""
    if rules.flat and rules.cap is not None:
        return rules.cap, None
    points: int = held.total
    spared: Candidate | None = None
    if rules.spare_pure:
        for run in held.tables.long_runs(held.state, held.wild):
            left = held.total - held.tables.worth(run.bits)
            if left < points:
                points, spared = left, run
    if rules.cap is not None and points >= rules.cap:
        return rules.cap, None
    return points, spared


def _lay(
    cards: Sequence[str], taken: Sequence[Laid], wild: str | None
) -> tuple[Groups, tuple[str, ...]]:
    """Lay the cards out: jokers in the places left for them, more where there is room.

    A group that has to stay pure takes in no more.
    """
    if not taken:
        return (), tuple(cards)
    left = list(cards)
    for each, _ in taken:
        for face in each.faces:
            left.remove(face)
    jokers = [card for card in left if card[0] == wild or card == JOKER]
    if len(jokers) > 1:
        jokers.sort(key=lambda card: (card == JOKER, card))  # printed ones are taken first
    laid = [
        tuple([jokers.pop() if face is None else face for face in each.slots]) for each, _ in taken
    ]
    for index, (each, pure) in enumerate(taken if jokers else ()):
        if not pure and each.room:
            more = [jokers.pop() for _ in range(min(each.room, len(jokers)))]
            laid[index] += tuple(more)
    loose = [card for card in left if card[0] != wild and card != JOKER]
    return tuple(laid), (*loose, *jokers)
