"""Export, import, export: what must be equal, and what may differ (ids, times of the import, people)."""

import copy
import io
import json
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from accounts.models import User
from boards.actions.imports import import_board
from boards.actor import Actor
from boards.models import Attachment, Door
from boards.reader import Reader
from core.files.storage import open_file
from exporter.json_export import write_export
from importer.formats import own
from importer.formats.source import Source
from importer.ids import new_salt
from importer.report import Report

Export = dict[str, Any]


def exported(user: User) -> Export:
    file = io.StringIO()
    write_export(Reader(user), file)
    return json.loads(file.getvalue())


def importing(user: User) -> Actor:
    return Actor(user, Door.IMPORT)


def source_of(export: Export, folder: Path) -> Source:
    path = folder / "export.json"
    path.write_text(json.dumps(export, cls=DjangoJSONEncoder))
    return Source(path, "export.json", salt=new_salt(1_700_000_000_000, b"0123456789abcdef"))


def zip_of(export: Export, folder: Path) -> Source:
    """Return the zip that an export is, with the files of its attachments."""
    path = folder / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("export.json", json.dumps(export, cls=DjangoJSONEncoder))
        for row in Attachment.objects.select_related("file"):
            with open_file(row.file.name) as file:
                archive.writestr(f"files/{row.pk}/{row.file_name}", file.read())
    return Source(path, "export.zip", salt=new_salt(1_700_000_000_000, b"0123456789abcdef"))


def import_all(user: User, source: Source, mine: Iterable[str] = ()) -> Report:
    report = Report()
    for outline in own.read(source, report):
        import_board(actor=importing(user), outline=outline, mine=list(mine), losses=report, source="Taskboard")
    return report


def bare(export: Export) -> list[Any]:
    """Return the boards with ids replaced by the order in which they come, and without people."""
    boards = copy.deepcopy(export["boards"])
    text = json.dumps(boards, ensure_ascii=False)
    ids: dict[str, str] = {}
    _number(boards, ids)
    for old, new in ids.items():
        text = text.replace(old, new)
    boards = json.loads(text)
    for board in boards:
        del board["members"], board["role"]
        for row in board["lists"]:
            for card in row["cards"]:
                del card["createdBy"], card["assigneeIds"]
                for comment in card["comments"]:
                    del comment["author"]
                for file in card["attachments"]:
                    del file["uploadedBy"]
    return boards


def _number(value: Any, ids: dict[str, str]) -> None:
    if isinstance(value, dict):
        if isinstance(value.get("id"), str):
            ids.setdefault(value["id"], f"id-{len(ids)}")
        for key, one in value.items():
            if key not in ("members", "author", "createdBy", "uploadedBy"):
                _number(one, ids)
    elif isinstance(value, list):
        for one in value:
            _number(one, ids)
