"""The manifest, which is read first: the version and database of a backup, and size and digest of each part."""

import json
import re
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from operating.backup.trouble import BackupTrouble

WHAT = "Taskboard backup"
FORMAT = 1
NAME = "manifest.json"
TABLES, FILES, KEYS = "tables/", "files/", "keys/"
LARGEST = 64 * 1024 * 1024  # bytes of a manifest: some 400,000 files


@dataclass(frozen=True)
class BackupPart:
    name: str
    size: int
    sha256: str
    rows: int = 0
    columns: list[str] = field(default_factory=list)

    @property
    def table(self) -> str:
        return self.name.removeprefix(TABLES).removesuffix(".jsonl")

    @property
    def file(self) -> str:
        return self.name.removeprefix(FILES)


@dataclass(frozen=True)
class Manifest:
    product: str
    database: str
    made_at: str
    key_mark: str
    migrations: list[tuple[str, str]]  # app, name
    parts: list[BackupPart]
    format: int = FORMAT

    def dumped(self) -> bytes:
        return json.dumps({"what": WHAT, **asdict(self)}, indent=1).encode()

    @classmethod
    def parsed(cls, text: bytes) -> Self:
        try:
            data: Any = json.loads(text)
            if data["what"] != WHAT:
                raise BackupTrouble("This file is not a backup of Taskboard: its manifest is of another program.")
            if data["format"] != FORMAT:
                raise BackupTrouble(
                    f"The backup has format {data['format']!r}, which this version cannot read. Use Taskboard {data['product']}."
                )
            parts = [BackupPart(**part) for part in data["parts"]]
            migrations = [(str(app), str(name)) for app, name in data["migrations"]]
            product, database, made_at, key_mark = (
                str(data[name]) for name in ("product", "database", "made_at", "key_mark")
            )
            for part in parts:
                require_sound(part)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise BackupTrouble("The manifest of the backup cannot be read.") from error
        return cls(product, database, made_at, key_mark, migrations, parts)

    def of(self, prefix: str) -> list[BackupPart]:
        return [part for part in self.parts if part.name.startswith(prefix)]

    @property
    def rows(self) -> int:
        return sum(part.rows for part in self.parts)

    @property
    def size(self) -> int:
        return sum(part.size for part in self.parts)


def require_sound(part: BackupPart) -> None:
    """Raise ValueError for a part that no backup has; BackupTrouble for a name that leads elsewhere."""
    if type(part.size) is not int or type(part.rows) is not int or part.size < 0 or part.rows < 0:
        raise ValueError(part)
    if not re.fullmatch(r"[0-9a-f]{64}", part.sha256) or not all(isinstance(name, str) for name in part.columns):
        raise ValueError(part)
    steps = part.name.split("/")
    if len(steps) < 2 or f"{steps[0]}/" not in (TABLES, FILES, KEYS):
        raise ValueError(part)
    if any(step in ("", ".", "..") or re.search(r"[\x00-\x1f\\:]", step) or len(step.encode()) > 255 for step in steps):
        raise BackupTrouble(
            f"The backup has a file with the name {part.name!r}, which leads elsewhere. Nothing was restored."
        )
