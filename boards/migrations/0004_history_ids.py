"""History keeps ids: lines that were written before get them as far as they tell.

Names are turned into ids where, at that point of the board's history, exactly one list, label or person had the name.
Long texts that changes replaced move to FormerValues. Nothing that a line says to people is taken away.
"""

import json
from collections import defaultdict

from django.core.serializers.json import DjangoJSONEncoder
from django.db import migrations

BATCH = 500  # lines read and written at a time


class Names:
    """Which rows of one kind were called what, as the history goes by."""

    def __init__(self, first_names):
        """`first_names`: (id, name) of those that were there before the first line that creates one."""
        self.by_id = {}
        self.by_name = defaultdict(set)
        for pk, name in first_names:
            self.call(pk, name)

    def call(self, pk, name):
        self.forget(pk)
        self.by_id[pk] = name
        self.by_name[name].add(pk)

    def forget(self, pk):
        self.by_name[self.by_id.pop(pk, None)].discard(pk)

    def only(self, name):
        """The id of the one of this name; None where there is none or more than one."""
        found = self.by_name.get(name) or ()
        return next(iter(found)) if len(found) == 1 else None


class Board:
    """What the lines so far tell of one board."""

    def __init__(self, apps, board_id):
        self.lists = Names(first_names(apps, board_id, "list", "List", "title"))
        self.labels = Names(first_names(apps, board_id, "label", "Label", "name"))
        self.people = Names(people_of(apps, board_id))
        items = apps.get_model("boards", "ChecklistItem").objects.filter(board_id=board_id)
        self.checklists = {
            str(pk): (str(checklist), title)
            for pk, checklist, title in items.values_list("pk", "checklist_id", "checklist__title")
        }
        self.list_of = {}  # the list that a card was in, by its id
        self.author_of = {}  # of a comment, by its id
        self.roles = {}

    def follow(self, line):
        """Note what this line, which has been brought over already, says about names."""
        subject, data = line.subject, line.data
        for names, kind, field in ((self.lists, "list", "title"), (self.labels, "label", "name")):
            if subject.get("kind") == kind:
                if line.verb == f"{kind}.created":
                    names.call(subject["id"], subject["title"])
                elif line.verb == f"{kind}.changed" and field in data:
                    names.call(subject["id"], data[field][1])
                elif line.verb == f"{kind}.deleted":
                    names.forget(subject["id"])
        if line.card_id and "list_id" in data:
            self.list_of[line.card_id] = data["list_id"][1]
        if line.verb == "comment.created":
            self.author_of[subject.get("id")] = line.user
        if line.verb.startswith("member.") and data.get("member_id"):
            self.roles[data["member_id"][1]] = data.get("role", [None, None])[1]


def first_names(apps, board_id, kind, model, field):
    """The rows that no line creates (those of the template), by the name that they had first; present ones else."""
    present = apps.get_model("boards", model).objects.filter(board_id=board_id).values_list("pk", field)
    named = {str(pk): name for pk, name in present}
    created, first = set(), {}
    lines = apps.get_model("boards", "Activity").objects.filter(board_id=board_id, verb__startswith=f"{kind}.")
    for verb, subject, data in lines.order_by("version").values_list("verb", "subject", "data"):
        pk = subject.get("id")
        if verb == f"{kind}.created":
            created.add(pk)
        elif pk not in first:
            first[pk] = data[field][0] if field in data else subject.get("title")
    return [(pk, name) for pk, name in (named | first).items() if pk not in created]


def people_of(apps, board_id):
    members = apps.get_model("boards", "Membership").objects.filter(board_id=board_id).values_list("user_id", flat=True)
    actors = apps.get_model("boards", "Activity").objects.filter(board_id=board_id).order_by()
    ids = {*members, *actors.values_list("user_id", flat=True).distinct()}
    users = apps.get_model("accounts", "User").objects.filter(pk__in=ids).values_list("pk", "name", "email")
    return [(str(pk), name or email.partition("@")[0]) for pk, name, email in users]


def display_name(user):
    return user.name or user.email.partition("@")[0]


