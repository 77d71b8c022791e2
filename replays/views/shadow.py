"""Pages of shadow runs: what a week of hands would have brought up, and what of it to adopt."""

from __future__ import annotations

import datetime
import re
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from replays import policies, rule_words, shadow, wording
from replays.access import needs
from replays.models import ShadowRun
from replays.models.people import Scope
from replays.models.shadow import Act
from replays.rulesets_of_clubs import RulesetProblemsError
from replays.shadow import Found, ShadowError
from rummy_audit.rules.findings import codes

_PAGE = 50
_GROUP = re.compile(r"[0-9]{1,10}")


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Scope.AUDITS_RUN)
def run_list(request: HttpRequest) -> HttpResponse:
    """The runs of the club, and a form for one over stored hands."""
    ctx: dict[str, Any] = {}
    if request.method == "POST":
        try:
            run = shadow.run_over_stored(
                viewer=request.viewer,
                words=request.POST.get("words", "").strip(),
                since=_day(request.POST.get("since", "")),
                until=_day(request.POST.get("until", ""), days=1),
                event=request.POST.get("event", "").strip()[:500],
            )
            return redirect("shadow-run", run.public_id)
        except ShadowError as error:
            ctx["problem"] = _("This cannot be run: %(why)s.") % {"why": error}
        except ValueError:
            ctx["problem"] = _("A day is written as 2026-05-01.")
    rows = ShadowRun.objects.for_user(request.viewer).order_by("-pk")[:_PAGE]
    ctx["runs"] = [(row, _chosen(row)) for row in rows]
    ctx["typed"] = request.POST
    return render(request, "replays/shadow_runs.html", ctx)


def _day(text: str, *, days: int = 0) -> datetime.datetime | None:
    """Return the beginning of a day, or of one some days later. Raises ValueError."""
    if not text.strip():
        return None
    day = datetime.date.fromisoformat(text.strip()) + datetime.timedelta(days=days)
    return timezone.make_aware(datetime.datetime.combine(day, datetime.time()))


def _chosen(run: ShadowRun) -> list[str]:
    """Say which of the stored hands a run went over, in words."""
    said = {
        "since": _("from %s"),
        "until": _("until %s"),
        "event": _("of %s"),
        "source": _("sent by %s"),
    }
    return [
        said[name] % (_moment(value) if name in ("since", "until") else value)
        for name, value in run.chosen.items()
        if name in said
    ]


def _moment(text: str) -> str:
    return wording.moment(datetime.datetime.fromisoformat(text))


def _get_run_for_user(request: HttpRequest, public_id: str) -> ShadowRun:
    rows = ShadowRun.objects.for_user(request.viewer).select_related("club")
    return get_object_or_404(rows, public_id=public_id)


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Scope.AUDITS_RUN)
def run(request: HttpRequest, public_id: str) -> HttpResponse:
    """One run: the hands that differ, by settings and by finding; POST adopts groups."""
    row = _get_run_for_user(request, public_id)
    found = shadow.found(request.viewer, row)
    problem = ""
    if request.method == "POST" and request.viewer.may(Scope.RULESETS_WRITE):
        numbers = [int(each) for each in request.POST.getlist("groups") if _GROUP.fullmatch(each)]
        try:
            made = shadow.adopt(
                viewer=request.viewer,
                groups=shadow.groups_of(found, numbers),
                slug=request.POST.get("slug", "").strip(),
            )
        except ShadowError as error:
            problem = _("This cannot be adopted: %(why)s.") % {"why": error}
        except RulesetProblemsError as error:
            first = error.problems[0]
            problem = _("%(parameter)s is “%(found)s”, expected %(expected)s.") % {
                "parameter": rule_words.setting(first.parameter),
                "found": first.found,
                "expected": first.expected,
            }
        else:
            messages.success(
                request,
                _("%(ruleset)s is made. Nothing is judged by it until you put it in force.")
                % {"ruleset": made.pinned},
            )
            return redirect("shadow-run", row.public_id)
    return render(request, "replays/shadow_run.html", _context(row, found, problem))


def _context(row: ShadowRun, found: Found, problem: str) -> dict[str, Any]:
    acts, known = policies.acts_of(row.club), codes()
    stored = bool(row.chosen) or row.parts.exclude(stored=[]).exists()
    return {
        "run": row,
        "found": found,
        "problem": problem,
        "stored": stored,
        "acts": Act.choices,
        "groups": [
            {
                "number": each.number,
                "group": each,
                "settings": [
                    f"{rule_words.setting(name)}: {rule_words.value(value)}"
                    for name, value in each.settings
                ],
                "codes": [(known[code].title, code, count) for code, count in each.codes.items()],
            }
            for each in found.groups
        ],
        "left": [
            {"left": each, "title": known[each.code].title, "act": acts[each.code]}
            for each in found.left
        ],
    }


@require_POST
@needs(Scope.CASES_DECIDE)
def policy(request: HttpRequest, public_id: str, code: str) -> HttpResponse:
    """Say what the club does about findings of a code, and go back to the run."""
    row = _get_run_for_user(request, public_id)
    act = request.POST.get("act", "")
    if code in codes() and act in Act.values:
        policies.choose(viewer=request.viewer, code=code, act=act)
        messages.success(request, _("Saved."))
    return redirect("shadow-run", row.public_id)
