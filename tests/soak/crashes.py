"""Workers and brokers die in the middle of work, many times; rows 7, 8, 9 and 10.

``python -m tests.soak.crashes workers --broker valkey --hands 5000 --times 20`` kills the
worker with its processes; ``… broker --times 20`` kills the broker and loses its data;
``… unpublished --times 200`` kills who takes hands in, between commit and wake-up;
``… poison --hands 1000`` puts so many hands behind those that kill, hang or stop the engine.
Each ends with one verdict for each hand. ``./test`` does the same in small
(tests/replays/test_crashes.py).
"""

import argparse
import random
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from tests.replays.hands import hand, hands
from tests.replays.service import POISON, service, wait_until
from tests.services.postgres import private_server
from tests.services.rabbitmq import private_node
from tests.services.valkey import private_valkey

FAST = {"RUMMY_AUDIT_LEASE": 4, "RUMMY_AUDIT_HAND_SECONDS": 1, "RUMMY_AUDIT_BATCH": 10}
STOPPED = "judging it stopped its worker three times"
# A second of the processor may take longer than the lease on a busy machine: then the worker of
# such a hand is stopped for it, and the last word that was left is the reason.
REASONS = {
    "exits": {STOPPED},
    "hangs": {"judging: it took over 1 seconds", STOPPED},
    "sleeps": {STOPPED},
    "raises": {"the engine stopped: RuntimeError: the cards are on fire", STOPPED},
}
BAD = tuple(REASONS)


def all_judged_once(one, count, *, seconds=90):
    """Assert that so many hands have one verdict each, and nothing is left to do."""
    wait_until(lambda: one.verdicts() >= count, seconds=seconds)
    wait_until(lambda: one.query("SELECT count(*) FROM replays_auditjob") == 0)
    assert one.verdicts() == count
    assert one.query("SELECT count(DISTINCT log_id) FROM replays_audit") == count
    assert one.query("SELECT count(*) FROM replays_handlog WHERE verdict = 'clean'") == count


def middles(one, count, *, times):
    """Wait for as many places in the middle of the work, one after another."""
    start = one.verdicts()
    for number in range(1, times + 1):
        place = start + number * (count - start) // (times + 2)
        wait_until(lambda place=place: one.verdicts() >= place or one.is_over(), seconds=600)
        assert place <= one.verdicts() < count
        yield number


def without_wake_up(one, *, times):
    """Take hands in by processes that are killed between commit and wake-up, one each."""
    one.run(UNPUBLISHED.format(times=times), hand("N").decode())
    assert one.query("SELECT count(*) FROM replays_handlog WHERE name LIKE 'N%'") == times


# The wake-up is the hook: whoever has committed ends there.
UNPUBLISHED = """
import io, os, signal, sys
from django.db import connection
from replays import uploads, wake
from replays.models import default_club
content, club = sys.stdin.read(), default_club()
wake.wake = lambda *_task, **_times: os.kill(os.getpid(), signal.SIGKILL)
connection.close()
for number in range({times}):
    pid = os.fork()
    if not pid:
        uploads.receive(io.BytesIO(content.replace("N", f"N{{number}}", 1).encode()), club=club)
        os._exit(0)
    _pid, status = os.waitpid(pid, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, status
"""


def bad_hands():
    """Return hands that kill, hang and stop the engine."""
    return b"\n".join(hand(name) for name in BAD)


def bad_hands_failed_alone(one, *, seconds=90):
    """Assert that the bad hands failed with their reasons, and all others were judged."""
    good = one.query("SELECT count(*) FROM replays_handlog") - len(BAD)
    wait_until(lambda: one.verdicts() == good, seconds=seconds)
    wait_until(lambda: one.query("SELECT count(*) FROM replays_auditjob WHERE failed") == 4)
    for name, reasons in REASONS.items():
        job = f"replays_auditjob JOIN replays_handlog l ON l.id = log_id WHERE l.name = '{name}'"
        assert one.query(f"SELECT reason FROM {job}") in reasons, name
        assert one.query(f"SELECT attempts FROM {job}") == 3, name
    assert one.query("SELECT count(*) FROM replays_handlog WHERE verdict = 'failed'") == 4
    assert one.verdicts() == good


# --- in full -------------------------------------------------------------------------------------


@contextmanager
def broker_of(name, folder):
    """Give a broker: its address, and how to kill it and start it again."""
    if name == "rabbitmq":
        with private_node() as node:
            node.url = f"amqp://guest:guest@{node.address}//"
            yield node.url, node
    elif name == "filesystem":
        yield f"filesystem://{folder}/messages", None
    else:
        with private_valkey() as valkey:
            yield valkey.url, valkey


def workers(one, _broker, *, count, times):
    """Kill the worker at random places; every hand gets its verdict."""
    one.upload(hands(count, prefix="slow"))
    one.start("worker")
    for _number in middles(one, count, times=times):
        one.kill_worker()
    all_judged_once(one, count, seconds=600)


def brokers(one, broker, *, count, times):
    """Kill the broker, every second time with its data; hands are taken meanwhile."""
    one.upload(hands(count, prefix="slow"))
    one.start("worker")
    for number in middles(one, count, times=times):
        broker.kill()
        time.sleep(random.uniform(0, 2))
        broker.lose_data() if number % 2 and hasattr(broker, "lose_data") else broker.start()
    began = time.monotonic()
    all_judged_once(one, count, seconds=120 + count / 20)
    print(f"all verdicts {time.monotonic() - began:.0f} s after the last return")


def unpublished(one, _broker, *, count, times):
    """Kill who takes hands in, between commit and wake-up."""
    del count
    without_wake_up(one, times=times)
    one.start("worker")
    all_judged_once(one, times, seconds=60)


def poison(one, _broker, *, count, times):
    """Judge many hands behind those that are deadly."""
    del times
    one.upload(bad_hands() + b"\n" + hands(count))
    began = time.monotonic()
    one.start("worker")
    bad_hands_failed_alone(one, seconds=30 + count / 50)
    print(f"all done {time.monotonic() - began:.0f} s after the start of the worker")


FORMS = {"workers": workers, "broker": brokers, "unpublished": unpublished, "poison": poison}


def main():
    """Run one of them in full and say what came of it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("what", choices=FORMS)
    options.add_argument("--broker", default="valkey", choices=("valkey", "rabbitmq", "filesystem"))
    options.add_argument("--hands", type=int, default=5000)
    options.add_argument("--times", type=int, default=20)
    asked = options.parse_args()
    begun = time.perf_counter()
    with (
        tempfile.TemporaryDirectory(dir="/tmp") as folder,
        private_server(durable=True) as postgres,
        broker_of(asked.broker, folder) as (url, broker),
        service(Path(folder), database=postgres.url, broker=url, **FAST) as one,
    ):
        one.env["PYTHONPATH"] = str(POISON)
        FORMS[asked.what](one, broker, count=asked.hands, times=asked.times)
        assert one.manage("verify").startswith("All as it was stored")
    print(f"{asked.what}: nothing lost, {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
