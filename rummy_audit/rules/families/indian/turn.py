"""Turns: one draw, one discard, clockwise from the dealer's left.

The common case is answered by one comparison (``may_draw``, ``may_discard``);
what follows below it is asked only when something is out of order.
"""

from __future__ import annotations

from rummy_audit.rhl.records import JOKER, UNKNOWN, Declare, Discard, Draw, Event, Miss
from rummy_audit.rules.cards import is_wild
from rummy_audit.rules.families.indian import stock
from rummy_audit.rules.families.indian.table import IndianTable
from rummy_audit.rules.findings import NONE, Findings, Impossible

# 001 Turn Structure Rules


def draws_in_turn(table: IndianTable, event: Draw) -> Findings:
    """Whoever's turn it is draws exactly one card before discarding."""
    if event.seat == table.may_draw:
        return NONE if event.cards is None or len(event.cards) == 1 else _second_draw(table, event)
    return _out_of_order(table, event)


def discards_in_turn(table: IndianTable, event: Discard) -> Findings:
    """Whoever has drawn discards exactly one card, which ends the turn."""
    if event.seat == table.may_discard or table.blind:
        return NONE
    stopped = _stopped(table, event)
    if stopped is not None:
        return stopped
    seat = event.seat
    if table.turn is None or seat in table.pending:
        return NONE
    if seat == table.turn or seat in table.also:
        return NONE if table.drawn else _draw_missing(table, event)
    if seat == table.last_discard:
        return (table.found("second-discard", event, seat=seat, card=event.card),)
    return _out_of_turn(table, event)


def misses_in_turn(table: IndianTable, event: Miss) -> Findings:
    """Only the seat whose turn it is can miss it; a seat that is out misses nothing."""
    if table.blind or event.seat not in table.seats or table.seats[event.seat].state != "in":
        return NONE
    if event.seat in (table.may_draw, table.may_discard) or event.seat in table.pending:
        return NONE
    return _out_of_order(table, event)


def declares_in_turn(table: IndianTable, event: Declare) -> Findings:
    """A declaration ends the own turn of a player who has drawn."""
    if event.seat == table.may_discard or table.blind:
        return NONE
    stopped = _stopped(table, event)
    if stopped is not None:
        return stopped
    if table.turn is None or event.seat in table.pending:
        return NONE
    if event.seat == table.turn or event.seat in table.also:
        return NONE
    if event.seat == table.last_discard:
        return NONE  # the finish card came a second time: declare-without-draw says so
    if table.drawn and event.seat == table.left[table.turn]:
        return _discard_missing(table, event, table.turn)
    return _out_of_turn(table, event)


def _out_of_order(table: IndianTable, event: Draw | Miss) -> Findings:
    """Say what is wrong with a turn that begins where none should."""
    if table.blind:
        return NONE
    stopped = _stopped(table, event)
    if stopped is not None:
        return stopped
    seat, turn = event.seat, table.turn
    if turn is None:
        return NONE
    if seat in table.pending:
        # The draw before this one was never followed by a discard.
        return _discard_missing(table, event, seat) if seat == turn else _second_draw(table, event)
    if seat == turn:
        return _second_draw(table, event) if table.drawn else NONE
    if seat in table.also:
        return NONE
    if table.drawn and seat == table.left[turn]:
        return _discard_missing(table, event, turn)
    return _out_of_turn(table, event)


def _out_of_turn(table: IndianTable, event: Event, seat: int | None = None) -> Findings:
    actor = seat or event.seat  # type: ignore[attr-defined] # every act of play has a seat
    return (table.found("out-of-turn", event, seat=actor, expected=table.turn),)


def _second_draw(table: IndianTable, event: Draw | Miss) -> Findings:
    return (table.found("second-draw", event, seat=event.seat),)


def _draw_missing(table: IndianTable, event: Discard) -> Findings:
    return (table.found("draw-missing", event, seat=event.seat, card=event.card),)


def _discard_missing(table: IndianTable, event: Event, seat: int) -> Findings:
    return (table.found("discard-missing", event, seat=seat),)


def _stopped(table: IndianTable, event: Draw | Discard | Declare | Miss) -> Findings | None:
    """Say what bars this seat from acting at all; None where its turn is to be looked at."""
    if table.over or table.scores:
        told = after_the_end(table, event)
        if told is not None:
            return told
    seat = table.seats.get(event.seat)
    if seat is None or seat.state == "out":
        new = table.say_once("out-of-turn", event.seat)
        return _out_of_turn(table, event) if new else NONE
    if seat.state == "in":
        return None
    if seat.state == "won":
        return NONE  # the table has refused a right declaration: that is said there
    if seat.state == "missed":
        return _should_be_out(table, event)
    if table.say_once("acted-after-drop", event.seat):
        return (table.found("acted-after-drop", event, seat=event.seat, state=seat.state),)
    return NONE


