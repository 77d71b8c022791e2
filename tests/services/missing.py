"""What happens when a machine lacks a service that a test needs."""

import os
from typing import NoReturn

import pytest

REQUIRED = os.environ.get("RUMMY_AUDIT_REQUIRE_SERVICES") == "1"


def missing(reason: str) -> NoReturn:
    """Skip the test with the reason; where services are required (.ci/run), fail it."""
    if REQUIRED:
        pytest.fail(f"{reason}; RUMMY_AUDIT_REQUIRE_SERVICES=1 wants it", pytrace=False)
    pytest.skip(reason)
