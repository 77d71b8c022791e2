"""The web server's application with its pages loaded: processes forked from it start at once.

For ``gunicorn --preload``, where many processes are killed and started again.
"""

from django.urls import get_resolver

from rummy_audit.wsgi import application

__all__ = ["application"]

assert get_resolver().url_patterns
