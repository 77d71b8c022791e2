"""The same hand under another ruleset, side by side, with the setting behind each difference."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from replays import finding_items, money, viewing, wording
from replays.access import needs
from replays.models import HandLog
from replays.models.hands import Verdict
from replays.models.people import Scope
from replays.queries import hand_of, rules_of
from replays.sight import redacted, sight_of
from rummy_audit.rhl.records import Hand
from rummy_audit.rules.compare import Difference, compare, under
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.rulesets import Ruleset, RulesetError, presets
from rummy_audit.rules.view import Replay


@require_safe
@needs(Scope.HANDS_READ)
def under_ruleset(request: HttpRequest, public_id: str) -> HttpResponse:
    """Judge a stored hand by the ruleset in the address as well; nothing is stored."""
    log = get_object_or_404(HandLog.objects.for_user(request.viewer), public_id=public_id)
    hand = redacted(hand_of(log), sight_of(request.viewer, log))
    try:
        own = rules_of(log, hand)
    except RulesetError:
        raise Http404 from None  # the hand's own page says what is wrong with its rules
    others = [p for p in presets().values() if p.family == own.family and p.name != own.preset]
    chosen = request.GET.get("ruleset") or (others[0].name if others else own.preset)
    ctx: dict[str, Any] = {"log": log, "own": own, "others": others, "chosen": chosen}
    try:
        found = compare(hand, under(hand, chosen, own), own)
    except RulesetError as error:
        ctx["problem"] = _("“%(found)s” cannot be used here: expected %(expected)s.") % {
            "found": error.found,
            "expected": error.expected,
        }
    else:
        names = {seat.seat: seat.name for seat in log.seats.all() if seat.name}
        pays = money.shown_to(request.viewer)
        ctx |= {
            "found": found if others or request.GET.get("ruleset") else None,
            "sides": [
                _side(hand, rules, money.of_replay(replay, money=pays), names)
                for rules, replay in ((own, found.mine), (found.there, found.theirs))
            ],
            "differences": [
                _row(each, own.family, names)
                for each in found.differences
                if pays or not _is_money(each)
            ],
        }
    return render(request, "replays/under.html", ctx)


def _side(hand: Hand, rules: Ruleset, replay: Replay, names: dict[int, str]) -> dict[str, Any]:
    show = viewing.Shown(hand=hand, rules=rules, replay=replay, names=names)
    return {
        "preset": rules.preset,
        "verdict": replay.verdict,
        "label": Verdict(replay.verdict).label,
        "sentence": viewing.verdict_sentence(show),
        "scores": wording.by_seat(replay.result.scores, names),
    }


def _is_money(each: Difference) -> bool:
    sides = (each.here, each.there)
    return any(isinstance(side, Finding) and side.code in money.CODES for side in sides)


def _row(each: Difference, family: str, names: dict[int, str]) -> dict[str, Any]:
    finding = next((side for side in (each.here, each.there) if isinstance(side, Finding)), None)
    what = {
        "verdict": _("verdict"),
        "winner": _("winner"),
        "points": _("points"),
        "finding": f"{finding.code}" if finding else "",
    }[each.what]
    return {
        "what": what,
        "who": names.get(each.seat, each.seat) if each.seat is not None else "",
        "seq": finding.seq if finding else 0,
        "code": finding.code if finding else "",
        "here": _say(each.here, each, family, names),
        "there": _say(each.there, each, family, names),
        "parameters": each.parameters,
    }


def _say(value: object, each: Difference, family: str, names: dict[int, str]) -> str:
    if isinstance(value, Finding):
        shape = finding_items.SHAPES[value.severity]
        return f"{shape} {wording.told(value, family, names)}"
    if value is None:
        return "–"
    if each.what == "winner" and isinstance(value, int):
        return names.get(value, str(value))
    return str(value)
