"""The comments on a card."""

from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext as _

from boards.actions.comments import add_comment, delete_comment, edit_comment
from boards.models import Comment
from boards.reading.reach import card_of
from core.http import SignedInRequest
from web.cards.answers import card_changed
from web.door.guard import actor, reader, signed_in


@signed_in("POST")
def comments(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    made = add_comment(actor=actor(request), card_id=card_id, text=request.POST.get("text", ""))
    return card_changed(request, made.card)


@signed_in("POST")
def comment(request: SignedInRequest, comment_id: UUID) -> HttpResponse:
    changed = edit_comment(actor=actor(request), comment_id=comment_id, text=request.POST.get("text", ""))
    return card_changed(request, changed.card)


@signed_in("POST")
def deletion(request: SignedInRequest, comment_id: UUID) -> HttpResponse:
    card = card_of(Comment, comment_id, reader(request))
    delete_comment(actor=actor(request), comment_id=comment_id)
    return card_changed(request, card, _("Comment deleted."))
