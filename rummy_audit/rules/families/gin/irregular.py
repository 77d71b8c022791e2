"""What the table itself noticed, what players chose then, and what a referee ruled.

003 Irregularities. Each has its consequence: where that was followed the
irregularity is a note, else the act against it is a finding.
"""

from __future__ import annotations

from typing import Any

from rummy_audit.rhl.records import Choice, Irregularity, Ruling
from rummy_audit.rules.deck import Pull
from rummy_audit.rules.families.gin import correction, deal
from rummy_audit.rules.families.gin.moves import may_be_refused, reopen
from rummy_audit.rules.families.gin.pile import pulled
from rummy_audit.rules.families.gin.table import GinTable, Knocked, Noticed
from rummy_audit.rules.findings import NONE, Finding, Findings


def notices(table: GinTable, event: Irregularity) -> Findings:
    """What makes or may make a misdeal is a finding where the table noticed it."""
    # Before everybody has cards the deal is still going on.
    found: list[Finding] = [*deal.closes(table, event)] if _all_dealt(table) else []
    code, parameter = _code(table, event)
    if code is None:
        return found
    data: dict[str, Any] = {} if event.card is None else {"card": event.card}
    seat = event.seat
    if code == "dealer-wrong" and seat is None:
        seat = table.record.dealer
    found.append(table.found(code, event, parameter, seat=seat, **data))
    return found


def _all_dealt(table: GinTable) -> bool:
    return table.blind or all(state.dealt is not None for state in table.seats.values())


def _code(table: GinTable, event: Irregularity) -> tuple[str | None, str | None]:
    """Return the code that an irregularity of the deal has, and the parameter behind it.

    003 Wrong Dealer, Faced Cards: a card shown after the upcard was turned is no
    matter of the deal any more.
    """
    if event.kind == "wrong-dealer":
        return "dealer-wrong", "wrong_dealer"
    if table.first_draw or table.is_over:
        return None, None
    if event.kind == "exposed-card" and table.upcard is None:
        if table.blind:
            table.skip("deal-exposed", "whether it was in the deal is not recorded")
            return None, None
        if table.rules.flag("misdeal_exposed_card"):
            return "deal-exposed", "misdeal_exposed_card"
    if event.kind == "not-shuffled":
        return "deal-unshuffled", "misdeal_not_shuffled"
    if event.kind == "wrong-count" and not _is_counted(table, event.seat):
        return "deal-count", "misdeal_wrong_count"
    return None, None


def _is_counted(table: GinTable, seat: int | None) -> bool:
    """Whether the log itself says how many cards were dealt."""
    seats = table.order if seat is None else [seat]
    return all(each in table.seats and table.seats[each].dealt is not None for each in seats)


def irregularity(table: GinTable, event: Irregularity) -> None:
    """Note what was noticed, and what it asks of the players."""
    noticed = Noticed(event.seq, event.kind, event.seat)
    table.noticed.append(noticed)
    code, _ = _code(table, event)
    if code is not None:
        noticed.state = "found"
        table.deal_faults.append(event.seq)
    match event.kind:
        case "wrong-dealer":
            table.wrong_dealer = True
        case "not-shuffled" if code:
            table.unshuffled = True
            if table.rules.flag("misdeal_not_shuffled"):
                table.due.setdefault(code, set()).add(event.seat)
        case "exposed-card" if code or table.blind:
            table.due.setdefault("deal-exposed", set()).add(event.seat)
        case "wrong-count":
            _wrong_count(table, event, noticed, code)
        case "saw-card":
            _saw_card(table, event, noticed)
        case "looked-back":
            state = table.seats.get(event.seat or 0)
            if state is not None and table.law.looking_costs and not table.is_over:
                state.loses_draw = noticed
                table.bothered = True
                table.look_closer()
            else:
                noticed.state = "followed"
        case "out-of-turn":
            _out_of_turn(table, event, noticed)
        case _:
            noticed.state = "followed"


# 003 Irregular Hands


def _wrong_count(table: GinTable, event: Irregularity, noticed: Noticed, code: str | None) -> None:
    """Before that player's first draw the cards are dealt again; after it the other chooses.

    Found when the hand is over it is a matter of the score.
    """
    if code is not None and table.rules.flag("misdeal_wrong_count"):
        table.due.setdefault(code, set()).add(event.seat)
        return
    if table.is_over and not (table.knock and may_be_refused(table)):
        noticed.state = "followed"
        for seat in table.playing:
            correction.put_right(table, seat)
        return
    wrong = correction.wrong_sizes(table)
    if not wrong or table.blind:
        noticed.state = "followed"
    elif len(wrong) == 1 and table.first_draw and next(iter(wrong)) not in table.undrawn:
        correction.ask(table, noticed)


def chooses(table: GinTable, event: Choice) -> Findings:
    """003 Illegal Knock: only a knock that does not stand can be taken back by choice."""
    knock = table.knock
    if event.what not in ("hand-stays-open", "hand-picked-up") or knock is None:
        return NONE
    if knock.wrong is not False or event.seat == knock.seat:
        return NONE
    return (
        table.found(
            "right-declaration-refused", event, "illegal_knock", seat=knock.seat, knock=knock.seq
        ),
    )


