"""What is stored: clubs and people, hands and their logs, uploads, work owed, audits."""

from replays.models.audits import Audit, FindingRow
from replays.models.clubs import Club, Player, default_club
from replays.models.hands import FreeText, HandLog, LogBatch, Seat
from replays.models.scope import DEFAULT_CLUB
from replays.models.uploads import Outcome, Upload, UploadChunk
from replays.models.work import AuditJob

__all__ = [
    "DEFAULT_CLUB",
    "Audit",
    "AuditJob",
    "Club",
    "FindingRow",
    "FreeText",
    "HandLog",
    "LogBatch",
    "Outcome",
    "Player",
    "Seat",
    "Upload",
    "UploadChunk",
    "default_club",
]
