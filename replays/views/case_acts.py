"""What can be done in a case: one address for each step, each answered by the case's page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from replays import cases, decisions
from replays.access import needs
from replays.cases import desk, forms
from replays.models import Case
from replays.models.cases import Audience
from replays.models.people import Scope, called
from replays.views.cases import case_context, decision_form, get_case_for_user, stale

_MOST_DIGITS = 9
# What somebody writes in a step, and would have to write again.
_TYPED = ("text", "seq", "address", "into")


def _version(request: HttpRequest) -> int | None:
    text = request.POST.get("version", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else None


def _take(request: HttpRequest, number: int, act: Callable[..., Any], said: str) -> HttpResponse:
    """Take a step and go back to the case; a refusal is said there in its own words."""
    case = get_case_for_user(request, number)
    try:
        act(request.viewer, case, expected=_version(request))
        messages.success(request, said)
    except cases.RefusedError as error:
        return _not_taken(request, number, str(error))
    except cases.StaleError:
        return _not_taken(request, number, _after_stale(request, case), status=409)
    return redirect("case", number)


def _not_taken(request: HttpRequest, number: int, why: str, *, status: int = 400) -> HttpResponse:
    """Say on the case's page why a step was not taken; what was typed stays in its form."""
    get_case_for_user(request, number)
    messages.error(request, why)
    if not any(request.POST.get(name, "").strip() for name in _TYPED):
        return redirect("case", number)
    match = request.resolver_match
    step = {"step": match.url_name if match else "", "typed": request.POST, "why": why}
    return render(
        request, "replays/case.html", case_context(request, number, **step), status=status
    )


def _after_stale(request: HttpRequest, case: Case) -> str:
    """Say who was first, where somebody has the case by now."""
    case.refresh_from_db()
    user = request.viewer.user
    if case.holder and case.holder != user:
        return _("%(who)s was a moment earlier and has the case now.") % {
            "who": called(case.holder)
        }
    return stale()


@require_POST
@needs(Scope.CASES_DECIDE)
def claim(request: HttpRequest, number: int) -> HttpResponse:
    """Take a case to decide it."""
    return _take(request, number, cases.claim, _("You have this case now."))


@require_POST
@needs(Scope.CASES_DECIDE)
def release(request: HttpRequest, number: int) -> HttpResponse:
    """Give a case back."""
    return _take(request, number, cases.release, _("The case is back in the queue."))


@require_POST
@needs(Scope.CASES_WRITE)
def send(request: HttpRequest, number: int) -> HttpResponse:
    """Send a draft."""
    return _take(request, number, cases.send, _("The case is open. You will be told."))


@require_POST
@needs(Scope.CASES_WRITE)
def say(request: HttpRequest, number: int) -> HttpResponse:
    """Add a statement."""
    audience = request.POST.get("audience") or Audience.PARTIES
    act = partial(cases.say, text=request.POST.get("text", ""), audience=audience)
    return _take(request, number, act, _("Your words are in the case."))


@require_POST
@needs(Scope.CASES_WRITE)
def pin(request: HttpRequest, number: int) -> HttpResponse:
    """Pin evidence."""
    form = forms.PinForm(request.POST, request.FILES)
    if not form.is_valid():
        return _not_taken(request, number, _problems(form))
    audience = request.POST.get("audience") or Audience.PARTIES
    act = partial(cases.pin, audience=audience, **form.cleaned_data)
    return _take(request, number, act, _("It is pinned to the case."))


@require_POST
@needs(Scope.CASES_WRITE)
def reopen(request: HttpRequest, number: int) -> HttpResponse:
    """Reopen a closed case with new evidence."""
    form = forms.PinForm(request.POST, request.FILES)
    if not form.is_valid():
        return _not_taken(request, number, _problems(form))
    act = partial(cases.reopen, **form.cleaned_data)
    return _take(request, number, act, _("The case is open again."))


def _problems(form: forms.PinForm) -> str:
    return " ".join(
        f"{form[name].label}: {' '.join(map(str, problems))}"
        for name, problems in form.errors.items()
    )


