"""Roles that groups of the OpenID provider give on a board, and the memberships that came from them."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from boards.models.base import BoardRow
from boards.models.membership import Role
from core.text.lists import join_items

LONGEST_GROUP = 200  # characters of its name


class BoardGroup(BoardRow):
    """The role that members of a group of the OpenID provider get on a board. Operators alone decide it."""

    board = models.ForeignKey("boards.Board", on_delete=models.CASCADE, related_name="groups", verbose_name=_("board"))
    group = models.CharField(_("group"), max_length=LONGEST_GROUP)
    role = models.CharField(_("role"), max_length=10, choices=[(Role.VIEWER, _("Viewer")), (Role.EDITOR, _("Editor"))])
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        ordering = ["group", "id"]
        verbose_name = _("group of a board")
        verbose_name_plural = _("groups of boards")
        constraints = [
            models.UniqueConstraint(fields=["board", "group"], name="one_role_a_group"),
            models.CheckConstraint(condition=~models.Q(role=Role.OWNER), name="group_makes_no_owner"),
        ]

    def __str__(self) -> str:
        return self.group


class GroupMembership(models.Model):
    """A note that groups gave somebody a membership. Without one, groups touch no membership.

    The note stays when the member leaves or is removed by hand: they are not added again while their groups are the
    same. Not a BoardRow, because it does not belong to the board.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    board = models.ForeignKey("boards.Board", on_delete=models.CASCADE, related_name="+", verbose_name=_("board"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("account")
    )
    membership_id = models.UUIDField(editable=False)  # no foreign key: the note outlives the row
    groups = models.JSONField(_("groups"), default=list)  # those of the board that they were in, sorted
    role = models.CharField(_("role"), max_length=10, choices=Role)  # what the groups gave last
    at = models.DateTimeField(_("changed"), default=timezone.now, editable=False)

    class Meta:
        ordering = ["at", "id"]
        verbose_name = _("membership by groups")
        verbose_name_plural = _("memberships by groups")
        constraints = [models.UniqueConstraint(fields=["board", "user"], name="one_note_of_groups")]

    def __str__(self) -> str:
        return f"{self.user} · {join_items(self.groups)}"
