"""The production layout: gunicorn for http, two Daphne processes for sockets, PostgreSQL and Redis between them."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest

from taskboard.tests.people import Person, settle, titles
from taskboard.tests.prepared import prepared_data, prepared_services
from taskboard.tests.processes import DAPHNE, GUNICORN, Process, processes
from taskboard.tests.proxy import Proxy
from taskboard.tests.waiting import PATIENCE

pytestmark = pytest.mark.usefixtures("services")


@pytest.fixture(scope="module")
def redis() -> Iterator[Proxy]:
    proxy = Proxy(os.environ["REDIS_URL"], 6379)
    yield proxy
    proxy.down()


@pytest.fixture(scope="module")
def environment(any_database: None, redis: Proxy, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with prepared_services() as services:
        data = prepared_data(tmp_path_factory.mktemp("data"))
        yield services | {"REDIS_URL": redis.url, "TASKBOARD_DATA": str(data)}


@pytest.fixture(scope="module")
def daphnes(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> list[Process]:
    logs = tmp_path_factory.mktemp("logs")
    return [Process(DAPHNE, environment, logs / f"daphne-{number}") for number in (1, 2)]


@pytest.fixture(scope="module")
def gunicorn(
    environment: dict[str, str], daphnes: list[Process], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Process]:
    gunicorn = Process(GUNICORN, environment, tmp_path_factory.mktemp("logs") / "gunicorn")
    with processes(gunicorn, *daphnes):
        yield gunicorn
    for process in (gunicorn, *daphnes):
        assert "Traceback" not in process.log.read_text()


@pytest.fixture(scope="module")
def people(gunicorn: Process, environment: dict[str, str]) -> Iterator[dict[str, Person]]:
    with settle(environment, gunicorn.url, "olga", "ed") as people:
        yield people


@pytest.fixture
def olga(people: dict[str, Person]) -> Person:
    return people["olga"]


def at(process: Process, person: Person) -> Person:
    """Return the person with pages whose sockets this process serves."""
    return replace(person, socket_url=process.url)


def test_a_card_made_over_http_reaches_sockets_of_both_processes(processes, olga, daphnes):
    board = olga.new_board()
    first, second = (at(process, olga).open(board, since=1) for process in daphnes)
    with first as here, second as there:
        for number in range(3):
            olga.new_card(board, f"Card {number}")
            assert titles(here.message()) == [f"Card {number}"]
            assert titles(there.message()) == [f"Card {number}"]


def test_the_sockets_of_a_removed_member_are_closed_in_both_processes(processes, olga, people, daphnes):
    board, ed = olga.new_board(), people["ed"]
    olga.invite(board, ed, "viewer")
    first, second = (at(process, ed).open(board, since=1) for process in daphnes)
    with first as here, second as there:
        assert (here.message()["version"], there.message()["version"]) == (2, 2)
        olga.post(f"/board/{board['id']}/members/{ed.id}/removal")
        assert (here.close_code(), there.close_code()) == (4403, 4403)


def test_a_page_whose_process_is_killed_comes_back_and_misses_nothing(processes, olga, daphnes):
    board, (dying, staying) = olga.new_board(), daphnes
    with at(staying, olga).open(board, since=1) as there:
        with at(dying, olga).open(board, since=1) as here:
            olga.new_card(board, "Before")
            seen = here.message()["version"]
            dying.kill()
            assert here.is_cut()
        olga.new_card(board, "Meanwhile")
        brought = [title for message in there.until(seen + 1) for title in titles(message)]  # one message or two
        assert brought == ["Before", "Meanwhile"]
        dying.start()
        with at(dying, olga).open(board, since=seen) as again:
            assert titles(again.message()) == ["Meanwhile"]
            olga.new_card(board, "After")
            assert titles(again.message()) == ["After"]


def test_a_daphne_that_is_asked_to_stop_tells_its_pages_to_come_back(processes, olga, daphnes):
    board, (stopping, _other) = olga.new_board(), daphnes
    with ExitStack() as pages:
        sockets = [pages.enter_context(at(stopping, olga).open(board)) for _page in range(20)]
        for socket in sockets:
            socket.message()
        stopping.process.terminate()
        assert [socket.close_code() for socket in sockets] == [4500] * 20
        stopping.process.wait(PATIENCE)
    stopping.start()


def test_the_service_goes_on_without_redis_and_pages_catch_up_when_it_is_back(processes, olga, daphnes, redis):
    board = olga.new_board()
    first, second = (at(process, olga).open(board, since=1) for process in daphnes)
    with first as here, second as there:
        olga.new_card(board, "Before")
        assert titles(here.message()) == titles(there.message()) == ["Before"]
        redis.down()
        olga.new_card(board, "Without")
        with at(daphnes[0], olga).open(board, since=2) as opened_meanwhile:
            assert titles(opened_meanwhile.message()) == ["Without"]
            olga.new_card(board, "Without, too")
            redis.up()
            assert titles(opened_meanwhile.message()) == ["Without, too"]
        for socket in (here, there):
            assert {title for message in socket.until(4) for title in titles(message)} == {"Without", "Without, too"}
        olga.new_card(board, "After")
        assert titles(here.message()) == titles(there.message()) == ["After"]
