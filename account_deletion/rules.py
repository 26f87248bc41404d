"""The rule for every row that refers to a deleted account: one for each foreign key, held by a test.

The row of the account itself stays, emptied: docs/decisions/accounts.md says why.
"""

from enum import Enum, auto
from typing import Any
from uuid import UUID

from django.apps import apps


class Rule(Enum):
    GONE = auto()  # the row is deleted with the account
    LEFT = auto()  # the row ends when the boards are left or deleted (boards/actions/people/departure.py)
    KEPT = auto()  # the row is part of what others have, or a record of it; it says *Former member*


RULES: dict[str, Rule] = {
    "account.EmailAddress.user": Rule.GONE,
    "accounts.ApiToken.user": Rule.GONE,
    "accounts.TrustedBrowser.user": Rule.GONE,
    "accounts.User_groups.user": Rule.GONE,
    "accounts.User_user_permissions.user": Rule.GONE,
    "accounts.WorkFilter.user": Rule.GONE,
    "admin.LogEntry.user": Rule.KEPT,  # what an operator did
    "boards.Activity.user": Rule.KEPT,
    "boards.Assignment.user": Rule.LEFT,
    "boards.Attachment.uploaded_by": Rule.KEPT,
    "boards.BoardView.user": Rule.GONE,
    "boards.Card.created_by": Rule.KEPT,
    "boards.Comment.author": Rule.KEPT,
    "boards.GroupMembership.user": Rule.GONE,
    "boards.Invitation.invited_by": Rule.GONE,
    "boards.Invitation.invitee": Rule.GONE,
    "boards.InvitationLink.made_by": Rule.GONE,
    "boards.Membership.user": Rule.LEFT,
    "boards.Offer.offered_by": Rule.GONE,  # an operator's, on a board of others; an owner's ends with the board
    "boards.Offer.to": Rule.LEFT,
    "boards.OwnTemplate.user": Rule.GONE,
    "boards.OwnerActivity.owner": Rule.GONE,
    "boards.OwnerActivity.user": Rule.KEPT,  # an operator who deleted a board of somebody else
    "boards.Use.user": Rule.GONE,
    "cliauth.Grant.user": Rule.GONE,
    "exporter.Export.user": Rule.GONE,  # with its file
    "importer.Import.user": Rule.GONE,  # its file by the sweep
    "mfa.Authenticator.user": Rule.GONE,
    "socialaccount.SocialAccount.user": Rule.GONE,
    "notifications.Follow.user": Rule.GONE,
    "notifications.Habits.user": Rule.GONE,
    "notifications.Notification.user": Rule.GONE,
    "notifications.PushBrowser.user": Rule.GONE,
    "notifications.Unseen.user": Rule.GONE,
    "notifications.Way.user": Rule.GONE,
    "security.BrowserSession.user": Rule.GONE,  # with Django's rows of them
    "security.SecurityEvent.by": Rule.KEPT,  # what an operator did to another account
    "security.SecurityEvent.user": Rule.GONE,
}


def delete_rows_of(user_id: UUID, *, but: str = "") -> None:
    """Delete the rows whose foreign key has the rule GONE, except `but`: one statement or two for each foreign key."""
    for place, rule in RULES.items():
        if rule is Rule.GONE and place != but:
            model, field = split(place)
            model._default_manager.filter(**{field: user_id}).delete()


def split(place: str) -> tuple[Any, str]:
    """Return the model and the name of the field."""
    label, _dot, field = place.rpartition(".")
    return apps.get_model(label), field
