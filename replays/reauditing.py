"""Judging again what was judged, by the engine of today: over millions, in nobody's way.

It runs in processes of its own, at low priority, and owes the workers nothing: a fresh hand
never waits behind it. Only verdicts that change are written, by the same way as a worker's.
Where it is stands in a file, so that it can be stopped at any moment and goes on from there.
"""

import hashlib
import itertools
import multiprocessing
import os
import signal
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Self

import django
import msgspec
from django.conf import settings
from django.db.models import Q, QuerySet

from replays import audit, logs, match_work, storage, work
from replays.models import AuditJob, HandLog
from replays.models.hands import Verdict
from replays.rulesets_of_clubs import OwnRules
from rummy_audit.rules.report import ENGINE

SLICE = 200
# What stands on a hand that could not be judged.
_NONE = (Verdict.FAILED, Verdict.UNREADABLE)
# How much nicer than everybody else its processes are.
_NICE = 10


class Wanted(msgspec.Struct, frozen=True):
    """Which hands: of a ruleset (``gin`` or ``gin@1``), of a club by its slug, come in since."""

    ruleset: str = ""
    club: str = ""
    since: datetime | None = None

    def hands(self) -> QuerySet[HandLog]:
        """Return the hands that have a verdict or could not be judged, in order."""
        hands = HandLog.objects.filter(Q(audit__isnull=False) | Q(verdict__in=_NONE)).order_by("pk")
        if self.ruleset:
            name = self.ruleset
            hands = hands.filter(Q(ruleset=name) | Q(ruleset__startswith=f"{name}@"))
        if self.club:
            hands = hands.filter(club__slug=self.club)
        if self.since:
            hands = hands.filter(ingested_at__gte=self.since)
        return hands


class Change(msgspec.Struct):
    """A hand whose verdict is another by now: the words, and the codes that came and went."""

    hand: str
    name: str
    ruleset: str
    before: str
    after: str
    came: list[str]
    went: list[str]
    # The engine has the version it had then: nobody could tell the two verdicts apart.
    refused: bool = False


class Part(msgspec.Struct):
    """What became of some hands: how many, which changed, which could not be judged and why."""

    last: int = 0
    count: int = 0
    changes: list[Change] = []
    failures: list[tuple[str, str]] = []


