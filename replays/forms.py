"""Forms of the pages."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from rummy_audit.rhl.limits import MAX_TEXT

MOST_FILES = 20


class FilesInput(forms.FileInput):
    """A file field that takes several files."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several files at once, up to twenty."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        """Return the files; none is no error here, the pasted text may stand for them."""
        files = data if isinstance(data, list | tuple) else [data] if data else []
        if len(files) > MOST_FILES:
            raise forms.ValidationError(_("Send at most twenty files at a time."))
        return [super(FilesField, self).clean(file, initial) for file in files]


class UploadForm(forms.Form):
    """Logs as files, as pasted text, or both."""

    files = FilesField(required=False, allow_empty_file=True, label=_("Files"))
    text = forms.CharField(
        required=False,
        strip=False,
        label=_("Or paste the log"),
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "class": "log"}),
    )
    event = forms.CharField(
        required=False,
        max_length=MAX_TEXT,
        label=_("Evening or tournament"),
        help_text=_("So that a paper number like T4-17 may come again next week."),
    )

    def clean(self) -> dict[str, Any]:
        """Something must have been sent."""
        cleaned = super().clean() or {}
        if not self.errors and not cleaned.get("files") and not cleaned.get("text", "").strip():
            raise forms.ValidationError(_("Choose a file or paste a log, then send it."))
        return cleaned
