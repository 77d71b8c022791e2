"""After a knock: lay-offs on the knocker's melds, and the opponent's hand laid open."""

from __future__ import annotations

from rummy_audit.rhl.records import UNKNOWN, Layoff, Show
from rummy_audit.rules.families.gin import deal, moves, pile
from rummy_audit.rules.families.gin.deadwood import BIT, MELDS, POINTS, mask_of, points_of
from rummy_audit.rules.families.gin.knock import called_rightly, deadwood_of
from rummy_audit.rules.families.gin.law import NAMES
from rummy_audit.rules.families.gin.spread import Spread, read_spread
from rummy_audit.rules.families.gin.table import GinTable
from rummy_audit.rules.findings import NONE, Finding, Findings, Impossible
from rummy_audit.rules.groups import group_findings, read_group

# 003 Knocking


def is_gin(table: GinTable) -> bool | None:
    """Whether the knocker has no deadwood; None where that cannot be told.

    A hand that was dealt too few cards is no gin: each missing card counts.
    """
    if table.knock is None:
        return False
    spread, dealt = table.knock.spread, table.seats[table.knock.seat].dealt
    points = deadwood_of(table, spread)
    if points:
        return False
    size = table.law.hand_size
    short = dealt is not None and dealt < size and spread.cards.bit_count() < size
    return None if points is None else not short


def may_lay_off(table: GinTable) -> bool:
    """Whether the opponent may lay off on the hand that was knocked with."""
    return table.law.layoff_on_gin or not is_gin(table)


def lays_off_after_a_knock(table: GinTable, event: Layoff) -> Findings:
    """Cards are laid off by the opponent, on the melds of a knocker who has not gone gin."""
    knock = table.knock
    if knock is None:
        if not table.say_once("layoff-invalid"):
            return NONE
        return (table.found("layoff-invalid", event, seat=event.seat, cards=list(event.cards)),)
    if event.seat == knock.seat:
        return (table.found("out-of-turn", event, seat=event.seat, cards=list(event.cards)),)
    if not may_lay_off(table):
        if not table.say_once("layoff-on-gin"):
            return NONE
        return (
            table.found(
                "layoff-on-gin",
                event,
                "layoff_on_gin",
                seat=event.seat,
                cards=list(event.cards),
            ),
        )
    return NONE


def fits_the_meld(table: GinTable, event: Layoff) -> Findings:
    """Each card laid off lengthens a run or completes a set, after the cards before it.

    A run may grow without limit. A card that fits nowhere stays in the hand.
    """
    knock = table.knock
    if knock is None or event.seat == knock.seat or not may_lay_off(table):
        return NONE
    if event.seat not in table.seats:
        return NONE  # nobody sits there: that is said when the cards move
    if not 1 <= event.meld <= len(knock.melds):
        return (
            table.found(
                "layoff-invalid",
                event,
                "sequence_min",
                seat=event.seat,
                cards=list(event.cards),
                meld=event.meld,
                last=len(knock.melds),
            ),
        )
    found: list[Finding] = []
    if UNKNOWN in event.cards or event.meld - 1 in knock.spread.dark:
        table.skip("layoff-invalid", "not all cards of a lay-off or of its meld are known")
        return NONE
    grown = knock.melds[event.meld - 1]
    stands = mask_of(grown) in MELDS
    shown = table.seats[event.seat].shown
    for card in event.cards:
        if card not in BIT or not table.hands[event.seat].may_hold(card):
            continue  # it cannot move: that is said when it does
        if shown is not None and any(card in group for group in _melded(shown)):
            found.append(table.found("card-in-two-groups", event, seat=event.seat, card=card))
        elif stands and fits(grown, card):
            grown = (*grown, card)
        else:
            found.append(_misfit(table, event, card))
            if stands:
                found += group_findings(
                    read_group((*grown, card), table.law.groups),
                    table.rules,
                    cards=(*grown, card),
                    seq=event.seq,
                    seat=event.seat,
                    names=NAMES,
                )
    return found


def _melded(shown: Spread) -> list[tuple[str, ...]]:
    pairs = zip(shown.groups, shown.masks, strict=True)
    return [group for group, mask in pairs if mask]


def fits(meld: tuple[str, ...], card: str) -> bool:
    """Whether a card makes a meld longer by one.

    >>> fits(("7D", "8D", "9D"), "6D"), fits(("AC", "2C", "3C"), "5C")
    (True, False)
    """
    mask = mask_of(meld)
    return not mask & BIT[card] and mask | BIT[card] in MELDS


def may_take(meld: tuple[str, ...], card: str) -> bool:
    """Whether a card goes onto what was laid down: on no group that is no meld itself."""
    return mask_of(meld) in MELDS and fits(meld, card)


def _misfit(table: GinTable, event: Layoff, card: str) -> Finding:
    return table.found(
        "layoff-invalid", event, "sequence_min", seat=event.seat, cards=[card], meld=event.meld
    )


