"""What is stored: clubs and people, hands and their logs, uploads, work owed, audits."""

from replays.models.audits import Audit, FindingRow
from replays.models.cases import Case, CaseEvent, CaseText, Decision, Desk, Evidence, Party
from replays.models.clubs import Club, Player, default_club
from replays.models.evenings import (
    DealEntry,
    Entrant,
    Evening,
    Table,
    TableMatch,
    TableSeat,
)
from replays.models.feed import FeedEntry
from replays.models.hands import FreeText, HandKey, HandLog, LogBatch, Seat
from replays.models.keys import ApiKey, Link
from replays.models.matches import MatchFinding, MatchRow, MatchSeat
from replays.models.people import Membership
from replays.models.privacy import Hold, Tombstone
from replays.models.processes import ProcessBeat
from replays.models.rulesets import ClubRuleset
from replays.models.scope import DEFAULT_CLUB
from replays.models.shadow import FindingPolicy, ShadowPart, ShadowRun
from replays.models.sheets import ScoreSheet
from replays.models.throttles import Throttle
from replays.models.trail import TrailEntry
from replays.models.uploads import Outcome, Upload, UploadChunk
from replays.models.webhooks import WebhookAttempt, WebhookDelivery, WebhookEndpoint
from replays.models.work import AuditJob

__all__ = [
    "DEFAULT_CLUB",
    "ApiKey",
    "Audit",
    "AuditJob",
    "Case",
    "CaseEvent",
    "CaseText",
    "Club",
    "ClubRuleset",
    "DealEntry",
    "Decision",
    "Desk",
    "Entrant",
    "Evening",
    "Evidence",
    "FeedEntry",
    "FindingPolicy",
    "FindingRow",
    "FreeText",
    "HandKey",
    "HandLog",
    "Hold",
    "Link",
    "LogBatch",
    "MatchFinding",
    "MatchRow",
    "MatchSeat",
    "Membership",
    "Outcome",
    "Party",
    "Player",
    "ProcessBeat",
    "ScoreSheet",
    "Seat",
    "ShadowPart",
    "ShadowRun",
    "Table",
    "TableMatch",
    "TableSeat",
    "Throttle",
    "Tombstone",
    "TrailEntry",
    "Upload",
    "UploadChunk",
    "WebhookAttempt",
    "WebhookDelivery",
    "WebhookEndpoint",
    "default_club",
]
