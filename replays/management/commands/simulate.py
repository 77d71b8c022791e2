import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from rummy_audit.rhl import canonical, write
from rummy_audit.rhl.records import DETAILS, Hand
from rummy_audit.rules.rulesets import RulesetError, Value, parameters, ruleset

TRIES = 40


class Command(BaseCommand):
    help = (
        "Plays hands by chance and by the rules and prints them as RHL JSON Lines, for a demo, "
        "tests and load. With --faults one thing goes wrong in each."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--ruleset", required=True, help="for example indian-13 or gin")
        parser.add_argument("--hands", type=int, default=1, metavar="N")
        parser.add_argument("--seed", type=int, default=1, help="the same seed, the same hands")
        parser.add_argument("--detail", choices=DETAILS, default="full")
        parser.add_argument(
            "--players", type=int, help="without it, as many as the game takes, by turns"
        )
        parser.add_argument("--rules", nargs="+", default=[], metavar="NAME=VALUE")
        parser.add_argument(
            "--faults", metavar="KIND", help="a kind of fault, any, or ? for the kinds there are"
        )
        parser.add_argument("--labels", type=Path, metavar="FILE", help="where each fault is told")

    def handle(
        self,
        *,
        ruleset: str,
        hands: int,
        seed: int,
        detail: str,
        players: int | None,
        rules: list[str],
        faults: str | None,
        labels: Path | None,
        **_options: Any,
    ) -> None:
        family, house = _family(ruleset, rules)
        game = import_module(f"rummy_audit.simulators.{family}.simulator")
        kinds = sorted(game.FAULTS)
        if faults == "?":
            self.stdout.write("\n".join(kinds))
            return
        if faults not in (None, "any", *kinds):
            raise CommandError(f"{faults}: expected one of {', '.join(kinds)}")
        told: list[str] = []
        taken = _players(ruleset, house)
        if players is not None and players not in taken:
            expected = " to ".join(map(str, dict.fromkeys((taken[0], taken[-1]))))
            raise CommandError(f"players: {players}, expected {expected} by this ruleset")
        for number in range(hands):
            table = players or taken[number % len(taken)]
            wanted = _kinds(kinds, faults, seed + number)
            hand = _played(game, wanted, name=ruleset, detail=detail, players=table, house=house)
            if hand is None:
                raise CommandError(
                    f"{faults} did not come about in {TRIES} tries: expected another detail, "
                    "number of players, or rules that know it"
                )
            hand = _named(hand, number)
            sys.stdout.buffer.write(write.to_json(hand))
            if fault := (hand.record.extra or {}).get("_fault"):
                told.append(json.dumps({"hand": hand.record.id, **fault}))
        sys.stdout.buffer.flush()
        if labels is not None:
            labels.write_text("".join(f"{line}\n" for line in told), encoding="utf-8")


def _family(name: str, rules: list[str]) -> tuple[str, dict[str, Value]]:
    """Return the family of a ruleset, and the house rules read by its law."""
    try:
        plain = ruleset(name)
        law = parameters(plain.family)
        house: dict[str, Value] = {}
        for each in rules:
            parameter, _, value = each.partition("=")
            kind = law[parameter].type if parameter in law else "choice"
            house[parameter] = _value(kind, value)
        ruleset(name, house=house)
    except RulesetError as error:
        raise CommandError(str(error)) from error
    return plain.family, house


def _value(kind: str, text: str) -> Value:
    if kind == "bool" and text in ("true", "false"):
        return text == "true"
    return int(text) if text.lstrip("-").isdigit() else text


def _players(name: str, house: dict[str, Value]) -> range:
    """Return how many players a game takes."""
    values: Mapping[str, Value] = ruleset(name, house=house).values
    least, most = values.get("players_min", 2), values.get("players_max", 2)
    return range(int(least), int(most) + 1)


def _kinds(kinds: list[str], faults: str | None, seed: int) -> Iterator[tuple[str | None, int]]:
    """Yield what to try in turn, each with a seed: chance does not bring every fault at once."""
    for again in range(TRIES):
        kind = kinds[(seed + again) % len(kinds)] if faults == "any" else faults
        yield kind, seed + 1_000_003 * again


def _played(
    game: Any, wanted: Iterator[tuple[str | None, int]], *, name: str, **how: Any
) -> Hand | None:
    """Play the first of the hands wanted that comes about."""
    for kind, chance in wanted:
        try:
            hand: Hand = game.simulate(name, seed=chance, fault=kind, **how)
        except RulesetError as error:
            raise CommandError(str(error)) from error
        except ValueError:
            continue
        return hand
    return None


def _named(hand: Hand, number: int) -> Hand:
    """Number the hands of one run, so that no two have the same name."""
    record = msgspec.structs.replace(hand.record, id=f"{hand.record.id}-{number + 1}")
    if hand.end is None or hand.end.head is None:
        lines = (canonical.encode(record), *hand.lines[1:])
        return msgspec.structs.replace(hand, record=record, lines=lines)
    return msgspec.structs.replace(hand, record=record)
