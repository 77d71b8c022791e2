"""Auditing files of hands without any database: what `manage.py audit` says."""

import itertools
import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from replays.audit import rules_of
from rummy_audit.rhl import amend
from rummy_audit.rhl.read import ReadError, read
from rummy_audit.rhl.records import Hand
from rummy_audit.rules.compare import compare, under
from rummy_audit.rules.matches import Deal, audit_match, by_match
from rummy_audit.rules.replay import replay
from rummy_audit.rules.report import ENGINE, SCHEMA, hand_report
from rummy_audit.rules.rulesets import RulesetError

log = logging.getLogger(__name__)

_WEIGHTY = ("error", "breach")
_ERROR_FIELDS = ("file", "line", "column", "hand", "found", "expected")


@dataclass(frozen=True, slots=True)
class Audited:
    """A hand of a file with its report, and what the audit of its match needs."""

    file: str
    report: dict[str, Any]
    deal: Deal


def audited(names: Iterable[str]) -> Iterator[Audited | ReadError]:
    """Audit files hand by hand, in order.

    A file that cannot be opened is an error like a hand that cannot be read: the others
    go on.
    """
    for name in names:
        for item in _items(name):
            yield item if isinstance(item, ReadError) else _audited(item)


def _items(name: str) -> Iterator[Hand | ReadError]:
    try:
        with Path("/dev/stdin" if name == "-" else name).open("rb") as content:
            yield from read(content, file=name)
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        yield ReadError(file=name, line=1, column=1, hand="", found=why, expected="a file of hands")


def _audited(hand: Hand) -> Audited | ReadError:
    try:
        rules = rules_of(hand)
        replayed = replay(hand, rules)
        return Audited(
            file=hand.file,
            report=hand_report(hand, rules, replayed),
            deal=Deal(amend.corrected(hand), rules, replayed),
        )
    except RulesetError as error:
        return _refusal(hand, f"{error.parameter} {error.found}", error.expected)
    except Exception as error:
        # A fault of the engine, not of the hand: said, and the other hands go on.
        log.error("the engine stopped at hand %s: %r", hand.record.id, error)  # noqa: TRY400 - below
        log.debug("here", exc_info=True)
        found = f"the engine stopped: {type(error).__name__}"
        return _refusal(hand, found, "a verdict; please report this hand")


def _refusal(hand: Hand, found: str, expected: str) -> ReadError:
    return ReadError(
        file=hand.file,
        line=hand.line,
        column=1,
        hand=hand.record.id,
        found=found,
        expected=expected,
    )


def error_report(error: ReadError) -> dict[str, Any]:
    """Return what could not be read as the report shows it: without the raw bytes."""
    return {name: getattr(error, name) for name in _ERROR_FIELDS}


def report(names: Iterable[str]) -> dict[str, Any]:
    """Return the report of files: hands, matches, and what could not be read.

    Hands of one file that name the same match are audited as that match.
    """
    return _report(audited(names))


def report_in(content: bytes, *, most: int) -> dict[str, Any] | None:
    """Return the report of the hands in some bytes, None if they are more than ``most``."""
    items = list(itertools.islice(read(content), most + 1))
    if len(items) > most:
        return None
    return _report(item if isinstance(item, ReadError) else _audited(item) for item in items)


def _report(items: Iterable[Audited | ReadError]) -> dict[str, Any]:
    hands: list[Audited] = []
    errors: list[ReadError] = []
    for item in items:
        errors.append(item) if isinstance(item, ReadError) else hands.append(item)
    return {
        "schema": SCHEMA,
        "engine": ENGINE,
        "hands": [each.report for each in hands],
        "matches": list(_matches(hands)),
        "errors": [error_report(error) for error in errors],
    }


def _matches(hands: Iterable[Audited]) -> Iterator[dict[str, Any]]:
    files: dict[str, list[Deal]] = {}
    for each in hands:
        files.setdefault(each.file, []).append(each.deal)
    for deals in files.values():
        for match in by_match(deals).values():
            try:
                yield audit_match(match).to_report()
            except ModuleNotFoundError:
                log.warning("matches of this game are not audited yet")


def compared(names: Iterable[str], other: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Judge each hand also by another ruleset: reports with ``compared``, and errors."""
    hands, errors = [], []
    for item in audited(names):
        try:
            if isinstance(item, ReadError):
                errors.append(error_report(item))
            else:
                hand = item.deal.hand
                found = compare(hand, under(hand, other), item.deal.rules)
                hands.append({**item.report, "compared": found.to_report()})
        except RulesetError as error:
            refusal = _refusal(hand, f"{error.parameter} {error.found}", error.expected)
            errors.append(error_report(refusal))
    return hands, errors


def exit_code(hands: Iterable[dict[str, Any]], *, errors: bool) -> int:
    """Return 2 if something could not be read, 1 if there is an error or breach, else 0."""
    if errors:
        return 2
    found = any(finding["severity"] in _WEIGHTY for hand in hands for finding in hand["findings"])
    return int(found)
