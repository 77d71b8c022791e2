"""Pages of uploads: send files or text, and see what became of each hand."""

from __future__ import annotations

import io
from typing import BinaryIO, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from replays.access import needs
from replays.forms import UploadForm
from replays.models import Upload
from replays.models.people import Scope
from replays.models.uploads import OutcomeKind
from replays.uploads import TooLargeError, receive

_NEWEST = 20
_OUTCOMES = 200
_TROUBLE = (OutcomeKind.REJECTED, OutcomeKind.CONFLICT)


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Scope.HANDS_WRITE)
def upload(request: HttpRequest) -> HttpResponse:
    """Take files and pasted text in; each file is answered by itself."""
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        taken = _receive_all(request, form)
        if taken:
            return redirect("uploaded", ",".join(each.public_id for each in taken))
    status = 400 if form.errors else 200
    newest = Upload.objects.for_user(request.viewer).order_by("-id")[:_NEWEST]
    ctx = {"form": form, "uploads": newest, "megabytes": settings.UPLOAD_MOST_BYTES >> 20}
    return render(request, "replays/upload.html", ctx, status=status)


def _receive_all(request: HttpRequest, form: UploadForm) -> list[Upload]:
    contents: list[tuple[str, BinaryIO]] = [
        (file.name or _("a file"), cast("BinaryIO", file)) for file in form.cleaned_data["files"]
    ]
    if text := form.cleaned_data["text"].strip():
        contents.append((_("pasted text"), io.BytesIO(text.encode())))
    taken = []
    for name, content in contents:
        try:
            taken.append(
                receive(
                    content,
                    club=request.viewer.club,
                    viewer=request.viewer,
                    file=name,
                    event=form.cleaned_data["event"],
                )
            )
        except TooLargeError:
            form.add_error(
                "files",
                _("%(file)s is larger than %(most)s MB. Cut it into smaller files and send those.")
                % {"file": name, "most": settings.UPLOAD_MOST_BYTES >> 20},
            )
    return taken


@require_safe
@needs(Scope.HANDS_WRITE)
def uploaded(request: HttpRequest, ids: str) -> HttpResponse:
    """What became of every hand of these files; what could not be taken comes first."""
    wanted = ids.split(",")[:_NEWEST]
    found = {
        each.public_id: each
        for each in Upload.objects.for_user(request.viewer).filter(public_id__in=wanted)
    }
    if not found:
        get_object_or_404(Upload.objects.for_user(request.viewer), public_id=wanted[0])
    uploads = [_upload_item(found[each]) for each in wanted if each in found]
    ctx = {
        "uploads": uploads,
        "working": any(item["working"] for item in uploads),
        "again": reverse("uploaded", args=[ids]),
    }
    template = "replays/_uploaded.html" if "X-Fragment" in request.headers else None
    return render(request, template or "replays/uploaded.html", ctx)


def _upload_item(each: Upload) -> dict[str, object]:
    outcomes = each.outcomes.select_related("log")
    trouble = list(outcomes.filter(kind__in=_TROUBLE).order_by("number")[:_OUTCOMES])
    taken = list(outcomes.exclude(kind__in=_TROUBLE).order_by("number")[:_OUTCOMES])
    total = each.created + each.appended + each.duplicate + each.conflict + each.rejected
    waiting = any(one.log and one.log.verdict == "waiting" for one in taken)
    for one in trouble:
        one.text = bytes(one.raw or b"")[:2000].decode("utf-8", "replace")
    return {
        "upload": each,
        "trouble": trouble,
        "taken": taken,
        "total": total,
        "refused": each.rejected + each.conflict,
        "more": total - len(trouble) - len(taken),
        "working": waiting or (each.finished_at is None and not each.failed),
    }
