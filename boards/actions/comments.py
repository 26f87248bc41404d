"""Comments: add, edit, delete. Archived cards accept comments too.

Only the author may edit a comment. The author and the owner of the board may delete it.
"""

from uuid import UUID

from django.utils.translation import gettext as _

from boards.actions.change import Change, change
from boards.actor import Actor
from boards.dates import timestamp
from boards.errors import NotAllowed
from boards.models import Card, Comment, Verb
from boards.models.records import CommentDeleted
from boards.text import COMMENT, clean_text


def add_comment(*, actor: Actor, card_id: UUID | None, text: str) -> Comment:
    comment = Comment(
        author=actor.user,
        body=clean_text(text, "text", COMMENT, required=True),
        door=actor.door,
        token_name=actor.token_name,
    )
    with change(actor, Card, card_id) as c:
        comment.card = c.row
        comment.created_at = c.now
        c.add(comment)
        c.touch(c.row)
        c.record(Verb.COMMENT_CREATED, comment, card=c.row)
    return comment


def edit_comment(*, actor: Actor, comment_id: UUID, text: str) -> Comment:
    text = clean_text(text, "text", COMMENT, required=True)
    with change(actor, Comment, comment_id) as c:
        if c.row.author_id != actor.user.pk:
            raise NotAllowed(_("Only the author of a comment can edit it."))
        if c.row.body != text:
            c.set(c.row, body=text, edited_at=c.now)
            _record(c, Verb.COMMENT_CHANGED)
    return c.row


def delete_comment(*, actor: Actor, comment_id: UUID) -> None:
    with change(actor, Comment, comment_id) as c:
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
            body=None, author_id=(comment.author_id, None), author=(comment.author.display_name, None)
        )
        _record(c, Verb.COMMENT_DELETED, record)
        c.remove(c.row)


def _record(c: Change[Comment], verb: Verb, record: CommentDeleted | None = None) -> None:
    """Record the change. A card shows its comments, so the card gets the change's number as well."""
    c.touch(c.row.card)
    c.record(verb, c.row, record, card=c.row.card)
