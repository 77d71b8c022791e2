import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from replays import files, plain_text
from rummy_audit.rules.report import ENGINE, SCHEMA
from rummy_audit.rules.rulesets import RulesetError
from rummy_audit.rules.rulesets import ruleset as find_ruleset


class Command(BaseCommand):
    help = (
        "Audits files of hands and says what is wrong. Touches no database. "
        "Ends with 0 if there is no error or breach, 1 if there is, 2 if something "
        "could not be read."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="- is the standard input")
        parser.add_argument(
            "--format",
            choices=("text", "json", "jsonl"),
            default="text",
            help="jsonl: one hand a line as it goes, for files of any size (without matches)",
        )

        parser.add_argument(
            "--under",
            metavar="RULESET",
            help="also judge by this ruleset, and say where the verdicts differ and why",
        )

    def handle(
        self,
        *,
        files: list[str],
        format: str,  # noqa: A002 - the option's name
        under: str | None,
        **_options: Any,
    ) -> None:
        if under:
            code = _under(files, format, under)
        else:
            code = _lines(files) if format == "jsonl" else _whole(files, format)
        sys.stdout.flush()
        if code:
            sys.exit(code)


def _whole(names: list[str], form: str) -> int:
    report = files.report(names)
    if form == "json":
        _print_json(report)
    else:
        parts = [plain_text.hand(each) for each in report["hands"]]
        parts += [plain_text.match(each) for each in report["matches"]]
        parts += [plain_text.error(each) for each in report["errors"]]
        print("\n\n".join([*parts, plain_text.summary(report)]))
    return files.exit_code([*report["hands"], *report["matches"]], errors=bool(report["errors"]))


def _lines(names: list[str]) -> int:
    code = 0
    for item in files.audited(names):
        if isinstance(item, files.Audited):
            _print_json(item.report)
            code = max(code, files.exit_code([item.report], errors=False))
        else:
            _print_json({"error": files.error_report(item)})
            code = 2
    return code


def _under(names: list[str], form: str, ruleset: str) -> int:
    try:
        find_ruleset(ruleset)
    except RulesetError as error:
        # The fault of the option, not of each hand of the files.
        raise CommandError(
            f"--under {ruleset}: expected {error.expected}.", returncode=2
        ) from error
    hands, errors = files.compared(names, ruleset)
    if form == "text":
        print("\n\n".join([*map(plain_text.comparison, hands), *map(plain_text.error, errors)]))
    elif form == "json":
        _print_json({"schema": SCHEMA, "engine": ENGINE, "hands": hands, "errors": errors})
    else:
        for each in (*hands, *({"error": error} for error in errors)):
            _print_json(each)
    return files.exit_code(hands, errors=bool(errors))


def _print_json(value: dict[str, Any]) -> None:
    print(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
