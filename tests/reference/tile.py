"""A second referee of tile rummy: slow, plain, and by another method.

Melds are judged by trying every face in every joker's place (``tile_melds``), turns
by writing out every explanation, hands by walking over the events once more. It
shares with the engine only the words of the rules.
"""

from collections import Counter
from itertools import combinations, permutations, product

from tests.reference.tile_melds import (
    COLOURS,
    FACES,
    JOKER,
    changes,
    faces_of,
    is_run,
    is_set,
    meld_rules,
    most,
    number,
    relaid,
    with_twins,
    worth,
)

ORDER = ["joker-not-in-new-meld", "joker-meld-locked", "joker-not-from-hand", "joker-not-replaced"]


# One turn


def tiles_of(melds):
    return Counter(tile for meld in melds for tile in meld)


def turn_codes(before, after, opened, rules, *, stock=1):
    """Return the codes of what is wrong with a play, reasons of an invalid table left out."""
    before, after = [tuple(meld) for meld in before], [tuple(meld) for meld in after]
    added, taken = tiles_of(after) - tiles_of(before), tiles_of(before) - tiles_of(after)
    asked = meld_rules(rules)
    old, new = changes(before, after)
    gone, come = relaid(old, new, asked)
    codes = []
    if taken:
        codes.append("tile-taken-to-hand")
    if not added and not taken and stock:
        codes.append("tile-draw-missing")
    bad = [meld for meld in come if not faces_of(meld, *asked)]
    if bad:
        codes.append("table-invalid")
    if not opened:
        codes += _first_play(gone, come, added, rules, bad)
    if not taken:
        codes += _jokers(*with_twins(old, new, gone, come), added, rules, after)
    return codes


def _first_play(gone, come, added, rules, bad):
    least, jokers = rules["first_play"], rules["first_play_joker"]
    at_once = rules["first_turn_table"] == "after-minimum"
    barred = jokers == "not-allowed"

    def own_reach():
        own = [tile for tile in added.elements() if tile != JOKER or not barred]
        return _own_worth(own, rules, jokers) >= least

    if gone:
        if at_once and added and own_reach():
            return []
        return ["first-play-touches-table"]
    if not added or bad:
        return []
    plain = [meld for meld in come if JOKER not in meld or not barred]
    total = sum(worth(meld, rules, jokers) for meld in plain)
    if at_once:
        return [] if total >= least or own_reach() else ["first-play-too-low"]
    return [] if total >= least and len(plain) == len(come) else ["first-play-too-low"]


def _own_worth(own, rules, jokers):
    """Return the most that melds of some tiles are worth, by trying."""
    if jokers == "zero":
        best = 0
        for held in range(own.count(JOKER) + 1):
            naturals = [tile for tile in own if tile != JOKER]
            for count in range(len(naturals) + 1):
                for some in set(combinations(sorted(naturals), count)):
                    tiles = [*some, *[JOKER] * held]
                    if tiles and most(tiles, rules=rules) == len(tiles):
                        best = max(best, sum(map(number, some)))
        return best
    return most(own, rules=rules, by_value=True)


def _spots(meld):
    return [place for place, tile in enumerate(meld) if tile == JOKER]


def _shifted(gone, come, added):
    """Return the tiles that lie with others than before, by name, as far as names can be told."""
    gone, come = sorted(gone), sorted(come)
    return (_heirs(gone, come) - added) | (_heirs(gone[::-1], come[::-1]) - added)


def _heirs(gone, come):
    left, shifted = [Counter(meld) for meld in gone], Counter()
    fits = sorted(
        (-(Counter(old) & Counter(new)).total(), i, j)
        for i, old in enumerate(gone)
        for j, new in enumerate(come)
    )
    heir = {}
    for shared, i, j in fits:
        if shared and j not in heir and i not in heir.values():
            heir[j] = i
    for j, new in enumerate(come):
        shifted += Counter(new) - (left[heir[j]] if j in heir else Counter())
    return shifted


class _Joker:
    """One joker under one explanation."""

    def __init__(self, old, goes, way, was, now):
        self.meld, self.place = old
        self.target, self.spot = goes
        self.way = way
        self.read = was[self.meld] is not None and now[self.target] is not None
        self.stood = was[self.meld][self.place] if self.read else JOKER
        self.stands = now[self.target][self.spot] if self.read else JOKER
        self.in_set = self.read and len({number(face) for face in was[self.meld]}) == 1


