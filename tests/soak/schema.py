"""Try the whole schema of the API with many requests, and with values at the edge of each type.

``python -m tests.soak.schema`` sends 2,000 and more; ``./test`` does the same with some 300.
"""

import os
import subprocess
import sys

EACH = "60"


def main():
    command = [sys.executable, "-m", "pytest", "-q", "--timeout=1800"]
    environment = {"SCHEMA_EXAMPLES": EACH, **os.environ}
    return subprocess.run(
        [*command, "tests/api/test_schemathesis.py"], env=environment, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
