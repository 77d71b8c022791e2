"""Reading what is stored: lists of hands, a hand's log, its newest audit."""

from dataclasses import dataclass
from typing import Any

import msgspec

from replays import audit, logs, sight
from replays.access import Viewer
from replays.models import Audit, FindingRow, HandLog, MatchFinding
from replays.rulesets_of_clubs import OwnRules
from rummy_audit.rhl.records import Hand
from rummy_audit.rules.rulesets import Ruleset

PAGE = 50
# More deals than an evening has.
_MOST_OF_MATCH = 500


@dataclass(frozen=True, slots=True)
class Page:
    """A page of hands, newest first; ``next`` is the cursor of the page after it, 0 for none."""

    rows: list[HandLog]
    next: int


def hand_page(
    viewer: Viewer, *, verdict: str = "", code: str = "", before: int = 0, most: int = PAGE
) -> Page:
    """Return hands that this person may see, newest first, from below the cursor ``before``.

    Every page costs the same: each filter has an index in the order of the list.
    """
    if code:
        return _page_by_code(viewer, code=code, verdict=verdict, before=before, most=most)
    hands = HandLog.objects.for_user(viewer).order_by("-id")
    if verdict:
        hands = hands.filter(sight.with_verdict(viewer, verdict))
    if before:
        hands = hands.filter(id__lt=before)
    rows = list(hands[: most + 1])
    shown = list(sight.as_listed(viewer, rows[:most]))
    return Page(shown, rows[most - 1].pk if len(rows) > most else 0)


def _page_by_code(viewer: Viewer, *, code: str, verdict: str, before: int, most: int) -> Page:
    # From the findings' side: a rare code is found at once among a million hands. What a
    # match has found stands at a hand too.
    everywhere: set[int] = set()
    for findings in (FindingRow, MatchFinding):
        found = findings.objects.for_user(viewer).filter(code=code).order_by("-log_id")
        if not sight.reveals(viewer):
            # What was found may rest on hidden cards.
            found = found.filter(log__in=HandLog.objects.filter(sight.opened(viewer)))
            if findings is MatchFinding:
                found = found.exclude(sight.closed_match(viewer, "match__"))
        if verdict:
            found = found.filter(log__verdict=verdict)
        if before:
            found = found.filter(log_id__lt=before)
        everywhere.update(found.values_list("log_id", flat=True).distinct()[: most + 1])
    picked = sorted(everywhere, reverse=True)[: most + 1]
    hands = HandLog.objects.in_bulk(picked[:most])
    return Page([hands[pk] for pk in picked[:most]], picked[most - 1] if len(picked) > most else 0)


def newest_hands(viewer: Viewer, *, most: int) -> list[HandLog]:
    """Return the newest hands that this person may see."""
    rows = list(HandLog.objects.for_user(viewer).order_by("-id")[:most])
    return list(sight.as_listed(viewer, rows))


def hand_of(log: HandLog) -> Hand:
    """Return a hand as it came, with the names and texts that are not forgotten."""
    return logs.hand_in(b"".join(line + b"\n" for line in logs.full_lines(log)))


def rules_of(log: HandLog, hand: Hand, *, own: OwnRules | None = None) -> Ruleset:
    """Return the rules that a stored hand is judged by: the version it came in under.

    ``own`` remembers the rules of clubs from one hand to the next.
    """
    return audit.rules_of(hand, pinned=log.ruleset, own=(own or OwnRules()).of(log))


def newest_audit(log: HandLog) -> tuple[Audit, dict[str, Any]] | None:
    """Return the audit that counts and its report, or none while the hand still waits."""
    if log.audit is None:
        return None
    return log.audit, msgspec.json.decode(bytes(log.audit.report))


def neighbours(viewer: Viewer, log: HandLog) -> tuple[str, str]:
    """Return the public ids of the deals before and after this one in its match, or nothing."""
    if not log.match:
        return "", ""
    mine = HandLog.objects.for_user(viewer).filter(
        source=log.source, event=log.event, match=log.match
    )
    ids = list(mine.order_by("deal", "id").values_list("public_id", flat=True)[:_MOST_OF_MATCH])
    at = ids.index(log.public_id) if log.public_id in ids else len(ids)
    return (ids[at - 1] if 0 < at < len(ids) else ""), (ids[at + 1] if at + 1 < len(ids) else "")
