"""docs/api.md and docs/following.md, gone through with curl against a running service.

The keys have the scopes that the page gives its own, and no others.
"""

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
DOCS = ROOT / "docs"
BLOCK = re.compile(
    r"^```sh api\n(?P<script>.*?)^```\n(?:\n*^```text\n(?P<output>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)
SCOPES = re.compile(r"^  --scopes (\S+)$", re.MULTILINE)
BASH = ("bash", "-eu", "-o", "pipefail", "-c")
END = "--- the end of a block ---"


def page(name):
    return (DOCS / name).read_text(encoding="utf-8")


def shown(name):
    """The scripts of a page and what it shows of their answers."""
    return [(each["script"], (each["output"] or "").strip()) for each in BLOCK.finditer(page(name))]


@pytest.fixture
def go_through(live_server, alice, tmp_path):
    """Run the scripts of a page one after another; gives what each of them printed."""
    for program in ("curl", "jq"):
        if not shutil.which(program):
            missing(f"no {program} on this machine (Debian and Ubuntu: apt install {program})")
    (tmp_path / "docs").symlink_to(DOCS)

    def go_through(name, *before):
        (scopes,) = SCOPES.findall(page(name))
        _key, secret = keys.make_key(alice, name="docs", scopes=map(Scope, scopes.split(",")))
        scripts = [script for script, _output in shown(name)]
        run = subprocess.run(
            [*BASH, "\n".join([*before, f"\necho '{END}'\n".join(scripts)])],
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], "ADDRESS": live_server.url, "KEY": secret},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (run.returncode, run.stderr) == (0, "")
        return [each.strip() for each in run.stdout.split(f"{END}\n")]

    return go_through


@pytest.mark.django_db(transaction=True)
def test_the_first_hour_is_as_the_page_shows(go_through):
    assert go_through("api.md") == [output for _script, output in shown("api.md")]


@pytest.mark.django_db(transaction=True)
def test_following_is_as_the_page_shows(go_through, alice):
    with (DOCS / "examples" / "wrong-declaration.rhl").open("rb") as content:
        uploads.receive(content, club=alice.club, source="shop-1")
    audit.audit_due()
    rummy = next(script for script, _output in shown("api.md") if script.startswith("rummy() "))

    assert go_through("following.md", rummy) == [o for _script, o in shown("following.md")]
