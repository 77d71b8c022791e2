#!/usr/bin/env python3
"""Run a command of rummy-audit: ``manage.py up``, ``manage.py audit FILE``, ``manage.py help``."""

import gc
import os
import sys

if __name__ == "__main__":
    # Nothing of what a command loads is garbage: looking for it takes a tenth of a start.
    gc.set_threshold(20_000)
    from django.core.management import execute_from_command_line

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_audit.settings")
    execute_from_command_line(sys.argv)
