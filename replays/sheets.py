"""Score sheets become hands: kept for a look, planned against what is stored, then taken in."""

from __future__ import annotations

import datetime
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import Any

import msgspec
from django.utils import timezone

from replays import live, logs, sheets_read, sheets_tables, storage, trail, uploads
from replays.access import Viewer
from replays.arrivals import identity_of
from replays.models import ClubRuleset, HandLog, Player, ScoreSheet, Upload
from replays.models.people import called
from replays.rulesets_of_clubs import preset_of
from replays.sheets_deals import Reading, SheetDeal
from replays.sheets_read import Grid, SheetError
from replays.sheets_tables import Table
from rummy_audit.rhl import amend
from rummy_audit.rhl.records import Hand, Score
from rummy_audit.rules import rulesets
from rummy_audit.rules.rulesets import Preset

# Hands of score sheets are filed under this, so that the same sheet finds them again.
SOURCE = "score sheet"
_KEPT = datetime.timedelta(days=7)
_NEW, _SAME, _AMENDED, _DIFFERS = "new", "same", "amended", "differs"


@dataclass(frozen=True, slots=True)
class Difference:
    """One number of a deal that stands otherwise in the stored hand; None: not there."""

    seat: int
    what: str
    stored: int | str | None
    sheet: int | str | None


@dataclass(frozen=True, slots=True)
class Planned:
    """What would become of a deal: ``new``, ``same``, ``amended`` so already, or ``differs``."""

    deal: SheetDeal
    state: str
    log: HandLog | None = None
    differences: tuple[Difference, ...] = ()


# --- keeping -----------------------------------------------------------------------------------


def keep(*, viewer: Viewer, content: bytes, file: str) -> ScoreSheet:
    """Keep a file for its preview. Raises SheetError for what cannot be read."""
    list(tables(content))
    now = timezone.now()
    ScoreSheet.objects.filter(club=viewer.club, received_at__lt=now - _KEPT).delete()
    return ScoreSheet.objects.create(
        club=viewer.club, user=viewer.user, file=file[:255], body=content, received_at=now
    )


def tables(content: bytes) -> list[tuple[Grid, Table]]:
    """Return all tables of a file, sheet by sheet. Raises SheetError."""
    found: list[tuple[Grid, Table]] = []
    error: SheetError | None = None
    for grid in sheets_read.read_file(content):
        try:
            found += [(grid, table) for table in sheets_tables.tables_of(grid)]
        except SheetError as problem:
            error = error or problem
    if error and not found:
        raise error
    return found


def own_rules(viewer: Viewer, name: str) -> Preset | None:
    """Return a club's own rules by their pinned name; nothing for a preset of ours."""
    slug, _at, version = name.rpartition("@")
    if name in rulesets.presets() or not version.isdigit():
        return None
    found = ClubRuleset.objects.for_user(viewer).filter(slug=slug, version=version).first()
    return preset_of(found) if found else None


def on_roster(viewer: Viewer, names: Iterable[str]) -> dict[str, str]:
    """Return who of the roster has these names or aliases, by name; nobody where two have.

    A proposal: a person confirms it before it goes into a log.
    """
    people: dict[str, set[str]] = {}
    for ref, name, aliases in Player.objects.for_user(viewer).values_list("ref", "name", "aliases"):
        for known in (name, *aliases):
            people.setdefault(known.casefold(), set()).add(ref)
    found = {name: people.get(name.casefold(), set()) for name in names if name}
    return {name: next(iter(refs)) for name, refs in found.items() if len(refs) == 1}


def match_name(file: str, table: Table) -> str:
    """Return the name that a sheet's match gets unless a person says another.

    >>> match_name("Friday 4 (2).xlsx", Table("Table 2", 0, [], []))
    'Friday-4-2-Table-2'
    """
    words = re.findall(r"[^\W_]+", f"{PurePath(file).stem} {table.title}")
    return "-".join(words)[:60] or "match"


# --- planning ----------------------------------------------------------------------------------


def plan(viewer: Viewer, reading: Reading) -> list[Planned]:
    """Say for each deal what would become of it: two queries, whatever their number."""
    of = reading.settings
    identities = {
        identity_of(viewer.club, source=SOURCE, event=of.event, name=reading.hand_id(deal)): deal
        for deal in reading.deals
    }
    found = HandLog.objects.for_user(viewer).filter(identity__in=list(identities))
    stored = {bytes(log.identity): log for log in found}
    bodies = logs.stored_lines([log.pk for log in stored.values()])
    return [
        _planned(reading, deal, stored.get(identity), bodies)
        for identity, deal in identities.items()
    ]


