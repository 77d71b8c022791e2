"""Django's admin, where it is switched on: to look at what is stored, not to change it."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from replays import models


class LookOnly(admin.ModelAdmin):
    """Shows rows; adding, changing and deleting are for the business verbs."""

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, _request: HttpRequest, _row: Any = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _row: Any = None) -> bool:
        """Refuse."""
        return False


@admin.register(models.HandLog)
class HandLogAdmin(LookOnly):
    """Hands, with how far their log goes."""

    list_display = ["name", "event", "ruleset", "verdict", "seq", "ingested_at"]
    list_filter = ["verdict", "detail"]
    search_fields = ["name", "event", "public_id"]


@admin.register(models.AuditJob)
class AuditJobAdmin(LookOnly):
    """Audits that are owed, and those that failed."""

    list_display = ["log", "due", "attempts", "failed", "reason"]
    list_filter = ["failed"]


@admin.register(models.Upload)
class UploadAdmin(LookOnly):
    """Files, with what became of them."""

    list_display = ["file", "received_at", "created", "appended", "duplicate", "conflict"]


admin.site.register([models.Club, models.Player, models.Audit], LookOnly)
