"""The columns of known services. Columns that a preset does not name go into the description, so nothing is lost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Role(models.TextChoices):
    """The role of a column."""

    TEXT = "text", _("Below the description")
    SKIP = "skip", _("Leave out")
    TITLE = "title", _("Title")
    DESCRIPTION = "description", _("Description")
    LIST = "list", _("List")
    LABELS = "labels", _("Labels")
    PRIORITY = "priority", _("Priority, as a label")
    PEOPLE = "people", _("Assignees")
    CREATOR = "creator", _("Created by")
    DUE = "due", _("Due date")
    START = "start", _("Start date")
    COMPLETED = "completed", _("Completed: a date, or yes/no")
    ARCHIVED = "archived", _("Archived: a date, or yes/no")
    CREATED = "created", _("Date created")
    UPDATED = "updated", _("Date changed")
    REPEAT = "repeat", _("Repeats")
    ITEMS = "items", _("Checklist, one item per line")
    COMMENT = "comment", pgettext_lazy("column", "Comment")
    KEY = "key", _("ID that other rows refer to")
    PARENT = "parent", _("Parent: ID or title of another row")
    NUMBER = "number", _("Card number")
    COVER = "cover", _("Cover color")


DATES = {Role.DUE, Role.START, Role.COMPLETED, Role.ARCHIVED, Role.CREATED, Role.UPDATED}


@dataclass(frozen=True)
class Preset:
    """A service. Heads are in small letters, without spaces at their ends."""

    title: str | Promise
    signature: Sequence[str]  # heads that a file of this service has, and that no other one has all of
    roles: Mapping[str, Role] = field(default_factory=dict)
    is_markdown: bool = True  # descriptions and comments
    people_by: str = ";\n"
    labels_by: str = ",;\n"
    priorities: Mapping[str, str | Promise] = field(default_factory=dict)  # "" for values that say nothing
    comment_count: str = ""  # the head of the column that says how many comments there are, which are not in the file
    done: Sequence[str] = ()  # what else stands for yes in a column of completion


GENERIC = Preset(
    _("Another service or a spreadsheet"),
    (),
    {
        "title": Role.TITLE, "name": Role.TITLE, "task": Role.TITLE, "issue title": Role.TITLE, "task name": Role.TITLE, "summary": Role.TITLE,
        "subject": Role.TITLE, "card": Role.TITLE, "card name": Role.TITLE, "titel": Role.TITLE, "aufgabe": Role.TITLE,
        "description": Role.DESCRIPTION, "notes": Role.DESCRIPTION, "note": Role.DESCRIPTION, "details": Role.DESCRIPTION,
        "issue description": Role.DESCRIPTION, "beschreibung": Role.DESCRIPTION, "content": Role.DESCRIPTION, "notizen": Role.DESCRIPTION,
        "list": Role.LIST, "status": Role.LIST, "state": Role.LIST, "column": Role.LIST, "section": Role.LIST, "stage": Role.LIST, "bucket": Role.LIST,
        "liste": Role.LIST, "labels": Role.LABELS, "label": Role.LABELS, "tags": Role.LABELS, "tag": Role.LABELS,
        "category": Role.LABELS, "categories": Role.LABELS, "priority": Role.PRIORITY, "assignee": Role.PEOPLE,
        "assignees": Role.PEOPLE, "assigned to": Role.PEOPLE, "owner": Role.PEOPLE, "members": Role.PEOPLE, "due": Role.DUE,
        "due date": Role.DUE, "target date": Role.DUE, "due_on": Role.DUE, "due_at": Role.DUE, "due_date": Role.DUE, "deadline": Role.DUE, "end date": Role.DUE, "fällig": Role.DUE, "start": Role.START,
        "start date": Role.START, "start_on": Role.START, "start_date": Role.START, "completed": Role.COMPLETED, "done": Role.COMPLETED, "completed at": Role.COMPLETED, "completed_at": Role.COMPLETED,
        "created": Role.CREATED, "created at": Role.CREATED, "created_at": Role.CREATED, "updated": Role.UPDATED,
        "updated at": Role.UPDATED, "updated_at": Role.UPDATED, "modified_at": Role.UPDATED,
        "archived": Role.ARCHIVED, "checklist": Role.ITEMS, "subtasks": Role.ITEMS, "comment": Role.COMMENT,
    },
    is_markdown=False,
)  # fmt: skip

ASANA = Preset(
    "Asana",
    ("task id", "section/column", "last modified"),
    {
        "task id": Role.KEY, "created at": Role.CREATED, "completed at": Role.COMPLETED, "last modified": Role.UPDATED,
        "name": Role.TITLE, "section/column": Role.LIST, "assignee": Role.PEOPLE, "start date": Role.START,
        "due date": Role.DUE, "tags": Role.LABELS, "notes": Role.DESCRIPTION, "parent task": Role.PARENT,
        "priority": Role.PRIORITY, "assignee email": Role.SKIP,
    },
    is_markdown=False,
)  # fmt: skip

ASANA_API = Preset(
    _("Asana, through its API"),
    ("gid", "name"),
    {
        "gid": Role.KEY, "name": Role.TITLE, "notes": Role.DESCRIPTION, "section": Role.LIST, "section.name": Role.LIST, "section_name": Role.LIST,
        "assignee": Role.PEOPLE, "assignee.name": Role.PEOPLE, "assignee_name": Role.PEOPLE, "due_at": Role.DUE, "due_on": Role.DUE,
        "start_at": Role.START, "start_on": Role.START, "completed": Role.COMPLETED, "completed_at": Role.COMPLETED,
        "created_at": Role.CREATED, "modified_at": Role.UPDATED, "tags": Role.LABELS, "parent.gid": Role.PARENT, "parent_gid": Role.PARENT,
        "resource_type": Role.SKIP, "resource_subtype": Role.SKIP, "assignee.gid": Role.SKIP, "assignee_gid": Role.SKIP,
    },
    is_markdown=False,
)  # fmt: skip

JIRA = Preset(
    "Jira",
    ("summary", "issue key", "issue type", "status"),
    {
        "summary": Role.TITLE, "issue id": Role.SKIP, "assignee id": Role.SKIP, "reporter id": Role.SKIP, "creator": Role.SKIP, "creator id": Role.SKIP,
        "issue type": Role.LABELS, "status": Role.LIST, "priority": Role.PRIORITY, "assignee": Role.PEOPLE,
        "reporter": Role.CREATOR, "created": Role.CREATED, "updated": Role.UPDATED, "resolved": Role.COMPLETED,
        "due date": Role.DUE, "labels": Role.LABELS, "description": Role.DESCRIPTION, "comment": Role.COMMENT,
        "custom field (start date)": Role.START,
    },
    is_markdown=False,
)  # fmt: skip

LINEAR = Preset(
    "Linear",
    ("id", "team", "title", "status", "cycle number"),
    {
        "title": Role.TITLE, "description": Role.DESCRIPTION, "issue description": Role.DESCRIPTION, "status": Role.LIST,
        "priority": Role.PRIORITY, "assignee": Role.PEOPLE, "creator": Role.CREATOR, "labels": Role.LABELS, "created": Role.CREATED,
        "updated": Role.UPDATED, "completed": Role.COMPLETED, "archived": Role.ARCHIVED, "due date": Role.DUE,
    },
    priorities={"no priority": ""},
)  # fmt: skip

TODOIST = Preset(
    "Todoist",
    ("type", "content", "priority", "indent"),
    {
        "type": Role.SKIP, "content": Role.TITLE, "description": Role.DESCRIPTION, "priority": Role.PRIORITY,
        "indent": Role.SKIP, "responsible": Role.PEOPLE, "author": Role.CREATOR, "date": Role.REPEAT, "date_lang": Role.SKIP,
        "timezone": Role.SKIP, "section": Role.LIST, "task": Role.KEY, "parent": Role.PARENT, "labels": Role.LABELS,
    },
    priorities={"1": _("Priority 1"), "2": _("Priority 2"), "3": _("Priority 3"), "4": ""},
)  # fmt: skip

TICKTICK = Preset(
    "TickTick",
    ("folder name", "list name", "title", "tags", "is check list"),
    {
        "folder name": Role.SKIP, "list name": Role.LIST, "title": Role.TITLE, "tags": Role.LABELS, "content": Role.DESCRIPTION, "due date": Role.DUE,
        "start date": Role.START, "priority": Role.PRIORITY, "status": Role.COMPLETED, "completed time": Role.COMPLETED,
        "created time": Role.CREATED, "repeat": Role.REPEAT, "taskid": Role.KEY, "parentid": Role.PARENT,
        "is check list": Role.SKIP, "kind": Role.SKIP, "timezone": Role.SKIP, "is all day": Role.SKIP, "is floating": Role.SKIP,
        "order": Role.SKIP, "column order": Role.SKIP, "view mode": Role.SKIP,
    },
    priorities={"0": "", "1": _("Low priority"), "3": _("Medium priority"), "5": _("High priority")},
    done=("1", "2"),
)  # fmt: skip

GITHUB = Preset(
    "GitHub Projects",
    ("title", "url", "assignees", "status"),
    {
        "title": Role.TITLE, "assignees": Role.PEOPLE, "status": Role.LIST, "labels": Role.LABELS, "priority": Role.PRIORITY,
        "start date": Role.START, "end date": Role.DUE, "target date": Role.DUE, "due date": Role.DUE,
    },
    people_by=",",
)  # fmt: skip

PLANE = Preset(
    "Plane",
    ("project", "name", "state", "target date"),
    {
        "name": Role.TITLE, "description": Role.DESCRIPTION, "state": Role.LIST, "start date": Role.START, "target date": Role.DUE,
        "priority": Role.PRIORITY, "created by": Role.CREATOR, "assignee": Role.PEOPLE, "assignees": Role.PEOPLE, "labels": Role.LABELS,
        "created at": Role.CREATED, "updated at": Role.UPDATED, "completed at": Role.COMPLETED, "archived at": Role.ARCHIVED,
    },
    is_markdown=False,
    people_by=",;\n",
    priorities={"none": ""},
)  # fmt: skip

KANBOARD = Preset(
    "Kanboard",
    ("task id", "swimlane", "column", "title"),
    {
        "task id": Role.NUMBER, "title": Role.TITLE, "column": Role.LIST, "category": Role.LABELS, "tags": Role.LABELS,
        "due date": Role.DUE, "start date": Role.START, "creation date": Role.CREATED, "date created": Role.CREATED,
        "modification date": Role.UPDATED, "completion date": Role.COMPLETED, "status": Role.COMPLETED,
        "assignee name": Role.PEOPLE, "creator name": Role.CREATOR, "swimlane": Role.LABELS, "priority": Role.PRIORITY,
        "color": Role.COVER, "position": Role.SKIP, "assignee username": Role.SKIP, "creator": Role.SKIP,
    },
    priorities={"0": ""},
    done=("closed",),
)  # fmt: skip

TRELLO = Preset(
    "Trello",
    ("card id", "card name", "list name", "board name"),
    {
        "card id": Role.SKIP, "card name": Role.TITLE, "card description": Role.DESCRIPTION, "labels": Role.LABELS,
        "members": Role.PEOPLE, "due date": Role.DUE, "start date": Role.START, "list name": Role.LIST,
        "archived": Role.ARCHIVED, "due complete": Role.COMPLETED, "last activity date": Role.UPDATED, "list id": Role.SKIP,
        "board id": Role.SKIP, "board name": Role.SKIP,
    },
    people_by=",",
)  # fmt: skip

OWN = Preset(
    "Taskboard",
    ("number", "title", "list", "created by", "address"),
    {
        "number": Role.NUMBER, "title": Role.TITLE, "list": Role.LIST, "labels": Role.LABELS, "start": Role.START,
        "due": Role.DUE, "assignees": Role.PEOPLE, "done": Role.COMPLETED, "archived": Role.ARCHIVED,
        "description": Role.DESCRIPTION, "checklists": Role.ITEMS, "comments": Role.SKIP, "created by": Role.CREATOR,
        "created": Role.CREATED, "address": Role.SKIP,
    },
    people_by="\n",
    labels_by="\n",
    comment_count="comments",
)  # fmt: skip

PRESETS = {
    "taskboard": OWN,
    "asana": ASANA, "asana-api": ASANA_API, "jira": JIRA, "linear": LINEAR, "plane": PLANE, "todoist": TODOIST, "ticktick": TICKTICK,
    "kanboard": KANBOARD, "trello": TRELLO, "github": GITHUB, "generic": GENERIC,
}  # fmt: skip


def preset_of(head: Sequence[str]) -> str:
    """Return the name of the service whose heads these are, `generic` where none is known."""
    heads = {normal(cell) for cell in head}
    return next((name for name, one in PRESETS.items() if one.signature and heads.issuperset(one.signature)), "generic")


def normal(head: str) -> str:
    return " ".join(head.replace("\ufeff", "").split()).casefold()
