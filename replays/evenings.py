"""An evening of a club: its players, its tables, the link of a table, the matches there."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from replays import links, rule_words, storage, trail
from replays.access import Viewer
from replays.models import (
    Club,
    ClubRuleset,
    Entrant,
    Evening,
    HandLog,
    Link,
    Membership,
    Player,
    Table,
    TableMatch,
    TableSeat,
    Upload,
)
from replays.models.keys import LinkKind
from replays.models.people import ROLE_SCOPES, Scope
from replays.models.scope import new_public_id
from replays.rulesets_of_clubs import preset_of
from rummy_audit.rhl.limits import MAX_SEAT
from rummy_audit.rules import rulesets
from rummy_audit.rules.rulesets import Preset, Ruleset, RulesetError

# The `source` of hands that were entered at a table.
SOURCE = "table"
# Deals are entered with winner, drops and marks: so far only this family's score sheets are.
FAMILY = "indian"
MOST_MINUTES = 7 * 24 * 60
# An evening's link outlives the night, not the season.
_LINK_DAYS = 7
_MOST_NAME = 80
_MOST_TABLE_NAME = 40


class NotPossibleError(ValueError):
    """Something that cannot be done as asked; the message tells a person what to do instead.

    ``field`` is the field of the form that it is about, if it is about one.
    """

    def __init__(self, said: str, *, field: str = "") -> None:
        """Keep the sentence and its field."""
        super().__init__(said)
        self.field = field


# --- the evening -------------------------------------------------------------------------------


def rules_of(evening: Evening, *, match_format: str | None = None, players: int = 0) -> Ruleset:
    """Return the rules of an evening under a match format. Raises RulesetError."""
    return rulesets.ruleset(preset_at(evening), format=match_format, players=players)


def preset_at(evening: Evening) -> Preset:
    """Return the preset or the club's own rules that an evening plays by. Raises RulesetError."""
    club, name = evening.club_id, evening.ruleset
    if name in rulesets.presets():
        return rulesets.presets()[name]
    slug, _at, version = name.rpartition("@")
    own = version.isdigit() and ClubRuleset.objects.filter(club=club, slug=slug, version=version)
    if not own or not (found := own.first()):
        raise RulesetError("ruleset", name, "a preset or a ruleset of the club")
    return preset_of(found)


def referees_of(viewer: Viewer) -> list[Membership]:
    """Return who of the club may be the referee of an evening."""
    roles = [role for role, scopes in ROLE_SCOPES.items() if Scope.CASES_DECIDE in scopes]
    rows = Membership.objects.for_user(viewer).filter(role__in=roles)
    return list(rows.select_related("user").order_by("user__username"))


@transaction.atomic
def make_evening(
    *,
    viewer: Viewer,
    name: str,
    date: datetime.date,
    ruleset: str,
    correction_minutes: int,
    referee: object = None,
) -> Evening:
    """Make an evening. Raises NotPossibleError where the day has one of that name."""
    key = f"{date.isoformat()} {name}"
    evening = Evening(
        club=viewer.club,
        name=name,
        date=date,
        key=key,
        ruleset=ruleset,
        correction_minutes=correction_minutes,
        referee=referee,
        created_at=timezone.now(),
    )
    try:
        rules_of(evening)
    except RulesetError as error:
        raise NotPossibleError(_("There are no such rules: %s.") % error.found) from error
    try:
        with transaction.atomic():
            evening.save()
    except IntegrityError as error:
        raise NotPossibleError(
            _("There is an evening “%(name)s” on %(date)s already. Choose another name.")
            % {"name": name, "date": date.isoformat()}
        ) from error
    trail.leave(viewer, "evening.make", target=evening.public_id, after={"ruleset": ruleset})
    return evening


@transaction.atomic
def switch_money(*, viewer: Viewer, on: bool) -> None:
    """Have the club's matches played for money from now on, or for points alone."""
    club = storage.locked(Club.objects.filter(pk=viewer.club.pk)).get()
    was, club.money = club.money, on
    club.save(update_fields=["money"])
    trail.leave(
        viewer,
        "club.money",
        target=viewer.club.slug,
        before={"money": was},
        after={"money": on},
    )


def _plain(text: str) -> str:
    """Return a name on one line, without what no log and no database takes."""
    return " ".join(text.replace("\0", "").split())


# --- who plays ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Named:
    """Somebody as typed into a roster: a name, and what else they are called."""

    name: str
    aliases: tuple[str, ...] = ()

    @classmethod
    def of_line(cls, line: str) -> Named | None:
        """Read ``Name, other name, …``; None for a blank line.

        >>> Named.of_line(" Chitra K ,  Chits")
        Named(name='Chitra K', aliases=('Chits',))
        """
        parts = [_plain(part)[:_MOST_NAME] for part in line.split(",")]
        names = [part for part in parts if part]
        return cls(names[0], tuple(names[1:])) if names else None


