"""Vikunja's export of an account: a zip with the projects in data.json and the files of tasks beside it.

Before version 0.21, data.json has namespaces, and in each of them `projects`, which were called `lists` earlier still.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boards.losses import Loss
from boards.outlines import BoardOutline, ListOutline, PersonOutline
from importer.formats import hues
from importer.formats.json_reading import Piece, pieces
from importer.formats.labels import Labels
from importer.formats.rows import KnownRows, RowCounter
from importer.formats.shelf import Shelf
from importer.formats.source import Question, Source, Unreadable
from importer.formats.things import Thing
from importer.formats.vikunja_tasks import Tasks, VikunjaContext, add_priorities, person_of, time_of
from importer.formats.zip_reading import Zip, open_zip
from importer.report import Report

TITLE = "Vikunja"
HELP = gettext_lazy("In Vikunja, choose Settings, Export your Vikunja data. The zip comes by email or as a download.")
NEEDS_FILE = True
BESIDE_REPORT = ()

DATA = "data.json"
LARGEST = 500_000_000  # bytes of data.json
BOARDS = 2000
SCALARS = (
    "id",
    "title",
    "description",
    "hex_color",
    "parent_project_id",
    "is_archived",
    "created",
    "updated",
    "identifier",
)
PARTS = ("tasks", "buckets", "task_buckets", "positions", "views")
NAMESPACED = ("projects", "lists")
BASES = ("item", *(f"item.{name}.item" for name in NAMESPACED))
IN_PROJECT = KnownRows(
    things={
        "buckets.item": "lists",
        "tasks.item": "cards",
        "tasks.item.comments.item": "comments",
        "tasks.item.attachments.item": "files",
    },
    parts={"tasks.item.assignees.item", "tasks.item.labels.item", "tasks.item.reminders.item"},
    left={
        "positions.item": "the order of tasks",
        "task_buckets.item": "the columns of tasks",
        "views.item": "settings; which one is the board is read",
        "tasks.item.related_tasks.*.item": "tasks of their own; their titles stand in the text",
        "tasks.item.buckets.item": "said by task_buckets too",
    },
)
ROWS = KnownRows(
    things={f"{base}.{path}": kind for base in BASES for path, kind in IN_PROJECT.things.items()},
    parts={*BASES, *(f"{base}.{path}" for base in BASES for path in IN_PROJECT.parts)},
    left={f"{base}.{path}": why for base in BASES for path, why in IN_PROJECT.left.items()},
)
OTHER_FILES = ("VERSION", DATA)
KANBAN = ("kanban", 3)  # how a view says that it is one


def looks_like(source: Source) -> bool:
    if not source.head(4).startswith(b"PK\x03\x04"):
        return False
    try:
        with open_zip(source.path) as found:
            return DATA in found.names and "VERSION" in found.names
    except (Unreadable, OSError):
        return False


def questions(source: Source) -> list[Question]:
    return []


def read(source: Source, report: Report) -> Iterator[BoardOutline]:
    with open_zip(source.path) as found, Shelf() as shelf:
        if DATA not in found.names:
            raise Unreadable(_("This zip has no file %(name)s, so it isn't a Vikunja export.") % {"name": DATA})
        export = _Export(source, report, found, shelf)
        export.read()
        for place in export.projects:
            yield export.board(place)


@dataclass
class _Project:
    """A project before its tasks are translated."""

    namespace: str = ""  # its place, "[0]"
    scalars: dict[str, object] = field(default_factory=dict)
    buckets: list[Thing] = field(default_factory=list)
    view: Thing | None = None
    tasks: dict[str, float] = field(default_factory=dict)  # place of each in lists
    bucket_of: dict[str, str] = field(default_factory=dict)  # by task, of all views; bucket ids differ between views
    positions: dict[tuple[str, str], float] = field(default_factory=dict)  # by view and task
    people: dict[str, PersonOutline] = field(default_factory=dict)
    labels: dict[str, Thing] = field(default_factory=dict)
    priorities: set[int] = field(default_factory=set)


class _Export:
    def __init__(self, source: Source, report: Report, found: Zip, shelf: Shelf) -> None:
        self.report, self.zip, self.shelf, self.zone = report, found, shelf, ZoneInfo(source.time_zone)
        self.still_wanted = source.still_wanted
        self.projects: dict[str, _Project] = {}  # by their places, "[0]" or "[0].projects[1]"
        self.namespaces: dict[str, _Project] = {}
        self.file_names = set(found.names)

    def read(self) -> None:
        names, rows = [*SCALARS, *(f"{part}.item" for part in PARTS)], RowCounter(ROWS, self.report)
        wanted = [f"{base}.{name}" for base in BASES for name in names]
        with self.zip.open(DATA, LARGEST) as file:
            for piece in pieces(file, wanted, still_wanted=self.still_wanted, rows=rows):
                self._take(piece)
        rows.tell()
        self._part_namespaces()
        self.report.find("boards", len(self.projects))
        self._tell_namespaces()
        if not self.projects:
            raise Unreadable(_("This file has no Vikunja projects."))
        for name in self.zip.names:
            if name not in OTHER_FILES and not name.startswith("files/"):
                self.report.lose(Loss.FIELD_LEFT_OUT, name)  # filters.json, backgrounds

    def _part_namespaces(self) -> None:
        """Tell namespaces from projects: where the file has any, whatever has no tasks of its own is one."""
        inside = {project.namespace for project in self.projects.values()} - {""}
        for place, project in list(self.projects.items()) if inside else ():
            if not project.namespace and not project.tasks and not project.buckets:
                self.namespaces[place] = self.projects.pop(place)

    def _take(self, piece: Piece) -> None:
        place, namespace, name = _place_of(piece)
        if place not in self.projects and len(self.projects) >= BOARDS:
            raise Unreadable(_("The file has more than %(most)s projects.") % {"most": BOARDS})
        project = self.projects.setdefault(place, _Project(namespace))
        if name in SCALARS:
            project.scalars.setdefault(name, piece.value)
            return
        one = Thing(piece.value, piece.where, self.report, self.zone)
        if name == "tasks":
            # Read for names and order alone: what is wrong with a task is counted where it is translated.
            self._take_task(project, place, Thing(piece.value, piece.where, Report(), self.zone))
        elif name == "buckets":
            project.buckets.append(one)
        elif name == "task_buckets":
            project.bucket_of[f"{one.key('project_view_id')}:{one.key('task_id')}"] = one.key("bucket_id")
        elif name == "positions":
            project.positions[one.key("project_view_id"), one.key("task_id")] = one.number("position") or 0.0
        elif project.view is None and one.raw("view_kind") in KANBAN:
            project.view = one

    def _take_task(self, project: _Project, place: str, one: Thing) -> None:
        key = one.key("id")
        if not key or key in project.tasks:
            self.report.lose(Loss.DUPLICATE if key else Loss.ROW_LEFT_OUT, one.where)
            return
        project.tasks[key] = one.number("kanban_position") or one.number("position") or one.number("index") or 0.0
        for label in one.things("labels"):
            project.labels.setdefault(label.key("id"), label)
        people = [
            *one.things("assignees"),
            one.thing("created_by"),
            *(this.thing("author") for this in one.things("comments")),
        ]
        for person in people:
            if person_key := person.key("id"):
                project.people.setdefault(person_key, person_of(person_key, person))
        project.priorities.add(one.whole("priority") or 0)
        self.shelf.put("tasks", f"{place}:{key}", [one.where, one.value])

    def board(self, place: str) -> BoardOutline:
        project = self.projects[place]
        head = Thing(project.scalars, place, self.report, self.zone)
        labels = Labels(self.report)
        for key, label in project.labels.items():
            color = label.key("hex_color")
            labels.add(key, label.line("title"), hues.nearest(color), label.where)
            if color:
                self.report.lose(Loss.COLOR_CHANGED, label.at("hex_color"))
        add_priorities(labels, project.priorities)
        self.report.find("labels", len(labels.all()))
        for name in ("description", "parent_project_id"):
            if head.raw(name) not in (None, "", 0):
                self.report.lose(Loss.FIELD_LEFT_OUT, head.at(name))
        if color := head.key("hex_color"):
            self.report.lose(Loss.COLOR_CHANGED, head.at("hex_color"))
        buckets = self._buckets(project)
        view = project.view.key("id") if project.view else ""
        default = project.view.key("default_bucket_id") if project.view else ""
        if default not in {bucket.key for bucket in buckets}:
            default = buckets[0].key
        context = VikunjaContext(
            place, self.shelf, labels, project.people, self.zone, self.zip, self.file_names, default, {bucket.key for bucket in buckets},
            {key.partition(":")[2]: bucket for key, bucket in project.bucket_of.items() if key.partition(":")[0] == view},
        )  # fmt: skip
        order = sorted(project.tasks, key=lambda key: project.positions.get((view, key), project.tasks[key]))
        return BoardOutline(
            title=head.line("title"),
            key=head.key("id"),
            hue=hues.nearest(color) if color else None,
            created_at=time_of(head, "created"),
            archived_at=self._archived_at(head, project),
            people=list(project.people.values()),
            labels=labels.all(),
            lists=buckets,
            cards=Tasks(context, self.report, order),
        )

    def _archived_at(self, head: Thing, project: _Project) -> datetime | None:
        """Return when the project was archived, or the namespace around it, which hid its projects."""
        around = self.namespaces.get(project.namespace, _Project()).scalars
        namespace = Thing(around, project.namespace, self.report, self.zone)
        return next((time_of(one, "updated") for one in (head, namespace) if one.flag("is_archived")), None)

    def _tell_namespaces(self) -> None:
        """Count what namespaces have: boards here stand beside each other, in nothing."""
        for place, project in self.namespaces.items():
            one = Thing(project.scalars, place, self.report, self.zone)
            for name in ("title", "description", "hex_color"):
                if one.key(name):
                    self.report.lose(Loss.FIELD_LEFT_OUT, one.at(name))

    def _buckets(self, project: _Project) -> list[ListOutline]:
        """Return the lists: the columns of the project's board, or one for all tasks of a project that has none."""
        view = project.view.key("id") if project.view else ""
        found: dict[str, tuple[float, ListOutline]] = {}
        for one in project.buckets:
            key = one.key("id")
            if not key or key in found:
                self.report.lose(Loss.DUPLICATE if key else Loss.ROW_LEFT_OUT, one.where)
            elif view and one.key("project_view_id") not in ("", "0", view):
                self.report.lose(Loss.FIELD_LEFT_OUT, one.where)  # a column of another board of the same project
            else:
                found[key] = (
                    one.number("position") or 0.0,
                    ListOutline(key, one.line("title"), one.whole("limit") or None),
                )
        lists = [one for _position, one in sorted(found.values(), key=lambda pair: pair[0])]
        if not lists:
            self.report.find("lists")
        return lists or [ListOutline("tasks", _("Tasks"))]


def _place_of(piece: Piece) -> tuple[str, str, str]:
    """Return the place of the project that a piece belongs to, that of its namespace ("" without one), and the member's name."""
    names, first = piece.path.split("."), f"[{piece.indexes[0]}]"
    if names[1] not in NAMESPACED:
        return first, "", names[1]
    return f"{first}.{names[1]}[{piece.indexes[1]}]", first, names[3]
