"""From a job that is due to a stored verdict."""

import time
from datetime import timedelta

import msgspec
import pytest
from django.db import OperationalError, connection
from django.db.models import Q
from django.db.models.functions import Now

from replays import audit, queries, retention, sweep, work
from replays.models import Audit, AuditJob, FeedEntry, FindingRow, HandLog
from rummy_audit.rhl.read import read
from rummy_audit.rules.report import report_digest
from tests.replays.hands import SHOWN, hand, hands

pytestmark = pytest.mark.storage

WRONG = SHOWN.replace("1=0 2=80 winner=1", "1=0 2=45 winner=1")


def work_off():
    while audit.audit_due():
        pass


def lapse():
    AuditJob.objects.update(due=Now() - timedelta(seconds=1))


def test_a_verdict_is_stored_with_its_findings_and_the_job_is_gone(send):
    send(hand("right") + b"\n" + hand("wrong", lines=WRONG))

    assert audit.audit_due() == 2

    assert AuditJob.objects.count() == 0
    right, wrong = HandLog.objects.order_by("pk")
    assert (right.verdict, right.errors, right.breaches, right.notes) == ("clean", 0, 0, 1)
    assert (wrong.verdict, wrong.errors, wrong.breaches, wrong.notes) == ("flagged", 1, 0, 1)
    rows = wrong.findings.order_by("number").values_list("code", "severity", "seq", "seat")
    assert list(rows) == [("arrangement-not-best", "note", 3, 2), ("score-wrong", "error", 4, 2)]


def test_the_stored_report_is_that_of_the_whole_hand(send):
    content = hand(lines=WRONG + 'amend 1 by=Dev reason="misread" : wild 8D\n', head="_pen=blue")
    send(content)
    work_off()

    (whole,) = read(content)
    stored, report = queries.newest_audit(HandLog.objects.get())
    assert report == msgspec.json.decode(msgspec.json.encode(audit.judge(whole)))
    assert stored.report_digest == report["report_digest"] == report_digest(report)
    assert (stored.head, stored.engine, stored.ruleset) == (
        report["head"],
        report["engine"],
        "indian-13@1",
    )


def test_a_hand_is_judged_by_the_version_it_came_in_under(send):
    send(hand())
    HandLog.objects.update(ruleset="indian-13@0")
    work_off()

    job = AuditJob.objects.get()
    assert job.failed
    assert "indian-13@0" in job.reason
    assert HandLog.objects.get().verdict == "unreadable"


def test_an_append_is_judged_anew_and_its_findings_take_the_place_of_the_old(send):
    send(hand(lines=WRONG))
    work_off()
    first = HandLog.objects.get().audit

    send(hand(lines=WRONG + "amend 4 by=Dev : score 1=0 2=80 winner=1\n"))
    assert HandLog.objects.get().verdict == "flagged"
    work_off()

    log = HandLog.objects.get()
    assert (log.verdict, log.audited_version, log.errors) == ("clean", 2, 0)
    assert list(log.findings.values_list("code", flat=True)) == ["arrangement-not-best"]
    assert list(log.audits.order_by("pk")) == [first, log.audit]
    # What is amended behind the end leaves the head as it was.
    assert first.head == log.audit.head


def test_a_log_that_went_on_meanwhile_is_judged_once_more(send):
    send(hand(lines=WRONG))
    (job,) = work.claim(AuditJob, only=audit.Q(), most=1)
    log = HandLog.objects.get()
    report = audit.judge(queries.hand_of(log))
    send(hand(lines=WRONG + "amend 4 by=Dev : score 1=0 2=80 winner=1\n"))

    assert audit.store([audit.Judged(job, log, report)]) == 0
    assert (Audit.objects.count(), FindingRow.objects.count()) == (0, 0)
    work_off()
    assert HandLog.objects.get().verdict == "clean"


def test_two_workers_with_the_same_hand_store_one_verdict(send):
    send(hand())
    (late,) = work.claim(AuditJob, only=audit.Q(), most=1)
    lapse()
    (early,) = work.claim(AuditJob, only=audit.Q(), most=1)
    log = HandLog.objects.get()
    report = audit.judge(queries.hand_of(log))

    assert audit.store([audit.Judged(early, log, report)]) == 1
    assert audit.store([audit.Judged(late, HandLog.objects.get(), report)]) == 0
    assert (Audit.objects.count(), AuditJob.objects.count()) == (1, 0)


def test_judging_again_with_the_same_result_keeps_one_audit(send):
    send(hand())
    work_off()
    before = HandLog.objects.get().audit

    AuditJob.objects.create(log=HandLog.objects.get(), due=Now())
    work_off()

    assert Audit.objects.get() == HandLog.objects.get().audit == before


def test_what_was_claimed_and_not_finished_is_claimed_alone(send, monkeypatch):
    send(hands(5))
    work.claim(AuditJob, only=audit.Q(), most=3)
    lapse()
    sizes = []
    judge_all = audit._judge_all
    monkeypatch.setattr(
        audit, "_judge_all", lambda jobs: sizes.append(len(jobs)) or judge_all(jobs)
    )

    work_off()

    assert sizes == [2, 1, 0, 1, 0, 1, 0, 0, 0, 0]
    assert Audit.objects.count() == 5


