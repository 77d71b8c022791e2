"""What a club has of one person, as a file for them: hands, statements, uploads, acts."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from typing import IO, Any

import msgspec

from replays import queries, trail
from replays.access import Viewer
from replays.models import CaseText, HandLog, Membership, Player, Seat, TrailEntry, Upload
from replays.sight import WHOLE, Sight, is_opened, redacted
from rummy_audit.rhl import digests

_encode = msgspec.json.Encoder(order="sorted").encode
_IN_MEMORY = 4 * 1024 * 1024


def collect(viewer: Viewer, player: Player) -> IO[bytes]:
    """Return a ZIP of what the viewer's club has of a person of its roster, at its beginning.

    Hands are given as the person may see them now and in signing form, which has neither the
    names of others nor what they remarked.
    """
    parts: dict[str, Iterable[Any]] = {
        "person.ndjson": [_person(viewer, player)],
        "hands.ndjson": _hands(viewer, player),
        "statements.ndjson": _statements(viewer, player),
        "uploads.ndjson": _uploads(viewer, player),
        "acts.ndjson": _acts(viewer, player),
    }
    out = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - the caller's to close
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, lines in parts.items():
            with packed.open(name, "w") as file:
                for line in lines:
                    file.write(_encode(line) + b"\n")
    out.seek(0)
    trail.leave(viewer, "person.export", target=str(player.pk), after={"parts": list(parts)})
    return out


def _person(viewer: Viewer, player: Player) -> dict[str, Any]:
    said: dict[str, Any] = {"ref": player.ref, "name": player.name, "aliases": player.aliases}
    if (user := player.user) is not None:
        member = Membership.objects.of_club(viewer).filter(user=user).first()
        said["account"] = {
            "number": user.pk,
            "name": user.get_full_name(),
            "email": user.email,
            "joined": user.date_joined,
            "role": member.role if member else None,
        }
    return said


def _hands(viewer: Viewer, player: Player) -> Iterator[dict[str, Any]]:
    seats = Seat.objects.of_club(viewer).filter(player=player).order_by("log_id", "seat")
    at: dict[int, list[Seat]] = {}
    for seat in seats:
        at.setdefault(seat.log_id, []).append(seat)
    for log in HandLog.objects.of_club(viewer).filter(pk__in=at).order_by("pk").iterator():
        mine = frozenset(seat.seat for seat in at[log.pk])
        opened = is_opened(log, viewer.club)
        sight = WHOLE if opened else Sight(whole=False, seats=mine)
        hand = redacted(queries.hand_of(log), sight)
        yield {
            "hand": log.public_id,
            "seats": sorted(mine),
            "names": [seat.name for seat in at[log.pk]],
            "received_at": log.ingested_at,
            "verdict": log.verdict if opened else None,
            "log": [msgspec.Raw(line) for line in digests.signing_lines(hand)],
        }


def _statements(viewer: Viewer, player: Player) -> Iterator[dict[str, Any]]:
    if player.user_id is None:
        return
    rows = CaseText.objects.filter(event__case__club=viewer.club, event__user=player.user_id)
    for row in rows.select_related("event__case").order_by("event_id").iterator():
        case = row.event.case
        yield {"case": case.number, "at": row.event.at, "verb": row.event.verb, "text": row.body}


def _uploads(viewer: Viewer, player: Player) -> Iterator[dict[str, Any]]:
    if player.user_id is None:
        return
    for row in Upload.objects.of_club(viewer).filter(user=player.user_id).order_by("pk"):
        said = {"upload": row.public_id, "file": row.file, "sha256": row.sha256}
        yield said | {"received_at": row.received_at}


def _acts(viewer: Viewer, player: Player) -> Iterator[dict[str, Any]]:
    if player.user_id is None:
        return
    for row in TrailEntry.objects.of_club(viewer).filter(user=player.user_id).order_by("pk"):
        said = {"at": row.at, "address": row.address, "verb": row.verb, "target": row.target}
        yield said
