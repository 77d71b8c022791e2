"""What is wrong with a play: tiles taken, an invalid table, a first play, a joker misused."""

from __future__ import annotations

from collections import Counter

from rummy_audit.rhl.cards_text import write_groups
from rummy_audit.rhl.records import JOKER, Play
from rummy_audit.rules.families.tile import melds
from rummy_audit.rules.families.tile.arrange import SearchTooLong, arrange
from rummy_audit.rules.families.tile.course import UNCOUNTED_STOCK
from rummy_audit.rules.families.tile.explanations import Change, JokerBreach, explain
from rummy_audit.rules.families.tile.table import TileTable, Turn
from rummy_audit.rules.families.tile.turn import moved_of_table, put_in_place, read_turn
from rummy_audit.rules.findings import NONE, Finding, Findings, Term
from rummy_audit.rules.groups import Reading, group_findings
from rummy_audit.rules.tiles import HIGHEST, NUMBER_OF

JOKER_PARAMETERS = {
    "joker-not-replaced": "joker_replace_first",
    "joker-not-from-hand": "joker_replace_from_hand",
    "joker-meld-locked": "joker_meld_locked",
    "joker-not-in-new-meld": "joker_reuse_new_meld",
}


def _judged(table: TileTable, event: Play, *checks: str) -> Turn | None:
    """Return the turn where it can be judged as a play; note the checks that could not run."""
    if table.ended is not None:
        return None
    turn = read_turn(table, event)
    if turn.unseen:
        for check in checks:
            table.skip(check, "some tiles of the table were not seen")
        return None
    return None if turn.stop is not None else turn


def nothing_taken(table: TileTable, event: Play) -> Findings:
    """Tiles that lay on the table at the start of a turn never go to a hand."""
    turn = _judged(table, event, "tile-taken-to-hand")
    if turn is None or not turn.taken:
        return NONE
    return [table.found("tile-taken-to-hand", event, seat=event.seat, cards=list(turn.taken))]


def something_played(table: TileTable, event: Play) -> Findings:
    """Who plays no tile of the hand draws one, also after rearranging the table."""
    turn = _judged(table, event, "tile-draw-missing")
    if turn is None or turn.added or turn.taken or table.stock == 0:
        return NONE
    if table.stock is None:
        table.skip("tile-draw-missing", UNCOUNTED_STOCK)
        return NONE
    return [table.found("tile-draw-missing", event, seat=event.seat, rearranged=bool(turn.come))]


def table_valid(table: TileTable, event: Play) -> Findings:
    """At the end of a turn every tile on the table is in a valid meld.

    A meld that was wrong before is not named again, as long as nothing more is
    wrong with it.
    """
    turn = _judged(table, event, "table-invalid")
    if turn is None:
        return NONE
    rules = table.settings.melds
    wrong = [
        meld
        for meld in turn.come
        if not melds.readings(meld, rules)
        and not any(melds.same_fault(old, meld, rules) for old in turn.gone)
    ]
    if not wrong:
        return NONE
    found = [table.found("table-invalid", event, seat=event.seat, melds=write_groups(tuple(wrong)))]
    for meld in wrong:
        found += group_findings(
            Reading("invalid", melds.breaches(meld, rules)),
            table.rules,
            cards=meld,
            seq=event.seq,
            seat=event.seat,
            group=turn.after.index(meld) + 1,
            names=melds.PARAMETERS,
        )
    return found


def first_play(table: TileTable, event: Play) -> Findings:
    """A player's first play is new melds of own tiles that are worth enough together.

    Until then the melds on the table are not touched; whether they are free in the
    same turn, once it is worth enough, is a parameter. What touches the table is
    not said to be too low as well.
    """
    if event.seat in table.opened:
        return NONE
    turn = _judged(table, event, "first-play-too-low", "first-play-touches-table")
    if turn is None:
        return NONE
    if not turn.gone:
        return _worth_enough(table, turn) if turn.added else NONE
    if table.settings.touch_at_once and turn.added and _reaches(table, turn) is not False:
        return NONE
    touched = write_groups(turn.gone)
    return [
        table.found(
            "first-play-touches-table", event, "first_turn_table", seat=event.seat, melds=touched
        )
    ]


def _reaches(table: TileTable, turn: Turn) -> bool | None:
    """Whether the tiles of the hand alone can lie in melds that are worth enough.

    None where there are too many ways to lay them, in this turn or in all so far.
    """
    settings = table.settings
    barred = settings.first_play_joker == "not-allowed"
    own = [tile for tile in turn.added if tile != JOKER or not barred]
    if sum(NUMBER_OF.get(tile, HIGHEST) for tile in own) < settings.first_play:
        return False
    try:
        laid = arrange(
            own,
            settings.melds,
            aim="value",
            joker_points=None if settings.first_play_joker == "represented" else 0,
            budget=table.search_left,
        )
    except SearchTooLong:
        table.search_left = 0
        table.skip("first-play-too-low", "there are too many ways to lay the tiles of this play")
        return None
    if laid is None:
        return False
    table.search_left -= laid.steps
    return laid.value >= settings.first_play


def _worth_enough(table: TileTable, turn: Turn) -> Findings:
    """Count the new melds; what an invalid one is worth cannot be said."""
    settings, rule = table.settings, table.settings.first_play_joker
    if not all(melds.readings(meld, settings.melds) for meld in turn.come):
        return NONE
    with_jokers = tuple(meld for meld in turn.come if JOKER in meld)
    barred = rule == "not-allowed" and bool(with_jokers)
    terms = tuple(
        Term(meld, melds.value(meld, settings.melds, jokers=rule == "represented"))
        for meld in turn.come
        if not barred or JOKER not in meld
    )
    worth = sum(term.points for term in terms)
    if settings.touch_at_once:
        if worth >= settings.first_play or _reaches(table, turn) is not False:
            return NONE
    elif worth >= settings.first_play and not barred:
        return NONE
    return [
        table.found(
            "first-play-too-low",
            turn.event,
            "first_play_joker" if barred else "first_play",
            seat=turn.event.seat,
            recorded=worth,
            expected=settings.first_play,
            breakdown=terms,
            **({"jokers_in": write_groups(with_jokers)} if barred else {}),
        )
    ]


def jokers_freed(table: TileTable, event: Play) -> Findings:
    """A joker of the table is used as the rules of jokers say, by one explanation at least."""
    rules = table.settings.jokers
    if not rules.asked or not any(JOKER in meld for meld in table.melds):
        return NONE
    turn = _judged(table, event, *JOKER_PARAMETERS)
    if turn is None or turn.taken or not any(JOKER in meld for meld in turn.gone):
        return NONE
    old, new = put_in_place(turn.old, turn.new, table.settings.melds)
    added = Counter(turn.added)
    change = Change(old, new, added, moved_of_table(old, new, added), turn.after)
    return [_misused(table, event, breach) for breach in explain(change, rules)]


def _misused(table: TileTable, event: Play, breach: JokerBreach) -> Finding:
    left = Counter(breach.old) - Counter(breach.new)
    if left.keys() - {JOKER}:
        del left[JOKER]
    return table.found(
        breach.code,
        event,
        JOKER_PARAMETERS[breach.code],
        seat=event.seat,
        meld=list(breach.old),
        stood_for=breach.stood_for,
        went_to=list(breach.new),
        stands_for=breach.stands_for,
        left=sorted(left.elements()),
    )
