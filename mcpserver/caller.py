"""Who calls."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from boards.actor import Actor
from boards.models.activity import Door

if TYPE_CHECKING:
    from accounts.models import ApiToken, User


@dataclass(frozen=True, slots=True)
class Caller:
    """The owner of a token, acting as an agent."""

    token: "ApiToken"
    user: "User" = field(init=False)
    actor: Actor = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "user", self.token.user)
        object.__setattr__(self, "actor", Actor(self.user, Door.AGENT, self.token.pk, self.token.name))

    @property
    def zone(self) -> ZoneInfo:
        return self.user.zone
