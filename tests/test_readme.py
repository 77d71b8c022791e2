"""The commands that the README and the pages of docs/ show are run, and say what is shown.

A fenced block opened with ```sh runs is run from the project's folder; ```sh runs=1 says that it
ends with exit code 1. A ```text block right behind it is what it prints; a line … stands for any
number of lines.
"""

import os
import re
import subprocess
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(
    r"^```sh runs(?:=(?P<status>\d+))?\n(?P<script>.*?)^```\n"
    r"(?:\n*^```text\n(?P<output>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)
LINK = re.compile(r"\]\((?P<target>[^)#:\s]+)(?:#[^)]*)?\)")


@dataclass(frozen=True)
class Shown:
    """A command of a page, with what it should print (None: not shown) and end with."""

    script: str
    output: str | None
    status: int


def shown(page):
    for found in BLOCK.finditer(page.read_text(encoding="utf-8")):
        yield Shown(found["script"], found["output"], int(found["status"] or 0))


def pattern(output):
    """Return a pattern for an output in which a line … stands for any lines."""
    lines = [
        "(?:.*\n)*?" if line.strip() == "…" else re.escape(line) + "\n"
        for line in output.splitlines()
    ]
    return re.compile("".join(lines))


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(command, id=f"{page.relative_to(ROOT)}-{number}")
        for page in PAGES
        for number, command in enumerate(shown(page), start=1)
    ],
)
def test_command_does_what_the_page_shows(command, tmp_path):
    run = subprocess.run(
        ["bash", "-eu", "-c", command.script],
        cwd=ROOT,
        env={**os.environ, "RUMMY_AUDIT_VAR": str(tmp_path), "DATABASE_URL": ""},
        stdin=subprocess.DEVNULL,
        check=False,
        capture_output=True,
        text=True,
    )

    assert (run.returncode, run.stderr) == (command.status, "")
    if command.output is not None:
        assert pattern(command.output).fullmatch(run.stdout), run.stdout


def test_the_readme_shows_both_commands_of_the_command_line():
    scripts = "".join(command.script for command in shown(ROOT / "README.md"))

    assert "manage.py judge" in scripts
    assert "manage.py audit" in scripts


def test_the_hand_to_paste_is_the_example_file():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    example = ROOT / "docs" / "examples" / "wrong-declaration.rhl"

    assert textwrap.indent(example.read_text(encoding="utf-8"), "   ") in readme


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_to_files_of_the_project_hold(page):
    targets = LINK.findall(page.read_text(encoding="utf-8"))

    assert [target for target in targets if not (page.parent / target).exists()] == []
