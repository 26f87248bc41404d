"""Take the name of a deleted account out of the texts that keep a copy of it: history, mentions, names of API tokens.

This does not change a board, so it takes no number and no line of history. Everything is found by the id of the account
and rewritten a few rows at a time; doing it again does no harm.
"""

import re
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from boards.actions.cards.fields import search_text
from boards.models import Activity, Card, Comment, FormerValues, Membership, OwnerActivity, Role
from boards.richtext import HTML_VERSION, Doc, first_line, mentions_in, to_html, with_labels
from boards.statements import lock_board
from boards.text import EXCERPT
from core.text.locale import locale_of
from core.text.names import FORMER_MEMBER

if TYPE_CHECKING:
    from accounts.models import User

Json = Any
WINDOW = 2000  # rows that one statement looks through
PIECE = 200  # rows that one statement writes

# In the records of the history: the field with the id, and the one with the name
NAMES = {
    "member_id": "member",
    "inviter_id": "inviter",
    "assignee_id": "assignee",
    "author_id": "author",
    "uploader_id": "uploader",
}


def forget_name(user: "User") -> None:
    """Rewrite every copy of the user's name. The history then says FORMER_MEMBER; a mention, that in the owner's language."""
    _forget_token_names(user)
    for line in chain(rows_with(Activity, "data", user.pk), rows_with(OwnerActivity, "data", user.pk)):
        type(line).objects.filter(pk=line.pk).update(data=_without_name(line.data, str(user.pk)))
    for model, column in ((Card, "description"), (Comment, "body"), (FormerValues, "values")):
        for row in rows_with(model, column, user.pk):
            _rewrite(row, user.pk)


def _forget_token_names(user: "User") -> None:
    for rows in (Activity.objects.filter(user=user), Comment.objects.filter(author=user)):
        named = rows.exclude(token_name="").order_by()
        while piece := list(named.values_list("pk", flat=True)[:PIECE]):
            rows.model._default_manager.filter(pk__in=piece).update(token_name="")


def rows_with(model: Any, column: str, user_id: UUID) -> Iterator[Any]:
    """Yield the rows that hold the id in this column, read in windows over the primary key: no statement takes long."""
    last = None
    while keys := _next_keys(model._default_manager.order_by("pk"), last):
        window = model._default_manager.filter(pk__gte=keys[0], pk__lte=keys[-1])
        yield from window.annotate(_text=Cast(column, TextField())).filter(_text__contains=str(user_id))
        last = keys[-1]


def _next_keys(rows: "QuerySet[Any]", last: Any) -> list[Any]:
    after = rows if last is None else rows.filter(pk__gt=last)
    return list(after.values_list("pk", flat=True)[:WINDOW])


def _without_name(data: Json, user_id: str) -> Json:
    """Return the record of a line with FORMER_MEMBER where the user was named."""
    new = dict(data)
    for ids, names in NAMES.items():
        if data.get(ids) and data.get(names):
            pairs = zip(data[ids], data[names], strict=True)
            new[names] = [FORMER_MEMBER if pk == user_id and name else name for pk, name in pairs]
    if data.get("assignee_ids") and data.get("assignees"):
        new["assignees"] = [
            _list_without(*pair, user_id) for pair in zip(data["assignee_ids"], data["assignees"], strict=True)
        ]
    return new


def _list_without(ids: list[str] | None, names: str | None, user_id: str) -> str | None:
    """Return the joined names without that of the user. Where a name holds a comma, nobody can tell whose is whose."""
    if not ids or not names or user_id not in ids:
        return names
    single = names.split(", ")
    if len(single) != len(ids):
        return FORMER_MEMBER
    return ", ".join(FORMER_MEMBER if pk == user_id else name for pk, name in zip(ids, single, strict=True))


@transaction.atomic
def _rewrite(found: Card | Comment | FormerValues, user_id: UUID) -> None:
    """Rewrite the mentions in a text, read again under the lock of its board: others may be writing it."""
    board_id = found.activity.board_id if isinstance(found, FormerValues) else found.board_id
    if lock_board(board_id) is None:
        return
    model: Any = type(found)
    row = model.objects.filter(pk=found.pk).first()
    if row is None:
        return
    owner = Membership.objects.select_related("user").filter(board=board_id, role=Role.OWNER).first()
    if owner is None:  # the board is being deleted
        return
    with locale_of(owner.user):
        label = _(FORMER_MEMBER)
    model.objects.filter(pk=row.pk).update(**_values_without(row, str(user_id), label))
    if isinstance(row, Comment):
        _cut_titles(row.card_id, str(row.pk))
    elif isinstance(row, FormerValues):
        _cut_titles(row.activity.card_id, row.activity.subject.get("id", ""))


def _cut_titles(card_id: UUID | None, subject_id: str) -> None:
    """Cut the first words of a comment, which its lines keep, before the first mention: it may end within the name."""
    for line in Activity.objects.filter(card_id=card_id, subject__id=subject_id):
        title, mention, _rest = line.subject.get("title", "").partition("[@")
        if mention:
            Activity.objects.filter(pk=line.pk).update(subject={**line.subject, "title": f"{title}…"})


def _values_without(row: Card | Comment | FormerValues, user_id: str, label: str) -> dict[str, Any]:
    if isinstance(row, Card):
        document = _document(row.description, user_id, label)
        return {
            "description": document,
            "search_text": search_text(row.title, document),
            "excerpt": first_line(document, EXCERPT),
        }
    if isinstance(row, Comment):
        body = _markdown(row.body, user_id, label)
        if not row.html_version:  # written before mentions were
            return {"body": body}
        document = _document(row.document, user_id, label)
        return {"body": body, "document": document, "html": to_html(document), "html_version": HTML_VERSION}
    new = dict(row.values)
    if isinstance(new.get("description"), dict):
        new["description"] = _document(new["description"], user_id, label)
    if isinstance(new.get("body"), str):
        new["body"] = _markdown(new["body"], user_id, label)
    return {"values": new}


def _document(document: Doc | None, user_id: str, label: str) -> Doc | None:
    theirs = {mention: label for mention in mentions_in(document) if mention[0] == user_id}
    return with_labels(document, theirs) if document and theirs else document


def _markdown(text: str, user_id: str, label: str) -> str:
    """Return Markdown with this label in the links that mention the user: `[@Olga](mention:…)`."""
    return re.sub(rf"\[@(?:\\.|[^\]\\])*\]\(mention:{user_id}\)", f"[@{label}](mention:{user_id})", text)
