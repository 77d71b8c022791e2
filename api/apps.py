"""The Django app of the REST interface."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The REST interface: thin views over what ``replays`` does."""

    name = "api"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Have answers that are kept for a while forget a person too."""
        from api import once  # noqa: PLC0415 - models load after the app
        from replays import privacy  # noqa: PLC0415 - as above

        privacy.also_forget.append(once.forget)
