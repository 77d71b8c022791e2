"""Who belongs to a club and as what, and what each role and key may do."""

from typing import Any, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from replays.models.clubs import Club
from replays.models.scope import ClubQuerySet


def called(user: Any) -> str:
    """Return what people call an account; the user name of one made by invitation says nothing."""
    if user is None:
        return ""
    return str(user.get_full_name() or user.email.partition("@")[0] or user.get_username())


class Scope(models.TextChoices):
    """What somebody may do in a club; a key carries the same words. Stored: never rename one."""

    HANDS_READ = "hands:read", _("read hands")
    HANDS_WRITE = "hands:write", _("upload, enter and amend hands")
    HANDS_REVEAL = "hands:reveal", _("see the hidden cards of hands that go on")
    AUDITS_RUN = "audits:run", _("have hands judged")
    CASES_READ = "cases:read", _("read cases")
    CASES_WRITE = "cases:write", _("open cases and speak in them")
    CASES_DECIDE = "cases:decide", _("decide cases")
    RULESETS_READ = "rulesets:read", _("read rules")
    RULESETS_WRITE = "rulesets:write", _("write the club's rules")
    WEBHOOKS_WRITE = "webhooks:write", _("manage webhooks")
    EXPORT = "export", _("take data out")
    ADMIN = "admin", _("manage the club, its people and its keys")


class Role(models.TextChoices):
    """What a person is in a club."""

    OWNER = "owner", _("owner")
    REFEREE = "referee", _("referee")
    SCOREKEEPER = "scorekeeper", _("scorekeeper")
    PLAYER = "player", _("player")
    VIEWER = "viewer", _("viewer")


_EVERYBODY = frozenset({Scope.HANDS_READ, Scope.RULESETS_READ})
_PLAYER = _EVERYBODY | {Scope.CASES_READ, Scope.CASES_WRITE}
_SCOREKEEPER = _PLAYER | {Scope.HANDS_WRITE, Scope.HANDS_REVEAL, Scope.AUDITS_RUN, Scope.EXPORT}

ROLE_SCOPES: dict[str, frozenset[Scope]] = {
    Role.OWNER: frozenset(Scope),
    Role.REFEREE: _SCOREKEEPER | {Scope.CASES_DECIDE},
    Role.SCOREKEEPER: _SCOREKEEPER,
    # Of hands, a player reads their own, and a viewer those that are open to all.
    Role.PLAYER: _PLAYER,
    Role.VIEWER: _EVERYBODY,
}


class MembershipQuerySet(ClubQuerySet):
    """Memberships, by club or by person."""

    def of(self, user: Any) -> Self:
        """Return a person's own memberships, in the order they joined."""
        return self.filter(user=user).select_related("club", "user").order_by("pk")


class Membership(models.Model):
    """A person in a club, in one role."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=12, choices=Role.choices)
    since = models.DateTimeField()

    objects = MembershipQuerySet.as_manager()
    club_path = "club"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="member_once_a_club"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.role}"
