"""Cases: what somebody disputes about a hand, what was said and done, and what was decided.

A case stands beside the log and its audits and changes neither. What happened in it is a
list of ``CaseEvent`` rows that are never changed; the row of the case itself only says
where it has come to, and every step compares and sets its ``version``.
"""

from typing import Any, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from replays.models.clubs import Club, Player
from replays.models.hands import HandLog
from replays.models.people import Role, Scope
from replays.models.scope import ClubQuerySet


class State(models.TextChoices):
    """Where a case has come to. Stored: never rename one."""

    DRAFT = "draft", _("not sent yet")
    OPEN = "open", _("waiting for a referee")
    ASSIGNED = "assigned", _("with a referee")
    DECIDED = "decided", _("decided, may be appealed")
    APPEALED = "appealed", _("appealed, waiting for another referee")
    FINAL = "final", _("final")
    WITHDRAWN = "withdrawn", _("withdrawn")
    DUPLICATE = "duplicate", _("joined to another case")
    NO_ACTION = "no-action", _("closed without a decision")


# While a case is in one of these, its hand is held and no second case of the same is opened.
RUNNING = (State.OPEN, State.ASSIGNED, State.DECIDED, State.APPEALED)


class Audience(models.TextChoices):
    """Who reads a message or a piece of evidence."""

    PARTIES = "parties", _("the parties and the officials")
    OFFICIALS = "officials", _("the officials")


class Side(models.TextChoices):
    """What somebody is in a case."""

    REPORTER = "reporter", _("opened the case")
    ANSWERS = "answers", _("it is about")
    CONCERNED = "concerned", _("played in the hand")


class Outcome(models.TextChoices):
    """What a referee decides on a complaint."""

    GRANTED = "granted", _("the complaint is right")
    PARTLY = "partly", _("the complaint is right in part")
    REFUSED = "refused", _("the complaint is not right")


class Effect(models.TextChoices):
    """What a decision does to the score of the hand."""

    NONE = "none", _("the points stay as the rules give them")
    POINTS = "points", _("the points below count")
    VOID = "void", _("the hand is void: it counts for nobody")


class Desk(models.Model):
    """How a club decides: its clocks, how many appeals, how standings are shown.

    Hours count from when a case was opened, decided or appealed.
    """

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="desk")
    # Nothing older than this may be disputed by a player; None: no limit.
    file_hours = models.PositiveIntegerField(null=True, blank=True)
    claim_hours = models.PositiveIntegerField(default=24)
    decide_hours = models.PositiveIntegerField(default=168)
    appeal_hours = models.PositiveIntegerField(default=72)
    levels = models.PositiveSmallIntegerField(default=1)
    # A referee who does nothing for so long no longer holds the case.
    idle_minutes = models.PositiveIntegerField(default=120)
    least_text = models.PositiveSmallIntegerField(default=20)
    by_decided = models.BooleanField(default=True)

    objects = ClubQuerySet.as_manager()
    club_path = "club"
    for_all_members = True

    def __str__(self) -> str:
        return f"desk of {self.club_id}"


class CaseQuerySet(ClubQuerySet):
    """Cases, and what hangs on them, as far as somebody may read them."""

    def for_user(self, viewer: Any) -> Self:
        """Return the cases of somebody's club; to a player those that they are a party to.

        Nobody reads another's draft, nor does a key of whoever wrote it.
        """
        found = self.of_club(viewer)
        if not viewer.may(Scope.CASES_READ):
            return found.none()
        path = self.model.case_path
        person = viewer.user.pk if viewer.user else None
        mine = models.Q(**{f"{path}opener": person}) if person else models.Q(pk=None)
        # One that was taken back before it was sent was told to nobody, and stays so.
        unsent = models.Q(**{f"{path}state": State.DRAFT}) | models.Q(
            **{f"{path}state": State.WITHDRAWN, f"{path}acknowledged_at": None}
        )
        found = found.filter(mine | ~unsent)
        if viewer.role in (Role.PLAYER, Role.VIEWER):
            parties = Party.objects.filter(user=person).values("case")
            found = found.filter(mine | models.Q(**{f"{path}pk__in": parties}))
        return found


