"""The pages of docs/ that come from data say what the data says."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_docs_from_data_are_up_to_date():
    run = subprocess.run(
        [sys.executable, "tools/write_docs.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (run.stdout, run.returncode) == ("", 0)
