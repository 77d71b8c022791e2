"""Everything runs, and then something falls over: what was answered for is there afterwards.

Rows 1, 3, 5, 6 and 32 of the promises about reliability, in their small forms;
tests/soak/outages.py has the full ones.
"""

import os
import subprocess
import time
from contextlib import ExitStack, closing

import pytest

from benchmarks.ground import Client, Ground, hands, until
from tests.services.missing import REQUIRED, missing
from tests.services.postgres import NOT_HERE, binaries
from tests.soak.outages import (
    Senders,
    all_there_once_and_judged,
    away,
    chains_hold,
    everything,
    kills,
    load,
)

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    """Web with two processes, worker, PostgreSQL that syncs, Valkey."""
    if binaries() is None:
        missing(NOT_HERE)
    with everything(tmp_path_factory.mktemp("live")) as one:
        yield one


@pytest.fixture(scope="module")
def bodies():
    return hands(40)


@pytest.fixture
def client(live):
    with closing(Client(live)) as client:
        yield client


@pytest.mark.ci
def test_eight_clients_send_for_a_while_and_nothing_is_lost_or_refused(live, bodies):
    assert len(load(live, bodies, seconds=5).taken) >= 8


@pytest.mark.ci
def test_what_was_answered_for_outlives_kill_9_of_the_web_and_of_the_database(live, bodies):
    database = 20 if REQUIRED else 3  # in .ci/run, and in ./test
    assert len(kills(live, bodies, web=10, database=database).taken) > 10


@pytest.mark.ci
def test_without_its_database_it_says_when_to_come_back_and_without_its_broker_it_goes_on(
    live, client, bodies
):
    away(live, client, bodies[0], name="c-no-broker")


@pytest.mark.ci
def test_a_worker_that_is_told_to_stop_ends_soon_and_leaves_nothing_claimed(live, client, bodies):
    # In the middle of a large file, and with hands to judge.
    with Senders(live, bodies, clients=2, patient=False):
        assert client.send(b"".join(bodies) * 40, event="large") == 302
        until(lambda: live.query("SELECT count(*) FROM replays_upload WHERE seen > 200"))
        began = time.monotonic()
        live.worker.terminate()
        live.worker.wait(10)
        assert time.monotonic() - began < 5
    # Nothing that it held waits for the end of a lease.
    for table in ("auditjob", "upload"):
        held = f"SELECT count(*) FROM replays_{table} WHERE lease <> '' AND attempts > 0"
        until(lambda held=held: live.query(held) == 0, seconds=2)
    assert live.query("SELECT count(*) FROM replays_upload WHERE finished_at IS NULL") == 1

    live.worker = live.start_worker()
    until(lambda: live.query("SELECT sum(seen) FROM replays_upload WHERE line > 1600") == 1600)
    all_there_once_and_judged(live, [])


@pytest.fixture
def small_disk(tmp_path):
    """A file system of a few megabytes."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("only root may mount a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.mark.ci
def test_a_full_disk_takes_no_half_hand_and_goes_on_when_there_is_room(small_disk, bodies):
    one, stack = Ground(small_disk, BROKER_URL="memory://"), ExitStack()
    try:
        one.prepare()
        ballast = small_disk / "ballast"
        ballast.write_bytes(b"\0" * 1_000_000)
        one.start_web(processes=1)
        client, content = stack.enter_context(closing(Client(one))), b"".join(bodies)
        answers = []
        while not answers or answers[-1] == 302:
            answers.append(client.send(content, event=f"e{len(answers)}"))
            assert len(answers) < 200
        assert answers[-1] in (503, 507)
        taken = len(answers) - 1
        ballast.unlink()

        assert client.send(content, event="later") == 302
        assert one.query("SELECT count(*) FROM replays_handlog") == 40 * (taken + 1)
        chains_hold(one)
    finally:
        stack.close()
        one.stop()
