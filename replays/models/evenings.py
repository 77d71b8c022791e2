"""Evenings of a club: who plays, at which tables, which matches, and what was entered there."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from replays.models.clubs import Club, Player
from replays.models.hands import HandLog
from replays.models.scope import ClubQuerySet, new_public_id
from replays.models.uploads import Upload


class Evening(models.Model):
    """An evening or tournament: its rules, its players, its tables.

    ``key`` is the ``event`` in its hands' identity: made once, the same for ever,
    whatever the evening is called later.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="evenings")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    name = models.CharField(max_length=100)
    date = models.DateField()
    key = models.CharField(max_length=120)
    # The rules of its hands by their pinned name: a preset (`indian-13@1`) or a version of the
    # club's own (`house@2`).
    ruleset = models.CharField(max_length=100)
    # How long after a match's last deal the table itself may still correct it.
    correction_minutes = models.PositiveSmallIntegerField(default=30)
    referee = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField()
    players = models.ManyToManyField(Player, through="Entrant", related_name="evenings")

    objects = ClubQuerySet.as_manager()
    club_path = "club"
    for_all_members = True

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "key"], name="evening_once_a_club"),
        ]
        indexes = [
            # Read by the list of evenings, newest first, and by the season's table.
            models.Index(fields=["club", "-date", "-id"], name="evening_newest"),
        ]

    def __str__(self) -> str:
        return self.name


class Entrant(models.Model):
    """Somebody of the club's roster who plays on an evening, at whatever table."""

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="entrants")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["evening", "player"], name="entrant_once_an_evening"),
        ]

    def __str__(self) -> str:
        return f"{self.evening_id}: {self.player_id}"


class Table(models.Model):
    """A table of an evening. Whoever holds its link enters its deals."""

    evening = models.ForeignKey(Evening, on_delete=models.PROTECT, related_name="tables")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    name = models.CharField(max_length=40)

    objects = ClubQuerySet.as_manager()
    club_path = "evening__club"
    for_all_members = True
    link_paths = {"table": "public_id"}

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["evening", "name"], name="table_once_an_evening"),
        ]

    def __str__(self) -> str:
        return self.name


class TableMatch(models.Model):
    """A match at a table: for points, a pool, or a number of deals.

    ``name`` is the ``match.id`` of its hands. Money in the smallest unit, empty where
    the club plays for points alone.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="matches")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60)
    format = models.CharField(max_length=20)
    entry_fee = models.PositiveIntegerField(null=True)
    point_value = models.PositiveIntegerField(null=True)
    fee = models.PositiveIntegerField(null=True)
    started_at = models.DateTimeField()
    # All deals come in by one upload, as they were sent.
    upload = models.ForeignKey(Upload, on_delete=models.PROTECT, related_name="+")
    locked_at = models.DateTimeField(null=True)

    objects = ClubQuerySet.as_manager()
    club_path = "table__evening__club"
    for_all_members = True
    link_paths = {"table": "table__public_id"}

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="match_once_a_table"),
        ]

    def __str__(self) -> str:
        return self.name


class TableSeat(models.Model):
    """Who sits where in a match. The same player may sit at another table later."""

    match = models.ForeignKey(TableMatch, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "seat"], name="table_seat_once"),
            models.UniqueConstraint(fields=["match", "player"], name="table_player_once"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}: seat {self.seat}"


class DealState(models.TextChoices):
    """How far a deal is believed."""

    ENTERED = "entered", _("not confirmed yet")
    CONFIRMED = "confirmed", _("confirmed")
    TAKEN_BACK = "taken-back", _("taken back")


class DealEntry(models.Model):
    """One deal as it was entered: which hand it became, from where, and who confirmed it.

    ``key`` comes from the page that sent it: what is sent twice has the same key and is
    one hand. A confirmation holds for one version of the log; a correction undoes it.
    """

    match = models.ForeignKey(TableMatch, on_delete=models.PROTECT, related_name="deals")
    # Counts entries; `number` is the deal's own, which a deal taken back gives free again.
    place = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=64)
    log = models.ForeignKey(HandLog, on_delete=models.PROTECT, related_name="+")
    entered_at = models.DateTimeField()
    # Who entered it: a member, or a phone at the table by the mark in its cookie.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    device = models.CharField(max_length=32, blank=True)
    taken_back = models.BooleanField(default=False)
    confirmed_version = models.PositiveIntegerField(default=0)
    confirmed_at = models.DateTimeField(null=True)
    # The seat that confirmed it at the table; 0: a member of the club.
    confirmed_seat = models.PositiveSmallIntegerField(default=0)

    objects = ClubQuerySet.as_manager()
    club_path = "match__table__evening__club"
    for_all_members = True
    link_paths = {"table": "match__table__public_id"}

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "key"], name="deal_sent_once"),
            models.UniqueConstraint(fields=["match", "place"], name="deal_place_once"),
            # Of two phones that enter the same deal at once, one is told so.
            models.UniqueConstraint(
                fields=["match", "number"],
                name="deal_number_once",
                condition=models.Q(taken_back=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}: deal {self.number}"

    @property
    def state(self) -> DealState:
        """How far it is believed: a confirmation is of the log as it stood then."""
        if self.taken_back:
            return DealState.TAKEN_BACK
        confirmed = self.confirmed_version == self.log.version
        return DealState.CONFIRMED if confirmed else DealState.ENTERED