def lay_off(table: GinTable, event: Layoff) -> None:
    """Move the cards that fit onto the meld; the others stay and still count."""
    table.begins_anew()
    knock = table.knock
    hand = table.hands.get(event.seat)
    if hand is None:
        raise pile.stranger(table, event, event.seat)
    allowed = knock is not None and event.seat != knock.seat
    allowed = allowed and may_lay_off(table)
    state = table.seats[event.seat]
    shown = state.shown
    for card in event.cards:
        if card in state.stranded and hand.holds(card):
            state.stranded.remove(card)
        elif card == UNKNOWN and hand.give(card) is not None:
            # Which card it was stays unknown, and so does what fits its meld since.
            if knock is not None and allowed:
                knock.spread.dark |= {event.meld - 1}
            state.astray = state.astray or not allowed
            continue
        elif not hand.may_hold(card) or card not in BIT:
            held = card in table.pack or card == UNKNOWN
            code = "card-not-held" if held else "card-not-in-deck"
            raise Impossible(table.found(code, event, seat=event.seat, card=card))
        elif not hand.holds(card):
            pile.surface(table, event, event.seat, card)
            hand.unknown -= 1
            hand.take(card)
        if shown is not None:
            _was_shown(table, event.seat, shown, card)
        number = event.meld - 1
        melded = shown is not None and any(card in group for group in _melded(shown))
        if (
            knock is not None
            and allowed
            and not melded
            and 0 <= number < len(knock.melds)
            and (number in knock.spread.dark or may_take(knock.melds[number], card))
        ):
            hand.give(card)
            state.laid.append(card)
            knock.melds[number] = (*knock.melds[number], card)
            if shown is not None:
                shown.loose &= ~BIT[card]
                shown.cards &= ~BIT[card]
                shown.points = None if shown.unknown else points_of(shown.loose)
        else:
            state.stranded.append(card)
            hand.public[card] = 1
            on_gin = knock is not None and not may_lay_off(table)
            table.slips.append(("layoff-on-gin" if on_gin else "layoff-invalid", event.seq))
    if knock is not None and event.seat != knock.seat:
        knock.laid = True


def _was_shown(table: GinTable, seat: int, shown: Spread, card: str) -> None:
    """Count a card laid off behind the show as one of it, or as left out of it for that."""
    if not shown.short or (shown.cards & BIT[card] and card not in shown.missing):
        shown.claimed -= POINTS[card]
        return
    shown.missing = tuple(other for other in shown.missing if other != card)
    if not shown.cards & BIT[card]:
        shown.cards |= BIT[card]
        shown.loose |= BIT[card]
        shown.unknown = max(shown.unknown - 1, 0)
    shown.short -= 1
    if not shown.short:
        at = table.seats[seat].shown_at
        table.take_back("hand-size", at)
        table.slips = [slip for slip in table.slips if slip != ("hand-size", at)]


def shows_the_hand(table: GinTable, event: Show) -> Findings:
    """A hand that is laid open names the cards it holds, each once, and all of them."""
    found: list[Finding] = [*deal.closes(table, event)]
    spread = lay_open(table, event)
    if spread is None:
        return found
    knock = table.knock
    again = knock.spread if knock is not None and knock.seat == event.seat else None
    found += [each for each in spread.findings if again is None or not _is_said(each, again)]
    if spread.short and (again is None or again.short != spread.short):
        found.append(
            table.found(
                "hand-size",
                event,
                "hand_size",
                seat=event.seat,
                recorded=spread.size - spread.short,
                expected=spread.size,
                cards=list(spread.missing),
            )
        )
    called = event.deadwood
    if called is not None and not called_rightly(called, spread, best=table.law.best_defender):
        found.append(
            table.found(
                "knock-wrong-deadwood",
                event,
                "judge_defender",
                seat=event.seat,
                recorded=called,
                expected=spread.points,
            )
        )
    return found


def _is_said(finding: Finding, knock: Spread) -> bool:
    """Whether a knocker who shows the hand as well claims nothing but what the knock did."""
    what = finding.code, finding.data.get("card"), finding.data.get("cards")
    return any(
        what == (each.code, each.data.get("card"), each.data.get("cards"))
        for each in knock.findings
    )


def lay_open(table: GinTable, event: Show) -> Spread | None:
    """Return what a show lays open; None where it names nothing."""
    if event.seat not in table.hands or (event.groups is None and event.loose is None):
        return None
    if table.shown_at is None or table.shown_at[0] is not event:
        if event.loose is not None:
            named = [*event.loose, *(card for group in event.groups or () for card in group)]
            lying = set(table.seats[event.seat].stranded).difference(named)
            moves.follow_what_lies(table, event.seat, len(named) + len(lying))
        spread = read_spread(
            table, event, seat=event.seat, groups=event.groups or (), loose=event.loose
        )
        spread.grouped = event.groups is not None
        table.shown_at = (event, spread)
    return table.shown_at[1]


def show(table: GinTable, event: Show) -> None:
    """Lay the hand open."""
    spread = lay_open(table, event)
    if spread is None:
        return
    table.begins_anew()
    pile.uncover(table, event, event.seat, spread)
    table.slips += [(finding.code, event.seq) for finding in spread.findings]
    if spread.short:
        table.slips.append(("hand-size", event.seq))
    table.seats[event.seat].shown = spread
    table.seats[event.seat].shown_at = event.seq