def test_an_engine_that_raises_fails_one_hand_with_the_reason(send, monkeypatch):
    judge = audit.judge

    def raises(hand, **fields):
        if hand.record.id == "bad":
            raise ZeroDivisionError("nothing to divide")
        return judge(hand, **fields)

    monkeypatch.setattr(audit, "judge", raises)
    send(hand("bad") + b"\n" + hands(3))
    for _attempt in range(3):
        work_off()
        lapse()

    job = AuditJob.objects.get()
    assert (job.failed, job.attempts) == (True, 3)
    assert job.reason == "the engine stopped: ZeroDivisionError: nothing to divide"
    assert HandLog.objects.get(name="bad").verdict == "failed"
    assert HandLog.objects.filter(verdict="clean").count() == 3


def test_a_failed_hand_that_goes_on_gets_another_chance(send):
    send(hand(lines="wild 7D\n"))
    AuditJob.objects.update(failed=True, attempts=3, reason="x")

    send(hand())
    work_off()

    assert HandLog.objects.get().verdict == "clean"


def test_a_hand_that_hangs_is_stopped_by_the_alarm(send, monkeypatch, settings):
    settings.AUDIT_HAND_SECONDS = 0.05

    def hangs(hand, **fields):
        while True:
            pass

    monkeypatch.setattr(audit, "judge", hangs)
    send(hand())
    for _attempt in range(3):
        audit.audit_due()
        lapse()

    job = AuditJob.objects.get()
    assert (job.failed, job.reason) == (True, "judging: it took over 0.05 seconds")


def test_a_worker_that_is_slow_puts_down_what_it_has_not_begun(send, monkeypatch, settings):
    settings.AUDIT_LEASE = 0.2
    judge = audit.judge

    def slow(hand, **fields):
        time.sleep(0.06)
        return judge(hand, **fields)

    monkeypatch.setattr(audit, "judge", slow)
    send(hands(4))
    audit.audit_due()

    left = AuditJob.objects.values_list("attempts", "lease")
    assert 0 < len(left) < 4
    assert set(left) == {(0, "")}


def test_the_sweeper_gives_up_on_what_killed_three_workers(send):
    send(hand())
    AuditJob.objects.update(attempts=3, lease="gone", due=Now() - timedelta(seconds=1))

    assert audit.audit_due() == 0
    sweep.give_up_exhausted()

    job = AuditJob.objects.get()
    assert (job.failed, job.reason) == (True, "judging it stopped its worker three times")
    assert HandLog.objects.get().verdict == "failed"


def test_a_hand_fails_with_its_job_or_not_at_all(send):
    send(hand())
    AuditJob.objects.update(attempts=3, lease="gone", due=Now() - timedelta(seconds=1))

    def goes_away(execute, sql, params, many, context):
        if sql.startswith('UPDATE "replays_handlog"'):
            raise OperationalError("the server closed the connection")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(goes_away), pytest.raises(OperationalError):
        sweep.give_up_exhausted()
    assert not AuditJob.objects.get().failed

    sweep.give_up_exhausted()
    told = FeedEntry.objects.values_list("verdict", "log__verdict", "log__job__failed")
    assert list(told) == [("failed", "failed", True)]


def test_a_hand_that_is_purged_while_its_job_is_claimed_holds_no_other_up(send, alice):
    send(hand("old") + b"\n" + hand("young"))
    claimed = work.claim(AuditJob, only=Q(), most=2)
    retention.purge(alice, [HandLog.objects.get(name="old")], why="a test")

    assert audit._judge_all(claimed) == 1
    assert HandLog.objects.get().verdict == "clean"


def test_the_sweeper_hears_when_nobody_works(send, monkeypatch):
    monkeypatch.setattr(sweep, "_DEAF_SECONDS", 0.0)
    send(hands(2))
    sweeper = sweep.Sweeper()

    sweeper.sweep()
    assert not sweeper.is_deaf
    (job,) = work.claim(AuditJob, only=audit.Q(), most=1)
    sweeper.sweep()
    sweeper.sweep()
    # Somebody holds a claim: busy is not deaf.
    assert not sweeper.is_deaf
    work.put_down([job])
    sweeper.sweep()
    sweeper.sweep()
    assert sweeper.is_deaf
    sweeper.heard()
    work_off()
    sweeper.sweep()
    sweeper.sweep()
    assert not sweeper.is_deaf


@pytest.mark.django_db(transaction=True)
def test_an_outage_of_the_database_is_no_attempt_of_the_hand(send):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite is a file: it does not go away")
    send(hand())

    for _outage in range(4):
        jobs = work.claim(AuditJob, only=Q(), most=1)
        with pytest.raises(OperationalError), work.in_hand(jobs), connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        connection.close()
        assert [job.attempts for job in jobs] == [1]

    assert audit.audit_due() == 1
    assert AuditJob.objects.count() == 0
