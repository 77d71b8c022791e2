"""Trying rules on stored hands before they are put in force: how many verdicts would change."""

from __future__ import annotations

import datetime
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import QuerySet

from replays import logs, queries, sight
from replays.access import Viewer
from replays.models import HandLog
from replays.rulesets_of_clubs import OwnRules
from rummy_audit.rhl import amend
from rummy_audit.rules import rulesets
from rummy_audit.rules.compare import compare
from rummy_audit.rules.findings import Finding
from rummy_audit.rules.rulesets import Preset, RulesetError

# A request waits no longer for an answer (seconds): the rest is asked for by its cursor.
_PATIENCE = 8.0
_BATCH = 50
_EXAMPLES = 20


@dataclass(frozen=True, slots=True)
class Changed:
    """A hand that would be judged otherwise, with the settings behind it."""

    log: HandLog
    before: str
    after: str
    parameters: tuple[str, ...]


@dataclass(slots=True)
class Trial:
    """What rules would change: ``changed`` of ``looked_at`` hands, and in what.

    ``refused`` hands cannot be judged by them: their own house rules or match contradict
    them. ``appear`` and ``vanish`` count findings by code, ``verdicts`` changes from one word
    to another, ``settings`` hands by the settings that make the difference. ``place`` is
    where to go on, 0 at the end.
    """

    looked_at: int = 0
    changed: int = 0
    refused: int = 0
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    appear: Counter[str] = field(default_factory=Counter)
    vanish: Counter[str] = field(default_factory=Counter)
    settings: Counter[tuple[str, ...]] = field(default_factory=Counter)
    examples: list[Changed] = field(default_factory=list)
    place: int = 0


def stored_hands(
    viewer: Viewer,
    *,
    since: datetime.datetime | None = None,
    until: datetime.datetime | None = None,
    event: str = "",
    source: str = "",
) -> QuerySet[HandLog]:
    """Return the ended hands of a club that came in within a time, oldest first.

    Only those that this viewer sees whole: what rules would change tells of hidden cards too.
    """
    rows = HandLog.objects.for_user(viewer).filter(ended_after__isnull=False).order_by("pk")
    rows = rows.filter(sight.opened(viewer))
    if since:
        rows = rows.filter(ingested_at__gte=since)
    if until:
        rows = rows.filter(ingested_at__lt=until)
    if event:
        rows = rows.filter(event=event)
    return rows.filter(source=source) if source else rows


def try_rules(rows: QuerySet[HandLog], preset: Preset, *, after: int = 0, most: int) -> Trial:
    """Judge stored hands of the preset's game by it too, and count what differs.

    Hands keep their match and their house rules. Nothing is stored. Ends early when the
    patience is out.
    """
    trial, own = Trial(), OwnRules()
    begun = time.monotonic()
    left = most
    place = after
    while left > 0:
        batch = list(rows.filter(pk__gt=place)[: min(left, _BATCH)])
        if not batch:
            return trial
        left -= len(batch)
        bodies = logs.stored_lines([each.pk for each in batch])
        for log in batch:
            place = log.pk
            _try_one(trial, log, bodies[log.pk], preset, own)
            if time.monotonic() - begun > _PATIENCE:
                trial.place = place
                return trial
    trial.place = place if rows.filter(pk__gt=place).exists() else 0
    return trial


def _try_one(trial: Trial, log: HandLog, lines: bytes, preset: Preset, own: OwnRules) -> None:
    hand = amend.corrected(logs.hand_in(lines))
    try:
        here = queries.rules_of(log, hand, own=own)
    except RulesetError:
        return  # the hand's own page says why it cannot be judged
    if here.family != preset.family:
        return
    trial.looked_at += 1
    try:
        there = rulesets.for_hand(hand.record, preset)
    except RulesetError:
        trial.refused += 1
        return
    found = compare(hand, there, here)
    if not found.differences:
        return
    trial.changed += 1
    if found.mine.verdict != found.theirs.verdict:
        trial.verdicts[found.mine.verdict, found.theirs.verdict] += 1
    vanish, appear = (
        _codes(d.here for d in found.differences),
        _codes(d.there for d in found.differences),
    )
    trial.vanish += vanish - appear
    trial.appear += appear - vanish
    names = sorted({each.parameter for d in found.differences for each in d.parameters})
    trial.settings[tuple(names)] += 1
    if len(trial.examples) < _EXAMPLES:
        verdicts = found.mine.verdict, found.theirs.verdict
        trial.examples.append(Changed(log, *verdicts, tuple(names)))


def _codes(values: Iterable[object]) -> Counter[str]:
    return Counter(each.code for each in values if isinstance(each, Finding))