class Progress(msgspec.Struct):
    """How far a run is. Kept in a file between one start and the next."""

    last: int = 0
    seen: int = 0
    changed: int = 0
    failed: int = 0
    refused: int = 0
    by_ruleset: dict[str, int] = {}
    came: dict[str, int] = {}
    went: dict[str, int] = {}

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return how far an earlier start came, or the beginning."""
        with suppress(FileNotFoundError, msgspec.DecodeError):
            return msgspec.json.decode(path.read_bytes(), type=cls)
        return cls()

    def write(self, path: Path) -> None:
        """Keep it; who reads at the same moment finds the old or the new, never a half."""
        fresh = path.with_suffix(".new")
        fresh.write_bytes(msgspec.json.encode(self))
        fresh.replace(path)

    def add(self, part: Part) -> None:
        """Count what became of some hands."""
        self.last, self.seen = part.last, self.seen + part.count
        self.changed += len(part.changes)
        self.failed += len(part.failures)
        for change in part.changes:
            self.refused += change.refused
            _count(self.by_ruleset, [change.ruleset])
            _count(self.came, change.came)
            _count(self.went, change.went)


def _count(counts: dict[str, int], names: Iterable[str]) -> None:
    for name in names:
        counts[name] = counts.get(name, 0) + 1


def state_file(wanted: Wanted, *, dry: bool) -> Path:
    """Return where a run of these options keeps how far it is."""
    told = msgspec.json.encode([wanted, dry, ENGINE])
    folder: Path = settings.VAR
    return folder / f"reaudit-{hashlib.sha256(told).hexdigest()[:12]}.json"


# --- all of them, in processes of their own ------------------------------------------------------


def reaudit(wanted: Wanted, *, after: int, dry: bool, processes: int) -> Iterator[Part]:
    """Judge hands again, those after one of this number; give part by part what became of them.

    A hand that kills its process is told of alone; the others of its part are judged.
    """
    pool = _pool(processes)
    waiting: deque[tuple[list[int], Future[Part]]] = deque()
    slices = _slices(wanted, after)
    try:
        while True:
            for pks in itertools.islice(slices, 1 + 2 * processes - len(waiting)):
                waiting.append((pks, _sent(pool, pks, dry=dry)))
            if not waiting:
                return
            pks, future = waiting.popleft()
            try:
                part = future.result()
            except BrokenProcessPool:
                pool.shutdown()
                part = _one_by_one(pks, dry=dry)
                pool = _pool(processes)
                waiting = deque((others, _sent(pool, others, dry=dry)) for others, _ in waiting)
            yield part
    finally:
        pool.shutdown(cancel_futures=True)


def _slices(wanted: Wanted, after: int) -> Iterator[list[int]]:
    hands = wanted.hands()
    while pks := list(hands.filter(pk__gt=after).values_list("pk", flat=True)[:SLICE]):
        after = pks[-1]
        yield pks


def _pool(processes: int) -> ProcessPoolExecutor:
    # Not forked: a child must not share its parent's connection to the database.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=django.setup)
    # One that cannot even start is no fault of a hand: then this raises.
    pool.submit(int).result()
    return pool


def _sent(pool: ProcessPoolExecutor, pks: list[int], *, dry: bool) -> Future[Part]:
    """Have a pool judge some hands, also one whose process a hand before them has just killed."""
    try:
        return pool.submit(_judge_apart, pks, dry=dry)
    except BrokenProcessPool as error:
        broken: Future[Part] = Future()
        broken.set_exception(error)
        return broken


def _judge_apart(pks: list[int], *, dry: bool) -> Part:
    # Ctrl-C is for the parent, which lets the parts under way come to their end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.setpriority(os.PRIO_PROCESS, 0, _NICE)
    return judge_again(pks, dry=dry)


def _one_by_one(pks: list[int], *, dry: bool) -> Part:
    """Judge hands one of which kills its process: by halves, until it is found."""
    with _pool(1) as pool:
        try:
            return pool.submit(_judge_apart, pks, dry=dry).result()
        except BrokenProcessPool:
            pass
    if len(pks) == 1:
        hand = HandLog.objects.get(pk=pks[0])
        return Part(pks[0], 1, [], [(hand.public_id, "judging it stopped its process")])
    half = len(pks) // 2
    first, rest = (_one_by_one(part, dry=dry) for part in (pks[:half], pks[half:]))
    return Part(
        rest.last,
        first.count + rest.count,
        first.changes + rest.changes,
        first.failures + rest.failures,
    )


# --- a part of them, within one process ----------------------------------------------------------


def judge_again(pks: list[int], *, dry: bool) -> Part:
    """Judge hands by the engine of today; store what changes unless ``dry``."""
    part, anew, own = Part(last=pks[-1]), [], OwnRules()
    lines = logs.stored_lines(pks)
    hands = list(HandLog.objects.filter(pk__in=pks).select_related("audit").order_by("pk"))
    for hand in hands:
        part.count += 1
        try:
            with (
                work.alarm(settings.AUDIT_LEASE),
                work.alarm(settings.AUDIT_HAND_SECONDS, cpu=True),
            ):
                stored = logs.hand_in(lines[hand.pk])
                report = audit.judge(stored, pinned=hand.ruleset, own=own.of(hand))
        except Exception as error:  # noqa: BLE001 - told, and the other hands go on
            part.failures.append((hand.public_id, f"{type(error).__name__}: {error}"))
            continue
        is_same = hand.audit is None or report["report_digest"] == hand.audit.report_digest
        if is_same and hand.verdict not in _NONE:
            continue
        change = _change(hand, report)
        part.changes.append(change)
        if not change.refused:
            anew.append(audit.Judged(None, hand, report))
    if not dry:
        storage.in_transaction(partial(_store, hands, anew))
    return part


def _store(hands: list[HandLog], anew: list[audit.Judged]) -> None:
    audit.store(anew)
    changed = {each.log.pk for each in anew}
    # Given up once, and done by this: what has been owed since is a worker's.
    AuditJob.objects.filter(log__in=changed, failed=True).delete()
    # A match is judged by its hands and by the engine: a worker audits it anew.
    match_work.mark_again(hands, anew=changed, engine=ENGINE)


def _change(hand: HandLog, report: dict[str, Any]) -> Change:
    before: dict[str, Any] = {"engine": "", "ruleset": {"digest": ""}, "findings": []}
    if hand.audit is not None:
        before = msgspec.json.decode(bytes(hand.audit.report))
    if hand.verdict in _NONE:
        before["verdict"] = hand.verdict
    old, new = (
        Counter((one["code"], one["seq"], one["seat"]) for one in each["findings"])
        for each in (before, report)
    )
    return Change(
        hand=hand.public_id,
        name=hand.name,
        ruleset=report["ruleset"]["id"],
        before=before["verdict"],
        after=report["verdict"],
        came=sorted(code for code, *_place in (new - old).elements()),
        went=sorted(code for code, *_place in (old - new).elements()),
        refused=before["engine"] == report["engine"]
        and before["ruleset"]["digest"] == report["ruleset"]["digest"]
        and hand.audit.version == hand.version
        and hand.audit.report_digest != report["report_digest"],
    )
