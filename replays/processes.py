"""The processes of a running rummy-audit, beside the broker."""

import http.client
import os
import sys

from django.conf import settings

from replays.supervise import Child

_THREADS = 8


def web(host: str, port: int, *, demo_sign_in: bool = False) -> Child:
    """Return the web server: one process with threads, which SQLite likes best.

    ``demo_sign_in`` lets people on this machine into the demo club with one click.
    """
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    command = [sys.executable, "-m", "gunicorn", "rummy_audit.wsgi:application"]
    command += ["--bind", address, "--worker-class", "gthread", "--threads", str(_THREADS)]
    command += ["--graceful-timeout", "2", "--log-level", "warning", "--no-control-socket"]
    command += ["--config", "python:rummy_audit.web"]
    loopback = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared only

    def answers() -> bool:
        connection = http.client.HTTPConnection(loopback, port, timeout=2)
        try:
            connection.request("GET", "/healthz", headers={"Host": "localhost"})
            return connection.getresponse().status == http.HTTPStatus.OK
        except OSError:
            return False
        finally:
            connection.close()

    return Child(
        name="The web server",
        command=command,
        cwd=settings.BASE_DIR,
        env={"RUMMY_AUDIT_DEMO_SIGN_IN": "1" if demo_sign_in else "0"},
        answers=answers,
    )


def worker() -> Child:
    """Return the Celery worker with its processes."""
    ready = settings.VAR / f"worker-{os.getpid()}.ready"

    def prepare() -> None:
        ready.unlink(missing_ok=True)

    return Child(
        name="The worker",
        command=[sys.executable, "-m", "replays.worker_process"],
        cwd=settings.BASE_DIR,
        env={"RUMMY_AUDIT_READY_FILE": str(ready)},
        prepare=prepare,
        answers=ready.exists,
    )


def courier() -> Child:
    """Return the process that carries webhooks; it is needed only where somebody wants them."""
    return Child(
        name="The courier of webhooks",
        command=[sys.executable, "-m", "replays.courier_process"],
        cwd=settings.BASE_DIR,
    )
