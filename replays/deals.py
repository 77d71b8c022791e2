"""Deals as they are entered at a table: kept, corrected, confirmed, taken back, locked.

A deal becomes a hand of detail ``scores`` the moment it is saved. Running totals are
worked out and never written down, so that a correction moves them all.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from replays import arrivals, ingest, logs, queries, storage, trail
from replays.access import Viewer
from replays.evenings import SOURCE, NotPossibleError
from replays.knock_on import KnockOn, knock_on
from replays.matches_at_tables import MatchState, state_of
from replays.models import DealEntry, HandKey, HandLog, TableMatch, Tombstone, UploadChunk
from replays.models.people import Scope, called
from replays.models.scope import new_public_id
from replays.models.uploads import OutcomeKind
from rummy_audit.rhl import canonical
from rummy_audit.rhl.read import ReadError, read
from rummy_audit.rhl.records import Amend, End, HandRecord, Match, Note, Player, Score, Void

# The score is always the first event, so every correction has this target.
SCORE = 1
MOST_POINTS = 9_999
MOST_TEXT = 300
MOST_KEY = 64


@dataclass(frozen=True, slots=True)
class Typed:
    """What somebody typed for a deal, by seat. ``winner`` 0: nobody won the hand.

    ``back``: seats that were out or had left and play again. ``shown``: the cards of
    seats that were judged on the show pad, as a sentence each.
    """

    winner: int | None = None
    points: Mapping[int, int] = field(default_factory=dict)
    marks: Mapping[int, str] = field(default_factory=dict)
    back: frozenset[int] = frozenset()
    shown: Mapping[int, str] = field(default_factory=dict)


class DealProblemsError(ValueError):
    """A deal that is not complete; ``problems`` say what is missing, one sentence each.

    ``fields`` has the same by the field of the form: ``winner``, ``p2`` for the points of seat 2.
    """

    def __init__(self, fields: Mapping[str, str]) -> None:
        """Keep what is missing, in the order of the seats."""
        self.fields = dict(fields)
        self.problems = list(self.fields.values())
        super().__init__(" ".join(self.problems))


class AlreadyEnteredError(ValueError):
    """The deal came in from somewhere else meanwhile; ``same``: with the same numbers."""

    def __init__(self, entry: DealEntry, *, same: bool) -> None:
        """Keep the deal that is there."""
        super().__init__(_("Deal %s is entered already.") % entry.number)
        self.entry = entry
        self.same = same


class ChangedMeanwhileError(ValueError):
    """Somebody else has corrected the deal since the page was opened."""


# --- entering ----------------------------------------------------------------------------------


def enter_deal(
    *, viewer: Viewer, match: TableMatch, key: str, number: int, typed: Typed, device: str = ""
) -> DealEntry:
    """Keep a deal as a hand; the same ``key`` again is the same deal and nothing new.

    Raises DealProblemsError for what is not complete, AlreadyEnteredError where the deal of
    this number is there already, NotPossibleError where the match takes no more.
    """
    work = partial(
        _enter,
        viewer,
        match.pk,
        key=key[:MOST_KEY],
        number=number,
        typed=typed,
        device=device,
    )
    return storage.in_transaction(work)


def _enter(
    viewer: Viewer, pk: int, *, key: str, number: int, typed: Typed, device: str
) -> DealEntry:
    match = _locked(viewer, pk)
    state = state_of(match)
    if sent := match.deals.filter(key=key).first():
        # A form that was gone back to and changed has the old key: that is no second sending.
        if sent.number != number or not _is_same(state, sent, typed, as_sent=True):
            raise AlreadyEnteredError(sent, same=False)
        if sent.taken_back:
            raise NotPossibleError(
                _("Deal %s was taken back after it was sent. Open the page again to enter it anew.")
                % number
            )
        return sent
    there = match.deals.filter(number=number, taken_back=False).first()
    if there is not None:
        raise AlreadyEnteredError(there, same=_is_same(state, there, typed))
    if match.locked_at is not None:
        raise NotPossibleError(_("This match is locked. Start the next one at this table."))
    if state.winner is not None and not typed.back & (state.out | state.left):
        raise NotPossibleError(_("This match is over. Start the next one at this table."))
    if number != state.next_number:
        raise NotPossibleError(
            _("The next deal of this match is %(next)s, not %(number)s. Open the page again.")
            % {"next": state.next_number, "number": number}
        )
    score = score_of(state, typed)
    log = _take_in(match, _hand(match, state, typed, score))
    entry = DealEntry.objects.create(
        match=match,
        place=match.deals.count() + 1,
        number=number,
        key=key,
        log=log,
        entered_at=timezone.now(),
        user=viewer.user,
        device=device,
    )
    after = {"deal": number, "head": log.head}
    trail.leave(viewer, "deal.enter", target=log.public_id, after=after)
    return entry


def _locked(viewer: Viewer, pk: int) -> TableMatch:
    match = storage.locked(TableMatch.objects.for_user(viewer).filter(pk=pk)).first()
    if match is None:
        raise NotPossibleError(_("This match was removed. Open the page of the table again."))
    return match


def _is_same(state: MatchState, entry: DealEntry, typed: Typed, *, as_sent: bool = False) -> bool:
    """Whether a deal is there with these numbers: as it counts now, or as it was sent."""
    found = next(each for each in state.deals if each.entry.pk == entry.pk)
    there = found.score_as_sent if as_sent else found.score
    try:
        mine = score_of(state, typed, playing=state.players_of(entry))
    except DealProblemsError:
        return False
    return there is not None and _plain(there) == _plain(mine)


def _plain(score: Score) -> tuple[Any, ...]:
    return score.winner, dict(score.points or {}), dict(score.marks or {})


def score_of(state: MatchState, typed: Typed, *, playing: list[int] | None = None) -> Score:
    """Return what was typed as the score of a deal. Raises DealProblemsError.

    A mark without a number stands for the points that the rules give it; what is typed is
    kept as it is, and judged.
    """
    seats = playing if playing is not None else state.playing(back=typed.back)
    problems: dict[str, str] = {}
    points: dict[int, int] = {}
    marks: dict[int, str] = {}
    if typed.winner is None or (typed.winner and typed.winner not in seats):
        problems["winner"] = _("Tap who won the deal.")
    for seat in seats:
        name = state.name(seat)
        if seat == typed.winner:
            points[seat], marks[seat] = 0, "won"
            continue
        mark = typed.marks.get(seat, "")
        own = typed.points.get(seat)
        if own is None and mark:
            own = state.points_of_mark(mark)
        if own is None:
            problems[f"p{seat}"] = _("Enter a number or a mark for %s.") % name
        elif not 0 <= own <= MOST_POINTS:
            said = _("%(name)s: that is no number of points; enter 0 to %(most)s.")
            problems[f"p{seat}"] = said % {"name": name, "most": MOST_POINTS}
        else:
            points[seat] = own
        if mark:
            marks[seat] = mark
    if problems:
        raise DealProblemsError(problems)
    return Score(points=points, winner=typed.winner or None, marks=marks)


def _hand(match: TableMatch, state: MatchState, typed: Typed, score: Score) -> list[Any]:
    """Return the records of a deal's hand."""
    number = state.next_number
    seats = state.playing(back=typed.back)
    record = HandRecord(
        rhl=1,
        id=_free_name(match, number),
        source=SOURCE,
        event=match.table.evening.key,
        table=match.table.name,
        ruleset=match.table.evening.ruleset,
        detail="scores",
        players=tuple(
            Player(seat=seat, name=state.name(seat), ref=state.refs.get(seat)) for seat in seats
        ),
        match=Match(
            id=match.name,
            format=match.format,
            deal=number,
            seats=tuple(state.seats),
            entry_fee=match.entry_fee,
            point_value=match.point_value,
            fee=match.fee,
            rejoined=tuple(seat for seat in seats if seat in state.out) or None,
            left=tuple(sorted(state.left - typed.back)) or None,
        ),
    )
    said = [typed.shown[seat][:MOST_TEXT] for seat in seats if typed.shown.get(seat)]
    notes = [Note(seq=place, text=text) for place, text in enumerate(said, SCORE + 1)]
    events = [_numbered(score, SCORE), *notes]
    return [record, *events, End(status="completed", count=len(events))]


