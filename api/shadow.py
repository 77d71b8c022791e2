"""Onboarding in the shadow: runs over many hands, what they found, and what is adopted."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from msgspec import UNSET, Meta, UnsetType

from api import bodies, paging
from api.hands_in import JSON_LINES
from api.moments import Moment
from api.operations import answer, operation
from api.problems import Problem
from api.rulesets import RulesetShown, Slug, Value, own_shown, refusal
from api.shapes import Answer, PublicId
from replays import policies, shadow
from replays.models import ShadowRun
from replays.models.people import Scope
from replays.rulesets_of_clubs import RulesetProblemsError
from replays.shadow import ShadowError

TAKEN = (JSON_LINES, "application/x-ndjson", "text/plain")
_MOST_BYTES = 16 * 1024 * 1024
Words = Annotated[str, Meta(max_length=100, description="For people: what it is about.")]
ActWord = Literal["count", "case"]


class Stored(msgspec.Struct, forbid_unknown_fields=True):
    """Which stored hands: those that have ended and came in within a time."""

    since: Moment | None = None
    until: Moment | None = None
    event: Annotated[str, Meta(max_length=500)] = ""
    source: Annotated[str, Meta(max_length=500)] = ""


class RunNew(msgspec.Struct, forbid_unknown_fields=True):
    """A run: over `stored` hands, or without that, over hands that are sent to it after."""

    words: Words = ""
    stored: Stored | None = None


class GroupShown(Answer):
    """Hands that differ only by these settings of their ruleset.

    `codes` are the findings that they have now: with the settings there are none.
    """

    number: Annotated[int, Meta(description="Names the group when it is adopted.")]
    ruleset: str
    settings: dict[str, Value]
    hands: int
    codes: dict[str, int]
    examples: Annotated[
        list[str], Meta(description="Of stored hands the id, of others the id in their log.")
    ]


class LeftShown(Answer):
    """Hands with a finding that no one or two settings explain."""

    ruleset: str
    code: str
    hands: int
    act: Annotated[ActWord, Meta(description="What the club does about it.")]
    examples: list[str]


class RunShown(Answer):
    """A run as lists show it."""

    id: PublicId
    url: str
    words: str
    chosen: dict[str, str]
    created_at: datetime


class RunList(Answer):
    """A page of runs, the newest first; `next` is the cursor of the page after it."""

    runs: list[RunShown]
    next: str | UnsetType = UNSET


class RunWhole(RunShown, omit_defaults=False):
    """What a run has found so far: the largest groups first.

    Of `differing` hands, those in `groups` differ from the rules by settings alone; those that
    count as `unexplained` have findings in `left`.
    """

    percent: int = 0
    hands: int = 0
    agreeing: int = 0
    differing: int = 0
    unexplained: int = 0
    unjudged: int = 0
    unreadable: int = 0
    groups: list[GroupShown] = []
    left: list[LeftShown] = []


class Added(Answer):
    """How many hands were added to a run, and how many could not be read."""

    hands: int
    unreadable: int


class Adoption(msgspec.Struct, forbid_unknown_fields=True):
    """Which groups become a version of which ruleset of the club's own."""

    name: Slug
    groups: Annotated[list[Annotated[int, Meta(ge=0)]], Meta(min_length=1, max_length=100)]
    title: Annotated[str, Meta(max_length=100)] = ""


class PolicyShown(Answer):
    """What the club does about findings of a code."""

    code: str
    act: ActWord


class PolicyList(Answer):
    """What the club does about each finding code."""

    policies: list[PolicyShown]


class PolicyChange(msgspec.Struct, forbid_unknown_fields=True):
    """What is to be done: count it only, or open a case."""

    act: ActWord


def _get_run(request: HttpRequest, public_id: str) -> ShadowRun:
    return get_object_or_404(ShadowRun.objects.for_user(request.viewer), public_id=public_id)


def _fields(run: ShadowRun) -> dict[str, Any]:
    return {
        "id": run.public_id,
        "url": reverse("api:shadow-run", args=[run.public_id]),
        "words": run.words,
        "chosen": run.chosen,
        "created_at": run.created_at,
    }


@operation(
    scope=Scope.AUDITS_RUN,
    body=RunNew,
    answers={201: RunShown},
    problems=("bad-json", "bad-value"),
    examples={"body": {"words": "May", "stored": {"since": "2026-05-01T00:00:00Z"}}},
)
def run_new(request: HttpRequest, *, body: RunNew) -> HttpResponse:
    """Make a run over many hands that groups what differs; nothing of it counts anywhere."""
    try:
        if body.stored is None:
            run = shadow.run_over_upload(viewer=request.viewer, words=body.words)
        else:
            run = shadow.run_over_stored(
                viewer=request.viewer, words=body.words, **msgspec.structs.asdict(body.stored)
            )
    except ShadowError as error:
        raise Problem("bad-value", str(error), place={"pointer": "/stored"}) from None
    told = RunShown(**_fields(run))
    return answer(told, status=201, headers={"Location": told.url})


