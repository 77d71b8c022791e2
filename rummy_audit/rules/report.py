"""The report of a hand: self-describing data, a pure function of log, rules and engine."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from rummy_audit.rhl import digests
from rummy_audit.rhl.records import Hand
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.messages import message
from rummy_audit.rules.rulesets import Ruleset
from rummy_audit.rules.view import Replay

SCHEMA = 1

ENGINE = "0.1.0"

_sorted = msgspec.json.Encoder(order="sorted")


def finding_report(finding: Finding, family: str) -> dict[str, Any]:
    """Return a finding as the report shows it: every key is always there."""
    return {
        "code": finding.code,
        "category": finding.category,
        "severity": finding.severity,
        "handled": finding.handled,
        "cause": msgspec.to_builtins(finding.cause),
        "seq": finding.seq,
        "seat": finding.seat,
        "message": message(finding, family),
        "rule": msgspec.to_builtins(finding.rule),
        "recorded": msgspec.to_builtins(finding.recorded, str_keys=True),
        "expected": msgspec.to_builtins(finding.expected, str_keys=True),
        "breakdown": [_term(term) for term in msgspec.to_builtins(finding.breakdown)],
        "data": msgspec.to_builtins(finding.data, str_keys=True),
    }


def _term(term: dict[str, Any]) -> dict[str, Any]:
    return term if term["what"] else {"cards": term["cards"], "points": term["points"]}


def report_digest(report: dict[str, Any]) -> str:
    """Return the digest of a hand's report, over everything but engine and messages."""
    bare = {key: value for key, value in report.items() if key not in ("engine", "report_digest")}
    bare["findings"] = [
        {key: value for key, value in finding.items() if key != "message"}
        for finding in report["findings"]
    ]
    return hashlib.sha256(_sorted.encode(bare)).hexdigest()


def hand_report(hand: Hand, rules: Ruleset, replay: Replay) -> dict[str, Any]:
    """Return the report of a replayed hand, ready for JSON, with its digest.

    ``scores`` are the points by the rules, by seat; seats whose points cannot be
    known are left out.
    """
    chain = digests.chain(hand)
    result = replay.result
    report: dict[str, Any] = {
        "schema": SCHEMA,
        "engine": ENGINE,
        "id": hand.record.id,
        "verdict": replay.verdict,
        "ruleset": {
            "id": rules.preset,
            "digest": rules.digest,
            "rules": dict(sorted(rules.house.items())),
        },
        "findings": [finding_report(finding, rules.family) for finding in replay.findings],
        "outcome": result.outcome,
        "scores": {str(seat): result.scores[seat] for seat in sorted(result.scores)},
        "breakdown": {
            str(seat): [_term(term) for term in msgspec.to_builtins(result.breakdown[seat])]
            for seat in sorted(result.breakdown)
        },
        "winner": result.winner,
        "not_run": [{"check": each.check, "why": each.why} for each in replay.not_run],
        "head": chain.head,
        "core_digest": chain.core_digest,
    }
    report["report_digest"] = report_digest(report)
    return report
