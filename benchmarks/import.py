"""Import a board of 10,000 cards from an export: time, memory above rest, and how long others wait for SQLite's write lock.

    .venv/bin/python -m benchmarks.import [cards]

Each card has a description of some 400 characters, two labels, every third a checklist of three, every second a comment.
On SQLite in a folder of its own; with DATABASE_URL set, on that database, which must be empty.
"""

import json
import os
import resource
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from benchmarks.results import record

TEXT = "Some words about what is to be done, **who** does it and by when. " * 2
MARKDOWN = f"# Why\n\n{TEXT}\n\n- [ ] first\n- [x] second\n\n{TEXT}"
PERSON = {"id": "p", "name": "Anna"}
AT = "2026-01-02T03:04:05Z"


def write_export(path: Path, cards: int) -> None:
    lists = [
        {"id": f"l{number}", "title": f"List {number}", "cardLimit": None, "archivedAt": None} for number in range(10)
    ]
    with path.open("w") as file:
        file.write('{"format":"taskboard-export","version":1,"boards":[')
        labels = [{"id": f"t{number}", "name": f"Label {number}", "color": "red"} for number in range(5)]
        head = {"id": "b", "title": "Big", "color": "blue", "createdAt": AT, "members": [PERSON], "labels": labels}
        file.write(json.dumps(head)[:-1] + ',"lists":[')
        for place, row in enumerate(lists):
            file.write("," * bool(place) + json.dumps(row)[:-1] + ',"cards":[')
            for at, number in enumerate(range(place, cards, len(lists))):
                file.write("," * bool(at) + json.dumps(a_card(number)))
            file.write("]}")
        file.write("]}]}")


def a_card(number: int) -> dict[str, Any]:
    steps = [{"id": str(place), "text": f"Step {place}", "done": False} for place in range(3)]
    return {
        "id": f"c{number}",
        "number": number + 1,
        "title": f"Card {number}",
        "description": MARKDOWN,
        "createdAt": AT,
        "updatedAt": AT,
        "createdBy": PERSON,
        "labelIds": ["t0", f"t{number % 4 + 1}"],
        "assigneeIds": [],
        "checklists": [{"id": "k", "title": "Steps", "items": steps}] if number % 3 == 0 else [],
        "comments": [{"id": "m", "author": PERSON, "body": TEXT, "createdAt": AT}] if number % 2 == 0 else [],
        "attachments": [],
    }


class Others:
    """Somebody else who writes all the time, and how long each time took."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._write)

    def __enter__(self) -> "Others":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _write(self) -> None:
        from django.db import connection, transaction
        from django.utils import timezone

        from accounts.models import User

        while not self._is_over.wait(0.05):
            began = time.perf_counter()
            with transaction.atomic():
                User.objects.filter(email="other@example.com").update(seen_at=timezone.now())
            self.waits.append(time.perf_counter() - began)
        connection.close()


def resident() -> float:
    """Return the memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def main() -> None:
    cards = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    os.environ |= {
        "TASKBOARD_DATA": tempfile.mkdtemp(prefix="taskboard-benchmark-"),
        "TASKBOARD_LIMITS": "off",
        "DJANGO_SETTINGS_MODULE": "taskboard.settings",
    }
    import django

    django.setup()
    from django.core.management import call_command

    from accounts.models import User
    from boards.models import Board, Card
    from importer import steps

    call_command("migrate", verbosity=0)
    user = User.objects.create_user("much@example.com", None, name="Much", plan_id="pro")
    User.objects.create_user("other@example.com", None, name="Other")
    path = Path(tempfile.mkstemp()[1])
    write_export(path, cards)
    print(f"{cards} cards, {path.stat().st_size / 1e6:.1f} MB of JSON")
    rest = resident()
    with path.open("rb") as file:
        row = steps.upload(user, file, "export.json")
    with Others() as others:
        began = time.perf_counter()
        steps.begin_reading(row, at_once=True)
        row.refresh_from_db()
        record("import", "report", {"Figure": f"{time.perf_counter() - began:.1f} s"})
        print(f"report {time.perf_counter() - began:.1f} s: {row.state} {row.report['boards'][0]['counts']}")
        began = time.perf_counter()
        steps.begin_writing(row, people={}, left_out=(), at_once=True)
        steps.write_now(row)
        took = time.perf_counter() - began
    row.refresh_from_db()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(
        f"import {took:.1f} s: {row.state} {row.error}, {Card.objects.count()} cards on {Board.objects.count()} boards"
    )
    print(f"memory {most:.0f} MB at most, {most - rest:.0f} above rest")
    waits = sorted(others.waits)
    print(
        f"others waited {waits[-1]:.2f} s at most, {waits[len(waits) // 2] * 1000:.0f} ms in the middle, {len(waits)} times"
    )
    record("import", "import", {"Figure": f"{took:.1f} s"})
    record("import", "memory above rest", {"Figure": f"{most - rest:.0f} MB"})
    record("import", "others wait at most", {"Figure": f"{waits[-1]:.2f} s"})
    path.unlink()


if __name__ == "__main__":
    main()
