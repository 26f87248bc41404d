"""The kinds of notifications: what each is about, in the words of the settings, and how it is told by default."""

from typing import Final

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Kind(models.TextChoices):
    INVITED = "invited", _("Invitations to boards")
    ASSIGNED = "assigned", _("Someone assigns a card to me")
    UNASSIGNED = "unassigned", _("Someone unassigns me from a card")
    MENTIONED = "mentioned", _("Someone mentions me")
    COMMENT = "comment", _("Comments on what I follow")
    CHANGE = "change", _("Changes to what I follow")
    AGENT = "agent", _("Changes by my agents to what I follow")
    ACCESS = "access", _("My access to a board changes")
    DUE = "due", _("Due dates and reminders")
    TOKEN = "token", _("An API token of mine expires soon")
    FINISHED = "finished", _("An import or export of mine is finished")


class Mail(models.TextChoices):
    """The pace at which a kind is mailed."""

    OFF = "off", _("Off")
    NOW = "now", _("Immediately")
    DAILY = "daily", _("Daily")


# Without a choice of one's own: what somebody waits for, or has to act on. Everything else is in the inbox.
DEFAULT_MAIL: Final[dict[str, Mail]] = {
    Kind.INVITED: Mail.NOW,
    Kind.ASSIGNED: Mail.NOW,
    Kind.MENTIONED: Mail.NOW,
    Kind.TOKEN: Mail.NOW,
}

# What the page of the settings says beneath some of them
HELP: Final[dict[str, Promise]] = {
    Kind.COMMENT: _("You follow cards that you create, comment on, or are assigned to or mentioned on."),
    Kind.CHANGE: _("Moves, new titles, due dates, done and archived cards. Several changes in a row are combined."),
    Kind.AGENT: _("What agents do with your API tokens. Several changes in a row are combined."),
    Kind.DUE: _("For cards that are assigned to you or that you follow."),
}


def kinds() -> list[tuple[str, object]]:
    """Return the choices of a model field. As they are given by a callable, a new kind needs no migration."""
    return list(Kind.choices)


def mails() -> list[tuple[str, object]]:
    return list(Mail.choices)
