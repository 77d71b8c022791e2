"""Judging what is due: claim, replay, store the verdict."""

import logging
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from replays import counting, feed, logs, outbox, stopping, storage, work
from replays.models import Audit, AuditJob, FeedEntry, FindingRow, HandLog
from replays.models.hands import Verdict
from replays.rulesets_of_clubs import Own, OwnRules
from rummy_audit.rhl import amend
from rummy_audit.rhl.records import Hand, HandRecord
from rummy_audit.rules import rulesets
from rummy_audit.rules.replay import replay
from rummy_audit.rules.report import hand_report
from rummy_audit.rules.rulesets import Ruleset, RulesetError

log = logging.getLogger(__name__)

# Verdicts are stored at least so often (seconds): a hand that kills the worker then costs
# the others of its batch little.
_STORE_SECONDS = 0.5
# Fewer than so many at once are worth waiting for more.
_FEW = 50

_encode = msgspec.json.Encoder().encode


# --- one hand --------------------------------------------------------------------------------


def _no_club(_record: HandRecord) -> None:
    """Find no rules of a club's own: for hands that are in no club."""


def rules_of(hand: Hand, *, pinned: str = "", own: Own = _no_club) -> Ruleset:
    """Return the rules a hand is judged by, its amendments applied. Raises RulesetError.

    ``pinned`` is the version that was current when the hand came in; it stands in for a
    bare name. ``own`` finds the rules of the hand's club.
    """
    record = amend.corrected(hand).record
    if pinned.partition("@")[0] == record.ruleset:
        record = msgspec.structs.replace(record, ruleset=pinned)
    return rulesets.for_hand(record, own(record))


def judge(hand: Hand, *, pinned: str = "", own: Own = _no_club) -> dict[str, Any]:
    """Return the report of a hand: the same for the same log, rules and engine."""
    rules = rules_of(hand, pinned=pinned, own=own)
    return hand_report(hand, rules, replay(hand, rules))


# --- the hands that are due --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Judged:
    """A hand with its report, on the way into the database; without a job it was not owed."""

    job: AuditJob | None
    log: HandLog
    report: Mapping[str, Any]

    def audit(self) -> Audit:
        """Return the report as a row, unsaved."""
        return Audit(
            log=self.log,
            version=self.log.version,
            head=self.log.head,
            engine=self.report["engine"],
            ruleset=self.report["ruleset"]["id"],
            ruleset_digest=self.report["ruleset"]["digest"],
            verdict=self.report["verdict"],
            report=_encode(self.report),
            report_digest=self.report["report_digest"],
            made_at=timezone.now(),
        )

    @property
    def severities(self) -> Counter[str]:
        """How many findings there are of each severity."""
        return Counter(finding["severity"] for finding in self.report["findings"])

    def entry(self, audit: Audit) -> FeedEntry:
        """Return the verdict as an entry of the feed, unsaved."""
        return FeedEntry(
            club_id=self.log.club_id,
            log=self.log,
            audit=audit,
            version=self.log.version,
            verdict=self.report["verdict"],
            open=self.log.is_open,
            errors=self.severities["error"],
            breaches=self.severities["breach"],
            notes=self.severities["note"],
            at=timezone.now(),
        )

    def findings(self) -> list[tuple[object, ...]]:
        """Return the findings as the values of rows, in the order of ``_FINDING``."""
        return [
            (self.log.club_id, self.log.pk, number, *map(finding.__getitem__, _FINDING[3:]))
            for number, finding in enumerate(self.report["findings"])
        ]


_FINDING = (
    *("club_id", "log_id", "number"),
    *("code", "category", "severity", "handled", "seq", "seat"),
)


def audit_due(*, rest: float = 0.0) -> int:
    """Judge hands that are due until none is left or the time is up; return how many.

    A hand that was claimed before and not finished may be what killed its worker: it is
    claimed alone, after a batch of fresh ones, so it holds nobody up. Where hands come one by
    one, the first is judged at once and the others after a ``rest`` (seconds) together: to
    claim a batch and to store its verdicts costs as much as to judge ten.
    """
    # A quarter of a lease for this, for a batch, and for the last hand of each: so all ends
    # before its claims do. Two seconds, so that other work has its turn.
    time_is_up = time.monotonic() + min(2.0, settings.AUDIT_LEASE / 4)
    done = 0
    while time.monotonic() < time_is_up and not stopping.asked():
        fresh = work.claim(AuditJob, only=Q(attempts=0), most=settings.AUDIT_BATCH)
        with work.in_hand(fresh):
            done += _judge_all(fresh)
        again = work.claim(
            AuditJob, only=Q(attempts__gte=1, attempts__lt=settings.AUDIT_ATTEMPTS), most=1
        )
        with work.in_hand(again):
            done += _judge_all(again)
        if not fresh and not again:
            break
        if len(fresh) < _FEW and not again:
            stopping.rest(rest)
    return done


