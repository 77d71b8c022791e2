"""The page of a what-if: a change tried, its verdict beside that of the log as it stands."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from replays import finding_items, knock_on, money, rule_words, what_if, wording
from replays.access import needs
from replays.models import HandLog
from replays.models.hands import Verdict
from replays.models.people import Scope
from replays.queries import hand_of, rules_of
from rummy_audit.rhl.records import Hand
from rummy_audit.rules.rulesets import RulesetError
from rummy_audit.rules.view import Replay

_NUMBER = re.compile(r"[0-9]{1,6}")


@require_safe
@needs(Scope.HANDS_REVEAL)
def page(request: HttpRequest, public_id: str) -> HttpResponse:
    """Try a change of a hand; the address holds all of it, so that it can be passed on."""
    log = get_object_or_404(HandLog.objects.for_user(request.viewer), public_id=public_id)
    hand = hand_of(log)
    asked = {name: " ".join(request.GET.get(name, "").split()) for name in what_if.FIELDS}
    seq = int(asked["seq"]) if _NUMBER.fullmatch(asked["seq"]) else 0
    family = ""
    ctx: dict[str, Any] = {"log": log, "asked": asked, "seq": seq}
    try:
        family = rules_of(log, hand).family
        ctx["parameters"] = rule_words.choices(family)
        ctx["line"] = asked["line"] or what_if.line_of(hand, seq)
        ctx["sentence"] = _sentence(hand, seq, tiles=family == "tile")
        change = what_if.Change(
            seq=seq,
            line=asked["line"] if asked["line"] != what_if.line_of(hand, seq) else "",
            card=asked["card"],
            read_as=asked["read_as"],
            rules=what_if.house_rule(asked["rule"], asked["value"]),
        )
        if not change.is_empty:
            changed = what_if.changed(hand, change)
            moved = knock_on.with_hand(request.viewer, log, changed)
            ctx |= _answer(moved, family, pays=money.shown_to(request.viewer)) | {
                "here": request.get_full_path()
            }
    except what_if.WhatIfError as error:
        ctx["problem"] = _("“%(found)s” cannot be tried: expected %(expected)s.") % {
            "found": error.found,
            "expected": error.expected,
        }
    except RulesetError as error:
        ctx["problem"] = _("%(name)s cannot be “%(found)s”: expected %(expected)s.") % {
            "name": rule_words.setting(error.parameter),
            "found": error.found,
            "expected": error.expected,
        }
    return render(request, "replays/what_if.html", ctx)


def _sentence(hand: Hand, seq: int, *, tiles: bool) -> str:
    """Say what event ``seq`` is, as the log has it; empty for none."""
    names = {seat.seat: seat.name for seat in hand.record.players if seat.name}
    event = next((event for event in hand.events if event.seq == seq), None)
    return wording.sentence(event, names, tiles=tiles) if event else ""


def _answer(moved: knock_on.KnockOn, family: str, *, pays: bool) -> dict[str, Any]:
    before, after = (money.of_replay(each.hand, money=pays) for each in (moved.before, moved.after))
    seats = sorted({*moved.names, *before.result.scores, *after.result.scores})
    stands, tried = (_side(each, family, moved.names) for each in (before, after))
    both = [each for each in stands["findings"] if each in tried["findings"]]
    for side, only in ((stands, _("falls away")), (tried, _("new"))):
        side["findings"] = [
            each | {"only": "" if each in both else only} for each in side["findings"]
        ]
    return {
        "after": after,
        "same": (stands, before.result) == (tried, after.result),
        "sides": [
            stands | {"title": _("as it stands"), "clean": _clean(before, _("Nothing is wrong."))},
            tried | {"title": _("what if"), "clean": _clean(after, _("Nothing would be wrong."))},
        ],
        "rows": [
            {
                "name": moved.names.get(seat) or _("seat %(seat)s") % {"seat": seat},
                "points": (before.result.scores.get(seat), after.result.scores.get(seat)),
                "totals": (moved.before.totals.get(seat), moved.after.totals.get(seat)),
                "out": seat in moved.newly_out,
            }
            for seat in seats
        ],
        "in_match": moved.before.match is not None,
        "winner_changes": moved.winner_changes,
    }


def _clean(replay: Replay, said: str) -> str:
    return _("Only amounts of money.") if replay.verdict in ("flagged", "irregular") else said


def _side(replay: Replay, family: str, names: dict[int, str]) -> dict[str, Any]:
    return {
        "verdict": replay.verdict,
        "label": Verdict(replay.verdict).label,
        "findings": [
            {
                "seq": finding.seq,
                "code": finding.code,
                "severity": finding.severity,
                "shape": finding_items.SHAPES[finding.severity],
                "message": wording.told(finding, family, names),
            }
            for finding in replay.findings
        ],
    }
