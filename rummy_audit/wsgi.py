"""What a WSGI server such as gunicorn runs."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_audit.settings")

application = get_wsgi_application()