@transaction.atomic
def add_players(
    *, viewer: Viewer, evening: Evening, refs: Iterable[str] = (), named: Sequence[Named] = ()
) -> list[Player]:
    """Put people of the club's roster and new ones on an evening's list; return those added.

    A typed name that is on the club's roster, as a name or as another name of somebody, is
    that person; further names are kept with them. Raises NotPossibleError where it could
    be several.
    """
    everybody = list(Player.objects.for_user(viewer).order_by("pk"))
    chosen = [player for player in everybody if player.ref in set(refs)]
    known = _by_name(everybody)
    for each in named:
        found = known.get(each.name.casefold(), [])
        if len(found) > 1:
            raise NotPossibleError(
                _("Several people of the club are called %s: tick the one who plays.") % each.name
            )
        player = found[0] if found else _new_player(viewer, each, everybody)
        more = [alias for alias in each.aliases if alias not in player.aliases]
        if found and more:
            player.aliases = [*player.aliases, *more]
            player.save(update_fields=["aliases"])
        known.setdefault(each.name.casefold(), [player])
        chosen.append(player)
    there = set(evening.entrants.values_list("player_id", flat=True))
    fresh = [player for player in dict.fromkeys(chosen) if player.pk not in there]
    Entrant.objects.bulk_create(Entrant(evening=evening, player=player) for player in fresh)
    if fresh:
        after = {"players": [player.ref for player in fresh]}
        trail.leave(viewer, "evening.players", target=evening.public_id, after=after)
    return fresh


def _by_name(players: Iterable[Player]) -> dict[str, list[Player]]:
    known: dict[str, list[Player]] = {}
    for player in players:
        for name in {each.casefold() for each in (player.name, *player.aliases) if each}:
            known.setdefault(name, []).append(player)
    return known


def _new_player(viewer: Viewer, named: Named, everybody: list[Player]) -> Player:
    ref = f"p-{new_public_id()}"
    player = Player.objects.create(
        club=viewer.club, ref=ref, name=named.name, aliases=list(named.aliases)
    )
    everybody.append(player)
    return player


@transaction.atomic
def remove_player(*, viewer: Viewer, evening: Evening, ref: str) -> None:
    """Take somebody off an evening's list. Raises NotPossibleError once they have sat down."""
    if TableSeat.objects.filter(match__table__evening=evening, player__ref=ref).exists():
        raise NotPossibleError(_("They have played this evening already and stay on the list."))
    evening.entrants.filter(player__ref=ref).delete()
    after = {"removed": ref}
    trail.leave(viewer, "evening.players", target=evening.public_id, after=after)


def roster(evening: Evening) -> list[Player]:
    """Return who plays on an evening, by name."""
    return list(evening.players.order_by("name", "pk"))


# --- tables and their links --------------------------------------------------------------------


@transaction.atomic
def add_table(*, viewer: Viewer, evening: Evening, name: str) -> Table:
    """Set up a table. Raises NotPossibleError without a name of its own."""
    name = _plain(name)[:_MOST_TABLE_NAME]
    if not name:
        raise NotPossibleError(_("Give the table a name, such as “Table 1”."))
    try:
        with transaction.atomic():
            table = Table.objects.create(evening=evening, name=name)
    except IntegrityError as error:
        message = _("This evening has a table “%s” already. Choose another name.") % name
        raise NotPossibleError(message) from error
    after = {"evening": evening.public_id}
    trail.leave(viewer, "table.make", target=table.public_id, after=after)
    return table


def links_of(table: Table) -> QuerySet[Link]:
    """Return the links that open a table now."""
    return Link.objects.filter(
        club=table.evening.club_id,
        kind=LinkKind.TABLE,
        scope__table=table.public_id,
        revoked_at=None,
        expires_at__gt=timezone.now(),
    )


@transaction.atomic
def make_table_link(*, viewer: Viewer, table: Table) -> tuple[Link, str]:
    """Make the link of a table and end the one before; return it with its token."""
    end_table_link(viewer=viewer, table=table)
    return links.make_link(
        viewer,
        kind=LinkKind.TABLE,
        scope={"table": table.public_id},
        expires_at=timezone.now() + datetime.timedelta(days=_LINK_DAYS),
    )


@transaction.atomic
def end_table_link(*, viewer: Viewer, table: Table) -> None:
    """End the link of a table at once: phones that hold it are turned away."""
    for link in links_of(table):
        links.revoke_link(viewer, link)


