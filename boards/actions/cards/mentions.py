"""Mentions in descriptions and comments: only members of the board can be mentioned, by the names that they have. Whoever
writes no editor's mention, as programs and agents, names them by an @ and their name, or its first word.
"""

from collections.abc import Iterable
from uuid import UUID

from boards.models import Membership
from boards.richtext import Doc, Mention, has_written, mentions_in, with_labels, with_written
from boards.statements import read_members

Names = dict[str, str]  # by the user's id
People = dict[str, Mention]  # by what names them alone on the board, folded


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


def people_of(board_id: UUID, documents: Iterable[Doc | None]) -> People:
    """Return the members of the board by their whole names, and by the first words of names that only one has.

    One statement, and none if nobody is named in these documents.
    """
    if not any(map(has_written, documents)):
        return {}
    people: dict[str, set[Mention]] = {}
    firsts: dict[str, set[Mention]] = {}
    for member in read_members(board_id):
        name = member.user.display_name
        person = (str(member.user_id), name)
        people.setdefault(name.casefold(), set()).add(person)
        firsts.setdefault(name.partition(" ")[0].casefold(), set()).add(person)
    return {name: found.pop() for name, found in (firsts | people).items() if len(found) == 1}


def named(document: Doc | None, board_id: UUID, current: Doc | None = None) -> Doc | None:
    """Return the document as `with_names` does, with mentions of members whom its text names by an @.

    Only one that mentions or names somebody new takes a statement.
    """
    if document is None or document == current:
        return document
    is_new = not mentions_in(document) <= mentions_in(current)
    names = names_of_mentioned(board_id, [document]) if is_new else {}
    return named_in(document, names, people_of(board_id, [document]), current)


def named_in(document: Doc | None, names: Names, people: People, current: Doc | None = None) -> Doc | None:
    """Return the document with these names on its mentions, and mentions of these people where its text names them."""
    document = with_names(document, names, current)
    return with_written(document, people, current) if document else None
