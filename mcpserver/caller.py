"""The caller of a tool."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils import timezone

from accounts.models import ApiToken
from boards.actor import Actor
from boards.models.verbs import Door
from boards.reader import Reader


class Caller:
    """The owner of a token, acting as an agent."""

    def __init__(self, token: ApiToken) -> None:
        self.token = token
        self.user = token.user
        self.reader = Reader(token.user)
        self.actor = Actor(token.user, Door.AGENT, token.pk, token.name)

    @property
    def zone(self) -> ZoneInfo:
        return self.user.zone

    def now(self) -> datetime:
        """Return the present time in the zone of the account."""
        return timezone.now().astimezone(self.zone)
