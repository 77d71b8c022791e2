#!/usr/bin/env python3
"""Run a command of rummy-audit: ``manage.py up``, ``manage.py audit FILE``, ``manage.py help``."""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_audit.settings")
    execute_from_command_line(sys.argv)
