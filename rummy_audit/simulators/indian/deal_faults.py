"""Faults of the deal, the known deck and the seal of a log, for the simulator."""

from __future__ import annotations

from collections.abc import Callable

from rummy_audit.rhl import records
from rummy_audit.rhl.cards_text import JOKER
from rummy_audit.rhl.records import Event
from rummy_audit.rhl.shuffle import SCHEME, commit
from rummy_audit.simulators.indian.faults import ALL, CARDS, PLAY, Fault, Made, Played, put
from rummy_audit.simulators.indian.game import Game
from rummy_audit.simulators.indian.targets import Dice

Make = Callable[[Played, Dice], Made | None]


def find(played: Played, kind: type[Event], dice: Dice | None = None) -> int | None:
    """Return the place of an event of a kind, the last one or any."""
    places = [n for n, event in enumerate(played.events) if type(event) is kind]
    if not places:
        return None
    return int(dice.choice(places)) if dice else places[-1]


def break_off(played: Played, at: int) -> None:
    """Break the hand off before an event."""
    del played.events[at:]
    played.status = "abandoned"


def _dealt(code: str) -> Make:
    def make(played: Played, dice: Dice) -> Made | None:
        events = played.events
        deals = [n for n, event in enumerate(events) if isinstance(event, records.Deal)]
        first = next((n for n, e in enumerate(events) if isinstance(e, records.Draw)), None)
        if first is None:
            return None
        break_off(played, first + 1)
        at = int(dice.choice(deals))
        dealt = events[at]
        if not isinstance(dealt, records.Deal) or dealt.cards is None:
            return None
        drawer = events[first]
        last = deals[-1] + 1
        if code == "deal-count":
            events[at] = put(dealt, cards=dealt.cards[:-1])
            return Made(code, at + 1, dealt.seat)
        if code == "misdeal-unfounded":
            break_off(played, last)
            events.append(records.Misdeal(cause="agreed"))
            played.status = "misdeal"
            return Made(code, last + 1)
        if code == "deal-wild-missing":
            events[:] = [event for event in events if not isinstance(event, records.Wild)]
            return Made(code, len(events))
        if code == "joker-upcard-not-buried":
            rules = played.game.rules
            if rules.choice("upcard_joker") != "bury" or not rules.number("printed_jokers"):
                return None
            used = sum(_names(event).count(JOKER) for event in events)
            if used >= rules.number("printed_jokers"):
                return None
            up = next(n for n, event in enumerate(events) if isinstance(event, records.Upcard))
            events[up] = records.Upcard(card=JOKER)
            return Made(code, up + 1)
        kinds = {"deal-exposed": "exposed-card", "deal-unshuffled": "not-shuffled"}
        if code in kinds:
            seat = dealt.seat if code == "deal-exposed" else None
            notice = records.Irregularity(kind=kinds[code], seat=seat)  # type: ignore[arg-type]
            events.insert(last, notice)
            return Made(code, last + 1, seat)
        if code == "misdeal-not-called":
            events.insert(last, records.Irregularity(kind="not-shuffled"))
            seat = drawer.seat if isinstance(drawer, records.Draw) else None
            return Made(code, first + 2, seat)
        events.insert(last, records.Irregularity(kind="wrong-dealer"))
        return Made("dealer-wrong", 0)

    return make


def _names(event: Event) -> tuple[str, ...]:
    """Return the cards that an event of the deal or a draw names."""
    cards = getattr(event, "cards", None) or ()
    card = getattr(event, "card", None)
    return (*cards, card) if card else tuple(cards)


def deck_of(game: Game, dice: Dice) -> tuple[str, ...]:
    """Return a deck from which the cards came as they did; nothing where that is not plain."""
    deals = [event.cards or () for event in game.events if isinstance(event, records.Deal)]
    upcards = [event.card for event in game.events if isinstance(event, records.Upcard)]
    wilds = [event.card for event in game.events if isinstance(event, records.Wild)]
    if len(wilds) != 1 or len(upcards) != 1 or game.renewals:
        return ()
    rest = sorted(game.free.elements())
    dice.shuffle(rest)
    dealt = [cards[place] for place in range(len(deals[0])) for cards in deals]
    return (*dealt, *upcards, *game.stock_draws, *rest, *wilds)


def _another_deck(played: Played, dice: Dice) -> Made | None:
    deck = deck_of(played.game, dice)
    if not deck:
        return None
    played.events[:] = [event for event in played.events if not isinstance(event, records.Deck)]
    at = next((n for n, e in enumerate(played.events) if isinstance(e, records.Draw)), None)
    start = len(played.game.order) * played.game.rules.number("hand_size") + 1
    drawn = None if at is None else played.events[at]
    if at is None or not isinstance(drawn, records.Draw) or drawn.from_ != "stock":
        return None
    other = next((n for n in range(start + 1, len(deck)) if deck[n] != deck[start]), None)
    if other is None:
        return None
    changed = list(deck)
    changed[start], changed[other] = changed[other], changed[start]
    break_off(played, at + 1)
    played.events.insert(0, records.Deck(cards=tuple(changed)))
    return Made("deck-order", at + 2, drawn.seat)


def _another_seed(played: Played, dice: Dice) -> Made | None:
    seed = f"seed {dice.randrange(0, 10**6)}"
    shuffle = records.Shuffle(scheme=SCHEME, commit=commit("another seed"), nonce=1)
    events = [event for event in played.events if not isinstance(event, records.Deck)]
    first = next((n for n, e in enumerate(events) if isinstance(e, records.Draw)), None)
    if first is None:
        return None
    played.events[:] = [shuffle, *events[: first + 1], records.Reveal(seed=seed)]
    played.status = "abandoned"
    return Made("shuffle-mismatch", len(played.events))


def _too_many(played: Played, _dice: Dice) -> Made | None:
    rules, count = played.game.rules, len(played.game.seats)
    wrong = not rules.number("players_min") <= count <= rules.number("players_max")
    return Made("player-count", 0) if wrong else None


def _counted(played: Played, _dice: Dice) -> Made:
    return Made("seq-count", 0, count=len(played.events) + 500)


def _sealed(_played: Played, _dice: Dice) -> Made:
    return Made("chain-broken", 0, head="0" * 64)


def _cheered(played: Played, _dice: Dice) -> Made:
    played.events.append(records.UnknownEvent(kind="cheer", extra={"seat": played.game.seats[0]}))
    return Made("unknown-event", len(played.events))


def _coloured(played: Played, _dice: Dice) -> Made | None:
    at = find(played, records.Score)
    if at is None:
        return None
    played.events[at] = put(played.events[at], extra={"colour": "red"})
    return Made("unknown-field", at + 1)


DEAL = ("deal-count", "deal-exposed", "deal-unshuffled", "dealer-wrong", "misdeal-not-called")

DEALS: dict[str, Fault] = {
    **{code: Fault(PLAY, _dealt(code)) for code in DEAL},
    "misdeal-unfounded": Fault(PLAY, _dealt("misdeal-unfounded")),
    "deal-wild-missing": Fault(PLAY, _dealt("deal-wild-missing")),
    "joker-upcard-not-buried": Fault(PLAY, _dealt("joker-upcard-not-buried")),
    "deck-order": Fault(("full",), _another_deck),
    "shuffle-mismatch": Fault(("full",), _another_seed),
    "player-count": Fault(ALL, _too_many, {"players_min": 12, "players_max": 12}),
    "seq-count": Fault(ALL, _counted),
    "chain-broken": Fault(ALL, _sealed),
    "unknown-event": Fault(CARDS, _cheered),
    "unknown-field": Fault(ALL, _coloured),
}
