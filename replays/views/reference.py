"""Pages of reference: what each finding means, and the rules as parameters with their sources."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from replays import code_examples
from rummy_audit.rules.findings import SEVERITY, Code, codes
from rummy_audit.rules.rulesets import FAMILIES, Preset, Ruleset, parameters, presets, ruleset

FAMILY_TITLES = {
    "indian": "Indian rummy, 13 cards",
    "basic": "Basic rummy",
    "gin": "Gin rummy",
    "tile": "Tile rummy",
}


@require_safe
def code_list(request: HttpRequest) -> HttpResponse:
    """Every kind of finding, by category."""
    categories: dict[str, list[Code]] = {}
    for code in codes().values():
        categories.setdefault(code.category, []).append(code)
    ctx = {
        "categories": [
            {"name": name, "severity": SEVERITY[name], "codes": listed}
            for name, listed in categories.items()
        ],
    }
    return render(request, "replays/codes.html", ctx)


@require_safe
def code_page(request: HttpRequest, code: str) -> HttpResponse:
    """One kind of finding: what it means, what to do, and a log in which it is found."""
    known = codes().get(code)
    if known is None:
        raise Http404
    ctx = {
        "code": known,
        "severity": known.severity or SEVERITY[known.category],
        "example": code_examples.example(code),
    }
    return render(request, "replays/code.html", ctx)


def _families() -> list[str]:
    return [family for family in FAMILIES if any(p.family == family for p in presets().values())]


@require_safe
def ruleset_list(request: HttpRequest) -> HttpResponse:
    """The games, and the rulesets of each."""
    ctx = {
        "families": [
            {
                "name": family,
                "title": FAMILY_TITLES[family],
                "presets": [p for p in presets().values() if p.family == family],
            }
            for family in _families()
        ],
    }
    return render(request, "replays/rulesets.html", ctx)


def _columns(family: str) -> list[tuple[Preset, Ruleset]]:
    return [(p, ruleset(p.name)) for p in presets().values() if p.family == family]


def _row(family: str, name: str, columns: list[tuple[Preset, Ruleset]]) -> dict[str, Any]:
    values = [rules[name] for _, rules in columns]
    return {
        "parameter": parameters(family)[name],
        "address": reverse("parameter", args=[family, name]),
        "cells": [
            {"preset": preset, "value": rules[name], "source": rules.source(name)}
            for preset, rules in columns
        ],
        "differs": any(value != values[0] for value in values),
    }


@require_safe
def family_page(request: HttpRequest, family: str) -> HttpResponse:
    """The presets of a game as columns, its parameters as rows; what differs comes first."""
    if family not in _families():
        raise Http404
    columns = _columns(family)
    rows = [_row(family, name, columns) for name in parameters(family)]
    rows.sort(key=lambda row: not row["differs"])
    ctx = {
        "family": family,
        "title": FAMILY_TITLES[family],
        "presets": [preset for preset, _ in columns],
        "rows": rows,
    }
    return render(request, "replays/family.html", ctx)


@require_safe
def parameter_page(request: HttpRequest, family: str, name: str) -> HttpResponse:
    """One parameter: what it decides, its range, and what each rulebook says."""
    if family not in _families() or name not in parameters(family):
        raise Http404
    ctx = {
        "family": family,
        "title": FAMILY_TITLES[family],
        "row": _row(family, name, _columns(family)),
    }
    return render(request, "replays/parameter.html", ctx)
