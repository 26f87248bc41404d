"""Words and answers of the forms of saved filters, for a board (web/boards/) and for *My work* (web/my/) alike."""

from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl, urlencode, urlsplit

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from core.http.requests import SignedInRequest, back
from web.http.answers import NOTHING, back_to, form_button, fragments, is_partial, toast

Said = tuple[str, SafeString]  # a message and its button

Save = Callable[[str, str, bool], str]  # name, query, whether it replaces one: the query before


def save_sent(request: SignedInRequest, save: Save) -> Said:
    """Save a filter. `again` restores one that was deleted or replaced: its fields, as the message's button sends them."""
    again = request.POST.get("again")
    sent: Mapping[str, str] = request.POST if again is None else dict(parse_qsl(again))
    name, query, replace = sent.get("name", "").strip(), sent.get("query", ""), sent.get("replace") == "1"
    former = save(name, query, replace)
    if again is not None:
        return _("Filter “%(name)s” was restored.") % {"name": name}, NOTHING
    if not replace:
        return _("Filter “%(name)s” was saved.") % {"name": name}, NOTHING
    undo = _undo(request, name=name, query=former, replace="1") if former else NOTHING
    return _("Filter “%(name)s” was replaced.") % {"name": name}, undo


def rename_sent(request: SignedInRequest, rename: Callable[[str, str], None]) -> Said:
    name = request.POST.get("filter", "")
    rename(name, request.POST.get("name", ""))
    return _("Filter “%(name)s” was renamed.") % {"name": name}, NOTHING


def delete_sent(request: SignedInRequest, delete: Callable[[str], str]) -> Said:
    name = request.POST.get("filter", "")
    query = delete(name)
    undo = _undo(request, name=name, query=query) if query else NOTHING
    return _("Filter “%(name)s” was deleted.") % {"name": name}, undo


def _undo(request: SignedInRequest, **again: str) -> SafeString:
    """Return the button that sends `again` to where filters are saved, which is the address above that of other forms."""
    saving = request.path.removesuffix("/renaming").removesuffix("/deletion")
    return form_button(saving, "again", urlencode(again), _("Undo"))


def answer(request: SignedInRequest, said: Said, context: Callable[[], dict[str, object]]) -> HttpResponse:
    """Answer scripts with the section of saved filters, of which `context` returns the context."""
    text, undo = said
    if not is_partial(request):
        return back_to(request, back(request), text, also=undo)
    shown = parse_qsl(urlsplit(back(request)).query)
    order = urlencode([pair for pair in shown if pair[0] == "sort"])  # of a table
    more = {"is_panel": True, "order": order}
    section = render_to_string("web/partials/board/saved_filters.html", context() | more, request)
    return fragments(section, toast(text, also=undo))
