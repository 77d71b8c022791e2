"""Who is who: names in logs become people of the roster only when somebody says so."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count

from replays import trail
from replays.access import Viewer
from replays.models import HandLog, Membership, Player, Seat
from replays.models.scope import new_public_id


@dataclass(frozen=True, slots=True)
class Unknown:
    """A name, or a ``ref`` that is on no roster, as one evening wrote it; and who it may be."""

    name: str
    ref: str
    source: str
    event: str
    hands: int
    proposals: tuple[Player, ...] = ()


def unknown(viewer: Viewer, *, most: int = 100) -> list[Unknown]:
    """Return the names that belong to nobody on the roster yet, the most frequent first."""
    rows = (
        Seat.objects.for_user(viewer)
        .filter(player=None)
        .exclude(name="", ref="")
        .values("name", "ref", "log__source", "log__event")
        .annotate(hands=Count("pk"))
        .order_by("-hands", "name", "ref", "log__event")[:most]
    )
    people = list(Player.objects.for_user(viewer).order_by("name", "pk"))
    known: dict[str, list[Player]] = {}
    for player in people:
        for name in {each.casefold() for each in (player.name, *player.aliases) if each}:
            known.setdefault(name, []).append(player)
    return [
        Unknown(
            name=row["name"],
            ref=row["ref"],
            source=row["log__source"],
            event=row["log__event"],
            hands=row["hands"],
            proposals=tuple(known.get(row["name"].casefold(), ())),
        )
        for row in rows
    ]


def people_of(viewer: Viewer) -> Sequence[Player]:
    """Return the roster, by name."""
    return list(Player.objects.for_user(viewer).select_related("user").order_by("name", "pk"))


def confirm(viewer: Viewer, unknown: Unknown, *, player: Player | None) -> Player:
    """Give the seats of a name to somebody on the roster, or to a new entry.

    Only the seats of that evening: next week another may go by the same name.
    """
    with transaction.atomic():
        if player is None:
            # By `ref` a program has said who it is already: two at once find the same entry.
            player, _made = Player.objects.get_or_create(
                club=viewer.club,
                ref=unknown.ref or new_public_id(),
                defaults={"name": unknown.name},
            )
        elif unknown.name and unknown.name not in (player.name, *player.aliases):
            player.aliases = [*player.aliases, unknown.name]
            player.save(update_fields=["aliases"])
        hands = HandLog.objects.for_user(viewer).filter(source=unknown.source, event=unknown.event)
        count = Seat.objects.filter(
            log__in=hands, player=None, name=unknown.name, ref=unknown.ref
        ).update(player=player)
        trail.leave(viewer, "player.confirm", target=str(player.pk), after={"seats": count})
    return player


def link_account(viewer: Viewer, player: Player, member: Membership | None) -> None:
    """Say which member a roster entry is; they read its hands from now on. None: nobody."""
    with transaction.atomic():
        before, player.user = player.user_id, member and member.user
        player.save(update_fields=["user"])
        trail.leave(
            viewer, "player.account", target=str(player.pk), before=before, after=player.user_id
        )
