from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from replays import processes, running, supervise


class Command(BaseCommand):
    help = (
        "Runs a worker that judges what is due, with its sweeper, until Ctrl-C or SIGTERM. "
        "Needs the database and the broker; `up` has one of its own."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--once", action="store_true", help="judge what is due now in this process, then end"
        )

    def handle(self, *, once: bool, **_options: Any) -> None:
        if once:
            done = running.work_off()
            self.stdout.write(f"{done} hands judged.")
            return
        children = [processes.worker()]
        with running.until_stopped(children, self.stdout):
            children[0].start()
            supervise.wait_for(children, seconds=60)
            self.stdout.write("The worker is ready. Ctrl-C stops it.")
            self.stdout.flush()  # who reads it from a file or a pipe waits for it
            running.look_after(children)
