"""The files of a board, for holders of its public link: those that their pages show or name, no others. That are those of
open cards, and the picture behind the lists.

A camera writes into a picture where and when it was taken, and by whom. So pictures are sent as they were made anew.
"""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from boards.models import Preview, PublicLink
from boards.reader import PublicView
from boards.reading.public import public_attachment
from web.attachments.answers import answered, guarded, picture
from web.boards.background import picture_behind
from web.public.access import public, told

ORIGINALS = ("image/gif", "image/bmp")  # which no camera writes, and GIF may move


@guarded
@public
def attachment(request: HttpRequest, link: PublicLink, view: PublicView, attachment_id: UUID) -> HttpResponse:
    found = public_attachment(attachment_id, view)
    inline, content_type = "inline" in request.GET, found.file.content_type
    if not content_type.startswith("image/") or content_type in ORIGINALS:
        return answered(request, found, inline=inline)
    if found.file.preview == Preview.MADE:
        return answered(request, found, inline=inline, kind="preview")
    return _not_made_anew(request)


def _not_made_anew(request: HttpRequest) -> HttpResponse:
    words = _(
        "Public links send pictures without the data the camera recorded, and it could not be "
        "removed from this one. Ask a member of the board for the picture. If it is new, try again in a moment."
    )
    return told(request, 404, _("This picture is not shown here"), words)


@guarded
@public
def preview(request: HttpRequest, link: PublicLink, view: PublicView, attachment_id: UUID) -> HttpResponse:
    return picture(request, public_attachment(attachment_id, view), "preview")


@guarded
@public
def thumbnail(request: HttpRequest, link: PublicLink, view: PublicView, attachment_id: UUID) -> HttpResponse:
    return picture(request, public_attachment(attachment_id, view), "thumbnail")


@guarded
@public
def background(request: HttpRequest, link: PublicLink, view: PublicView, picture: str) -> HttpResponse:
    return picture_behind(link.board, picture)
