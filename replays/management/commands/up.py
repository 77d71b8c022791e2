import fcntl
import ipaddress
import os
import socket
from argparse import ArgumentParser
from typing import IO, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from replays import broker, demo, lan, processes, readiness, running, supervise

_PATIENCE = 30.0
_ANYWHERE = "0.0.0.0"  # noqa: S104 - only with --lan, which says so


class Command(BaseCommand):
    help = "Runs web, worker and sweeper on this machine, until Ctrl-C or SIGTERM."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="default: 8000")
        parser.add_argument(
            "--host", default="127.0.0.1", help="default: 127.0.0.1, this machine alone"
        )
        parser.add_argument(
            "--lan",
            nargs="?",
            const="",
            dest="network",
            metavar="ADDRESS",
            help="serve this machine's network, such as a club's without internet, and print "
            "the QR code of the address",
        )
        parser.add_argument("--no-demo", action="store_true", help="do not load the example hands")

    def handle(
        self, *, host: str, port: int, no_demo: bool, network: str | None, **_options: Any
    ) -> None:
        shown = host
        if network is not None:
            host, shown = _ANYWHERE, self._open_to_network(network)
        self._check_host(host)
        with self._only_one() as lock:
            self._check_port(host, port)
            address = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"
            lock.write(address)
            lock.flush()
            children: list[supervise.Child] = []
            with running.until_stopped(children, self.stdout):
                self._start(children, host=host, port=port, with_demo=not no_demo)
                self.stdout.write(f"rummy-audit is running at {address} (Ctrl-C stops it).")
                if network is not None:
                    self._tell_network(address)
                self.stdout.flush()
                supervise.wait_for(children, seconds=_PATIENCE)
                running.look_after(children)

    def _start(
        self, children: list[supervise.Child], *, host: str, port: int, with_demo: bool
    ) -> None:
        """Start all, and return when the pages answer.

        The worker is still loading then: beside the web server it would make the first page wait.
        """
        if private := broker.private_broker():
            children.append(private)
            private.start()
        readiness.migrate()
        # The web server reads the names of static files when it starts.
        readiness.collect_static()
        # One click lets in whoever sits at this machine, and nobody else.
        one_click = with_demo and not settings.PRODUCTION and _is_loopback(host)
        web, worker = processes.web(host, port, demo_sign_in=one_click), processes.worker()
        children.append(web)
        web.start()
        if with_demo:
            demo.load()
        supervise.wait_for(children, seconds=_PATIENCE)
        children.append(worker)
        worker.start()

    def _only_one(self) -> IO[str]:
        """Return the open lock of this folder; refuse if another `up` holds it."""
        settings.VAR.mkdir(parents=True, exist_ok=True)
        lock = running.lock_of_up().open("a+")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            where = lock.read().strip() or "another address"
            raise CommandError(
                f"rummy-audit already runs from this folder, at {where}. Stop it first, or give "
                "this one a folder of its own with RUMMY_AUDIT_VAR."
            ) from None
        lock.truncate(0)
        return lock

    def _check_port(self, host: str, port: int) -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
                return
            except OSError as error:
                why = os.strerror(error.errno or 0).lower()
        raise CommandError(
            f"Port {port} on {host} cannot be used ({why}). Stop what uses it, or choose another: "
            f"up --port {port + 1}"
        )

    def _open_to_network(self, asked: str) -> str:
        """Let the machines of this network in; return the address that they come by."""
        if settings.PRODUCTION:
            raise CommandError("--lan speaks plain HTTP: not with RUMMY_AUDIT_PRODUCTION=1.")
        found = lan.addresses()
        try:
            own = str(ipaddress.IPv4Address(asked)) if asked else ""
        except ValueError as error:
            raise CommandError(f"--lan {asked}: expected an address like 192.168.1.20.") from error
        if not own and not found:
            raise CommandError(
                "This machine is on no network. Join the club's Wi-Fi, or name the address it "
                "has there: --lan 192.168.1.20"
            )
        hosts = [*settings.ALLOWED_HOSTS, *([own] if own else []), *found]
        # The web server reads it when it starts.
        os.environ["RUMMY_AUDIT_HOSTS"] = ",".join(dict.fromkeys(hosts))
        return own or found[0]

    def _tell_network(self, address: str) -> None:
        self.stdout.write(lan.qr_for_terminal(address))
        self.stdout.write(
            "Everybody on this network can open these pages, and what they send can be read on "
            "the way: use the club's own network. The demo club's one-click sign-in is off; "
            "people sign in with their accounts, tables by their QR codes."
        )
        self.stdout.flush()

    def _check_host(self, host: str) -> None:
        """Refuse an address that the pages would not answer under."""
        try:
            loopback = _is_loopback(host)
        except ValueError as error:
            raise CommandError(f"--host {host}: expected an IP address of this machine.") from error
        if not loopback and not os.environ.get("RUMMY_AUDIT_HOSTS"):
            raise CommandError(
                f"--host {host} lets other machines in. Say under which names they come: "
                "RUMMY_AUDIT_HOSTS=localhost,192.168.1.20"
            )


def _is_loopback(host: str) -> bool:
    return host == "localhost" or ipaddress.ip_address(host).is_loopback
