"""The one place that knows which database it talks to.

Everything else asks for verbs: insert these rows, these logs unless they are there, lock
those rows, claim work, guard the log. How PostgreSQL does it fast stands in ``copying``.
"""

import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

from django.db import OperationalError, connection, models, transaction
from django.db.models.functions import Now

from replays import copying, one_hand, prepared
from replays.models import AuditJob, HandKey, HandLog, MatchRow, Tombstone, Upload
from replays.models.matches import PAUSE
from replays.models.work import Work
from replays.writes import Values, Writes

T = TypeVar("T")
W = TypeVar("W", bound=Work)

SEVERITIES = ("error", "breach", "note")

_TRIES = 4
# PostgreSQL: deadlock detected, could not serialize.
_TRY_AGAIN = ("40P01", "40001")


def in_transaction(work: Callable[[], T]) -> T:
    """Run ``work`` in a transaction; again if the database chose it as a deadlock's victim."""

    def whole() -> T:
        with transaction.atomic():
            return work()

    return _again_where_victim(whole)


def _again_where_victim(work: Callable[[], T]) -> T:
    for left in reversed(range(_TRIES)):
        try:
            return work()
        except OperationalError as error:
            state = getattr(error.__cause__, "sqlstate", None)
            if not left or state not in _TRY_AGAIN or connection.in_atomic_block:
                raise
    raise AssertionError("unreachable")


def within_transaction(work: Callable[[], T]) -> T:
    """Run ``work`` in the transaction that is open, else in one of its own.

    Whoever opened it must let it fail where ``work`` does: nothing is undone here.
    """
    return work() if connection.in_atomic_block else in_transaction(work)


def kept_ready(statement: str, count: int) -> tuple[Callable[[], Any], str]:
    """Return what gives a cursor for a statement that is asked often, and its wording there.

    ``statement`` has ``%s`` for each of its ``count`` values, and no other sign of percent.
    """
    if not _postgres():
        return _cursor, statement
    return prepared.cursor, statement % tuple(f"${number}" for number in range(1, count + 1))


def _cursor() -> Any:
    # Not `connection.cursor`: that is of the thread that words a statement, and others ask it too.
    return connection.cursor()


def locked(rows: models.QuerySet[T]) -> models.QuerySet[T]:
    """Return the rows, locked until the transaction ends, in one order for everybody.

    SQLite has one writer at a time: a transaction of ours holds the lock from its start.
    """
    return rows.order_by("pk").select_for_update() if _postgres() else rows.order_by("pk")


