"""The files of the open cards of a board, for holders of its public link: those that their pages show or name, no others."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse

from boards.models import PublicLink
from boards.reader import PublicView
from boards.reading.public import public_attachment
from web.attachments.answers import answered, guarded, picture
from web.public.door import public


@guarded
@public
def attachment(request: HttpRequest, link: PublicLink, view: PublicView, attachment_id: UUID) -> HttpResponse:
    return answered(request, public_attachment(attachment_id, view), inline="inline" in request.GET)


@guarded
@public
def preview(request: HttpRequest, link: PublicLink, view: PublicView, attachment_id: UUID) -> HttpResponse:
    return picture(request, public_attachment(attachment_id, view), "preview")


@guarded
@public
def thumbnail(request: HttpRequest, link: PublicLink, view: PublicView, attachment_id: UUID) -> HttpResponse:
    return picture(request, public_attachment(attachment_id, view), "thumbnail")