def choice(table: GinTable, event: Choice) -> None:
    """Note what the player with the right hand, or the opponent of a knocker, chose."""
    knock = table.knock
    match event.what:
        case "redeal" | "play-on" if list(correction.wrong_sizes(table)) == [event.seat]:
            pass  # 003 Irregular Hands: whoever holds the wrong hand has no choice
        case "redeal":
            table.redeal_chosen = True
            for seat in table.seats.values():
                seat.correction = None
        case "play-on":
            correction.ask(table, Noticed(event.seq, "choice", event.seat))
        case "accept-knock":
            if knock is not None and event.seat != knock.seat:
                knock.accepted = True
                if knock.wrong and knock.codes == {"knock-over-limit"}:
                    table.handle(knock.seq, ["knock-over-limit"])
        case "hand-stays-open" | "hand-picked-up":
            if knock is not None and event.seat != knock.seat:
                _hand_back(table, event, knock)


def _hand_back(table: GinTable, event: Choice, knock: Knocked) -> None:
    """Let play go on behind a knock that the opponent refused, with reason or without."""
    knocker = table.seats[knock.seat]
    if knock.judged is False:
        table.handed_back = (knock, table.turn_no, knocker.no_bonus)
    if event.what == "hand-picked-up":
        knocker.no_bonus = True
    if knock.wrong is False:
        knock.contradicted = ("right-declaration-refused", event.seq)
        knock.wrong = True
        table.knock = None
        table.look_away()
    reopen(table)


# 003 Illegally Seeing a Card


def _saw_card(table: GinTable, event: Irregularity, noticed: Noticed) -> None:
    """A card seen illegally lies open beside the pile, and its seer may not knock this turn.

    A card that is known to lie elsewhere was none of the stock.
    """
    seat, card = event.seat, event.card
    if seat is None or seat not in table.seats or table.is_over:
        noticed.state = "followed"
        return
    in_turn = seat == table.turn and not (table.ahead and table.ahead[1] == seat)
    if in_turn and table.law.seen_card_bars != "never":
        table.seats[seat].barred = table.turn_no
        table.seats[seat].why = noticed
    if card is not None and table.seen.get(card):
        return
    if card is not None:
        table.sight(card, event, seat=seat)
    if table.stock:
        table.stock -= 1
    pulled(table, Pull("top", card, event.seq, seat))
    if not table.exposed:
        table.from_stock = set()
        table.exposer_barred = False
    table.exposed.append(card)
    table.exposing.append(noticed)
    table.exposer = seat
    table.exposer_barred = table.exposer_barred or (not in_turn and seat in table.drawn)
    table.look_closer()


# 003 Premature Play


def _out_of_turn(table: GinTable, event: Irregularity, noticed: Noticed) -> None:
    """A draw out of turn stands; once the table noticed it there is no more to it."""
    noticed.state = "followed"
    seat = event.seat
    if table.ahead is not None and seat in (None, table.ahead[1]):
        at, early, _ = table.ahead
        table.ahead = None
        table.late.append(table.found("out-of-turn", at, "premature_draw", seat=early))
        table.handle(at, ["out-of-turn"])
    elif table.slip is not None and seat in (None, table.slip[0]):
        table.handle(table.slip[1], ["out-of-turn", "upcard-order"])


# Rulings


def rules(table: GinTable, event: Ruling) -> Findings:
    """A ruling on a knock is judged as every other claim."""
    knock = table.knock
    code = _contradiction(table, event)
    if knock is None or code is None:
        return NONE
    return (table.found(code, event, "illegal_knock", seat=knock.seat, knock=knock.seq),)


def _contradiction(table: GinTable, event: Ruling) -> str | None:
    """Return the code of a ruling that contradicts the judgement of the knock."""
    knock = table.knock
    if knock is None or event.target != knock.seq or knock.judged is None:
        return None
    if event.outcome == "declaration-wrong" and not knock.judged:
        return "right-declaration-refused"
    if event.outcome == "declaration-right" and knock.judged:
        return "wrong-declaration-accepted"
    return None


def ruling(table: GinTable, event: Ruling) -> None:
    """Follow a ruling on a knock: it stands, or play goes on. The last word counts."""
    _uphold(table, event)
    knock = table.knock
    outcomes = ("declaration-right", "declaration-wrong")
    if knock is None or event.target != knock.seq or event.outcome not in outcomes:
        return
    if knock.contradicted is not None:
        table.take_back(*knock.contradicted)
    code = _contradiction(table, event)
    knock.contradicted = None if code is None else (code, event.seq)
    knock.accepted = event.outcome == "declaration-right"
    if knock.accepted:
        if knock.refused:
            table.handled.pop(knock.seq, None)
        knock.refused = False
        knock.wrong = knock.judged
        return
    if knock.judged:
        table.handle(knock.seq, knock.codes | {"knock-while-barred"})
        knock.refused = True
    knock.wrong = True


def _uphold(table: GinTable, event: Ruling) -> None:
    """Let a right knock stand after all that the opponent refused, if nobody has played on."""
    if table.handed_back is None or table.knock is not None or table.over or table.scores:
        return
    knock, turn, no_bonus = table.handed_back
    same = event.target == knock.seq and event.outcome == "declaration-right"
    if same and not table.drawn and table.turn_no == turn:
        table.knock = knock
        table.seats[knock.seat].no_bonus = no_bonus
        table.handled.pop(knock.seq, None)
        table.handed_back = None
        table.look_away()
