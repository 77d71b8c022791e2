"""The hand as pages show it: steps cut into regions, each rendered once.

Between two steps most of the table stays as it is. So every region of the table (a
seat, the middle, the melds, the event) is rendered once for each state it is in, and
a step is a list of numbers. The same fragments make the page that reads without
JavaScript and the steps that the viewer loads once and then only chooses among.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

import msgspec
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from replays import money as without
from replays import wording
from replays.drawing import KINDS, card_items, group_items
from replays.finding_items import SEVERITIES, SHAPES, finding_item, sum_text, worst
from replays.sight import WHOLE, Sight, redacted
from replays.stepping import card_paths, turn_numbers
from rummy_audit.rhl.cards_text import CARD_FACES, TILE_FACES
from rummy_audit.rhl.records import (
    Amend,
    Deal,
    Declare,
    Hand,
    Knock,
    Score,
    Show,
)
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.judging import JudgeError, Question, ask
from rummy_audit.rules.replay import replay
from rummy_audit.rules.rulesets import Ruleset
from rummy_audit.rules.view import GroupView, MeldView, Replay, SeatView, Step, TableView


class Shown(msgspec.Struct, frozen=True):
    """A hand ready to be shown: its log, its rules, its replay and the players' names."""

    hand: Hand
    rules: Ruleset
    replay: Replay
    names: dict[int, str]
    # Whether nothing is hidden in it; else no digest and no stored report goes with it.
    whole: bool = True
    # Where a case about it is opened, if whoever looks may do so.
    dispute: str = ""


def shown(
    hand: Hand,
    rules: Ruleset,
    *,
    money: bool,
    sight: Sight = WHOLE,
    corrected: bool = True,
    dispute: str = "",
) -> Shown:
    """Replay a hand for its page, as ``sight`` may see it: all of it is made from that alone.

    Without ``money`` nothing of amounts is shown, and the verdict stays what it is.
    """
    hand = redacted(hand, sight)
    replayed = replay(hand, rules, keep_steps=True, corrected=corrected)
    replayed = without.of_replay(replayed, money=money)
    names = {
        player.seat: player.name or _("seat %(seat)s") % {"seat": player.seat}
        for player in hand.record.players
    }
    return Shown(
        hand=hand, rules=rules, replay=replayed, names=names, whole=sight.whole, dispute=dispute
    )


STATES = {
    "in": "",
    "dropped": gettext_lazy("dropped"),
    "left": gettext_lazy("left the table"),
    "wrong": gettext_lazy("wrong declaration"),
    "won": gettext_lazy("won"),
    "out": gettext_lazy("out of the deal"),
}


FINISHES = {"indian": gettext_lazy("Finish card"), "gin": gettext_lazy("Knock discard")}


def _seat_region(view: SeatView, table: TableView, show: Shown) -> str:
    tiles = show.rules.family == "tile"
    noted = show.hand.record.detail in ("full", "table")
    # Nobody saw what it held; a hand that all can see is empty keeps its place.
    unseen = bool(view.unknown or not noted) and not (
        view.cards or view.groups or view.loose or view.finish
    )
    return render_to_string(
        "replays/_seat.html",
        {
            "seat": view.seat,
            "name": show.names.get(view.seat, str(view.seat)),
            "turn": table.turn == view.seat,
            "state": STATES.get(view.state, view.state) if _is_dealt_in(view, show) else "",
            "count": len(view.cards) + view.unknown,
            "groups": group_items(view.groups, wild=table.wild, tiles=tiles),
            "unseen": unseen,
            "noted": noted,
            "cards": card_items(
                view.loose if view.groups else view.cards,
                wild=table.wild,
                unknown=0 if view.groups else view.unknown,
                tiles=tiles,
            ),
            "finish": card_items([view.finish], wild=table.wild) if view.finish else [],
            "finish_label": FINISHES.get(show.rules.family, _("Last discard")),
            "tiles": tiles,
            "dealer": show.hand.record.dealer == view.seat,
        },
    )


def _is_dealt_in(view: SeatView, show: Shown) -> bool:
    """Whether what a seat is can be said: before its cards come, it is not yet out of the deal."""
    if view.state != "out":
        return True
    return all(event.seat != view.seat for event in show.hand.events if isinstance(event, Deal))


