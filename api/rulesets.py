"""Rulesets: presets and a club's own, made in versions, tried on stored hands, put in force."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from msgspec import UNSET, Meta, UnsetType

from api import paging
from api.codes import FamilyWord
from api.moments import Moment
from api.operations import answer, operation
from api.problems import Problem, shown
from api.shapes import Answer, Digest, PublicId
from replays import rulesets_of_clubs, trying
from replays.models import ClubRuleset
from replays.models.people import Scope
from replays.rulesets_of_clubs import RulesetProblemsError, preset_of
from rummy_audit.rules import rulesets
from rummy_audit.rules.rulesets import Preset, RulesetError

Value = int | bool | str
Slug = Annotated[
    str, Meta(pattern="^[a-z][a-z0-9]*(-[a-z0-9]+)*$", max_length=50, examples=["house"])
]
Settings = Annotated[
    dict[str, Value],
    Meta(
        max_length=200,
        description="The values that differ from the base, by parameter.",
        examples=[{"leave_before_draw": "first"}],
    ),
]
BaseName = Annotated[
    str, Meta(max_length=100, description="A preset, or a version of one.", examples=["indian-13"])
]


class ParameterShown(Answer):
    """A parameter of a ruleset: its value, and where that comes from."""

    parameter: str
    value: Value
    source: str
    words: str
    expected: str


class RulesetShown(Answer):
    """A version of rules as lists show it. What a version says is never changed."""

    id: Annotated[str, Meta(examples=["indian-13@1"])]
    url: str
    name: str
    version: int
    title: str
    family: FamilyWord
    digest: Digest
    own: Annotated[bool, Meta(description="Whether it is the club's own.")]
    base: str | UnsetType = UNSET
    settings: dict[str, Value] | UnsetType = UNSET
    active: bool | UnsetType = UNSET
    valid_from: date | UnsetType = UNSET


class RulesetWhole(RulesetShown, omit_defaults=False):
    """A version of rules with every parameter."""

    parameters: list[ParameterShown] = []


class RulesetList(Answer):
    """Presets, then the club's own rulesets, each in its versions."""

    rulesets: list[RulesetShown]


class WhichRulesets(msgspec.Struct):
    """Which rulesets."""

    family: FamilyWord | None = None


class RulesetNew(msgspec.Struct, forbid_unknown_fields=True):
    """A further version of a ruleset of the club's own."""

    name: Slug
    base: BaseName
    settings: Settings = {}
    title: Annotated[str, Meta(max_length=100)] = ""


class Wrong(Answer):
    """Something that is wrong with rules: the parameters, what was found and expected."""

    parameter: str
    found: str
    expected: str


class Checked(Answer):
    """Everything that is wrong with rules; they can be made if that is nothing."""

    problems: list[Wrong]


class InForce(msgspec.Struct, forbid_unknown_fields=True):
    """From which day on."""

    valid_from: Annotated[date, Meta(examples=["2026-06-01"])]


class Tried(msgspec.Struct, forbid_unknown_fields=True):
    """Rules to be tried: a version that there is, or a base with settings; and on which hands."""

    ruleset: Annotated[str, Meta(max_length=100, examples=["house@2"])] = ""
    base: BaseName = ""
    settings: Settings = {}
    since: Moment | None = None
    until: Moment | None = None
    event: Annotated[str, Meta(max_length=500)] = ""
    source: Annotated[str, Meta(max_length=500)] = ""


class CodeCount(Answer):
    """A finding that would appear or vanish, and how often."""

    code: str
    appears: int
    vanishes: int


class VerdictCount(Answer):
    """Hands whose verdict would change from one word to another."""

    before: str
    after: str
    hands: int


class SettingCount(Answer):
    """Hands that would be judged otherwise because of these parameters, and no others."""

    parameters: list[str]
    hands: int


class HandChanged(Answer):
    """A hand that would be judged otherwise."""

    hand: PublicId
    url: str
    name: str
    before: str
    after: str
    parameters: list[str]


