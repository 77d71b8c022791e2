"""Settings of the tests: those of the project, in a folder of the test run's own."""

import atexit
import os
import shutil
import tempfile
from unittest import mock

_folder = tempfile.mkdtemp(prefix="rummy-tests-")
atexit.register(shutil.rmtree, _folder, ignore_errors=True)

# Only while they are read: programs that tests start get what the tests give them.
with mock.patch.dict(os.environ, {"RUMMY_AUDIT_VAR": _folder, "BROKER_URL": "memory://"}):
    from rummy_audit.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# A file, not memory: then threads and the live server wait for each other as they do outside.
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # noqa: F405
    DATABASES["default"]["TEST"] = {"NAME": f"{_folder}/tests.sqlite3"}  # noqa: F405
    # It need not outlive a power cut. What programs of their own store does, as anywhere.
    _options = DATABASES["default"]["OPTIONS"]  # noqa: F405
    _options["init_command"] = _options["init_command"].replace("=FULL", "=OFF")
# Else each new client of a test lists all static files at its first request: half of its time.
WHITENOISE_AUTOREFRESH = True
