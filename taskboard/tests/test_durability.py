"""The server is killed while scripts create cards. Every card that it acknowledged is there when it is back."""

import re
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from pathlib import Path

import httpx
import pytest

from taskboard.tests.people import Person, settle
from taskboard.tests.prepared import prepared_data, prepared_services
from taskboard.tests.servers import Running, free_port, serving
from taskboard.tests.waiting import wait_until

SCRIPTS = 4
FEW = 40
ENOUGH = 300  # cards; a message of the live socket carries at most 500 rows


@pytest.fixture
def environment(any_database: None, tmp_path: Path) -> Iterator[dict[str, str]]:
    with prepared_services() as services:
        yield {**services, "TASKBOARD_DATA": str(prepared_data(tmp_path)), "TASKBOARD_LIMITS": "off"}


class Stream:
    """Scripts that create cards as fast as they can until the server is gone."""

    def __init__(self, person: Person, board: dict) -> None:
        self.person, self.board = person, board
        self.numbers = count(1)
        self.acknowledged: dict[str, str] = {}  # ids by title
        self.unanswered: list[str] = []

    def wait_until_well_on(self, scripts: list[Future[None]]) -> None:
        """Return in the middle of requests. Fail as the first script does that is refused."""
        wait_until(
            lambda: len(self.acknowledged) > FEW or any(script.done() for script in scripts),
            lambda: f"only {len(self.acknowledged)} cards were created",
        )
        for script in scripts:
            if script.done():
                script.result()

    def make_cards(self) -> None:
        for number in self.numbers:  # an iterator that the scripts share
            title = f"Card {number}"
            try:
                self.make(title)
            except httpx.TransportError:
                self.unanswered.append(title)
                return
            if number > ENOUGH:
                return

    def make(self, title: str) -> None:
        """Create a card with an Idempotency-Key of its own, so that asking again creates no second one."""
        body = {"boardId": self.board["id"], "title": title}
        answer = self.person.script.post(
            "/api/v1/cards", json=body, headers={"Idempotency-Key": title.replace(" ", "-")}
        )
        assert answer.status_code == 201, answer.text
        self.acknowledged[title] = answer.json()["card"]["id"]


def cards_on(person: Person, board: dict) -> list[tuple[str, str, int]]:
    """Return id, title and version of each card, as a newly opened page gets them."""
    with person.open(board) as socket:
        tiles = [thing for thing in socket.message()["changed"] if thing["kind"] == "card"]
    return [
        (
            tile["id"],
            re.search(r">(Card \d+)", tile["html"])[1],
            int(re.search(r'data-version="(\d+)"', tile["html"])[1]),
        )
        for tile in tiles
    ]


def killed(running: Running, stream: Stream) -> None:
    """Kill the server while the stream runs."""
    with ThreadPoolExecutor(SCRIPTS) as threads:
        scripts = [threads.submit(stream.make_cards) for _number in range(SCRIPTS)]
        try:
            stream.wait_until_well_on(scripts)
        finally:
            running.process.kill()
            running.process.communicate()
        for script in scripts:
            script.result()


def test_every_acknowledged_card_survives_a_kill_once_and_unanswered_ones_can_be_asked_for_again(environment):
    port = free_port()
    with serving(environment, port=port) as running, settle(environment, running.url, "olga") as people:
        olga = people["olga"]
        board = olga.new_board()
        stream = Stream(olga, board)
        killed(running, stream)
        acknowledged = dict(stream.acknowledged)
        assert FEW < len(acknowledged) < ENOUGH
        assert stream.unanswered
        with serving(environment, port=port):
            found = cards_on(olga, board)
            assert {title: card for card, title, _version in found}.items() >= acknowledged.items()
            assert len(found) <= len(acknowledged) + SCRIPTS
            for title in stream.unanswered:
                stream.make(title)
            found = cards_on(olga, board)
    assert sorted(title for _card, title, _version in found) == sorted([*acknowledged, *stream.unanswered])
    assert {title: card for card, title, _version in found} == stream.acknowledged
    assert sorted(version for _card, _title, version in found) == list(range(2, len(found) + 2))
