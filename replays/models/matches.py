"""Matches: which there are, what their last audit said, and whether they must be audited again."""

from datetime import timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

from replays.models.clubs import Club
from replays.models.hands import HandLog
from replays.models.scope import ClubQuerySet, new_public_id
from replays.models.work import Work

# A hand has changed since the last audit.
DIRTY = models.Q(version__gt=models.F("audited_version"))
# What comes in within this time of the first change is one audit.
PAUSE = timedelta(seconds=1)


class MatchVerdict(models.TextChoices):
    """What became of a match: the engine's three words, and the two of the service."""

    WAITING = "waiting", _("waiting")
    CLEAN = "clean", _("clean")
    FLAGGED = "flagged", _("flagged")
    IRREGULAR = "irregular", _("irregular")
    FAILED = "failed", _("could not be judged")


class MatchRow(Work):
    """A match of a club: the hands of one source and event that name it.

    ``version`` grows with every change of a hand of it; the match is dirty while
    ``audited_version`` lags behind. That is the whole of its work: claimed like an
    audit's (``due``, ``lease``, ``attempts``), ended only for the version it was done for.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="matches")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    # Digest of club, source, event and name (arrivals.identity_of), as for hands.
    identity = models.BinaryField(max_length=32, unique=True)
    source = models.CharField(max_length=500, blank=True)
    event = models.CharField(max_length=500, blank=True)
    name = models.CharField(max_length=500)

    version = models.PositiveIntegerField(default=0)
    audited_version = models.PositiveIntegerField(default=0)
    engine = models.CharField(max_length=32, blank=True)
    # The engine's MatchReport as JSON, whole: what the page shows.
    report = models.BinaryField(default=b"")

    family = models.CharField(max_length=20, blank=True)
    format = models.CharField(max_length=500, blank=True)
    verdict = models.CharField(
        max_length=10, choices=MatchVerdict.choices, default=MatchVerdict.WAITING
    )
    deal_count = models.PositiveIntegerField(default=0)
    winner = models.PositiveSmallIntegerField(null=True)
    errors = models.PositiveIntegerField(default=0)
    breaches = models.PositiveIntegerField(default=0)
    # The last deal: its seats name the players in lists.
    last_log = models.ForeignKey(HandLog, on_delete=models.SET_NULL, null=True, related_name="+")

    objects = ClubQuerySet.as_manager()
    club_path = "club"
    hand_path = "last_log"

    class Meta:
        indexes = [
            # Read by the list of matches, newest first, and by its cursor.
            models.Index(fields=["club", "-id"], name="match_newest"),
            # Read by the list of matches of one verdict.
            models.Index(fields=["club", "verdict", "-id"], name="match_by_verdict"),
            # Read by the page of an event and by the table of a season.
            models.Index(fields=["club", "event"], name="match_of_event"),
            # Read by every claim of a match and by the sweeper: only dirty ones are in it.
            models.Index(
                fields=["attempts", "due"],
                name="match_due",
                condition=models.Q(failed=False, version__gt=models.F("audited_version")),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_dirty(self) -> bool:
        """Whether a hand has changed since its last audit."""
        return self.version > self.audited_version


class MatchSeat(models.Model):
    """What a seat has in a match by the rules, for tables over many matches."""

    match = models.ForeignKey(MatchRow, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    total = models.BigIntegerField(null=True)
    # All points of the deals, whatever a total is in this game.
    points = models.BigIntegerField()
    deal_count = models.PositiveIntegerField()
    deals_won = models.PositiveIntegerField()
    won = models.BooleanField()

    objects = ClubQuerySet.as_manager()
    club_path = "match__club"
    hand_path = "match__last_log"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "seat"], name="match_seat_once"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.match_id}"


class MatchFinding(models.Model):
    """A finding of a match's last audit, for lists and searches; it stands at a hand of it.

    It is no finding of the hand: it changes neither the hand's verdict nor its counts.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    match = models.ForeignKey(MatchRow, on_delete=models.CASCADE, related_name="findings")
    log = models.ForeignKey(HandLog, on_delete=models.CASCADE, related_name="match_findings")
    number = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=60)
    category = models.CharField(max_length=20)
    severity = models.CharField(max_length=10)
    handled = models.BooleanField(default=False)
    seq = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField(null=True)

    objects = ClubQuerySet.as_manager()
    club_path = "club"
    hand_path = "log"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="match_finding_once"),
        ]
        indexes = [
            # Read by the search for hands with a finding, newest hand first.
            models.Index(fields=["club", "code", "-log"], name="match_finding_by_code"),
        ]

    def __str__(self) -> str:
        return self.code
