"""Who acts, and through which door."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib.auth import get_permission_codename
from django.db import models

from boards.models.verbs import Door
from boards.reader import Reader

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, slots=True)
class Actor:
    """The token's name is copied: the activity shows it even when the token is gone."""

    user: "User"
    door: Door = Door.WEB
    token_id: UUID | None = None
    token_name: str = ""

    @property
    def reader(self) -> Reader:
        """The same one as a reader: what it can see of what it is about to change."""
        return Reader(self.user)

    def operates(self, model: type[models.Model]) -> bool:
        """In the admin, and nowhere else, staff with Django's permission to change such rows act as any board's owner."""
        permission = f"{model._meta.app_label}.{get_permission_codename('change', model._meta)}"
        return self.door == Door.ADMIN and self.user.is_staff and self.user.has_perm(permission)
