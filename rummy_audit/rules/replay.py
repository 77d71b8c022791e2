"""The one fold: a hand and its rules in, a replay out.

It serves the audit (which keeps no steps), the viewer and the API alike. Judging
an event and moving the cards are two things: everything wrong with an event is
said first, then the cards move as they moved at the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rummy_audit.rhl import amend, digests
from rummy_audit.rhl.lines import Lines
from rummy_audit.rhl.records import Amend, End, Event, Hand, UnknownEvent
from rummy_audit.rhl.records import Result as RecordedResult
from rummy_audit.rules.causes import settle
from rummy_audit.rules.families import referee
from rummy_audit.rules.findings import NONE, Finding, Findings, Impossible
from rummy_audit.rules.rulesets import Ruleset, for_hand
from rummy_audit.rules.unknown import unknown_of_event, unknown_of_hand
from rummy_audit.rules.view import NotRun, Replay, Result, Step, TableView

Move = Callable[[Any, Any], None]
Run = Callable[[Any, Sequence[Event], int, int], int]


def replay(  # noqa: C901, PLR0915 - the one fold: every call less counts here
    hand: Hand,
    rules: Ruleset | None = None,
    *,
    keep_steps: bool = False,
    corrected: bool = True,
) -> Replay:
    """Replay a hand by the rules (its own by default) and judge every event.

    ``keep_steps`` keeps the table after each event. ``corrected`` applies the
    log's amendments first; without it the hand is judged as it was recorded.
    Raises RulesetError where the hand's own rules cannot be built.
    """
    # A file that is written back byte for byte (Lines) holds nothing unknown and no amendment.
    as_usual = type(hand.lines) is Lines
    if corrected and not as_usual and Amend in map(type, hand.events):
        hand = amend.corrected(hand)
    rules = rules or for_hand(hand.record)
    game = referee(rules.family)
    table = game.start(hand.record, rules)
    found: list[Finding] = [] if as_usual else [*unknown_of_hand(hand)]
    steps: list[Step] = []
    stopped: int | None = None
    judges = game.JUDGES.get
    advance: Move = game.advance
    moves: Mapping[type[Event], Move] = getattr(game, "MOVES", {})
    move_of = moves.get
    run: Run | None = getattr(game, "goes_plainly", None)
    events = hand.events
    at, last = 0, len(events)
    while at < last:
        if run is not None:
            # The plainest of events, of which nothing is to be said, go a short way.
            after = run(table, events, at, at + 1 if keep_steps else last)
            if after > at:
                if keep_steps:
                    steps.append(_step(events[at], game.view(table), ()))
                at = after
                continue
        event = events[at]
        at += 1
        kind = type(event)
        before = len(found)
        if event.extra or kind is UnknownEvent or kind is RecordedResult:
            found += unknown_of_event(event)
        for judge in judges(kind, ()):
            if broken := judge(table, event):
                found += broken
        try:
            move_of(kind, advance)(table, event)
        except Impossible as stop:
            why = stop.finding
            # What a judge has said of this event already is not said again.
            if not any((each.code, each.seat) == (why.code, why.seat) for each in found[before:]):
                found.append(why)
            stopped = event.seq
        if keep_steps:
            steps.append(_step(event, game.view(table), tuple(found[before:])))
        if stopped is not None:
            break
    if stopped is None:
        found += game.finish(table, hand)
        result = game.result(table)
    else:
        table.skip(
            "replay", f"cards cannot have moved as event {stopped} says; what follows is not judged"
        )
        result = Result("undecided")
    if hand.end is not None:
        found += _seal(hand, hand.end)
    if table.taken_back:
        found = [each for each in found if (each.code, each.seq) not in table.taken_back]
    findings = (
        settle(found, laws=game.LAWS, handled=table.handled, anew=table.anew) if found else ()
    )
    return Replay(
        verdict=_verdict(findings, ended=hand.end is not None, stopped=stopped is not None),
        findings=findings,
        result=result,
        not_run=tuple([NotRun(check, why) for check, why in sorted(table.skipped.items())]),
        steps=_settled(steps, findings) if keep_steps else (),
    )


def _step(event: Event, table: TableView, findings: tuple[Finding, ...]) -> Step:
    return Step(event.seq, event, table, findings)


def _settled(steps: list[Step], findings: tuple[Finding, ...]) -> tuple[Step, ...]:
    # The pass over causes may have marked or dropped what the judges said.
    at: dict[int, list[Finding]] = {}
    for finding in findings:
        at.setdefault(finding.seq, []).append(finding)
    return tuple(
        Step(step.number, step.event, step.table, tuple(at.get(step.number, ()))) for step in steps
    )


def _seal(hand: Hand, end: End) -> Findings:
    """The end record's count and head cover the events that stand before it."""
    found: Findings = NONE
    if end.count is not None and end.count != hand.ended_after:
        found = (Finding(code="seq-count", recorded=end.count, expected=hand.ended_after),)
    if end.head is not None and end.head.lower() != (head := digests.chain(hand).head):
        found = (*found, Finding(code="chain-broken", recorded=end.head, expected=head))
    return found


def _verdict(findings: tuple[Finding, ...], *, ended: bool, stopped: bool) -> str:
    if stopped:
        return "impossible"
    if not ended:
        return "unfinished"
    if not findings:
        return "clean"
    severities = {finding.severity for finding in findings}
    if "error" in severities:
        return "flagged"
    return "irregular" if "breach" in severities else "clean"
