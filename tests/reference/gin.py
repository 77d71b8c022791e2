"""A second referee of gin: slow, plain, and made in another way than the engine.

It follows ``rulesets`` sentence by sentence over hands of which every card is known:
hands are sets of cards, melds are tried out one by one, and lay-offs card by card. It
names the slips of play, the knocks and the scores; which rule a single group breaks
is the engine's alone.
"""

from tests.reference.gin_melds import PACK
from tests.reference.gin_showdown import Showdown, Stop

# Codes of a single group: here only whether a group stands.
OF_GROUPS = {
    *("group-too-short", "set-too-long", "set-mixed-ranks", "set-repeated-suit"),
    *("sequence-mixed-suits", "sequence-gap", "sequence-wraps", "group-invalid"),
}


class Plain(Showdown):
    """One hand, event by event; ``said`` gathers code, event and seat of what is wrong."""

    def __init__(self, hand, rules):
        self.rules = dict(rules.values)
        self.hand, self.said = hand, set()
        self.seats = [player.seat for player in hand.record.players]
        self.dealer = hand.record.dealer
        self.free, self.pile, self.hands = set(PACK), [], {seat: set() for seat in self.seats}
        self.stock = 52
        self.dealt, self.upcard = {}, None
        self.turn = None
        self.held = {}  # who has drawn and not discarded, and the card taken from the pile
        self.offer = []  # who has yet to be offered the upcard
        self.must_stock = False
        self.drawn = False
        self.dead = self.passed = self.crossed = False
        self.both = None
        self.last = None
        self.over, self.knock, self.shown, self.laid, self.bad = "", None, None, [], []
        self.scores, self.barred, self.lost, self.open = [], {}, {}, []
        self.from_stock, self.seer = set(), None

    def judge(self):
        """Return what is said, and the points by the rules (None where they are not known)."""
        try:
            for event in self.hand.events:
                name = type(event).__name__.lower()
                getattr(self, f"on_{name}", lambda _: None)(event)
        except Stop:
            return self.said, None
        if self.both:
            self.say("discard-missing", self.both[0], self.both[2])
        return self.said, self.settle()

    def say(self, code, seq, seat=None):
        self.said.add((code, getattr(seq, "seq", seq), seat))

    def once(self, code, event, seat):
        if not any(each[0] == code for each in self.said):
            self.say(code, event, seat)

    def other(self, seat):
        return next(each for each in self.playing() if each != seat)

    def playing(self):
        return sorted(self.dealt)

    def new(self, card, event, seat):
        if card not in self.free:
            self.say("too-many-copies" if card in PACK else "card-not-in-deck", event, seat)
            raise Stop
        self.free.remove(card)

    # The deal

    def on_deal(self, event):
        for card in event.cards:
            self.new(card, event, event.seat)
        self.hands[event.seat] |= set(event.cards)
        self.dealt[event.seat] = len(event.cards)
        self.stock -= len(event.cards)
        self.turn = next((seat for seat in self.playing() if seat > self.dealer), self.playing()[0])

    def wrong(self):
        size = self.rules["hand_size"]
        return [seat for seat, count in self.dealt.items() if count != size]

    def on_upcard(self, event):
        if self.upcard or self.drawn:
            self.say("upcard-order", event)
        self.new(event.card, event, None)
        self.stock -= 1
        self.pile.append(event.card)
        if not self.upcard:
            self.upcard = event.card
            if self.rules["upcard_offer"]:
                self.offer = [self.turn, self.other(self.turn)]

    # Turns

    def ended(self, event):
        """Whether nobody may play any more; said once."""
        if self.knock and not self.over and self.knock["refusable"] and not self.laid:
            self.knock = None  # refused by playing on
        if not (self.over or self.knock or self.scores):
            return False
        self.once("event-after-end", event, event.seat)
        return True

    def on_draw(self, event):
        seat, done = event.seat, self.ended(event)
        if not done:
            self.who_draws(event, seat)
        self.move_draw(event, seat)
        if done:
            self.hands[seat].remove(event.card)  # what is shown was shown before
            return
        if self.dead:
            self.crossed = True
        self.drawn = True

    def who_draws(self, event, seat):
        if not self.drawn and self.wrong():
            wrong = self.wrong()
            self.say("misdeal-not-called", event, wrong[0] if len(wrong) == 1 else None)
        taken = event.card if event.from_ == "discard" else None
        floor = self.rules["stock_floor"]
        chance = self.rules["wall"] == "last-upcard" and not self.passed and seat == self.turn
        low = self.dead or (event.from_ == "stock" and self.stock <= floor)
        if low and not self.crossed and not (self.dead and chance and taken):
            self.once("stock-floor-crossed", event, seat)
        if seat not in self.held and self.lost.pop(seat, None):
            self.say("draw-while-barred", event, seat)
        if self.offer or self.must_stock:
            wanted = "stock" if self.must_stock else "discard"
            if seat != self.turn or event.from_ != wanted:
                self.say("upcard-order", event, seat)
            self.offer, self.must_stock, self.turn = [], False, seat
        elif seat in self.held:
            self.say("second-draw", event, seat)
            self.held[seat] = taken or self.held[seat]
            return
        elif seat != self.turn:
            if self.turn in self.held:
                self.both = (event.seq, seat, self.turn)
            elif self.lost.pop(self.turn, None):
                self.turn = seat
            else:
                self.say("out-of-turn", event, seat)
        self.held[seat] = taken
        self.last = None

    def move_draw(self, event, seat):
        if event.from_ == "stock":
            self.stock -= 1
            self.new(event.card, event, seat)
            self.from_stock.add(seat)
            if self.from_stock >= set(self.playing()):
                self.pile += self.open
                self.open = []
        elif event.from_ == "exposed":
            rival = self.other(seat)
            ok = seat not in self.from_stock and (seat != self.seer or rival in self.from_stock)
            if not ok or event.card not in self.open:
                self.say("exposed-card-taken", event, seat)
            self.open.remove(event.card)
        elif event.card not in self.pile:
            self.say("draw-not-top", event, seat)
            raise Stop
        else:
            if self.pile[-1] != event.card:
                self.say("draw-not-top", event, seat)
            self.pile.remove(event.card)
        self.hands[seat].add(event.card)

    def on_discard(self, event):
        seat, done = event.seat, self.ended(event)
        if not done:
            if seat not in self.held:
                if self.offer and seat != self.turn:
                    self.say("upcard-order", event, seat)
                elif seat == self.turn:
                    if not self.lost.pop(seat, None):
                        self.say("draw-missing", event, seat)
                else:
                    code = "second-discard" if self.last == seat else "out-of-turn"
                    self.say(code, event, seat)
            elif self.held[seat] == event.card and not self.rules["discard_just_taken"]:
                self.say("discard-just-taken", event, seat)
            last = self.rules["wall"] == "last-upcard"
            if last and self.dead and self.crossed and seat in self.held:
                self.once("stock-floor-crossed", event, seat)
        self.throw(event, seat, event.card)
        if not done:
            self.end_turn(seat)
            self.last = seat
            self.dead = self.dead or self.stock <= self.rules["stock_floor"]

    def throw(self, event, seat, card):
        if card not in self.hands[seat]:
            self.say("card-not-held" if card in PACK else "card-not-in-deck", event, seat)
            raise Stop
        self.hands[seat].remove(card)
        self.pile.append(card)

    def end_turn(self, seat):
        self.held.pop(seat, None)
        if self.both:
            seq, early, late = self.both
            self.say(
                *(("out-of-turn", seq, early) if seat == late else ("discard-missing", seq, late))
            )
            if seat == early:
                self.held.pop(late)
            self.both = None
        self.offer, self.must_stock = [], False
        self.turn = self.other(seat)

    def on_pass(self, event):
        seat = event.seat
        if self.ended(event):
            return
        self.last = None
        if self.offer or self.must_stock:
            if seat != self.turn or self.must_stock:
                self.say("upcard-order", event, seat)
            if self.offer:
                self.offer = [each for each in self.offer if each != seat]
                first = next((s for s in self.playing() if s > self.dealer), self.playing()[0])
                self.must_stock = not self.offer
                self.turn = self.offer[0] if self.offer else first
        elif self.dead and seat not in self.held:
            self.passed = self.passed or seat == self.turn
            self.turn = self.other(seat)
        elif seat != self.turn:
            self.say("out-of-turn", event, seat)
        else:
            if seat in self.held:
                self.say("discard-missing", event, seat)
            elif not self.lost.pop(seat, None):
                self.say("draw-missing", event, seat)
            self.held.pop(seat, None)
            self.turn = self.other(seat)

    def on_reshuffle(self, event):
        self.say("reshuffle-early", event)
        self.free |= set(self.pile[:-1])
        self.stock += len(self.pile) - 1
        self.pile = self.pile[-1:]
        self.dead = self.dead and self.stock <= self.rules["stock_floor"]

    # The end

    def on_irregularity(self, event):
        if event.kind == "saw-card":
            self.barred[event.seat] = event.seat
            self.new(event.card, event, event.seat)
            self.stock -= 1
            self.open.append(event.card)
            self.from_stock, self.seer = set(), event.seat
        if event.kind == "looked-back":
            self.lost[event.seat] = True

    def on_ruling(self, event):
        if self.knock and event.target == self.knock["seq"]:
            if event.outcome == "declaration-wrong" and not self.knock["refusable"]:
                self.say("right-declaration-refused", event, self.knock["seat"])
            if event.outcome == "declaration-right" and self.knock["refusable"]:
                self.say("wrong-declaration-accepted", event, self.knock["seat"])

    def on_void(self, event):
        if self.stock > self.rules["stock_floor"] and event.cause != "agreed":
            self.say("void-unfounded", event)
        self.over = "void"

    def on_misdeal(self, event):
        self.over = "misdeal"

    def on_score(self, event):
        self.scores.append(event)
