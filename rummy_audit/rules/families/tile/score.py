"""The end of a hand and what it is worth: the winner gets what the others hold.

Everybody's points are known only as far as the racks are. What is not known is
not guessed: a seat is left out then.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from rummy_audit.rhl.records import JOKER, Hand, Play, Result, Score
from rummy_audit.rules.families.tile.show import shown_tiles
from rummy_audit.rules.families.tile.table import TileTable
from rummy_audit.rules.findings import NONE, Finding, Findings, Term
from rummy_audit.rules.rulings import was_corrected
from rummy_audit.rules.tiles import NUMBER_OF, rack_points


class Outcome(NamedTuple):
    """How a hand stands at its end.

    ``racks`` are the tiles that seats are left with, as far as they are known;
    ``lowest`` are the seats that share the lowest rack of a blocked hand.
    """

    how: Literal["won", "blocked", "misdeal", "void", "undecided"]
    winner: int | None
    racks: dict[int, tuple[str, ...]]
    points: dict[int, int]
    breakdown: dict[int, tuple[Term, ...]]
    lowest: tuple[int, ...] = ()


def outcome(table: TileTable) -> Outcome:
    """Return how the hand ended by the rules, and the points that follow."""
    ended, racks = table.ended, _racks(table)
    if ended is not None and ended.outcome in ("misdeal", "void"):
        return Outcome(ended.outcome, None, racks, {}, {})
    if ended is not None:
        how = _won(table, racks, ended.winner) if ended.outcome == "won" else None
        return how or _blocked(table, racks)
    if course_known(table):
        return Outcome("undecided", None, racks, {}, {})
    empty = [seat for seat in table.playing if racks.get(seat) == ()]
    unseen = [seat for seat in table.playing if seat not in racks and not _laid_open(table, seat)]
    if not table.shows:
        return Outcome("undecided", None, racks, {}, {})
    if len(empty) == 1:
        return _won(table, racks, empty[0])
    if not empty and len(unseen) == 1:
        if _may_have_gone_out(table, unseen[0]) and not _fits_a_blocked_game(
            table, racks, unseen[0]
        ):
            return _won(table, racks, unseen[0])
        if table.scores:
            table.skip("winner-wrong", "the racks are not all known")
        return Outcome("undecided", None, racks, {}, {})
    if not empty and not unseen:
        return _blocked(table, racks)
    named = recorded_winner(table)
    if named in (empty or unseen):
        return _won(table, racks, named)
    return Outcome("undecided", None, racks, {}, {})


def _laid_open(table: TileTable, seat: int) -> bool:
    """Whether a seat showed tiles, were they the right ones or not: it has not gone out."""
    show = table.shows.get(seat)
    return show is not None and bool(shown_tiles(table, show))


def _may_have_gone_out(table: TileTable, seat: int) -> bool:
    """Whether the last act, if the play is in the log, is a play of this seat: it ends a game."""
    return table.actor is None or (table.actor == seat and table.acted is Play)


def _fits_a_blocked_game(table: TileTable, racks: dict[int, tuple[str, ...]], unseen: int) -> bool:
    """Whether the score is right for a blocked game in which one rack was not shown.

    The seat it names holds the lowest of the racks. Points that were written to the wrong
    seat do not fit: then the rack that was not shown would count just as much.
    """
    named = recorded_winner(table)
    points: dict[int, int] = (table.scores[-1].points or {}) if table.scores else {}
    others = [seat for seat in table.playing if seat != named]
    if named in (None, unseen) or any(seat not in points for seat in table.playing):
        return False
    if sum(points.values()) or any(points[seat] > 0 for seat in others):
        return False
    if named not in racks:
        return True  # how low its rack is cannot be read: some tile of it was not
    least = _worth(table, racks[named])
    spared = least if table.settings.difference else 0
    held = {seat: spared - points[seat] for seat in others}
    return (
        held[unseen] > least
        and all(held[seat] >= least for seat in others)
        and all(held[seat] == _worth(table, racks[seat]) for seat in others if seat in racks)
    )


def course_known(table: TileTable) -> bool:
    """Whether the log tells who has how many tiles, and so whether anybody has gone out."""
    return table.live and all(table.counted(seat) for seat in table.playing)


def named_winners(event: Score) -> list[int]:
    """Return whom a score names as winner, by the field and by marks."""
    marked = [seat for seat, mark in sorted((event.marks or {}).items()) if mark == "won"]
    return [*dict.fromkeys(marked if event.winner is None else (event.winner, *marked))]


def recorded_winner(table: TileTable) -> int | None:
    """Return the seat that the score names as winner, or the only one it gives points."""
    for event in reversed(table.scores):
        named = named_winners(event)
        if len(named) == 1 or event.winner is not None:
            return named[0]
        ahead = [seat for seat, points in (event.points or {}).items() if points > 0]
        if len(ahead) == 1:
            return ahead[0]
    return None


def _racks(table: TileTable) -> dict[int, tuple[str, ...]]:
    racks = {}
    for seat in table.playing:
        hand = table.hand(seat)
        if not hand.unknown and not hand.gone:
            racks[seat] = hand.cards()
        elif seat in table.sound:
            racks[seat] = table.sound[seat]
    return racks


def _worth(table: TileTable, rack: tuple[str, ...]) -> int:
    return rack_points(rack, table.settings.joker_points)


def _terms(table: TileTable, rack: tuple[str, ...], what: str = "") -> tuple[Term, ...]:
    """Say what the tiles of a rack count; jokers apart, for they count by a rule of their own."""
    numbers = tuple(tile for tile in rack if tile != JOKER)
    jokers = tuple(tile for tile in rack if tile == JOKER)
    return tuple(Term(tiles, _worth(table, tiles), what) for tiles in (numbers, jokers) if tiles)


def _won(table: TileTable, racks: dict[int, tuple[str, ...]], winner: int | None) -> Outcome:
    """The winner adds what all others hold, each of them subtracts the own tiles."""
    losers = [seat for seat in table.playing if seat != winner]
    known = [seat for seat in losers if seat in racks]
    points = {seat: -_worth(table, racks[seat]) for seat in known}
    breakdown = {seat: _terms(table, racks[seat]) for seat in known}
    if winner is not None and len(known) == len(losers):
        points[winner] = -sum(points.values())
        breakdown[winner] = tuple(
            Term(racks[seat], _worth(table, racks[seat]), f"seat {seat}") for seat in losers
        )
    return Outcome("won", winner, racks, points, breakdown)


def _blocked(table: TileTable, racks: dict[int, tuple[str, ...]]) -> Outcome:
    """Nobody can play: the lowest rack wins; the others lose theirs, or what it is more.

    Where racks tie for the lowest the rules name no winner: the one that the table
    named is taken, if it is among them.
    """
    if any(seat not in racks for seat in table.playing):
        table.skip("score-wrong", "the racks of a blocked hand are not all known")
        return Outcome("blocked", None, racks, {}, {})
    worth = {seat: _worth(table, racks[seat]) for seat in table.playing}
    least = min(worth.values())
    lowest = tuple(seat for seat in table.playing if worth[seat] == least)
    named = recorded_winner(table)
    winner = lowest[0] if len(lowest) == 1 else named if named in lowest else None
    if winner is None:
        table.skip("score-wrong", "racks tie for the lowest, and the rules name no winner")
        return Outcome("blocked", None, racks, {}, {}, lowest)
    spared = least if table.settings.difference else 0
    points = {seat: spared - worth[seat] for seat in table.playing if seat != winner}
    points[winner] = -sum(points.values())
    breakdown = {seat: _terms(table, racks[seat]) for seat in points if seat != winner}
    if spared:
        less = Term((), -spared, f"seat {winner}")
        breakdown = {seat: (*terms, less) for seat, terms in breakdown.items()}
    breakdown[winner] = tuple(
        Term(racks[seat], -points[seat], f"seat {seat}") for seat in points if seat != winner
    )
    return Outcome("blocked", winner, racks, points, breakdown, lowest)


def scores_right(table: TileTable, hand: Hand, end: Outcome) -> Findings:
    """What was written down is what the racks are worth; nobody is left out."""
    found: list[Finding] = []
    completed = hand.end is not None and hand.end.status == "completed"
    if completed and not table.scores:
        found.append(table.found("score-missing", 0))
    for event in table.scores:
        if event.amounts is not None:
            table.skip("amount-wrong", "the rulebook of tile rummy knows no money")
        wrong: list[Finding] = []
        if end.how in ("misdeal", "void"):
            wrong += _nobody_scores(table, event)
        elif course_known(table) and end.how == "undecided":
            if completed and event is table.scores[0]:
                found.append(table.found("hand-not-ended", event, recorded=event.points or {}))
        else:
            wrong += [*_all_named(table, event), *_winner(table, event, end)]
            wrong += _points(table, event, end)
        if wrong and was_corrected(hand, event):
            table.handle(event.seq, [each.code for each in wrong])
        found += wrong
    return found or NONE


def no_bonuses(table: TileTable, hand: Hand) -> Findings:
    """A series of tiles ends without bonuses: the totals are all there is."""
    found: list[Finding] = []
    for event in hand.events:
        if isinstance(event, Result):
            for seat, bonus in sorted((event.bonuses or {}).items()):
                named = {"game": bonus.game, "shutout": bonus.shutout, "box": bonus.box}
                given = {name: points for name, points in named.items() if points}
                if given:
                    found.append(
                        table.found("bonus-wrong", event, seat=seat, recorded=given, expected=0)
                    )
                    if was_corrected(hand, event):
                        table.handle(event.seq, ("bonus-wrong",))
    return found or NONE


def _nobody_scores(table: TileTable, event: Score) -> Findings:
    """A hand that was annulled brings nobody points."""
    points = {seat: number for seat, number in (event.points or {}).items() if number}
    if not points:
        return NONE
    return [
        table.found(
            "score-wrong",
            event,
            recorded=points,
            expected=dict.fromkeys(points, 0),
            seats=sorted(points),
        )
    ]


def _all_named(table: TileTable, event: Score) -> Findings:
    there = [seat for seat in table.playing if table.dealt.get(seat) or not _away(event, seat)]
    left_out = [seat for seat in there if seat not in (event.points or {})]
    if not left_out:
        return NONE
    seat = left_out[0] if len(left_out) == 1 else None
    return [table.found("score-missing", event, seat=seat, seats=left_out)]


def _away(event: Score, seat: int) -> bool:
    """Whether a score marks a seat as one that was not there."""
    return (event.marks or {}).get(seat) in ("absent", "left")


def _winner(table: TileTable, event: Score, end: Outcome) -> Findings:
    """Each winner that is named has won: has gone out, or holds the lowest rack."""
    named = named_winners(event)
    if not named:
        return NONE
    if end.winner is None and not end.lowest:
        if end.how != "undecided":
            table.skip("winner-wrong", "the racks are not all known")
        return NONE
    expected = end.winner if end.winner is not None else list(end.lowest)
    return [
        table.found("winner-wrong", event, seat=seat, recorded=seat, expected=expected)
        for seat in named
        if seat not in (end.winner, *end.lowest)
    ]


def _points(table: TileTable, event: Score, end: Outcome) -> Findings:
    recorded = event.points or {}
    expected = dict(end.points)
    unknown = [seat for seat in sorted(recorded) if seat in table.playing and seat not in expected]
    for seat in recorded:
        if seat not in table.playing:
            expected[seat] = 0
    if unknown:
        table.skip("score-wrong", "the racks are not all known")
        if (balance := _balance(recorded, end, table)) is not None:
            expected.update(balance)
    wrong = sorted(
        seat for seat in recorded if seat in expected and recorded[seat] != expected[seat]
    )
    if not wrong:
        return _sheet(table, event, end) if unknown and end.winner is None else NONE
    parameter = "joker_points" if _by_jokers(end, recorded, wrong) else None
    return [
        table.found(
            "score-wrong",
            event,
            parameter,
            seat=wrong[0] if len(wrong) == 1 else None,
            recorded={seat: recorded[seat] for seat in wrong},
            expected={seat: expected[seat] for seat in wrong},
            breakdown=tuple(term for seat in wrong for term in end.breakdown.get(seat, ())),
            seats=wrong,
        )
    ]


def _balance(recorded: dict[int, int], end: Outcome, table: TileTable) -> dict[int, int] | None:
    """Return what the winner gets if the others' points are as recorded; None: not told."""
    others = [seat for seat in table.playing if seat != end.winner]
    if end.winner is None or end.winner not in recorded or any(s not in recorded for s in others):
        return None
    # A seat whose rack is known counts by it: one mistake is not named twice.
    return {end.winner: -sum(end.points.get(seat, recorded[seat]) for seat in others)}


