"""Pages of uploads: send files or text, and see what became of each hand."""

from __future__ import annotations

import io
import re
from typing import Any, BinaryIO, cast

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from replays.access import Viewer, needs
from replays.conflicts import differences
from replays.forms import MOST_FILES, UploadForm
from replays.models import Outcome, Upload
from replays.models.people import Scope
from replays.models.uploads import OutcomeKind
from replays.uploads import TooLargeError, receive

_NEWEST = 20
# All that one form takes: its files, and the pasted text.
_MOST_SENT = MOST_FILES + 1
_OUTCOMES = 200
# Each is read and compared event by event when the page is asked for.
_COMPARED = 20
_REJECTED = OutcomeKind.REJECTED
_TROUBLE = (_REJECTED, OutcomeKind.CONFLICT)
# What somebody may want to put right on a page, and no bytes that are no text at all.
_MOST_TO_PUT_RIGHT = 64 * 1024
_PLAIN = re.compile(r"[^\x00-\x08\x0b\x0c\x0e-\x1f\ufffd]+")


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Scope.HANDS_WRITE)
def upload(request: HttpRequest) -> HttpResponse:
    """Take files and pasted text in; each file is answered by itself."""
    again = _again(request)
    form = UploadForm(request.POST or None, request.FILES or None, initial=again["initial"])
    if request.method == "POST" and form.is_valid():
        taken = _receive_all(request, form)
        if taken:
            # The others are in: what was not taken is said beside what became of them.
            for why in form.errors.get("files", ()):
                messages.error(request, why)
            return redirect("uploaded", ",".join(each.public_id for each in taken))
    status = 400 if form.errors else 200
    newest = Upload.objects.for_user(request.viewer).order_by("-id")[:_NEWEST]
    ctx = {
        "form": form,
        "uploads": newest,
        "megabytes": settings.UPLOAD_MOST_BYTES >> 20,
        "trouble": again["trouble"],
    }
    return render(request, "replays/upload.html", ctx, status=status)


def _again(request: HttpRequest) -> dict[str, Any]:
    """Return what could not be read of an upload (``?again=``), to be put right and sent again."""
    mine = Upload.objects.for_user(request.viewer)
    before = mine.filter(public_id=request.GET.get("again", "")).first()
    if before is None:
        return {"initial": {}, "trouble": []}
    trouble = _trouble(before, request.viewer)
    initial = {"text": _to_put_right(trouble), "event": before.event}
    return {"initial": initial, "trouble": [one for one in trouble if one.kind == _REJECTED]}


def _to_put_right(trouble: list[Outcome]) -> str:
    """Return the texts that could not be read, one after the other; nothing where one is no log."""
    texts = [bytes(one.raw or b"") for one in trouble if one.kind == _REJECTED]
    if not all(texts) or sum(map(len, texts)) > _MOST_TO_PUT_RIGHT:
        return ""
    try:
        whole = "\n".join(text.decode().strip() + "\n" for text in texts)
    except UnicodeDecodeError:
        return ""
    return whole if _PLAIN.fullmatch(whole) else ""


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
    wanted = ids.split(",")[:_MOST_SENT]
    found = {
        each.public_id: each
        for each in Upload.objects.for_user(request.viewer).filter(public_id__in=wanted)
    }
    if not found:
        get_object_or_404(Upload.objects.for_user(request.viewer), public_id=wanted[0])
    uploads = [_upload_item(found[each], request.viewer) for each in wanted if each in found]
    ctx = {
        "uploads": uploads,
        "working": any(item["working"] for item in uploads),
        "again": reverse("uploaded", args=[ids]),
    }
    template = "replays/_uploaded.html" if "X-Fragment" in request.headers else None
    return render(request, template or "replays/uploaded.html", ctx)


def _upload_item(each: Upload, viewer: Viewer) -> dict[str, object]:
    outcomes = each.outcomes.select_related("log")
    trouble = _trouble(each, viewer)
    taken = list(outcomes.exclude(kind__in=_TROUBLE).order_by("number")[:_OUTCOMES])
    total = each.created + each.appended + each.duplicate + each.conflict + each.rejected
    waiting = any(one.log and one.log.verdict == "waiting" for one in taken)
    advice = _advice(each) if total == each.rejected == 1 and not trouble[0].name else ""
    return {
        "upload": each,
        "taken_words": _taken_words(each),
        "advice": advice,
        # All that was refused, or what is left out would be forgotten.
        "can_be_put_right": not advice
        and each.rejected + each.conflict == len(trouble)
        and bool(_to_put_right(trouble)),
        "is_sheet": each.file.lower().endswith(_SHEETS),
        "trouble": trouble,
        "taken": taken,
        "total": total,
        "refused": each.rejected + each.conflict,
        "more_refused": each.rejected + each.conflict - len(trouble),
        "more": each.created + each.appended + each.duplicate - len(taken),
        "working": waiting or (each.finished_at is None and not each.failed),
    }


def _trouble(each: Upload, viewer: Viewer) -> list[Outcome]:
    found = each.outcomes.select_related("log").filter(kind__in=_TROUBLE)
    trouble = list(found.order_by("number")[:_OUTCOMES])
    compared = 0
    for one in trouble:
        text = bytes(one.raw or b"").decode("utf-8", "replace")
        one.text, one.spot = text[:2000], _spot(text, one.column, one.found)
        differs = one.kind == OutcomeKind.CONFLICT and one.log is not None
        if differs and compared < _COMPARED and viewer.may(Scope.HANDS_REVEAL):
            compared += 1
            one.differences = differences(one.log, bytes(one.raw or b""))
    return trouble


def _taken_words(upload: Upload) -> str:
    """Say how many hands came in as what; nothing of what there are none of."""
    said = (
        (upload.created, _("%s new")),
        (upload.appended, _("%s continued")),
        (upload.duplicate, _("%s already here")),
    )
    return ", ".join(words % count for count, words in said if count)


_SHEETS = (".xlsx", ".xlsm", ".xls", ".ods", ".csv", ".tsv")
_PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".gif", ".pdf")
_PACKED = (".zip", ".gz", ".7z", ".rar", ".tar")


def _advice(upload: Upload) -> str:
    """Say what to do with a file that holds no log at all, by the end of its name."""
    name = upload.file.lower()
    if name.endswith(_SHEETS):
        return _("This looks like a score sheet: it is read where score sheets are sent.")
    if name.endswith(_PICTURES):
        return _("A picture cannot be read. Type what it shows as a log, and paste that.")
    if name.endswith(_PACKED):
        return _("Unpack it, and send the logs that are in it.")
    return _("A log begins with a line like this one: %s") % (
        "hand T4-17 rhl=1 ruleset=indian-13 detail=shown"
    )


# What is shown of a long line before and after the place that could not be read.
_AROUND = 60


def _spot(text: str, column: int | None, found: str) -> tuple[str, str, str] | None:
    """Return the place that could not be read, with what stands before and after it there."""
    wanted, at = found.removeprefix('"').removesuffix('"'), (column or 0) - 1
    if not wanted or at < 0:
        return None
    for line in text.splitlines():
        if line.startswith(wanted, at):
            end = at + len(wanted)
            return line[max(0, at - _AROUND) : at], wanted, line[end : end + _AROUND]
    return None
