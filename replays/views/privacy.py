"""What a club keeps and for how long, and what it has of one person: to take away, to forget."""

from __future__ import annotations

import re
from typing import Any

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from replays import persons_data, privacy, retention, roster
from replays.access import needs
from replays.members import LastOwnerError
from replays.models import Club, HandLog, Hold, Player, Tombstone
from replays.models.people import Scope

_PAGE = 50
_MOST_HOURS = 24 * 366
_MOST_MONTHS = 1200
_DIGITS = re.compile(r"[0-9]{1,6}")
_YES = "forget"


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Scope.ADMIN)
def page(request: HttpRequest) -> HttpResponse:
    """When hidden cards open, how long hands are kept, what is held, and what was purged."""
    viewer, typed = request.viewer, None
    if request.method == "POST":
        try:
            after = _hours(request)
            months = _number(request.POST.get("months", "").strip(), _MOST_MONTHS)
        except ValueError:
            messages.error(request, _("Write whole numbers: hours from 1, months from 1."))
            typed = request.POST
        else:
            retention.open_after(viewer, hours=after)
            retention.keep(viewer, months=months)
            messages.success(request, _("Saved."))
            return redirect("privacy")
    overdue = retention.due(viewer)
    ctx = {
        **_chosen(viewer.club, typed),
        "players": roster.people_of(viewer),
        "overdue": sum(map(len, overdue)),
        "holds": Hold.objects.for_user(viewer).select_related("log").order_by("-pk"),
        "stones": Tombstone.objects.for_user(viewer).order_by("-pk")[:_PAGE],
    }
    return render(request, "replays/privacy.html", ctx, status=400 if typed else 200)


def _chosen(club: Club, typed: QueryDict | None) -> dict[str, Any]:
    """Return what the form shows: what the club has chosen, or what was typed and not taken."""
    if typed is not None:
        return {name: typed.get(name, "") for name in ("opens", "hours", "months")}
    after = club.opens_after
    return {
        "opens": "never" if after is None else "later" if after else "now",
        "hours": after or "",
        "months": club.keep_months or "",
    }


def _hours(request: HttpRequest) -> int | None:
    """Return after how many hours hands open; None: never. Raises ValueError."""
    opens = request.POST.get("opens", "")
    after = _number(request.POST.get("hours", "").strip(), _MOST_HOURS)
    if opens == "later" and after is not None:
        return after
    if opens in ("now", "never"):
        return 0 if opens == "now" else None
    raise ValueError


def _number(text: str, most: int) -> int | None:
    """Return a whole number from 1, None for nothing written. Raises ValueError."""
    if not text:
        return None
    if not _DIGITS.fullmatch(text) or not 1 <= int(text) <= most:
        raise ValueError
    return int(text)


def _player(request: HttpRequest, pk: int) -> Player:
    return get_object_or_404(Player.objects.for_user(request.viewer), pk=pk)


@require_safe
@needs(Scope.ADMIN)
def person(request: HttpRequest, pk: int) -> HttpResponse:
    """What the club has of a person of its roster."""
    player = _player(request, pk)
    ctx: dict[str, Any] = {"player": player, "seats": player.seats.count(), "word": _YES}
    return render(request, "replays/privacy_person.html", ctx)


@require_safe
@needs(Scope.ADMIN)
def person_export(request: HttpRequest, pk: int) -> HttpResponse:
    """What the club has of a person, as a ZIP to hand to them."""
    player = _player(request, pk)
    packed = persons_data.collect(request.viewer, player)
    return FileResponse(
        packed,
        as_attachment=True,
        filename=f"person-{player.pk}.zip",
        content_type="application/zip",
    )


@require_POST
@needs(Scope.ADMIN)
def forget(request: HttpRequest, pk: int) -> HttpResponse:
    """Forget a person of the roster for good."""
    player = _player(request, pk)
    if request.POST.get("sure") != _YES:
        messages.error(request, _("Nothing was done: write the word into the box first."))
        return redirect("person", pk)
    try:
        done = privacy.forget(request.viewer, player)
    except LastOwnerError:
        messages.error(request, _("A club keeps an owner: make somebody else one first."))
        return redirect("person", pk)
    if done.left:
        said = _("These hands are called by the name, which only purging them takes out: %(hands)s")
        messages.warning(request, said % {"hands": ", ".join(done.left[:_PAGE])})
    messages.success(
        request,
        _("The person is forgotten: %(seats)s names at seats, %(texts)s texts, %(files)s files.")
        % {"seats": done.seats, "texts": done.texts, "files": done.files},
    )
    return redirect("privacy")


@require_POST
@needs(Scope.ADMIN)
def hold(request: HttpRequest, public_id: str) -> HttpResponse:
    """Hold a hand, or let go of it: a held one is not purged."""
    log = get_object_or_404(HandLog.objects.for_user(request.viewer), public_id=public_id)
    if request.POST.get("end"):
        retention.let_go(request.viewer, log)
    else:
        retention.hold(request.viewer, log, why=request.POST.get("why", "").strip())
    return redirect("privacy")


@require_POST
@needs(Scope.ADMIN)
def hold_named(request: HttpRequest) -> HttpResponse:
    """Hold the hand that was written into the form, by the id in its address."""
    return hold(request, request.POST.get("hand", "").strip())
