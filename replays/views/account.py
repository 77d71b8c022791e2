"""Signing in to the demo club, and choosing among one's clubs."""

from __future__ import annotations

from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from replays import demo
from replays.access import BACKEND, CLUB_IN_SESSION, signed_in
from replays.models import Membership


@require_POST
def demo_sign_in(request: HttpRequest) -> HttpResponse:
    """Sign in to the demo club with one click, where that is offered at all."""
    role = request.POST.get("role", "")
    if not demo.is_offered(request) or role not in demo.PEOPLE:
        raise Http404
    member = demo.person(role)
    login(request, member.user, backend=BACKEND)
    request.session[CLUB_IN_SESSION] = member.club_id
    onward = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(onward, allowed_hosts={request.get_host()})
    return redirect(onward if ours else "home")


@require_safe
@signed_in
def account(request: HttpRequest) -> HttpResponse:
    """One's own page: the clubs that one belongs to, and what keeps the account safe."""
    mine = Membership.objects.of(request.viewer.user)
    return render(request, "account/account.html", {"members": mine})


@require_POST
@signed_in
def choose_club(request: HttpRequest) -> HttpResponse:
    """Look at another of one's clubs from now on."""
    mine = Membership.objects.of(request.viewer.user)
    chosen = get_object_or_404(mine, club__slug=request.POST.get("club", ""))
    request.session[CLUB_IN_SESSION] = chosen.club_id
    return redirect("home")
