"""Processes that belong together, with small ones that do as they are told."""

import sys
import time
from pathlib import Path

import pytest

from replays import supervise
from replays.supervise import Child, StartError

SLEEP = "import time; time.sleep(60)"
DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"


def child(program, **fields):
    command = [sys.executable, "-c", program]
    return Child(name="A program", command=command, cwd=Path("/"), **fields)


@pytest.fixture
def started():
    children = []

    def start(*given):
        children.extend(given)
        for each in given:
            each.start()

    yield start
    for each in children:
        each.kill()


def test_one_that_ends_before_it_answers_is_told_with_how(started):
    one = child("raise SystemExit(7)", answers=lambda: False)
    started(one)

    with pytest.raises(StartError, match=r"A program did not start \(exit code 7\): see above"):
        supervise.wait_for([one], seconds=20)


def test_one_that_stays_silent_is_told(started):
    one = child(SLEEP, answers=lambda: False)
    started(one)

    with pytest.raises(StartError, match="does not answer after 0 s"):
        supervise.wait_for([one], seconds=0.1)


def test_one_that_may_die_once_gets_a_second_start(started, tmp_path):
    mark = tmp_path / "mark"
    program = f"""
import pathlib, time
mark = pathlib.Path({str(mark)!r})
if not mark.exists():
    mark.touch()
    raise SystemExit(1)
time.sleep(60)
"""
    one = child(program, forgiven=1, answers=lambda: mark.exists() and one.is_alive)
    started(one)

    time.sleep(0.3)
    supervise.wait_for([one], seconds=20)

    assert one.is_alive


def test_the_dead_are_revived_at_once_and_then_later_and_later(started, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(supervise.time, "monotonic", lambda: now[0])
    one = child("pass")
    starts = []
    one.prepare = lambda: starts.append(now[0] - 1000)
    started(one)
    for _tick in range(120):
        one.process.wait()
        one.revive()
        now[0] += 0.5

    assert starts == [0, 0, 1.5, 5, 12.5, 28, 58.5]


def test_who_does_not_end_in_time_is_killed_and_the_first_outlives_the_others(started, monkeypatch):
    monkeypatch.setattr(supervise, "_STOP_SECONDS", 1.0)
    first, deaf, last = child(SLEEP), child(DEAF), child(SLEEP)
    started(first, deaf, last)
    time.sleep(0.5)

    supervise.stop([first, deaf, last])

    assert [each.is_alive for each in (first, deaf, last)] == [False] * 3
    assert (last.process.returncode, deaf.process.returncode) == (-15, -9)
    supervise.stop([])