class DryRun(Answer):
    """What rules would change: `changed` of `looked_at` hands are judged otherwise.

    With `next`, more hands wait: ask again with it as the cursor, and add the counts up.
    """

    looked_at: int
    changed: int
    refused: Annotated[
        int, Meta(description="Hands whose match or house rules contradict these rules.")
    ]
    verdicts: list[VerdictCount]
    codes: list[CodeCount]
    settings: list[SettingCount]
    examples: list[HandChanged]
    next: str | UnsetType = UNSET


# --- reading -----------------------------------------------------------------------------------


@operation(scope=Scope.RULESETS_READ, query=WhichRulesets, answers={200: RulesetList})
def ruleset_list(request: HttpRequest, *, query: WhichRulesets) -> HttpResponse:
    """List presets and the club's own rulesets."""
    found = [_preset_shown(each) for each in rulesets.presets().values()]
    found += [own_shown(row) for row, _rules in rulesets_of_clubs.listed(request.viewer)]
    kept = [each for each in found if query.family in (None, each.family)]
    return answer(RulesetList(rulesets=kept))


@operation(scope=Scope.RULESETS_READ, answers={200: RulesetWhole}, problems=("not-found",))
def ruleset(request: HttpRequest, name: str, version: int) -> HttpResponse:
    """One version of rules: every parameter with its value and where that comes from."""
    pinned = f"{name}@{version}"
    if preset := rulesets.presets().get(pinned):
        return answer(_whole(_preset_shown(preset), preset))
    row = _get_own(request, name, version)
    return answer(_whole(own_shown(row), preset_of(row)))


def _get_own(request: HttpRequest, name: str, version: int) -> ClubRuleset:
    rows = ClubRuleset.objects.for_user(request.viewer)
    # What no column holds is not there; the database would rather fail.
    found = rows.filter(slug=name, version=version).first() if version < 2**31 else None
    if found is None:
        raise Http404
    return found


def _preset_shown(preset: Preset) -> RulesetShown:
    return RulesetShown(
        id=preset.name,
        url=reverse("api:ruleset", args=[preset.id, preset.version]),
        name=preset.id,
        version=preset.version,
        title=preset.title,
        family=preset.family,
        digest=rulesets.ruleset(preset.name).digest,
        own=False,
    )


def own_shown(row: ClubRuleset) -> RulesetShown:
    """Return a version of a club's rules as lists show it."""
    made = RulesetShown(
        id=row.pinned,
        url=reverse("api:ruleset", args=[row.slug, row.version]),
        name=row.slug,
        version=row.version,
        title=row.name,
        family=rulesets.presets()[row.base].family,
        digest=row.digest,
        own=True,
        base=row.base,
        settings=row.settings,
        active=row.active,
    )
    if row.valid_from:
        made.valid_from = row.valid_from
    return made


def _whole(made: RulesetShown, preset: Preset) -> RulesetWhole:
    rules, law = rulesets.ruleset(preset), rulesets.parameters(preset.family)
    return RulesetWhole(
        **{name: getattr(made, name) for name in RulesetShown.__struct_fields__},
        parameters=[
            ParameterShown(
                parameter=name,
                value=rules[name],
                source=rules.source(name),
                words=law[name].words,
                expected=law[name].expected,
            )
            for name in law
        ],
    )


# --- making and putting in force ---------------------------------------------------------------

_NEW = {"name": "house", "base": "indian-13", "settings": {"leave_before_draw": "first"}}


@operation(
    scope=Scope.RULESETS_WRITE,
    body=RulesetNew,
    answers={201: RulesetShown},
    problems=("bad-json", "bad-value", "bad-rules"),
    examples={"body": _NEW},
)
def ruleset_new(request: HttpRequest, *, body: RulesetNew) -> HttpResponse:
    """Make a further version of a ruleset of the club's own; the same again is the same version.

    Hands name it as `house@2`, or as `house` once it is in force.
    """
    try:
        made = rulesets_of_clubs.make_ruleset_version(
            viewer=request.viewer,
            slug=body.name,
            name=body.title or body.name,
            base=body.base,
            settings=body.settings,
        )
    except RulesetProblemsError as error:
        raise refusal(error.problems) from None
    told = own_shown(made)
    return answer(told, status=201, headers={"Location": told.url})