def _should_be_out(table: IndianTable, event: Draw | Discard | Declare | Miss) -> Findings:
    """001 Drop rules: so many missed turns in a row drop a player from the hand."""
    missing = table.found("auto-drop-missing", event, "misses_to_drop", seat=event.seat)
    in_order = table.passed is not None and event.seat == table.left_of(
        table.passed, [*table.live, event.seat]
    )
    if in_order or table.turn is None:
        return (missing,)
    return (missing, *_out_of_turn(table, event))


def after_the_end(table: IndianTable, event: Event) -> Findings | None:
    """Once the hand is decided or scored nobody plays on.

    After a right declaration, and where the third miss left one player alone, the
    table may have seen it otherwise: then another finding says so, and only the
    whole hand shows which. Returns None where play has to be judged on.
    """
    last_out = table.seats.get(getattr(table.decider, "seat", 0))
    unsure = table.over == "declared" or (
        table.over == "alone" and last_out is not None and last_out.state == "missed"
    )
    if unsure and not table.scores:
        table.played_on = table.played_on or event
        return None
    if table.say_once("event-after-end", 0):
        return (table.found("event-after-end", event, seat=getattr(event, "seat", None)),)
    return NONE


# 001 Draw and discard edge cases


def takes_the_top_card(table: IndianTable, event: Draw) -> Findings:
    """Only the top card of the open pile may be taken."""
    if event.from_ == "stock" or table.blind or not table.pile:
        return NONE
    top, card = table.pile[-1], event.card
    if card is None or card == top or UNKNOWN in (top, card):
        return NONE
    if card not in table.pile:
        return NONE  # the cards cannot have moved so: the replay stops there
    return (table.found("draw-not-top", event, seat=event.seat, recorded=card, expected=top),)


def leaves_jokers_lying(table: IndianTable, event: Draw) -> Findings:
    """A joker that was discarded stays in the open pile.

    The first open card is another matter: one of the wild rank may be taken, a
    printed joker that was kept only where the table allows it.
    """
    if event.from_ == "stock" or table.law.joker_from_discard or table.blind:
        return NONE
    card = event.card or (table.pile[-1] if table.pile else None)
    if card is None or not is_wild(card, table.wild):
        return NONE
    parameter = "joker_from_discard"
    if table.untouched and len(table.pile) == 1:
        if card != JOKER or table.rules.flag("upcard_joker_takeable"):
            return NONE
        parameter = "upcard_joker_takeable"
    return (table.found("joker-from-discard", event, parameter, seat=event.seat, card=card),)


def discards_another_card(table: IndianTable, event: Discard | Declare) -> Findings:
    """Where the rules say so, the card just taken from the open pile is not discarded at once.

    It is no breach if the player held another copy of it.
    """
    if table.law.discard_just_taken or table.blind:
        return NONE
    seat, card = (
        table.seats.get(event.seat),
        event.discard if isinstance(event, Declare) else event.card,
    )
    if seat is None or seat.taken is None or seat.taken != card:
        return NONE
    hand = table.hands[event.seat]
    if hand.holds(card) > 1:
        return NONE
    elsewhere = table.pack.get(card, 0) - table.seen.get(card, 0)
    if hand.unknown and elsewhere:
        table.skip("discard-just-taken", "another copy may have been among the unseen cards")
        return NONE
    return (
        table.found("discard-just-taken", event, "discard_just_taken", seat=event.seat, card=card),
    )


# How cards move


def draw(table: IndianTable, event: Draw) -> None:
    """Move the drawn card into the hand, and the turn to whoever drew."""
    if table.declared:
        table.goes_on(event)
    if table.blind:
        return
    seat = table.seats.get(event.seat)
    if seat is None:
        raise Impossible(table.found("out-of-turn", event, seat=event.seat))
    cards = event.cards or (event.card,)
    hand = table.hands[event.seat]
    for card in cards:
        if event.from_ == "stock":
            stock.draw(table, event, card)
            hand.take(card)
        else:
            taken = _from_pile(table, event, card)
            hand.take(taken)
            hand.public[taken] = hand.public.get(taken, 0) + 1
            seat.taken = taken
    if seat.state in ("missed", "won") and not table.scores:
        table.bring_back(event.seat)
    if seat.state != "in" or table.scores:
        return
    if table.may_draw != event.seat and event.seat in (table.turn, *table.pending):
        seat.slipped = True
    if len(cards) > 1:
        seat.slipped = True
    seat.drew = seat.acted = True
    seat.misses = 0
    if event.from_ == "stock":
        seat.taken = None
    table.begin(event.seat)