def _planned(
    reading: Reading, deal: SheetDeal, log: HandLog | None, bodies: dict[int, bytes]
) -> Planned:
    if log is None:
        return Planned(deal, _NEW)
    hand = logs.hand_in(bodies[log.pk])
    ours = _facts(reading, deal)
    if _told(hand) == ours:
        return Planned(deal, _SAME, log)
    told = _told(amend.corrected(hand))
    if told == ours:
        return Planned(deal, _AMENDED, log)
    differences = tuple(
        Difference(seat, what, told.get((seat, what)), ours.get((seat, what)))
        for seat, what in sorted({*told, *ours})
        if told.get((seat, what)) != ours.get((seat, what))
    )
    return Planned(deal, _DIFFERS, log, differences)


Facts = dict[tuple[int, str], Any]


def _facts(reading: Reading, deal: SheetDeal) -> Facts:
    """Return what a deal of the sheet says, by seat: as its own hand would say it."""
    lines = b"".join(msgspec.json.encode(each) + b"\n" for each in reading.records(deal))
    return _told(logs.hand_in(lines))


def _told(hand: Hand) -> Facts:
    """Return what a hand says that a sheet can say too."""
    scores = [event for event in hand.events if isinstance(event, Score)]
    score = scores[-1] if scores else Score(seq=1)
    match = hand.record.match
    facts: Facts = {(player.seat, "plays"): 1 for player in hand.record.players}
    for what in ("points", "marks", "totals"):
        facts |= {(seat, what): value for seat, value in (getattr(score, what) or {}).items()}
    facts |= {(seat, "rejoined"): 1 for seat in (match and match.rejoined) or ()}
    facts[0, "format"] = (match and match.format) or ""
    facts[0, "ruleset"] = hand.record.ruleset.partition("@")[0]
    return facts


# --- taking in ---------------------------------------------------------------------------------


def take(*, viewer: Viewer, sheet: ScoreSheet, reading: Reading) -> Upload | None:
    """Take the deals of a sheet in as hands, but for those that say the same already.

    What differs is kept aside as a conflict. Returns nothing where nothing is new. Of two who
    take a sheet in at once the second finds its deals there.
    """
    return storage.in_transaction(partial(_take, viewer, sheet.pk, reading))


def _take(viewer: Viewer, pk: int, reading: Reading) -> Upload | None:
    sheet = storage.locked(ScoreSheet.objects.of_club(viewer).filter(pk=pk)).get()
    planned = plan(viewer, reading)
    known = {each.deal.number for each in planned if each.state in (_SAME, _AMENDED)}
    body = b"".join(_lines(reading, known))
    if not body:
        return None
    upload = uploads.receive(
        io.BytesIO(body),
        club=viewer.club,
        viewer=viewer,
        file=sheet.file,
        source=SOURCE,
        event=reading.settings.event,
    )
    sheet.upload = upload
    sheet.save(update_fields=["upload"])
    counts = {"created": upload.created, "conflict": upload.conflict}
    trail.leave(viewer, "sheet.take", target=upload.public_id, after=counts)
    return upload


def _lines(reading: Reading, known: Iterable[int]) -> Iterator[bytes]:
    for deal in reading.deals:
        if deal.number not in known:
            for record in reading.records(deal):
                yield msgspec.json.encode(record) + b"\n"


def amend_deal(*, viewer: Viewer, reading: Reading, number: int, reason: str) -> HandLog:
    """Amend a stored deal to what the sheet says. Raises LookupError where there is nothing to do.

    The first entry stays visible, struck through. Who plays cannot be amended so.
    """
    for each in plan(viewer, reading):
        if each.deal.number == number and each.log and can_amend(each):
            score = each.deal.score(reading.charges)
            del score["seq"]
            record = {
                "type": "amend",
                "seq": each.log.seq + 1,
                "target": 1,
                "replace": score,
                "by": called(viewer.user) or viewer.via,
                "reason": reason,
            }
            line = msgspec.json.encode(record)
            return live.append(viewer, each.log.public_id, after=each.log.seq, lines=[line]).log
    raise LookupError(number)


def can_amend(each: Planned) -> bool:
    """Whether only the score of a deal differs, so that an amendment of it is enough."""
    return each.state == _DIFFERS and all(
        difference.what in ("points", "marks", "totals") for difference in each.differences
    )