def _judge_all(jobs: list[AuditJob]) -> int:
    """Judge what was claimed, storing as it goes; return how many verdicts were stored."""
    if not jobs:
        return 0
    begun = since = time.monotonic()
    hand_logs = HandLog.objects.in_bulk([job.log_id for job in jobs])
    lines = logs.stored_lines(hand_logs)
    done, judged, own = 0, list[Judged](), OwnRules()
    for place, job in enumerate(jobs):
        if stopping.asked() or time.monotonic() - begun > settings.AUDIT_LEASE / 4:
            work.put_down(jobs[place:])
            break
        hand_log = hand_logs.get(job.log_id)
        if hand_log is None or hand_log.pk not in lines:
            continue  # purged since it was claimed, and its job with it
        if report := _judge_one(job, hand_log, lines[hand_log.pk], own.of(hand_log)):
            judged.append(Judged(job, hand_log, report))
        if time.monotonic() - since > _STORE_SECONDS:
            done += store(judged)
            judged, since = [], time.monotonic()
    return done + store(judged)


def _judge_one(job: AuditJob, hand_log: HandLog, lines: bytes, own: Own) -> dict[str, Any] | None:
    """Return a hand's report; where there is none, see to its job and return nothing."""
    try:
        with work.alarm(settings.AUDIT_HAND_SECONDS, cpu=True):
            return judge(logs.hand_in(lines), pinned=hand_log.ruleset, own=own)
    except (logs.NoLogError, RulesetError) as error:
        work.fail_audit(job, str(error), verdict=Verdict.UNREADABLE)
    except work.TooLongError as error:
        work.put_back_audit(job, f"judging: {error}")
    except Exception as error:
        log.exception("the engine stopped at hand %s", hand_log.public_id)
        work.put_back_audit(job, f"the engine stopped: {type(error).__name__}: {error}")
    return None


# --- storing verdicts --------------------------------------------------------------------------


def store(judged: list[Judged]) -> int:
    """Store audits and findings and end their jobs, in one transaction; return how many.

    Left out are hands whose log went on meanwhile and jobs that another worker holds by
    now: their verdict comes from there.
    """
    return storage.in_transaction(partial(_store, judged)) if judged else 0


def _store(judged: list[Judged]) -> int:
    # Logs before jobs, as those who append do: so nobody waits for each other.
    rows = storage.locked(HandLog.objects.filter(pk__in=[each.log.pk for each in judged]))
    versions = {pk: rest for pk, *rest in rows.values_list("pk", "version", "audited_version")}
    ours = [
        each
        for each in judged
        if (found := versions.get(each.log.pk)) and found[0] == each.log.version
    ]
    held = storage.end([each.job for each in ours if each.job])
    ours = [each for each in ours if each.job is None or each.job.pk in held]
    _store_audits(ours, again=[each.log.pk for each in ours if versions[each.log.pk][1]])
    for each in ours:
        counting.add(f"verdict:{each.report['verdict']}")
        for finding in each.report["findings"]:
            counting.add(f"code:{finding['code']}")
    return len(ours)


def _store_audits(judged: list[Judged], *, again: list[int]) -> None:
    """Store reports and findings, and show them on the hands; ``again`` were judged before."""
    audits = _kept([each.audit() for each in judged], again=again)
    entries = [each.entry(audits[each.log.pk]) for each in judged]
    found = {each.log.pk: each.report["findings"] for each in judged}
    outbox.tell_audited(entries, found, again=again)
    if again:
        FindingRow.objects.filter(log__in=again).delete()
    found = [row for each in judged for row in each.findings()]
    storage.insert_values(FindingRow, _FINDING, found)
    storage.show_verdicts(
        (
            each.log.pk,
            each.log.version,
            audits[each.log.pk].pk,
            each.report["verdict"],
            each.severities,
        )
        for each in judged
    )
    feed.publish(entries)


def _kept(audits: list[Audit], *, again: list[int]) -> dict[int, Audit]:
    """Store audits unless they are there (an engine may come back); return them by hand.

    Only hands judged before, ``again``, may have them. Their logs are locked: nobody else
    stores an audit of them meanwhile.
    """
    stored = {
        _key(each): each
        for each in Audit.objects.filter(log__in=again).only(
            "log_id", "version", "engine", "ruleset", "ruleset_digest", "report_digest"
        )
    }
    storage.insert([each for each in audits if _key(each) not in stored], numbered=True)
    return {each.log_id: stored.get(_key(each), each) for each in audits}


def _key(each: Audit) -> tuple[int, int, str, str]:
    return each.log_id, each.version, each.engine, each.ruleset_digest
