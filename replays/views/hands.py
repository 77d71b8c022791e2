"""Pages of hands: the list, one hand at a step, its steps, its log and its report."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from replays import finding_items, money, rule_words, viewing
from replays.access import needs
from replays.direction import plain
from replays.models import HandLog
from replays.models.hands import Verdict
from replays.models.people import Scope
from replays.queries import hand_of, hand_page, neighbours, newest_audit, rules_of
from replays.sight import Sight, redacted, sight_of, without_digests
from replays.standings import findings_at
from replays.views.cases import case_about
from replays.views.pulse import tag_of
from rummy_audit.rhl import write
from rummy_audit.rhl.records import Amend
from rummy_audit.rules.findings import codes
from rummy_audit.rules.report import hand_report
from rummy_audit.rules.rulesets import RulesetError

DETAILS = {
    "full": "every card known",
    "table": "as seen from the table",
    "shown": "shown hands only",
    "scores": "scores only",
}


_CURSOR = re.compile(r"[0-9]{1,18}")


@require_safe
@needs(Scope.HANDS_READ)
def hand_list(request: HttpRequest) -> HttpResponse:
    """Hands newest first, by verdict or finding, a page at a time."""
    verdict = request.GET.get("verdict", "")
    code = request.GET.get("code", "")
    before = request.GET.get("before", "")
    if verdict not in Verdict.values:
        verdict = ""
    if code not in codes():
        code = ""
    cursor = int(before) if _CURSOR.fullmatch(before) else 0
    page = hand_page(request.viewer, verdict=verdict, code=code, before=cursor)
    chosen = {key: value for key, value in (("verdict", verdict), ("code", code)) if value}
    ctx = {
        "hands": page.rows,
        "next": urlencode({**chosen, "before": page.next}) if page.next else "",
        "verdict": verdict,
        "code": code,
        "filtered": bool(chosen or cursor),
        "verdicts": Verdict.choices,
        "code_choices": money.code_choices(request.viewer),
    }
    return render(request, "replays/hands.html", ctx)


def _get_hand_for_user(request: HttpRequest, public_id: str) -> HandLog:
    return get_object_or_404(HandLog.objects.for_user(request.viewer), public_id=public_id)


def _seat(request: HttpRequest, log: HandLog) -> int | None:
    asked = request.GET.get("seat", "")
    seats = {str(seat.seat): seat.seat for seat in log.seats.all()} if asked else {}
    return seats.get(asked)


def _sight(request: HttpRequest, log: HandLog) -> Sight:
    """Return what is seen of a hand by whoever asks, from the seat that the address chooses."""
    return sight_of(request.viewer, log).from_seat(_seat(request, log))


@require_safe
@needs(Scope.HANDS_READ)
def hand(request: HttpRequest, public_id: str, seq: int | None = None) -> HttpResponse:
    """One hand at one event: without a number at the first error, else where it ended."""
    log = _get_hand_for_user(request, public_id)
    asked = request.GET.get("at", "")
    if _CURSOR.fullmatch(asked):
        look = urlencode(_look(request, log))
        return redirect(f"{reverse('hand-at', args=[public_id, int(asked)])}{look and '?' + look}")
    try:
        show = _show(request, log)
    except RulesetError as error:
        return render(request, "replays/hand.html", _unreadable_context(log, error))
    steps = show.replay.steps
    places = {step.number: index for index, step in enumerate(steps)}
    if seq is None:
        index = viewing.opening(show)
    elif seq in places:
        index = places[seq]
    elif steps and 0 <= seq <= len(show.hand.events):
        index = max((at for number, at in places.items() if number <= seq), default=0)
    else:
        raise Http404
    ctx = _hand_context(log, show, index, _look(request, log))
    if show.whole:
        ctx["match_findings"] = findings_at(request.viewer, log, show.names)
    ctx |= _tools_context(request, log, show, index)
    return render(request, "replays/hand.html", ctx)


def _look(request: HttpRequest, log: HandLog) -> dict[str, str]:
    """Return how the address asks to see a hand: from a seat, as recorded, without findings."""
    look = {}
    if seat := _seat(request, log):
        look["seat"] = str(seat)
    if request.GET.get("view") == "recorded":
        look["view"] = "recorded"
    if request.GET.get("findings") == "hidden":
        look["findings"] = "hidden"
    return look


def _show(request: HttpRequest, log: HandLog, *, whole: bool = False) -> viewing.Shown:
    stored = hand_of(log)
    return viewing.shown(
        stored,
        rules_of(log, stored),
        money=whole or money.shown_to(request.viewer),
        sight=_sight(request, log),
        corrected=request.GET.get("view") != "recorded",
        dispute=case_about(log) if request.viewer.may(Scope.CASES_WRITE) else "",
    )


def _tools_context(
    request: HttpRequest, log: HandLog, show: viewing.Shown, index: int
) -> dict[str, Any]:
    """What the viewer's tools need: seats to look from, other deals, what may be done here."""
    steps = show.replay.steps
    seq = steps[index].number if steps else 0
    before, after = neighbours(request.viewer, log)
    look = _look(request, log)
    what_if = reverse("what-if", args=[log.public_id])
    ctx = {
        "seat_names": sorted(show.names.items()),
        "viewed_seat": _seat(request, log),
        "tiles": show.rules.family == "tile",
        "without_findings": "findings" in look,
        "hand_url": reverse("hand", args=[log.public_id]),
        "hand_before": reverse("hand", args=[before]) if before else "",
        "hand_after": reverse("hand", args=[after]) if after else "",
        **_pulse_context(log),
        "what_if_at": f"{what_if}?seq=SEQ",
        "what_if_url": f"{what_if}?seq={seq}",
        "pin_at": f"{case_about(log)}&seq=SEQ",
        "pin_url": f"{case_about(log)}&seq={seq}",
    }
    if any(isinstance(event, Amend) for event in show.hand.events):
        as_corrected = {name: value for name, value in look.items() if name != "view"}
        recorded = urlencode(as_corrected | {"view": "recorded"})
        here = reverse("hand-at", args=[log.public_id, seq])
        at = reverse("hand-at", args=[log.public_id, 0])[:-1] + "SEQ"
        ctx |= {
            "as_recorded": "view" in look,
            "recorded_url": f"{here}?{recorded}",
            "recorded_at": f"{at}?{recorded}",
            "corrected_url": f"{here}?{urlencode(as_corrected)}",
            "corrected_at": f"{at}?{urlencode(as_corrected)}",
        }
    return ctx


