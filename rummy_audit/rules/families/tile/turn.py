"""What a play does to the table: which melds were changed, what came from the hand.

Two tables are compared as they lie. Melds that only lie in another order are the
same melds; copies of a tile are not told apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rummy_audit.rhl.records import JOKER, UNKNOWN, Play
from rummy_audit.rules.families.tile.melds import MeldRules, shape
from rummy_audit.rules.families.tile.table import Meld, Melds, TileTable, Turn
from rummy_audit.rules.findings import Finding


def read_turn(table: TileTable, event: Play) -> Turn:
    """Return what a play does to the table; read once an event."""
    turn = table.reading
    if turn is None or turn.event is not event:
        turn = table.reading = _read(table, event)
    return turn


def _read(table: TileTable, event: Play) -> Turn:
    before, after = table.melds, tuple(filter(None, event.table))
    old, new = changed(before, after)
    gone, come = relaid(old, new, table.settings.melds)
    added, taken = _differ(come, gone)
    return Turn(
        event=event,
        before=before,
        after=after,
        old=old,
        new=new,
        gone=gone,
        come=come,
        added=added,
        taken=taken,
        unseen=any(UNKNOWN in meld for meld in (*gone, *come)),
        stop=_stop(table, event, added),
    )


def _differ(these: Melds, those: Melds) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tiles that only some melds have, and those that only others have."""
    rest = [tile for meld in those for tile in meld]
    more = []
    for meld in these:
        for tile in meld:
            if tile in rest:
                rest.remove(tile)
            else:
                more.append(tile)
    return tuple(more), tuple(rest)


def changed(before: Melds, after: Melds) -> tuple[Melds, Melds]:
    """Return the melds that do not lie as before, and those that lie there now.

    >>> changed((("R1", "R2", "R3"), ("B7", "K7", "R7")), (("K7", "B7", "R7"),))
    ((('R1', 'R2', 'R3'), ('B7', 'K7', 'R7')), (('K7', 'B7', 'R7'),))
    """
    was, now = set(before), set(after)
    if len(was) == len(before) and len(now) == len(after):
        return (
            tuple([meld for meld in before if meld not in now]),
            tuple([meld for meld in after if meld not in was]),
        )
    left: dict[Meld, int] = {}
    for meld in before:
        left[meld] = left.get(meld, 0) + 1
    come: list[Meld] = []
    for meld in after:
        if left.get(meld):
            left[meld] -= 1
        else:
            come.append(meld)
    return tuple(meld for meld, count in left.items() for _ in range(count)), tuple(come)


def relaid(old: Melds, new: Melds, rules: MeldRules) -> tuple[Melds, Melds]:
    """Leave out the melds that only lie in another order.

    >>> relaid((("R1", "R2", "R3"), ("B7", "K7", "R7")), (("K7", "B7", "R7"),), MeldRules())
    ((('R1', 'R2', 'R3'),), ())
    """
    if not old or not new:
        return old, new
    lying: dict[object, list[int]] = {}
    for index, meld in enumerate(old):
        lying.setdefault(shape(meld, rules), []).append(index)
    same: set[int] = set()
    come = []
    for meld in new:
        twins = lying.get(shape(meld, rules))
        if twins:
            same.add(twins.pop(0))
        else:
            come.append(meld)
    return tuple(meld for index, meld in enumerate(old) if index not in same), tuple(come)


def _stop(table: TileTable, event: Play, added: Sequence[str]) -> Finding | None:
    """Say why the tiles cannot have come from the hand; None where they can."""
    hand, seat = table.hand(event.seat), event.seat
    unseen = 0
    for tile in dict.fromkeys(added):
        count = added.count(tile)
        if tile == UNKNOWN:
            unseen += count
            continue
        copies = table.pack.get(tile)
        if copies is None:
            return table.found("card-not-in-deck", event, seat=seat, card=tile)
        more = count - hand.known.get(tile, 0)
        if more <= 0:
            continue
        unseen += more
        if unseen > hand.unknown:
            return table.found("card-not-held", event, seat=seat, card=tile)
        known = table.seen.get(tile, 0) + more
        if known > copies:
            return table.found(
                "too-many-copies", event, seat=seat, card=tile, recorded=known, expected=copies
            )
    return None


def put_in_place(old: Melds, new: Melds, rules: MeldRules) -> tuple[Melds, Melds]:
    """Return the changed melds, and such as were alike and show a tile in a joker's very place.

    In what order a meld is written says nothing, but for this: of two sets alike the one that
    has the tile where a joker lay is the joker's.

    >>> put_in_place((("R6", "K6", "JK"), ("R6", "B6", "K6")), (("R6", "K6", "B6"),), MeldRules())
    ((('R6', 'K6', 'JK'), ('R6', 'B6', 'K6')), (('R6', 'K6', 'B6'),))
    """
    gone, come = relaid(old, new, rules)
    alike = [*(Counter(old) - Counter(gone)).elements()]
    for meld in (Counter(new) - Counter(come)).elements():
        if any(_with_its_tile(jokers, meld) for jokers in gone):
            twin = next(each for each in alike if shape(each, rules) == shape(meld, rules))
            alike.remove(twin)
            gone, come = (*gone, twin), (*come, meld)
    return gone, come


def _with_its_tile(old: Meld, new: Meld) -> bool:
    """Whether a meld is an old one, tile for tile, but for what a joker stood for."""
    return (
        len(old) == len(new)
        and old != new
        and all(was in (tile, JOKER) for was, tile in zip(old, new, strict=True))
    )


def moved_of_table(gone: Melds, come: Melds, added: Counter[str]) -> Counter[str]:
    """Count the tiles of the table that lie with others than before, in whatever order written.

    Of two melds that a changed one shares as many tiles with either may be the one it goes on
    from.

    >>> one, other = ("R1", "R2", "R3"), ("R4", "R5", "R6")
    >>> moved_of_table((one, other), ((*one, *other),), Counter()).total()
    6
    """
    gone, come = tuple(sorted(gone)), tuple(sorted(come))
    one_way, other_way = _moved(gone, come), _moved(gone[::-1], come[::-1])
    return (one_way - added) | (other_way - added)


def _moved(gone: Melds, come: Melds) -> Counter[str]:
    return Counter(
        meld[index]
        for meld, places in zip(come, moved_tiles(gone, come), strict=True)
        for index in places
    )


def moved_tiles(gone: Sequence[Meld], come: Sequence[Meld]) -> list[tuple[int, ...]]:
    """Return for each changed meld the places of tiles that came to it in this turn.

    A changed meld goes on from the old one that it shares most tiles with.

    >>> moved_tiles([("R4", "R5", "R6")], [("R4", "R5", "R6", "R7")])
    [(3,)]
    """
    where: dict[str, list[int]] = {}
    for i, meld in enumerate(gone):
        for tile in meld:
            where.setdefault(tile, []).append(i)
    shares = {(i, j) for j, meld in enumerate(come) for tile in meld for i in where.get(tile, ())}
    pairs = sorted((-(Counter(gone[i]) & Counter(come[j])).total(), i, j) for i, j in shares)
    from_: dict[int, int] = {}
    used: set[int] = set()
    for _, i, j in pairs:
        if j not in from_ and i not in used:
            from_[j] = i
            used.add(i)
    return [_beside(new, gone[from_[j]] if j in from_ else ()) for j, new in enumerate(come)]


def _beside(new: Meld, old: Iterable[str]) -> tuple[int, ...]:
    stayed = Counter(old)
    moved = []
    for index, tile in enumerate(new):
        if stayed[tile]:
            stayed[tile] -= 1
        else:
            moved.append(index)
    return tuple(moved)