def _centre_region(table: TableView, show: Shown) -> str:
    return render_to_string(
        "replays/_centre.html",
        {
            "stock": table.stock,
            "top": card_items(table.pile[-1:], wild=table.wild),
            "pile": len(table.pile),
            "wild": card_items([table.wild], wild=table.wild) if table.wild else [],
            "tiles": show.rules.family == "tile",
            "notes": table.notes,
        },
    )


def _melds_region(table: TableView, show: Shown) -> str:
    tiles, language = show.rules.family == "tile", get_language()
    melds = []
    for meld in table.melds:
        by = show.names.get(meld.seat) if meld.seat is not None else None
        added = tuple(show.names.get(seat, str(seat)) for seat, _card in meld.added)
        melds.append(_meld(meld, by, added, wild=table.wild, tiles=tiles, language=language))
    return render_to_string("replays/_melds.html", {"melds": melds})


# Most melds of a table stay as they are from step to step.
@lru_cache(maxsize=256)
def _meld(
    meld: MeldView,
    by: str | None,
    added: tuple[str, ...],
    *,
    wild: str | None,
    tiles: bool,
    language: str | None,
) -> SafeString:
    """Render one meld; ``added`` are the names of those who laid off on it."""
    del language  # the words are in it
    ctx = {
        "number": meld.number,
        "by": by,
        "cards": card_items(
            meld.cards, wild=wild, places=meld.stands_for, moved=meld.moved, tiles=tiles
        ),
        "label": KINDS.get(meld.kind, meld.kind),
        "kind": meld.kind,
        "added": [
            (who, wording.short(card)) for who, (_seat, card) in zip(added, meld.added, strict=True)
        ],
    }
    # Rendered by a template of ours, which escaped what came from outside.
    return mark_safe(render_to_string("replays/_meld.html", {"meld": ctx}).strip())  # noqa: S308


def _event_region(step: Step, show: Shown) -> str:
    return render_to_string(
        "replays/_event.html",
        {
            "seq": step.number,
            "sentence": wording.sentence(step.event, show.names, tiles=show.rules.family == "tile"),
            "note": step.event.note,
            "findings": [
                finding_item(finding, show.rules.family, show.names) for finding in step.findings
            ],
            "dispute": show.dispute and f"{show.dispute}&seq={step.number}",
            "judge": _question(step, show),
            "best": _best(step, show),
        },
    )


def _best(step: Step, show: Shown) -> dict[str, Any] | None:
    """Return what was claimed at this step and the best grouping of the same cards beside it.

    Who shows after a knock may lay off as well, which is not a grouping of these cards.
    """
    event, rules = step.event, show.rules
    gin = rules.family == "gin"
    if not isinstance(event, (Declare, Knock) if gin else (Declare, Knock, Show)):
        return None
    view = next((each for each in step.table.seats if each.seat == event.seat), None)
    if view is None or view.unknown or not view.groups:
        return None
    cards = tuple(card for group in view.groups for card in group.cards) + view.loose
    if "??" in cards:
        return None
    wild = step.table.wild
    try:
        answer = ask(Question(rules=rules, cards=cards, wild=wild))
        groups = tuple(tuple(group) for group in answer["best"]["groups"])
        loose = tuple(answer["best"]["loose"])
        kinds = ask(Question(rules=rules, cards=loose, groups=groups, wild=wild))["groups"]
    except JudgeError:
        return None
    return {
        "fits": not loose and answer["declarable"],
        "declares": isinstance(event, Declare),
        "points": answer["best"]["points"],
        "claimed": group_items(view.groups, wild=wild),
        "claimed_loose": card_items(view.loose, wild=wild),
        "groups": group_items(
            [
                GroupView(
                    cards=tuple(group["cards"]),
                    kind=group["kind"],
                    stands_for=tuple(group["places"]),
                )
                for group in kinds
            ],
            wild=wild,
        ),
        "loose": card_items(loose, wild=wild),
    }


