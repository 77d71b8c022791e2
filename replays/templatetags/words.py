"""Words in the place of codes, and cards, everywhere the same: ``{% load words %}``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from replays import rule_words, trail_words, wording
from replays.models.webhooks import WebhookEvent
from rummy_audit.rules.findings import codes

register = template.Library()

register.filter("preset", rule_words.preset)
register.filter("setting_value", rule_words.value)
register.filter("verb", trail_words.said)
register.filter("format_words", wording.format_words)


@register.filter
def event_words(name: str) -> str:
    """Return what a webhook's event tells of, in words."""
    return str(dict(WebhookEvent.choices).get(name, name))


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
