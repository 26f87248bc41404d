"""The files of cards as pages send them: what is gone, or has no picture yet, is a page that says so."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from boards.access import not_found
from boards.models import Attachment, Preview
from core.http import downloads

View = Callable[..., HttpResponseBase]


def guarded(view: View) -> View:
    """Let nothing run in the file that the view answers. Refusals are pages as all others."""

    @wraps(view)
    def checked(*args: Any, **named: Any) -> HttpResponseBase:
        return downloads.confined(view(*args, **named))

    return checked


def answered(request: HttpRequest, attachment: Attachment, *, inline: bool, kind: str = "") -> Any:
    """Return the file, or the picture `kind` made of it. Raise NotFound if the bytes are gone."""
    try:
        return downloads.answered(request, attachment, inline=inline, kind=kind)
    except FileNotFoundError:
        raise not_found() from None


def picture(request: HttpRequest, attachment: Attachment, kind: str) -> Any:
    """Return the picture `kind` made of the file. Raise NotFound if there is none, or none yet."""
    if attachment.file.preview != Preview.MADE:
        raise not_found()
    return answered(request, attachment, inline=True, kind=kind)