def one_at_a_time(what: str) -> None:
    """Wait until nobody else does this, and have it until the transaction ends.

    A holder that stops dead before its commit loses its connection: others wait for it.
    SQLite has one writer at a time anyway.
    """
    if _postgres():
        copying.together(
            ("SET LOCAL idle_in_transaction_session_timeout = '10s'", []),
            ("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [what]),
        )


def insert(rows: Sequence[models.Model], *, numbered: bool = False) -> None:
    """Insert rows of one model; ``numbered`` has their numbers set on them.

    PostgreSQL takes values only: no expressions, and files of a model not saved before.
    """
    if not rows:
        return
    if not _postgres():
        type(rows[0])._default_manager.bulk_create(rows)  # noqa: SLF001 - Django's public name for it
        return
    if numbered:
        for row, pk in zip(rows, copying.reserve(type(rows[0]), len(rows)), strict=True):
            row.pk = pk
    copying.copy(rows)


def insert_values(
    model: type[models.Model], names: tuple[str, ...], rows: Sequence[Sequence[Any]]
) -> None:
    """Insert rows, each the values of all the model's columns by name.

    Where rows are many and nobody wants the objects: making those takes as long as writing.
    """
    if not rows:
        return
    if _postgres():
        copying.copy_values(model, names, rows)
    else:
        _make(Values(model, names, rows))


def insert_numbered(
    model: type[models.Model],
    names: tuple[str, ...],
    rows: Sequence[Sequence[Any]],
    *,
    writes: Writes,
) -> list[int]:
    """Insert rows with ``writes``, or at once where only that gives numbers; return their pks."""
    if not _postgres():
        return _make(Values(model, names, rows))
    pks = copying.reserve(model, len(rows)) if rows else []
    numbered = [(pk, *row) for pk, row in zip(pks, rows, strict=True)]
    writes.add_values(model, ("id", *names), numbered)
    return pks


def _make(values: Values) -> list[int]:
    made = [values.model(**dict(zip(values.names, row, strict=True))) for row in values.rows]
    return [row.pk for row in values.model._default_manager.bulk_create(made)]  # noqa: SLF001 - as above


def write(writes: Writes) -> None:
    """Insert all that is to be written."""
    if _postgres():
        copying.write(writes.parts, owed=writes.audits, soiled=list(writes.matches.values()))
    else:
        for part in writes.parts:
            if isinstance(part, Values):
                _make(part)
            else:
                insert(part)
        owe_audits(writes.audits)
        if writes.matches:
            MatchRow.objects.bulk_create(
                [MatchRow(**each._asdict(), due=Now()) for each in writes.matches.values()],
                ignore_conflicts=True,
            )
            soil(MatchRow.objects.filter(identity__in=writes.matches))
    writes.clear()


def soil(rows: models.QuerySet[MatchRow]) -> int:
    """Mark matches dirty: a hand of them has changed; return how many there are.

    A match that is dirty already keeps its time: a stream of hands cannot put it off.
    """
    is_clean = models.Q(version=models.F("audited_version"))
    later = models.Case(models.When(is_clean, then=Now() + PAUSE), default=models.F("due"))
    version = models.F("version") + 1
    return int(rows.update(version=version, due=later, attempts=0, failed=False, reason=""))


@dataclass(frozen=True, slots=True)
class Found:
    """Hands by their keys: the numbers of those that are here, and whether any was purged.

    ``taken`` are the keys that are ours now, each with a number for its hand, where numbers
    can be had in advance, else 0.
    """

    there: list[int]
    purged: bool
    taken: dict[bytes, int]


def take_keys(
    identities: Sequence[bytes], *, upload: Upload, spare: Collection[bytes] = ()
) -> Found:
    """Look hands up, and take the keys of those that are not here, but for ``spare``.

    Waits for another transaction that is just taking the same: then it is neither there nor
    taken, and there next time. Keys are taken in one order by everybody; where two still wait
    for each other, one is taken again (in_transaction). A new upload gets its number on the
    way, where numbers can be had in advance.
    """
    wanted = [identity for identity in identities if identity not in spare]
    if not _postgres():
        # One writer at a time: what is free now is nobody else's until the transaction ends.
        keys = dict(HandKey.objects.filter(identity__in=identities).values_list())
        stones = Tombstone.objects.filter(identity__in=identities)
        gone = {bytes(identity) for identity in stones.values_list("identity", flat=True)}
        here = {bytes(identity) for identity in keys} | gone
        free = dict.fromkeys((each for each in wanted if each not in here), 0)
        return Found(list(keys.values()), bool(gone), free)
    number = Upload if upload.pk is None else None
    found = copying.take_keys(identities, wanted=wanted, numbered=number)
    if upload.pk is None:
        ((_none, upload.pk),) = found["number"]
    there = [number for _identity, number in found["key"]]
    return Found(there, bool(found["stone"]), dict(found["taken"]))


def takes_alone() -> bool:
    """Whether ``take_alone`` can be had."""
    return _postgres()


def take_alone(log: HandLog, *, upload: Upload, writes: Writes) -> bool:
    """Write one new hand and its new upload, all in ``writes``, and owe its audit: one statement.

    False, and nothing written, where the hand is here already or was purged.
    """
    take = partial(one_hand.take, bytes(log.identity), writes)
    found = _again_where_victim(take)
    if found is None:
        return False
    log.pk, upload.pk = found
    return True


def insert_logs(logs: Sequence[HandLog], taken: Mapping[bytes, int], *, writes: Writes) -> None:
    """Insert logs whose keys were taken; their rows may be left to ``writes``.

    The key is the only narrow place: a hand that is already there is not written twice to
    find that out, and its row goes in without any conflict.
    """
    if _postgres():
        for log in logs:
            log.pk = taken[bytes(log.identity)]
        writes.add(logs)
        return
    HandLog.objects.bulk_create(logs)
    HandKey.objects.bulk_create(HandKey(identity=log.identity, log=log) for log in logs)


def owe_audits(logs: Iterable[int]) -> None:
    """Owe an audit of each log, by its number: at once, and with all its attempts."""
    pks = sorted(set(logs))
    if _postgres():
        copying.write([], owed=pks)
        return
    AuditJob.objects.bulk_create(
        [AuditJob(log_id=pk, due=Now()) for pk in pks],
        update_conflicts=True,
        unique_fields=["log"],
        update_fields=["due", "lease", "attempts", "failed", "reason"],
    )


def show_verdicts(rows: Iterable[tuple[int, int, int, str, Mapping[str, int]]]) -> None:
    """Show on hands what their audit says: hand, version, audit, verdict, severities counted.

    By hand: Django's ``bulk_update`` takes longer to write its statement than judging takes.
    """
    values = [
        (pk, version, audit, verdict, *map(counts.__getitem__, SEVERITIES))
        for pk, version, audit, verdict, counts in rows
    ]
    if _postgres():
        copying.by_columns(
            "UPDATE replays_handlog SET audited_version = new.version, audit_id = new.audit, "
            "verdict = new.verdict, errors = new.errors, breaches = new.breaches, "
            "notes = new.notes FROM unnest(%s::bigint[], %s::int[], %s::bigint[], %s::text[], "
            "%s::int[], %s::int[], %s::int[]) "
            "AS new (pk, version, audit, verdict, errors, breaches, notes) WHERE id = new.pk",
            values,
        )
        return
    with connection.cursor() as cursor:
        cursor.executemany(
            "UPDATE replays_handlog SET audited_version = %s, audit_id = %s, verdict = %s, "
            "errors = %s, breaches = %s, notes = %s WHERE id = %s",
            [(*rest, pk) for pk, *rest in values],
        )


def claim(model: type[W], *, only: models.Q, most: int, lease: timedelta) -> list[W]:
    """Claim up to ``most`` pieces of work that are due, each for one holder.

    A claim counts as an attempt and moves ``due`` past the end of the lease. The clock is
    the database's, so that hosts need not agree on the time.
    """
    token = secrets.token_hex(16)
    is_due = models.Q(failed=False, due__lte=Now())
    due = model.objects.filter(only, is_due).order_by("due", "pk")
    if _postgres():
        # An array is worked out once. A bare subquery may be run again for every row, and each time
        # it picks others than before: more is claimed than was asked for.
        picked, values = due.values("pk")[:most].query.sql_with_params()
        table = model._meta.db_table  # noqa: SLF001 - Django's own documented interface
        # A claim that a power cut takes with it is claimed again: nobody waits for the disk.
        rows = copying.changed_unsynced(
            model,
            f'UPDATE "{table}" SET due = statement_timestamp() + %s, lease = %s, '  # noqa: S608 - our own table
            f"attempts = attempts + 1 WHERE id = ANY(ARRAY({picked} FOR UPDATE SKIP LOCKED)) "
            "RETURNING *",
            [lease, token, *values],
        )
        return sorted(rows, key=lambda row: row.pk)
    with transaction.atomic():
        pks = list(due.values_list("pk", flat=True)[:most])
        # Where rows cannot be locked the condition decides: what another has claimed since is
        # no longer due, and only whoever finds their token on a row has it.
        rows = model.objects.filter(pk__in=pks)
        count = pks and rows.filter(is_due).update(
            due=Now() + lease, lease=token, attempts=models.F("attempts") + 1
        )
        return list(rows.filter(lease=token).order_by("pk")) if count else []


def end(jobs: Sequence[W]) -> set[int]:
    """Take away work that is done; return the numbers of what was still its holder's."""
    if not jobs:
        return set()
    # Claimed together they have one lease: few words, however many jobs.
    pks, leases = [job.pk for job in jobs], sorted({job.lease for job in jobs})
    if _postgres():
        which, values = "id = ANY(%s) AND lease = ANY(%s)", [pks, leases]
    else:
        marks = [", ".join(["%s"] * len(some)) for some in (pks, leases)]
        which, values = "id IN ({}) AND lease IN ({})".format(*marks), [*pks, *leases]
    table = jobs[0]._meta.db_table  # noqa: SLF001 - Django's own documented interface
    with connection.cursor() as cursor:
        cursor.execute(f'DELETE FROM "{table}" WHERE {which} RETURNING id', values)  # noqa: S608 - our own table
        return {pk for (pk,) in cursor.fetchall()}


def wipe_what_is_deleted() -> None:
    """Have what is deleted from here on overwritten in the file; PostgreSQL does so by VACUUM."""
    if not _postgres():
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete = ON")


# --- the guard of what is written once -------------------------------------------------------

_REFUSALS = {
    "replays_logbatch": "a log is append-only: its rows are never changed or deleted",
    "replays_caseevent": "the record of a case is append-only: "
    "its rows are never changed or deleted",
    "replays_decision": "the record of a case is append-only: a later decision takes its place",
    "replays_tombstone": "a tombstone stays: its row is never changed or deleted",
    "replays_trailentry": "the trail is append-only: its rows are never changed or deleted",
}
# The one way for such a row to go: the hand that it is about has its tombstone already.
_PURGED = {
    "replays_logbatch": "SELECT 1 FROM replays_tombstone WHERE number = OLD.log_id",
    "replays_decision": "SELECT 1 FROM replays_tombstone WHERE number = OLD.log_id",
    "replays_caseevent": "SELECT 1 FROM replays_tombstone JOIN replays_case "
    "ON replays_case.log_id = replays_tombstone.number WHERE replays_case.id = OLD.case_id",
}
# PostgreSQL alone can empty a table without deleting its rows.
_WORDS = {"UPDATE": "never_updated", "DELETE": "never_deleted", "TRUNCATE": "never_truncated"}


def guards_stand() -> bool:
    """Whether the database refuses to change or delete a row of a log or of the trail."""
    with connection.cursor() as cursor:
        if _postgres():
            cursor.execute("SELECT tgname FROM pg_trigger WHERE tgenabled <> 'D'")
        else:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        found = {name for (name,) in cursor.fetchall()}
    return all(name in found for table in _REFUSALS for name in _triggers(table).values())


def set_guards() -> None:
    """Have the database refuse every UPDATE and DELETE of what is written once.

    Done after each migration, not in one: SQLite alters a table by making it anew, which
    loses its triggers.
    """
    if not guards_stand():
        lift_guards()
        with connection.cursor() as cursor:
            for table in _REFUSALS:
                for statement in _guards(table):
                    cursor.execute(statement)


def lift_guards() -> None:
    """Take the triggers away; only for emptying a whole database, never in production."""
    with connection.cursor() as cursor:
        for table in _REFUSALS:
            on = f" ON {table}" if _postgres() else ""
            for name in {*_triggers(table).values(), f"{_thing(table)}_never_deleted"}:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}{on}")


