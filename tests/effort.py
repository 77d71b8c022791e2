"""How hard the tests try that draw or sweep their cases: a third in ./test, all in .ci/run.

``RUMMY_AUDIT_EFFORT=20`` tries twenty times as many; ``python -m tests.soak.properties`` sets it.
"""

import os

EFFORT = max(1, int(os.environ.get("RUMMY_AUDIT_EFFORT", "1")))
WHOLE = EFFORT > 1 or os.environ.get("RUMMY_AUDIT_REQUIRE_SERVICES") == "1"


def tries(count: int) -> int:
    """Return how many cases to try where ``.ci/run`` tries so many."""
    return count * EFFORT if WHOLE else max(1, count // 3)


def some(cases):
    """Return the cases to go through: all of them, in ``./test`` every third."""
    return [*cases][:: 1 if WHOLE else 3]
