"""The caller of a tool."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils import timezone

from accounts.models import ApiToken
from apiv1.authentication import actor_of
from boards.models.verbs import Door
from mcpserver.finding import Finder


class Caller:
    """The owner of a token, acting as an agent."""

    finder: Finder  # of the call that is running

    def __init__(self, token: ApiToken) -> None:
        self.token = token
        self.user = token.user
        self.actor = actor_of(token, Door.AGENT)
        self.reader = self.actor.reader

    @property
    def zone(self) -> ZoneInfo:
        return self.user.zone

    def now(self) -> datetime:
        """Return the present time in the zone of the account."""
        return timezone.now().astimezone(self.zone)