def _question(step: Step, show: Shown) -> str:
    """Return the query of the judge page for groups that were claimed at this step."""
    groups = getattr(step.event, "groups", None)
    if not groups:
        return ""
    named = " | ".join(" ".join(group) for group in groups)
    loose = " ".join(getattr(step.event, "loose", None) or ())
    wild = step.table.wild
    return urlencode(
        {
            "ruleset": show.rules.preset.partition("@")[0],
            "wild": wild if wild == "JK" else (wild or "")[:-1],
            "cards": f"{named} + {loose}" if loose else named,
        }
    )


def regions(step: Step, show: Shown) -> dict[str, str]:
    """Return the fragments of one step by region, in the order of the page."""
    table = step.table
    parts = {f"seat-{view.seat}": _seat_region(view, table, show) for view in table.seats}
    parts["centre"] = _centre_region(table, show)
    parts["melds"] = _melds_region(table, show)
    parts["event"] = _event_region(step, show)
    return parts


def steps_data(show: Shown) -> dict[str, Any]:
    """Return all steps for the viewer: each region's states once, and a list of numbers a step.

    A card is drawn hundreds of times in a long hand, so it stands once among ``drawn`` and
    elsewhere as its place there: ``<li 3>``, which no text from outside can be, as that is
    escaped. A step's numbers are in the order of ``names``.
    """
    states: dict[str, list[str]] = {}
    numbers: dict[str, dict[object, int]] = {}
    drawn: dict[str, int] = {}
    steps = []
    turns = turn_numbers(show.replay.steps)
    for step, turn in zip(show.replay.steps, turns, strict=True):
        chosen = {}
        for region, key, make in _region_makers(step, show):
            seen = numbers.setdefault(region, {})
            if key not in seen:
                seen[key] = len(seen)
                states.setdefault(region, []).append(_by_place(make(), drawn))
            chosen[region] = seen[key]
        said: dict[str, Any] = {
            "seq": step.number,
            "say": wording.sentence(step.event, show.names, tiles=show.rules.family == "tile"),
            "turn": turn,
            "regions": chosen,
        }
        if gravest := worst(step.findings):
            said |= {"severity": gravest, "severity_label": str(SEVERITIES[gravest])}
        steps.append(said)
    paths = card_paths(show.replay.steps)
    ordered = sorted(paths, key=lambda face: (_ORDER.get(face, len(_ORDER)), face))
    faces = {face: wording.spoken(face) for face in ordered}
    names = list(states)
    for said in steps:
        said["regions"] = [said["regions"].get(name, 0) for name in names]
    ctx = {"names": names, "regions": states, "drawn": list(drawn)}
    return {**ctx, "steps": steps, "cards": paths, "faces": faces}


_DRAWN = re.compile(r"<li[^>]*><svg class=\"card\".*?</li>", re.DOTALL)


def _by_place(html: str, drawn: dict[str, int]) -> str:
    """Return a fragment with each card by its place among those that are drawn."""
    return _DRAWN.sub(lambda card: f"<li {drawn.setdefault(card[0], len(drawn))}>", html)


_ORDER = {face: place for place, face in enumerate([*CARD_FACES, *TILE_FACES])}


def _region_makers(step: Step, show: Shown) -> Iterable[tuple[str, object, Any]]:
    table = step.table
    for view in table.seats:
        turn = table.turn == view.seat
        yield (
            f"seat-{view.seat}",
            (view, turn, table.wild),
            lambda view=view: _seat_region(view, table, show),
        )
    yield (
        "centre",
        (table.stock, table.pile[-1:], len(table.pile), table.wild, table.notes),
        lambda: _centre_region(table, show),
    )
    yield "melds", table.melds, lambda: _melds_region(table, show)
    yield "event", step.number, lambda: _event_region(step, show)


