"""The sentences of notifications. A single change that is not about the reader has the sentence of the history.
{number} counts changes; the other placeholders are as in boards/reading/sentences.py.
"""

from collections.abc import Callable
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, npgettext

from boards.models import Verb
from notifications.kinds import Kind

# Gives the sentence for a number. Not a lazy plural, as each of those is a class of 35 kB.
Counted = Callable[[int], str]

ABOUT_YOU: Final[dict[str, Promise]] = {
    Kind.ASSIGNED: _("{person} assigned you to {card}"),
    Kind.UNASSIGNED: _("{person} unassigned you from {card}"),
    Kind.MENTIONED: _("{person} mentioned you on {card}"),
}
ACCESS: Final[dict[str, Promise]] = {
    Verb.MEMBER_CHANGED: _("{person} changed your role to {role}"),
    Verb.OFFER_CREATED: _("{person} offered to transfer the board to you"),
    Verb.OFFER_WITHDRAWN: _("{person} withdrew the offer to transfer the board to you"),
}
# Where the name of the card stands above them, as in mails.
ABOUT_YOU_ON_ITS_CARD: Final[dict[str, Promise]] = {
    Kind.ASSIGNED: _("{person} assigned you"),
    Kind.UNASSIGNED: _("{person} unassigned you"),
    Kind.MENTIONED: _("{person} mentioned you"),
}
# With a context, as the same sentence without a number is a text of its own.
ON_ONE_CARD: Final[dict[str, Counted]] = {
    Kind.ASSIGNED: lambda number: npgettext(
        "several", "{person} assigned you to {card}", "{person} assigned you to {card} {number} times", number
    ),
    Kind.UNASSIGNED: lambda number: npgettext(
        "several", "{person} unassigned you from {card}", "{person} unassigned you from {card} {number} times", number
    ),
    Kind.MENTIONED: lambda number: npgettext(
        "several", "{person} mentioned you on {card}", "{person} mentioned you {number} times on {card}", number
    ),
    Kind.COMMENT: lambda number: npgettext(
        "several", "{person} commented on {card}", "{person} wrote {number} comments on {card}", number
    ),
    Kind.CHANGE: lambda number: ngettext(
        "{person}: {number} change to {card}", "{person}: {number} changes to {card}", number
    ),
}
ON_THE_BOARD: Final[dict[str, Counted]] = {
    Kind.ASSIGNED: lambda number: ngettext(
        "{person} assigned you to {number} card", "{person} assigned you to {number} cards", number
    ),
    Kind.UNASSIGNED: lambda number: ngettext(
        "{person} unassigned you from {number} card", "{person} unassigned you from {number} cards", number
    ),
    Kind.MENTIONED: lambda number: ngettext(
        "{person} mentioned you {number} time", "{person} mentioned you {number} times", number
    ),
    Kind.COMMENT: lambda number: ngettext(
        "{person} wrote {number} comment", "{person} wrote {number} comments", number
    ),
    Kind.CHANGE: lambda number: ngettext("{person}: {number} change", "{person}: {number} changes", number),
}

# As above, of several changes
ON_ITS_CARD: Final[dict[str, Counted]] = ON_THE_BOARD | {
    Kind.ASSIGNED: lambda number: ngettext(
        "{person} assigned you {number} time", "{person} assigned you {number} times", number
    ),
    Kind.UNASSIGNED: lambda number: ngettext(
        "{person} unassigned you {number} time", "{person} unassigned you {number} times", number
    ),
}

DUE: Final[dict[str, Promise]] = {
    "day": _("{card} is due tomorrow"),
    "hour": _("{card} is due in 1 hour"),
    "minutes": _("{card} is due in 10 minutes"),
    "morning": _("{card} is due today"),
    "due": _("{card} is overdue"),
}
DUE_ON_ITS_CARD: Final[dict[str, Promise]] = {
    "day": _("Due tomorrow"),
    "hour": _("Due in 1 hour"),
    "minutes": _("Due in 10 minutes"),
    "morning": _("Due today"),
    "due": _("Overdue"),
}
INVITED: Final = _("{person} invited you to {board}")
INVITED_BY: Final = _("{email} invited you to a board")  # in mails, which hold nothing that strangers wrote
REMOVED: Final = _("{person} removed you from {board}")
TOKEN: Final = _("Your API token {name} expires on {expires}")
FINISHED: Final[dict[tuple[str, str], Promise]] = {
    ("import", "done"): _("Your import of {name} is finished"),
    ("import", "failed"): _("Your import of {name} failed"),
    ("export", "done"): _("Your export of {name} is finished"),
    ("export", "failed"): _("Your export of {name} failed"),
}
