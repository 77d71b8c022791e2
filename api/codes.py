"""Finding codes: what each means, what to do about it, and the clauses behind it."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import Http404, HttpRequest, HttpResponse
from msgspec import Meta

from api.operations import answer, operation
from api.shapes import Answer
from rummy_audit.rules.clauses import clauses_behind
from rummy_audit.rules.findings import SEVERITY, Code, codes
from rummy_audit.rules.rulesets import FAMILIES

FamilyWord = Literal[FAMILIES]
SeverityWord = Literal["error", "breach", "note"]


class ClauseShown(Answer):
    """What rulebooks say in one place, in our words, and the parameters that hold it."""

    family: FamilyWord
    sources: Annotated[list[str], Meta(examples=[["001 Set Rules"]])]
    words: str
    parameters: list[str]


class CodeShown(Answer):
    """A kind of finding. Its code is never renamed."""

    code: Annotated[str, Meta(examples=["set-repeated-suit"])]
    category: str
    severity: SeverityWord
    title: str
    what: str
    remedy: str
    clauses: list[ClauseShown]


class CodeList(Answer):
    """Every kind of finding, by category."""

    codes: list[CodeShown]


@operation(scope=None, answers={200: CodeList})
def code_list(request: HttpRequest) -> HttpResponse:
    """Every finding code that there is."""
    del request
    return answer(CodeList(codes=[_shown(each) for each in codes().values()]))


@operation(scope=None, answers={200: CodeShown}, problems=("not-found",))
def code(request: HttpRequest, name: str) -> HttpResponse:
    """One finding code: what it means, what to do, and the clauses behind it."""
    del request
    known = codes().get(name)
    if known is None:
        raise Http404
    return answer(_shown(known))


def _shown(known: Code) -> CodeShown:
    return CodeShown(
        code=known.code,
        category=known.category,
        severity=known.severity or SEVERITY[known.category],
        title=known.title,
        what=known.what,
        remedy=known.remedy,
        clauses=[
            ClauseShown(
                family=each.family,
                sources=list(each.sources),
                words=each.words,
                parameters=list(each.parameters),
            )
            for each in clauses_behind(known.code)
        ],
    )
