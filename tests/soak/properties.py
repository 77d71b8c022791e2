"""Try what the tests of format and rules draw by chance, many times as often.

``python -m tests.soak.properties --effort 20`` runs the tests of format, rules and the second
referees with twenty times the cases of ``.ci/run``.
"""

import argparse
import os
import subprocess
import sys

WHERE = ("tests/rhl", "tests/rules", "tests/reference")


def main():
    """Run pytest with that effort; return what it returned."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--effort", type=int, default=20)
    options.add_argument("where", nargs="*", default=WHERE)
    asked = options.parse_args()
    command = [sys.executable, "-m", "pytest", "-q", "--timeout=0", *asked.where]
    env = {**os.environ, "RUMMY_AUDIT_EFFORT": str(asked.effort)}
    return subprocess.run(command, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
