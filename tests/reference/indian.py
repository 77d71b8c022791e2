"""A second referee of Indian rummy: slow, plain, and made in another way than the engine.

It follows ``rulesets`` sentence by sentence over hands of which every card is known:
hands are lists of cards, and what was said before is looked up where it matters. It
names the slips of play, the declarations and the scores; which rule a single group
breaks is the engine's alone.
"""

from tests.reference.indian_groups import JOKER, PACK, best, charge, kind, none_is_no_limit

# Codes of a single group: here only whether a group stands.
OF_GROUPS = {
    *("group-too-short", "set-too-long", "sequence-too-long", "set-mixed-ranks"),
    *("set-repeated-suit", "sequence-mixed-suits", "sequence-gap", "sequence-wraps"),
    *("group-unanchored", "group-too-many-jokers", "group-invalid"),
}


class Stop(Exception):
    """Cards cannot have moved so."""


# The hand


class Plain:
    """One hand, event by event; ``said`` gathers code, event and seat of what is wrong."""

    def __init__(self, hand, rules):
        self.rules = rules = dict(rules.values)
        self.frozen = tuple(sorted(rules.items()))
        self.said = set()
        self.order = [player.seat for player in hand.record.players]
        self.free = PACK * rules["decks"] + [JOKER] * rules["printed_jokers"]
        self.hands = {seat: [] for seat in self.order}
        self.pile, self.rank, self.upcards = [], None, []
        self.state = dict.fromkeys(self.order, "in")
        self.cost, self.misses, self.acted = {}, dict.fromkeys(self.order, 0), set()
        self.turn, self.open, self.dealer = None, [], hand.record.dealer
        self.skipped, self.shown, self.laid = None, {}, []
        self.winner, self.over, self.scored, self.last = None, "", False, None
        self.hand, self.taken = hand, {}

    def judge(self):
        """Return what is said, and the points by the rules (None where they are not known)."""
        try:
            for event in self.hand.events:
                getattr(self, type(event).__name__.lower(), lambda _: None)(event)
        except Stop:
            return self.said, None
        return self.said, self.settle()

    def say(self, code, event, seat=None):
        self.said.add((code, event.seq, seat))

    def take(self, card, event, seat):
        if card not in self.free:
            self.say(self.strange(card, "too-many-copies"), event, seat)
            raise Stop
        self.free.remove(card)

    def strange(self, card, code):
        return code if card in PACK or card == JOKER else "card-not-in-deck"

    def live(self):
        return [each for each in self.order if self.state[each] == "in"]

    def next(self, seat):
        live = self.live()
        return next((each for each in live if each > seat), live[0] if live else None)

    # The deal

    def deal(self, event):
        for card in event.cards:
            self.take(card, event, event.seat)
        self.hands[event.seat] += event.cards

    def upcard(self, event):
        if self.acted or (self.upcards and self.upcards[-1] != JOKER):
            self.say("upcard-order", event)
        elif self.upcards:
            self.free.append(self.pile.pop())
        self.take(event.card, event, None)
        self.upcards.append(event.card)
        self.pile.append(event.card)

    def wild(self, event):
        if event.card != JOKER or self.rules["wild_if_printed"] != "redraw":
            self.take(event.card, event, None)

    def begin(self):
        if self.turn is None:
            card = ([None] + [e.card for e in self.hand.events if type(e).__name__ == "Wild"])[-1]
            if card == JOKER:
                self.rank = "A" if self.rules["wild_if_printed"] == "aces" else None
            else:
                self.rank = card and card[0]
            self.turn = self.next(self.dealer)

    # Turns

    def whose(self, event, discarding=False):
        """Say what is wrong with acting now; return whether the act counts as a turn's."""
        self.begin()
        seat = event.seat
        if self.over or self.scored:
            if not any(code == "event-after-end" for code, *_ in self.said):
                self.say("event-after-end", event, seat)
            return False
        if self.state[seat] == "missed":
            self.say("auto-drop-missing", event, seat)
            self.state[seat] = "in"
            self.cost.pop(seat)
            self.turn = self.next(self.last) if self.last else self.turn
        if self.state[seat] != "in":
            if not any(code == "acted-after-drop" and who == seat for code, _, who in self.said):
                self.say("acted-after-drop", event, seat)
            return False
        drew = seat in self.open
        if discarding:
            if drew or seat in (self.turn, self.skipped):
                if not drew:
                    self.say("draw-missing", event, seat)
            elif seat == self.last:
                self.say("second-discard", event, seat)
            else:
                self.say("out-of-turn", event, seat)
        elif drew:
            self.say("second-draw", event, seat)
        elif seat != self.turn and self.turn in self.open and seat == self.next(self.turn):
            self.say("discard-missing", event, self.turn)
            self.open.remove(self.turn)
        elif seat not in (self.turn, self.skipped):
            self.say("out-of-turn", event, seat)
        return True

    def draw(self, event):
        counts = self.whose(event)
        seat, card = event.seat, event.card
        if event.from_ == "stock":
            if not self.free and counts:
                self.say("reshuffle-missing", event, seat)
                self.free, self.pile = self.pile[:-1], self.pile[-1:]
            if card is not None:
                self.take(card, event, seat)
        else:
            if card not in self.pile:
                self.say("draw-not-top", event, seat)
                raise Stop
            if counts and card != self.pile[-1]:
                self.say("draw-not-top", event, seat)
            joker = card == JOKER or card[0] == self.rank
            before = [type(e).__name__ for e in self.hand.events if e.seq < event.seq]
            first = len(self.pile) == 1 and self.upcards and "Discard" not in before
            kept = first and (card != JOKER or self.rules["upcard_joker_takeable"])
            if joker and not kept and not self.rules["joker_from_discard"]:
                self.say("joker-from-discard", event, seat)
            self.pile.reverse()
            self.pile.remove(card)
            self.pile.reverse()
        self.hands[seat].append(card)
        self.taken = {seat: card} if event.from_ == "discard" else {}
        if counts:
            jumped = seat not in (self.turn, self.skipped) and self.turn not in self.open
            self.skipped = self.turn if jumped else None
            self.turn = seat
            self.open.append(seat)
            self.acted.add(seat)
            self.misses[seat] = 0
            self.last = None if self.last == seat else self.last

    def discard(self, event):
        counts = self.whose(event, discarding=True)
        seat, card = event.seat, event.card
        if card not in self.hands[seat]:
            self.say(self.strange(card, "card-not-held"), event, seat)
            raise Stop
        again = counts and self.taken.get(seat) == card and self.hands[seat].count(card) == 1
        if again and not self.rules["discard_just_taken"]:
            self.say("discard-just-taken", event, seat)
        self.hands[seat].remove(card)
        self.pile.append(card)
        if counts:
            self.acted.add(seat)
            self.end_turn(seat)

    def end_turn(self, seat):
        if seat in self.open:
            self.open.remove(seat)
        self.last, self.turn, self.taken = seat, self.next(seat), {}

    def reshuffle(self, event):
        if self.rules["stock_exhausted"] != "reshuffle" or self.free:
            self.say("reshuffle-early", event)
        elif event.cards is not None and sorted(event.cards) != sorted(self.pile[:-1]):
            self.say("deck-order", event)
        self.free += self.pile[:-1]
        self.pile = self.pile[-1:]

    # Going out

    def go(self, seat, state, points):
        self.state[seat], self.cost[seat] = state, points
        if seat == self.turn:
            self.end_turn(seat)
        if len(self.live()) == 1 and not self.over:
            self.over, self.winner = "alone", self.live()[0]

    def penalty(self, name):
        return self.rules[name] if self.rules["drops"] else self.rules["no_drops_points"]

    def drop(self, event):
        self.begin()
        seat = event.seat
        if self.state[seat] == "missed":
            self.state[seat] = "dropped"
        elif self.over or self.scored or self.state[seat] != "in":
            self.whose(event)
        else:
            if not self.rules["drops"]:
                self.say("drop-not-allowed", event, seat)
            elif seat not in (self.turn, self.skipped) or (
                seat in self.open and not self.rules["drop_after_draw"]
            ):
                self.say("drop-late", event, seat)
            self.go(
                seat, "dropped", self.penalty("middle_drop" if seat in self.acted else "first_drop")
            )

    def leave(self, event):
        self.begin()
        if self.state[event.seat] == "in" and not self.over:
            way = "leave_after_draw" if event.seat in self.acted else "leave_before_draw"
            self.go(event.seat, "left", self.penalty(f"{self.rules[way]}_drop"))

    def miss(self, event):
        self.begin()
        seat = event.seat
        if self.over or self.state[seat] != "in":
            return
        if seat != self.turn:
            self.say("out-of-turn", event, seat)
            self.turn = seat
        self.misses[seat] += 1
        if seat in self.open or self.misses[seat] >= none_is_no_limit(self.rules["misses_to_drop"]):
            state = "dropped" if seat in self.open else "missed"
            self.go(seat, state, self.penalty("middle_drop"))
        else:
            self.end_turn(seat)

    # Declaring and showing

    def declare(self, event):
        seat = event.seat
        drew = seat in self.open
        if not self.whose(event, discarding=drew):
            return
        self.said.discard(("discard-missing", event.seq, seat))
        held = self.hands[seat]
        if event.discard is not None and event.discard not in held:
            self.say("card-not-held", event, seat)
            raise Stop
        named = [card for group in (*event.groups, event.loose or ()) for card in group]
        reasons = set() if drew else {"declare-without-draw"}
        rest = list(held)
        if event.discard is not None:
            rest.remove(event.discard)
        groups, twice, doubt = [], 0, False
        for group in event.groups:
            kept = []
            for card in group:
                if card in rest:
                    rest.remove(card)
                    kept.append(card)
                elif card in held:
                    reasons.add("card-in-two-groups")
                    twice += 1
                else:
                    self.say("card-not-held", event, seat)
                    kept.append(card)
                    doubt = True
            groups.append(tuple(kept))
        kinds = [kind(group, self.rank, self.rules) for group in groups]
        sequences = [found for found in kinds if found in ("pure", "impure")]
        if kinds.count("pure") < self.rules["pure_min"]:
            reasons.add("declare-no-pure-sequence")
        if len(sequences) < self.rules["sequences_min"]:
            reasons.add("declare-too-few-sequences")
        if event.loose:
            reasons.add("declare-loose-cards")
        if len(named) != self.rules["hand_size"]:
            reasons.add("declare-card-count")
        wrong = bool(reasons) or "" in kinds
        if self.rules["judge_declarer"] == "best" and wrong and drew:
            cards = tuple(card for group in (*groups, event.loose or ()) for card in group)
            if len(cards) == self.rules["hand_size"] and best(cards, self.rank, self.frozen)[1]:
                wrong, reasons = False, set()
        if wrong:
            self.said |= {(code, event.seq, seat) for code in (*reasons, "wrong-declaration")}
        if event.discard is not None:
            held.remove(event.discard)
        self.laid.append((event, not wrong, doubt))
        if wrong:
            if self.rules["wrong_declaration"] == "end" and not self.over:
                self.over = "ended"
            self.go(seat, "wrong", self.rules["wrong_declaration_points"])
        else:
            self.over, self.winner = "declared", seat
        self.end_turn(seat)

    def show(self, event):
        held, named = sorted(self.hands[event.seat]), []
        groups = []
        for group in (*(event.groups or ()), event.loose or ()):
            kept = []
            for card in group:
                if named.count(card) < held.count(card):
                    kept.append(card)
                    named.append(card)
                elif card in held:
                    self.say("card-in-two-groups", event, event.seat)
                else:
                    self.say("card-not-held", event, event.seat)
                    self.shown[event.seat] = None
            groups.append(tuple(kept))
        *groups, loose = groups
        size = sum(len(group) for group in (*(event.groups or ()), event.loose or ()))
        if len(held) not in (size, len(named)):
            self.say("hand-size", event, event.seat)
        if event.seat in self.shown:
            return
        loose += tuple(
            card for card in set(held) for _ in range(held.count(card) - named.count(card))
        )
        self.shown[event.seat] = self.points(groups, loose)

    def points(self, groups, loose):
        cards = tuple(card for group in (*groups, loose) for card in group)
        if not groups or self.rules["judge_losers"] == "best":
            return best(cards, self.rank, self.frozen)[0]
        return charge(groups, loose, self.rank, self.rules)

    # The score

    def score(self, event):
        self.scored = True

    def settle(self):
        """Return the points by the rules, and hold the score against them."""
        scores = [event for event in self.hand.events if type(event).__name__ == "Score"]
        calls = {type(event).__name__ for event in self.hand.events} & {"Misdeal", "Void"}
        if calls or not scores:
            if not calls and self.hand.end.status == "completed":
                self.said.add(("score-missing", 0, None))
            return None
        score = scores[-1]
        rulings = {e.target: e.outcome for e in self.hand.events if type(e).__name__ == "Ruling"}
        for event, right, _ in self.laid:
            ruled = rulings.get(event.seq)
            zero = score.points.get(event.seat) == 0 or score.winner == event.seat
            accepted = ruled == "declaration-right" if ruled else zero
            if not right and accepted:
                self.say("wrong-declaration-accepted", event, event.seat)
            if right and not accepted and ruled:
                self.say("right-declaration-refused", event, event.seat)
        if not self.over:
            accepted = [seat for code, _, seat in self.said if code == "wrong-declaration-accepted"]
            if not accepted:
                self.say("hand-not-ended", score)
                return {}
            due = {accepted[-1]: self.cost[accepted[-1]]}
        elif any(code == "right-declaration-refused" for code, *_ in self.said):
            due = {self.winner: 0}
        else:
            due = {seat: self.due(seat) for seat in self.order}
        due = {seat: points for seat, points in due.items() if points is not None}
        counted = []
        for seat, points in due.items():
            if seat not in score.points:
                self.say("score-missing", score, seat)
            elif score.points[seat] != points and seat in self.cost:
                self.say("penalty-points-wrong", score, seat)
            elif score.points[seat] != points:
                counted.append(seat)
        if counted:
            self.say("score-wrong", score, counted[0] if len(counted) == 1 else None)
        return due

    def due(self, seat):
        if seat == self.winner or (self.state[seat] == "in" and self.over in ("alone", "ended")):
            return 0
        if seat in self.cost:
            return self.cost[seat]
        if seat in self.shown:
            return self.shown[seat]
        return best(tuple(self.hands[seat]), self.rank, self.frozen)[0]