def _pulse_context(log: HandLog) -> dict[str, str]:
    if not log.is_open:
        return {}
    return {"pulse_url": reverse("hand-pulse", args=[log.public_id]), "pulse_tag": tag_of(log)}


def _unreadable_context(log: HandLog, error: RulesetError) -> dict[str, Any]:
    """A hand whose rules cannot be built any more, after an amendment of its record."""
    return {
        "title": log.name,
        "public_id": log.public_id,
        "verdict": Verdict.UNREADABLE.value,
        "verdict_label": Verdict.UNREADABLE.label,
        "sentence": _(
            "The rules of this hand cannot be used: %(parameter)s is %(found)s, expected "
            "%(expected)s. Amend the hand record, then it is judged again."
        )
        % {
            "parameter": rule_words.setting(error.parameter),
            "found": error.found,
            "expected": error.expected,
        },
        "log_text": reverse("hand-log", args=[log.public_id, "rhl"]),
        "log_json": reverse("hand-log", args=[log.public_id, "rhl.jsonl"]),
        **_pulse_context(log),
    }


def _hand_context(
    log: HandLog, show: viewing.Shown, index: int, look: dict[str, str]
) -> dict[str, Any]:
    replay, record = show.replay, show.hand.record
    query = f"?{urlencode(look)}" if look else ""

    def address(step: int) -> str:
        return reverse("hand-at", args=[log.public_id, step]) + query

    ctx: dict[str, Any] = {
        "title": " · ".join(each for each in (record.table or "", record.id) if each),
        "public_id": log.public_id,
        "verdict": replay.verdict,
        "verdict_label": Verdict(replay.verdict).label,
        "rules": show.rules,
        "detail_label": DETAILS[record.detail],
        "counts": _counts(show),
        "sentence": viewing.verdict_sentence(show),
        "waiting": log.audited_version < log.version,
        "steps_total": len(replay.steps),
        "dispute": show.dispute,
        "dispute_total": show.dispute and f"{show.dispute}&kind=total",
        "at_zero": [
            finding_items.finding_item(each, show.rules.family, show.names)
            for each in replay.findings
            if not each.seq
        ],
        "score_rows": viewing.score_rows(show),
        "not_run": replay.not_run,
        "log_text": reverse("hand-log", args=[log.public_id, "rhl"]),
        "log_json": reverse("hand-log", args=[log.public_id, "rhl.jsonl"]),
        "report_url": reverse("hand-report", args=[log.public_id]),
        "match_url": reverse("hand-match", args=[log.public_id]) if log.match else "",
        "match_name": log.match,
    }
    if show.whole:
        audit = newest_audit(log)
        ctx |= {"head": log.head, "report_digest": audit[0].report_digest if audit else ""}
    if replay.steps:
        ctx |= _steps_context(log, show, index, address)
    return ctx


