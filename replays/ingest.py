"""Hands come in: new ones are stored, longer ones continue their log, the rest is explained.

The same hand again is the same answer and nothing new. Nothing is overwritten: a hand that
differs from what is stored under its name is kept aside, for a person to look at.
"""

from collections.abc import Iterable
from datetime import datetime

import msgspec
from django.utils import timezone

from replays import counting, logs, match_work, storage, wake
from replays.arrivals import Arrival, Refusal
from replays.evenings import SOURCE as TABLES
from replays.models import (
    Club,
    DealEntry,
    FreeText,
    HandLog,
    LogBatch,
    Outcome,
    Player,
    Seat,
    TableMatch,
    Tombstone,
    Upload,
)
from replays.models.uploads import OutcomeKind
from replays.writes import Writes
from rummy_audit.rhl import digests

_encode = msgspec.json.Encoder().encode


def take(
    prepared: Iterable[Arrival | Refusal], *, upload: Upload, writes: Writes | None = None
) -> list[Outcome]:
    """Take prepared hands in; say what became of each.

    Call it within a transaction that also saves how far the upload is: hand, log and the
    work that is owed are stored together or not at all. ``writes`` is the caller's to write.
    """
    each_of = list(prepared)
    arrivals = [each for each in each_of if isinstance(each, Arrival)]
    hands = Writes()
    outcomes = _take_readable(arrivals, upload=upload, writes=hands)
    outcomes += [_refused(each, upload=upload) for each in each_of if isinstance(each, Refusal)]
    outcomes.sort(key=lambda outcome: outcome.number)
    hands.add(outcomes)
    if writes is None:
        storage.write(hands)
    else:
        writes.take_over(hands)
    for outcome in outcomes:
        counting.add(f"hands:{outcome.kind}")
    return outcomes


def take_alone(arrival: Arrival, *, upload: Upload, writes: Writes) -> Outcome | None:
    """Take in a hand that is all of a new upload, with what ``writes`` has of that already.

    None, and nothing done, unless the hand is new: then ``take`` knows what to do.
    """
    if _for_another_table([arrival], upload):
        return None
    log = _new_log(arrival, upload.club)
    writes.add([log])
    _write_new([(log, arrival)], writes)
    match_work.mark([log], writes)
    outcome = _outcome(OutcomeKind.CREATED, arrival, upload, log)
    writes.add([outcome])
    if not storage.take_alone(log, upload=upload, writes=writes):
        return None
    outcome.log, outcome.upload = log, upload
    wake.after_commit(wake.AUDIT)
    counting.add(f"hands:{outcome.kind}")
    return outcome


def _take_readable(arrivals: list[Arrival], *, upload: Upload, writes: Writes) -> list[Outcome]:
    outcomes: list[Outcome] = []
    touched: list[HandLog] = []
    pending = arrivals
    # Once where there are none too: a new upload gets its number with the keys of its hands.
    while pending or pending is arrivals:
        # A file may hold a hand twice: the second time it meets what the first time stored.
        now: dict[bytes, Arrival] = {}
        later = [each for each in pending if now.setdefault(each.identity, each) is not each]
        if pending is not arrivals:
            storage.write(writes)
        strange = _for_another_table(now.values(), upload)
        found = storage.take_keys(list(now), upload=upload, spare=strange)
        stored = _locked(found.there)
        gone = _purged(now) if found.purged else {}
        outcomes += [_refused_as_purged(now[key], stone, upload) for key, stone in gone.items()]
        fresh = [each for key, each in now.items() if key not in stored and key not in gone]
        outcomes += [_refused_at_table(each, upload) for each in fresh if each.identity in strange]
        fresh = [each for each in fresh if each.identity not in strange]
        ours = [
            (_new_log(each, upload.club), each) for each in fresh if each.identity in found.taken
        ]
        # Somebody else has just stored the same: next time round it is there.
        lost = [each for each in fresh if each.identity not in found.taken]
        new = [log for log, _each in ours]
        storage.insert_logs(new, found.taken, writes=writes)
        _write_new(ours, writes)
        outcomes += [_outcome(OutcomeKind.CREATED, each, upload, log) for log, each in ours]
        touched += new
        for identity, log in stored.items():
            arrival = now[identity]
            kind = _compare(log, arrival)
            if kind is OutcomeKind.APPENDED and _is_of_another_table(log, upload):
                kind = OutcomeKind.CONFLICT
            if kind is OutcomeKind.APPENDED:
                _append(log, arrival, writes)
                touched.append(log)
            outcomes.append(_outcome(kind, arrival, upload, log))
        pending = lost + later
    _owe_audits(touched, writes)
    return outcomes


def _locked(there: list[int]) -> dict[bytes, HandLog]:
    """Return hands that are there, by identity, locked until the transaction ends."""
    rows = storage.locked(HandLog.objects.filter(pk__in=there)) if there else []
    return {bytes(log.identity): log for log in rows}


# --- is it the same hand? ----------------------------------------------------------------------