@operation(
    scope=Scope.AUDITS_RUN, query=paging.Paged, answers={200: RunList}, problems=("bad-cursor",)
)
def run_list(request: HttpRequest, *, query: paging.Paged) -> HttpResponse:
    """List the runs of the club, the newest first."""
    rows = ShadowRun.objects.for_user(request.viewer).order_by("-pk")
    if before := paging.place_of(query.cursor, salt="shadow"):
        rows = rows.filter(pk__lt=before)
    page, more = paging.cut(list(rows[: query.limit + 1]), query.limit)
    told = RunList(runs=[RunShown(**_fields(run)) for run in page])
    if more:
        told.next = paging.cursor_of(page[-1].pk, salt="shadow")
    return answer(told)


@operation(scope=Scope.AUDITS_RUN, answers={200: RunWhole}, problems=("not-found",))
def run(request: HttpRequest, public_id: str) -> HttpResponse:
    """One run: hands that differ, by the settings that explain them, else by finding."""
    row = _get_run(request, public_id)
    found, acts = shadow.found(request.viewer, row), policies.acts_of(row.club)
    told = RunWhole(
        **_fields(row),
        percent=found.percent,
        hands=found.hands,
        agreeing=found.agreeing,
        differing=found.differing,
        unexplained=found.unexplained,
        unjudged=found.unjudged,
        unreadable=row.unreadable,
        groups=[
            GroupShown(
                number=each.number,
                ruleset=each.ruleset,
                settings=dict(each.settings),
                hands=each.hands,
                codes=each.codes,
                examples=each.examples,
            )
            for each in found.groups
        ],
        left=[
            LeftShown(
                ruleset=each.ruleset,
                code=each.code,
                hands=each.hands,
                act=acts[each.code],
                examples=each.examples,
            )
            for each in found.left
        ],
    )
    return answer(told)


@operation(
    scope=Scope.AUDITS_RUN,
    body=TAKEN,
    answers={202: Added},
    problems=("not-found", "bad-value"),
    most_bytes=_MOST_BYTES,
)
def run_hands(request: HttpRequest, public_id: str) -> HttpResponse:
    """Send hands to a run, up to 16 MB at once; they are judged and not stored as hands."""
    bodies.check_type(request, TAKEN)
    row = _get_run(request, public_id)
    if row.chosen:
        raise Problem("bad-value", _("This run is over stored hands: make another one."))
    with bodies.spooled(request, most=_MOST_BYTES) as body:
        try:
            hands, unreadable = shadow.add_hands(viewer=request.viewer, run=row, content=body)
        except ShadowError as error:
            raise Problem("bad-value", str(error)) from None
    return answer(Added(hands=hands, unreadable=unreadable), status=202)


@operation(
    scope=Scope.RULESETS_WRITE,
    body=Adoption,
    answers={201: RulesetShown},
    problems=("not-found", "bad-json", "bad-value", "bad-rules"),
    examples={"body": {"name": "house", "groups": [2866921053]}},
)
def run_adopt(request: HttpRequest, public_id: str, *, body: Adoption) -> HttpResponse:
    """Make a version of the club's rules with the settings of these groups; not yet in force."""
    found = shadow.found(request.viewer, _get_run(request, public_id))
    try:
        made = shadow.adopt(
            viewer=request.viewer,
            groups=shadow.groups_of(found, body.groups),
            slug=body.name,
            name=body.title,
        )
    except ShadowError as error:
        raise Problem("bad-value", str(error), place={"pointer": "/groups"}) from None
    except RulesetProblemsError as error:
        raise refusal(error.problems) from None
    told = own_shown(made)
    return answer(told, status=201, headers={"Location": told.url})


# --- policies ----------------------------------------------------------------------------------


@operation(scope=Scope.HANDS_READ, answers={200: PolicyList})
def policy_list(request: HttpRequest) -> HttpResponse:
    """List what the club does about each finding code: count it only, or open a case."""
    acts = policies.acts_of(request.viewer.club)
    told = [PolicyShown(code=code, act=act) for code, act in acts.items()]
    return answer(PolicyList(policies=told))


@operation(
    scope=Scope.CASES_DECIDE,
    body=PolicyChange,
    answers={200: PolicyShown},
    problems=("not-found", "bad-json", "bad-value"),
)
def policy_change(request: HttpRequest, name: str, *, body: PolicyChange) -> HttpResponse:
    """Say what the club does about findings of a code from now on."""
    try:
        policies.choose(viewer=request.viewer, code=name, act=body.act)
    except KeyError:
        raise Http404 from None
    return answer(PolicyShown(code=name, act=body.act))
