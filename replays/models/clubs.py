"""Clubs and their people."""

from django.conf import settings
from django.db import models

from replays.models.scope import DEFAULT_CLUB, ClubQuerySet


class Club(models.Model):
    """Everything belongs to a club, and nobody sees another club's data."""

    slug = models.SlugField(max_length=50, unique=True)
    name = models.CharField(max_length=100)
    # Whether hands that have ended are open to all members; else to those who sat in them, and
    # to those who keep and judge the record.
    opens_hands = models.BooleanField(default=False)
    # How many hours after its end the cards of a hand lie open to everybody who reads it; None:
    # never. Those who keep and judge the record see them at any time.
    opens_after = models.PositiveIntegerField(null=True, default=0)
    # How many months a hand is kept; None: for good.
    keep_months = models.PositiveSmallIntegerField(null=True)
    # Points come first: what was played for is shown only where the club says so.
    money = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.name


def default_club() -> Club:
    """Return the one club that there is until clubs can be made."""
    club, _created = Club.objects.get_or_create(slug=DEFAULT_CLUB, defaults={"name": "Our club"})
    return club


class Player(models.Model):
    """Somebody on a club's roster.

    ``ref`` is the opaque name that logs use for them and that outlasts their name. A
    seat of a hand is theirs if its log says this ``ref``; a like name is only a
    proposal for a person to confirm.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="players")
    ref = models.CharField(max_length=500)
    name = models.CharField(max_length=500, blank=True)
    aliases = models.JSONField(default=list, blank=True)
    # Their account, where they have one: a member with the role of a player reads the hands
    # of this entry.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="players"
    )

    objects = ClubQuerySet.as_manager()
    club_path = "club"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "ref"], name="player_once_a_club"),
        ]

    def __str__(self) -> str:
        return self.name or self.ref
