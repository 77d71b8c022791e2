from typing import Any

from django.core.management.base import BaseCommand, CommandError

from replays import checking


class Command(BaseCommand):
    help = (
        "Checks all stored logs and audits against their chains and digests. Ends with 0 if "
        "all are as they were stored, else with 1."
    )
    requires_system_checks = ()

    def handle(self, **_options: Any) -> None:
        tally = checking.Tally()
        count = 0
        for fault in checking.faults(tally):
            count += 1
            self.stdout.write(f"{fault.hand or 'the database'}: {fault.what}")
        seen = f"{tally.hands} hands with {tally.events} events and {tally.audits} audits"
        if count:
            raise CommandError(f"{count} faults in {seen}. Restore from a backup that verifies.")
        self.stdout.write(f"All as it was stored: {seen}.")
