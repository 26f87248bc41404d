"""Mentions in descriptions and comments: only members of the board can be mentioned, by the names that they have."""

from collections.abc import Iterable
from uuid import UUID

from boards.models import Membership
from boards.richtext import Doc, mentions_in, with_labels

Names = dict[str, str]  # by the user's id


def names_of_mentioned(board_id: UUID, documents: Iterable[Doc | None]) -> Names:
    """Return the names of the members of the board whom these documents mention."""
    ids = {UUID(user_id) for document in documents for user_id, _label in mentions_in(document)}
    members = Membership.objects.filter(board=board_id, user__in=ids).select_related("user") if ids else ()
    return {str(member.user_id): member.user.display_name for member in members}


def with_names(document: Doc | None, names: Names, current: Doc | None = None) -> Doc | None:
    """Return the document with these names on its mentions. Who has none is not mentioned: the label stays as text.

    What is mentioned in `current` too stays, so that a text does not change where nobody has changed it.
    """
    new = mentions_in(document) - mentions_in(current)
    return with_labels(document, {(pk, label): names.get(pk) for pk, label in new}) if document and new else document


def named(document: Doc | None, board_id: UUID, current: Doc | None = None) -> Doc | None:
    """Return the document as `with_names` does. Only one that mentions somebody new takes a statement."""
    if mentions_in(document) <= mentions_in(current):
        return document
    return with_names(document, names_of_mentioned(board_id, [document]), current)
