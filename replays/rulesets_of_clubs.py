"""Rulesets of a club's own: made in versions, put in force from a day on, found for a hand."""

from __future__ import annotations

import datetime
import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from replays import storage, trail
from replays.access import Viewer
from replays.models import Club, ClubRuleset, HandLog
from rummy_audit.rhl.records import HandRecord
from rummy_audit.rules import rulesets
from rummy_audit.rules.rulesets import Preset, Ruleset, RulesetError

_SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MOST_SLUG = 50

Own = Callable[[HandRecord], Preset | None]


class RulesetProblemsError(ValueError):
    """Rules that cannot be; ``problems`` names every one of them."""

    def __init__(self, problems: list[RulesetError]) -> None:
        """Keep what is wrong, in the order of the values."""
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


# --- making versions -------------------------------------------------------------------------


def check(*, slug: str, base: str, settings: Mapping[str, object]) -> list[RulesetError]:
    """Return everything that is wrong with rules that a club would make, or an empty list."""
    wrong = []
    # Presets are named for their family first: so a preset to come never takes a club's name.
    if not _SLUG.fullmatch(slug) or len(slug) > _MOST_SLUG or _is_of_a_preset(slug):
        families = ", ".join(rulesets.FAMILIES)
        expected = (
            f"a name of at most {_MOST_SLUG} small letters, digits and single hyphens that "
            f"begins with a letter and with none of {families}"
        )
        wrong.append(RulesetError("slug", slug, expected))
    try:
        wrong += rulesets.problems(base, settings)
    except RulesetError as error:
        wrong.append(RulesetError("base", error.found, error.expected))
    return wrong


def _is_of_a_preset(name: str) -> bool:
    return re.split("[@-]", name, maxsplit=1)[0] in rulesets.FAMILIES


def slug_for(club: Club, name: str) -> str:
    """Return what logs call rules of a name: its own letters, as far as a log can name them.

    Rules of the same name are the same rules; those of another name are never taken for them.
    """
    if not name:
        return ""
    slug = re.sub("[_-]+", "-", slugify(name)).strip("-")
    if not _SLUG.fullmatch(slug) or _is_of_a_preset(slug):
        slug = f"club-{slug or 'rules'}"
    slug = slug[: _MOST_SLUG - 3].strip("-")
    names = dict(
        ClubRuleset.objects.filter(club=club).order_by("version").values_list("slug", "name")
    )
    same = (f"{slug}-{number}" if number > 1 else slug for number in itertools.count(1))
    return next(each for each in same if names.get(each, name) == name)


@transaction.atomic
def make_ruleset_version(
    *, viewer: Viewer, slug: str, name: str, base: str, settings: Mapping[str, rulesets.Value]
) -> ClubRuleset:
    """Store a further version of a club's rules, not yet in force; the same again is the same.

    Raises RulesetProblemsError with everything that is wrong.
    """
    if wrong := check(slug=slug, base=base, settings=settings):
        raise RulesetProblemsError(wrong)
    base = rulesets.pin(base)
    # One at a time for each club: versions are counted without gaps.
    club = storage.locked(Club.objects.filter(pk=viewer.club.pk)).get()
    newest = ClubRuleset.objects.filter(club=club, slug=slug).order_by("-version").first()
    if newest and (newest.base, newest.settings, newest.name) == (base, dict(settings), name):
        return newest
    if newest and _family(newest.base) != _family(base):
        expected = f"a preset of the game {_family(newest.base)}, as in version {newest.version}"
        raise RulesetProblemsError([RulesetError("base", base, expected)])
    made = ClubRuleset(
        club=club,
        slug=slug,
        version=newest.version + 1 if newest else 1,
        name=name[:100] or slug,
        base=base,
        settings=dict(settings),
        created_by=viewer.user,
        created_at=timezone.now(),
    )
    made.digest = rulesets.ruleset(preset_of(made)).digest
    made.save()
    trail.leave(viewer, "ruleset.make", target=made.pinned, after={"digest": made.digest})
    return made


def _family(base: str) -> str:
    return rulesets.presets()[base].family


@transaction.atomic
def activate_ruleset(
    *, viewer: Viewer, version: ClubRuleset, valid_from: datetime.date
) -> ClubRuleset:
    """Put a version in force from a day on; hands that came in before keep theirs."""
    before = {"active": version.active, "valid_from": _iso(version.valid_from)}
    version.active, version.valid_from = True, valid_from
    version.save(update_fields=["active", "valid_from"])
    after = {"active": True, "valid_from": _iso(valid_from)}
    trail.leave(viewer, "ruleset.activate", target=version.pinned, before=before, after=after)
    return version


