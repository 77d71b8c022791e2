"""Groups of basic rummy by trying everything: every run there is, a joker as every face."""

from itertools import combinations, product

RANKS = "A23456789TJQK"
SUITS = "SHDC"
FACES = [rank + suit for suit in SUITS for rank in RANKS]
CYCLES = {"low": RANKS, "high-or-low": RANKS + "A", "round-corner": RANKS + RANKS}


class Groups:
    """Every run and every set of a ruleset."""

    def __init__(self, rules):
        self.rules = rules
        line = CYCLES[rules["ace"]]
        longest = 13 if rules["ace"] == "round-corner" else len(line)
        self.runs = {
            tuple(rank + suit for rank in line[start : start + length])
            for suit in SUITS
            for length in range(rules["run_min"], longest + 1)
            for start in range(len(line) - length + 1)
        }
        self.sorted_runs = {tuple(sorted(run)) for run in self.runs}

    def is_set(self, cards):
        naturals = [card for card in cards if card != "JK"]
        most = self.rules["set_max"]
        return (
            len({card[0] for card in naturals}) == 1
            and len(cards) >= self.rules["set_min"]
            and (most == "none" or len(cards) <= most)
            and (self.rules["set_duplicates"] or len(set(naturals)) == len(naturals))
        )

    def as_runs(self, cards):
        """Return every way the cards are a run, jokers tried as every face of the suit."""
        suits = {card[1] for card in cards if card != "JK"}
        if len(suits) != 1:
            return set()
        suit = suits.pop()
        open_to = [[rank + suit for rank in RANKS] if card == "JK" else [card] for card in cards]
        return {faces for faces in product(*open_to) if tuple(sorted(faces)) in self.sorted_runs}

    def readings(self, cards):
        """Return how a meld stands: a run in every way open to its jokers, or an open set."""
        cards = tuple(cards)
        if "JK" in cards and not self.rules["jokers_wild"]:
            return set()
        runs = self.as_runs(cards)
        literal = {faces for faces in runs if faces in self.runs or faces[::-1] in self.runs}
        return (literal or runs) | ({cards} if self.is_set(cards) else set())

    def grown(self, standing, new):
        """Return how a meld stands with new cards, old jokers keeping a place that was open."""
        found = set()
        for faces in standing:
            cards = faces + tuple(new)
            if self.is_set(faces) and self.is_set(cards):
                found.add(cards)
            if "JK" not in faces:
                found |= {each for each in self.as_runs(cards) if each[: len(faces)] == faces}
        return found

    def deadwood(self, cards):
        """Return the least points left outside melds, every choice of melds tried."""
        value = {"A": self.rules["ace_points"], **{str(n): n for n in range(2, 10)}}
        points = [0 if card == "JK" else value.get(card[0], 10) for card in cards]
        if self.rules["hand_melds_count"]:
            return sum(points)
        melds = [
            some
            for size in range(3, len(cards) + 1)
            for some in combinations(range(len(cards)), size)
            if self.readings(cards[place] for place in some)
        ]

        def least(free, start):
            return min(
                sum(points[place] for place in free),
                *(
                    least(free - set(melds[at]), at + 1)
                    for at in range(start, len(melds))
                    if free >= set(melds[at])
                ),
                10_000,
            )

        return least(frozenset(range(len(cards))), 0)
