"""The people of a club: members and roles, invitations, the roster, and whose names are whose."""

from __future__ import annotations

import re
from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from replays import links, members, roster
from replays.access import BACKEND, CLUB_IN_SESSION, address_of, needs
from replays.forms_of_people import JoinForm
from replays.models import Link, Membership, Player
from replays.models.keys import LinkKind
from replays.models.people import Role, Scope

_NUMBER = re.compile(r"[0-9]{1,18}")


@require_safe
@needs(Scope.ADMIN)
def people(request: HttpRequest) -> HttpResponse:
    """Members with their roles, invitations that wait, and the roster."""
    return render(request, "replays/people.html", _context(request))


def _context(request: HttpRequest) -> dict[str, Any]:
    viewer = request.viewer
    return {
        "members": Membership.objects.for_user(viewer).select_related("user").order_by("pk"),
        "invitations": Link.objects.for_user(viewer)
        .running(LinkKind.INVITATION)
        .filter(used_at=None)
        .order_by("-pk"),
        "players": roster.people_of(viewer),
        "roles": Role.choices,
    }


@require_POST
@needs(Scope.ADMIN)
def invite(request: HttpRequest) -> HttpResponse:
    """Make an invitation; its address is shown this once."""
    role = request.POST.get("role", "")
    if role not in Role.values:
        return render(request, "400.html", status=400)
    _link, token = members.invite(request.viewer, role=Role(role))
    address = request.build_absolute_uri(reverse("join", args=[token]))
    ctx = _context(request) | {"invited": address, "invited_as": Role(role).label}
    return render(request, "replays/people.html", ctx)


@require_POST
@needs(Scope.ADMIN)
def end_invitation(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take an invitation back."""
    mine = Link.objects.for_user(request.viewer).filter(kind=LinkKind.INVITATION)
    links.revoke_link(request.viewer, get_object_or_404(mine, public_id=public_id))
    return redirect("people")


def _member(request: HttpRequest, pk: int) -> Membership:
    return get_object_or_404(Membership.objects.for_user(request.viewer), pk=pk)


@require_POST
@needs(Scope.ADMIN)
def change_role(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a member another role."""
    member, role = _member(request, pk), request.POST.get("role", "")
    if role not in Role.values:
        return render(request, "400.html", status=400)
    try:
        members.change_role(request.viewer, member, Role(role))
    except members.LastOwnerError:
        messages.error(request, _("A club keeps an owner: make somebody else one first."))
    return redirect("people" if member.user_id != request.user.pk else "home")


@require_POST
@needs(Scope.ADMIN)
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """End a membership; what the person did stays on the record."""
    member = _member(request, pk)
    try:
        members.remove(request.viewer, member)
    except members.LastOwnerError:
        messages.error(request, _("A club keeps an owner: make somebody else one first."))
    return redirect("people" if member.user_id != request.user.pk else "home")


@require_POST
@needs(Scope.ADMIN)
def link_account(request: HttpRequest, pk: int) -> HttpResponse:
    """Say which member an entry of the roster is."""
    player = get_object_or_404(Player.objects.for_user(request.viewer), pk=pk)
    chosen = request.POST.get("member", "")
    if chosen and not _NUMBER.fullmatch(chosen):
        raise Http404
    roster.link_account(request.viewer, player, _member(request, int(chosen)) if chosen else None)
    return redirect("people")


@require_POST
@needs(Scope.ADMIN)
def open_hands(request: HttpRequest) -> HttpResponse:
    """Say whether hands that have ended are open to all members."""
    members.open_hands(request.viewer, to_all=request.POST.get("open") == "1")
    return redirect("people")


# --- names -------------------------------------------------------------------------------------


@require_safe
@needs(Scope.HANDS_WRITE)
def names(request: HttpRequest) -> HttpResponse:
    """Ask who is this, for each name that belongs to nobody on the roster yet."""
    ctx = {"unknown": roster.unknown(request.viewer), "players": roster.people_of(request.viewer)}
    return render(request, "replays/people_names.html", ctx)


@require_POST
@needs(Scope.HANDS_WRITE)
def confirm_name(request: HttpRequest) -> HttpResponse:
    """Give a name's seats to whom the person says."""
    said = tuple(request.POST.get(field, "") for field in ("name", "ref", "source", "event"))
    each = next(
        (
            each
            for each in roster.unknown(request.viewer, most=10_000)
            if (each.name, each.ref, each.source, each.event) == said
        ),
        None,
    )
    chosen = request.POST.get("player", "")
    if each is None or (chosen != "new" and not _NUMBER.fullmatch(chosen)):
        raise Http404
    mine = Player.objects.for_user(request.viewer)
    player = None if chosen == "new" else get_object_or_404(mine, pk=int(chosen))
    roster.confirm(request.viewer, each, player=player)
    return redirect("names")


# --- joining -----------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Take up an invitation: with the account one has, or with a new one."""
    link = members.invitation(token)
    if link is None:
        return render(request, "account/invitation_over.html", status=404)
    user = request.user if request.user.is_authenticated else None
    form = None if user else JoinForm(request.POST or None, link=link)
    ctx = {
        "link": link,
        "role": Role(link.scope["role"]).label,
        "form": form,
        "known": user and members.membership(link, user),
    }
    if request.method == "POST" and (user or form.is_valid()):
        # An account that was made for an invitation goes with it where that is over by now.
        with transaction.atomic():
            joined = members.take_up(link, user or form.save(), address=address_of(request))
            transaction.set_rollback(joined is None)
        if joined is None:
            return render(request, "account/invitation_over.html", status=404)
        if user is None:
            login(request, joined.user, backend=BACKEND)
        request.session[CLUB_IN_SESSION] = joined.club_id
        return redirect("home")
    return render(request, "account/join.html", ctx, status=400 if form and form.errors else 200)
