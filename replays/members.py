"""Who belongs to a club: invitations, roles, and leaving."""

import re
from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.http import Http404
from django.utils import timezone
from django.utils.text import slugify

from replays import links, storage, trail
from replays.access import Viewer
from replays.models import Club, Link, Membership
from replays.models.keys import LinkKind
from replays.models.people import Role
from replays.models.scope import new_public_id

_INVITED_FOR = timedelta(days=14)
_MOST_SLUG = 40


class LastOwnerError(Exception):
    """A club would be left without an owner."""


def make_club(name: str) -> Club:
    """Return the club of that name, made if there is none."""
    club = Club.objects.filter(name=name).first()
    if club is None:
        slug = slugify(name)[:_MOST_SLUG] or "club"
        if Club.objects.filter(slug=slug).exists():
            slug = f"{slug}-{new_public_id()[:6]}"
        club = Club.objects.create(slug=slug, name=name)
    return club


def invite(
    viewer: Viewer, *, role: Role, email: str = "", valid: timedelta = _INVITED_FOR
) -> tuple[Link, str]:
    """Make an invitation for one person in one role; return it with the token of its address.

    ``email`` is kept until the invitation is taken up, to be offered on its page.
    """
    expires_at = timezone.now() + valid
    with transaction.atomic():
        link, token = links.make_link(
            viewer, kind=LinkKind.INVITATION, scope={"role": role}, expires_at=expires_at
        )
        if email:
            # Not through the link's scope at first: that stands on the trail, where no name does.
            link.scope["email"] = email
            link.save(update_fields=["scope"])
    return link, token


def invitation(token: str) -> Link | None:
    """Return the invitation of a token while it can be taken up."""
    link = links.link_of(token, kind=LinkKind.INVITATION)
    return link if link is not None and link.used_at is None else None


def membership(link: Link, user: Any) -> Membership | None:
    """Return what somebody is in the invitation's club already."""
    return Membership.objects.filter(club=link.club_id, user=user).first()


def take_up(link: Link, user: Any, *, address: str | None = None) -> Membership | None:
    """Make somebody the member that an invitation says; None if it was taken up just now.

    Who belongs to the club already stays what they are and does not use it up.
    """
    if known := membership(link, user):
        return known
    now = timezone.now()
    with transaction.atomic():
        fresh = Link.objects.filter(pk=link.pk, used_at=None, revoked_at=None)
        if not fresh.update(used_at=now, scope={"role": link.scope["role"]}):
            return None
        member = Membership.objects.create(
            club=link.club, user=user, role=link.scope["role"], since=now
        )
        viewer = Viewer(club=link.club, user=user, address=address)
        after = {"role": member.role, "invitation": link.public_id}
        trail.leave(viewer, "member.join", target=str(user.pk), after=after)
    return member


def make_account(*, email: str, password: str, name: str = "") -> Any:
    """Make an account for whoever takes up an invitation. Its user name says nothing."""
    first, _, last = re.sub(r"\s+", " ", name).strip().partition(" ")
    return get_user_model().objects.create_user(
        username=new_public_id(), email=email, password=password, first_name=first, last_name=last
    )


def change_role(viewer: Viewer, member: Membership, role: Role) -> None:
    """Give a member another role. Raises LastOwnerError, and Http404 for who is none any more."""
    with transaction.atomic():
        member = _locked(viewer, member)
        if member.role == role:
            return
        if member.role == Role.OWNER:
            _keep_an_owner(viewer, member)
        before, member.role = member.role, role
        member.save(update_fields=["role"])
        trail.leave(
            viewer, "member.role", target=str(member.user_id), before=before, after=str(role)
        )


def remove(viewer: Viewer, member: Membership) -> None:
    """End somebody's membership at once; their hands stay. Raises as ``change_role`` does."""
    with transaction.atomic():
        member = _locked(viewer, member)
        if member.role == Role.OWNER:
            _keep_an_owner(viewer, member)
        target, before = str(member.user_id), member.role
        member.delete()
        trail.leave(viewer, "member.remove", target=target, before=before)


def open_hands(viewer: Viewer, *, to_all: bool) -> None:
    """Say whether hands that have ended are open to all members of the club."""
    with transaction.atomic():
        club = storage.locked(Club.objects.filter(pk=viewer.club.pk)).get()
        if club.opens_hands == to_all:
            return
        club.opens_hands = to_all
        club.save(update_fields=["opens_hands"])
        trail.leave(viewer, "club.open_hands", target=club.slug, before=not to_all, after=to_all)


def _locked(viewer: Viewer, member: Membership) -> Membership:
    # All of the club's rows: two owners who take each other's role at once wait in line here.
    rows = list(storage.locked(Membership.objects.for_user(viewer)))
    found = next((each for each in rows if each.pk == member.pk), None)
    if found is None:
        raise Http404  # removed by somebody else since it was read
    return found


def _keep_an_owner(viewer: Viewer, member: Membership) -> None:
    others = Membership.objects.for_user(viewer).filter(role=Role.OWNER).exclude(pk=member.pk)
    if not others.exists():
        raise LastOwnerError
