"""The first page: for a newcomer three doors, and what is new."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from replays.queries import newest_hands

_NEW = 8


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Say what to do first, and show the newest verdicts to those who may see them."""
    return render(request, "replays/home.html", {"hands": newest_hands(request.viewer, most=_NEW)})