def _compare(log: HandLog, arrival: Arrival) -> OutcomeKind:
    """Say whether a hand is what is stored, continues it, or contradicts it.

    The running digests decide. A shorter log that the stored one begins with is an older
    copy of it: nothing new.
    """
    new, stored_end, new_end = arrival.seq, log.ended_after, arrival.hand.ended_after
    common = min(new, log.seq)
    if arrival.chain.links[common] != _link(log, common):
        return OutcomeKind.CONFLICT
    if stored_end is not None and new_end is not None:
        # An end's own head and signature are not in the chain; its status and place are.
        if stored_end != new_end or not _same_end(log, arrival):
            return OutcomeKind.CONFLICT
        return OutcomeKind.APPENDED if new > log.seq else OutcomeKind.DUPLICATE
    if stored_end is not None:
        return OutcomeKind.DUPLICATE if new <= stored_end else OutcomeKind.CONFLICT
    if new_end is not None:
        return OutcomeKind.APPENDED if new_end >= log.seq else OutcomeKind.CONFLICT
    return OutcomeKind.APPENDED if new > log.seq else OutcomeKind.DUPLICATE


def _is_of_another_table(log: HandLog, upload: Upload) -> bool:
    """Whether a hand is a deal of a table, which is corrected there, and this comes from elsewhere.

    Who may still correct a deal, and until when, is known at its table alone.
    """
    deals = DealEntry.objects.filter(log=log)
    return (deals.exclude(match__upload=upload.pk) if upload.pk else deals).exists()


def _for_another_table(arrivals: Iterable[Arrival], upload: Upload) -> set[bytes]:
    """Return which hands name a match that is played at a table, and come from elsewhere.

    Such a hand would move the match's totals past its lock, and past who may correct it.
    """
    named = {
        each.identity: (each.event, each.hand.record.match.id)
        for each in arrivals
        if each.source == TABLES and each.hand.record.match
    }
    if not named:
        return set()
    events, matches = map(set, zip(*named.values(), strict=True))
    rows = TableMatch.objects.filter(
        table__evening__club=upload.club_id, table__evening__key__in=events, name__in=matches
    )
    # A new upload is nobody's, and may have no number yet.
    rows = rows.exclude(upload=upload.pk) if upload.pk else rows
    there = set(rows.values_list("table__evening__key", "name"))
    return {identity for identity, match in named.items() if match in there}


def _link(log: HandLog, seq: int) -> bytes:
    if seq == log.seq:
        return bytes(log.chain)
    return digests.chain(logs.hand_in(logs.stored_lines([log.pk])[log.pk])).links[seq]


def _same_end(log: HandLog, arrival: Arrival) -> bool:
    return log.head == arrival.chain.head


def continue_log(log: HandLog, arrival: Arrival) -> OutcomeKind:
    """Continue a locked log with what an arrival of its hand has beyond it, and owe its audit.

    Nothing is written where it has nothing new, or contradicts what is stored.
    """
    kind = _compare(log, arrival)
    if kind is OutcomeKind.APPENDED:
        writes = Writes()
        _append(log, arrival, writes)
        _owe_audits([log], writes)
        storage.write(writes)
    return kind


# --- writing -----------------------------------------------------------------------------------


def _new_log(arrival: Arrival, club: Club) -> HandLog:
    record, match = arrival.hand.record, arrival.hand.record.match
    return HandLog(
        club=club,
        identity=arrival.identity,
        source=arrival.source,
        event=arrival.event,
        name=record.id,
        ruleset=arrival.ruleset,
        detail=record.detail,
        match=(match and match.id) or "",
        deal=match and match.deal,
        table=record.table or "",
        ingested_at=timezone.now(),
        **_extent(arrival),
    )


def _extent(arrival: Arrival) -> dict[str, object]:
    """Return how far a log goes, as the hand's row keeps it."""
    return {
        "seq": arrival.seq,
        "line_count": len(arrival.stored),
        "ended_after": arrival.hand.ended_after,
        "chain": arrival.chain.links[-1],
        "head": arrival.chain.head,
        "core_digest": arrival.chain.core_digest,
    }


def _write_new(pairs: list[tuple[HandLog, Arrival]], writes: Writes) -> None:
    """Write the log, the seats and the texts of hands that were not there before."""
    seats: list[tuple[int, int, str, str]] = []
    batches: list[_Batch] = []
    texts: list[list[logs.Text]] = []
    for log, arrival in pairs:
        record = arrival.hand.record
        head = logs.HeadTexts.of(record, arrival.hand.lines[0], arrival.stored[0])
        seats += [
            (log.pk, player.seat, head.names.get(player.seat, ""), player.ref or "")
            for player in record.players
        ]
        batches.append(_batch(log, arrival, first_line=0, after=0))
        texts.append([(0, *text) for text in head.others] + _texts(arrival, first_line=1, at=1))
    if pairs:
        known = _known_players(pairs[0][0].club_id, {ref for *_seat, ref in seats if ref})
        rows = [(*seat, known.get(seat[-1])) for seat in seats]
        writes.add_values(Seat, ("log_id", "seat", "name", "ref", "player_id"), rows)
    _write_batches(batches, texts, writes)


