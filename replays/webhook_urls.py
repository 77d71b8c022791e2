"""Addresses of the pages of webhooks."""

from django.urls import path

from replays.views import webhooks

urlpatterns = [
    path("webhooks", webhooks.webhook_list, name="webhooks"),
    path("webhooks/<slug:public_id>", webhooks.webhook, name="webhook"),
    path(
        "webhooks/<slug:public_id>/messages/<slug:delivery_id>/resend",
        webhooks.resend,
        name="webhook-resend",
    ),
]
