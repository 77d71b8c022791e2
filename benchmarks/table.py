"""Run all benchmarks, one after another, and write the table of targets.

    python -m benchmarks.table [--growth 100000] [--seconds 60] [--only NAME ...]

Prints what was measured, the target and the aim, and writes ``benchmarks/RESULTS.md`` with the
machine's description. The machine should have nothing else to do. What needs something that
is not installed here (``pip install -r requirements/bench.txt``) is listed as not run.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from tests.services.postgres import binaries

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "RESULTS.md"
# A benchmark that takes longer than this is ended, and the table says so.
MOST_SECONDS = 3600
# Benchmarks, and what has to be there for each beside the service itself.
NEEDS: dict[str, tuple[str, ...]] = {
    "engine_indian": ("orjson",),
    "engine_gin": ("pyspiel",),
    "arrange": ("orjson",),
    "arrange_tile": ("rummikub_solver",),
    "ingest": ("postgresql",),
    "drain": ("postgresql",),
    "everything": ("postgresql",),
    "growth": ("postgresql",),
    "upload": ("postgresql",),
}
# About how many seconds each takes on two quiet cores of 2.8 GHz.
SECONDS = {
    "engine_indian": 60,
    "engine_gin": 90,
    "arrange": 30,
    "arrange_tile": 60,
    "ingest": 60,
    "drain": 90,
    "everything": 40,
    "growth": 60,
    "upload": 60,
}
Line = dict[str, object]


def missing(needs: tuple[str, ...]) -> str:
    """Return what is not installed here."""
    return ", ".join(
        need
        for need in needs
        if (binaries() is None if need == "postgresql" else find_spec(need) is None)
    )


def rows_of(name: str, arguments: list[str]) -> tuple[list[Line], str]:
    """Run one benchmark; return its rows and, where there are none, why."""
    if lacking := missing(NEEDS[name]):
        return [], f"not run: {lacking} is not installed"
    print(f"{name} ...", file=sys.stderr, flush=True)
    began = time.monotonic()
    done = subprocess.Popen(
        [sys.executable, HERE / f"{name}.py", "--json", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    why = ""
    try:
        out, err = done.communicate(timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        # Asked to end, it takes away what it has started.
        done.send_signal(signal.SIGINT)
        out, err = done.communicate()
        why = f"stopped after {MOST_SECONDS / 60:.0f} minutes"
    print(f"    {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    rows = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    if done.returncode in (0, 1) and rows:
        return rows, why
    print(err, file=sys.stderr)
    said = err.strip().splitlines() or ["it said nothing"]
    return rows, why or f"stopped: {said[-1][:100]}".replace("|", "/")


def number(value: object) -> str:
    """Return a number as people read it: at most three places, no needless noughts."""
    if value is None:
        return "–"
    plain = float(str(value))
    return f"{plain:,.0f}" if abs(plain) >= 100 else f"{plain:.3g}"


def table(found: dict[str, tuple[list[Line], str]]) -> str:
    """Return the table of targets."""
    lines = ["| what | measured | target | stretch | |", "|---|---|---|---|---|"]
    for name, (rows, why) in found.items():
        if why:
            lines.append(f"| {name} | {why} | | | |")
        for row in rows:
            sign = "≤" if row.get("less") else "≥"
            aim = "" if row["stretch"] is None else f"{sign} {number(row['stretch'])}"
            measured = f"{number(row['measured'])} {row['unit']}".replace(" x", " ×")
            word = "met" if row["met"] else "**not met**"
            target = f"{sign} {number(row['target'])}"
            lines.append(f"| {row['name']} | {measured} | {target} | {aim} | {word} |")
    return "\n".join(lines) + "\n"


def details(found: dict[str, tuple[list[Line], str]]) -> str:
    """Return what each figure stands on."""
    lines = [f"- {row['name']}: {row['detail']}." for rows, _ in found.values() for row in rows]
    return "\n".join(lines) + "\n"


def machine() -> str:
    """Return what this machine is, and how busy it was before."""
    info = Path("/proc/cpuinfo")
    names = [
        line.partition(":")[2].strip()
        for line in (info.read_text(encoding="utf-8").splitlines() if info.exists() else [])
        if line.startswith("model name")
    ]
    postgres = "none"
    if folder := binaries():
        said = subprocess.run(
            [folder / "postgres", "--version"], capture_output=True, text=True, check=False
        )
        postgres = said.stdout.strip()
    return "\n".join(
        [
            f"- cores: {os.cpu_count()}, {names[0] if names else platform.machine()}",
            f"- Python {platform.python_version()}, {postgres}",
            f"- {platform.system()} {platform.release()}",
            f"- {datetime.datetime.now(datetime.UTC):%Y-%m-%d %H:%M} UTC, load at the start "
            + " ".join(f"{load:.2f}" for load in os.getloadavg()),
        ]
    )


def minutes(names: list[str], wanted: argparse.Namespace) -> float:
    """Return about how long these benchmarks take on a quiet machine."""
    units = {"growth": wanted.growth / 1000 / 3, "everything": wanted.seconds}
    return sum(SECONDS[name] + units.get(name, 0) for name in names) / 60


def main() -> int:
    """Run all, print the table, write the results; 0 if all that ran met its target."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--growth", type=int, default=100_000, help="hands, default: 100000")
    parser.add_argument("--seconds", type=int, default=60, help="of everything, default: 60")
    parser.add_argument("--only", nargs="+", choices=NEEDS, help="these, and write no file")
    wanted = parser.parse_args()
    about = machine()
    sizes = ",".join(str(size) for size in (100_000, 1_000_000) if size < wanted.growth)
    more = {"growth": ["--sizes", f"{sizes},{wanted.growth}".lstrip(",")]}
    more["everything"] = ["--seconds", str(wanted.seconds)]
    asked = wanted.only or list(NEEDS)
    print(f"about {minutes(asked, wanted):.0f} minutes", file=sys.stderr, flush=True)
    found = {name: rows_of(name, more.get(name, [])) for name in asked}
    print(table(found))
    print(details(found))
    if not wanted.only:
        head = "# Benchmarks\n\nWritten by `python -m benchmarks.table`. Ratios are taken within "
        head += "one run, so they hold on other machines too; the absolute figures do not.\n"
        parts = [head, about + "\n", table(found), details(found)]
        RESULTS.write_text("\n".join(parts), encoding="utf-8")
    return int(
        any(why.startswith("stopped") for _, why in found.values())
        or not all(row["met"] for rows, _ in found.values() for row in rows)
    )


if __name__ == "__main__":
    sys.exit(main())
