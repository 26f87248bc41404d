"""Comments: add, edit, delete. Archived cards accept comments too.

Only the author may edit a comment. The author and the owner of the board may delete it.
"""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from boards.actions.cards.mentions import named
from boards.actions.cards.pictures import with_own_pictures
from boards.actions.change import Change, change
from boards.actions.unchanged import UNCHANGED, Unchanged
from boards.actor import Actor
from boards.dates import timestamp
from boards.errors import NotAllowed
from boards.models import Card, Comment, Verb
from boards.models.records import CommentDeleted
from boards.richtext import HTML_VERSION, Doc, from_markdown, to_html
from boards.text import COMMENT, clean_text


def add_comment(*, actor: Actor, card_id: UUID | None, text: str) -> Comment:
    comment = Comment(
        author=actor.user,
        door=actor.door,
        token_name=actor.token_name,
        **rendered_text(clean_text(text, "text", COMMENT, required=True)),
    )
    with change(actor, Card, card_id) as c:
        for name, value in with_names(comment.document, c.row).items():
            setattr(comment, name, value)
        comment.card = c.row
        comment.created_at = c.now
        c.add(comment)
        c.touch(c.row)
        c.record(Verb.COMMENT_CREATED, comment, card=c.row)
    return comment


def edit_comment(*, actor: Actor, comment_id: UUID | None, text: str | Unchanged = UNCHANGED) -> Comment:
    values = None if text is UNCHANGED else rendered_text(clean_text(text, "text", COMMENT, required=True))
    with change(actor, Comment, comment_id) as c:
        if c.row.author_id != actor.user.pk:
            raise NotAllowed(_("Only the author of a comment can edit it."))
        if values and c.row.body != values["body"]:
            values |= with_names(values["document"], c.row.card, c.row.document)
            c.keep(edited_at=c.row.edited_at and timestamp(c.row.edited_at))
            c.set(c.row, edited_at=c.now, **values)
            _record(c, Verb.COMMENT_CHANGED)
    return c.row


def delete_comment(*, actor: Actor, comment_id: UUID | None) -> None:
    with change(actor, Comment, comment_id, deletes=True) as c:
        if c.row.author_id != actor.user.pk and not c.role.can_own:
            raise NotAllowed(_("Only the author of a comment or the owner of the board can delete it."))
        comment = c.row
        c.keep(
            body=comment.body,
            created_at=timestamp(comment.created_at),
            edited_at=timestamp(comment.edited_at) if comment.edited_at else None,
            door=comment.door,
            token_name=comment.token_name,
        )
        record = CommentDeleted(
            body=None, author_id=(comment.author_id, None), author=(comment.author.recorded_name, None)
        )
        _record(c, Verb.COMMENT_DELETED, record)
        c.remove(c.row)


def _record(c: Change[Comment], verb: Verb, record: CommentDeleted | None = None) -> None:
    """Record the change. A card shows its comments, so the card gets the change's number as well."""
    c.touch(c.row.card)
    c.record(verb, c.row, record, card=c.row.card)


def rendered_text(text: str) -> dict[str, Any]:
    """Return the fields of a comment with this Markdown: it is read here, once, and not when it is shown."""
    document = from_markdown(text)
    return {"body": text, "document": document, **_rendered(document)}


def with_names(document: Doc | None, card: Card, current: Doc | None = None) -> dict[str, Any]:
    """Return the fields that differ when only members are mentioned and files of the card shown: usually none."""
    changed = with_own_pictures(named(document, card.board_id, current), card.pk, current)
    return {} if changed == document else {"document": changed, **_rendered(changed)}


def _rendered(document: Doc | None) -> dict[str, Any]:
    return {"html": to_html(document), "html_version": HTML_VERSION}


def render_comments(comments: Iterable[Comment]) -> None:
    """Make and keep the HTML of comments that lack the present version; usually there are none.

    This does not change the board: nobody sees another text. A comment that is edited meanwhile has another version,
    and stays.
    """
    for comment in comments:
        if comment.html_version == HTML_VERSION:
            continue
        values = _rendered(comment.document) if comment.html_version else rendered_text(comment.body)
        Comment.objects.filter(pk=comment.pk, version=comment.version).update(**values)
        for name, value in values.items():
            setattr(comment, name, value)
