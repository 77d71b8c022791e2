"""Who sees what: the one place that says which club's rows a person may read."""

import secrets
from typing import Any, Self

from django.db import models

DEFAULT_CLUB = "club"

# No vowels, no look-alikes: an id never spells a word and can be read out over the phone.
_ALPHABET = "23456789bcdfghjkmnpqrstvwxyz"
_ID_LENGTH = 16
# Two letters at a time: half the steps.
_PAIRS = [first + second for first in _ALPHABET for second in _ALPHABET]
_MANY = len(_PAIRS) ** (_ID_LENGTH // 2)


def new_public_id() -> str:
    """Return a random id for addresses: 16 characters, 76 bits."""
    number = secrets.randbelow(_MANY)
    letters = []
    for _ in range(_ID_LENGTH // 2):
        number, pair = divmod(number, len(_PAIRS))
        letters.append(_PAIRS[pair])
    return "".join(letters)


class ClubQuerySet(models.QuerySet[Any]):
    """Rows of a model with a ``club``, or with the path to one in ``club_path``.

    Players, viewers and links see a part of their club only. Which part a model says itself;
    one that says nothing is shown to them not at all:

    - ``hand_path``: the path to the hand that a row is about (empty for the hand itself);
      a row is seen where its hand is.
    - ``for_all_members = True``: every member of the club reads it.
    - ``link_paths = {"table": "table__public_id"}``: what a link opens, by the word in its scope.
    """

    def for_user(self, viewer: Any) -> Self:
        """Return what this person, key or link may read (``access.Viewer``)."""
        rows = self.of_club(viewer)
        if viewer is None or viewer.sees_all:
            return rows
        if viewer.link is not None:
            return rows.opened_by(viewer.link)
        path = getattr(self.model, "hand_path", None)
        if path is not None:
            return rows.filter(_open_to(viewer, path))
        return rows if getattr(self.model, "for_all_members", False) else rows.none()

    def of_club(self, viewer: Any) -> Self:
        """Return the rows of a viewer's club, for a model that narrows them down itself."""
        club = getattr(viewer, "club", None)
        return self.filter(**{self.model.club_path: club}) if club else self.none()

    def opened_by(self, link: Any) -> Self:
        """Return the rows that a link opens."""
        paths = dict(getattr(self.model, "link_paths", {}))
        if hasattr(self.model, "hand_path"):
            paths.setdefault("hand", _join(self.model.hand_path, "public_id"))
        opened = {paths[word]: link.scope[word] for word in paths if link.scope.get(word)}
        return self.filter(**opened) if opened else self.none()


def _join(path: str, name: str) -> str:
    return f"{path}__{name}" if path else name


def _open_to(viewer: Any, path: str) -> models.Q:
    """Return the hands of members who see no others: their own, and what their club opens."""
    from replays.models.hands import Seat  # noqa: PLC0415 - seats are stored by this query set

    allowed = models.Q(pk__in=[])
    if viewer.user is not None:
        own = Seat.objects.filter(player__user=viewer.user, player__club=viewer.club)
        allowed |= models.Q(**{_join(path, "pk__in"): own.values("log")})
    if viewer.club.opens_hands:
        allowed |= models.Q(**{_join(path, "ended_after__isnull"): False})
    return allowed
