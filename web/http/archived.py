"""Answers to what is restored on the archive page of a board, which stays open for a second thing."""

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html

from boards.models import Board
from core.http.requests import back
from web.http.answers import back_to, is_partial


def back_to_archive(request: HttpRequest, board: Board, text: str, address: str, words: str) -> HttpResponse | None:
    """Return to the archive page with a message that links to what was restored; None if the form was elsewhere."""
    page = back(request)
    if is_partial(request) or urlsplit(page).path != reverse("archive", args=[board.pk]):
        return None
    return back_to(request, page, text, also=format_html('<a href="{}">{}</a>', address, words))
