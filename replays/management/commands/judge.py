import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from replays import plain_text
from rummy_audit.rules.judging import JudgeError, judge_batch, judge_text, questions
from rummy_audit.rules.rulesets import Value


class Command(BaseCommand):
    help = (
        "Judges cards: groups as somebody would lay them, divided by |, loose cards after a +; "
        "without both, the best arrangement. Ends with 2 if the question cannot be judged."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("cards", nargs="?", metavar="CARDS", help='"5H 6H 7H | 6D 7D QS 9D"')
        parser.add_argument("--ruleset", default="indian-13", help="default: indian-13")
        parser.add_argument("--wild", help="the wild rank, or the card turned for it")
        parser.add_argument(
            "--rules", nargs="+", default=[], metavar="KEY=VALUE", help="house rules"
        )
        parser.add_argument("--lay-on", default="", help="gin: the knocker's melds")
        parser.add_argument("--table", default="", help="tile: the melds on the table")
        parser.add_argument("--format", choices=("text", "json"), default="text")
        parser.add_argument(
            "--batch", metavar="FILE", help="questions, one JSON object a line; - is standard input"
        )

    def handle(
        self, *, cards: str | None, batch: str | None, rules: list[str], **options: Any
    ) -> None:
        if cards is None and batch is None and len(rules) > 1 and "=" not in rules[-1]:
            # The cards stood behind the house rules, and were taken for one more of them.
            *rules, cards = rules
        if (cards is None) == (batch is None):
            raise CommandError("Give the cards to judge, or --batch with a file of questions.")
        if batch is not None:
            _judge_batch(batch)
            return
        try:
            answer = judge_text(
                cards or "",
                rules=options["ruleset"],
                wild=options["wild"],
                house=dict(map(_house_rule, rules)),
                lay_on=options["lay_on"],
                table=options["table"],
            )
        except JudgeError as error:
            raise CommandError(str(error), returncode=2) from error
        if options["format"] == "json":
            _print(answer)
        else:
            print(plain_text.judged(answer))


def _judge_batch(name: str) -> None:
    try:
        with Path("/dev/stdin" if name == "-" else name).open("rb") as file:
            for answer in judge_batch(questions(file)):
                _print(answer)
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}", returncode=2) from error


def _house_rule(text: str) -> tuple[str, Value]:
    """Read ``key=value``: a whole number, true or false, else a word."""
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise CommandError(f"--rules {text}: expected KEY=VALUE.", returncode=2)
    if value in ("true", "false"):
        return key, value == "true"
    try:
        return key, int(value)
    except ValueError:
        return key, value


def _print(value: dict[str, Any]) -> None:
    print(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
