"""The knock, the showdown and the score for the second referee of gin."""

from tests.reference.gin_melds import PACK, is_meld, least, least_against, ordered, points


class Stop(Exception):
    """Cards cannot have moved so."""


class Showdown:
    """What follows once somebody knocks; ``gin.Plain`` plays the hand up to there."""

    def limit(self):
        most = self.rules["knock_max"]
        if most != "upcard":
            return most
        return self.rules["oklahoma_ace"] if self.upcard[0] == "A" else points([self.upcard])

    def claim(self, event, seat, groups, loose, thrown=()):
        """Lay a hand out: the melds that stand, and every other card that is held."""
        used, stand, odd = set(thrown), [], 0
        for group in (*groups, *((card,) for card in loose)):
            kept = []
            for card in group:
                if card in used:
                    self.say("card-in-two-groups", event, seat)
                elif card not in self.hands[seat]:
                    self.say("card-not-held" if card in PACK else "card-not-in-deck", event, seat)
                else:
                    kept.append(card)
                    used.add(card)
                    continue
                odd += 1
            if is_meld(kept):
                stand.append(tuple(kept))
            elif group in groups:
                stand.append(None)
        melded = {card for meld in stand if meld for card in meld}
        named = sum(map(len, groups)) + len(loose)
        return stand, self.hands[seat] - set(thrown) - melded, named, named - odd

    def on_knock(self, event):
        seat = event.seat
        if self.ended(event):
            return
        refusable = seat not in self.held
        if refusable:
            self.say("knock-without-draw", event, seat)
        if event.discard is not None and event.discard not in self.hands[seat]:
            self.throw(event, seat, event.discard)
        thrown = () if event.discard is None else (event.discard,)
        groups, loose = event.groups, event.loose or ()
        stand, dead, named, valid = self.claim(event, seat, groups, loose, thrown)
        whole = self.hands[seat] - set(thrown)
        best = self.rules["judge_knocker"] == "best"
        deadwood = least(frozenset(whole)) if best else points(dead)
        if self.barred.get(seat) == self.turn and deadwood:
            self.say("knock-while-barred", event, seat)
            refusable = True
        big = not thrown and not dead and self.rules["big_gin_bonus"] != "none"
        if not thrown and not big:
            self.say("discard-missing", event, seat)
            refusable = True
        if thrown and self.held.get(seat) == event.discard and not self.rules["discard_just_taken"]:
            self.say("discard-just-taken", event, seat)
        called = event.deadwood
        short = thrown and len(whole) not in (named, valid)
        if short or called not in (None, points(dead), least(frozenset(whole)) if best else None):
            self.say("knock-wrong-deadwood", event, seat)
        most = deadwood if thrown else deadwood - max([points([card]) for card in dead], default=0)
        if most > self.limit():
            self.say("knock-over-limit", event, seat)
            refusable = True
        if points(dead) > least(frozenset(whole)):
            self.say("arrangement-not-best", event, seat)
        if thrown:
            self.throw(event, seat, event.discard)
        self.end_turn(seat)
        self.knock = {
            "seat": seat,
            "deadwood": None if not thrown and not big and deadwood else deadwood,
            "melds": stand,
            "now": list(stand),
            "big": big,
            "refusable": refusable,
            "seq": event.seq,
        }

    def lay_off_allowed(self):
        gin = self.knock["deadwood"] == 0
        return self.rules["layoff_on_gin"] or not gin

    def on_layoff(self, event):
        seat, knock = event.seat, self.knock
        allowed = knock is not None and self.lay_off_allowed()
        if not allowed:
            self.once("layoff-on-gin" if knock else "layoff-invalid", event, seat)
        for card in event.cards:
            if card not in self.hands[seat]:
                self.say("card-not-held", event, seat)
                raise Stop
            meld = knock["now"][event.meld - 1] if event.meld <= len(knock["now"]) else None
            if allowed and meld and is_meld((*meld, card)):
                knock["now"][event.meld - 1] = (*meld, card)
                self.hands[seat].remove(card)
                self.laid.append(card)
            else:
                self.bad.append(card)
                if allowed:
                    self.say("layoff-invalid", event, seat)
        self.laid = self.laid or [None]

    def on_show(self, event):
        seat = event.seat
        _, dead, named, valid = self.claim(event, seat, event.groups or (), event.loose or ())
        unnamed = {
            card
            for card in self.bad
            if card not in (event.loose or ()) and not any(card in g for g in event.groups or ())
        }
        if len(self.hands[seat] - unnamed) not in (named, valid):
            self.say("hand-size", event, seat)
        self.shown = (event.seq, seat, points(dead))

    # The score

    def settle(self):
        """Hold the scores against the points by the rules, and return those."""
        status = self.hand.end.status if self.hand.end else None
        dead = self.dead and not self.knock
        due, winner = self.due()
        if status == "completed" and not self.scores and not dead:
            self.say("score-missing", 0)
        if self.scores and status == "completed" and not (self.over or self.knock or dead):
            self.say("hand-not-ended", self.scores[0])
            return {}
        for event in self.scores:
            for seat in self.playing():
                if seat not in event.points:
                    self.say("score-missing", event, seat)
            wrong = [
                seat for seat in event.points if due and event.points[seat] != due.get(seat, 0)
            ]
            if wrong:
                self.say("score-wrong", event, wrong[0] if len(wrong) == 1 else None)
            follows = winner is None and event.points.get(event.winner, 0) > 0
            if due and event.winner not in (None, winner) and not follows:
                self.say("winner-wrong", event)
        if self.over or status == "abandoned" or (dead and not self.scores):
            return {}
        return due or {}

    def due(self):
        zero = dict.fromkeys(self.playing(), 0)
        if self.over or (self.dead and not self.knock):
            return zero, None
        knock = self.knock
        if not knock or knock["deadwood"] is None or len(self.playing()) != 2:
            return None, None
        seat, rival = knock["seat"], self.other(knock["seat"])
        melds = [meld for meld in knock["melds"] if meld] if self.lay_off_allowed() else []
        cards = frozenset(self.hands[rival] | {card for card in self.laid if card})
        best = least_against(cards, tuple(sorted(map(ordered, melds))))
        theirs = best if self.rules["judge_defender"] == "best" or not self.shown else self.shown[2]
        if self.shown and self.shown[2] > best:
            self.say("arrangement-not-best", self.shown[0], rival)
        mine = knock["deadwood"]
        if mine == 0:
            bonus = self.rules["big_gin_bonus"] if knock["big"] else self.rules["gin_bonus"]
            return zero | {seat: theirs + bonus}, seat
        if mine < theirs:
            return zero | {seat: theirs - mine}, seat
        if mine == theirs and not self.rules["undercut_on_tie"]:
            return zero, None
        return zero | {rival: mine - theirs + self.rules["undercut_bonus"]}, rival