def _append(log: HandLog, arrival: Arrival, writes: Writes) -> None:
    """Continue a log with what the arrival has beyond it."""
    batch = _batch(log, arrival, first_line=log.line_count, after=log.seq)
    _write_batches([batch], [_texts(arrival, first_line=log.line_count, at=0)], writes)
    for name, value in _extent(arrival).items():
        setattr(log, name, value)
    log.version += 1
    log.save(update_fields=["version", *_extent(arrival)])


_Batch = tuple[int, int, int, int, bytes, bytes, datetime]
_BATCH = ("log_id", "first_line", "first_seq", "last_seq", "body", "chain", "received_at")


def _batch(log: HandLog, arrival: Arrival, *, first_line: int, after: int) -> _Batch:
    return (
        log.pk,
        first_line,
        after + 1,
        arrival.seq,
        b"\n".join([*arrival.stored[first_line:], b""]),
        arrival.chain.links[-1],
        timezone.now(),
    )


def _texts(arrival: Arrival, *, first_line: int, at: int) -> list[logs.Text]:
    """Return the free texts from a line on, which is line ``at`` of its batch."""
    full, stored = arrival.hand.lines[first_line:], arrival.stored[first_line:]
    return [
        (number, place, value)
        for number, (whole, bare) in enumerate(zip(full, stored, strict=True), at)
        for place, value in logs.taken_out(whole, bare)
    ]


def _write_batches(batches: list[_Batch], texts: list[list[logs.Text]], writes: Writes) -> None:
    if not any(texts):
        writes.add_values(LogBatch, _BATCH, batches)
        return
    pks = storage.insert_numbered(LogBatch, _BATCH, batches, writes=writes)
    rows = [(pk, _encode(words)) for pk, words in zip(pks, texts, strict=True) if words]
    writes.add_values(FreeText, ("batch_id", "body"), rows)


def _known_players(club: int, refs: set[str]) -> dict[str, int]:
    """Return the people on the roster by the ``ref`` that seats name; never by a like name."""
    if not refs:
        return {}
    rows = Player.objects.filter(club=club, ref__in=sorted(refs))
    return dict(rows.values_list("ref", "pk"))


def _owe_audits(touched: list[HandLog], writes: Writes) -> None:
    """Owe an audit of each log; a worker that is at an older version of it will be refused."""
    if not touched:
        return
    writes.audits += (log.pk for log in touched)
    match_work.mark(touched, writes)
    wake.after_commit(wake.AUDIT)


# --- what became of it -------------------------------------------------------------------------


def _outcome(kind: OutcomeKind, arrival: Arrival, upload: Upload, log: HandLog) -> Outcome:
    hand = arrival.hand
    outcome = Outcome(
        upload=upload,
        number=arrival.number,
        kind=kind,
        log=log,
        name=hand.record.id,
        line=hand.line,
        column=1,
    )
    if kind is OutcomeKind.CONFLICT:
        outcome.found = _digests(arrival.seq, arrival.chain.head, arrival.chain.links[-1])
        outcome.expected = _digests(log.seq, log.head, bytes(log.chain))
        outcome.raw = b"\n".join(hand.lines)
    return outcome


def _digests(seq: int, head: str, link: bytes) -> str:
    """Name a log by its digests: its head, and its last event, which may stand behind the end."""
    return f"{seq} events, head {head}, last event {link.hex()}"


def _purged(identities: Iterable[bytes]) -> dict[bytes, Tombstone]:
    """Return the tombstones of hands that were here once, by identity."""
    rows = Tombstone.objects.filter(identity__in=list(identities))
    return {bytes(each.identity): each for each in rows}


def _refused_as_purged(arrival: Arrival, stone: Tombstone, upload: Upload) -> Outcome:
    """Refuse a hand that was purged: nothing of what was sent is kept."""
    return _turned_away(
        arrival,
        upload,
        found=f"a hand that was purged on {stone.at:%Y-%m-%d} ({stone.why})",
        expected="a hand that was not here before",
    )


def _refused_at_table(arrival: Arrival, upload: Upload) -> Outcome:
    """Refuse a hand for a match of a table, with all that came."""
    outcome = _turned_away(
        arrival,
        upload,
        found="a hand for a match that is played at a table",
        expected="its deals on the page of that table",
    )
    outcome.raw = b"\n".join(arrival.hand.lines)
    return outcome


def _turned_away(arrival: Arrival, upload: Upload, *, found: str, expected: str) -> Outcome:
    """Refuse a hand that can be read but may not come in."""
    return Outcome(
        upload=upload,
        number=arrival.number,
        kind=OutcomeKind.REJECTED,
        name=arrival.hand.record.id,
        line=arrival.hand.line,
        column=1,
        found=found,
        expected=expected,
    )


def _refused(refusal: Refusal, *, upload: Upload) -> Outcome:
    return Outcome(
        upload=upload,
        number=refusal.number,
        kind=OutcomeKind.REJECTED,
        name=refusal.name,
        line=refusal.line,
        column=refusal.column,
        found=refusal.found,
        expected=refusal.expected,
        raw=refusal.raw,
    )
