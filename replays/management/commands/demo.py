from typing import Any

from django.core.management.base import BaseCommand

from replays import demo, readiness


class Command(BaseCommand):
    help = "Loads the example hands and judges them; does nothing if they are there."
    requires_system_checks = ()

    def handle(self, **_options: Any) -> None:
        readiness.migrate()
        if count := demo.load():
            self.stdout.write(f"{count} example hands are loaded and judged.")
        else:
            self.stdout.write("The example hands are here already.")
