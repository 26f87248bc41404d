"""Whether the plan of the account has room for the boards of an import, told before it begins."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.actions.boards.board import room_for_boards
from importer.models import Import


def lack_of_room(row: Import) -> str:
    """Return a sentence where the plan takes fewer boards than the import would make, "" where all fit.

    Archived boards need no room. The import itself ends at the first board that does not fit, and keeps those that did.
    """
    room, wanted = room_for_boards(row.user), sum(not board["archived"] for board in row.boards)
    if room is None or wanted <= room:
        return ""
    if not room:
        return _("Your plan has no room for another board, so the import will fail. Archive or delete a board first.")
    text = ngettext(
        "Your plan has room for %(room)s more board, but this import has %(boards)s: it will stop when your plan is full. "
        "Import fewer boards, or archive or delete some first.",
        "Your plan has room for %(room)s more boards, but this import has %(boards)s: it will stop when your plan is full. "
        "Import fewer boards, or archive or delete some first.",
        room,
    )
    return text % {"room": room, "boards": wanted}
