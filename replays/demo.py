"""The demo club: the rulebooks' own hands, right and wrong, and people to sign in as."""

import ipaddress
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from replays import running
from replays.models import Membership, Player, Seat, Upload, default_club
from replays.models.people import Role

_SOURCE = "demo"
# Who the demo's player is in the example hands.
_PLAYER = "Asha"

# Who can be signed in as, with what their first page offers.
PEOPLE = {
    Role.SCOREKEEPER: _("upload, enter and amend hands"),
    Role.REFEREE: _("see every hand and decide"),
    Role.PLAYER: _("see one’s own hands"),
    Role.OWNER: _("look after the club, its people and keys"),
}

# What proxies write. Behind one, "from this machine" says nothing about where a person sits.
_FORWARDED = (
    "HTTP_FORWARDED",
    "HTTP_VIA",
    "HTTP_X_REAL_IP",
    "HTTP_X_CLIENT_IP",
    "HTTP_X_CLUSTER_CLIENT_IP",
    "HTTP_TRUE_CLIENT_IP",
    "HTTP_CF_CONNECTING_IP",
    "HTTP_X_ORIGINAL_HOST",
)


def is_offered(request: HttpRequest) -> bool:
    """Whether this request may sign in to the demo club without a password.

    Only where ``manage.py up`` switched it on, and only for a browser on this very machine:
    from a loopback address, to a loopback name, with no sign of a proxy between.
    """
    if not settings.DEMO_SIGN_IN or not _is_loopback(request.META.get("REMOTE_ADDR", "")):
        return False
    if any(name in _FORWARDED or name.startswith("HTTP_X_FORWARDED") for name in request.META):
        return False
    try:
        asked = request.get_host()
    except DisallowedHost:
        return False  # the page that refuses this request asks here too
    said = [request.headers.get(name, "") for name in ("Origin", "Referer")]
    hosts = [urlsplit(each).hostname or "" for each in said if each]
    host = split_domain_port(asked)[0].strip("[]")
    return all(_is_loopback(each) for each in [host, *hosts])


def offered(request: HttpRequest) -> dict[str, Any]:
    """Tell templates whom this request may sign in as (a context processor)."""
    return {"demo_people": PEOPLE.items() if is_offered(request) else ()}


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def person(role: str) -> Membership:
    """Return the demo club's person of a role; they have no password, so no other way in."""
    user, made = get_user_model().objects.get_or_create(username=f"demo-{role}")
    if made:
        user.set_unusable_password()
        user.save()
    member, _made = Membership.objects.get_or_create(
        club=default_club(), user=user, defaults={"role": role, "since": timezone.now()}
    )
    if role == Role.PLAYER:
        _seat(member)
    return member


def _seat(member: Membership) -> None:
    """Give the demo's player a place on the roster, and with it the hands that they played."""
    player, _made = Player.objects.get_or_create(
        club=member.club, ref="demo-player", defaults={"name": _PLAYER, "user": member.user}
    )
    mine = Seat.objects.filter(log__club=member.club, log__source=_SOURCE, name=_PLAYER)
    mine.filter(player=None).update(player=player)


def load() -> int:
    """Load and judge the example hands, here and now; return how many were judged."""
    club = default_club()
    files = sorted(
        (file for file in resources.files("replays").joinpath("demo_hands").iterdir()),
        key=lambda file: file.name,
    )
    known = set(Upload.objects.filter(club=club, source=_SOURCE).values_list("file", flat=True))
    fresh = [file for file in files if file.name not in known]
    if not fresh:
        return 0
    from replays import uploads  # noqa: PLC0415 - the engine takes its time to load

    for file in fresh:
        with file.open("rb") as content:
            uploads.receive(content, club=club, file=file.name, source=_SOURCE)
    return running.work_off()
