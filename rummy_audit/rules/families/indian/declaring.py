"""Declaring at the table: the claim, what it does to the hand, and what was ruled on it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rummy_audit.rhl.cards_text import RANKS
from rummy_audit.rhl.records import UNKNOWN, Declare, Ruling, Score
from rummy_audit.rules.families.indian import claim, play
from rummy_audit.rules.families.indian.declaration import Declaration, judge_declaration
from rummy_audit.rules.families.indian.seat import Declared
from rummy_audit.rules.families.indian.table import IndianTable
from rummy_audit.rules.findings import NONE, Finding, Findings

# 001 Declaration Rules


def declares_rightly(table: IndianTable, event: Declare) -> Findings:
    """All cards lie in valid groups, with the sequences that a declaration needs.

    Dead hands declare nothing. What cannot be told, for want of cards or of the
    wild joker, is not judged.
    """
    table.claimed = None
    seat = table.seats.get(event.seat)
    if seat is None:
        return claim.holds_nothing(table, event)
    if seat.state not in ("in", "missed", "won") or table.scores:
        return NONE
    if seat.state == "won" and not _was_refused(table, event.seat):
        return NONE  # said twice
    named = claim.hold_against(table, event, finish=event.discard)
    because = _without_a_draw(table, event)
    judged, right = _judge(table, event, named, because)
    if play.may_be_dead(table, event.seat):
        judged = None  # a dead hand declares nothing
    if judged is None or (right and named.doubt):
        right = None
        table.skip("wrong-declaration", named.doubt or "not all cards of it are known")
    table.claimed = Declared(event, judged, right=right)
    table.named = named
    return [*named.found, *(judged.findings if judged and not right else because)]


def _was_refused(table: IndianTable, seat: int) -> bool:
    """Whether the table has refused the right declaration of a seat, by word or by playing on."""
    return any(
        declared.ruled is False or (declared.ruled is None and declared.resumed is not None)
        for declared in table.declared
        if declared.seat == seat
    )


def _without_a_draw(table: IndianTable, event: Declare) -> Findings:
    """A declaration ends a turn, and a turn begins with a draw."""
    if table.drawn and event.seat == table.turn:
        return NONE
    if table.blind or event.seat in table.pending or table.answers_late(event.seat):
        return NONE
    if play.may_be_dead(table, event.seat):
        return NONE  # its draw, if there was one, moved no turn
    return (table.found("declare-without-draw", event, seat=event.seat),)


def _judge(
    table: IndianTable, event: Declare, named: claim.Named, because: Sequence[Finding]
) -> tuple[Declaration | None, bool | None]:
    """Judge the groups, as far as the cards and the wild joker are known."""
    if table.wild_card in (None, UNKNOWN):
        return _under_every_wild(table, event, named, because)
    judged = _judged(table, event, named, because, table.wild)
    if UNKNOWN not in named.cards:
        return judged, judged.right
    counted = all(each.code != "declare-card-count" for each in judged.findings)
    if table.rules["judge_declarer"] == "best" and counted and not because:
        return None, None  # whatever the groups, the cards may go together
    sure = _sure(event, judged)
    return (sure, False) if sure else (None, None)


def _judged(
    table: IndianTable,
    event: Declare,
    named: claim.Named,
    because: Sequence[Finding],
    wild: str | None,
) -> Declaration:
    judged = judge_declaration(
        event.groups,
        rules=table.rules,
        wild=wild,
        loose=event.loose or (),
        copies=named.copies,
        because=because,
        seq=event.seq,
        seat=event.seat,
    )
    return _sized(table, event, judged) if judged.findings else judged


def _under_every_wild(
    table: IndianTable, event: Declare, named: claim.Named, because: Sequence[Finding]
) -> tuple[Declaration | None, bool | None]:
    """Without a known wild joker only what holds under each of them can be said."""
    judged = [_judged(table, event, named, because, wild) for wild in (None, *RANKS)]
    if all(each.right for each in judged):
        return judged[0], True
    if UNKNOWN in named.cards or any(each.right for each in judged):
        return None, None
    common = [
        finding
        for finding in judged[0].findings
        if all(finding in each.findings for each in judged)
    ]
    return msgspec.structs.replace(judged[0], findings=tuple(common)), False


def _sized(table: IndianTable, event: Declare, judged: Declaration) -> Declaration:
    """A number of cards that went wrong before is not said again of the declaration.

    Whether it went wrong in the deal, which stands, or by a slip in a turn: how
    the table resolved it is not in the rules. Nor is it the number that is wrong
    where one card was named twice.
    """
    wrong = next((each for each in judged.findings if each.code == "declare-card-count"), None)
    if wrong is None:
        return judged
    seat, hand = table.seats[event.seat], table.hands[event.seat]
    size = len(claim.named_cards(event))
    allowed = {table.law.hand_size}
    if not table.blind and (seat.slipped or seat.dealt != table.law.hand_size):
        sizes = (*allowed, len(hand) - 1, len(hand), seat.dealt or len(hand))
        allowed |= {*range(min(sizes), max(sizes) + 1)}
    if size not in allowed:
        return judged
    kept = tuple(each for each in judged.findings if each is not wrong)
    if [each.code for each in kept] == ["wrong-declaration"]:
        return msgspec.structs.replace(judged, right=True, as_declared=True, findings=())
    return msgspec.structs.replace(judged, findings=kept)


def _sure(event: Declare, judged: Declaration) -> Declaration | None:
    """Return what is wrong whatever the unknown cards are; None: it may stand."""
    dark = {n for n, group in enumerate(event.groups, start=1) if UNKNOWN in group}
    counted = ("declare-no-pure-sequence", "declare-too-few-sequences")
    kept = [
        finding
        for finding in judged.findings
        if finding.data.get("group") not in dark
        and not (
            finding.code in counted
            and (finding.recorded or 0) + len(dark) >= (finding.expected or 0)
        )
    ]
    if [finding.code for finding in kept] == ["wrong-declaration"]:
        return None
    return msgspec.structs.replace(judged, findings=tuple(kept))


def declare(table: IndianTable, event: Declare) -> None:
    """Put the finish card aside; a wrong declarer's hand is dead, a right one has won."""
    declared, table.claimed = table.claimed, None
    seat = table.seats.get(event.seat)
    if declared is None and seat is not None and seat.state in ("won", "wrong"):
        return  # a claim made a second time moves nothing
    table.goes_on(event)
    if not table.blind and event.discard is not None:
        play.throw(table, event, event.discard)
    elif event.discard in table.pack:
        table.seen[event.discard] = table.seen.get(event.discard, 0) + 1
    if seat is not None and event.discard is not None:
        seat.finish = event.discard
    if seat is None or declared is None:
        return
    if table.named is not None:
        claim.take_in(table, event, table.named)
    if seat.state in ("missed", "won"):
        table.bring_back(event.seat)
    table.declared.append(declared)
    turn = _broken_into(table, event)
    seat.acted = True
    seat.misses = 0
    if table.over == "declared" and table.blind:
        pass  # somebody has won already; what the table made of it shows later
    elif declared.right is False:
        _lose(table, event)
    else:
        _win(table, event)
    table.last_discard = None
    table.pass_on(event.seat)
    if turn in table.live:
        # Some tables go on from whoever declared out of turn, some from whose turn it was.
        table.also, table.jumper = (turn,), None
        table.mark()


