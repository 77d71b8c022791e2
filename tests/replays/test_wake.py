"""Wake-ups are hints: they never pile up, and a broker that is away holds nobody up."""

from tests.replays.service import Service

MANY = """
from replays import wake
print(sum(wake.wake(wake.AUDIT, times=5) for _ in range(10)))
"""

AWAY = """
import time
from replays import wake
begun = time.monotonic()
answers = [wake.wake(wake.AUDIT) for _ in range(1000)]
print(any(answers), time.monotonic() - begun < 5)
"""

TOGETHER = """
from replays import wake
for _ in range(1000):
    wake.after_commit(wake.AUDIT)
"""


def test_without_a_worker_wake_ups_do_not_pile_up(tmp_path, valkey):
    one = Service(tmp_path, broker=valkey.url)

    assert one.run(MANY) == "10\n"
    assert valkey.client.llen("wake-ups") == 16


def test_a_broker_that_is_away_holds_nobody_up(tmp_path):
    one = Service(tmp_path, broker="redis://127.0.0.1:1/0")

    assert one.run(AWAY) == "False True\n"


def test_what_is_committed_in_one_moment_shares_a_wake_up_and_none_goes_without(tmp_path, valkey):
    one = Service(tmp_path, broker=valkey.url)

    # The first is sent at once; the last of all, here at the end of the process, in a moment.
    one.run(TOGETHER)
    assert 2 <= valkey.client.llen("wake-ups") <= 4
