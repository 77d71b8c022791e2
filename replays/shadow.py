"""A shadow run: many hands judged without counting, their differences grouped by their settings.

"4,112 hands differ only by `leave_before_draw`": a club adopts that into its rules, or leaves
it. The database owns the work: a run is cut into parts, and each is claimed like an audit.
"""

from __future__ import annotations

import hashlib
import itertools
import logging
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, BinaryIO

import msgspec
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from replays import (
    logs,
    queries,
    rulesets_of_clubs,
    sight,
    stopping,
    storage,
    trail,
    trying,
    wake,
    work,
)
from replays.access import Viewer
from replays.models import ClubRuleset, HandLog, ShadowPart, ShadowRun
from replays.rulesets_of_clubs import OwnRules
from rummy_audit.rhl import amend
from rummy_audit.rhl.read import ReadError, read
from rummy_audit.rhl.records import Hand
from rummy_audit.rules import rulesets
from rummy_audit.rules.reconcile import Reconciled, Switch, reconcile
from rummy_audit.rules.rulesets import Ruleset, RulesetError, Value

log = logging.getLogger(__name__)

# Hands of a part: judging them takes about a second, whatever is wrong with them.
_PART = 25
MOST_HANDS = 200_000
_EXAMPLES = 5
# Explanations of other parts that are tried first.
_KNOWN = 20


class ShadowError(ValueError):
    """A run that cannot be so; the message says why."""


# --- making a run ------------------------------------------------------------------------------


@transaction.atomic
def run_over_stored(
    *,
    viewer: Viewer,
    words: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
    event: str = "",
    source: str = "",
) -> ShadowRun:
    """Make a run over the ended hands of a club that came in within a time. Raises ShadowError."""
    rows = trying.stored_hands(viewer, since=since, until=until, event=event, source=source)
    chosen = {
        "since": since and since.isoformat(),
        "until": until and until.isoformat(),
        "event": event,
        "source": source,
    }
    numbers = list(rows.values_list("pk", flat=True)[: MOST_HANDS + 1])
    if len(numbers) > MOST_HANDS:
        raise ShadowError(f"at most {MOST_HANDS:,} hands: choose a shorter time")
    run = _run(viewer, words, {name: value for name, value in chosen.items() if value})
    parts = [numbers[place : place + _PART] for place in range(0, len(numbers), _PART)]
    _add_parts(run, (ShadowPart(stored=part) for part in parts))
    return run


@transaction.atomic
def run_over_upload(*, viewer: Viewer, words: str = "") -> ShadowRun:
    """Make a run that hands will be added to; they are not stored as hands."""
    return _run(viewer, words, {})


def _run(viewer: Viewer, words: str, chosen: dict[str, Any]) -> ShadowRun:
    run = ShadowRun.objects.create(
        club=viewer.club,
        words=words[:100],
        chosen=chosen,
        created_by=viewer.user,
        created_at=timezone.now(),
    )
    trail.leave(viewer, "shadow.make", target=run.public_id, after={"chosen": chosen})
    return run


def add_hands(*, viewer: Viewer, run: ShadowRun, content: BinaryIO | bytes) -> tuple[int, int]:
    """Add uploaded hands to a run; return how many, and how many could not be read.

    Raises ShadowError where the run would have more than it may; then none are added.
    """
    hands = unreadable = 0
    parts = []
    # Read before anything is locked: of a large file it takes seconds.
    for batch in _batches(read(content)):
        whole = [each for each in batch if isinstance(each, Hand)]
        hands += len(whole)
        unreadable += len(batch) - len(whole)
        lines = [line for hand in whole for line in hand.lines]
        parts.append(ShadowPart(body=b"".join(line + b"\n" for line in lines)))
    with transaction.atomic():
        storage.locked(ShadowRun.objects.filter(pk=run.pk)).get()
        # No part has more than so many.
        if _PART * run.parts.count() + hands > MOST_HANDS:
            raise ShadowError(f"at most {MOST_HANDS:,} hands: make another run for the rest")
        _add_parts(run, parts)
        ShadowRun.objects.filter(pk=run.pk).update(unreadable=F("unreadable") + unreadable)
        after = {"hands": hands, "unreadable": unreadable}
        trail.leave(viewer, "shadow.add", target=run.public_id, after=after)
    return hands, unreadable


def _batches(items: Iterable[Hand | ReadError]) -> Iterator[list[Hand | ReadError]]:
    every = iter(items)
    while batch := list(itertools.islice(every, _PART)):
        yield batch