def _iso(day: datetime.date | None) -> str | None:
    return day and day.isoformat()


# --- finding them ----------------------------------------------------------------------------


def rules_at(club: Club | int, slug: str, date: datetime.date) -> ClubRuleset | None:
    """Return the version of a club's rules that is in force on a day, or none."""
    in_force = ClubRuleset.objects.filter(club=club, slug=slug, active=True, valid_from__lte=date)
    return in_force.order_by("-valid_from", "-version").first()


def to_choose(
    viewer: Viewer, date: datetime.date, *, family: str | None = None
) -> list[tuple[str, str]]:
    """Return the rules that a game of a day may be played by: pinned name and title.

    The club's own come first, by the version that holds on that day, then the newest of each of
    ours; of one family, or of all.
    """
    own: dict[str, ClubRuleset] = {}
    rows = ClubRuleset.objects.for_user(viewer).filter(active=True, valid_from__lte=date)
    for row in rows.order_by("slug", "-valid_from", "-version"):
        own.setdefault(row.slug, row)
    newest = {preset.id: preset for preset in rulesets.presets().values()}
    asked = rulesets.FAMILIES if family is None else (family,)
    return [
        *(
            (row.pinned, f"{row.name} ({row.pinned})")
            for row in own.values()
            if _family(row.base) in asked
        ),
        *((preset.name, preset.title) for preset in newest.values() if preset.family in asked),
    ]


def preset_of(version: ClubRuleset) -> Preset:
    """Return a club's rules as the engine takes them."""
    return rulesets.on_top(
        version.base,
        slug=version.slug,
        version=version.version,
        title=version.name,
        values=version.settings,
    )


class OwnRules:
    """The own rules of clubs that hands name, each looked up once: for a batch of hands.

    Hands under a preset cost no query.
    """

    def __init__(self) -> None:
        """Know nothing yet."""
        self._found: dict[tuple[int, str, datetime.date | None], Preset | None] = {}

    def of(self, log: HandLog) -> Own:
        """Return what finds the rules of a stored hand."""
        return self.on(log.club_id, log.ingested_at.date())

    def on(self, club: int, day: datetime.date) -> Own:
        """Return what finds the rules of a hand that came in on a day.

        A bare name means the version in force when the hand was played, if its record says
        when, else on that day.
        """

        def own(record: HandRecord) -> Preset | None:
            name = record.ruleset
            if _is_of_a_preset(name):
                return None
            key = (club, name, None if "@" in name else _day(record) or day)
            if key not in self._found:
                self._found[key] = _find(*key)
            return self._found[key]

        return own


def _find(club: int, name: str, day: datetime.date | None) -> Preset | None:
    slug, _at, version = name.partition("@")
    if not _SLUG.fullmatch(slug):
        return None
    if day is not None:
        found = rules_at(club, slug, day)
        if found is None and ClubRuleset.objects.filter(club=club, slug=slug).exists():
            raise RulesetError("ruleset", name, f"a version in force on {day.isoformat()}")
    elif version.isascii() and version.isdigit() and len(version) < 9:  # noqa: PLR2004 - fits a column
        found = ClubRuleset.objects.filter(club=club, slug=slug, version=int(version)).first()
    else:
        found = None
    return preset_of(found) if found else None


def _day(record: HandRecord) -> datetime.date | None:
    if record.started:
        with suppress(ValueError):
            return datetime.datetime.fromisoformat(record.started).date()
    return None


def named(viewer: Viewer, name: str) -> Preset:
    """Return rules by the name that hands would use today. Raises RulesetError."""
    known = rulesets.presets()
    if name in known or _is_of_a_preset(name):
        return known[rulesets.pin(name)]
    day = None if "@" in name else timezone.now().date()
    return _find(viewer.club.pk, name, day) or known[rulesets.pin(name)]


# --- asking ahead ----------------------------------------------------------------------------


def listed(viewer: Viewer) -> Iterator[tuple[ClubRuleset, Ruleset]]:
    """Return a club's own rulesets, newest version first, each with its rules."""
    rows = ClubRuleset.objects.for_user(viewer).order_by("slug", "-version")
    return ((row, rulesets.ruleset(preset_of(row))) for row in rows)
