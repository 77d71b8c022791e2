"""Rulesets of a club's own: a preset with some values set to the club's, in versions."""

from django.conf import settings as conf
from django.db import models

from replays.models.clubs import Club
from replays.models.scope import ClubQuerySet


class ClubRuleset(models.Model):
    """One version of a club's rules. What it says is never changed: the next version does that.

    Hands name it as ``slug@version``, or as ``slug`` alone: the version then in force is
    pinned when the hand comes in. ``settings`` are the values that differ from ``base``, a
    pinned preset; ``digest`` is that of the rules without match and house rules.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="rulesets")
    slug = models.SlugField(max_length=50)
    version = models.PositiveIntegerField()
    name = models.CharField(max_length=100)
    base = models.CharField(max_length=100)
    settings = models.JSONField(default=dict)
    digest = models.CharField(max_length=64)
    # In force from that day on, until a version with a later day.
    active = models.BooleanField(default=False)
    valid_from = models.DateField(null=True)
    created_by = models.ForeignKey(
        conf.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField()

    objects = ClubQuerySet.as_manager()
    club_path = "club"
    for_all_members = True

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "slug", "version"], name="club_ruleset_version_once"
            ),
        ]

    def __str__(self) -> str:
        return self.pinned

    @property
    def pinned(self) -> str:
        """The name hands use for this very version, like ``house@2``."""
        return f"{self.slug}@{self.version}"
