"""The table of gin: whose turn it is, what each seat has done, where the cards are.

Judges read it; the moves change it and never judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from rummy_audit.rhl.records import (
    UNKNOWN,
    Deal,
    HandRecord,
    Misdeal,
    Result,
    Score,
    Shuffle,
    Void,
)
from rummy_audit.rules.cards import pack
from rummy_audit.rules.deck import Order, Pull
from rummy_audit.rules.families.gin.law import law
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.rulesets import Ruleset
from rummy_audit.rules.table import Holding, Table

if TYPE_CHECKING:
    from rummy_audit.rules.families.gin.score import Reckoning
    from rummy_audit.rules.families.gin.spread import Spread

_PACK = pack()


class Noticed:
    """An irregularity that the table noticed, and what became of its consequence.

    ``state``: pending until it can be told, then followed, broken (another finding
    says so) or found (it is a finding of its own).
    """

    __slots__ = ("kind", "seat", "seq", "state")

    def __init__(self, seq: int, kind: str, seat: int | None) -> None:
        """Note it; whether its consequence is followed has yet to be seen."""
        self.seq = seq
        self.kind = kind
        self.seat = seat
        self.state: Literal["pending", "followed", "broken", "found"] = "pending"


class Correction:
    """A wrong number of cards that its seat has to put right.

    ``size`` is the wrong number at rest, ``drew`` the draw of the turn that has to
    put it right. ``spared``: the turn in which it came to light had already gone
    too far for that.
    """

    __slots__ = ("drew", "noticed", "size", "spared")

    def __init__(self, noticed: Noticed, size: int, *, spared: bool) -> None:
        """Note a wrong number of cards."""
        self.noticed = noticed
        self.size = size
        self.spared = spared
        self.drew = 0


class Seat:
    """What one seat has done, and what it may not do for now.

    ``dealt`` is None where the log has no deal for it. ``barred`` is the turn in
    which this seat may not knock and ``why`` the irregularity behind that;
    ``loses_draw`` is one that costs the next draw, ``kept`` tells of a discard found
    missing or a draw one too many. ``laid`` are the cards laid off, ``stranded`` those
    laid off against the rules, which still count; ``astray`` tells of one of these that
    nobody wrote down.
    """

    __slots__ = (
        "astray",
        "barred",
        "correction",
        "dealt",
        "dealt_at",
        "kept",
        "laid",
        "loses_draw",
        "no_bonus",
        "open",
        "shown",
        "shown_at",
        "stranded",
        "why",
    )

    def __init__(self) -> None:
        """Sit down; nothing has happened yet."""
        self.dealt: int | None = None
        self.dealt_at = 0
        self.correction: Correction | None = None
        self.barred = -1
        self.why: Noticed | None = None
        self.loses_draw: Noticed | None = None
        self.no_bonus = self.open = self.astray = False
        self.kept: Literal["", "draw", "discard"] = ""
        self.shown: Spread | None = None
        self.shown_at = 0
        self.laid: list[str] = []
        self.stranded: list[str] = []


class Knocked:
    """A knock as it was judged, and what the table said to it.

    ``judged`` tells that by the rules it may be refused, None that this cannot be told,
    ``wrong`` the same as the table goes by; ``codes`` are the declaration findings at
    it. ``big`` is big gin, ``unthrown`` a knock without the discard it needs, ``fell``
    the card thrown. ``melds`` grow by lay-offs, ``laid`` tells that there were some,
    ``refused`` that a ruling handed a wrong knock back; ``contradicted`` is what was
    found at the last ruling on it.
    """

    __slots__ = (
        "accepted",
        "big",
        "codes",
        "contradicted",
        "fell",
        "judged",
        "laid",
        "melds",
        "refused",
        "seat",
        "seq",
        "spread",
        "unthrown",
        "wrong",
    )

    def __init__(
        self, seq: int, seat: int, spread: Spread, *, wrong: bool | None, codes: frozenset[str]
    ) -> None:
        """Note a knock; nobody has answered it yet."""
        self.big = self.unthrown = False
        self.fell: str | None = None
        self.seq = seq
        self.seat = seat
        self.spread = spread
        self.wrong = self.judged = wrong
        self.contradicted: tuple[str, int] | None = None
        self.codes = codes
        self.melds: list[tuple[str, ...]] = list(spread.groups)
        self.laid = False
        self.accepted = self.refused = False


class GinTable(Table):
    """The state of a hand of gin.

    ``drawn`` maps the seats that have drawn and not discarded to the card taken
    from the discard pile, None where it came from the stock. ``may_draw`` and
    ``may_discard`` name the seat that may do so without a word said, 0 for none:
    what is out of the ordinary (``watch``) is asked only when they do not answer, and
    of what a seat owes for an irregularity only where one was noticed (``bothered``).
    ``lacking`` holds seats a card short for a discard without a draw, and whether they drew
    out of turn since; ``owing`` is one by the last act, less than none where it drew behind it.
    ``paid`` is a discard found missing that stands where a turn of its own was due: the next
    act shows which of the two it was.
    ``dark`` counts the cards taken from the pile that nobody saw: each may be one that was
    seen in the hand of whoever threw it face down.
    ``offer``: the upcard is being offered, or was refused and the ``first`` stock
    draw is due. ``ahead`` is a draw made while the other seat held its discard:
    only the next act shows who slipped. ``played_on`` is the first draw
    where the cards had to be dealt again, ``no_upcard`` the first act of a log without an
    upcard, ``late`` holds what later events showed of earlier ones. ``handed_back``: a
    right knock that the opponent refused, in which turn, and whether its seat may have a bonus.
    """

    __slots__ = (
        *("ahead", "blind", "bothered", "called", "covered", "crossed", "dark", "dead"),
        "deal_faults",
        *("dealing", "deals", "deck", "drawn", "due", "exposed", "exposer", "exposer_barred"),
        *("exposing", "first_draw", "founded", "from_stock", "handed_back", "judged", "knock"),
        *("known_order", "lacking", "last_discard", "late", "law", "left", "may_discard"),
        *("may_draw", "no_upcard", "noticed", "offer", "over", "owing", "paid", "passed"),
        "plain_stock",
        *("played_on", "playing", "pulls", "reckoned", "redeal_chosen", "refused", "results"),
        *("scores", "seats", "shown_at", "shuffle", "slip", "slips", "starter", "status"),
        *("told", "turn", "turn_no", "undrawn", "unshuffled", "upcard", "watch"),
        "wrong_dealer",
    )

    def __init__(self, record: HandRecord, rules: Ruleset) -> None:
        """Seat the players."""
        super().__init__(record, rules, _PACK)
        self.law = law(rules)
        self.blind = self.detail in ("shown", "scores")
        self.late: list[Finding] = []
        self.noticed: list[Noticed] = []
        self.redeal()

    def redeal(self) -> None:
        """Gather the cards: before the first deal, and after a misdeal."""
        self.told: set[str] = set()
        if any(self.hands.values()):
            self.hands = {seat: Holding() for seat in self.order}
        self.seats = {seat: Seat() for seat in self.order}
        self.seen = {}
        self.stock = None if self.blind else 52
        self.plain_stock = False
        self.pile = []
        self.covered: dict[int, int] = {}
        self.dark = 0
        self.deals: list[Deal] = []
        self.dealing = True
        self.due: dict[str, set[int | None]] = {}
        self.deal_faults: list[int] = []
        self.wrong_dealer = self.unshuffled = False
        self.upcard: str | None = None
        self.no_upcard = 0
        self.known_order: Order | None = None
        self.deck: tuple[str, ...] | None = None
        self.shuffle: Shuffle | None = None
        self.pulls: list[Pull] | None = None
        self.playing: list[int] = list(self.order)
        self.left: dict[int, int] = {}
        self.turn: int | None = None
        self.turn_no = 0
        self.drawn: dict[int, str | None] = {}
        self.lacking: dict[int, bool] = {}
        self.last_discard: int | None = None
        self.owing = 0
        self.paid = 0
        self.may_draw = 0
        self.may_discard = 0
        self.watch = True
        self.offer: Literal["", "offer", "first"] = ""
        self.refused: set[int] = set()
        self.starter: int | None = None
        self.undrawn: set[int] = set()
        self.first_draw = 0
        self.played_on = 0
        self.ahead: tuple[int, int, int] | None = None
        self.slip: tuple[int, int] | None = None
        self._forget_the_end()

    def _forget_the_end(self) -> None:
        """Begin without a wall, a knock or a score."""
        self.bothered = False
        self.dead = False
        self.passed = False
        self.crossed = False
        self.exposed: list[str | None] = []
        self.exposing: list[Noticed] = []
        self.exposer = 0
        self.exposer_barred = False
        self.from_stock: set[int] = set()
        self.knock: Knocked | None = None
        self.handed_back: tuple[Knocked, int, bool] | None = None
        self.slips: list[tuple[str, int]] = []
        self.judged: tuple[object, Spread, frozenset[str]] | None = None
        self.shown_at: tuple[object, Spread] | None = None
        self.over: Literal["", "misdeal", "void"] = ""
        self.called: Misdeal | Void | None = None
        self.founded: bool | None = None
        self.redeal_chosen = False
        self.scores: list[Score] = []
        self.results: list[Result] = []
        self.reckoned: Reckoning | None = None
        self.status: str | None = None

    def may_lie_elsewhere(self, card: str) -> bool:
        """Whether a card seen in a hand may have left it unseen, and been taken so."""
        return bool(self.dark) and any(
            hand.gone and hand.holds(card) for hand in self.hands.values()
        )

    def say_once(self, code: str) -> bool:
        """Whether this is the first time that such a thing is said in this hand."""
        if code in self.told:
            return False
        self.told.add(code)
        return True

    def opponent(self, seat: int) -> int | None:
        """Return the other seat, None where there is not exactly one."""
        others = [other for other in self.playing if other != seat]
        return others[0] if len(others) == 1 else None

    # Turns

    def settle_seats(self) -> None:
        """Work out who plays: a seat that was dealt nothing is outside the turn order.

        Nobody plays alone: one deal does not say that nobody else was dealt.
        """
        dealt = [seat for seat in self.order if self.seats[seat].dealt is not None]
        self.playing = playing = dealt if len(dealt) > 1 else list(self.order)
        self.left = dict(zip(playing, playing[1:] + playing[:1], strict=True))
        self.undrawn = set(playing)
        dealer = self.record.dealer
        if dealer is not None and playing:
            self.starter = next((seat for seat in playing if seat > dealer), playing[0])
        self.turn = self.starter

    def mark(self) -> None:
        """Mark who may draw or discard without a word said."""
        self.plain_stock = (
            self.stock is not None and self.known_order is None and self.pulls is None
        )
        self.may_draw = self.may_discard = 0
        if self.watch or self.turn not in self.left:
            return
        if self.turn in self.drawn:
            self.may_discard = self.turn
        else:
            self.may_draw = self.turn

    def begins_anew(self) -> None:
        """Play on after a misdeal where the deals are not in the log: there was another."""
        if self.blind and self.over == "misdeal":
            self.over = ""
            self.knock = None

    @property
    def is_over(self) -> bool:
        """Whether the hand has been decided at the table, or scored."""
        return bool(self.over or self.knock or self.scores)

    def pass_on(self, seat: int) -> None:
        """End the turn of a seat: its left neighbour is next."""
        self.take_turn(self.left.get(seat, seat))

    def take_turn(self, seat: int) -> None:
        """Give the turn to a seat."""
        if seat != self.turn:
            self.turn = seat
            self.turn_no += 1

    def look_closer(self) -> None:
        """From now on ask every rule at every act: something is out of the ordinary."""
        self.watch = True
        self.may_draw = self.may_discard = 0

    def look_away(self) -> None:
        """Ask no more than the ordinary once nothing is out of it any more."""
        self.watch = bool(
            self.undrawn
            or self.offer
            or self.ahead
            or self.dead
            or self.is_over
            or self.exposed
            or self.turn is None
            or self.paid
            or any(seat != self.turn for seat in self.drawn)
            or any(self.lacking.values())
            or (
                self.bothered
                and any(seat.correction or seat.loses_draw for seat in self.seats.values())
            )
        )
        self.mark()

    def close_exposed(self) -> None:
        """Put what still lies open beside the pile on it: nobody may take it any more."""
        for card in self.exposed:
            self.pile.append(card or UNKNOWN)
        self.exposed = []
        self.from_stock = set()
        for noticed in self.exposing:
            if noticed.state == "pending":
                noticed.state = "followed"
        self.exposing = []

    def rest_size(self, seat: int) -> int:
        """How many cards a seat holds, a drawn card that is not yet discarded left out."""
        return len(self.hands[seat]) - (seat in self.drawn)
