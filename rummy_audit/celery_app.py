"""The Celery application. Its messages are only wake-ups: the database owns the work."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_audit.settings")

app = Celery("rummy_audit")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["replays"])
