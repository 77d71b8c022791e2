"""Addresses of the pages of shadow runs."""

from django.urls import path

from replays.views import shadow

urlpatterns = [
    path("shadow", shadow.run_list, name="shadow-runs"),
    path("shadow/<slug:public_id>", shadow.run, name="shadow-run"),
    path("shadow/<slug:public_id>/policy/<slug:code>", shadow.policy, name="shadow-policy"),
]