@operation(
    scope=Scope.RULESETS_READ,
    body=RulesetNew,
    answers={200: Checked},
    problems=("bad-json", "bad-value"),
    examples={"body": _NEW},
)
def ruleset_check(request: HttpRequest, *, body: RulesetNew) -> HttpResponse:
    """Say everything that is wrong with rules, contradictions by name; nothing is stored."""
    del request
    wrong = rulesets_of_clubs.check(slug=body.name, base=body.base, settings=body.settings)
    return answer(Checked(problems=_wrong(wrong)))


def _wrong(problems: list[RulesetError]) -> list[Wrong]:
    names = {"slug": "name"}
    return [
        Wrong(
            parameter=names.get(each.parameter, each.parameter),
            found=shown(each.found),
            expected=each.expected,
        )
        for each in problems
    ]


def refusal(problems: list[RulesetError]) -> Problem:
    """Say everything that is wrong with rules."""
    wrong = _wrong(problems)
    first = wrong[0]
    detail = _("%(parameter)s is %(found)s, expected %(expected)s.") % {
        "parameter": first.parameter,
        "found": first.found,
        "expected": first.expected,
    }
    return Problem("bad-rules", detail, problems=msgspec.to_builtins(wrong))


@operation(
    scope=Scope.RULESETS_WRITE,
    body=InForce,
    answers={200: RulesetShown},
    problems=("not-found", "bad-json", "bad-value"),
)
def ruleset_activate(
    request: HttpRequest, name: str, version: int, *, body: InForce
) -> HttpResponse:
    """Put a version in force from a day on; hands that came in before keep theirs."""
    row = _get_own(request, name, version)
    rulesets_of_clubs.activate_ruleset(
        viewer=request.viewer, version=row, valid_from=body.valid_from
    )
    return answer(own_shown(row))


# --- trying ------------------------------------------------------------------------------------


class DryRunQuery(paging.Paged):
    """How many hands at once, and where to go on."""


@operation(
    scope=Scope.AUDITS_RUN,
    query=DryRunQuery,
    body=Tried,
    answers={200: DryRun},
    problems=("bad-json", "bad-value", "bad-rules", "bad-cursor"),
    examples={"body": {"base": "indian-13", "settings": {"leave_before_draw": "first"}}},
)
def dry_run(request: HttpRequest, *, query: DryRunQuery, body: Tried) -> HttpResponse:
    """Try rules on stored hands of their game that have ended; nothing is stored or changed."""
    viewer = request.viewer
    salt = "dry-run"
    rows = trying.stored_hands(
        viewer, since=body.since, until=body.until, event=body.event, source=body.source
    )
    trial = trying.try_rules(
        rows,
        _preset_to_try(request, body),
        after=paging.place_of(query.cursor, salt=salt) or 0,
        most=query.limit,
    )
    codes = sorted({*trial.appear, *trial.vanish})
    told = DryRun(
        looked_at=trial.looked_at,
        changed=trial.changed,
        refused=trial.refused,
        verdicts=[
            VerdictCount(before=before, after=after, hands=count)
            for (before, after), count in trial.verdicts.most_common()
        ],
        codes=[
            CodeCount(code=code, appears=trial.appear[code], vanishes=trial.vanish[code])
            for code in codes
        ],
        settings=[
            SettingCount(parameters=list(names), hands=count)
            for names, count in trial.settings.most_common()
        ],
        examples=[
            HandChanged(
                hand=each.log.public_id,
                url=reverse("api:hand", args=[each.log.public_id]),
                name=each.log.name,
                before=each.before,
                after=each.after,
                parameters=list(each.parameters),
            )
            for each in trial.examples
        ],
    )
    if trial.place:
        told.next = paging.cursor_of(trial.place, salt=salt)
    return answer(told)


def _preset_to_try(request: HttpRequest, body: Tried) -> Preset:
    if bool(body.ruleset) == bool(body.base):
        why = _("Name a ruleset, or a base with settings: one of them.")
        raise Problem("bad-value", why, place={"pointer": "/ruleset"})
    if body.base:
        wrong = rulesets_of_clubs.check(slug="tried", base=body.base, settings=body.settings)
        if wrong:
            raise refusal(wrong)
        return rulesets.on_top(body.base, slug="tried", version=0, title="", values=body.settings)
    try:
        return rulesets_of_clubs.named(request.viewer, body.ruleset)
    except RulesetError as error:
        raise refusal([error]) from None
