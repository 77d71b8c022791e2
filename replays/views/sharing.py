"""A hand shared by an unlisted link: one fixed view, for whoever has the address."""

from __future__ import annotations

import re
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from replays import links, money, viewing
from replays.access import needs
from replays.models import HandLog, Link
from replays.models.hands import Verdict
from replays.models.keys import LinkKind
from replays.models.people import Scope
from replays.queries import hand_of, rules_of
from replays.sight import sight_of
from rummy_audit.rules.rulesets import RulesetError

_SEQ = re.compile(r"[0-9]{1,9}")


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Scope.HANDS_REVEAL)
def shares(request: HttpRequest, public_id: str) -> HttpResponse:
    """The links that a hand is shared by; a new one is shown here, this once."""
    log = get_object_or_404(HandLog.objects.for_user(request.viewer), public_id=public_id)
    seats = {str(seat.seat): seat for seat in log.seats.all().order_by("seat")}
    ctx: dict[str, Any] = {"log": log, "seats": seats.values()}
    if request.method == "POST":
        seat, seq = request.POST.get("seat", ""), request.POST.get("seq", "")
        ctx |= {"seat": seat, "seq": seq}
        if seat and seat not in seats:
            return render(request, "400.html", status=400)
        if seq and not (_SEQ.fullmatch(seq) and int(seq) <= log.seq):
            ctx["problem"] = _("This hand has events 1 to %(last)s.") % {"last": log.seq}
        else:
            scope = {
                "hand": log.public_id,
                "seat": int(seat) if seat else None,
                "seq": int(seq) if seq else None,
            }
            _link, token = links.make_link(request.viewer, kind=LinkKind.SHARE, scope=scope)
            ctx["made"] = request.build_absolute_uri(reverse("shared", args=[token]))
    running = Link.objects.for_user(request.viewer).running(LinkKind.SHARE)
    ctx["links"] = [each for each in running.order_by("-pk") if each.scope["hand"] == public_id]
    return render(request, "replays/shares.html", ctx, status=400 if "problem" in ctx else 200)


@require_POST
@needs(Scope.HANDS_REVEAL)
def end_share(request: HttpRequest, public_id: str) -> HttpResponse:
    """End a link to a hand at once."""
    mine = Link.objects.for_user(request.viewer).filter(kind=LinkKind.SHARE)
    link = get_object_or_404(mine, public_id=public_id)
    links.revoke_link(request.viewer, link)
    return redirect("shares", link.scope["hand"])


@require_safe
def shared(request: HttpRequest, token: str, seq: int | None = None) -> HttpResponse:
    """A shared hand as its link fixes it: from one seat or the whole table, at one event or all.

    A hand that goes on shows its new events under the same address; one event stays one.
    """
    viewer = links.holder_of(token, kind=LinkKind.SHARE)
    if viewer is None or viewer.link is None:
        raise Http404
    log = get_object_or_404(HandLog.objects.for_user(viewer))
    fixed = viewer.link.scope.get("seq")
    stored = hand_of(log)
    try:
        show = viewing.shown(
            stored,
            rules_of(log, stored),
            money=money.shown_to(viewer),
            sight=sight_of(viewer, log),
        )
    except RulesetError:
        raise Http404 from None
    steps = show.replay.steps
    wanted = fixed if fixed is not None else seq
    if fixed is not None and seq not in (None, fixed):
        raise Http404
    numbers = [step.number for step in steps]
    if wanted is not None and (not numbers or wanted > numbers[-1]):
        raise Http404
    at = max((i for i, number in enumerate(numbers) if number <= (wanted or 0)), default=-1)
    if wanted is None or at < 0:
        at = len(steps) - 1 if show.replay.verdict == "unfinished" else viewing.opening(show)
    response = render(request, "replays/shared.html", _context(token, log, show, at, fixed=fixed))
    # Unlisted: no search engine keeps it, and no page it leads to learns its address.
    response["X-Robots-Tag"] = "noindex"
    response["Referrer-Policy"] = "no-referrer"
    response["Cache-Control"] = "private, no-store"
    return response


def _whole(show: viewing.Shown) -> dict[str, Any]:
    return {
        "verdict": show.replay.verdict,
        "verdict_label": Verdict(show.replay.verdict).label,
        "sentence": viewing.verdict_sentence(show),
        "score_rows": viewing.score_rows(show),
    }


def _context(
    token: str, log: HandLog, show: viewing.Shown, at: int, *, fixed: int | None
) -> dict[str, Any]:
    steps = show.replay.steps
    last = len(steps) - 1
    regions = viewing.regions(steps[at], show) if steps else {}

    def address(index: int) -> str:
        return reverse("shared-at", args=[token, steps[index].number])

    moves = fixed is None and last > 0
    return {
        "title": log.name,
        # One event alone tells nothing of what came before or after it, nor of how the hand ended.
        **(_whole(show) if fixed is None or not steps else viewing.moment(steps[at], show)),
        "alone": fixed is not None,
        # Rendered by templates of ours, which escaped what came from outside.
        "regions": [(name, mark_safe(html)) for name, html in regions.items()],  # noqa: S308
        "now": steps[at].number if steps else 0,
        "last": steps[-1].number if steps else 0,
        "moves": {
            "first": address(0),
            "back": address(max(0, at - 1)),
            "on": address(min(last, at + 1)),
            "last": address(last),
        }
        if moves
        else None,
    }
