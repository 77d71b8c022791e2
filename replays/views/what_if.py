"""The page of a what-if: a change tried, its verdict beside that of the log as it stands.

Whoever keeps the record saves what was really played from here, as an amendment.
"""

from __future__ import annotations

import re
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from replays import finding_items, knock_on, live, money, rule_words, what_if, wording
from replays.access import Viewer, needs
from replays.models import DealEntry, HandLog
from replays.models.hands import Verdict
from replays.models.people import Scope, called
from replays.queries import hand_of, rules_of
from rummy_audit.rhl import canonical
from rummy_audit.rhl.records import Hand
from rummy_audit.rules.rulesets import RulesetError, parameters
from rummy_audit.rules.view import Replay

_NUMBER = re.compile(r"[0-9]{1,6}")
_MOST_REASON = 300


@require_safe
@needs(Scope.HANDS_REVEAL)
def page(request: HttpRequest, public_id: str) -> HttpResponse:
    """Try a change of a hand; the address holds all of it, so that it can be passed on."""
    log = get_object_or_404(HandLog.objects.for_user(request.viewer), public_id=public_id)
    return render(request, "replays/what_if.html", _context(request, log, hand_of(log)))


@require_POST
@needs(Scope.HANDS_WRITE)
def amend(request: HttpRequest, public_id: str) -> HttpResponse:
    """Append what the address tries as an amendment, with its reason: what was written stays."""
    if not request.viewer.may(Scope.HANDS_REVEAL):
        raise PermissionDenied
    log = get_object_or_404(HandLog.objects.for_user(request.viewer), public_id=public_id)
    hand = hand_of(log)
    reason = " ".join(request.POST.get("reason", "").split())[:_MOST_REASON]
    change = _change(_asked(request), hand)
    if not reason:
        problem = _("Say why, in a few words: the reason stays with the correction.")
    elif request.POST.get("version") != str(log.version):
        problem = _gone_on()
    else:
        problem = _append(request.viewer, log, hand, change, reason)
    if not problem:
        said = _("The record is corrected. What was written before stays, struck through.")
        messages.success(request, said)
        return redirect("hand-at", public_id, change.seq)
    ctx = _context(request, log, hand) | {"not_saved": problem, "reason": reason}
    return render(request, "replays/what_if.html", ctx, status=400)


def _append(viewer: Viewer, log: HandLog, hand: Hand, change: what_if.Change, reason: str) -> str:
    """Append the amendment; return why it cannot be, or nothing."""
    try:
        made = what_if.amendment(hand, change, by=called(viewer.user), reason=reason)
        live.append(viewer, log.public_id, after=log.seq, lines=[canonical.encode(made)])
    except (what_if.WhatIfError, live.MisfitError) as error:
        return _cannot(error.found, error.expected)
    except live.AppendError:
        return _gone_on()
    return ""


def _gone_on() -> str:
    return _("The hand has gone on since you opened this page. Look at it again, then save.")


def _cannot(found: str, expected: str) -> str:
    return _("“%(found)s” cannot be tried: expected %(expected)s.") % {
        "found": found,
        "expected": expected,
    }


def _asked(request: HttpRequest) -> dict[str, str]:
    return {name: " ".join(request.GET.get(name, "").split()) for name in what_if.FIELDS}


def _seq(asked: dict[str, str]) -> int:
    return int(asked["seq"]) if _NUMBER.fullmatch(asked["seq"]) else 0


def _change(asked: dict[str, str], hand: Hand) -> what_if.Change:
    seq = _seq(asked)
    return what_if.Change(
        seq=seq,
        line=asked["line"] if asked["line"] != what_if.line_of(hand, seq) else "",
        card=asked["card"],
        read_as=asked["read_as"],
        rules=what_if.house_rule(asked["rule"], asked["value"]),
    )


def _context(request: HttpRequest, log: HandLog, hand: Hand) -> dict[str, Any]:
    asked = _asked(request)
    seq = _seq(asked)
    family = ""
    ctx: dict[str, Any] = {
        "log": log,
        "asked": asked,
        "seq": seq,
        "query": request.GET.urlencode(),
        # Who may still correct such a deal, and until when, is known at its table alone.
        "at_table": DealEntry.objects.for_user(request.viewer)
        .filter(log=log)
        .select_related("match__table")
        .first(),
    }
    try:
        family = rules_of(log, hand).family
        ctx["parameters"] = rule_words.choices(family)
        ctx["line"] = asked["line"] or what_if.line_of(hand, seq)
        ctx["sentence"] = _sentence(hand, seq, tiles=family == "tile")
        change = _change(asked, hand)
        if "rule" in request.GET and (wanting := _wanting(asked, change, family)):
            ctx["problem"] = wanting
        elif not change.is_empty:
            changed = what_if.changed(hand, change)
            moved = knock_on.with_hand(request.viewer, log, changed)
            ctx |= _answer(moved, family, pays=money.shown_to(request.viewer)) | {
                "here": f"{reverse('what-if', args=[log.public_id])}?{ctx['query']}",
                "can_be_saved": not change.rules and not ctx["at_table"],
            }
    except what_if.WhatIfError as error:
        ctx["problem"] = _cannot(error.found, error.expected)
    except RulesetError as error:
        ctx["problem"] = _("%(name)s cannot be “%(found)s”: expected %(expected)s.") % {
            "name": rule_words.setting(error.parameter),
            "found": error.found,
            "expected": error.expected,
        }
    return ctx


def _wanting(asked: dict[str, str], change: what_if.Change, family: str) -> str:
    """Say what a form that was sent still lacks, or nothing."""
    parameter = parameters(family).get(asked["rule"])
    if parameter and not asked["value"]:
        return _("Write what “%(rule)s” is set to: %(expected)s.") % {
            "rule": rule_words.setting(asked["rule"]),
            "expected": parameter.expected,
        }
    if asked["card"] and not asked["read_as"]:
        return _("Write which card it really was.")
    if change.is_empty:
        return _("Nothing is changed yet: write the event, a card or a house rule otherwise.")
    return ""


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