def lift_guards_to_alter() -> None:
    """Take the triggers away before tables are altered, where they would be in the way.

    SQLite alters a table by making it anew, and stops at a trigger that reads the old one.
    """
    if not _postgres():
        lift_guards()


def _triggers(table: str) -> dict[str, str]:
    """Return the names of a table's triggers by what each refuses."""
    words = {verb: word for verb, word in _WORDS.items() if _postgres() or verb != "TRUNCATE"}
    if table in _PURGED:
        words["DELETE"] = "only_purged"
    return {verb: f"{_thing(table)}_{word}" for verb, word in words.items()}


def _thing(table: str) -> str:
    return "log" if table == "replays_logbatch" else table.removeprefix("replays_")


def _guards(table: str) -> Iterator[str]:
    refusal, triggers, purged = _REFUSALS[table], _triggers(table), _PURGED.get(table)
    if not _postgres():
        for verb, name in triggers.items():
            unless = f"WHEN NOT EXISTS ({purged}) " if purged and verb == "DELETE" else ""
            yield (
                f"CREATE TRIGGER {name} BEFORE {verb} ON {table} {unless}"
                f"BEGIN SELECT RAISE(ABORT, '{refusal}'); END"
            )
        return
    let = f"IF TG_OP = 'DELETE' THEN IF EXISTS ({purged}) THEN RETURN OLD; END IF; END IF; "
    yield (
        f"CREATE OR REPLACE FUNCTION {table}_is_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN {let if purged else ''}"
        f"RAISE EXCEPTION '{refusal}' USING ERRCODE = 'restrict_violation'; END $$"
    )
    for verb, name in triggers.items():
        each = "STATEMENT" if verb == "TRUNCATE" else "ROW"
        yield (
            f"CREATE TRIGGER {name} BEFORE {verb} ON {table} "
            f"FOR EACH {each} EXECUTE FUNCTION {table}_is_append_only()"
        )


def _postgres() -> bool:
    return connection.vendor == "postgresql"