def _add_parts(run: ShadowRun, parts: Iterable[ShadowPart]) -> None:
    newest = run.parts.order_by("-number").values_list("number", flat=True).first()
    first = 0 if newest is None else newest + 1
    now = timezone.now()
    rows = list(parts)
    for number, part in enumerate(rows, first):
        part.run, part.number, part.due = run, number, now
    storage.insert(rows)
    wake.after_commit(wake.SHADOW)


# --- judging -----------------------------------------------------------------------------------


@dataclass(slots=True)
class Tally:
    """Counts of many hands; ``explained`` and ``unexplained`` by rules and settings or code."""

    hands: int = 0
    agreeing: int = 0
    unjudged: int = 0
    explained: Counter[tuple[str, Switch]] = field(default_factory=Counter)
    unexplained: Counter[tuple[str, str]] = field(default_factory=Counter)
    codes: dict[tuple[str, Switch], Counter[str]] = field(default_factory=dict)
    examples: dict[tuple[str, Any], list[str]] = field(default_factory=dict)
    open_hands: int = 0

    def count(self, name: str, rules: Ruleset, found: Reconciled) -> None:
        """Count one hand; ``name`` shows it as an example."""
        self.hands += 1
        if found.settings is None:
            self.open_hands += 1
            for code in found.codes:
                self.unexplained[rules.preset, code] += 1
                self._show((rules.preset, code), name)
        elif found.settings:
            key = (rules.preset, found.settings)
            self.explained[key] += 1
            self.codes.setdefault(key, Counter()).update(found.codes)
            self._show(key, name)
        else:
            self.agreeing += 1

    def _show(self, key: tuple[str, Any], name: str) -> None:
        shown = self.examples.setdefault(key, [])
        if len(shown) < _EXAMPLES:
            shown.append(name)

    def to_json(self) -> dict[str, Any]:
        """Return it as a part keeps it."""
        return {
            "hands": self.hands,
            "agreeing": self.agreeing,
            "unjudged": self.unjudged,
            "open_hands": self.open_hands,
            "explained": [
                [*key, count, dict(self.codes[key]), self.examples[key]]
                for key, count in self.explained.items()
            ],
            "unexplained": [
                [*key, count, self.examples[key]] for key, count in self.unexplained.items()
            ],
        }

    def add(self, kept: dict[str, Any]) -> None:
        """Add up what a part keeps."""
        for name in ("hands", "agreeing", "unjudged", "open_hands"):
            setattr(self, name, getattr(self, name) + kept[name])
        for preset, switch, count, codes, examples in kept["explained"]:
            key = (preset, tuple((name, value) for name, value in switch))
            self.explained[key] += count
            self.codes.setdefault(key, Counter()).update(codes)
            for name in examples:
                self._show(key, name)
        for preset, code, count, examples in kept["unexplained"]:
            self.unexplained[preset, code] += count
            for name in examples:
                self._show((preset, code), name)


def judge_due() -> bool:
    """Judge a part that is due; whether there was one.

    One at a time for all workers: hands that count come first.
    """
    waiting = Q(finished_at=None, attempts__lt=settings.AUDIT_ATTEMPTS)
    held = ShadowPart.objects.filter(~Q(lease=""), failed=False, finished_at=None, due__gt=Now())
    if held.exists():
        return False
    for part in work.claim(ShadowPart, only=waiting, most=1):
        try:
            with work.in_hand([part]):
                _judge(part)
        except stopping.StopAskedError:
            work.put_down([part])
        except Exception as error:
            log.exception("judging part %s of a shadow run stopped", part.pk)
            work.put_back(part, f"judging stopped: {type(error).__name__}: {error}")
        return True
    return False


def _judge(part: ShadowPart) -> None:
    run = ShadowRun.objects.select_related("club").get(pk=part.run_id)
    before = Tally()
    for kept in (
        run.parts.exclude(found=None).order_by("-number").values_list("found", flat=True)[:_KNOWN]
    ):
        before.add(kept)
    known = dict.fromkeys(switch for (_preset, switch), _count in before.explained.most_common())
    tally = Tally()
    for name, hand, rules in _hands(part, run):
        stopping.check()
        if rules is None:
            tally.unjudged += 1
            continue
        try:
            with work.alarm(settings.AUDIT_HAND_SECONDS, cpu=True):
                found = reconcile(hand, rules, first=list(known)[:_KNOWN])
        except work.TooLongError:
            tally.unjudged += 1
            continue
        if found.settings:
            known.setdefault(found.settings)
        tally.count(name, rules, found)
    mine = ShadowPart.objects.filter(pk=part.pk, lease=part.lease)
    mine.update(found=tally.to_json(), finished_at=timezone.now(), lease="", body=b"")


