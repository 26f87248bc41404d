"""Three hosts: PostgreSQL and Redis on one, the service on the others, of which one vanishes with its connections open."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any

import httpx
import psycopg
import pytest

from taskboard.tests.hosts import Host, hosts
from taskboard.tests.own_services import own_postgresql, own_redis
from taskboard.tests.people import Person
from taskboard.tests.prepared import prepared_cluster, prepared_data
from taskboard.tests.processes import GUNICORN, Process, processes
from taskboard.tests.servers import PLAIN_HTTP, ROOT, bare_environment
from taskboard.tests.vanishing import ANSWER
from taskboard.tests.waiting import wait_until

pytestmark = [pytest.mark.usefixtures("own_services", "namespaces"), pytest.mark.timeout(300)]

STANDING_STILL = {("active", "advisory"), ("idle", "ClientRead"), ("idle in transaction", "ClientRead")}


@dataclass
class Service:
    """PostgreSQL as its administrator sees it, and Olga at the host that is left."""

    lost: Host
    left: Host
    olga: Person
    board: dict[str, Any]
    environment: dict[str, str]
    server: "psycopg.Connection[Any]"

    def read(self) -> int:
        """Return the status of the board's page."""
        return self._ask("GET", f"/board/{self.board['id']}", cookies={"sessionid": self.olga.session})

    def write(self) -> int:
        """Return the status of a call that creates a card, which is tried once more where the service is busy."""
        card = {"boardId": self.board["id"], "title": "A card"}
        options = {"headers": {"Authorization": f"Bearer {self.olga.token}"}, "json": card}
        status = self._ask("POST", "/api/v1/cards", **options)
        return self._ask("POST", "/api/v1/cards", **options) if status == 503 else status

    def _ask(self, method: str, path: str, **options: Any) -> int:
        options |= {**PLAIN_HTTP, "timeout": 40}  # seconds
        return self.left.run(lambda: httpx.request(method, self.olga.url + path, **options).status_code)

    def sessions(self, host: Host) -> list[tuple[str, str]]:
        """Return the state, and what it waits for, of each session that the host has with PostgreSQL."""
        asked = "SELECT state, wait_event FROM pg_stat_activity WHERE client_addr = %s::inet"
        return self.server.execute(asked, [host.address]).fetchall()

    def is_locked(self) -> bool:
        asked = "SELECT FROM boards_board WHERE id = %s FOR NO KEY UPDATE SKIP LOCKED"
        return not self.server.execute(asked, [self.board["id"]]).fetchall()

    def somebody_waits(self) -> bool:
        return ("active", "transactionid") in self.sessions(self.left)


@pytest.fixture(scope="module")
def service(own_services, namespaces, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    cluster, cast = prepared_cluster()
    with ExitStack() as stack:
        storing, lost, left = stack.enter_context(hosts(3))
        postgresql = storing.run(lambda: stack.enter_context(own_postgresql(cluster, storing.address)))
        redis = storing.run(lambda: stack.enter_context(own_redis(storing.address)))
        data = str(prepared_data(tmp_path_factory.mktemp("data")))
        environment = {"TASKBOARD_DATA": data, "DATABASE_URL": postgresql.url, "REDIS_URL": redis.url}
        gunicorn = Process(
            GUNICORN, {**environment, "TASKBOARD_LIMITS": "off"}, tmp_path_factory.mktemp("logs") / "log"
        )
        left.run(lambda: stack.enter_context(processes(gunicorn)))
        olga = stack.enter_context(closing(Person(gunicorn.url, **cast["olga"], name="olga")))
        server = storing.run(lambda: stack.enter_context(psycopg.connect(postgresql.url, autocommit=True)))
        yield Service(lost, left, olga, left.run(olga.new_board), environment, server)


@pytest.fixture(scope="module")
def vanished(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """Return a host whose cable was pulled out while its process had three connections (`vanishing.py`)."""
    command = [sys.executable, "-m", "taskboard.tests.vanishing", service.board["id"]]
    environment = bare_environment() | service.environment
    service.server.execute("SELECT pg_advisory_lock(%s)", [ANSWER])
    with (log := tmp_path_factory.mktemp("logs") / "vanishing").open("w") as out:
        process = service.lost.run(lambda: subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=out))
    try:
        wait_until(lambda: set(service.sessions(service.lost)) == STANDING_STILL and service.is_locked(), log.read_text)
        service.lost.pull_out()
        service.server.execute("SELECT pg_advisory_unlock(%s)", [ANSWER])  # the answer goes out, and nobody receives it
        yield service.lost
    finally:
        process.kill()
        process.wait()


def test_a_board_whose_lock_vanished_with_a_host_is_read_meanwhile_and_written_soon(
    service: Service, vanished: Host
) -> None:
    with ThreadPoolExecutor(1) as beside:
        written = beside.submit(service.write)
        wait_until(lambda: written.done() or service.somebody_waits())
        while not written.done():
            assert service.read() == 200
        assert written.result() == 201


def test_the_server_gives_up_all_connections_of_a_host_that_vanished(service: Service, vanished: Host) -> None:
    """The idle one, and the one whose answer nobody received, which the system would try to deliver for a quarter of an hour."""
    wait_until(lambda: not service.sessions(vanished), lambda: service.sessions(vanished))
