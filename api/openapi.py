"""The OpenAPI document, made from what each operation says of itself."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from functools import cache
from http import HTTPStatus
from typing import Any, cast

import msgspec
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema

from api import problems, shapes
from api.operations import JSON, Operation, Route

_REF = "#/components/schemas/{name}"
_PARAMETER = re.compile(r"{(\w+)}")
_ID = msgspec.json.schema(shapes.PublicId)
_ALWAYS = (
    "bad-request",
    "bad-parameter",
    "unknown-parameter",
    "not-signed-in",
    "not-acceptable",
    "too-many-requests",
    "our-fault",
    "not-available",
)
_SCOPED = ("missing-scope", "no-club", "csrf")
_WITH_BODY = ("too-large", "unsupported-media-type", "bad-encoding")
_TEXT: dict[str, Any] = {"type": "string"}


class OperationSchema(AutoSchema):
    """One operation as OpenAPI tells it."""

    def get_operation(
        self, path: str, path_regex: str, path_prefix: str, method: str, registry: Any
    ) -> dict[str, Any] | None:
        """Return what the function behind this method says of itself."""
        del path_prefix, registry
        functions = cast("Route", self.view).functions
        function = functions[method.lower()]
        said: Operation = function.operation  # type: ignore[attr-defined]
        told = inspect.getdoc(function) or ""
        summary, _blank, more = told.partition("\n\n")
        made: dict[str, Any] = {
            "operationId": function.__name__,
            "summary": " ".join(summary.split()),
            "tags": [path.split("/")[3]],
            "parameters": [*_in_path(path, path_regex), *_in_query(said), *_in_headers(said)],
            "responses": _responses(said, path),
            "security": [{"key": []}] if said.scope else [],
        }
        if more:
            made["description"] = more
        if said.scope:
            made["x-scope"] = said.scope.value
        if bodies := dict(_bodies(said)):
            made["requestBody"] = {"required": True, "content": bodies}
        return made


# --- parameters --------------------------------------------------------------------------------


def _in_path(path: str, path_regex: str) -> Iterator[dict[str, Any]]:
    for name in _PARAMETER.findall(path):
        schema: dict[str, Any] = {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"}
        if f"<int:{name}>" in path_regex:
            schema = {"type": "integer", "minimum": 0}
        elif name.endswith("_id"):
            schema = _ID
        yield {"name": name, "in": "path", "required": True, "schema": schema}


def _in_query(said: Operation) -> Iterator[dict[str, Any]]:
    if said.query is None:
        return
    for name, schema in _properties(said.query).items():
        bare = {key: value for key, value in schema.items() if key != "description"}
        if {"type": "null"} in (kinds := bare.get("anyOf", [])):
            # What is left out of an address is no null.
            kept = [kind for kind in kinds if kind != {"type": "null"}]
            bare = kept[0] if len(kept) == 1 else {"anyOf": kept}
            schema = {**bare, **schema}  # noqa: PLW2901 - the description of either
            bare = {key: value for key, value in bare.items() if key != "description"}
        one = {"name": name, "in": "query", "required": False, "schema": bare}
        if "description" in schema:
            one["description"] = schema["description"]
        yield one


def _properties(shape: type[msgspec.Struct]) -> dict[str, Any]:
    [_ref], components = msgspec.json.schema_components([shape], ref_template=_REF)
    return dict(components[shape.__name__]["properties"])


def _in_headers(said: Operation) -> Iterator[dict[str, Any]]:
    for name, description in said.headers.items():
        yield {
            "name": name,
            "in": "header",
            "required": False,
            "description": description,
            "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"},
        }


# --- bodies and answers ------------------------------------------------------------------------


def _bodies(said: Operation) -> Iterator[tuple[str, dict[str, Any]]]:
    # Text has no schema: what is sent as such is never of a wrong type.
    yield from _content(said.body, said.examples.get("body"), text={})


def _content(
    what: Any, example: Any = None, *, text: dict[str, Any] = _TEXT
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield media types with their schema: a struct is JSON, a word is a media type of text."""
    if what is None:
        return
    if isinstance(what, type):
        what = {JSON: what}
    if not isinstance(what, Mapping):
        what = dict.fromkeys((what,) if isinstance(what, str) else what)
    for media_type, shape in what.items():
        bare = {"type": "object"} if media_type == JSON else text
        made: dict[str, Any] = {"schema": bare if shape is None else _ref(shape)}
        one = example
        if isinstance(example, Mapping) and set(example) <= set(what):
            one = example.get(media_type)
        elif shape is None:
            one = None
        if one is not None:
            made["example"] = one
        yield media_type, made


def _ref(shape: Any) -> dict[str, Any]:
    return {"$ref": _REF.format(name=shape.__name__)}


def _responses(said: Operation, path: str) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for status, what in said.answers.items():
        made[str(status)] = {"description": HTTPStatus(status).phrase}
        if content := dict(_content(what, said.examples.get(str(status)))):
            made[str(status)]["content"] = content
    if said.etag:
        made["304"] = {"description": "As If-None-Match says, it has not changed."}
    codes = dict.fromkeys((*_codes(said, path), *said.problems))
    by_status: dict[int, list[str]] = {}
    for code in codes:
        by_status.setdefault(problems.KINDS[code].status, []).append(code)
    for status, several in sorted(by_status.items()):
        made[str(status)] = {
            "description": "; ".join(str(problems.KINDS[code].title) for code in several),
            "content": {
                problems.MEDIA_TYPE: {
                    "schema": _ref(shapes.Problem),
                    "examples": {code: {"value": _example(code)} for code in several},
                }
            },
        }
    return made


def _codes(said: Operation, path: str) -> Iterator[str]:
    yield from _ALWAYS
    if said.scope:
        yield from _SCOPED
    if "{" in path:
        yield from ("not-found", "no-such-route")
    if said.body is not None:
        yield from _WITH_BODY


def _example(code: str) -> dict[str, Any]:
    return problems.document(problems.Problem(code))


# --- the whole ---------------------------------------------------------------------------------


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI document; it is the same for everybody."""
    generator = SchemaGenerator()
    made: dict[str, Any] = generator.get_schema(request=None, public=True)
    components = made.setdefault("components", {})
    components["schemas"] = _schemas(generator)
    components["securitySchemes"] = {
        "key": {"type": "http", "scheme": "bearer", "description": "A key of your club."}
    }
    return made


def _schemas(generator: SchemaGenerator) -> dict[str, Any]:
    found: dict[str, type] = {"Problem": shapes.Problem}
    for _path, _regex, _method, callback in generator.endpoints:
        for function in callback.cls.functions.values():
            said = function.operation
            for what in (said.body, *said.answers.values()):
                kinds = what.values() if isinstance(what, Mapping) else [what]
                found |= {kind.__name__: kind for kind in kinds if isinstance(kind, type)}
    _refs, components = msgspec.json.schema_components(found.values(), ref_template=_REF)
    return dict(sorted(components.items()))
