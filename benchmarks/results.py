"""The results of benchmarks: a line of JSON each in results.jsonl, from which benchmarks/report.py makes the tables.

A run is kept where BENCHMARK_RECORD=1 is set, which is for quiet machines:

    BENCHMARK_RECORD=1 .venv/bin/python -m benchmarks.rest
"""

import json
import os
import platform
import subprocess
from collections.abc import Mapping
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "benchmarks" / "results.jsonl"


def record(subject: str, what: str, figures: Mapping[str, str]) -> None:
    """Keep the figures of one row, by column. A later result takes the place of the same row and column."""
    if os.environ.get("BENCHMARK_RECORD") == "1":
        append({"subject": subject, "what": what, "figures": dict(figures), **origin()})


def origin() -> dict[str, object]:
    head = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(head, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    python = platform.python_version()
    return {"date": str(date.today()), "commit": commit, "python": python, "load": round(os.getloadavg()[0], 1)}


def append(line: Mapping[str, object]) -> None:
    with FILE.open("a") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")