def _jokers(gone, come, added, rules, after):
    """Try every explanation of where the table's jokers went, and return the least breach."""
    if not any(rules[name] for name in ASKED):
        return []
    asked = meld_rules(rules)
    old = [(meld, place) for meld in range(len(gone)) for place in _spots(gone[meld])]
    new = [(meld, place) for meld in range(len(come)) for place in _spots(come[meld])]
    scene = (gone, come, added, _shifted(gone, come, added), rules, after)
    best = None
    for to in permutations(new, len(old)):
        for was in product(*(faces_of(meld, *asked) or (None,) for meld in gone)):
            for now in product(*(faces_of(meld, *asked) or (None,) for meld in come)):
                for ways in product(["kept", "hand", "table", "moved", "open"], repeat=len(old)):
                    jokers = [_Joker(*each, was, now) for each in zip(old, to, ways, strict=True)]
                    codes = [_code(joker, jokers, now, scene) for joker in jokers]
                    if "no" in codes:
                        continue
                    codes = [code for code in codes if code]
                    weight = (len(codes), sorted(map(ORDER.index, codes), reverse=True))
                    if best is None or weight < best[0]:
                        best = (weight, codes)
    return best[1] if best else []


ASKED = ["joker_replace_first", "joker_meld_locked", "joker_reuse_new_meld"]


def _can_be(joker, jokers, scene):
    """Whether a joker's way is what can have happened."""
    gone, come, added, shifted, rules, after = scene
    if joker.way == "open" or not joker.read:
        return joker.way == "open" and not joker.read
    if joker.way in ("kept", "moved"):
        return joker.way == "moved" or joker.stood == joker.stands
    own = Counter(tile for tile in gone[joker.meld] if tile != JOKER)

    def alike(face):
        """Whether a meld that now holds the joker's meld and this tile may be that meld."""
        wanted = own + Counter([face])
        table = not rules["joker_replace_from_hand"]
        return table and any(not wanted - Counter(meld) for meld in after)

    if rules["group_joker_replacement"] == "both" and joker.in_set:
        mine = [other for other in jokers if other.meld == joker.meld]
        missing = [
            f for f in FACES if number(f) == number(joker.stood) and f not in gone[joker.meld]
        ]
        laid = [f for f in missing if added[f]]
        if any(other.way == "table" for other in mine):
            laid += [f for f in missing if not added[f] and (shifted[f] or alike(f))]
        freed = sum(other.way in ("hand", "table") for other in mine)
        return freed <= len(gone[joker.meld]) + len(laid) - len(COLOURS)
    if joker.way == "hand":
        return added[joker.stood] > 0
    whole = [*gone[joker.meld]]
    whole[joker.place] = joker.stood
    beside = sorted(whole) in [sorted(meld) for meld in come] or any(
        sum({tile, joker.stood} <= {*meld} for meld in come)
        > sum({tile, joker.stood} <= {*meld} for meld in gone)
        for tile in whole
        if tile not in (JOKER, joker.stood)
    )
    shifts = not rules["joker_replace_from_hand"] and shifted[joker.stood] > 0
    loose = shifts or alike(joker.stood)
    return not added[joker.stood] and (beside or loose)


def _code(joker, jokers, now, scene):
    """Say what is wrong with one joker: a code, nothing, or that it cannot have been so."""
    gone, come, added, _, rules, _ = scene
    if not _can_be(joker, jokers, scene):
        return "no"
    if joker.way == "open":
        return ""
    if joker.way == "table" and rules["joker_replace_from_hand"]:
        return "joker-not-from-hand"
    new = not rules["joker_reuse_new_meld"] or _new_meld(joker, jokers, now, scene)
    if joker.way in ("hand", "table"):
        return "" if new else "joker-not-in-new-meld"
    if joker.way == "moved" and rules["joker_replace_first"]:
        return "joker-not-replaced"
    whole = Counter(tile for tile in gone[joker.meld] if tile != JOKER)
    for other in jokers:
        if other.meld != joker.meld:
            continue
        if other.way in ("hand", "table"):
            whole += (
                Counter([other.stood])
                if not _both(other, rules)
                else Counter(
                    f
                    for f in FACES
                    if number(f) == number(other.stood) and f not in gone[other.meld] and added[f]
                )
            )
        elif other is joker or other.way == "kept" or not rules["joker_replace_first"]:
            whole[JOKER] += 1
    if whole <= Counter(come[joker.target]):
        return ""
    if rules["joker_meld_locked"]:
        return "joker-meld-locked"
    return "" if joker.way == "kept" or new else "joker-not-in-new-meld"


def _both(joker, rules):
    return rules["group_joker_replacement"] == "both" and joker.in_set


