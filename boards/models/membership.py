from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from boards.models.base import BoardRow


class Role(models.TextChoices):
    VIEWER = "viewer", _("Viewer")
    EDITOR = "editor", _("Editor")
    OWNER = "owner", _("Owner")

    @property
    def can_edit(self) -> bool:
        return self in (Role.EDITOR, Role.OWNER)

    @property
    def can_own(self) -> bool:
        return self is Role.OWNER


class Membership(BoardRow):
    """A user's access to a board, with a role. Each board has one owner."""

    board = models.ForeignKey("boards.Board", on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(_("role"), max_length=10, choices=Role)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at", "id"]
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [
            models.UniqueConstraint(fields=["board", "user"], name="one_membership_per_person"),
            models.UniqueConstraint(fields=["board"], condition=Q(role=Role.OWNER), name="one_owner_per_board"),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.get_role_display()}"
