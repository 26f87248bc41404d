"""The tasks of Vikunja's export, translated one by one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from boards.colours import Hue
from boards.losses import Loss
from boards.outlines import CardOutline, CommentOutline, FileOutline, PersonOutline
from boards.recurrence import Recurrence
from core.text.dates import local_time
from importer.formats import hues
from importer.formats.html_text import markdown_of
from importer.formats.labels import Labels
from importer.formats.shelf import Shelf
from importer.formats.things import Thing
from importer.formats.words import plain, together, wall_time, with_fields
from importer.formats.zip_reading import Zip
from importer.report import Report

NEVER = "0001-01-01"  # how a time that is not set begins
DAY = 86_400  # seconds
REPEATS = {
    DAY: Recurrence.DAILY,
    7 * DAY: Recurrence.WEEKLY,
    14 * DAY: Recurrence.BIWEEKLY,
    365 * DAY: Recurrence.YEARLY,
}
MONTHLY = 1  # of repeat_mode; 0 counts from the due date and 2 from the day on which it is done
PRIORITIES = {1: Hue.SKY, 2: Hue.YELLOW, 3: Hue.ORANGE, 4: Hue.RED, 5: Hue.ROSE}
IGNORED = {
    "id", "project_id", "list_id", "index", "identifier", "position", "kanban_position", "bucket_id", "buckets", "subscription",
    "cover_image_attachment_id", "is_unread", "comment_count", "max_permission", "max_right",
}  # fmt: skip


@dataclass
class VikunjaContext:
    """The context of the tasks of one project."""

    place: str
    shelf: Shelf
    labels: Labels
    people: Mapping[str, PersonOutline]
    zone: ZoneInfo
    zip: Zip
    file_names: set[str]
    default_bucket: str
    buckets: set[str]
    bucket_of: Mapping[str, str]


class Tasks:
    """The cards of a project, read from the shelf while they are asked for."""

    def __init__(self, context: VikunjaContext, report: Report, order: list[str]) -> None:
        self._context, self._report, self._order = context, report, order

    def __iter__(self) -> Iterator[CardOutline]:
        for key in self._order:
            for where, value in self._context.shelf.take("tasks", f"{self._context.place}:{key}"):
                yield _Task(self._context, Thing(value, where, self._report, self._context.zone)).translated()


def add_priorities(labels: Labels, numbers: set[int]) -> None:
    """Add a label for each priority that tasks have."""
    names = {1: _("Low"), 2: _("Medium"), 3: _("High"), 4: _("Urgent"), 5: _("Do now")}
    for number in sorted(numbers & set(PRIORITIES)):
        labels.add(
            f"priority:{number}", _("Priority: %(name)s") % {"name": names[number]}, PRIORITIES[number], "priority"
        )


class _Task:
    def __init__(self, context: VikunjaContext, one: Thing) -> None:
        self.context, self.one, self.report, self.key = context, one, one.report, one.key("id")

    def translated(self) -> CardOutline:
        one = self.one
        due, start = time_of(one, "due_date"), time_of(one, "start_date")
        done = time_of(one, "done_at")
        changed = time_of(one, "updated") or time_of(one, "created")
        repeat, repeat_text = self._repeat()
        fields = self._fields()
        if repeat_text:
            fields.append((_("Repeats"), repeat_text))
        card = CardOutline(
            list_key=self._bucket(),
            title=one.line("title"),
            where=one.where,
            key=self.key,
            number=one.whole("index") or None,
            description=with_fields(markdown_of(one.text("description")), fields),
            due_at=due,
            start_day=local_time(start, self.context.zone).date() if start else None,
            completed_at=(done or changed) if one.flag("done") else None,
            recurrence=repeat if due else "",
            cover_hue=self._cover_hue(),
            created_by=self._person(one.thing("created_by")),
            created_at=time_of(one, "created"),
            updated_at=changed,
            labels=[*(label.key("id") for label in one.things("labels")), *self._priority()],
            assignees=[self._person(person) for person in one.things("assignees")],
            comments=self._comments(),
            files=self._files(),
        )
        cover = one.key("cover_image_attachment_id")
        card.cover_file = cover if any(file.key == cover for file in card.files) else ""
        one.tell_rest(IGNORED)
        return card

    def _bucket(self) -> str:
        key = self.context.bucket_of.get(self.key) or self.one.key("bucket_id")
        return key if key in self.context.buckets else self.context.default_bucket

    def _person(self, person: Thing) -> str:
        return person.key("id")

    def _priority(self) -> list[str]:
        number = self.one.whole("priority")
        return [f"priority:{number}"] if number in PRIORITIES else []

    def _cover_hue(self) -> int | None:
        color = self.one.key("hex_color")
        if not color:
            return None
        self.report.lose(Loss.COLOR_CHANGED, self.one.at("hex_color"))
        return hues.nearest(color)

    def _repeat(self) -> tuple[str, str]:
        """Return the recurrence, or else a text that says how often the task repeats."""
        seconds, mode = self.one.whole("repeat_after") or 0, self.one.whole("repeat_mode") or 0
        if mode == MONTHLY:
            return Recurrence.MONTHLY.value, self._told("repeat_mode", _("monthly"))
        if seconds <= 0:
            return "", ""
        if mode == 0 and seconds in REPEATS and time_of(self.one, "due_date"):
            return REPEATS[seconds].value, ""
        days, rest = divmod(seconds, DAY)
        text = (
            _("after %(days)s days") % {"days": days}
            if not rest
            else _("after %(hours)s hours") % {"hours": seconds // 3600}
        )
        self.report.lose(Loss.FIELD_IN_TEXT, self.one.at("repeat_after"))
        return "", text

    def _told(self, name: str, text: str) -> str:
        """Return the text and count it where the card has no due date, without which nothing repeats."""
        if time_of(self.one, "due_date"):
            return ""
        self.report.lose(Loss.FIELD_IN_TEXT, self.one.at(name))
        return text

    def _fields(self) -> list[tuple[str, str]]:
        one, found = self.one, []
        if end := time_of(one, "end_date"):
            found.append((_("End"), self._wall(end)))
            self.report.lose(Loss.FIELD_IN_TEXT, one.at("end_date"))
        done = one.number("percent_done") or 0.0
        if 0 < done <= 1:
            found.append((_("Progress"), f"{done:.0%}"))
            self.report.lose(Loss.FIELD_IN_TEXT, one.at("percent_done"))
        if known := [self._wall(moment) for moment in self._reminders()]:
            found.append((_("Reminders"), together(known)))
            self.report.lose(Loss.FIELD_IN_TEXT, one.at("reminders"), len(known))
        related = one.thing("related_tasks")
        for kind in sorted(related.value):
            titles = [task.line("title") for task in related.things(kind)]
            if titles:
                found.append((kind.replace("_", " ").capitalize(), plain(together(titles))))
                self.report.lose(Loss.FIELD_IN_TEXT, related.at(kind), len(titles))
        return found

    def _reminders(self) -> list[datetime]:
        """Return when the person is reminded. Before version 0.21 the file has nothing but the times."""
        where, zone = self.one.at("reminder_dates"), self.context.zone
        bare = [Thing({"reminder": date}, where, self.report, zone) for date in self.one.keys("reminder_dates")]
        moments = [time_of(reminder, "reminder") for reminder in [*self.one.things("reminders"), *bare]]
        return list(dict.fromkeys(moment for moment in moments if moment))

    def _wall(self, moment: datetime) -> str:
        return wall_time(moment, self.context.zone)

    def _comments(self) -> list[CommentOutline]:
        found = []
        for one in self.one.things("comments"):
            made, changed = time_of(one, "created"), time_of(one, "updated")
            edited = changed if made and changed and (changed - made).total_seconds() > 1 else None
            found.append(CommentOutline(markdown_of(one.text("comment")), one.thing("author").key("id"), made, edited))
        return found

    def _files(self) -> list[FileOutline]:
        found = []
        for one in self.one.things("attachments"):
            file = one.thing("file")
            name = f"files/{file.key('id')}"
            is_there = name in self.context.file_names
            found.append(
                FileOutline(
                    file_name=file.line("name"),
                    open=Opener(self.context.zip, name) if is_there else None,
                    key=one.key("id"),
                    size=self.context.zip.size(name) if is_there else file.whole("size"),
                    uploaded_by=one.thing("created_by").key("id"),
                    created_at=time_of(one, "created"),
                )
            )
        return found


@dataclass
class Opener:
    """Opens a file of the zip."""

    zip: Zip
    name: str

    def __call__(self) -> IO[bytes]:
        opened: Any = self.zip.open(self.name, self.zip.size(self.name))
        return opened


def person_of(key: str, person: Thing) -> PersonOutline:
    return PersonOutline(key, name_of(person), person.line("username"), person.line("email"))


def name_of(person: Thing) -> str:
    return person.line("name") or person.line("username")


def time_of(one: Thing, name: str) -> datetime | None:
    value = one.raw(name)
    return None if isinstance(value, str) and value.startswith(NEVER) else one.moment(name)
