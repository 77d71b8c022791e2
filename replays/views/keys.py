"""The keys of a club's programs: made, shown once, replaced, ended."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from replays import keys
from replays.access import needs
from replays.forms_of_people import KeyForm
from replays.models import ApiKey
from replays.models.people import Scope


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Scope.ADMIN)
def key_list(request: HttpRequest) -> HttpResponse:
    """The keys, newest first; a new one is shown here, this once."""
    form = KeyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        days = form.cleaned_data["days"]
        made = keys.make_key(
            request.viewer,
            name=form.cleaned_data["name"],
            scopes=[Scope(scope) for scope in form.cleaned_data["scopes"]],
            expires_at=timezone.now() + timedelta(days=days) if days else None,
        )
        return _page(request, KeyForm(), made=made)
    return _page(request, form)


def _page(
    request: HttpRequest, form: KeyForm, *, made: tuple[ApiKey, str] | None = None
) -> HttpResponse:
    rows = ApiKey.objects.for_user(request.viewer).order_by("-pk")
    now = timezone.now()
    listed = [(key, keys.state_of(key, now=now)) for key in rows]
    address = request.build_absolute_uri(reverse("api:hands"))
    ctx = {"keys": listed, "form": form, "made": made, "address": address}
    return render(request, "replays/keys.html", ctx, status=400 if form.errors else 200)


def _key(request: HttpRequest, prefix: str) -> ApiKey:
    return get_object_or_404(ApiKey.objects.for_user(request.viewer), prefix=prefix)


@require_POST
@needs(Scope.ADMIN)
def rotate(request: HttpRequest, prefix: str) -> HttpResponse:
    """Make the key that takes over; the old one is good for a week more."""
    return _page(request, KeyForm(), made=keys.rotate_key(request.viewer, _key(request, prefix)))


@require_POST
@needs(Scope.ADMIN)
def revoke(request: HttpRequest, prefix: str) -> HttpResponse:
    """End a key at once."""
    keys.revoke_key(request.viewer, _key(request, prefix))
    return redirect("keys")
