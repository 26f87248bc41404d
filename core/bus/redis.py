"""The bus between processes, over Redis."""

from typing import Any

from core.bus.memory import Heard
from core.bus.publisher import Publisher
from core.bus.subscriber import Subscriber


class RedisBus:
    """Delivers messages between any number of processes, with Redis' publish and subscribe.

    Publishing and subscribing are apart because they run in different places: `publish` is called from synchronous code
    in any thread and process, `listen` on the event loop of a process that serves websockets.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._publisher = Publisher(url)
        self._subscriber: Subscriber | None = None

    def publish(self, group: str, message: dict[str, Any]) -> None:
        self._publisher.publish(group, message)

    def listen(self, heard: Heard) -> None:
        self._subscriber = Subscriber(self._url, heard)

    def join(self, group: str) -> None:
        """Ask for the subscription and return at once. `heard(group, None)` is called when Redis has confirmed it.

        A message published in between is lost, so a subscriber must catch up when it gets that call.
        """
        if self._subscriber is not None:
            self._subscriber.join(group)

    def leave(self, group: str) -> None:
        if self._subscriber is not None:
            self._subscriber.leave(group)