def _broken_into(table: IndianTable, event: Declare) -> int | None:
    """Return the seat whose turn had not begun when another declared out of turn, if any."""
    turn = table.turn
    if table.drawn and event.seat == turn:
        return None
    if table.answers_late(event.seat):
        table.answer(event.seat)
    elif not table.pass_by(event.seat, event.seq, "out-of-turn") and not table.drawn:
        return None if event.seat in (turn, *table.pending, *table.also) else turn
    return None


def _lose(table: IndianTable, event: Declare) -> None:
    """A wrong declarer's hand is dead; the others play on, or the hand ends with it."""
    if not table.over and table.rules.choice("wrong_declaration") == "end":
        table.decide("ended", event)
    table.put_out(event.seat, "wrong", "wrong_declaration_points", event)


def _win(table: IndianTable, event: Declare) -> None:
    """The first right declarer has won; another was behind a declaration that may have been."""
    table.seats[event.seat].state = "won"
    if table.over == "declared" and event.seat != table.winner:
        table.behind += (event.seat,)
    table.settle_seats()
    if not table.over:
        table.decide("declared", event, event.seat)


# What the table said


def ruling(table: IndianTable, event: Ruling) -> None:
    """Note what a referee at the table said of a declaration; the last word counts."""
    if event.outcome == "score-corrected":
        table.corrected.add(event.target)
    if event.outcome not in ("declaration-right", "declaration-wrong"):
        return
    for declared in table.declared:
        if declared.event.seq == event.target:
            declared.ruled = event.outcome == "declaration-right"
            table.answered(declared, accepted=declared.ruled)


def named_winner(score: Score) -> int | None:
    """Return who is the winner by a score, in so many words or by a mark."""
    marked = (seat for seat, mark in sorted((score.marks or {}).items()) if mark == "won")
    return next(marked, None) if score.winner is None else score.winner


def is_accepted(table: IndianTable, declared: Declared) -> bool | None:
    """Whether the table took a declaration as right; None: it gave no answer.

    Its answer is a ruling; else the score, which gives the declarer nothing or
    names the declarer as winner, by a mark too; else that play went on.
    """
    if declared.ruled is not None:
        return declared.ruled
    if table.scores:
        score = table.scores[-1]
        seat = declared.seat
        points = score.points or {}
        if points.get(seat) == 0:
            return True
        winner, marks = named_winner(score), score.marks or {}
        if winner == seat:
            return True
        if declared.right is not True or declared.resumed is not None:
            said = seat in points or winner is not None or marks.get(seat) == "wrong"
            return False if said or declared.resumed is not None else None
        charged = points.get(seat) == table.rules.number("wrong_declaration_points")
        other = winner is not None or 0 in points.values()
        return False if charged and other else None
    return False if declared.resumed is not None else None


def judge_the_answer(table: IndianTable, declared: Declared) -> Findings:
    """The table's answer to a declaration is the right one."""
    accepted = declared.accepted = is_accepted(table, declared)
    if accepted is None or declared.right is None:
        return NONE
    table.answered(declared, accepted=accepted)
    if accepted == declared.right:
        return NONE
    code = "wrong-declaration-accepted" if accepted else "right-declaration-refused"
    return (table.found(code, declared.event, "judge_declarer", seat=declared.seat),)
