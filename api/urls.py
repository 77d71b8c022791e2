"""Addresses of the API, below ``/api/v1/``."""

from django.urls import re_path

from api import operations

app_name = "api"

urlpatterns = [
    # What no address above takes: a problem document too.
    re_path(r"^(.*)$", operations.unknown_route),
]
