"""Webhooks: whom to tell of what, what is still to be told, and how it went."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from replays.models.clubs import Club
from replays.models.scope import ClubQuerySet, new_public_id
from replays.models.work import Work


class WebhookEvent(models.TextChoices):
    """What can be told. Stored, and read by others: never rename one."""

    HAND_AUDITED = "hand.audited", _("a hand has its verdict")
    FINDING_CREATED = "finding.created", _("something was found in a hand")
    MATCH_AUDITED = "match.audited", _("a match has its totals")
    CASE_OPENED = "case.opened", _("a case was opened")
    CASE_ASSIGNED = "case.assigned", _("a case has its referee")
    CASE_DECIDED = "case.decided", _("a case was decided")
    CASE_APPEALED = "case.appealed", _("a decision was appealed")
    CASE_CLOSED = "case.closed", _("a case was closed")


class WebhookEndpoint(models.Model):
    """An address of a club's own that is told what happens.

    Secrets sign what is sent, so they are kept as they are; they are shown once and stand in
    no log, trail or answer after that.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="webhooks")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    url = models.CharField(max_length=2000)
    words = models.CharField(max_length=100, blank=True)
    events = models.JSONField(default=list)
    # Made by somebody who may see hidden cards: it is told of every hand that has ended. Else it
    # is told what members are, who wait until their club opens the hand.
    reveals = models.BooleanField(default=False)
    secret = models.CharField(max_length=100)
    # After a rotation both sign, so that the receiver can change over in its own time.
    old_secret = models.CharField(max_length=100, blank=True)
    old_secret_until = models.DateTimeField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField()
    disabled_at = models.DateTimeField(null=True)
    disabled_why = models.CharField(max_length=200, blank=True)
    # It asked to be told less often: nothing goes out before.
    slow_until = models.DateTimeField(null=True)

    objects = ClubQuerySet.as_manager()
    club_path = "club"

    def __str__(self) -> str:
        return self.public_id


class WebhookDelivery(Work):
    """One message for one endpoint: the outbox, and after that the log of deliveries.

    Written in the transaction of what it tells of. ``attempts`` counts the tries, also those
    that a killed process began; ``failed`` means that there will be no more.
    """

    endpoint = models.ForeignKey(
        WebhookEndpoint, on_delete=models.CASCADE, related_name="deliveries"
    )
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    event = models.CharField(max_length=20)
    body = models.BinaryField()
    made_at = models.DateTimeField()
    delivered_at = models.DateTimeField(null=True)

    objects = ClubQuerySet.as_manager()
    club_path = "endpoint__club"

    class Meta:
        indexes = [
            # Read by every claim: only what is still to be told is in it.
            models.Index(
                fields=["endpoint", "due"],
                name="webhook_due",
                condition=models.Q(failed=False, delivered_at=None),
            ),
            # Read by the log of deliveries, newest first.
            models.Index(fields=["endpoint", "-id"], name="webhook_newest"),
            # Read by the sweeper, which lets go of what is old.
            models.Index(fields=["made_at"], name="webhook_oldest"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.public_id}"

    @property
    def state(self) -> str:
        """What became of it: ``delivered``, ``given-up``, or ``waiting`` for its next try."""
        if self.delivered_at is not None:
            return "delivered"
        return "given-up" if self.failed else "waiting"


class WebhookAttempt(models.Model):
    """One try to deliver a message: when, how long it took, and what came back."""

    delivery = models.ForeignKey(WebhookDelivery, on_delete=models.CASCADE, related_name="tries")
    at = models.DateTimeField()
    milliseconds = models.PositiveIntegerField()
    # Of the answer; None where there was none.
    status = models.PositiveSmallIntegerField(null=True)
    why = models.CharField(max_length=200, blank=True)

    objects = ClubQuerySet.as_manager()
    club_path = "delivery__endpoint__club"

    def __str__(self) -> str:
        return f"{self.status or self.why}"
