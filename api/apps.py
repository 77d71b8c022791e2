"""The Django app of the REST interface."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The REST interface: thin views over what ``replays`` does."""

    name = "api"
    default_auto_field = "django.db.models.BigAutoField"
