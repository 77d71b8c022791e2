"""The OpenAPI document, as it is and as a page to read."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from api import problems
from api.hands_out import etagged
from api.operations import JSON, answer, operation


def _document() -> dict[str, Any]:
    # What makes it loads slowly, and a web server starts often without being asked for it.
    from api import openapi  # noqa: PLC0415

    return openapi.document()


@operation(scope=None, answers={200: (JSON,)})
def openapi(request: HttpRequest) -> HttpResponse:
    """The document itself: every operation with what it takes, answers and refuses."""
    return etagged(request, answer(_document()))


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """The document as a page to read."""
    told = _document()
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, methods in told["paths"].items():
        for method, said in methods.items():
            groups.setdefault(said["tags"][0], []).append(_row(path, method, said, told))
    kinds = [
        {"code": code, "status": kind.status, "title": kind.title, "next": kind.next}
        for code, kind in problems.KINDS.items()
    ]
    ctx = {"groups": groups.items(), "kinds": kinds, "title": _("The API")}
    return render(request, "api/docs.html", ctx)


def _row(path: str, method: str, said: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    body = said.get("requestBody", {}).get("content", {})
    return {
        **said,
        "path": path,
        "method": method.upper(),
        "scope": said.get("x-scope", ""),
        "bodies": [_form(media_type, each, told) for media_type, each in body.items()],
        "answers": [
            {
                "status": status,
                "description": each["description"],
                "forms": [
                    _form(media_type, content, told)
                    for media_type, content in each.get("content", {}).items()
                    if media_type != problems.MEDIA_TYPE
                ],
                "codes": list(
                    each.get("content", {}).get(problems.MEDIA_TYPE, {}).get("examples", {})
                ),
            }
            for status, each in said["responses"].items()
        ],
    }


def _form(media_type: str, content: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    name = content["schema"].get("$ref", "").rpartition("/")[2]
    schema = told["components"]["schemas"].get(name, {})
    example = content.get("example")
    return {
        "media_type": media_type,
        "name": name,
        "description": schema.get("description", ""),
        "fields": [
            {"name": field, "description": each.get("description", ""), "kind": _kind(each)}
            for field, each in schema.get("properties", {}).items()
        ],
        "example": example
        if example is None or isinstance(example, str)
        else msgspec.json.format(msgspec.json.encode(example)).decode(),
    }


def _kind(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return ", ".join(_kind(each) for each in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    kind = str(schema.get("format") or schema.get("type", ""))
    return f"list of {_kind(schema['items'])}" if kind == "array" and "items" in schema else kind
