"""An open card for holders of a public link: each part is read when it is first rendered."""

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from django.utils.safestring import SafeString

from boards.dates import UTC_ZONE, end_of
from boards.models import Card, Comment, Label
from boards.reader import PublicView
from boards.reading.public import PublicPerson, labels_on, people_on, public_person, without_people
from boards.richtext import to_html
from web.cards.shared_parts import SharedParts
from web.due import due_state


@dataclass(frozen=True, slots=True)
class PublicComment:
    """A comment without the account of its author, and without the token that it came by."""

    person: PublicPerson
    created_at: datetime
    is_edited: bool
    html: SafeString


@dataclass
class PublicCard(SharedParts):
    card: Card
    view: PublicView
    asked: dict[str, str] = field(default_factory=dict)  # the query: which comments and items to show

    @property
    def description_html(self) -> str:
        [description] = without_people([self.card.description], self.view)
        return to_html(description)

    @property
    def due_state(self) -> str:
        due = self.card.due
        return due_state(end_of(due, UTC_ZONE), done=self.card.completed_at is not None) if due else ""

    @cached_property
    def labels(self) -> list[Label]:
        return labels_on(self.card)

    @cached_property
    def people(self) -> list[PublicPerson]:
        return people_on(self.card, self.view)

    @cached_property
    def shown_comments(self) -> list[PublicComment]:
        """Return the comments of this page, newest first; none where the link shows none."""
        if not self.view.comments:
            return []
        found = self.comments.comments[::-1]
        documents = dict(Comment.objects.filter(pk__in=[one.pk for one in found]).values_list("pk", "document"))
        texts = without_people([documents.get(one.pk) for one in found], self.view)
        return [
            PublicComment(public_person(self.view, one.author), one.created_at, bool(one.edited_at), to_html(text))
            for one, text in zip(found, texts, strict=True)
        ]
