"""An export of Vikunja, made after the public facts of its form."""

import json
import zipfile
from pathlib import Path
from typing import Any

KEN, MIA = {"id": 1, "name": "Ken Mori", "username": "ken"}, {"id": 2, "name": "", "username": "mia"}
NEVER = "0001-01-01T00:00:00Z"


def task(number: int, title: str, **more: Any) -> dict[str, Any]:
    return {
        "id": number, "title": title, "description": "", "done": False, "done_at": NEVER, "due_date": NEVER, "reminders": None,
        "project_id": 1, "repeat_after": 0, "repeat_mode": 0, "priority": 0, "start_date": NEVER, "end_date": NEVER,
        "assignees": None, "labels": None, "hex_color": "", "percent_done": 0, "identifier": f"HOME-{number}", "index": number,
        "related_tasks": {}, "attachments": None, "cover_image_attachment_id": 0, "is_favorite": False,
        "created": "2024-01-01T08:00:00Z", "updated": "2024-01-02T08:00:00Z", "bucket_id": 0, "position": number,
        "created_by": KEN, "comments": [], **more,
    }  # fmt: skip


def data() -> list[dict[str, Any]]:
    return [
        {
            "id": 1, "title": "Home", "description": "", "identifier": "HOME", "hex_color": "4caf50", "parent_project_id": 0,
            "is_archived": False, "created": "2023-01-01T08:00:00Z", "updated": "2024-01-02T08:00:00Z",
            "views": [
                {"id": 10, "title": "List", "view_kind": "list"},
                {"id": 11, "title": "Board", "view_kind": "kanban", "default_bucket_id": 21},
            ],
            "tasks": [
                task(
                    5, "Paint", description='<h2>Plan</h2><p>Buy <strong>red</strong> &amp; <a href="https://a.example/x">blue</a></p>'
                    '<ul data-type="taskList"><li data-checked="true"><p>brush</p></li><li data-checked="false"><p>tape</p></li></ul>'
                    '<p><a href="javascript:alert(1)">bad</a></p>',
                    due_date="2024-02-01T16:00:00Z", start_date="2024-01-20T08:00:00Z", repeat_after=604800, priority=4,
                    assignees=[KEN, MIA], labels=[{"id": 3, "title": "DIY", "hex_color": "ff0000"}], percent_done=0.5,
                    hex_color="0000ff", is_favorite=True,
                    reminders=[{"reminder": "2024-01-31T08:00:00Z", "relative_to": "", "relative_period": 0}],
                    related_tasks={"subtask": [{"id": 6, "title": "Sand"}]},
                    attachments=[
                        {"id": 8, "task_id": 5, "created_by": KEN, "created": "2024-01-01T09:00:00Z",
                         "file": {"id": 44, "name": "../wall.txt", "mime": "text/plain", "size": 5}},
                        {"id": 9, "task_id": 5, "created_by": KEN, "created": "2024-01-01T09:00:00Z",
                         "file": {"id": 45, "name": "gone.txt", "mime": "text/plain", "size": 5}},
                    ],
                    comments=[{"id": 1, "comment": "<p>Nice</p>", "author": MIA, "created": "2024-01-03T08:00:00Z", "updated": "2024-01-03T08:00:00Z"}],
                ),
                task(6, "Sand", done=True, done_at="2024-01-04T08:00:00Z", repeat_after=2 * 86400),
                task(7, "Plain **Markdown**", description="a *b*"),
            ],
            "buckets": [
                {"id": 22, "title": "Done", "limit": 0, "position": 200, "project_view_id": 11},
                {"id": 21, "title": "To do", "limit": 4, "position": 100, "project_view_id": 11},
            ],
            "task_buckets": [
                {"task_id": 5, "bucket_id": 21, "project_view_id": 11},
                {"task_id": 6, "bucket_id": 22, "project_view_id": 11},
            ],
            "positions": [
                {"task_id": 7, "project_view_id": 11, "position": 1},
                {"task_id": 5, "project_view_id": 11, "position": 2},
                {"task_id": 6, "project_view_id": 11, "position": 3},
            ],
        },
        {"id": 2, "title": "Old", "description": "Of before", "is_archived": True, "parent_project_id": 1,
         "created": "2022-01-01T08:00:00Z", "updated": "2022-06-01T08:00:00Z", "tasks": [task(9, "Rest")], "buckets": None},
    ]  # fmt: skip


def of_before_021(name: str = "projects") -> list[dict[str, Any]]:
    """Return data.json as it was with namespaces, in which projects were called `lists` first."""
    by_mia = {
        "id": 1,
        "comment": "Oil it",
        "author": MIA,
        "created": "2022-05-03T08:00:00Z",
        "updated": "2022-05-03T08:00:00Z",
    }
    attached = {"id": 8, "task_id": 3, "created_by": KEN, "created": "2022-05-01T09:00:00Z",
                "file": {"id": 44, "name": "gears.txt", "mime": "text/plain", "size": 5}}  # fmt: skip
    times = {"created": "2022-01-01T08:00:00Z", "updated": "2022-06-01T08:00:00Z"}
    return [
        {
            "id": 1, "title": "Workshop", "description": "", "owner": KEN, "hex_color": "", "is_archived": False, **times,
            name: [
                {
                    "id": 4, "title": "Bicycle", "description": "", "is_archived": False, **times,
                    "tasks": [
                        task(3, "Chain", bucket_id=31, list_id=4, comments=[by_mia], attachments=[attached],
                             reminder_dates=["2022-05-02T08:00:00Z"]),
                        task(4, "Brakes", bucket_id=32, list_id=4),
                    ],
                    "buckets": [
                        {"id": 31, "title": "Broken", "list_id": 4, "position": 1, "limit": 0, "tasks": None},
                        {"id": 32, "title": "Mended", "list_id": 4, "position": 2, "limit": 3, "tasks": None},
                    ],
                    "background_file_id": 0,
                },
                {"id": 5, "title": "Shelf", "is_archived": True, **times, "tasks": [task(5, "Saw")], "buckets": None},
            ],
        },
        {
            "id": 2, "title": "Of before", "description": "", "owner": KEN, "hex_color": "", "is_archived": True, **times,
            name: [{"id": 6, "title": "Boat", "is_archived": False, **times, "tasks": [task(6, "Paint it"), task(7, "Sell it")]}],
        },
        {"id": 3, "title": "Empty", "owner": KEN, "is_archived": False, **times, name: []},
    ]  # fmt: skip


def write(path: Path, projects: Any = None, **more: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("VERSION", "v0.24.6")
        file.writestr("data.json", json.dumps(data() if projects is None else projects))
        file.writestr("filters.json", "[]")
        file.writestr("files/44", b"white")
        for name, content in more.items():
            file.writestr(name, content)
    return path
