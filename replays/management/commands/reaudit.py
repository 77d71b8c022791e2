import os
import signal
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, datetime
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from replays import reauditing
from replays.models import Club
from rummy_audit.rules.report import ENGINE


def _day(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text}: expected a day such as 2026-03-31") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


class Command(BaseCommand):
    help = (
        "Judges stored hands again by the engine of today and stores the verdicts that change. "
        "With --dry-run it only says which would. Ctrl-C or SIGTERM pauses it; the same command "
        "goes on from there."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="change nothing, only say")
        parser.add_argument("--ruleset", default="", metavar="NAME", help="such as gin or gin@1")
        parser.add_argument("--club", default="", metavar="SLUG")
        parser.add_argument("--since", type=_day, metavar="DAY", help="hands that came in since")
        parser.add_argument("--processes", type=int, default=max(1, (os.cpu_count() or 2) // 2))
        parser.add_argument("--restart", action="store_true", help="from the beginning")

    def handle(
        self,
        *,
        dry_run: bool,
        ruleset: str,
        club: str,
        since: datetime | None,
        processes: int,
        restart: bool,
        **_options: Any,
    ) -> None:
        if club and not Club.objects.filter(slug=club).exists():
            raise CommandError(f"--club {club}: there is no such club.")
        wanted = reauditing.Wanted(ruleset, club, since)
        path = reauditing.state_file(wanted, dry=dry_run)
        if restart:
            path.unlink(missing_ok=True)
        progress = reauditing.Progress.read(path)
        total = wanted.hands().count()
        if progress.seen:
            self.stderr.write(f"Going on after {progress.seen:,} hands.")
        paused = self._pausing()
        parts = reauditing.reaudit(
            wanted, after=progress.last, dry=dry_run, processes=max(1, processes)
        )
        began, before, told = time.monotonic(), progress.seen, 0.0
        for part in parts:
            progress.add(part)
            progress.write(path)
            self._list(part)
            now = time.monotonic()
            if now - told >= 1:
                told = now
                rate = (progress.seen - before) / max(now - began, 0.001)
                self._tell(progress, total, rate)
            if paused:
                parts.close()
                self.stderr.write("Paused. The same command goes on from here.")
                sys.exit(128 + paused[0])
        path.unlink(missing_ok=True)
        self._sum_up(progress, dry=dry_run)

    def _pausing(self) -> list[int]:
        """Return a list that gets the signal by which somebody asks for a pause."""
        asked: list[int] = []

        def pause(number: int, _frame: FrameType | None) -> None:
            asked.append(number)

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, pause)
        return asked

    def _tell(self, progress: reauditing.Progress, total: int, rate: float) -> None:
        left = max(0, total - progress.seen) / max(rate, 0.001) / 60
        self.stderr.write(
            f"{progress.seen:,} of {total:,} hands, {rate:,.0f} a second, "
            f"{progress.changed:,} changed, about {left:,.0f} min left"
        )

    def _list(self, part: reauditing.Part) -> None:
        for change in part.changes:
            codes = [f"+{code}" for code in change.came] + [f"-{code}" for code in change.went]
            words = f"{change.before} -> {change.after}"
            told = " ".join(codes) or "the report only"
            self.stdout.write(f"{change.hand} {change.name} {change.ruleset}: {words}, {told}")
        for hand, why in part.failures:
            self.stdout.write(f"{hand}: could not be judged: {why}")
        self.stdout.flush()

    def _sum_up(self, progress: reauditing.Progress, *, dry: bool) -> None:
        verb = "change" if dry else "changed"
        self.stdout.write(f"{progress.changed:,} of {progress.seen:,} verdicts {verb}.")
        for title, counts in (
            ("by ruleset", progress.by_ruleset),
            ("new findings", progress.came),
            ("findings gone", progress.went),
        ):
            for name, count in sorted(counts.items(), key=lambda each: (-each[1], each[0])):
                self.stdout.write(f"  {title}: {name} {count:,}")
        if progress.failed:
            self.stdout.write(f"{progress.failed:,} could not be judged and keep their verdict.")
        if progress.refused:
            kept = f"{progress.refused:,} of them are" if dry else f"{progress.refused:,} were"
            raise CommandError(
                f"{kept} not stored: the engine calls itself {ENGINE}, as it did when they were "
                "judged. Give it a new version (rules/report.py), then run this again."
            )
