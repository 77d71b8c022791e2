"""The pages of docs/ that come from data say what the data says."""

import re
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


def test_every_setting_of_the_environment_is_explained():
    code = (ROOT / "rummy_audit" / "settings.py").read_text()
    settings = set(re.findall(r'env_\w+\(\s*"(\w+)"', code))
    for script in ("web", "backup"):
        settings |= set(re.findall(r"\$\{(\w+):-", (ROOT / "deploy" / script).read_text()))
    told = (ROOT / "docs" / "operations.md").read_text()

    assert len(settings) > 20
    assert {name for name in settings if f"`{name}`" not in told} == set()


def test_every_command_is_explained():
    commands = ROOT.glob("replays/management/commands/[a-z]*.py")
    told = "".join(
        (ROOT / "docs" / name).read_text() for name in ("operations.md", "deployment.md")
    )

    assert {path.stem for path in commands if f"manage.py {path.stem}" not in told} == {"flush"}