class Case(models.Model):
    """A dispute about one event, one finding or one row of a match."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="cases")
    # What people call it by: counted within the club.
    number = models.PositiveIntegerField()
    log = models.ForeignKey(HandLog, on_delete=models.PROTECT, related_name="cases")
    # The event in dispute; 0 is the hand or its row in the match.
    seq = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=30)
    code = models.CharField(max_length=60, blank=True)

    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    # 0 until there is an appeal, then the number of the appeal.
    level = models.PositiveSmallIntegerField(default=0)
    version = models.PositiveIntegerField(default=1)
    opener = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        related_name="+",
    )
    holder = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
    )
    duplicate_of = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="duplicates"
    )

    opened_at = models.DateTimeField()
    acknowledged_at = models.DateTimeField(null=True)
    # When its present round began: opened, appealed or reopened. The clocks count from here.
    since = models.DateTimeField()
    held_at = models.DateTimeField(null=True)
    # When the holder last did something in it: an idle holder loses it.
    touched_at = models.DateTimeField(null=True)
    decided_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    # What the running clock of its state ends at; for a decided case, the appeal window.
    due_at = models.DateTimeField(null=True)

    objects = CaseQuerySet.as_manager()
    club_path = "club"
    case_path = ""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "number"], name="case_once_a_number"),
            # Of two equal reports at once the second finds the first and joins it.
            models.UniqueConstraint(
                fields=["log", "seq", "kind"],
                name="case_once_a_place",
                condition=models.Q(state__in=RUNNING),
            ),
        ]
        indexes = [
            # Read by the queue, the longest due first.
            models.Index(fields=["club", "state", "due_at"], name="case_queue"),
            # Read by what looks after idle holders and ended windows.
            models.Index(fields=["state", "due_at"], name="case_due"),
        ]

    def __str__(self) -> str:
        return f"case {self.number}"

    @property
    def runs(self) -> bool:
        """Whether something is still to come in it."""
        return self.state in RUNNING


class Party(models.Model):
    """Somebody with a part in a case: who opened it, and the seats that it concerns."""

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="parties")
    side = models.CharField(max_length=10, choices=Side.choices)
    seat = models.PositiveSmallIntegerField(null=True)
    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )

    objects = CaseQuerySet.as_manager()
    club_path = "case__club"
    case_path = "case__"

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["case", "seat"],
                name="party_once_a_seat",
                condition=models.Q(seat__isnull=False),
            ),
        ]
        indexes = [
            # Read by every look of a player at their cases.
            models.Index(fields=["user", "case"], name="party_of_user"),
        ]

    def __str__(self) -> str:
        return f"{self.side} of {self.case_id}"


class CaseEvent(models.Model):
    """One thing that happened in a case: who, when, what. Triggers refuse UPDATE and DELETE.

    ``data`` holds ids, seats and points, never a name or a text; the words stand in
    ``CaseText`` and only their digest here, so that somebody can be forgotten.
    ``digest`` covers the event and the digest before it.
    """

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="events")
    number = models.PositiveIntegerField()
    at = models.DateTimeField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        related_name="+",
    )
    via = models.CharField(max_length=40, blank=True)
    verb = models.CharField(max_length=20)
    before = models.CharField(max_length=10, blank=True)
    after = models.CharField(max_length=10)
    level = models.PositiveSmallIntegerField(default=0)
    audience = models.CharField(max_length=10, choices=Audience.choices, default=Audience.PARTIES)
    data = models.JSONField(default=dict)
    text_digest = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64)

    objects = CaseQuerySet.as_manager()
    club_path = "case__club"
    case_path = "case__"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["case", "number"], name="case_event_once"),
        ]

    def __str__(self) -> str:
        return f"{self.case_id}: {self.verb}"


class CaseText(models.Model):
    """What somebody wrote in a case: kept beside its event, so that it can be forgotten.

    The digest on the event is over ``salt`` and ``body``: once both are gone, nobody can
    find the words by trying.
    """

    event = models.OneToOneField(CaseEvent, on_delete=models.PROTECT, related_name="text")
    salt = models.CharField(max_length=32)
    body = models.TextField()

    objects = CaseQuerySet.as_manager()
    club_path = "event__case__club"
    case_path = "event__case__"

    def __str__(self) -> str:
        return f"text of {self.event_id}"


class EvidenceKind(models.TextChoices):
    """What can be pinned to a case."""

    EVENT = "event", _("an event of the log")
    NOTE = "note", _("a note")
    WHAT_IF = "what-if", _("a what-if")
    IMAGE = "image", _("a picture")


class Evidence(models.Model):
    """Something pinned to a case, with its digest. ``body`` is a picture as it came."""

    event = models.OneToOneField(CaseEvent, on_delete=models.PROTECT, related_name="evidence")
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="evidence")
    kind = models.CharField(max_length=10, choices=EvidenceKind.choices)
    digest = models.CharField(max_length=64)
    data = models.JSONField(default=dict)
    media_type = models.CharField(max_length=20, blank=True)
    size = models.PositiveIntegerField(default=0)
    body = models.BinaryField(null=True)

    objects = CaseQuerySet.as_manager()
    club_path = "case__club"
    case_path = "case__"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["case", "digest"], name="evidence_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.case_id}"


class Decision(models.Model):
    """What was decided, at which level, and what it does to the score. Never changed.

    A later decision of the same case takes its place. ``points`` are by seat, as text
    keys; seats left out keep the points by the rules. ``head`` and ``version`` say which
    log was before the referee.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="decisions")
    # What others cite it by: counted within the club.
    number = models.PositiveIntegerField()
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="decisions")
    event = models.OneToOneField(CaseEvent, on_delete=models.PROTECT, related_name="decision")
    log = models.ForeignKey(HandLog, on_delete=models.PROTECT, related_name="decisions")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        related_name="+",
    )
    at = models.DateTimeField()
    level = models.PositiveSmallIntegerField()
    outcome = models.CharField(max_length=10, choices=Outcome.choices)
    code = models.CharField(max_length=60, blank=True)
    clause = models.CharField(max_length=200)
    effect = models.CharField(max_length=10, choices=Effect.choices)
    points = models.JSONField(default=dict)
    winner = models.PositiveSmallIntegerField(null=True)
    cites = models.JSONField(default=list)
    # Whether it undoes the decision of the level below.
    overturns = models.BooleanField(default=False)
    version = models.PositiveIntegerField()
    head = models.CharField(max_length=64)
    report_digest = models.CharField(max_length=64, blank=True)

    objects = ClubQuerySet.as_manager()
    club_path = "club"
    # To be cited by everybody; the reasons are shown by whoever serves them.
    for_all_members = True

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "number"], name="decision_once_a_number"),
        ]
        indexes = [
            # Read by the search for precedents.
            models.Index(fields=["club", "code", "-number"], name="decision_by_code"),
        ]

    def __str__(self) -> str:
        return f"decision {self.number}"
