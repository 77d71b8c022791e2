"""Files as they came, and what became of each hand in them."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from replays.models.clubs import Club
from replays.models.hands import HandLog
from replays.models.scope import ClubQuerySet, new_public_id
from replays.models.work import Work


class Upload(Work):
    """One file or pasted text. Until ``finished_at`` a worker is still reading it.

    Its work is claimed like an audit's (``due``, ``lease``, ``attempts``); ``seen`` is
    how many hands and errors are done with, so another worker goes on from there.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="uploads")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    # What hands that name no source or event of their own are filed under.
    source = models.CharField(max_length=500, blank=True)
    event = models.CharField(max_length=500, blank=True)

    file = models.CharField(max_length=255)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    line_count = models.PositiveIntegerField(default=0)
    received_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    seen = models.PositiveIntegerField(default=0)
    line = models.PositiveIntegerField(default=0)
    created = models.PositiveIntegerField(default=0)
    appended = models.PositiveIntegerField(default=0)
    duplicate = models.PositiveIntegerField(default=0)
    conflict = models.PositiveIntegerField(default=0)
    rejected = models.PositiveIntegerField(default=0)

    # What became of its hands, for whoever has just had them taken; not stored here.
    taken: "list[Outcome] | None" = None

    objects = ClubQuerySet.as_manager()
    club_path = "club"

    class Meta:
        indexes = [
            # Read by the list of uploads, newest first.
            models.Index(fields=["club", "-id"], name="upload_newest"),
            # Read by every claim of a file to be read and by the sweeper.
            models.Index(
                fields=["attempts", "due"],
                name="upload_due",
                condition=models.Q(failed=False, finished_at=None),
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def title(self) -> str:
        """What people call it: its file; what a program sends has none."""
        if self.file:
            return self.file
        said = _("sent by a program (%s)") % self.source if self.source else _("sent by a program")
        return str(said)

    @property
    def percent(self) -> int:
        """How much of the file is read, 0 to 100."""
        if self.finished_at is not None:
            return 100
        return min(99, 100 * self.line // max(1, self.line_count))


class UploadChunk(models.Model):
    """A piece of a file as it came, at most a mebibyte: nobody holds a whole file at once."""

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    body = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["upload", "number"], name="chunk_once_an_upload"),
        ]

    def __str__(self) -> str:
        return f"{self.upload_id}: piece {self.number}"


class OutcomeKind(models.TextChoices):
    """What became of a hand in an upload."""

    CREATED = "created", _("new")
    APPENDED = "appended", _("continued")
    DUPLICATE = "duplicate", _("already here")
    CONFLICT = "conflict", _("differs from the stored hand")
    REJECTED = "rejected", _("could not be read")


# Django makes the list of their values anew each time it is asked for.
OUTCOMES = tuple(OutcomeKind.values)


class Outcome(models.Model):
    """What became of one hand of an upload.

    A hand that was rejected or in conflict keeps its text as it came in ``raw``, and
    ``found`` and ``expected`` say why, so that a person can put it right.
    """

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="outcomes")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=OutcomeKind.choices)
    log = models.ForeignKey(HandLog, on_delete=models.SET_NULL, null=True, related_name="+")
    name = models.CharField(max_length=500, blank=True)
    line = models.PositiveIntegerField(default=0)
    column = models.PositiveIntegerField(default=0)
    found = models.TextField(blank=True)
    expected = models.TextField(blank=True)
    raw = models.BinaryField(null=True)

    objects = ClubQuerySet.as_manager()
    club_path = "upload__club"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["upload", "number"], name="outcome_once_a_hand"),
        ]
        indexes = [
            # Read by the upload's page: what could not be taken stands first and stays visible.
            models.Index(fields=["upload", "kind", "number"], name="outcome_by_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.kind}"