@require_POST
@needs(Scope.CASES_WRITE)
def appeal(request: HttpRequest, number: int) -> HttpResponse:
    """Appeal a decision."""
    act = partial(cases.appeal, text=request.POST.get("text", ""))
    return _take(request, number, act, _("Your appeal is in. Another referee will look at it."))


@require_POST
@needs(Scope.CASES_WRITE)
def withdraw(request: HttpRequest, number: int) -> HttpResponse:
    """Take a case, or an appeal, back."""
    act = partial(cases.withdraw, text=request.POST.get("text", ""))
    return _take(request, number, act, _("It is taken back."))


@require_POST
@needs(Scope.CASES_DECIDE)
def dismiss(request: HttpRequest, number: int) -> HttpResponse:
    """Close a case without a decision."""
    act = partial(cases.dismiss, text=request.POST.get("text", ""))
    return _take(request, number, act, _("The case is closed."))


@require_POST
@needs(Scope.CASES_DECIDE)
def join(request: HttpRequest, number: int) -> HttpResponse:
    """Join a case to another one about the same hand."""
    text = request.POST.get("into", "")
    wanted = int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else 0
    into = Case.objects.for_user(request.viewer).filter(number=wanted).first()
    get_case_for_user(request, number)
    if into is None:
        return _not_taken(request, number, _("There is no such case to join it to."))
    return _take(request, number, partial(cases.join, into=into), _("The cases are joined."))


@require_POST
@needs(Scope.CASES_DECIDE)
def decide(request: HttpRequest, number: int) -> HttpResponse:
    """Show what a decision would change; save it once that was looked at."""
    case = get_case_for_user(request, number)
    hand = desk.hand_of_case(case)
    form = decision_form(request.viewer, case, hand, args=(request.POST,))
    if why := desk.why_not(request.viewer, case, "decide"):
        return _not_decided(request, number, why)
    shown, status = None, 200
    if form.is_valid():
        try:
            shown = _decided(request, case, form)
        except cases.RefusedError as error:
            form.add_error(None, str(error))
        except cases.StaleError:
            why = _after_stale(request, case)
            if desk.why_not(request.viewer, case, "decide"):
                return _not_decided(request, number, why)
            # Still theirs: somebody has said something. They read it, and what they wrote stays.
            messages.error(request, why)
            shown, status = decisions.preview(case, form.ruled), 409
        if isinstance(shown, HttpResponse):
            return shown
    if form.errors:
        status = 400
    ctx = case_context(request, number, form=form, preview=shown)
    return render(request, "replays/case.html", ctx, status=status)


def _not_decided(request: HttpRequest, number: int, why: str) -> HttpResponse:
    """Say why somebody cannot decide any more; the reasons that they wrote can be taken along."""
    messages.error(request, why)
    unsaved = request.POST.get("text", "").strip()
    if not unsaved:
        return redirect("case", number)
    ctx = case_context(request, number, unsaved=unsaved)
    return render(request, "replays/case.html", ctx, status=409)


def _decided(
    request: HttpRequest, case: Case, form: forms.DecisionForm
) -> decisions.Preview | HttpResponse:
    """Save a decision that was looked at, else return what there is to look at."""
    ruled, data = form.ruled, form.cleaned_data
    rule = {"outcome": data["outcome"], "clause": data["clause"], "code": data["code"]}
    decisions.check(case, ruled=ruled, **rule)
    shown = decisions.preview(case, ruled)
    if "save" not in request.POST:
        return shown
    try:
        made = decisions.decide(
            request.viewer,
            case,
            **rule,
            text=data["text"],
            seen=request.POST.get("seen", ""),
            effect=ruled.effect,
            points=ruled.points,
            winner=ruled.winner,
            cites=data["cites"],
            expected=_version(request),
        )
    except decisions.UnseenError as unseen:
        messages.error(request, _("What it changes is not what you saw. Look at it once more."))
        return unseen.preview
    said = _("Decision %(number)s is saved, and both sides are told.") % {"number": made.number}
    messages.success(request, said)
    return redirect("case", case.number)