def ids_of(names, pair):
    """The ids of a pair of names; None where one of them cannot be told."""
    found = [None if name is None else names.only(name) for name in pair]
    return found if all(pk or name is None for pk, name in zip(found, pair)) else None


def list_ids(line, board):
    """The ids of the lists that a line names; the one that the card was in is known from the lines before."""
    old, new = line.data["list"]
    before = board.list_of.get(line.card_id)
    if old is not None and board.lists.by_id.get(before) != old:
        before = board.lists.only(old)
    after = board.lists.only(new) if new is not None else None
    if (old is not None and before is None) or (new is not None and after is None):
        return None
    return [before if old is not None else None, after]


def bring_over(line, board):
    """Change `line.data` to what would be written today; return the former values that go apart."""
    data, verb, former = line.data, line.verb, {}
    data.pop("position", None)
    if "board" in data:
        data["board_id"] = data.pop("board")
    if "next" in data:
        data["next_occurrence_id"] = data.pop("next")
    for name in ("description", "body"):
        if isinstance(data.get(name), list):
            if data[name][0]:
                former[name] = data[name][0]
            data[name] = None
    known = board.list_of.get(line.card_id)
    if verb == "card.moved" and "list" not in data and known in board.lists.by_id:
        title = board.lists.by_id[known]
        data |= {"list": [title, title], "list_id": [known, known]}
    elif isinstance(data.get("list"), list) and "list_id" not in data and (ids := list_ids(line, board)):
        data["list_id"] = ids
    if "label" in data and "label_id" not in data and (ids := ids_of(board.labels, data["label"])):
        data["label_id"] = ids
    if "assignee" in data and "assignee_id" not in data and (ids := ids_of(board.people, data["assignee"])):
        data["assignee_id"] = ids
    if "member" in data and "member_id" not in data:
        bring_member_over(line, board)
    if verb == "label.deleted" and "name" not in data:
        data["name"] = [line.subject.get("title"), None]
    if verb == "item.created" and line.subject.get("id") in board.checklists:
        checklist, title = board.checklists[line.subject["id"]]
        data |= {"checklist_id": [None, checklist], "checklist": [None, title]}
    if verb == "comment.deleted" and (author := board.author_of.get(line.subject.get("id"))):
        data |= {"author_id": [str(author.pk), None], "author": [display_name(author), None]}
    return former


def bring_member_over(line, board):
    data = line.data
    if line.verb == "member.left":
        ids = [str(line.user_id), None]
    else:
        ids = ids_of(board.people, data["member"])
    if line.verb == "member.changed" and ids:
        ids, data["member"] = [ids[1], ids[1]], [data["member"][1], data["member"][1]]
    if ids:
        data["member_id"] = ids
        if line.verb in ("member.removed", "member.left") and (role := board.roles.get(ids[0])):
            data["role"] = [role, None]


def forward(apps, schema_editor):
    activities = apps.get_model("boards", "Activity").objects
    for board_id in activities.order_by("board_id").values_list("board_id", flat=True).distinct().iterator():
        board, version = Board(apps, board_id), -1
        while lines := list(
            activities.filter(board_id=board_id, version__gt=version).select_related("user").order_by("version")[:BATCH]
        ):
            version = lines[-1].version
            write(apps, schema_editor.connection, lines, board)


def write(apps, connection, lines, board):
    Activity, FormerValues = apps.get_model("boards", "Activity"), apps.get_model("boards", "FormerValues")
    changed, apart = [], []
    for line in lines:
        before = dump(line.data)
        former = bring_over(line, board)
        board.follow(line)
        if former:
            apart.append(FormerValues(activity_id=line.pk, values=former))
        if dump(line.data) != before:
            changed.append((dump(line.data), Activity._meta.pk.get_db_prep_value(line.pk, connection)))
    FormerValues.objects.bulk_create(apart)
    cast = "::jsonb" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.executemany(f"UPDATE boards_activity SET data = %s{cast} WHERE id = %s", changed)


def dump(data):
    return json.dumps(data, cls=DjangoJSONEncoder)


class Migration(migrations.Migration):
    dependencies = [("boards", "0003_history"), ("accounts", "0003_languages")]
    operations = [migrations.RunPython(forward)]
