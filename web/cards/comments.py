"""The comments on a card."""

from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext as _

from boards.actions.cards.comments import add_comment, delete_comment, edit_comment
from boards.models import Comment
from boards.reading.reach import card_of
from boards.richtext import to_markdown
from core.http.requests import SignedInRequest
from web.cards.answers import card_changed, further
from web.cards.parts import further_comments
from web.cards.texts import document_of
from web.http.guard import actor, reader, signed_in


@signed_in("GET", "POST")
def comments(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    """GET: return the page of comments that `?comments=` names. POST: write one."""
    if request.method != "POST":
        return further(request, card_id, further_comments)
    made = add_comment(actor=actor(request), card_id=card_id, text=_text(request))
    return card_changed(request, made.card, own=["new-comment"])


@signed_in("POST")
def comment(request: SignedInRequest, comment_id: UUID) -> HttpResponse:
    changed = edit_comment(actor=actor(request), comment_id=comment_id, text=_text(request))
    return card_changed(request, changed.card)


@signed_in("POST")
def deletion(request: SignedInRequest, comment_id: UUID) -> HttpResponse:
    card = card_of(Comment, comment_id, reader(request))
    delete_comment(actor=actor(request), comment_id=comment_id)
    return card_changed(request, card, _("Comment deleted."))


def _text(request: SignedInRequest) -> str:
    """Return the Markdown that was sent, or that of the editor's document."""
    return to_markdown(document_of(request)) if "document" in request.POST else request.POST.get("text", "")
