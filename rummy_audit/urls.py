"""All addresses: the pages, the API, the probes, and the admin where it is switched on."""

from django.conf import settings
from django.urls import include, path

from rummy_audit.health import healthz, metrics_page, readyz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics_page, name="metrics"),
    path("account/", include("allauth.account.urls")),
    path("account/two-steps/", include("allauth.mfa.urls")),
    path("api/v1/", include("api.urls")),
    path("", include("replays.urls")),
]

handler400 = "api.refusals.bad_request"
handler404 = "api.refusals.not_found"
# Also what an error in a middleware ends in, before any view.
handler500 = "rummy_audit.outage.failed"

if settings.ADMIN:
    from django.contrib import admin

    urlpatterns.insert(0, path("admin/", admin.site.urls))