def _hands(part: ShadowPart, run: ShadowRun) -> Iterator[tuple[str, Hand, Ruleset | None]]:
    """Yield the hands of a part, amended, with their rules: None where there are none."""
    own = OwnRules()
    if part.stored:
        rows = HandLog.objects.filter(club=run.club, pk__in=part.stored).order_by("pk")
        lines = logs.stored_lines(part.stored)
        for row in rows:
            hand = amend.corrected(logs.hand_in(lines[row.pk]))
            yield (
                row.public_id,
                hand,
                _rules(lambda h, row=row: queries.rules_of(row, h, own=own), hand),
            )
        return
    of_club = own.on(run.club_id, run.created_at.date())
    for item in read(bytes(part.body)):
        if isinstance(item, Hand):
            hand = amend.corrected(item)
            yield (
                hand.record.id,
                hand,
                _rules(lambda h: rulesets.for_hand(h.record, of_club(h.record)), hand),
            )


def _rules(find: Any, hand: Hand) -> Ruleset | None:
    try:
        found: Ruleset = find(hand)
    except RulesetError:
        return None
    return found


# --- what was found ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Group:
    """Hands that differ only by these settings of a ruleset, and the findings they had."""

    ruleset: str
    settings: Switch
    hands: int
    codes: dict[str, int]
    examples: list[str]

    @property
    def number(self) -> int:
        """What names the group, whatever else is found: its place among the others may change."""
        said = msgspec.json.encode([self.ruleset, self.settings])
        return int.from_bytes(hashlib.sha256(said).digest()[:4])


@dataclass(frozen=True, slots=True)
class Left:
    """Hands with a finding that no setting explains."""

    ruleset: str
    code: str
    hands: int
    examples: list[str]


@dataclass(frozen=True, slots=True)
class Found:
    """What a run has found so far; ``percent`` of its parts are judged."""

    hands: int
    agreeing: int
    differing: int
    unexplained: int
    unjudged: int
    percent: int
    groups: list[Group]
    left: list[Left]


def found(viewer: Viewer, run: ShadowRun) -> Found:
    """Add up what the parts of a run have found: the largest groups first.

    Parts with a stored hand that this viewer may not see whole yet are left out.
    """
    tally, done, every = Tally(), 0, 0
    closed = _closed(viewer, run)
    rows = run.parts.order_by("number").values_list("found", "failed", "stored")
    for kept, failed, stored in rows:
        if not closed.isdisjoint(stored):
            continue
        every += 1
        done += kept is not None or failed
        if kept is not None:
            tally.add(kept)
    return Found(
        hands=tally.hands,
        agreeing=tally.agreeing,
        differing=tally.hands - tally.agreeing,
        unexplained=tally.open_hands,
        unjudged=tally.unjudged,
        percent=100 * done // every if every else 100,
        groups=[
            Group(*key, count, dict(tally.codes[key].most_common()), tally.examples[key])
            for key, count in tally.explained.most_common()
        ],
        left=[
            Left(*key, count, tally.examples[key]) for key, count in tally.unexplained.most_common()
        ],
    )


def _closed(viewer: Viewer, run: ShadowRun) -> set[int]:
    if sight.reveals(viewer) or not run.parts.exclude(stored=[]).exists():
        return set()
    rows = HandLog.objects.filter(~sight.opened(viewer), club=run.club_id)
    return set(rows.values_list("pk", flat=True))


def groups_of(found: Found, numbers: Collection[int]) -> list[Group]:
    """Return groups by their numbers. Raises ShadowError where there is none of a number."""
    groups = {each.number: each for each in found.groups}
    if strange := [each for each in numbers if each not in groups]:
        raise ShadowError(f"there is no group {strange[0]}")
    return [groups[each] for each in dict.fromkeys(numbers)]


def adopt(*, viewer: Viewer, groups: Iterable[Group], slug: str, name: str = "") -> ClubRuleset:
    """Make a version of a club's rules that has the settings of some groups.

    Raises ShadowError where they do not go together, and RulesetProblemsError.
    """
    wanted = list(groups)
    bases = {group.ruleset for group in wanted}
    if len(bases) != 1:
        raise ShadowError("choose groups of one ruleset")
    (under,) = bases
    preset = rulesets_of_clubs.named(viewer, under)
    values: dict[str, Value] = {}
    row = ClubRuleset.objects.filter(club=viewer.club, slug=preset.id, version=preset.version)
    if under not in rulesets.presets() and (own := row.first()):
        under, values = own.base, dict(own.settings)
    mine: dict[str, Value] = {}
    for group in wanted:
        for parameter, value in group.settings:
            if mine.setdefault(parameter, value) != value:
                raise ShadowError(f"{parameter} cannot be {mine[parameter]} and {value}")
    return rulesets_of_clubs.make_ruleset_version(
        viewer=viewer, slug=slug, name=name or slug, base=under, settings={**values, **mine}
    )
