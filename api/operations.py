"""An operation of the API: what it needs, takes and answers, said once beside its function.

::

    @operation(scope=Scope.HANDS_READ, query=Search, answers={200: HandPage})
    def hand_list(request, *, query): ...

    urlpatterns = [path("hands", route(get=hand_list, post=hands_in))]

From the same words come the checks of every request and the OpenAPI document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from api import bodies, queries, scopes, throttle
from api.auth import KeyOrSession
from api.problems import Problem, handle
from replays.models.people import Scope

JSON = "application/json"
_ANY = "*/*"

Function = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True)
class Operation:
    """What an operation needs, takes and answers.

    ``scope`` None: open to everybody. ``query`` is a struct of parameters (api.queries).
    ``body`` is a struct for a JSON body, or media types of a body that the function reads
    by itself. ``answers`` are structs, or media types, by status. ``problems`` are codes
    beside those that every operation can answer. ``headers`` are request headers by name,
    ``examples`` what stands in the document: ``body``, and answers by status.
    """

    scope: Scope | None
    query: type[msgspec.Struct] | None = None
    body: Any = None
    answers: Mapping[int, Any] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    examples: Mapping[str, Any] = field(default_factory=dict)
    produces: tuple[str, ...] = (JSON,)
    most_bytes: int = bodies.MOST_JSON
    etag: bool = False

    def __post_init__(self) -> None:
        """Refuse an example that the document would pass over."""
        if stray := set(self.examples) - {"body", *map(str, self.answers)}:
            raise ValueError(f"examples of {stray}: no answer of that status")


def operation(*, scope: Scope | None, **words: Any) -> Callable[[Function], Function]:
    """Say what the function below needs, takes and answers."""

    def around(function: Function) -> Function:
        function.operation = Operation(scope=scope, **words)  # type: ignore[attr-defined]
        return function

    return around


def route(**functions: Function) -> Any:
    """Return the view of an address: an operation for each method, ``get=…, post=…``."""
    methods = {method: _method(function) for method, function in functions.items()}
    name = next(iter(functions.values())).__name__
    return type(name, (Route,), {"functions": functions, **methods}).as_view()


def _method(function: Function) -> Function:
    said: Operation = function.operation  # type: ignore[attr-defined]

    def method(_view: Route, request: Request, **ids: Any) -> HttpResponse:
        http = request._request  # noqa: SLF001 - the framework's own way to the request below
        taken: dict[str, Any] = {}
        if said.query is not None:
            taken["query"] = queries.query_of(http, said.query)
        else:
            queries.query_of(http, _Nothing)
        if isinstance(said.body, type):
            taken["body"] = bodies.json_body(http, said.body, most=said.most_bytes)
        return function(http, **ids, **taken)

    method.__name__ = function.__name__
    method.__doc__ = function.__doc__
    return method


class _Nothing(msgspec.Struct):
    """No parameters."""


class Route(APIView):
    """The steps before every operation: method, form of the answer, who asks, may they."""

    authentication_classes = [KeyOrSession]
    permission_classes: list[Any] = []
    parser_classes: list[Any] = []
    http_method_names = ["get", "head", "post", "put", "patch", "delete"]
    functions: Mapping[str, Function] = {}
    format_kwarg = None

    def get_exception_handler(self) -> Any:
        """Answer problems as documents."""
        return handle

    def get_renderers(self) -> list[BaseRenderer]:
        """Return one for each form that the operation can answer in."""
        method = (self.request.method or "").lower() if self.request else ""
        function = self.functions.get("get" if method == "head" else method)
        produces = function.operation.produces if function else (JSON,)  # type: ignore[attr-defined]
        return [_renderer(media_type) for media_type in produces]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:  # noqa: ARG002
        """Check what every operation checks, in one order for all of them."""
        method = (request.method or "").lower()
        function = self.functions.get("get" if method == "head" else method)
        if function is None:
            raise exceptions.MethodNotAllowed(request.method or "")
        said: Operation = function.operation  # type: ignore[attr-defined]
        http = request._request  # noqa: SLF001
        self.perform_authentication(request)
        # Also what is refused costs: asking for what a key may not do is asking.
        if request.auth is not None:
            throttle.spend(request.auth)
        if said.scope is not None:
            scopes.require(http.viewer, said.scope)
        if http.META.get("HTTP_ACCEPT", _ANY) == _ANY:
            http.accepted = said.produces[0]
            return
        try:
            renderer, _media_type = self.perform_content_negotiation(request)
        except exceptions.NotAcceptable:
            raise Problem("not-acceptable", known=list(said.produces)) from None
        http.accepted = renderer.media_type

    def handle_exception(self, exc: Exception) -> HttpResponse:
        """As the framework does, with the methods that there are."""
        response = super().handle_exception(exc)
        if response.status_code == 405:  # noqa: PLR2004 - the status of its name
            response["Allow"] = ", ".join(sorted(self.functions)).upper()
        return response


def _renderer(media_type: str) -> BaseRenderer:
    one = BaseRenderer()
    one.media_type, one.format, one.charset = media_type, media_type, None
    return one


def answer(
    value: Any,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    media_type: str = JSON,
) -> HttpResponse:
    """Return a value as JSON, or bytes in the form that ``media_type`` says."""
    body = value if isinstance(value, bytes) else msgspec.json.encode(value)
    made = HttpResponse(body, status=status, content_type=media_type, headers=dict(headers or {}))
    made["Cache-Control"] = "private, no-store"
    return made


@csrf_exempt
def unknown_route(request: HttpRequest, _rest: str = "") -> HttpResponse:
    """Answer for addresses that the API does not have."""
    del request
    return handle(Problem("no-such-route"), {})
