"""Words in the place of codes, and cards, everywhere the same: ``{% load words %}``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from replays import rule_words, trail_words, wording
from replays.models.hands import Verdict
from replays.models.people import Role, Scope, called
from replays.models.webhooks import WebhookEvent
from rummy_audit.rules.findings import codes
from rummy_audit.rules.rulesets import FAMILIES, parameters

register = template.Library()

register.filter("preset", rule_words.preset)
register.filter("setting_value", rule_words.value)
register.filter("verb", trail_words.said)
register.filter("format_words", wording.format_words)
register.filter("moment", wording.moment)
register.filter("called", called)


# Django's own ``get_verdict_display`` makes its table of words anew for each row of a list.
_VERDICTS = {verdict.value: verdict.label for verdict in Verdict}


@register.filter
def verdict_words(verdict: str) -> str:
    """Return the verdict on a hand in words."""
    return str(_VERDICTS.get(verdict, verdict))


@register.filter
def event_words(name: str) -> str:
    """Return what a webhook's event tells of, in words."""
    return str(dict(WebhookEvent.choices).get(name, name))


_CODE = re.compile(r"`([^`]+)`")


@register.filter
def prose(text: str) -> SafeString:
    r"""Return a text as it stands in a docstring: paragraphs, and what is in backticks as code.

    >>> prose("It says `seq`,\nalways.\n\nThen more.")
    '<p>It says <code>seq</code>, always.</p><p>Then more.</p>'
    """
    paragraphs = (" ".join(each.split()) for each in re.split(r"\n\s*\n", text) if each.strip())
    told = (_CODE.sub(r"<code>\1</code>", escape(each)) for each in paragraphs)
    # Each paragraph was escaped before its tags went in.
    return mark_safe("".join(f"<p>{each}</p>" for each in told))  # noqa: S308


@register.filter
def scope_words(name: str) -> str:
    """Return what a key may do by one of its scopes, in words."""
    return str(dict(Scope.choices).get(name, name))


@register.filter
def role_words(name: str) -> str:
    """Return what a member of a club is, in words."""
    return str(dict(Role.choices).get(name, name))


_DIGEST = re.compile(r"[0-9a-f]{64}")


@register.filter
def digest(value: object) -> object:
    """Return a digest by its first letters, whole in its title; anything else as it is."""
    said = str(value)
    if not _DIGEST.fullmatch(said):
        return value
    return format_html('<span title="{}">{}…</span>', said, said[:16])


@register.filter
def setting(name: str) -> SafeString:
    """Return a setting in words, with the name that logs use in its title."""
    return format_html('<span title="{}">{}</span>', name, rule_words.setting(name))


_SETTING = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")


@register.filter
def with_settings(text: str, family: str) -> SafeString:
    """Return a text with each setting that it names in words, as a link to what rulebooks say."""

    def told(named: re.Match[str]) -> str:
        games = (game for game in (family, *FAMILIES) if named[0] in parameters(game))
        game = next(games, None)
        if game is None:
            return named[0]
        address = reverse("parameter", args=[game, named[0]])
        return format_html('<a href="{}">{}</a>', address, rule_words.setting(named[0]))

    # The text is escaped, and each link was made from escaped parts.
    return mark_safe(_SETTING.sub(told, escape(text)))  # noqa: S308


@register.filter
def finding(code: str) -> SafeString:
    """Return a finding's title with its code small behind it, as a link to what it means."""
    known = codes().get(code)
    if known is None:
        return format_html("<code>{}</code>", code)
    link = '<a href="{}">{} <code class="code">{}</code></a>'
    return format_html(link, reverse("code", args=[code]), known.title, code)


@register.filter
def drawn(card: Mapping[str, Any]) -> SafeString:
    """Return a card of ``drawing.card_items`` as it is drawn."""
    return _drawn(tuple(card.items()), get_language())


# A page draws the same few cards hundreds of times.
@lru_cache(maxsize=1024)
def _drawn(card: tuple[tuple[str, Any], ...], _language: str | None) -> SafeString:
    html = render_to_string("replays/_card.html", {"card": dict(card)})
    # Rendered by a template of ours, which escaped what came from outside.
    return mark_safe(html.strip())  # noqa: S308
