"""The pages of cases: the queue, a new case, a case, precedents, a decision to print."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from replays import cases, decisions, money, queries
from replays.access import Viewer, needs
from replays.cases import desk, forms, kinds
from replays.cases.conflicts import person
from replays.cases.minute import Minute, minute
from replays.cases.pictures import ENDINGS
from replays.models import Case, Decision, Evidence, HandLog
from replays.models.cases import Audience, State
from replays.models.people import Scope, called
from rummy_audit.rules.findings import codes

_FILTER = "cases-filter"


def case_about(log: HandLog) -> str:
    """Return where a case about a hand is opened; ``seq``, ``code`` and ``kind`` may follow."""
    return f"{reverse('case-new')}?hand={log.public_id}"


@require_safe
@needs(Scope.CASES_READ)
def case_list(request: HttpRequest) -> HttpResponse:
    """The queue: mine first; the filter is kept from one visit to the next."""
    only = request.GET.get("only", "")
    if only not in desk.FILTERS:
        only = request.session.get(_FILTER, "running")
    elif only != request.session.get(_FILTER):
        request.session[_FILTER] = only
    ctx = {
        "rows": desk.queue(request.viewer, only=only),
        "only": only,
        "filters": [(name, str(label)) for name, label in desk.FILTERS.items()],
    }
    return render(request, "replays/cases.html", ctx)


def get_case_for_user(request: HttpRequest, number: int) -> Case:
    """Return a case of the viewer's club that they may read; else 404."""
    mine = Case.objects.for_user(request.viewer).select_related("log", "club", "holder")
    return get_object_or_404(mine, number=number)


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Scope.CASES_WRITE)
def case_new(request: HttpRequest) -> HttpResponse:
    """Open a case about an event, a finding or a row of a match: ``hand``, ``seq``, ``code``."""
    asked = request.GET.get("hand", "")
    log = get_object_or_404(HandLog.objects.for_user(request.viewer), public_id=asked)
    hand = queries.hand_of(log)
    seq, code = _number(request.GET.get("seq", "")), request.GET.get("code", "")
    in_match = bool(log.match)
    kind = request.GET.get("kind") or kinds.kind_for(hand, seq=seq, code=code, in_match=in_match)
    form = forms.NewCaseForm(
        request.POST or None, initial={"kind": kind, "seq": seq or None, "code": code}
    )
    least = cases.desk_of(request.viewer.club).least_text
    form.fields["text"].widget.attrs["minlength"] = least
    if request.method == "POST" and form.is_valid():
        try:
            case, fresh = cases.open_case(
                request.viewer,
                log=log,
                kind=form.cleaned_data["kind"],
                seq=form.cleaned_data["seq"] or 0,
                code=form.cleaned_data["code"],
                text=form.cleaned_data["text"],
                draft="draft" in request.POST,
            )
            messages.success(request, _opened(case, fresh=fresh))
            return redirect("case", case.number)
        except cases.RefusedError as error:
            short = len(form.cleaned_data["text"]) < least
            form.add_error("text" if short else None, str(error))
    panel = _panel(request, log, seq) if kind == "declaration" else None
    ctx = {"form": form, "log": log, "seq": seq, "minute": panel, "least": least}
    ctx["code"] = code if code in codes() else ""
    return render(request, "replays/case_new.html", ctx, status=400 if form.errors else 200)


def _opened(case: Case, *, fresh: bool) -> str:
    if not fresh:
        return _("There is a case about this already: your words are in it, and you will be told.")
    if case.state == State.DRAFT:
        return _("It is kept as a draft. Nobody else sees it until you send it.")
    return _("The case is open. A referee takes it, and you will be told what becomes of it.")


def _panel(request: HttpRequest, log: HandLog, seq: int) -> Minute | None:
    return minute(log, seq) if desk.may_see_cards(request.viewer, log) else None


_MOST_DIGITS = 6


def _number(text: str) -> int:
    short = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if short else 0


@require_safe
@needs(Scope.CASES_READ)
def case(request: HttpRequest, number: int) -> HttpResponse:
    """One case: what it is about, what was said and done, and what can be done now."""
    return render(request, "replays/case.html", case_context(request, number))