def _new_meld(joker, jokers, now, scene):
    """Whether some own tiles with the joker are a meld that others may have joined."""
    _, come, added, _, rules, _ = scene
    least, smallest, largest, _ = meld_rules(rules)
    kept = {(o.target, o.spot) for o in jokers if o.way in ("kept", "open")}
    faces, tiles = now[joker.target], come[joker.target]
    own = [
        spot
        for spot, tile in enumerate(tiles)
        if (tile == JOKER and (joker.target, spot) not in kept) or (tile != JOKER and added[tile])
    ]
    for size in range(3, len(own) + 1):
        for spots in combinations(own, size):
            some = [faces[spot] for spot in spots]
            if joker.spot in spots and (is_run(some, least) or is_set(some, smallest, largest)):
                return True
    return False


# A whole hand


def audit(hand, rules):
    """Return what is wrong with the course of play of a full hand, and everybody's points.

    Findings are code, event and seat. It stops where tiles cannot have moved so.
    """
    racks, melds, opened, stock = {}, [], set(), 106
    order, turn, last, found = [], hand.record.first, None, []
    passes, over, faults, undo, ended = set(), None, set(), None, False
    clock = begun = None

    def note(code, event):
        if code == "tile-draw-missing" and ("out-of-turn", event.seq, event.seat) in found:
            return
        found.append((code, event.seq, event.seat))
        faults.add(event.seq)

    for event in hand.events:
        kind = type(event).__name__
        if kind == "Deal":
            racks[event.seat] = Counter(event.cards)
            stock -= len(event.cards)
            order = sorted(racks)
            if len(event.cards) != rules["hand_size"]:
                note("deal-count", event)
            continue
        if kind not in ("Play", "Draw", "Pass", "Penalty"):
            continue
        seat = event.seat
        back = kind == "Penalty" and undo is not None and undo[0].seat == seat
        if ended and not (back and over == seat):
            note("event-after-end", event)
            break
        if kind == "Draw" and last == ("Draw", seat) and turn != seat:
            note("second-draw", event)
        elif kind != "Penalty" and turn not in (None, seat):
            note("out-of-turn", event)
        limit = rules["timer_seconds"]
        if (
            limit != "none"
            and kind != "Penalty"
            and last
            and last[1] != seat
            and event.ms - clock > 1000 * limit
        ):
            note("timer-exceeded", event)
        if not last or last[1] != seat:
            begun = clock
        clock = event.ms
        if kind == "Draw":
            racks[seat][event.card] += 1
            stock -= 1
            passes = set()
        elif kind == "Pass":
            if stock:
                note("tile-draw-missing", event)
            passes = passes | {seat} if not stock else set()
        elif kind == "Penalty":
            due = min(rules["penalty_tiles"], stock)
            late = limit != "none" and begun is not None and event.ms - begun > 1000 * limit
            wrong = undo[0].seq in faults if back else False
            if len(event.cards) != (due if wrong or late else 0):
                note("penalty-wrong", event)
            if back:
                play, melds, before, was_open = undo
                racks[seat] = before
                found = [each for each in found if each[1] != play.seq]
                opened = opened if was_open else opened - {seat}
                over, ended = None, False
            racks[seat] += Counter(event.cards)
            stock -= len(event.cards)
            passes = set()
        else:
            added = tiles_of(event.table) - tiles_of(melds)
            if added - racks[seat]:
                return found, None
            for code in turn_codes(melds, event.table, seat in opened, rules, stock=stock):
                note(code, event)
            undo = (event, melds, racks[seat].copy(), seat in opened)
            taken = tiles_of(melds) - tiles_of(event.table)
            racks[seat] = racks[seat] - added + taken
            passes = passes | {seat} if not added and not taken and not stock else set()
            melds = list(event.table)
            opened = opened | {seat} if added else opened
            over = seat if not racks[seat] else None
            ended = over is not None
            if event.undone:
                play, melds, racks[seat], was_open = undo
                found = [each for each in found if each[1] != play.seq]
                opened = opened if was_open else opened - {seat}
                over, ended, passes = None, False, set()
        if kind != "Play":
            undo = None
        ended = ended or (bool(order) and passes.issuperset(order))
        last, turn = (kind, seat), order[(order.index(seat) + 1) % len(order)]
    return found, points(racks, over, ended, rules)


def points(racks, winner, ended, rules):
    """Return what everybody gets, None where the hand is not over or has no single winner."""
    if not ended:
        return None
    held = {
        seat: sum(
            rules["joker_points"] if tile == JOKER else number(tile) for tile in rack.elements()
        )
        for seat, rack in racks.items()
    }
    least = min(held.values())
    if winner is None:
        lowest = [seat for seat in held if held[seat] == least]
        if len(lowest) > 1:
            return None
        winner = lowest[0]
    spared = least if rules["blocked_scoring"] == "difference" and held[winner] else 0
    lost = {seat: spared - held[seat] for seat in held if seat != winner}
    return {**lost, winner: -sum(lost.values())}