def _free_name(match: TableMatch, number: int) -> str:
    """Return the id of a deal's hand: one that an upload has taken before blocks no table."""
    again = match.deals.filter(number=number).count()
    name = f"{match.name}-{number}{chr(ord('a') + again) if again else ''}"
    identity = arrivals.identity_of(
        match.upload.club, source=SOURCE, event=match.table.evening.key, name=name
    )
    taken = (HandKey, Tombstone)
    if any(each.objects.filter(identity=identity).exists() for each in taken):
        return f"{name} {new_public_id()[:6]}"  # by chance: nobody can take it in advance
    return name


def _numbered(score: Score, seq: int) -> Score:
    return Score(seq=seq, points=score.points, winner=score.winner, marks=score.marks)


def _take_in(match: TableMatch, records: list[Any]) -> HandLog:
    """Bring a hand's records in as an upload would; return its log."""
    body = b"".join(canonical.encode(each) + b"\n" for each in records)
    return _take_lines(match, body, body)


def _take_lines(match: TableMatch, whole: bytes, fresh: bytes) -> HandLog:
    upload = match.upload
    item = next(iter(read(whole)))
    if isinstance(item, ReadError):
        raise NotPossibleError(f"{item.found}: {item.expected}")
    prepared = arrivals.prepare([item], upload=upload, number=upload.seen)
    (outcome,) = ingest.take(prepared, upload=upload)
    if outcome.kind not in (OutcomeKind.CREATED, OutcomeKind.APPENDED) or outcome.log is None:
        raise NotPossibleError(_("The deal could not be kept: %s.") % outcome.found)
    storage.insert([UploadChunk(upload=upload, number=upload.seen, body=fresh)])
    upload.seen += 1
    upload.size += len(fresh)
    upload.line_count += fresh.count(b"\n")
    upload.line = upload.line_count
    setattr(upload, str(outcome.kind), getattr(upload, str(outcome.kind)) + 1)
    upload.save()
    return outcome.log