def event_list(show: Shown) -> list[dict[str, Any]]:
    """Return every event of the hand for the list beside the table, amended ones struck through."""
    found = Counter(step.number for step in show.replay.steps for _each in step.findings)
    gravest = {step.number: worst(step.findings) for step in show.replay.steps}
    reached = {step.number for step in show.replay.steps}
    amends = {event.target: event for event in show.hand.events if isinstance(event, Amend)}
    return [
        {
            "seq": event.seq,
            "sentence": wording.sentence(event, show.names, tiles=show.rules.family == "tile"),
            "severity": gravest.get(event.seq, ""),
            "severity_label": SEVERITIES.get(gravest.get(event.seq, ""), ""),
            "shape": SHAPES.get(gravest.get(event.seq, ""), ""),
            "count": found[event.seq],
            "reached": event.seq in reached,
            "amended": event.seq in amends,
            "amended_by": _amended_by(amends.get(event.seq)),
            "note": event.note or "",
        }
        for event in show.hand.events
    ]


def _amended_by(amend: Amend | None) -> str:
    """Say who put an event right, and why."""
    if amend is None:
        return ""
    who = _("put right by %(who)s") % {"who": amend.by} if amend.by else _("put right")
    return f"{who}: {amend.reason}" if amend.reason else who


def score_rows(show: Shown) -> list[dict[str, Any]]:
    """Return recorded points beside the points by the rules, a row a player."""
    recorded: Mapping[int, int] = {}
    won: int | None = None
    for step in show.replay.steps:
        if isinstance(step.event, Score) and step.event.points is not None:
            recorded, won = step.event.points, step.event.winner
    result = show.replay.result
    rows = []
    for seat, name in sorted(show.names.items()):
        ours = result.scores.get(seat)
        theirs = recorded.get(seat)
        terms = result.breakdown.get(seat, ())
        rows.append(
            {
                "seat": seat,
                "name": name,
                "recorded": theirs,
                "computed": ours,
                "differs": ours is not None and theirs is not None and ours != theirs,
                "won": result.winner == seat,
                "recorded_won": won == seat,
                "sum": sum_text(terms),
            }
        )
    known = any(row["recorded"] is not None or row["computed"] is not None for row in rows)
    return rows if known else []


def opening(show: Shown) -> int:
    """Return the step a hand's page opens at: the first error or breach, else the last."""
    for severity in ("error", "breach"):
        for index, step in enumerate(show.replay.steps):
            if any(finding.severity == severity for finding in step.findings):
                return index
    return max(0, len(show.replay.steps) - 1)


def _wrong_declarer(finding: Finding, show: Shown) -> str:
    """Return whose declaration does not stand for what was found in it, or nothing."""
    if finding.category != "declaration":
        return ""
    seats = [
        each.seat
        for each in show.replay.findings
        if each.code == "wrong-declaration" and each.seq == finding.seq and each is not finding
    ]
    return show.names.get(seats[0] or 0, "") if seats else ""


def _told(finding: Finding, show: Shown) -> str:
    if who := _wrong_declarer(finding, show):
        return wording.does_not_stand(who, finding, show.rules.family, show.names)
    return wording.told(finding, show.rules.family, show.names)


def moment(step: Step, show: Shown) -> dict[str, str]:
    """Return what is said of one event by itself: the gravest that was found at it, or nothing.

    The verdict of a hand tells of all its events, and the points by the rules of its end.
    """
    severity = worst(step.findings)
    if not severity:
        label, said = _("nothing found"), _("Nothing was found at this event.")
        return {"verdict": "note", "verdict_label": label, "sentence": said}
    found = next(each for each in step.findings if each.severity == severity)
    return {
        "verdict": {"error": "flagged", "breach": "irregular"}.get(severity, "note"),
        "verdict_label": str(SEVERITIES[severity]),
        "sentence": _told(found, show),
    }


def verdict_sentence(show: Shown) -> str:
    """Return the one sentence that says what is wrong, or that nothing is."""
    for severity in ("error", "breach"):
        for finding in show.replay.findings:
            if finding.severity == severity:
                return _told(finding, show)
    if show.replay.verdict in ("flagged", "irregular"):
        return _(
            "Only amounts of money in this log are wrong. Your club plays for points alone, so "
            "they are not shown; an owner can switch money on."
        )
    if show.replay.verdict == "unfinished":
        return _("The hand is not over yet; nothing is wrong so far.")
    if show.replay.not_run:
        return _("Nothing wrong was found; some checks could not run on this record.")
    return _("Nothing wrong was found: every check ran.")