def case_context(request: HttpRequest, number: int, **more: Any) -> dict[str, Any]:
    """Return what the page of a case shows; ``more`` takes precedence."""
    found = get_case_for_user(request, number)
    viewer = request.viewer
    hand = desk.hand_of_case(found)
    may = desk.steps(viewer, found)
    user = person(viewer)
    panel = _panel(request, found.log, found.seq) if found.kind == "declaration" else None
    ctx: dict[str, Any] = {
        "case": found,
        "title": kinds.KINDS[found.kind].title,
        "about": desk.about(viewer, found, hand),
        "hand_url": reverse("hand-at", args=[found.log.public_id, found.seq])
        if found.seq
        else reverse("hand", args=[found.log.public_id]),
        "late": desk.is_late(found),
        "parties": desk.parties(found, hand),
        "entries": desk.history(viewer, found),
        "decisions": desk.decided(found, hand),
        "minute": panel,
        "may": may,
        "holder": called(found.holder),
        "mine": user is not None and found.holder_id == user.pk,
        "claim_refused": desk.why_not(viewer, found, "claim")
        if viewer.may(Scope.CASES_DECIDE) and "decide" not in may and found.runs
        else "",
        "official": cases.is_official(viewer, found),
        "audiences": Audience.choices,
        "pin_form": forms.PinForm(),
    }
    if "decide" in may and "form" not in more:
        offer = forms.initial_of(panel) if panel and "offer" in request.GET else {}
        ctx["form"] = decision_form(viewer, found, hand, initial=offer or {"code": found.code})
        if panel and offer:
            effect = offer["effect"]
            ruled = decisions.Ruled(effect=effect, points=panel.points, winner=panel.winner)
            ctx["preview"] = decisions.preview(found, ruled)
    if "decide" in may:
        ctx["precedents"] = decisions.precedents(viewer, code=found.code)[:5] if found.code else []
    return ctx | more


def decision_form(viewer: Viewer, found: Case, hand: Any, **kwargs: Any) -> forms.DecisionForm:
    """Return the form of a decision: the findings of the hand come first in its list."""
    audit = queries.newest_audit(found.log)
    there = [each["code"] for each in audit[1]["findings"]] if audit else []
    first = dict.fromkeys([*filter(None, [found.code]), *there])
    offered = {code for code, _title in money.code_choices(viewer)} | {found.code}
    others = sorted(codes().keys() - first, key=lambda each: codes()[each].title)
    return forms.DecisionForm(
        *kwargs.pop("args", ()),
        hand=hand,
        found=[each for each in first if each in offered],
        others=[each for each in others if each in offered],
        **kwargs,
    )


@require_safe
@needs(Scope.CASES_READ)
def precedents(request: HttpRequest) -> HttpResponse:
    """Decisions that stand for good, by finding and clause."""
    code, clause = request.GET.get("code", ""), request.GET.get("clause", "").strip()
    if code not in codes():
        code = ""
    found = decisions.precedents(request.viewer, code=code, clause=clause[:200])
    ctx = {
        "rows": found,
        "code": code,
        "clause": clause,
        "code_choices": money.code_choices(request.viewer),
        "reasons": request.viewer.may(Scope.CASES_DECIDE),
    }
    return render(request, "replays/case_precedents.html", ctx)


@require_safe
@needs(Scope.CASES_READ)
def decision_sheet(request: HttpRequest, number: int) -> HttpResponse:
    """A decision on a sheet of paper."""
    made = get_object_or_404(
        Decision.objects.for_user(request.viewer).select_related("case", "log"), number=number
    )
    found = get_case_for_user(request, made.case.number)
    hand = desk.hand_of_case(found)
    one = next(each for each in desk.decided(found, hand) if each["decision"].pk == made.pk)
    panel = _panel(request, found.log, found.seq) if found.kind == "declaration" else None
    ctx = {
        **one,
        "case": found,
        "title": kinds.KINDS[found.kind].title,
        "about": desk.about(request.viewer, found, hand),
        "parties": desk.parties(found, hand),
        "hand": hand,
        "minute": panel,
        "event": made.event,
        "digests": desk.may_see_cards(request.viewer, found.log),
    }
    return render(request, "replays/case_sheet.html", ctx)


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Scope.ADMIN)
def desk_settings(request: HttpRequest) -> HttpResponse:
    """How the club decides: clocks, appeals, standings."""
    now = cases.desk_of(request.viewer.club)
    form = forms.DeskForm(request.POST or None, instance=now)
    if request.method == "POST" and form.is_valid():
        cases.set_desk(request.viewer, form.instance)
        messages.success(request, _("Saved. Clocks that run already run on as they were."))
        return redirect("desk")
    status = 400 if form.errors else 200
    return render(request, "replays/case_desk.html", {"form": form}, status=status)


@require_safe
@needs(Scope.CASES_READ)
def evidence(request: HttpRequest, number: int, event: int) -> HttpResponse:
    """A picture to take away: never shown by us, its type is what its bytes say."""
    found = get_case_for_user(request, number)
    kept = Evidence.objects.for_user(request.viewer).select_related("event")
    one = get_object_or_404(kept, case=found, event__number=event)
    hidden = one.event.audience == Audience.OFFICIALS
    if one.body is None or (hidden and not cases.is_official(request.viewer, found)):
        raise Http404
    response = HttpResponse(bytes(one.body), content_type=one.media_type)
    name = f"case-{found.number}-{event}.{ENDINGS[one.media_type]}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response


def stale() -> str:
    """Return what somebody is told whose page was older than the case."""
    return _("The case has gone on since you opened this page. Look again, then decide.")