# --- correcting --------------------------------------------------------------------------------


def corrections_end(match: TableMatch) -> datetime.datetime | None:
    """Return until when the table itself may correct the deals of a match; None: no deal yet."""
    if match.locked_at is not None:
        return match.locked_at
    last = match.deals.order_by("-entered_at").values_list("entered_at", flat=True).first()
    period = datetime.timedelta(minutes=match.table.evening.correction_minutes)
    return last + period if last else None


def may_correct(viewer: Viewer, match: TableMatch) -> bool:
    """Whether they may correct this match: after the correction period only a referee."""
    if viewer.may(Scope.CASES_DECIDE):
        return True
    until = corrections_end(match)
    return viewer.may(Scope.HANDS_WRITE) and (until is None or timezone.now() < until)


def preview(*, viewer: Viewer, entry: DealEntry, typed: Typed | None) -> KnockOn:
    """Return what a correction would move, unsaved; None: the deal is taken back.

    Raises DealProblemsError.
    """
    return knock_on(viewer, entry.log, _amendment(entry, typed, by="", reason=""))


def correct(
    *,
    viewer: Viewer,
    entry: DealEntry,
    typed: Typed | None,
    reason: str,
    version: int,
    device: str = "",
) -> DealEntry:
    """Append a correction to a deal's log; what was written stays. None: take the deal back.

    ``version`` is the one of the log that was looked at. Raises DealProblemsError,
    ChangedMeanwhileError, and NotPossibleError where the period is over, no reason
    is given, or a deal is taken back that is not the last.
    """
    reason = " ".join(reason.split())[:MOST_TEXT]
    work = partial(_correct, viewer, entry.pk, typed, reason=reason, version=version, device=device)
    return storage.in_transaction(work)


def _correct(
    viewer: Viewer, pk: int, typed: Typed | None, *, reason: str, version: int, device: str
) -> DealEntry:
    entry = DealEntry.objects.for_user(viewer).get(pk=pk)
    match = storage.locked(TableMatch.objects.filter(pk=entry.match_id)).get()
    entry = DealEntry.objects.select_related("log").get(pk=pk)
    if not may_correct(viewer, match):
        raise NotPossibleError(
            _("The time for corrections at the table is over. Ask the referee to correct it.")
        )
    if not reason:
        said = _("Say why, in a few words: the reason stays with the deal.")
        raise NotPossibleError(said, field="reason")
    if entry.log.version != version:
        raise ChangedMeanwhileError
    later = match.deals.filter(place__gt=entry.place, taken_back=False).exists()
    if entry.taken_back or (typed is None and later):
        raise NotPossibleError(
            _("Only the last deal can be taken back. Correct its numbers instead.")
        )
    by = called(viewer.user) or _("the table")
    lines = logs.full_lines(entry.log)
    amendment = _amendment(entry, typed, by=by, reason=reason, seq=entry.log.seq + 1)
    fresh = canonical.encode(amendment) + b"\n"
    before = entry.log.head
    entry.log = _take_lines(match, b"".join(line + b"\n" for line in lines) + fresh, fresh)
    entry.user, entry.device = viewer.user, device
    entry.taken_back = typed is None
    entry.save(update_fields=["user", "device", "taken_back"])
    after = {"version": entry.log.version, "taken_back": entry.taken_back}
    was = {"version": version, "head": before}
    trail.leave(viewer, "deal.correct", target=entry.log.public_id, before=was, after=after)
    return entry


