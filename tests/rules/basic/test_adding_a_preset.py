"""Adding a preset is one TOML file: the ones docs/adding-a-preset.md shows are dropped in."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "adding-a-preset.md").read_text(encoding="utf-8")
SHOWN = dict(re.findall(r"^```toml\n# (\S+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))

JUDGE = """
from rummy_audit.rules.judging import judge_text
from rummy_audit.rules.rulesets import ruleset
from rummy_audit.rhl.read import read
from rummy_audit.rules.replay import replay
import sys
exec(sys.stdin.read())
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the engine with the shown files dropped in, and nothing else changed."""
    copy = tmp_path_factory.mktemp("house")
    ignore = shutil.ignore_patterns("__pycache__")
    for part in ("rhl", "rules"):
        shutil.copytree(ROOT / "rummy_audit" / part, copy / "rummy_audit" / part, ignore=ignore)
    (copy / "rummy_audit" / "__init__.py").touch()
    for path, text in SHOWN.items():
        (copy / path).write_text(text, encoding="utf-8")
    return copy


def said(house, script):
    run = subprocess.run(
        [sys.executable, "-c", JUDGE],
        cwd=house,
        input=script,
        capture_output=True,
        check=False,
        text=True,
    )
    assert run.stderr == ""
    return run.stdout.split()


def test_the_page_shows_two_presets():
    assert [Path(path).name for path in SHOWN] == ["round-the-corner@1.toml", "block@1.toml"]


def test_round_the_corner_lets_the_ace_be_between(house):
    script = """
for name in ("round-the-corner", "round-the-corner@1", "basic"):
    print(judge_text("QS KS AS 2S |", rules=name)["valid"])
rules = ruleset("round-the-corner", players=3)
print(rules["hand_size"])
print(rules.source("ace").replace(" ", "_"))
print(rules.source("set_max").partition(",")[0].replace(" ", "_"))
"""

    assert said(house, script) == ["True", "True", "False", "7", "004_Variations", "not_stated"]


LOG = """hand b1 rhl=1 ruleset=block detail=full dealer=1
player 1
player 2
rules hand_size=21
deal 2 KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS KH QH JH TH 9H 8H 7H 6H
deal 1 5H 4H 3H 2H AH KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D AD KC QC JC
upcard TC
{turns}
score 1=130 2=155
end
"""
TURNS = "\n".join(
    f"draw {2 - n % 2} stock {rank}C\ndiscard {2 - n % 2} {rank}C"
    for n, rank in enumerate("98765432A")
)


def test_block_rummy_charges_everybody_after_the_pack_was_gone_through_once(house):
    script = f"""
(hand,) = read({LOG.format(turns=TURNS)!r}.encode())
found = replay(hand)
print(found.verdict, found.result.outcome, *found.result.scores.values())
"""

    assert said(house, script) == ["clean", "exhausted", "130", "155"]


def test_the_engine_itself_has_not_got_them():
    assert not [path for path in SHOWN if (ROOT / path).exists()]