def _steps_context(log: HandLog, show: viewing.Shown, index: int, address: Any) -> dict[str, Any]:
    steps = show.replay.steps
    step = steps[index]
    fragments = viewing.regions(step, show)
    last = len(steps) - 1
    found = [at for at, each in enumerate(steps) if each.findings]
    following = next((at for at in found if at > index), index)
    before = next((at for at in reversed(found) if at < index), index)
    return {
        "seq": step.number,
        "index": index,
        "steps_last": last,
        "last_seq": steps[-1].number,
        # Each fragment was rendered by a template of ours, which escaped what came from outside.
        "regions": [(name, mark_safe(html)) for name, html in fragments.items()],  # noqa: S308
        "event_html": mark_safe(fragments["event"]),  # noqa: S308
        "events": [
            {**event, "address": address(event["seq"])} for event in viewing.event_list(show)
        ],
        "marks": [
            {
                "percent": round(100 * at / max(1, last), 2),
                "severity": (worst := finding_items.worst(steps[at].findings)),
                "shape": finding_items.SHAPES[worst],
                "address": address(steps[at].number),
            }
            for at in found
        ],
        "first": address(steps[0].number),
        "back": address(steps[max(0, index - 1)].number),
        "on": address(steps[min(last, index + 1)].number),
        "last": address(steps[-1].number),
        "next_finding": address(steps[following].number),
        "last_finding": address(steps[before].number),
        "steps_url": reverse("hand-steps", args=[log.public_id]),
        "address": reverse("hand-at", args=[log.public_id, 0])[:-1],
    }


def _counts(show: viewing.Shown) -> str:
    severities = [finding.severity for finding in show.replay.findings]
    errors, breaches, notes = (severities.count(each) for each in finding_items.SHAPES)
    said = [
        ngettext("%(count)s error", "%(count)s errors", errors) % {"count": errors}
        if errors
        else "",
        ngettext("%(count)s breach", "%(count)s breaches", breaches) % {"count": breaches}
        if breaches
        else "",
        ngettext("%(count)s note", "%(count)s notes", notes) % {"count": notes} if notes else "",
    ]
    return " · ".join(each for each in said if each)


@require_safe
@needs(Scope.HANDS_READ)
def hand_steps(request: HttpRequest, public_id: str) -> HttpResponse:
    """All steps of a hand for its viewer, loaded once."""
    log = _get_hand_for_user(request, public_id)
    try:
        return JsonResponse(plain(viewing.steps_data(_show(request, log))))
    except RulesetError:
        raise Http404 from None


@require_safe
@needs(Scope.HANDS_READ)
def hand_log(request: HttpRequest, public_id: str, form: str) -> HttpResponse:
    """The log of a hand to take away, as text or as JSON Lines."""
    log = _get_hand_for_user(request, public_id)
    hand = redacted(hand_of(log), _sight(request, log))
    if form == "rhl":
        response = HttpResponse(write.to_text(hand), content_type="text/plain; charset=utf-8")
    else:
        response = HttpResponse(write.to_json(hand), content_type="application/vnd.rhl+jsonl")
    response["Content-Disposition"] = f'attachment; filename="{log.public_id}.{form}"'
    return response


@require_safe
@needs(Scope.HANDS_READ)
def hand_report_page(request: HttpRequest, public_id: str) -> HttpResponse:
    """The report of a hand as data: the stored one, or worked out now while it waits."""
    log = _get_hand_for_user(request, public_id)
    stored = newest_audit(log) if _sight(request, log).whole else None
    if stored and stored[0].version == log.version:
        return JsonResponse(money.of_report(stored[1], money=money.shown_to(request.viewer)))
    try:
        show = _show(request, log, whole=True)
    except RulesetError:
        raise Http404 from None
    report = hand_report(show.hand, show.rules, show.replay)
    report = money.of_report(report, money=money.shown_to(request.viewer))
    return JsonResponse(report if show.whole else without_digests(report))
