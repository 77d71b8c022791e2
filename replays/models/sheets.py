"""Score sheets on their way in: a file that somebody is looking at before it becomes hands."""

from django.conf import settings
from django.db import models

from replays.models.clubs import Club
from replays.models.scope import ClubQuerySet, new_public_id
from replays.models.uploads import Upload


class ScoreSheet(models.Model):
    """A file as it came. It goes after a week: what was taken from it are hands by then.

    ``chosen`` is what the person has said about it: match, format, rules, columns.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="sheets")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    file = models.CharField(max_length=255)
    body = models.BinaryField()
    received_at = models.DateTimeField()
    chosen = models.JSONField(default=dict)
    # What was taken in from it last.
    upload = models.ForeignKey(Upload, on_delete=models.SET_NULL, null=True, related_name="+")

    objects = ClubQuerySet.as_manager()
    club_path = "club"

    class Meta:
        indexes = [
            # Read by the list of sheets that wait, and when old ones go.
            models.Index(fields=["club", "received_at"], name="sheet_of_club"),
        ]

    def __str__(self) -> str:
        return self.file
