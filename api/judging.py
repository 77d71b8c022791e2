"""Judging cards and auditing hands without storing anything."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from msgspec import Meta

from api import bodies, strict_json
from api.hands_in import TAKEN, as_lines, hand_in_json
from api.operations import JSON, answer, operation
from api.problems import Problem, shown
from replays import files
from replays.models.people import Scope
from rummy_audit.rules import judging
from rummy_audit.rules.judging import JudgeError

NDJSON = "application/x-ndjson"
_MOST_AUDITED = 2 * 1024 * 1024
_MOST_HANDS = 200
_MOST_QUESTIONS = 200
# A full rack of tiles takes most of a second.
_MOST_LARGE = 10

CardText = Annotated[str, Meta(max_length=20, examples=["7H"])]
CardList = Annotated[list[CardText], Meta(max_length=106)]
GroupList = Annotated[list[CardList], Meta(max_length=106)]


class Question(msgspec.Struct, forbid_unknown_fields=True):
    """Cards, or groups as somebody would lay them, and the rules to judge them by."""

    ruleset: Annotated[str, Meta(max_length=100, examples=["indian-13"])]
    cards: CardList = []
    groups: GroupList | None = None
    loose: CardList = []
    wild: (
        Annotated[
            str,
            Meta(max_length=10, description="The wild rank, or the card turned.", examples=["Q"]),
        ]
        | None
    ) = None
    rules: Annotated[
        dict[str, int | bool | str], Meta(max_length=100, description="House rules.")
    ] = {}
    lay_on: Annotated[GroupList, Meta(description="Gin: the knocker's melds.")] = []
    table: Annotated[GroupList, Meta(description="Tiles: the melds on the table.")] = []


EXAMPLE = {
    "ruleset": "indian-13",
    "wild": "Q",
    "groups": [["5H", "6H", "7H"], ["6D", "7D", "QS", "9D"]],
    "loose": ["KS"],
}


class Best(msgspec.Struct):
    """The best arrangement of the cards."""

    groups: list[list[str]]
    layoffs: list[dict[str, Any]]
    loose: list[str]
    points: int


class Judged(msgspec.Struct):
    """What is said about cards; games add what is theirs (`most_tiles`, `knock_discards`)."""

    valid: bool
    groups: list[dict[str, Any]]
    findings: list[dict[str, Any]]
    points: int
    declarable: bool
    best: Best


@operation(
    scope=Scope.AUDITS_RUN,
    body={JSON: Question, NDJSON: None},
    examples={"body": {JSON: EXAMPLE}},
    answers={200: {JSON: Judged, NDJSON: None}},
    produces=(JSON, NDJSON),
    problems=("bad-json", "bad-value", "cannot-be-judged", "too-large"),
)
def judge(request: HttpRequest) -> HttpResponse:
    """Judge a hand of cards; nothing is stored. As `manage.py judge`.

    With NDJSON, up to 200 questions are answered, a line each, in their order; at most 10 of
    them of more than 40 cards or tiles.
    """
    kind = bodies.check_type(request, (JSON, NDJSON))
    with bodies.spooled(request, most=bodies.MOST_JSON) as body:
        if kind == NDJSON:
            lines = body.read().split(b"\n")
            if len(lines) > _MOST_QUESTIONS + 1:
                raise Problem(
                    "too-large",
                    _("At most %(most)s questions.") % {"most": _MOST_QUESTIONS},
                    most=_MOST_QUESTIONS,
                )
            if judging.count_large(lines) > _MOST_LARGE:
                why = _("At most %(most)s questions of more than %(large)s cards or tiles at once.")
                said_most = {"most": _MOST_LARGE, "large": judging.LARGE}
                raise Problem("too-large", why % said_most, most=_MOST_LARGE)
            said = [msgspec.json.encode(each) + b"\n" for each in judging.judge_batch(lines)]
            return answer(b"".join(said), media_type=NDJSON)
        asked = bodies.converted(strict_json.loads(body.read()), Question)
    try:
        said_one = judging.judge(
            cards=(*asked.cards, *asked.loose),
            groups=asked.groups,
            rules=asked.ruleset,
            wild=asked.wild,
            house=asked.rules,
            lay_on=asked.lay_on,
            table=asked.table,
        )
    except JudgeError as error:
        detail = _("Found %(found)s, expected %(expected)s.") % {
            "found": shown(error.found) or _("nothing"),
            "expected": error.expected,
        }
        place = {"pointer": strict_json.pointer((error.part,))}
        raise Problem("cannot-be-judged", detail, place=place) from None
    return answer(said_one)


class Audited(msgspec.Struct):
    """The report of several hands; docs/report.schema.json says all of it."""

    schema: int
    engine: str
    hands: list[dict[str, Any]]
    matches: list[dict[str, Any]]
    errors: list[dict[str, Any]]


@operation(
    scope=Scope.AUDITS_RUN,
    body=dict.fromkeys(TAKEN),
    answers={200: Audited},
    problems=("bad-json", "bad-encoding", "too-large"),
    most_bytes=_MOST_AUDITED,
)
def audit(request: HttpRequest) -> HttpResponse:
    """Audit up to 200 hands; nothing is stored. As `manage.py audit`.

    What cannot be read stands in `errors` with its place, the other hands go on. Hands that
    name the same match are audited as that match too.
    """
    kind = bodies.check_type(request, TAKEN)
    with bodies.spooled(request, most=_MOST_AUDITED) as body:
        content = body.read()
    if kind == JSON:
        content = as_lines(hand_in_json(content))
    said = files.report_in(content, most=_MOST_HANDS)
    if said is None:
        why = _("At most %(most)s hands.") % {"most": _MOST_HANDS}
        raise Problem("too-large", why, most=_MOST_HANDS)
    return answer(said)
