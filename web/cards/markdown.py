"""Translate between Markdown and the editor's documents, for a text that is being edited. Nothing is read or stored."""

from django.http import HttpResponse, JsonResponse

from boards.richtext import from_markdown, to_markdown
from boards.text import DESCRIPTION, clean_text
from core.http.requests import SignedInRequest
from web.cards.texts import document_of
from web.http.guard import signed_in


@signed_in("POST")
def markdown(request: SignedInRequest) -> HttpResponse:
    """Return the field `document` as Markdown, or the field `markdown` as a document: null for an empty one."""
    if "document" in request.POST:
        return _answer(markdown=to_markdown(document_of(request)))
    written = clean_text(request.POST.get("markdown", ""), "description", DESCRIPTION)
    return _answer(document=from_markdown(written))


def _answer(**translated: object) -> HttpResponse:
    return JsonResponse(translated, headers={"Cache-Control": "no-store"})
