"""The app of what is stored and what became of it."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate

from replays import standing


def _before_migrating(*, plan: Sequence[Any] = (), **_kwargs: Any) -> None:
    from replays import storage  # noqa: PLC0415 - models load after the app

    if plan:
        storage.lift_guards_to_alter()


def _after_migrating(**_kwargs: Any) -> None:
    from replays import storage  # noqa: PLC0415 - models load after the app
    from replays.models import default_club  # noqa: PLC0415 - as above

    storage.set_guards()
    default_club()


class ReplaysConfig(AppConfig):
    """Hands, logs, uploads, work and audits."""

    name = "replays"
    verbose_name = "Hands"

    def ready(self) -> None:
        """See to it that logs are guarded and the one club exists wherever the tables do."""
        pre_migrate.connect(_before_migrating, sender=self)
        post_migrate.connect(_after_migrating, sender=self)
        standing.watch()
