"""Write the tables of README.md and faults/README.md from results.jsonl: the newest figures, beside their goals.

    .venv/bin/python -m benchmarks.report [--check]

A table stands between the comments `results:SUBJECT` and `end`. `--check` writes nothing and fails where a table is
another one.
"""

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from benchmarks.goals import GOALS
from benchmarks.results import FILE, ROOT

PAGES = (ROOT / "benchmarks" / "README.md", ROOT / "benchmarks" / "faults" / "README.md")
TABLE = re.compile(r"(<!--results:([a-z-]+)-->\n).*?(?=<!--end-->)", re.DOTALL)


@dataclass
class Row:
    """The newest figure of each column, and the day of the newest."""

    figures: dict[str, str] = field(default_factory=dict)
    day: str = ""


Subjects = dict[str, dict[str, Row]]  # the rows of each subject, by name


def main(arguments: list[str]) -> int:
    subjects = read(FILE.read_text())
    for page in PAGES:
        text = page.read_text()
        if (wanted := with_tables(text, subjects)) == text:
            continue
        if "--check" in arguments:
            print(f"{page.relative_to(ROOT)} has other figures than results.jsonl. Run python -m benchmarks.report.")
            return 1
        page.write_text(wanted)
    return 0


def read(text: str) -> Subjects:
    subjects: Subjects = {}
    for line in map(json.loads, text.splitlines()):
        row = subjects.setdefault(line["subject"], {}).setdefault(line["what"], Row())
        row.figures |= line["figures"]
        row.day = line["date"]
    return subjects


def with_tables(text: str, subjects: Subjects) -> str:
    return TABLE.sub(lambda found: f"{found[1]}\n{table(found[2], subjects[found[2]])}\n\n", text)


def table(subject: str, rows: Mapping[str, Row]) -> str:
    goals = GOALS.get(subject, {})
    columns = list(dict.fromkeys(column for row in rows.values() for column in row.figures))
    lines = [["", *columns, "Goal"]]
    lines += [
        [what, *(row.figures.get(name, "") for name in columns), goals.get(what, "")] for what, row in rows.items()
    ]
    head, *body = (markdown(cells if goals else cells[:-1]) for cells in lines)
    days = sorted({row.day for row in rows.values()})
    measured = f"Measured {' to '.join(dict.fromkeys((days[0], days[-1])))}."
    return "\n".join([head, "|---" * (len(columns) + 1 + bool(goals)) + "|", *body, "", measured])


def markdown(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |".replace("|  |", "| |").replace("|  |", "| |")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
