"""A second referee of basic rummy: slow and plain, by another method than the engine.

It reads a hand at full detail with its own books: cards are lists, groups are held
against every run and set there is, a joker is tried as every face. It names what
is wrong as (code, seq, seat), without the reasons of a group, and counts the hand.
"""

from tests.reference.basic_groups import FACES, Groups


class Stop(Exception):
    """Cards that cannot have moved so."""


class Referee:
    """One hand, event by event."""

    def __init__(self, hand, rules):
        self.log, self.rules, self.groups = hand, rules, Groups(rules)
        self.found, self.order = set(), []
        decks, wild = rules["decks"], rules["jokers_wild"]
        jokers = rules["printed_jokers"] or (2 * decks if wild else 0)
        self.pack = FACES * decks + ["JK"] * jokers
        self.hands, self.pile, self.melds = {}, [], []
        self.stock = len(self.pack)
        self.turn = self.actor = None
        self.open_turn, self.turns, self.before, self.now = {}, {}, {}, {}
        self.own, self.taken, self.first_lay = set(), {}, {}
        self.calls, self.scores = [], []
        self.over = self.loose = self.winner = None
        self.rummy = self.late = self.turned = self.drawn_once = False
        self.reshuffles, self.small, self.ripe = 0, False, False
        self.left_with = None

    def say(self, code, event, seat=None):
        self.found.add((code, event if isinstance(event, int) else event.seq, seat))

    def judge(self):
        count = len(self.log.record.players)
        if not self.rules["players_min"] <= count <= self.rules["players_max"]:
            self.say("player-count", 0)
        try:
            for event in self.log.events:
                getattr(self, type(event).__name__.lower(), lambda _: None)(event)
        except Stop:
            return None
        return self.finish()

    # Cards

    def everywhere(self):
        return (
            self.pile
            + [c for h in self.hands.values() for c in h]
            + [c for _, cards, _ in self.melds for c in cards]
        )

    def appear(self, card, event, seat=None):
        if card not in self.pack:
            self.say("card-not-in-deck", event, seat)
            raise Stop
        if self.everywhere().count(card) >= self.pack.count(card):
            self.say("too-many-copies", event, seat)
            raise Stop

    def leave(self, cards, event):
        rest = list(self.hands[event.seat])
        for card in cards:
            if card not in rest:
                self.say("card-not-held", event, event.seat)
                raise Stop
            rest.remove(card)
        self.hands[event.seat] = rest

    # Events

    def deal(self, event):
        for card in event.cards:
            self.appear(card, event, event.seat)
            self.hands.setdefault(event.seat, []).append(card)
            self.stock -= 1
        if len(event.cards) != self.rules["hand_size"]:
            self.say("deal-count", event, event.seat)
        self.order = sorted(self.hands)
        self.turn = self.left(self.log.record.dealer)

    def left(self, seat):
        return next((each for each in self.order if each > seat), self.order[0])

    def upcard(self, event):
        if self.after_end(event):
            return
        if self.drawn_once and not self.turned:
            self.say("upcard-order", event)
        self.appear(event.card, event)
        self.pile.append(event.card)
        self.stock -= 1
        self.turned = False

    def after_end(self, event):
        """Whether the hand is over; a loose end is undone by playing on."""
        if self.over and self.loose:
            self.over = self.loose = self.winner = None
        if self.over and not self.late:
            self.late, self.left_with = True, {k: list(v) for k, v in self.hands.items()}
            self.say("event-after-end", event, getattr(event, "seat", None))
        return bool(self.over)

    def draw(self, event):
        seat, over = event.seat, self.after_end(event)
        if not over:
            again = self.open_turn.get(seat)
            if again and self.actor == seat:
                self.say("second-draw", event, seat)
            elif seat != self.turn:
                waits = self.open_turn.get(self.turn) and seat == self.left(self.turn)
                if waits and self.hands[self.turn]:
                    self.say("discard-missing", event, self.turn)
                elif not waits:
                    self.say("out-of-turn", event, seat)
                if waits:
                    self.too_early(self.turn)
                    self.close(self.turn)
            if not (again and self.actor == seat):
                self.close(seat)
                self.turns[seat] = self.turns.get(seat, 0) + 1
        self.drawn_once = True
        self.open_turn[seat] = True
        self.turn = self.actor = seat
        if event.from_ == "stock":
            if self.stock == 0:
                if not over:
                    self.say("reshuffle-missing", event, seat)
                self.renew(self.rules["stock_exhausted"] == "turn-over", upcard=True)
            self.appear(event.card, event, seat)
            self.stock -= 1
            if self.small and not self.stock:
                self.ripe = True
        else:
            if event.card not in self.pile:
                self.say("draw-not-top", event, seat)
                raise Stop
            if event.card != self.pile[-1]:
                self.say("draw-not-top", event, seat)
            self.pile.reverse()
            self.pile.remove(event.card)
            self.pile.reverse()
            self.taken[seat] = None if event.card in self.hands[seat] else event.card
        self.hands[seat].append(event.card)

    def renew(self, turned, *, upcard=False):
        kept = [] if turned or not self.rules["reshuffle_keeps_top"] else self.pile[-1:]
        self.stock += len(self.pile) - len(kept)
        first, self.pile = self.pile[:1], kept
        self.reshuffles += 1
        if turned and upcard:
            self.pile, self.stock = first, self.stock - 1

    def reshuffle(self, event):
        mode, most = self.rules["stock_exhausted"], self.rules["reshuffles_max"]
        if self.over == "by-stock":
            self.over = None
        elif self.after_end(event):
            return
        if mode in ("hand-ends", "block") or self.stock:
            self.say("reshuffle-early", event)
        elif most != "none" and self.reshuffles >= most:
            self.say("reshuffle-too-often", event)
        turned = mode == "turn-over"
        cards = self.pile if turned or not self.rules["reshuffle_keeps_top"] else self.pile[:-1]
        same = (
            sorted(event.cards) == sorted(cards)
            if not turned or self.stock
            else (list(event.cards) == cards)
        )
        if mode in ("reshuffle", "turn-over") and not same:
            self.say("deck-order", event)
        self.renew(turned)
        self.turned = turned

    def lay(self, event):
        seat, over = event.seat, self.after_end(event)
        if not over and not self.open_turn.get(seat):
            self.say("draw-missing" if seat == self.turn else "out-of-turn", event, seat)
        last = len(self.hands[seat]) == len(event.cards)
        if not over and last and self.rules["final_discard"] == "required":
            self.say("out-without-discard", event, seat)
        self.leave(event.cards, event)

    def laid(self, event, kind):
        seat = event.seat
        self.now.setdefault(seat, []).append(kind)
        self.first_lay.setdefault(seat, event.seq)
        self.actor = seat
        if not self.hands[seat] and not self.over:
            self.out(seat, event, loose=self.rules["final_discard"] == "required")

    def meld(self, event):
        self.lay(event)
        standing = self.groups.readings(event.cards)
        if not standing:
            self.say("meld-invalid", event, event.seat)
        self.melds.append((event.seat, list(event.cards), standing))
        self.own.add(event.seat)
        self.laid(event, "meld")

    def layoff(self, event):
        if self.rules["layoff_needs_meld"] and event.seat not in self.own:
            self.say("layoff-before-meld", event, event.seat)
        self.lay(event)
        seat, cards, standing = self.melds[event.meld - 1]
        grown = self.groups.grown(standing, event.cards)
        if standing and not grown:
            self.say("layoff-invalid", event, event.seat)
        cards = [*cards, *event.cards]
        self.melds[event.meld - 1] = (seat, cards, grown or self.groups.readings(cards))
        self.laid(event, "layoff")

    def discard(self, event):
        seat, over = event.seat, self.after_end(event)
        if not over:
            if not self.open_turn.get(seat) and not self.now.get(seat):
                late = "second-discard" if self.actor == seat else "out-of-turn"
                self.say("draw-missing" if seat == self.turn else late, event, seat)
            if self.taken.get(seat) == event.card and not self.rules["discard_just_taken"]:
                self.say("discard-just-taken", event, seat)
        self.leave([event.card], event)
        self.pile.append(event.card)
        self.actor, self.turn = seat, self.left(seat)
        if not self.hands[seat] and not self.over:
            self.out(seat, event, loose=False)
            return
        if not over:
            self.too_early(seat)
        self.close(seat)
        if not self.over and not self.stock:
            most = self.rules["reshuffles_max"]
            used_up = most != "none" and self.reshuffles >= most
            if used_up or self.rules["stock_exhausted"] in ("hand-ends", "block"):
                self.over = "by-stock"
        few = all(len(hand) <= 2 for hand in self.hands.values())
        self.ripe = few and (self.ripe or (not self.small and not self.stock))
        self.small = few

    def close(self, seat):
        self.before[seat] = self.before.get(seat, []) + self.now.pop(seat, [])
        self.open_turn[seat] = False
        self.taken.pop(seat, None)
        self.first_lay.pop(seat, None)

    def too_early(self, seat):
        if self.rules["meld_when"] == "going-out" and seat in self.first_lay:
            self.say("meld-not-allowed-yet", self.first_lay[seat], seat)

    def out(self, seat, event, *, loose):
        del event
        now = self.now.get(seat, [])
        self.over, self.loose, self.winner = "won", loose, seat
        self.rummy = (
            bool(now)
            and not self.before.get(seat)
            and (self.rules["rummy_with_layoffs"] or "layoff" not in now)
            and (self.rules["rummy_first_turn"] or self.turns[seat] > 1)
        )

    def call(self, event):
        if event.what == "rummy":
            begun = self.open_turn.get(event.seat) or self.now.get(event.seat)
            self.calls.append((event, self.turns.get(event.seat, 0) + (not begun)))
            return
        if self.over:
            return
        stands = {"table": True, "never": False}.get(self.rules["stalemate_call"])
        if self.rules["stalemate_call"] == "after-exhaustion":
            stands = self.small and self.ripe and not any(self.open_turn.values())
        elif stands is None:
            free = [c for c in set(self.pack) if self.count_melded(c) < self.pack.count(c)]
            stands = all(len(hand) <= 2 for hand in self.hands.values()) and not any(
                self.groups.grown(standing, [card])
                for _, _, standing in self.melds
                for card in free
            )
        if not stands:
            self.say("stalemate-premature", event, event.seat)
        self.over, self.loose = "stalemate", not stands

    def count_melded(self, card):
        return sum(cards.count(card) for _, cards, _ in self.melds)

    def score(self, event):
        self.scores.append(event)

    # The end

    def points(self):
        hands = self.left_with or self.hands
        held = {seat: self.groups.deadwood(hand) for seat, hand in hands.items()}
        if self.over == "by-stock" and self.rules["stock_exhausted"] in ("hand-ends", "block"):
            return held
        if self.over != "won":
            return dict.fromkeys(held, 0)
        factor = self.rules["going_rummy"] if self.rummy else 1
        if self.rules["scoring"] == "charged":
            return {seat: 0 if seat == self.winner else factor * held[seat] for seat in held}
        total = factor * sum(held.values()) + self.rules["out_bonus"]
        return {seat: total if seat == self.winner else 0 for seat in held}

    def finish(self):
        for event, turn in self.calls:
            seat = event.seat
            right = self.winner == seat and self.rummy and self.turns.get(seat) == turn
            passed = self.turns.get(seat, 0) >= turn and not self.open_turn.get(seat)
            if not right and (self.over or passed):
                self.say("rummy-call-wrong", event, seat)
        completed = self.log.end.status == "completed"
        if completed and not self.scores:
            self.say("score-missing", 0)
        if not self.over:
            if completed and self.scores:
                self.say("hand-not-ended", self.scores[-1])
            return None
        points = self.points()
        for event in self.scores:
            wrong = [
                seat for seat in points if event.points.get(seat, points[seat]) != points[seat]
            ]
            for seat in set(points) - set(event.points):
                self.say("score-missing", event, seat)
            if wrong:
                self.say("score-wrong", event, wrong[0] if len(wrong) == 1 else None)
            if event.winner not in (None, self.winner):
                self.say("winner-wrong", event, event.winner)
        return points


def judge(hand, rules):
    """Return what is wrong as (code, seq, seat), and the points where the hand was decided."""
    referee = Referee(hand, rules)
    points = referee.judge()
    return referee.found, points
