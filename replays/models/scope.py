"""Who sees what: the one place that says which club's rows a person may read."""

import secrets
from typing import Any, Self

from django.db import models

DEFAULT_CLUB = "club"

# No vowels, no look-alikes: an id never spells a word and can be read out over the phone.
_ALPHABET = "23456789bcdfghjkmnpqrstvwxyz"
_ID_LENGTH = 16


def new_public_id() -> str:
    """Return a random id for addresses: 16 characters, 76 bits."""
    number = secrets.randbelow(len(_ALPHABET) ** _ID_LENGTH)
    letters = []
    for _ in range(_ID_LENGTH):
        number, letter = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[letter])
    return "".join(letters)


class ClubQuerySet(models.QuerySet[Any]):
    """Rows of a model with a ``club``, or with the path to one in ``club_path``."""

    def for_user(self, viewer: Any) -> Self:
        """Return what this person, key or link may read (``access.Viewer``): rows of their club."""
        club = getattr(viewer, "club", None)
        return self.filter(**{self.model.club_path: club}) if club else self.none()
