"""The files of cards as downloads, and the pictures made of them. Access to the card is checked at every request.

Uploads may be hostile: they are downloaded, not shown, but for four kinds of pictures, which are known by their bytes.
Browsers are told the type, to guess none, and to let nothing run.
"""

from uuid import UUID

from django.http import HttpResponse

from boards.reading.reach import visible_attachment
from core.http.requests import SignedInRequest
from web.attachments.answers import answered, guarded, picture
from web.http.guard import reader, signed_in


@guarded
@signed_in("GET")
def attachment(request: SignedInRequest, attachment_id: UUID) -> HttpResponse:
    """Return the file as a download; with `?inline`, one of the known pictures to be shown."""
    found = visible_attachment(attachment_id, reader(request))
    return answered(request, found, inline="inline" in request.GET)


@guarded
@signed_in("GET")
def preview(request: SignedInRequest, attachment_id: UUID) -> HttpResponse:
    return picture(request, visible_attachment(attachment_id, reader(request)), "preview")


@guarded
@signed_in("GET")
def thumbnail(request: SignedInRequest, attachment_id: UUID) -> HttpResponse:
    return picture(request, visible_attachment(attachment_id, reader(request)), "thumbnail")
