"""The first hour of docs/api.md, gone through with curl against a running service."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from replays import keys
from replays.models.people import Scope
from tests.services.missing import missing

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(
    r"^```sh api\n(?P<script>.*?)^```\n(?:\n*^```text\n(?P<output>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)
END = "--- the end of a block ---"


@pytest.fixture
def shown():
    return [
        (found["script"], found["output"] or "")
        for found in BLOCK.finditer((ROOT / "docs" / "api.md").read_text(encoding="utf-8"))
    ]


@pytest.mark.django_db(transaction=True)
def test_the_first_hour_is_as_the_page_shows(live_server, alice, shown, tmp_path):
    for program in ("curl", "jq"):
        if not shutil.which(program):
            missing(f"no {program} on this machine (Debian and Ubuntu: apt install {program})")
    _key, secret = keys.make_key(alice, name="docs", scopes=tuple(Scope))
    (tmp_path / "docs").symlink_to(ROOT / "docs")

    run = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", f"\necho '{END}'\n".join(s for s, _ in shown)],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "ADDRESS": live_server.url, "KEY": secret},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (run.returncode, run.stderr) == (0, "")
    assert [each.lstrip("\n") for each in run.stdout.split(f"{END}\n")] == [o for _, o in shown]