def _by_jokers(end: Outcome, recorded: dict[int, int], wrong: list[int]) -> bool:
    """Whether the losers' points are wrong by what jokers count, and by nothing else."""
    losers = [seat for seat in wrong if seat in end.racks and seat != end.winner]
    return bool(losers) and all(
        JOKER in end.racks[seat]
        and recorded[seat] == -sum(NUMBER_OF[t] for t in end.racks[seat] if t != JOKER)
        for seat in losers
    )


def _sheet(table: TileTable, event: Score, end: Outcome) -> Findings:
    """What one gains the others lose; and only one gains anything, not more than there is."""
    named = named_winners(event)
    recorded = {
        seat: points for seat, points in (event.points or {}).items() if seat in table.playing
    }
    missing = [s for s in table.playing if s not in recorded and not _away(event, s)]
    if missing or end.how == "blocked":
        return NONE
    if len(named) != 1 and not any(recorded.values()):
        return NONE  # two racks equally low when nobody could play on
    ahead = [seat for seat in sorted(recorded) if recorded[seat] > 0]
    if len(ahead) == 1 and not sum(recorded.values()):
        return [
            table.found("winner-wrong", event, seat=seat, recorded=seat, expected=ahead[0])
            for seat in named
            if seat != ahead[0]
        ] or [*_held_too_much(table, event, ahead[0]), *_held_nothing(table, event)]
    return [table.found("score-impossible", event, recorded=recorded, seats=sorted(recorded))]


def _held_too_much(table: TileTable, event: Score, winner: int) -> Findings:
    """The others hold no more than all tiles of the game count together."""
    gained = (event.points or {})[winner]
    most = 2 * (sum(NUMBER_OF.values()) + table.settings.joker_points)
    if gained <= most:
        return NONE
    return [table.found("score-impossible", event, seat=winner, recorded=gained, most=most)]


def _held_nothing(table: TileTable, event: Score) -> Findings:
    """Who has not won holds a tile, and every tile counts; who was not there holds none.

    Where only the difference to the lowest rack counts, one as low loses nothing.
    """
    if table.settings.difference or not table.settings.joker_points:
        return NONE
    points = event.points or {}
    return [
        table.found("score-impossible", event, "joker_points", seat=seat, recorded=0, held=0)
        for seat in table.playing
        if points.get(seat) == 0 and not _away(event, seat)
    ]
