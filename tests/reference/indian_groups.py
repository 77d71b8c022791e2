"""Groups and arrangements of Indian rummy for the second referee: plain and slow.

A group is tried against every run and every set there is, and the best arrangement is
sought over all subsets of the cards.
"""

from functools import cache, lru_cache
from itertools import combinations

RANKS, SUITS, JOKER = "A23456789TJQK", "SHDC", "JK"
PACK = [rank + suit for suit in SUITS for rank in RANKS]


def none_is_no_limit(value):
    return 10**6 if value == "none" else value


def runs(length, ace):
    for suit in SUITS:
        starts = range(13) if ace == "round-corner" else range(14 - length + (ace != "low"))
        for start in starts:
            yield [RANKS[(start + step) % 13] + suit for step in range(length)]


def fits(cards, places, wild, rules):
    """Whether cards lie in these places: '' no, else how purely."""
    left, naturals, own, others = list(places), 0, 0, 0
    for card in cards:
        if card != JOKER and card[0] != wild:
            if card not in left:
                return ""
            left.remove(card)
            naturals += 1
    for card in cards:
        if card != JOKER and card[0] == wild:
            if card in left:
                left.remove(card)
                own += 1
            else:
                others += 1
        elif card == JOKER:
            others += 1
    anchors = naturals + own
    if naturals == 0 and own == 1 and others and not rules["wild_anchors"]:
        anchors = 0
    if anchors < rules["naturals_min"] or others > none_is_no_limit(rules["jokers_max"]):
        return ""
    return "impure" if others or (own and not rules["natural_wild_pure"]) else "pure"


def kind(cards, wild, rules):
    """Return pure, impure or set; '' for a group that does not stand."""
    size = len(cards)
    if rules["sequence_min"] <= size <= min(13 + 1, none_is_no_limit(rules["sequence_max"])):
        found = {fits(cards, run, wild, rules) for run in runs(size, rules["ace"])}
        if "pure" in found or "impure" in found:
            return "pure" if "pure" in found else "impure"
    if rules["set_min"] <= size <= none_is_no_limit(rules["set_max"]):
        for rank in RANKS:
            copies = size if rules["set_duplicates"] else 1
            # Jokers may make a set longer than there are suits; naturals may not.
            places = [rank + suit for suit in SUITS] * copies + [""] * size
            if fits(cards, places, wild, rules):
                return "set"
    return ""


def worth(card, wild, rules):
    if card == JOKER or card[0] == wild:
        return 0
    if card[0] == "A":
        return 1 if rules["card_points"] == "ace-one" else 10
    return min(10, RANKS.index(card[0]) + 1)


def charge(groups, loose, wild, rules):
    """What a loser is charged for cards laid so."""
    cards = [card for group in (*groups, loose) for card in group]
    kinds = [kind(tuple(group), wild, rules) for group in groups]
    pure, impure = kinds.count("pure"), kinds.count("impure")
    cap = none_is_no_limit(rules["cap"])
    spared = []
    if pure + impure >= rules["sequences_min"] and pure >= rules["pure_min"]:
        spared = ["pure", "impure", "set"]
        if rules["loser_counts"] == "unsequenced":
            spared = spared[:2]
    elif rules["no_lives_points"] == "flat":
        return cap
    elif rules["pure_only"] == "spare-pure" and pure == 1 and impure == 0:
        spared = ["pure"]
    total = sum(worth(card, wild, rules) for card in cards)
    for group, found in zip(groups, kinds, strict=True):
        if found in spared:
            total -= sum(worth(card, wild, rules) for card in group)
    return min(total, cap)


@lru_cache(maxsize=4096)
def best(cards, wild, frozen):
    """The least a loser can be charged, over every way to take groups out of the cards.

    Beside it whether all of them can be declared.
    """
    rules = dict(frozen)
    size = len(cards)
    groups = []
    for length in range(3, 6):
        for places in combinations(range(size), length):
            group = tuple(cards[place] for place in places)
            naturals = [card for card in group if card != JOKER and card[0] != wild]
            if len({card[0] for card in naturals}) > 1 < len({card[1] for card in naturals}):
                continue  # neither of one rank nor of one suit
            found = kind(group, wild, rules)
            if found:
                points = sum(worth(cards[place], wild, rules) for place in places)
                groups.append((sum(1 << place for place in places), found, points))
    by_first = {place: [g for g in groups if g[0] & (-g[0]) == 1 << place] for place in range(size)}
    total = sum(worth(card, wild, rules) for card in cards)
    needed, pures = rules["sequences_min"], rules["pure_min"]

    @cache
    def most(mask, sequences, pure):
        """The most points spared by groups of these cards, the sequences still needed."""
        if not mask:
            return 0 if sequences <= 0 and pure <= 0 else -(10**6)
        first = (mask & -mask).bit_length() - 1
        top = most(mask & (mask - 1), sequences, pure)
        for group, found, points in by_first[first]:
            if group & mask == group:
                spares = found != "set" or rules["loser_counts"] == "ungrouped"
                rest = most(
                    mask & ~group,
                    max(0, sequences - (found != "set")),
                    max(0, pure - (found == "pure")),
                )
                top = max(top, rest + (points if spares else 0))
        return top

    @cache
    def whole(mask, sequences, pure):
        """Whether these cards can all be laid in groups, the sequences still needed among them."""
        if not mask:
            return sequences <= 0 and pure <= 0
        first = (mask & -mask).bit_length() - 1
        return any(
            whole(
                mask & ~group,
                max(0, sequences - (found != "set")),
                max(0, pure - (found == "pure")),
            )
            for group, found, _ in by_first[first]
            if group & mask == group
        )

    full = (1 << size) - 1
    cap = none_is_no_limit(rules["cap"])
    spared = most(full, needed, pures)
    least = cap if rules["no_lives_points"] == "flat" else min(total, cap)
    if rules["no_lives_points"] != "flat" and rules["pure_only"] == "spare-pure":
        lone = max((points for _, found, points in groups if found == "pure"), default=0)
        least = min(least, total - lone, cap)
    if spared >= 0:
        least = min(least, total - spared, cap)
    return least, size == rules["hand_size"] and whole(full, needed, pures)
