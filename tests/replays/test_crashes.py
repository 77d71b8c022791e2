"""Workers and brokers die in the middle of work: every hand gets its one verdict all the same.

Rows 7 to 10 of the promises about reliability, in their small forms.
"""

import signal
import subprocess
import sys

import pytest

from tests.replays.hands import hand, hands
from tests.replays.service import POISON, ROOT, service, wait_until

# On a busy machine the starts of workers and brokers take their time.
pytestmark = pytest.mark.timeout(300)

FAST = {"RUMMY_AUDIT_LEASE": 4, "RUMMY_AUDIT_HAND_SECONDS": 1, "RUMMY_AUDIT_BATCH": 10}


def all_judged_once(one, count):
    wait_until(lambda: one.verdicts() >= count)
    wait_until(lambda: one.query("SELECT count(*) FROM replays_auditjob") == 0)
    assert one.verdicts() == count
    assert one.query("SELECT count(DISTINCT log_id) FROM replays_audit") == count
    assert one.query("SELECT count(*) FROM replays_handlog WHERE verdict = 'clean'") == count


def at(one, verdicts):
    """Wait for the middle of the work."""
    wait_until(lambda: one.verdicts() >= verdicts)
    assert one.verdicts() < 300


def test_valkey_the_worker_is_killed_and_the_broker_forgets(tmp_path, valkey, with_300_hands):
    settings = {"broker": valkey.url, "poisoned": True, **FAST}
    with service(tmp_path, template=with_300_hands, **settings) as one:
        one.start("worker")
        for verdicts in (30, 90, 150):
            at(one, verdicts)
            one.kill_worker()
        for verdicts in (180, 230):
            at(one, verdicts)
            valkey.lose_data()

        all_judged_once(one, 300)
        # The broker is away: hands are taken all the same, and judged when it is back.
        valkey.kill()
        one.upload(hands(20, prefix="later"))
        valkey.start()

        all_judged_once(one, 320)


def test_rabbitmq_the_worker_is_killed_and_the_broker_restarts(tmp_path, rabbitmq, with_300_hands):
    settings = {"broker": rabbitmq.url, "poisoned": True, **FAST}
    with service(tmp_path, template=with_300_hands, **settings) as one:
        one.start("worker")
        for verdicts in (30, 90, 150):
            at(one, verdicts)
            one.kill_worker()
        at(one, 180)
        rabbitmq.kill()
        rabbitmq.start()

        all_judged_once(one, 300)


def test_postgresql_and_redis_the_worker_is_killed(tmp_path, redis_server, postgres_url):
    with service(tmp_path, database=postgres_url, broker=redis_server.url, **FAST) as one:
        one.env["PYTHONPATH"] = str(POISON)
        one.upload(hands(300, prefix="slow"))
        one.start("worker")
        for verdicts in (30, 120, 200):
            at(one, verdicts)
            one.kill_worker()

        all_judged_once(one, 300)


def test_hands_that_kill_hang_or_stop_the_engine_fail_alone_with_the_reason(tmp_path, valkey):
    bad = ("exits", "hangs", "sleeps", "raises")
    content = b"\n".join(hand(name) for name in bad)
    with service(tmp_path, broker="redis+socket:///nowhere/valkey.sock", **FAST) as one:
        # As if it were killed between commit and wake-up: who takes hands in reaches no broker.
        one.upload(content + b"\n" + hands(100))
        one.env |= {"BROKER_URL": valkey.url, "PYTHONPATH": str(POISON)}
        one.start("worker")

        wait_until(lambda: one.verdicts() == 100)
        wait_until(lambda: one.query("SELECT count(*) FROM replays_auditjob WHERE failed") == 4)
        reasons = {
            name: one.query(
                "SELECT reason || ', ' || attempts || ' attempts' FROM replays_auditjob "
                f"JOIN replays_handlog l ON l.id = log_id WHERE l.name = '{name}'"
            )
            for name in bad
        }
        assert reasons == {
            "exits": "judging it stopped its worker three times, 3 attempts",
            "hangs": "judging: it took over 1 seconds, 3 attempts",
            "sleeps": "judging it stopped its worker three times, 3 attempts",
            "raises": "the engine stopped: RuntimeError: the cards are on fire, 3 attempts",
        }
        assert one.query("SELECT count(*) FROM replays_handlog WHERE verdict = 'failed'") == 4
        assert one.verdicts() == 100


def test_judging_again_is_paused_and_goes_on_past_a_hand_that_kills_its_process(tmp_path):
    with service(tmp_path, BROKER_URL="memory://") as one:
        one.upload(hands(3) + b"\n" + hand("exits") + b"\n" + hands(3, prefix="slow"))
        one.manage("worker", "--once")
        one.env |= {"PYTHONPATH": str(POISON), "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-c", BY_ONES, "reaudit", "--dry-run", "--processes", "1"]
        first = subprocess.Popen(
            command, cwd=ROOT, env=one.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        one.running.append(first)
        state = tmp_path.glob
        wait_until(lambda: list(state("reaudit-*.json")), pause=0.01)
        first.send_signal(signal.SIGTERM)
        _said, told = first.communicate(timeout=60)
        assert first.returncode == 128 + signal.SIGTERM, told.decode()

        again = subprocess.run(
            command, cwd=ROOT, env=one.env, capture_output=True, text=True, check=True
        )

        assert "Going on after" in again.stderr
        *_listed, total, failed = again.stdout.splitlines()
        assert total == "0 of 7 verdicts change."
        assert failed == "1 could not be judged and keep their verdict."
        assert list(state("reaudit-*.json")) == []


BY_ONES = """
import sys
if __name__ == "__main__":
    import django
    django.setup()
    from replays import reauditing
    reauditing.SLICE = 1
    from django.core.management import execute_from_command_line
    execute_from_command_line(["manage.py", *sys.argv[1:]])
"""
