"""The caller of a tool."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils import timezone

from accounts.models import ApiToken
from apiv1.authentication import actor_of
from boards.models.verbs import Door, Verb
from mcpserver.finding import Finder


class Caller:
    """The owner of a token, acting as an agent."""

    finder: Finder  # of the call that is running
    made_before: int  # how many changes the actor had made before it

    def __init__(self, token: ApiToken) -> None:
        self.token = token
        self.user = token.user
        self.actor = actor_of(token, Door.AGENT)
        self.reader = self.actor.reader

    @property
    def zone(self) -> ZoneInfo:
        return self.user.zone

    def begin(self) -> None:
        """Forget what the call before has found and changed."""
        self.finder, self.made_before = Finder(self.reader), len(self.actor.changes)

    @property
    def moved_boards(self) -> bool:
        """Tell whether the call has moved a card to another board."""
        return any(made.verb in (Verb.CARD_LEFT, Verb.CARD_ARRIVED) for made in self.actor.changes[self.made_before :])

    def now(self) -> datetime:
        """Return the present time in the zone of the account."""
        return timezone.now().astimezone(self.zone)
