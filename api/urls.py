"""Addresses of the API, below ``/api/v1/``."""

from django.urls import path, re_path

from api import hands_in, hands_out, judging, live, openapi_pages, operations, urls_of_clubs
from api.operations import route

app_name = "api"

_hands = [
    path("hands", route(get=hands_out.hand_list, post=hands_in.hands_in), name="hands"),
    path("hands/<slug:public_id>", route(get=hands_out.hand), name="hand"),
    path("hands/<slug:public_id>/log", route(get=hands_out.hand_log), name="hand-log"),
    path("hands/<slug:public_id>/report", route(get=hands_out.report), name="hand-report"),
    path("hands/<slug:public_id>/findings", route(get=hands_out.findings), name="hand-findings"),
    path("hands/<slug:public_id>/steps", route(get=hands_out.steps), name="hand-steps"),
    path("hands/<slug:public_id>/events", route(post=live.events_in), name="hand-events"),
    path("uploads/<slug:public_id>", route(get=hands_in.upload_shown), name="upload"),
    path("judge", route(post=judging.judge), name="judge"),
    path("audit", route(post=judging.audit), name="audit"),
]

urlpatterns = [
    path("openapi.json", route(get=openapi_pages.openapi), name="openapi"),
    path("docs", openapi_pages.docs, name="docs"),
    *_hands,
    *urls_of_clubs.routes,
    # What no address above takes: a problem document too.
    re_path(r"^((?s:.*))$", operations.unknown_route),
]
