"""Making many tables at once, for a migration that stands for many."""

from collections.abc import Sequence
from typing import Any

from django.db.migrations import CreateModel
from django.db.migrations.operations.base import Operation


class Tables(Operation):
    """Create models together.

    Django renders all models that hang together anew for each ``CreateModel``; with
    forty of them that takes longer than all else in a first start. Here they are rendered once.
    """

    reduces_to_sql = True
    reversible = True

    def __init__(self, models: Sequence[CreateModel]) -> None:
        """Remember the models, in an order of no importance."""
        self.models = list(models)

    def state_forwards(self, app_label: str, state: Any) -> None:
        """Add all models; they are rendered when somebody asks."""
        state.__dict__.pop("apps", None)
        for model in self.models:
            model.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: Any, _from_state: Any, to_state: Any
    ) -> None:
        """Create the tables; what they ask of each other is set at the end."""
        for model in self.models:
            schema_editor.create_model(to_state.apps.get_model(app_label, model.name))

    def database_backwards(
        self, app_label: str, schema_editor: Any, from_state: Any, _to_state: Any
    ) -> None:
        """Drop the tables again."""
        for model in reversed(self.models):
            schema_editor.delete_model(from_state.apps.get_model(app_label, model.name))

    def describe(self) -> str:
        """Say what it does."""
        return f"Create {len(self.models)} models"
