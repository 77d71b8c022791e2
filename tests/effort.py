"""How hard the tests try that draw their cases: little in ./test, more in a soak.

``RUMMY_AUDIT_EFFORT=20`` tries twenty times as many; ``python -m tests.soak.properties`` sets it.
"""

import os

EFFORT = max(1, int(os.environ.get("RUMMY_AUDIT_EFFORT", "1")))


def tries(count: int) -> int:
    """Return how many cases to try where ``./test`` tries so many."""
    return count * EFFORT
