"""Melds of tiles by trying: every face in every joker's place, every way to part a rack."""

from functools import cache
from itertools import combinations, pairwise, product

COLOURS = "RBKO"
FACES = [f"{colour}{number}" for colour in COLOURS for number in range(1, 14)]
JOKER = "JK"


def number(tile):
    return int(tile[1:])


# Melds


def is_run(faces, least):
    numbers = sorted(map(number, faces))
    together = all(b - a == 1 for a, b in pairwise(numbers))
    return len(faces) >= least and len({face[0] for face in faces}) == 1 and together


def is_set(faces, least, most):
    colours = {face[0] for face in faces}
    return (
        least <= len(faces) <= most
        and len({number(face) for face in faces}) == 1
        and len(colours) == len(faces)
    )


@cache
def faces_of(meld, least=3, smallest=3, largest=4, literal=False):
    """Return every way to fill the jokers of a meld so that it stands, in its order."""
    if any(tile != JOKER and tile not in FACES for tile in meld):
        return ()
    places = [index for index, tile in enumerate(meld) if tile == JOKER]
    if len(places) == len(meld):
        return ()
    naturals = [tile for tile in meld if tile != JOKER]
    near = [
        face
        for face in FACES
        if any(face[0] == tile[0] or number(face) == number(tile) for tile in naturals)
    ]
    runs, sets, plain = [], [], []
    for fill in product(near, repeat=len(places)):
        faces = list(meld)
        for place, face in zip(places, fill, strict=True):
            faces[place] = face
        if is_run(faces, least):
            in_place = all(number(b) - number(a) == 1 for a, b in pairwise(faces))
            (plain if in_place else runs).append(tuple(faces))
        elif is_set(faces, smallest, largest):
            sets.append(tuple(faces))
    if plain:
        return tuple(plain)
    return (*(() if literal and places else runs), *sets)


def meld_rules(rules):
    return (
        rules["run_min"],
        rules["set_min"],
        rules["set_max"],
        rules["joker_position"] == "literal",
    )


def worth(meld, rules, jokers="represented"):
    if jokers == "zero":
        return sum(number(tile) for tile in meld if tile != JOKER)
    return max(sum(map(number, faces)) for faces in faces_of(meld, *meld_rules(rules)))


# The most that can be laid, by trying


def _marks(tile):
    return tile[0], tile[1:]


def most(rack, table=(), *, rules=None, by_value=False):
    """Return the most tiles of a rack, or the most value, that can lie with all of a table."""
    asked = meld_rules(rules) if rules else (3, 3, 4, False)
    tiles = [(tile, True) for tile in table] + [(tile, False) for tile in rack]
    names = list(range(len(tiles)))
    groups = {}
    # A meld is of one colour or of one number, and jokers go with any.
    for alike in (*COLOURS, *map(str, range(1, 14))):
        pool = [
            name for name in names if tiles[name][0] == JOKER or alike in _marks(tiles[name][0])
        ]
        for size in range(3, min(13, len(pool)) + 1):
            for group in combinations(pool, size):
                ways = faces_free(tuple(sorted(tiles[name][0] for name in group)), asked)
                if ways:
                    groups[frozenset(group)] = ways

    def gain(group, ways):
        if not by_value:
            return sum(not tiles[name][1] for name in group)
        own = [tiles[name][0] for name in group if not tiles[name][1]]
        plain = sum(number(tile) for tile in own if tile != JOKER)
        lying = sum(tiles[name] == (JOKER, True) for name in group)
        best = 0
        for way in ways:
            stands = sorted(map(number, way))
            best = max(best, sum(stands[lying:]))
        return plain + best if JOKER in own else plain

    must = frozenset(name for name in names if tiles[name][1])

    @cache
    def best(left):
        found = 0 if not left & must else None
        if not left:
            return 0
        first = min(left & must, default=min(left))
        if first not in must:
            found = best(left - {first})
        for group, ways in groups.items():
            if first in group and group <= left:
                rest = best(left - group)
                if rest is not None:
                    found = max(-1 if found is None else found, rest + gain(group, ways))
        return found

    return best(frozenset(names))


@cache
def faces_free(tiles, asked):
    """Return what the jokers of a meld can stand for, if its tiles may lie in any order."""
    least, smallest, largest, _ = asked
    naturals = [tile for tile in tiles if tile != JOKER]
    jokers = len(tiles) - len(naturals)
    if not naturals or (
        len({tile[0] for tile in naturals}) > 1 < len({tile[1:] for tile in naturals})
    ):
        return ()
    found = set()
    near = [f for f in FACES if any(f[0] == t[0] or number(f) == number(t) for t in naturals)]
    for fill in product(near, repeat=jokers):
        faces = [*naturals, *fill]
        if is_run(faces, least) or is_set(faces, smallest, largest):
            found.add(tuple(sorted(fill)))
    return tuple(sorted(found))


def lie(meld, asked):
    """Return a meld without the order that does not matter."""
    stands = {
        tuple(sorted(face for tile, face in zip(meld, faces, strict=True) if tile == JOKER))
        for faces in faces_of(meld, *asked)
    }
    return (tuple(sorted(meld)), tuple(sorted(stands)) if JOKER in meld else ())


def changes(before, after):
    gone, come = list(before), []
    for meld in after:
        if meld in gone:
            gone.remove(meld)
        else:
            come.append(meld)
    return gone, come


def relaid(old, new, asked):
    gone, come = list(old), list(new)
    for meld in new:
        for other in gone:
            if lie(other, asked) == lie(meld, asked):
                gone.remove(other)
                come.remove(meld)
                break
    return gone, come


def with_twins(old, new, gone, come):
    """Add melds alike of which one shows a tile in the very place of a joker."""
    old, new, gone, come = list(old), list(new), list(gone), list(come)
    lost = [meld for meld in gone if JOKER in meld]
    for melds, fewer in ((old, gone), (new, come)):
        for meld in fewer:
            melds.remove(meld)
    for meld in new:
        for jokers in lost:
            pairs = [*zip(jokers, meld, strict=False)]
            if len(pairs) == len(jokers) == len(meld) and all(a in (b, JOKER) for a, b in pairs):
                twin = next(other for other in old if sorted(other) == sorted(meld))
                old.remove(twin)
                gone.append(twin)
                come.append(meld)
                break
    return gone, come
