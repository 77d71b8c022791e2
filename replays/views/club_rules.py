"""The club's own rules: saved once in versions, named, in force from a day, printable."""

from __future__ import annotations

import datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from replays import evenings, rule_words, rulesets_of_clubs
from replays.access import needs
from replays.models import ClubRuleset
from replays.models.people import Scope
from replays.rulesets_of_clubs import RulesetProblemsError
from rummy_audit.rules import rulesets
from rummy_audit.rules.rulesets import Parameter, Preset, Ruleset, Value


@require_safe
@needs(Scope.RULESETS_READ)
def club_rules(request: HttpRequest) -> HttpResponse:
    """The club's rulesets, each with its versions."""
    groups: dict[str, list[ClubRuleset]] = {}
    for row in ClubRuleset.objects.for_user(request.viewer).order_by("slug", "-version"):
        groups.setdefault(row.slug, []).append(row)
    today = timezone.localdate()
    ctx = {
        "groups": [
            {"rows": rows, "now": rulesets_of_clubs.rules_at(request.viewer.club, slug, today)}
            for slug, rows in groups.items()
        ],
        "presets": list(rulesets.presets().values()),
    }
    return render(request, "replays/club_rules.html", ctx)


@require_safe
@needs(Scope.RULESETS_READ)
def club_rules_version(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """One version: only what differs from its preset, each value with both sources."""
    row = _get_version_for_user(request, slug, version)
    own = rulesets.ruleset(rulesets_of_clubs.preset_of(row))
    base = rulesets.ruleset(row.base)
    names = rulesets.parameters(own.family)
    ctx = {
        "row": row,
        "base": rulesets.presets()[row.base],
        "family": own.family,
        "differs": [
            {
                "parameter": names[name],
                "value": own[name],
                "source": own.source(name),
                "below": base[name],
                "below_source": base.source(name),
            }
            for name in names
            if name in row.settings
        ],
        "today": timezone.localdate(),
    }
    return render(request, "replays/club_rules_version.html", ctx)


def _get_version_for_user(request: HttpRequest, slug: str, version: int) -> ClubRuleset:
    mine = ClubRuleset.objects.for_user(request.viewer)
    return get_object_or_404(mine, slug=slug, version=version)


# --- a new version -----------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Scope.RULESETS_WRITE)
def club_rules_edit(request: HttpRequest, slug: str = "") -> HttpResponse:
    """Write a ruleset, or the next version of one: every setting of the game with its choices."""
    mine = ClubRuleset.objects.for_user(request.viewer)
    before = mine.filter(slug=slug).order_by("-version").first() if slug else None
    if slug and before is None:
        raise Http404
    base = _base(request, before)
    own = rulesets_of_clubs.preset_of(before) if before else base
    typed = request.POST if request.method == "POST" else None
    name = typed.get("name", "") if typed else before.name if before else ""
    problems: list[dict[str, Any]] = []
    if typed is not None:
        settings = _settings(base, typed)
        called = " ".join(name.split())[:100]
        try:
            made = rulesets_of_clubs.make_ruleset_version(
                viewer=request.viewer,
                slug=slug or rulesets_of_clubs.slug_for(request.viewer.club, called),
                name=called,
                base=base.name,
                settings=settings,
            )
        except RulesetProblemsError as error:
            problems = [
                {
                    "parameter": each.parameter,
                    "words": rule_words.setting(each.parameter),
                    "found": each.found,
                    "expected": each.expected,
                }
                for each in error.problems
            ]
        else:
            return redirect("club-rules-version", made.slug, made.version)
    ctx = {
        "before": before,
        "base": base,
        "name": name,
        "problems": problems,
        "topics": _topics(rulesets.ruleset(base.name), rulesets.ruleset(own), typed),
    }
    return render(request, "replays/club_rules_edit.html", ctx)


def _base(request: HttpRequest, before: ClubRuleset | None) -> Preset:
    asked = request.POST.get("base") or request.GET.get("base") or (before and before.base)
    known = rulesets.presets()
    if asked not in known:
        raise Http404
    return known[asked]


def _settings(base: Preset, typed: Any) -> dict[str, Value]:
    """Return what differs from the preset; what is no lawful value goes on as it was typed."""
    plain = rulesets.ruleset(base.name)
    settings: dict[str, Value] = {}
    for parameter in rulesets.parameters(base.family).values():
        text = typed.get(parameter.name, "").strip()
        if text and (value := _value(parameter, text)) != plain[parameter.name]:
            settings[parameter.name] = value
    return settings


def _value(parameter: Parameter, text: str) -> Value:
    if parameter.type == "bool":
        return {"yes": True, "no": False}.get(text, text)
    if parameter.type in ("int", "limit") and text.isascii() and text.removeprefix("-").isdigit():
        return int(text[:9])
    return text[:40]


def _topics(plain: Ruleset, own: Ruleset, typed: Any) -> list[dict[str, Any]]:
    """Return the settings by topic, each as it stands in the preset and in the club's rules."""
    topics: dict[str, list[dict[str, Any]]] = {}
    for parameter in rulesets.parameters(plain.family).values():
        name = parameter.name
        value = typed.get(name, "") if typed is not None else _typed(own[name])
        topics.setdefault(parameter.topic, []).append(
            {
                "parameter": parameter,
                "choices": _choices(parameter),
                "value": value,
                "below": _typed(plain[name]),
                "source": plain.source(name),
                "differs": value != _typed(plain[name]),
            }
        )
    return [
        {"name": topic, "rows": rows, "differs": any(row["differs"] for row in rows)}
        for topic, rows in topics.items()
    ]


def _typed(value: Value) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _choices(parameter: Parameter) -> list[str]:
    if parameter.type == "bool":
        return ["yes", "no"]
    return list(parameter.choices) if parameter.type in ("choice", "int") else []


@require_POST
@needs(Scope.RULESETS_WRITE)
def club_rules_activate(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Put a version in force from a day on."""
    row = _get_version_for_user(request, slug, version)
    try:
        day = datetime.date.fromisoformat(request.POST.get("valid_from", ""))
    except ValueError:
        messages.error(request, _("Choose the day from which these rules hold."))
    else:
        rulesets_of_clubs.activate_ruleset(viewer=request.viewer, version=row, valid_from=day)
        said = _("%(rules)s hold from %(day)s.") % {"rules": row.pinned, "day": day.isoformat()}
        messages.success(request, said)
    return redirect("club-rules-version", row.slug, row.version)


@require_POST
@needs(Scope.ADMIN)
def club_money(request: HttpRequest) -> HttpResponse:
    """Switch stakes and amounts on or off for the club."""
    evenings.switch_money(viewer=request.viewer, on=request.POST.get("money") == "on")
    return redirect("club-rules")
