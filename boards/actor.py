"""Who acts, and through which door."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from boards.models.activity import Door

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, slots=True)
class Actor:
    """The token's name is copied: the activity shows it even when the token is gone."""

    user: "User"
    door: Door = Door.WEB
    token_id: UUID | None = None
    token_name: str = ""
