"""Pictures in descriptions and comments: only attachments of the same card are shown, others become links."""

from uuid import UUID

from boards.models import Attachment
from boards.richtext import Doc, pictures_in, with_pictures
from core.files.types import PICTURES
from core.ids import parse_id


def with_own_pictures(document: Doc | None, card_id: UUID | None, current: Doc | None = None) -> Doc | None:
    """Return the document with links in place of pictures that are not attachments of the card. A new card has none.

    What is shown in `current` too stays, so that a text does not change where nobody has changed it.
    """
    new = pictures_in(document) - pictures_in(current)
    if document is None or not new:
        return document
    own = _attachments(card_id, new) if card_id else set()
    return with_pictures(document, dict.fromkeys(new - own))


def _attachments(card_id: UUID, ids: set[str]) -> set[str]:
    """Return the ids that are attachments of the card."""
    wanted = filter(None, map(parse_id, ids))
    pictures = Attachment.objects.filter(card=card_id, pk__in=wanted, file__content_type__in=PICTURES)
    return {str(pk) for pk in pictures.values_list("pk", flat=True)}
