"""Help: the keyboard shortcuts, Markdown, and how to connect agents."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from web.http.answers import fragments, is_partial

Shortcut = tuple[list[str], str]  # keys (web/templatetags/key_tags.py), of which one is pressed, and what it does


@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """Return the page; to the script, the shortcuts as a dialog."""
    if is_partial(request):
        return fragments(render_to_string("web/partials/kit/help_dialog.html", {"groups": shortcuts()}, request))
    connect = f"claude mcp add --transport http taskboard {settings.BASE_URL}/api/v1/mcp"
    context = {
        "groups": shortcuts(),
        "markdown": markdown(),
        "agent_command": f'{connect} --header "Authorization: Bearer tbk_…"',
    }
    return render(request, "web/help.html", context)


def shortcuts() -> list[tuple[str, list[Shortcut]]]:
    return [
        (
            _("Anywhere"),
            [
                (["Mod K"], _("Search, or jump to a board, card or action")),
                (["/"], _("Search")),
                (["?"], _("Show keyboard shortcuts")),
                (["Esc"], _("Close")),
            ],
        ),
        (
            _("Go to a card"),
            [
                (["↑", "↓", "K", "J"], _("Previous or next card in the list")),
                (["←", "→", "H", "L"], _("Card in the list beside")),
                (["Home", "End"], _("First or last card in the list")),
                (["Enter"], _("Open card")),
            ],
        ),
        (
            _("Change a card, or all selected cards"),
            [
                (["C"], _("Mark as done, or reopen")),
                (["A"], _("Assign to me, or unassign")),
                (["D"], _("Set due date")),
                (["Shift L"], _("Edit labels (in an open card also L)")),
                (["M"], _("Move to another list, position or board")),
                (["Alt ↑", "Alt ↓", "Alt ←", "Alt →"], _("Move card up, down or to the list beside")),
                (["E"], pgettext("do it", "Archive")),
                (["X"], _("Select card")),
            ],
        ),
        (
            _("Board"),
            [
                (["N"], _("New card in this list")),
                (["F"], _("Filter cards")),
                (["Shift F"], _("Clear filter")),
                (["Mod Z"], _("Undo your last change")),
                (["Mod Shift Z"], _("Redo")),
            ],
        ),
        (
            _("Search results"),
            [
                (["↑", "↓", "K", "J"], _("Previous or next result")),
            ],
        ),
        (
            _("My work"),
            [
                (["↑", "↓", "K", "J"], _("Previous or next card")),
                (["Enter"], _("Open card")),
                (["C"], _("Mark as done, or reopen")),
                (["D"], _("Set due date")),
                (["L"], _("Edit labels")),
                (["M"], _("Move to another list, position or board")),
                (["E"], pgettext("do it", "Archive")),
                (["N"], _("New card for me")),
                (["F"], _("Filter cards")),
                (["Shift F"], _("Clear filter")),
                (["Mod Z"], _("Undo your last change")),
            ],
        ),
        (
            pgettext("view", "Table"),
            [
                (["↑", "↓", "←", "→"], _("Go to another cell")),
                (["Enter"], _("Edit cell, or open card")),
                (["O"], _("Open card")),
                (["Tab"], _("Save title, and go to the next cell")),
                (["Esc"], _("Leave title unchanged")),
                (["A"], _("Assign to me, or unassign")),
                (["X"], _("Select card")),
                (["Shift ↑", "Shift ↓"], _("Extend the selection up or down")),
                (["F"], _("Filter cards")),
                (["Shift F"], _("Clear filter")),
            ],
        ),
        (
            _("Inbox"),
            [
                (["↑", "↓", "K", "J"], _("Previous or next notification")),
                (["E"], _("Mark as read, and go to the next")),
            ],
        ),
    ]


def markdown() -> list[tuple[str, str]]:
    """Return what people write, and what it means."""
    return [
        ("# …   ## …", _("Heading")),
        ("**…**", _("Bold")),
        ("*…*", _("Italic")),
        ("~~…~~", _("Strikethrough")),
        ("`…`", _("Inline code")),
        ("- …", _("List")),
        ("1. …", _("Numbered list")),
        ("- [ ] …   - [x] …", _("Task list")),
        ("> …", _("Quote")),
        ("[…](https://…)", _("Link")),
        ("```\n…\n```", _("Code block")),
        ("| … | … |\n| --- | --- |\n| … | … |", _("Table")),
        ("---", _("Divider")),
    ]
