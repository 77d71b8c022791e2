"""docs/following.md, gone through with curl against a running service."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from replays import audit, keys, uploads
from replays.models.people import Scope
from tests.services.missing import missing

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(
    r"^```sh api\n(?P<script>.*?)^```\n(?:\n*^```text\n(?P<output>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)
RUMMY = 'rummy() { curl --silent --show-error --header "Authorization: Bearer $KEY" "$@"; }\n'
END = "--- the end of a block ---"


@pytest.mark.django_db(transaction=True)
def test_following_is_as_the_page_shows(live_server, alice, tmp_path):
    for program in ("curl", "jq"):
        if not shutil.which(program):
            missing(f"no {program} on this machine (Debian and Ubuntu: apt install {program})")
    page = (ROOT / "docs" / "following.md").read_text(encoding="utf-8")
    shown = [(each["script"], each["output"] or "") for each in BLOCK.finditer(page)]
    assert len(shown) > 5
    _key, secret = keys.make_key(alice, name="docs", scopes=tuple(Scope))
    with (ROOT / "docs" / "examples" / "wrong-declaration.rhl").open("rb") as content:
        uploads.receive(content, club=alice.club, source="shop-1")
    audit.audit_due()

    run = subprocess.run(
        [*BASH, RUMMY + f"\necho '{END}'\n".join(script for script, _ in shown)],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "ADDRESS": live_server.url, "KEY": secret},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (run.returncode, run.stderr) == (0, "")
    told = [each.strip() for each in run.stdout.split(f"{END}\n")]
    assert told == [output.strip() for _, output in shown]


BASH = ["bash", "-eu", "-o", "pipefail", "-c"]
