"""Workers and brokers die in the middle of work: every hand gets its one verdict all the same.

Rows 7 to 10 of the promises about reliability, in their small forms; tests/soak/crashes.py has
the full ones.
"""

import signal
import subprocess
import sys
import time

import pytest

from tests.replays.hands import hand, hands
from tests.replays.service import POISON, ROOT, service, wait_until
from tests.services.valkey import private_valkey
from tests.soak.crashes import (
    FAST,
    all_judged_once,
    bad_hands,
    bad_hands_failed_alone,
    middles,
    without_wake_up,
)

# On a busy machine the starts of workers and brokers take their time.
pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def broker():
    with private_valkey() as valkey:
        yield valkey


@pytest.fixture(scope="module")
def one(tmp_path_factory, broker):
    """The worker on SQLite and Valkey, with 300 hands to judge."""
    settings = {"broker": broker.url, "poisoned": True, **FAST}
    content = hands(300, prefix="slow")
    with service(tmp_path_factory.mktemp("one"), content=content, **settings) as one:
        one.start("worker")
        yield one


def test_valkey_the_worker_is_killed_and_the_broker_forgets(one, broker):
    for number in middles(one, 300, times=5):
        if number <= 3:
            one.kill_worker()
        else:
            broker.lose_data()

    all_judged_once(one, 300)
    # The broker is away: hands are taken all the same, and judged when it is back.
    broker.kill()
    one.upload(hands(20, prefix="later"))
    broker.start()

    all_judged_once(one, 320)


@pytest.mark.ci
def test_hands_that_kill_hang_or_stop_the_engine_fail_alone_with_the_reason(one):
    one.upload(bad_hands() + b"\n" + hands(100))
    # Who takes these hands in is killed between commit and wake-up.
    without_wake_up(one, times=20)

    bad_hands_failed_alone(one)


@pytest.mark.ci
def test_rabbitmq_and_postgresql_the_worker_is_killed_and_the_broker_restarts(
    tmp_path, rabbitmq, postgres_url
):
    where = {"database": postgres_url, "broker": rabbitmq.url}
    content = hands(300, prefix="slow")
    with service(tmp_path, content=content, poisoned=True, **where, **FAST) as one:
        one.start("worker")
        for number in middles(one, 300, times=4):
            if number <= 3:
                one.kill_worker()
            else:
                rabbitmq.kill()
                rabbitmq.start()

        all_judged_once(one, 300)


@pytest.mark.ci
def test_judging_again_is_paused_and_goes_on_past_a_hand_that_kills_its_process(tmp_path):
    content = hands(3) + b"\n" + hand("exits") + b"\n" + hands(3, prefix="slow")
    with service(tmp_path, content=content, judged=True, BROKER_URL="memory://") as one:
        one.env |= {"PYTHONPATH": str(POISON), "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-c", BY_ONES, "reaudit", "--dry-run", "--processes", "1"]
        first = subprocess.Popen(
            command, cwd=ROOT, env=one.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        one.running.append(first)
        state = tmp_path.glob
        wait_until(lambda: list(state("reaudit-*.json")), pause=0.01)
        began = time.monotonic()
        first.send_signal(signal.SIGTERM)
        _said, told = first.communicate(timeout=60)
        assert time.monotonic() - began < 5
        assert first.returncode == 128 + signal.SIGTERM, told.decode()

        again = subprocess.run(
            command, cwd=ROOT, env=one.env, capture_output=True, text=True, check=False
        )
        assert again.returncode == 0, again.stderr

        assert "Going on after" in again.stderr
        *_listed, total, failed = again.stdout.splitlines()
        assert total == "0 of 7 verdicts change."
        assert failed == "1 could not be judged and keep their verdict."
        assert list(state("reaudit-*.json")) == []


# One hand a slice, and so slowly that a process is gone before the next hand is sent to it.
BY_ONES = """
import sys, time
if __name__ == "__main__":
    import django
    django.setup()
    from replays import reauditing
    reauditing.SLICE, whole = 1, reauditing._slices
    def slowly(*asked):
        for pks in whole(*asked):
            time.sleep(0.4)
            yield pks
    reauditing._slices = slowly
    from django.core.management import execute_from_command_line
    execute_from_command_line(["manage.py", *sys.argv[1:]])
"""
