"""Reports as plain text, for a person at a terminal."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_SIGNS = {"error": "●", "breach": "▲", "note": "○"}
_ENDS = {
    "clean": "nothing wrong",
    "flagged": "an error",
    "irregular": "played irregularly",
    "unfinished": "not finished yet",
    "impossible": "cannot have happened as written",
}


def hand(report: Mapping[str, Any]) -> str:
    """Return what was found in a hand, the verdict first."""
    return "\n".join(_hand(report))


def _hand(report: Mapping[str, Any]) -> Iterator[str]:
    verdict = report["verdict"]
    yield f"{report['id']}: {verdict} ({_ENDS[verdict]}), by {report['ruleset']['id']}"
    for finding in report["findings"]:
        yield from _finding(finding)
    if scores := report["scores"]:
        points = ", ".join(f"seat {seat} {points}" for seat, points in scores.items())
        yield f"  Points by the rules: {points}."
    reasons: dict[str, list[str]] = {}
    for skipped in report["not_run"]:
        reasons.setdefault(skipped["why"], []).append(skipped["check"])
    for why, checks in reasons.items():
        yield f"  Not checked, since {why}: {', '.join(checks)}."


def _finding(finding: Mapping[str, Any], place: str = "") -> Iterator[str]:
    at = f"event {finding['seq']}" if finding["seq"] else "the hand as a whole"
    at += f", seat {finding['seat']}" if finding["seat"] is not None else ""
    handled = ", dealt with at the table" if finding["handled"] else ""
    sign = _SIGNS[finding["severity"]]
    yield f"  {sign} {finding['severity']} at {place}{at}{handled}: {finding['message']}"
    rule = finding["rule"]
    source = f"; {rule['source']}" if rule and rule.get("source") else ""
    yield f"      {finding['code']}{source}"
    if finding["expected"] is not None:
        recorded, expected = _plain(finding["recorded"]), _plain(finding["expected"])
        yield f"      recorded {recorded}, expected {expected}"
    if terms := _sum(finding["breakdown"]):
        yield f"      {terms}"


def _plain(value: Any) -> str:
    """Return a value of a report as a person writes it."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} = {_plain(each)}" for key, each in value.items())
    if isinstance(value, list):
        return " ".join(map(_plain, value))
    return "nothing" if value is None else str(value)


def _sum(breakdown: Iterable[Mapping[str, Any]]) -> str:
    terms = [(_name(term), term["points"]) for term in breakdown]
    if not terms:
        return ""
    total = sum(points for _name, points in terms)
    return f"{' + '.join(f'{name} {points}' for name, points in terms)} = {total}"


def _name(term: Mapping[str, Any]) -> str:
    return " ".join(term.get("cards") or ()) or str(term.get("what", ""))


def comparison(report: Mapping[str, Any]) -> str:
    """Return what another ruleset says otherwise of a hand, and by which settings."""
    other = report["compared"]
    lines = [
        (
            f"{report['id']}: {report['verdict']} by {report['ruleset']['id']}, "
            f"{other['verdict']} by {other['under']['id']}"
        )
    ]
    for each in other["differences"]:
        here, there = _either(each["here"]), _either(each["there"])
        seat = f" of seat {each['seat']}" if each["seat"] is not None else ""
        lines.append(f"  {each['what']}{seat}: {here} / {there}")
        lines += [
            f"      by {setting['parameter']}: {_setting(setting['here'])} / "
            f"{_setting(setting['there'])}"
            for setting in each["parameters"]
        ]
    if not other["differences"]:
        lines.append("  No difference.")
    return "\n".join(lines)


def _setting(setting: Mapping[str, Any]) -> str:
    """Return a value as a log states it, and where it comes from."""
    value = setting["value"]
    written = str(value).lower() if isinstance(value, bool) else value
    return f"{written} ({setting['source']})"


def _either(said: Any) -> str:
    if isinstance(said, Mapping):
        return f"{said['code']} at event {said['seq']}"
    return "nothing" if said is None else str(said)


def match(report: Mapping[str, Any]) -> str:
    """Return what was found in a match, and its totals by the rules."""
    lines = [f"Match {report['id']}: {report['verdict']}"]
    for finding in report["findings"]:
        lines += _finding(finding, place=f"{finding['hand']}, ")
    if totals := report["totals"]:
        points = ", ".join(f"seat {seat} {total}" for seat, total in totals.items())
        lines.append(f"  Totals by the rules: {points}.")
    return "\n".join(lines)


def error(problem: Mapping[str, Any]) -> str:
    """Return what could not be read, where, and what was expected there."""
    hand_id = f" (hand {problem['hand']})" if problem["hand"] else ""
    return (
        f"{problem['file']}, line {problem['line']}, column {problem['column']}{hand_id}: "
        f"could not be read: found {problem['found']}, expected {problem['expected']}"
    )


def summary(report: Mapping[str, Any]) -> str:
    """Return one line about all of it."""
    verdicts = Counter(each["verdict"] for each in report["hands"])
    hands = len(report["hands"])
    line = f"{hands} hand{'' if hands == 1 else 's'}"
    if verdicts:
        counted = sorted(verdicts.items())
        line += ": " + ", ".join(f"{count} {verdict}" for verdict, count in counted)
    if errors := len(report["errors"]):
        line += f". {errors} could not be read"
    return line + "."


def judged(answer: Mapping[str, Any]) -> str:
    """Return what was said about a hand of cards."""
    lines: list[str] = []
    if answer["groups"]:
        for group in answer["groups"]:
            lines.append(f"{' '.join(group['cards'])}: {group['kind'].replace('-', ' ')}")
            lines += [f"    {finding['message']}" for finding in group["findings"]]
        lines.append("These groups stand." if answer["valid"] else "These groups do not stand.")
        of_groups = [each for group in answer["groups"] for each in group["findings"]]
        lines += [
            f"    {finding['message']}"
            for finding in answer["findings"]
            if finding not in of_groups
        ]
    lines.append(f"Points as they lie: {answer['points']}.")
    best = answer["best"]
    groups = " | ".join(" ".join(group) for group in best["groups"])
    arranged = " + ".join(part for part in (groups, " ".join(best["loose"])) if part)
    lines.append(f"Best arrangement: {arranged} ({best['points']} points).")
    can = "can" if answer["declarable"] else "cannot"
    lines.append(f"These cards {can} be declared.")
    return "\n".join(lines)
