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
    try:
        execute_from_command_line(sys.argv)
    except BrokenPipeError:
        # Whoever reads has seen enough, as `head` has. Nothing more is to be written at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
