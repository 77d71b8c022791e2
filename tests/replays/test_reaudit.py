"""Judging again: what changes is told and stored, and a pause loses nothing."""

import io
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.db.models.functions import Now

from replays import audit, queries, reauditing, sweep
from replays.models import Audit, AuditJob, FeedEntry, HandLog
from tests.replays.hands import SHOWN, hand, hands

pytestmark = pytest.mark.storage

WRONG = SHOWN.replace("1=0 2=80 winner=1", "1=0 2=45 winner=1")
WANTED = reauditing.Wanted()


@pytest.fixture
def in_this_process(monkeypatch):
    """Judge here: processes of their own would not see what a test has not committed."""

    def reaudit(wanted, *, after, dry, processes):
        for pks in reauditing._slices(wanted, after):
            yield reauditing.judge_again(pks, dry=dry)

    monkeypatch.setattr(reauditing, "reaudit", reaudit)


def judged(send, content):
    send(content)
    while audit.audit_due():
        pass


def of_an_older_engine(log):
    """Make the stored verdict of a hand that of an engine which saw nothing wrong."""
    report = msgspec.json.decode(bytes(log.audit.report))
    report |= {"engine": "0.0.1", "verdict": "clean", "findings": [], "report_digest": "0" * 64}
    changed = {"engine": "0.0.1", "verdict": "clean", "report_digest": "0" * 64}
    Audit.objects.filter(pk=log.audit_id).update(report=msgspec.json.encode(report), **changed)
    HandLog.objects.filter(pk=log.pk).update(verdict="clean", errors=0)
    log.findings.all().delete()


def run(*options):
    said = io.StringIO()
    call_command("reaudit", *options, stdout=said, stderr=io.StringIO())
    return said.getvalue().splitlines()


def test_what_is_sent_where_a_hand_has_just_killed_the_process_ends_like_that_hand():
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        with pytest.raises(BrokenProcessPool):
            pool.submit(os._exit, 7).result()

        late = reauditing._sent(pool, [1], dry=True)

        with pytest.raises(BrokenProcessPool):
            late.result(timeout=0)


def test_what_was_judged_again_is_left_out_where_the_log_went_on_meanwhile(send):
    judged(send, hand())
    before = HandLog.objects.get()
    report = audit.judge(queries.hand_of(before), pinned=before.ruleset)
    judged(send, hand(lines=f"{SHOWN}amend 4 by=scorer : score 1=0 2=45 winner=1\n"))

    assert audit.store([audit.Judged(None, before, report | {"verdict": "void"})]) == 0
    log = HandLog.objects.get()
    assert (log.verdict, log.audited_version, log.version) == ("flagged", 2, 2)


def test_a_dry_run_lists_what_changes_by_ruleset_and_code_and_stores_nothing(send, in_this_process):
    judged(send, hand("right") + b"\n" + hand("wrong", lines=WRONG))
    log = HandLog.objects.get(name="wrong")
    of_an_older_engine(log)

    assert run("--dry-run") == [
        f"{log.public_id} wrong indian-13@1: clean -> flagged, +arrangement-not-best +score-wrong",
        "1 of 2 verdicts change.",
        "  by ruleset: indian-13@1 1",
        "  new findings: arrangement-not-best 1",
        "  new findings: score-wrong 1",
    ]
    assert (HandLog.objects.get(name="wrong").verdict, Audit.objects.count()) == ("clean", 2)


def test_what_changes_is_stored_and_the_old_verdict_stays_beside_it(send, in_this_process):
    judged(send, hand("wrong", lines=WRONG))
    log = HandLog.objects.get()
    of_an_older_engine(log)

    assert run()[1] == "1 of 1 verdicts changed."

    log.refresh_from_db()
    assert (log.verdict, log.errors, log.findings.count()) == ("flagged", 1, 2)
    assert [each.verdict for each in log.audits.order_by("pk")] == ["clean", "flagged"]
    assert AuditJob.objects.count() == 0
    assert run() == ["0 of 1 verdicts changed."]


def test_a_hand_that_could_not_be_judged_has_its_verdict_once_the_cause_is_gone(
    send, in_this_process
):
    judged(send, hand("first", lines=SHOWN.removesuffix("end\n")))
    send(hand("first") + b"\n" + hand("second"))
    AuditJob.objects.update(attempts=3, lease="gone", due=Now())
    sweep.give_up_exhausted()
    assert set(HandLog.objects.values_list("verdict", "job__failed")) == {("failed", True)}

    listed = run("--dry-run")
    run()

    assert [line.split(": ")[1] for line in listed[:2]] == [
        "failed -> clean, the report only",
        "failed -> clean, +arrangement-not-best",
    ]
    assert set(HandLog.objects.values_list("verdict", "job")) == {("clean", None)}
    told = FeedEntry.objects.order_by("pk").values_list("log__name", "verdict")
    assert list(told)[-2:] == [("first", "clean"), ("second", "clean")]
    assert run() == ["0 of 2 verdicts changed."]


def test_another_verdict_by_an_engine_of_the_same_version_is_refused(send, in_this_process):
    judged(send, hand("wrong", lines=WRONG))
    log = HandLog.objects.get()
    report = msgspec.json.decode(bytes(log.audit.report)) | {"verdict": "clean", "findings": []}
    Audit.objects.update(report=msgspec.json.encode(report), report_digest="0" * 64)

    with pytest.raises(CommandError, match="Give it a new version"):
        run()
    assert log.audits.get().report_digest == "0" * 64


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ({}, ["here", "old"]),
        ({"ruleset": "indian-13"}, ["here", "old"]),
        ({"ruleset": "indian-13@1"}, ["here", "old"]),
        ({"ruleset": "indian"}, []),
        ({"club": "club"}, ["here", "old"]),
        ({"club": "other"}, []),
        ({"since": "2020-01-01T00:00:00Z"}, ["here"]),
    ],
)
def test_hands_are_chosen_by_ruleset_club_and_day(send, wanted, names):
    judged(send, hand("here") + b"\n" + hand("old"))
    HandLog.objects.filter(name="old").update(ingested_at="2019-01-01T00:00:00Z")
    send(hand("waiting"))

    chosen = msgspec.convert(wanted, reauditing.Wanted).hands()

    assert [log.name for log in chosen] == names


def test_a_run_goes_on_where_it_was_paused(send, in_this_process, monkeypatch):
    monkeypatch.setattr(reauditing, "SLICE", 2)
    judged(send, hands(5))
    for log in HandLog.objects.all():
        of_an_older_engine(log)
    path = reauditing.state_file(WANTED, dry=False)
    first = HandLog.objects.order_by("pk")[1]
    done = reauditing.Progress(last=first.pk, seen=2, changed=2, came={"arrangement-not-best": 2})
    done.write(path)

    *_listed, total, _by_ruleset, codes = run()

    assert (total, codes) == ("5 of 5 verdicts changed.", "  new findings: arrangement-not-best 5")
    assert Audit.objects.exclude(engine="0.0.1").count() == 3
    assert not path.exists()
