"""Hands and their logs: the one part of the database where nothing is ever changed."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from replays.models.clubs import Club, Player
from replays.models.scope import ClubQuerySet, new_public_id


class Verdict(models.TextChoices):
    """What became of a hand: the engine's six words, and the two of the service."""

    WAITING = "waiting", _("waiting")
    CLEAN = "clean", _("clean")
    FLAGGED = "flagged", _("flagged")
    IRREGULAR = "irregular", _("irregular")
    UNFINISHED = "unfinished", _("unfinished")
    IMPOSSIBLE = "impossible", _("impossible")
    UNREADABLE = "unreadable", _("unreadable")
    FAILED = "failed", _("could not be judged")


class HandLog(models.Model):
    """One hand: whose, which, how far its log goes, and its verdict so far.

    The log itself is the list of its batches. What stands here beside the identity can
    all be computed again from them; it is kept for lists.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="hands")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)

    # Identity: club + source + event + name. A paper id such as T4-17 comes again next week,
    # with another event. `identity` is their digest (arrivals.identity_of): three long texts
    # would not fit a PostgreSQL index. HandKey holds it unique.
    identity = models.BinaryField(max_length=32)
    source = models.CharField(max_length=500, blank=True)
    event = models.CharField(max_length=500, blank=True)
    name = models.CharField(max_length=500)

    # The version current when the hand came in, pinned: `indian-13@1`.
    ruleset = models.CharField(max_length=500)
    detail = models.CharField(max_length=10)
    match = models.CharField(max_length=500, blank=True)
    deal = models.BigIntegerField(null=True)
    table = models.CharField(max_length=500, blank=True)
    ingested_at = models.DateTimeField()

    # How far the log goes. `version` grows with every append; whoever read version 3 may only
    # write over version 3.
    version = models.PositiveIntegerField(default=1)
    seq = models.PositiveIntegerField()
    line_count = models.PositiveIntegerField()
    ended_after = models.PositiveIntegerField(null=True)
    chain = models.BinaryField(max_length=32)
    head = models.CharField(max_length=64)
    core_digest = models.CharField(max_length=64)

    verdict = models.CharField(max_length=10, choices=Verdict.choices, default=Verdict.WAITING)
    # The audit that counts: the newest one, of version `audited_version` of the log.
    audit = models.ForeignKey(
        "replays.Audit", on_delete=models.SET_NULL, null=True, related_name="+"
    )
    audited_version = models.PositiveIntegerField(default=0)
    errors = models.PositiveIntegerField(default=0)
    breaches = models.PositiveIntegerField(default=0)
    notes = models.PositiveIntegerField(default=0)

    objects = ClubQuerySet.as_manager()
    club_path = "club"
    hand_path = ""

    class Meta:
        indexes = [
            # Read by the list of hands, newest first, and by its cursor.
            models.Index(fields=["club", "-id"], name="hand_newest"),
            # Read by the list of hands of one verdict.
            models.Index(fields=["club", "verdict", "-id"], name="hand_by_verdict"),
            # Read by the audit of a match and its page; most hands of paper clubs have none.
            models.Index(
                fields=["club", "match", "deal"],
                name="hand_of_match",
                condition=~models.Q(match=""),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_open(self) -> bool:
        """Whether the hand's ``end`` has not come yet."""
        return self.ended_after is None


class HandKey(models.Model):
    """The identity of a hand, once in the whole database.

    In a table of its own: should hands and logs be parted by month one day, no index over
    all their parts could hold an identity unique. Whoever writes the key first has the hand.
    """

    identity = models.BinaryField(max_length=32, primary_key=True)
    # Found by identity only, so no index on the log.
    log = models.ForeignKey(HandLog, on_delete=models.PROTECT, related_name="+", db_index=False)

    def __str__(self) -> str:
        return f"key of {self.log_id}"


class LogBatch(models.Model):
    """A stretch of a log as one upload or append brought it. Never changed, never deleted.

    ``body`` holds the records in signing form (docs/log-format.md), one a line: names
    are left out and free texts are digests, so that a person can be forgotten while the
    log stays as it is. Triggers on both databases refuse UPDATE and DELETE.
    """

    log = models.ForeignKey(HandLog, on_delete=models.PROTECT, related_name="batches")
    first_line = models.PositiveIntegerField()
    first_seq = models.PositiveIntegerField()
    last_seq = models.PositiveIntegerField()
    body = models.BinaryField()
    # The running digest after the last event of this batch, raw.
    chain = models.BinaryField(max_length=32)
    received_at = models.DateTimeField()

    objects = ClubQuerySet.as_manager()
    club_path = "log__club"
    hand_path = "log"

    class Meta:
        constraints = [
            # Of two appends at the same place one fails here, whatever else goes wrong.
            models.UniqueConstraint(fields=["log", "first_line"], name="batch_once_a_place"),
        ]

    def __str__(self) -> str:
        return f"{self.log_id}: {self.first_seq}…{self.last_seq}"


class FreeText(models.Model):
    """What people wrote by hand in a batch: kept beside the log, so that it can be forgotten.

    ``body`` is a JSON list of ``[line, path, value]``: the line within the batch, the
    place in its record, and what stood there.
    """

    batch = models.OneToOneField(LogBatch, on_delete=models.PROTECT, related_name="free_text")
    body = models.BinaryField()

    def __str__(self) -> str:
        return f"texts of batch {self.batch_id}"


class Seat(models.Model):
    """Who sat where in a hand. The name stands here and nowhere in the log."""

    log = models.ForeignKey(HandLog, on_delete=models.PROTECT, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=500, blank=True)
    ref = models.CharField(max_length=500, blank=True)
    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="seats")

    objects = ClubQuerySet.as_manager()
    club_path = "log__club"
    hand_path = "log"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["log", "seat"], name="seat_once_a_hand"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat}"