def table_of_link(token: str) -> tuple[Viewer, Table] | None:
    """Return the table that a token opens, and its holder as the one who asks.

    They enter and correct the deals of this table and see nothing else of the club.
    """
    link = links.link_of(token, kind=LinkKind.TABLE)
    if link is None:
        return None
    table = (
        Table.objects.select_related("evening__club")
        .filter(public_id=link.scope.get("table"), evening__club=link.club)
        .first()
    )
    if table is None:
        return None
    scopes = frozenset({Scope.HANDS_READ, Scope.HANDS_WRITE})
    return Viewer(club=link.club, link=link, scopes=scopes), table


# --- matches -----------------------------------------------------------------------------------


@transaction.atomic
def start_match(
    *,
    viewer: Viewer,
    table: Table,
    match_format: str,
    refs: Sequence[str],
    stakes: Mapping[str, int] | None = None,
) -> TableMatch:
    """Start a match at a table; ``refs`` are the players in the order of their seats.

    ``stakes``: ``entry_fee``, ``point_value``, ``fee`` in the smallest unit, taken only
    where the club plays for money. Raises NotPossibleError.
    """
    table = storage.locked(Table.objects.filter(pk=table.pk)).select_related(None).get()
    evening = table.evening
    known = {player.ref: player for player in roster(evening)}
    if not known.keys() >= set(refs):
        raise NotPossibleError(
            _(
                "Somebody you chose is no longer on this evening’s list. Choose the players again "
                "from the list as it is now."
            ),
            field="player",
        )
    players = [known[ref] for ref in dict.fromkeys(refs)]
    _check_match(evening, match_format, len(players))
    current = current_match(table)
    if current is not None and not current.deals.exclude(taken_back=True).exists():
        raise NotPossibleError(
            _("The match before has no deal yet: enter its first deal, or change its players.")
        )
    if not viewer.club.money:
        stakes = {}
    number = (current.number if current else 0) + 1
    upload = _upload_for(viewer, evening, file=f"{table.name} · {number}")
    match = TableMatch.objects.create(
        table=table,
        number=number,
        name=_free_name(evening, f"{table.name} · {number}"),
        format=match_format,
        started_at=timezone.now(),
        upload=upload,
        **{name: value for name, value in (stakes or {}).items() if value},
    )
    TableSeat.objects.bulk_create(
        TableSeat(match=match, seat=seat, player=player) for seat, player in enumerate(players, 1)
    )
    after = {"table": table.public_id, "number": number, "format": match_format}
    trail.leave(viewer, "match.start", target=table.public_id, after=after)
    return match


def _free_name(evening: Evening, name: str) -> str:
    """Return the name of a match: one that uploaded hands bear before it starts is not taken."""
    there = HandLog.objects.filter(club=evening.club_id, source=SOURCE, event=evening.key)
    if there.filter(match=name).exists():
        return f"{name} {new_public_id()[:6]}"  # by chance: nobody can bear it in advance
    return name


def _check_match(evening: Evening, match_format: str, count: int) -> None:
    try:
        law = rules_of(evening, match_format=match_format, players=count)
    except RulesetError as error:
        raise NotPossibleError(
            _(
                "This match cannot be played by these rules: %(parameter)s %(found)s, expected "
                "%(expected)s."
            )
            % {
                "parameter": rule_words.setting(error.parameter),
                "found": error.found,
                "expected": error.expected,
            },
            field="of" if match_format.startswith(("pool-", "deals-")) else "kind",
        ) from error
    least, most = law.number("players_min"), min(law.number("players_max"), MAX_SEAT)
    if not least <= count <= most:
        raise NotPossibleError(
            _("Choose %(least)s to %(most)s players; %(count)s are chosen.")
            % {"least": least, "most": most, "count": count},
            field="player",
        )


def _upload_for(viewer: Viewer, evening: Evening, *, file: str) -> Upload:
    """Open the upload that the deals of a match come in by, one after another."""
    return Upload.objects.create(
        club=viewer.club,
        user=viewer.user,
        source=SOURCE,
        event=evening.key,
        file=file,
        size=0,
        sha256=hashlib.sha256().hexdigest(),
        received_at=timezone.now(),
        finished_at=timezone.now(),
        due=Now(),
    )


@transaction.atomic
def drop_match(*, viewer: Viewer, match: TableMatch) -> None:
    """Remove a match in which nothing was entered. Raises NotPossibleError once something was."""
    # As those do who enter a deal: of the two at once, one finds what the other has done.
    if storage.locked(TableMatch.objects.filter(pk=match.pk)).first() is None:
        return
    if match.deals.exists():
        raise NotPossibleError(_("Deals of this match are entered already: it stays."))
    upload, name = match.upload, match.name
    match.seats.all().delete()
    match.delete()
    upload.delete()
    trail.leave(viewer, "match.drop", target=match.table.public_id, before={"match": name})


def current_match(table: Table) -> TableMatch | None:
    """Return the newest match of a table."""
    return table.matches.order_by(F("number").desc()).first()