def _from_pile(table: IndianTable, event: Draw, card: str | None) -> str:
    """Take a card out of the open pile, the top one where the log names none."""
    pile = table.pile
    if not pile or event.from_ == "exposed":
        raise Impossible(table.found("draw-not-top", event, seat=event.seat, recorded=card))
    top = pile[-1]
    if card is None or card == top:
        place = len(pile) - 1
    elif top == UNKNOWN:
        place = len(pile) - 1
        _uncover(table, event, card)
        pile[place] = card
    elif card == UNKNOWN:
        place = len(pile) - 1
    elif card in pile:
        place = len(pile) - 1 - pile[::-1].index(card)
        table.covered = {at - (at > place): seat for at, seat in table.covered.items()}
    else:
        raise Impossible(
            table.found("draw-not-top", event, seat=event.seat, recorded=card, expected=top)
        )
    table.covered.pop(place, None)
    table.untouched = False
    return pile.pop(place)


def _uncover(table: IndianTable, event: Event, card: str) -> None:
    """A card that was discarded face down comes to light."""
    thrower = table.covered.get(len(table.pile) - 1)
    hand = table.hands.get(thrower) if thrower is not None else None
    if hand is None or not hand.gone:
        table.sight(card, event, seat=thrower)
        return
    hand.gone -= 1
    if hand.holds(card):
        hand.give(card)
    else:
        hand.unknown -= 1
        table.sight(card, event, seat=thrower)


def discard(table: IndianTable, event: Discard) -> None:
    """Move a card from the hand to the open pile, and the turn to the left neighbour."""
    if table.declared:
        table.goes_on(event)
    if table.blind:
        return
    throw(table, event, event.card)
    if event.card == UNKNOWN:
        table.covered[len(table.pile)] = event.seat
    table.pile.append(event.card)
    table.untouched = False
    seat = table.seats[event.seat]
    if seat.state in ("missed", "won") and not table.scores:
        table.bring_back(event.seat)
    if seat.state != "in" or table.scores:
        return
    in_turn = table.drawn and event.seat == table.turn
    if not in_turn and event.seat not in table.pending:
        seat.slipped = True
        if table.turn not in (None, event.seat) and event.seat != table.last_discard:
            table.also, table.jumper = (table.turn,), event.seat
    seat.acted = True
    seat.misses = 0
    seat.taken = None
    table.pass_on(event.seat)
    table.last_discard = event.seat


def throw(table: IndianTable, event: Discard | Declare, card: str) -> None:
    """Take a card out of a hand; raise Impossible where it cannot have been there."""
    hand = table.hands.get(event.seat)
    known = hand.give(card) if hand is not None else None
    if known is None:
        code = "card-not-held" if card in table.pack or card == UNKNOWN else "card-not-in-deck"
        raise Impossible(table.found(code, event, seat=event.seat, card=card))
    if not known and card != UNKNOWN:
        table.sight(card, event, seat=event.seat)


def miss(table: IndianTable, event: Miss) -> None:
    """Count a missed turn; the last one allowed is the drop.

    A miss between draw and discard leaves a dead hand of one card too many.
    """
    table.goes_on(event)
    seat = table.seats.get(event.seat)
    if seat is None or seat.state != "in" or table.scores:
        return
    if table.over and not (table.over == "alone" and table.played_on):
        return
    in_turn = event.seat == table.turn
    dead = in_turn and table.drawn and not table.blind
    if table.drawn and table.turn is not None and event.seat == table.left[table.turn]:
        table.seats[table.turn].slipped = True
        table.drawn = False
    seat.misses += 1
    most = table.law.misses_to_drop
    if dead:
        table.put_out(event.seat, "dropped", charge(table, "middle_drop"), event)
    elif most is not None and seat.misses >= most:
        table.put_out(event.seat, "missed", charge(table, "middle_drop"), event)
    table.last_discard = None
    if in_turn:
        table.drawn = False
    elif table.turn is not None:
        table.also, table.jumper = (table.turn,), event.seat
    table.pass_on(event.seat)


def charge(table: IndianTable, parameter: str) -> str:
    """Return the parameter that says what it costs to be out: another where nobody may drop."""
    return parameter if table.law.drops else "no_drops_points"