def _amendment(
    entry: DealEntry, typed: Typed | None, *, by: str, reason: str, seq: int = 0
) -> Amend:
    if typed is None:
        # Without a cause: that the table did not count the deal is all that is known.
        return Amend(seq=seq, target=SCORE, replace=Void(), by=by or None, reason=reason or None)
    state = state_of(entry.match)
    score = score_of(state, typed, playing=state.players_of(entry))
    return Amend(seq=seq, target=SCORE, replace=score, by=by or None, reason=reason or None)


def amendments_of(entry: DealEntry) -> list[Amend]:
    """Return every correction of a deal, oldest first, with who and why."""
    return [each for each in queries.hand_of(entry.log).events if isinstance(each, Amend)]


# --- confirming and locking --------------------------------------------------------------------


def may_confirm(viewer: Viewer, entry: DealEntry, *, device: str) -> bool:
    """Whether they are somebody else than who entered or corrected it last."""
    if viewer.user is not None:
        return viewer.may(Scope.HANDS_WRITE) and entry.user_id != viewer.user.pk
    return bool(device) and device != entry.device


def confirm_deals(
    *, viewer: Viewer, match: TableMatch, places: Mapping[int, int], device: str = "", seat: int = 0
) -> int:
    """Confirm deals, each in the version that was looked at (place → version); return how many.

    Passed over: what was corrected since, and what they entered themselves. Raises
    NotPossibleError where that leaves nothing.
    """
    work = partial(_confirm, viewer, match.pk, places, device, seat)
    return storage.in_transaction(work)


def _confirm(viewer: Viewer, pk: int, places: Mapping[int, int], device: str, seat: int) -> int:
    match = _locked(viewer, pk)
    done = changed = 0
    waiting = match.deals.filter(place__in=places, taken_back=False).select_related("log")
    for entry in waiting:
        if entry.log.version != places[entry.place] or entry.confirmed_version == entry.log.version:
            changed += 1
            continue
        if not may_confirm(viewer, entry, device=device):
            continue
        entry.confirmed_version = entry.log.version
        entry.confirmed_at = timezone.now()
        entry.confirmed_seat = seat
        entry.save(update_fields=["confirmed_version", "confirmed_at", "confirmed_seat"])
        after = {"deal": entry.number, "version": entry.confirmed_version, "seat": seat}
        trail.leave(viewer, "deal.confirm", target=entry.log.public_id, after=after)
        done += 1
    if not done and changed:
        raise NotPossibleError(
            _(
                "Nothing was confirmed: these deals were corrected or confirmed since this page "
                "was opened. Look at them below, then confirm."
            )
        )
    if not done:
        raise NotPossibleError(
            _(
                "Nothing was confirmed: whoever entered a deal cannot confirm it. Another player "
                "opens this page on another phone."
            )
        )
    return done


def lock_match(*, viewer: Viewer, match: TableMatch) -> None:
    """End a match's correction period at once: from now on only a referee amends.

    A member may at any time; the table itself once every deal is confirmed. Raises
    NotPossibleError.
    """
    storage.in_transaction(partial(_lock, viewer, match.pk))


def _lock(viewer: Viewer, pk: int) -> None:
    match = _locked(viewer, pk)
    if match.locked_at is not None:
        return
    open_deals = match.deals.filter(taken_back=False).select_related("log")
    waiting = sum(each.confirmed_version != each.log.version for each in open_deals)
    if waiting and viewer.user is None:
        raise NotPossibleError(
            ngettext(
                "%s deal is not confirmed yet: another player confirms it first.",
                "%s deals are not confirmed yet: another player confirms them first.",
                waiting,
            )
            % waiting
        )
    match.locked_at = timezone.now()
    match.save(update_fields=["locked_at"])
    after = {"match": match.name, "unconfirmed": waiting}
    trail.leave(viewer, "match.lock", target=match.table.public_id, after=after)
