"""The files of a card: attach, rename, delete, and the picture that is the cover."""

from uuid import UUID

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.access import not_found, require
from boards.actions.files.attachments import attach_file, delete_attachment, rename_attachment, set_cover_picture
from boards.actions.files.caps import plan_of_owner, require_small_file
from boards.errors import Invalid, LimitReached
from boards.models import Attachment, Role
from boards.reading.reach import card_of, visible_card
from core.files.storage import store
from core.http.requests import SignedInRequest
from core.ids import parse_id
from web.cards.answers import card_changed
from web.http.guard import actor, reader, signed_in
from web.http.refusals import sentence_of


@signed_in("POST")
def attachments(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    """Attach the files of the form, each in a change of its own. Those that are refused do not stop the others."""
    card, role = visible_card(card_id, reader(request))
    require(role, Role.EDITOR)
    most = plan_of_owner(card.board_id).max_file_bytes
    files = [file for file in request.FILES.getlist("file") if isinstance(file, UploadedFile)]
    if not files:
        raise Invalid(_("Choose a file first."), "file")
    refused, made = [], []
    for file in files:
        try:
            made.append(_attach(request, card_id, file, most))
        except (LimitReached, Invalid) as error:
            refused.append(f"{file.name}: {sentence_of(error)}" if len(files) > 1 else sentence_of(error))
    if len(refused) == len(files):
        raise LimitReached(" ".join(refused))
    text = " ".join([_attached(len(made)), *refused])
    response = card_changed(request, card, text, own=["attachments"])
    response["X-Attachments"] = " ".join(str(attachment.pk) for attachment in made)  # for texts that show them
    return response


def _attach(request: SignedInRequest, card_id: UUID, file: UploadedFile, most: int | None) -> Attachment:
    size = file.size or 0
    require_small_file(size, most)
    stored = store(file.chunks(), most=size)
    return attach_file(actor=actor(request), card_id=card_id, stored=stored, file_name=file.name or "")


def _attached(count: int) -> str:
    return ngettext("%(count)s file attached.", "%(count)s files attached.", count) % {"count": count}


@signed_in("POST")
def name(request: SignedInRequest, attachment_id: UUID) -> HttpResponse:
    changed = rename_attachment(
        actor=actor(request), attachment_id=attachment_id, file_name=request.POST.get("name", "")
    )
    return card_changed(request, changed.card)


@signed_in("POST")
def deletion(request: SignedInRequest, attachment_id: UUID) -> HttpResponse:
    card = card_of(Attachment, attachment_id, reader(request))
    delete_attachment(actor=actor(request), attachment_id=attachment_id)
    return card_changed(request, card, _("File deleted."))


@signed_in("POST")
def cover_picture(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    """Show the picture that `attachment` names as the cover; "" takes it away."""
    named = request.POST.get("attachment", "")
    attachment_id = parse_id(named)
    if named and attachment_id is None:
        raise not_found()
    changed = set_cover_picture(actor=actor(request), card_id=card_id, attachment_id=attachment_id)
    return card_changed(request, changed, own=["cover", "attachments"])
