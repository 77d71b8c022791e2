"""Write the pages of docs/ that come from data: the findings, and the rules as parameters.

python tools/write_docs.py          writes them
python tools/write_docs.py --check  says whether they are as they should be
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from rummy_audit.rules.findings import SEVERITY, codes  # noqa: E402 - after the path
from rummy_audit.rules.rulesets import FAMILIES, parameters, presets, ruleset  # noqa: E402

TITLES = {
    "indian": "Indian rummy, 13 cards",
    "basic": "Basic rummy",
    "gin": "Gin rummy",
    "tile": "Tile rummy",
}


def findings() -> str:
    """Return docs/findings.md: every code, what it says and what to do."""
    lines = [
        "# Findings",
        "",
        "Every kind of finding. A code is never renamed. An error breaks the result, a breach",
        "the order of play, a note only says so; what the table dealt with rightly is a note.",
        "Each has a log in which it is found; the golden hands under `tests/hands/` show more.",
    ]
    logs = (ROOT / "replays" / "code_examples.rhl").read_text(encoding="utf-8").split("\n\n")
    category = ""
    for code in codes().values():
        if code.category != category:
            category = code.category
            lines += ["", f"## {category.capitalize()} ({SEVERITY[code.category]})"]
        severity = f" ({code.severity})" if code.severity else ""
        lines += ["", f"### `{code.code}`{severity}", "", f"**{code.title}.** {code.what}"]
        lines += ["", f"What to do: {code.remedy}"] if code.remedy else []
        named = re.compile(rf"hand {code.code}(-[0-9]+)? ")
        shown = "\n\n".join(log.strip() for log in logs if named.match(log))
        lines += ["", "```text", shown, "```"]
    return "\n".join(lines) + "\n"


def rulesets() -> str:
    """Return docs/rulesets.md: the parameters of each game, and what each preset says."""
    lines = [
        "# Rulesets",
        "",
        "A ruleset is a preset of a game, pinned by version (`indian-13@1`), with the match",
        "format, the number of players and the house rules of a hand on top, in this order. Each",
        "value has the place it comes from: rulebook and section, “common practice”, or “not",
        "stated”.",
    ]
    for family in FAMILIES:
        columns = [(p, ruleset(p.name)) for p in presets().values() if p.family == family]
        if not columns:
            continue
        lines += ["", f"## {TITLES[family]}", ""]
        lines += [f"- `{preset.name}`: {preset.title}" for preset, _ in columns]
        for parameter in parameters(family).values():
            lines += ["", f"### `{parameter.name}`", "", f"{parameter.words}"]
            lines += ["", f"It may be {parameter.expected}.", ""]
            lines += [
                f"- `{preset.name}`: `{rules[parameter.name]}` ({rules.source(parameter.name)})"
                for preset, rules in columns
            ]
    return "\n".join(lines) + "\n"


PAGES = {"docs/findings.md": findings, "docs/rulesets.md": rulesets}


def main() -> int:
    """Write the pages, or with ``--check`` name those that are out of date."""
    stale = 0
    for name, page in PAGES.items():
        path, text = ROOT / name, page()
        if "--check" in sys.argv[1:]:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                print(f"{name} is out of date: run tools/write_docs.py")
                stale = 1
        else:
            path.write_text(text, encoding="utf-8")
    return stale


if __name__ == "__main__":
    sys.exit(main())
