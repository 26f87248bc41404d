"""Live sockets on a real server: access, updates and close codes."""

import contextlib
import re
import signal
import socket as tcp
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from taskboard.tests.people import Person, Socket, settle, titles
from taskboard.tests.prepared import prepared_data, prepared_services
from taskboard.tests.served_people import olga, people, stan
from taskboard.tests.servers import serving
from taskboard.tests.settle import PASSWORD
from taskboard.tests.waiting import wait_until

__all__ = ["olga", "people", "stan"]


@pytest.fixture
def board(olga: Person) -> dict:
    return olga.new_board()


def invited(board: dict, olga: Person, *others: Person) -> None:
    for other in others:
        olga.invite(board, other)


def test_a_page_is_brought_from_its_version_to_the_present_one(olga, board):
    card = olga.new_card(board)
    with olga.open(board, since=1) as socket:
        message = socket.message()
    assert (message["board"], message["since"], message["version"]) == (board["id"], 1, 2)
    assert [(thing["kind"], thing["id"]) for thing in message["changed"]] == [("card", card["id"])]
    assert message["removed"] == []


def test_a_card_made_over_rest_arrives_on_an_open_page(olga, board):
    with olga.open(board, since=1) as socket:
        for number in (2, 3):
            card = olga.new_card(board, f"Card {number}")
            message = socket.message()
            assert (message["since"], message["version"]) == (number - 1, number)
            assert [thing["id"] for thing in message["changed"]] == [card["id"]]
            assert titles(message) == [f"Card {number}"]


def test_two_pages_at_different_versions_reach_the_same_version(olga, board):
    olga.new_card(board, "First")
    with olga.open(board, since=2) as late, olga.open(board, since=1) as early:
        assert titles(early.message()) == ["First"]
        olga.new_card(board, "Second")
        assert titles(early.message()) == ["Second"]
        assert titles(late.message()) == ["Second"]


def test_a_reconnect_misses_nothing(olga, board):
    with olga.open(board, since=1) as socket:
        olga.new_card(board, "Seen")
        seen = socket.message()["version"]
    olga.new_card(board, "Missed")
    with olga.open(board, since=seen) as socket:
        assert titles(socket.message()) == ["Missed"]


def test_pages_of_one_board_get_nothing_from_another(olga, board):
    other = olga.new_board("Other")
    with olga.open(board, since=1) as socket:
        olga.new_card(other, "Elsewhere")
        olga.new_card(board, "Here")
        assert titles(socket.message()) == ["Here"]


def test_a_burst_of_changes_arrives_whole_and_in_order(olga, board):
    with olga.open(board, since=1) as socket:
        for number in range(40):
            olga.new_card(board, f"Card {number}")
        messages = socket.until(41)
    ends = [(message["since"], message["version"]) for message in messages]
    assert [since for since, _version in ends] == [1, *(version for _since, version in ends[:-1])]
    shown = {title for message in messages for title in titles(message)}
    assert shown == {f"Card {number}" for number in range(40)}


def test_readers_of_one_language_get_the_same_text_and_others_their_own(olga, people, board):
    ed, dora = people["ed"], people["dora"]
    invited(board, olga, ed, dora)
    with olga.open(board, since=3) as hers, ed.open(board, since=3) as his, dora.open(board, since=3) as german:
        olga.new_card(board, dueDate="2037-12-01")
        text = hers.text()
        assert text == his.text()
        assert "Dec\xa01,\xa02037" in text
        assert "1.\xa0Dez.\xa02037" in german.text()
    assert "csrf" not in text.lower()
    assert olga.email not in text


@pytest.mark.parametrize("since", ["", "abc", "-5", "9" * 30, "1e3", "%00", "１", "1&since=2", "1_", "None"])
def test_a_page_with_an_invalid_version_is_sent_everything(olga, board, since):
    olga.new_card(board)
    with olga.open(board, since=since) as socket:
        message = socket.message()
    if since.startswith("1&"):
        assert message["since"] == 1
    else:
        assert {thing["kind"] for thing in message["changed"]} == {"board", "members", "list", "card"}


def test_a_page_without_a_version_is_sent_everything(olga, board):
    with olga.open(board) as socket:
        assert socket.message()["since"] == -1


def test_a_page_ahead_of_its_board_is_told_to_reload(olga, board):
    with olga.open(board, since=99) as socket:
        message = socket.message()
        assert (message["board"], message["version"], message["reload"]) == (board["id"], 1, True)
        olga.new_card(board, "Next")
        assert titles(socket.message()) == ["Next"]


def refused(person: Person, path: str, **options) -> int:
    with pytest.raises(InvalidStatus) as refusal, person.open_path(path, **options):
        pass
    return refusal.value.response.status_code


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "https://127.0.0.1", "http://127.0.0.1", "http://127.0.0.1:1"]
)
def test_a_missing_or_foreign_origin_is_forbidden(olga, board, origin):
    assert refused(olga, f"/ws/board/{board['id']}?since=1", origin=origin) == 403


@pytest.mark.parametrize("origin", ["http://[::1", "127.0.0.1", "", "ws://", "http://127.0.0.1:x"])
def test_an_invalid_origin_is_refused(olga, board, origin):
    assert refused(olga, f"/ws/board/{board['id']}?since=1", origin=origin) in (400, 403)


@pytest.mark.parametrize("origin", ["http://evil.example", None])
def test_a_foreign_host_is_forbidden_even_when_the_origin_agrees(olga, board, origin):
    """DNS rebinding: a foreign name resolves to the address of this server."""
    address = urlsplit(olga.url)
    with (
        tcp.create_connection((address.hostname, address.port)) as connection,
        pytest.raises(InvalidStatus) as refusal,
        connect(
            f"ws://evil.example/ws/board/{board['id']}",
            sock=connection,
            origin=origin or olga.url,
            additional_headers={"Cookie": f"sessionid={olga.session}"},
        ),
    ):
        pass
    assert refusal.value.response.status_code == 403


@pytest.mark.parametrize(
    "path", ["/ws/", "/ws/board/", "/ws/other/1", "/", "/board/1", "/ws/board/1/2", "/ws/board/%00/x"]
)
def test_other_addresses_accept_no_sockets(olga, path):
    assert refused(olga, path) == 403


@pytest.mark.parametrize("session", ["", "x" * 32, "%00", "ü", "a;b=c", "x" * 4000, "' OR 1=1 --"])
def test_a_socket_without_a_valid_session_is_closed_with_4401(olga, board, session):
    with olga.open_path(f"/ws/board/{board['id']}", session=session.encode().decode("latin-1")) as socket:
        assert socket.close_code() == 4401


def test_a_stranger_is_closed_with_4403(stan, board):
    with stan.open(board) as socket:
        assert socket.close_code() == 4403


@pytest.mark.parametrize(
    "board_id",
    [
        "d2888057-4925-4878-af2f-a4f7913523dc",
        "x",
        "1",
        "0" * 36,
        "%00",
        "%F0%9F%92%A9",
        "01a1fb62-dd88-7000-8000-00000000000g",
    ],
)
def test_a_socket_of_an_unknown_board_is_closed_with_4404(olga, board_id):
    with olga.open({"id": board_id}) as socket:
        assert socket.close_code() == 4404


def test_a_board_id_in_capitals_is_invalid(olga, board):
    with olga.open({"id": board["id"].upper()}) as socket:
        assert socket.close_code() == 4404


def test_sockets_of_archived_and_deleted_boards_are_closed_with_4404(olga, board):
    olga.post(f"/board/{board['id']}/archival", archived="1")
    with olga.open(board) as socket:
        assert socket.close_code() == 4404
    olga.post(f"/board/{board['id']}/deletion", title="Launch")
    with olga.open(board) as socket:
        assert socket.close_code() == 4404


@contextmanager
def opened(person: Person, board: dict, olga: Person) -> Iterator[Socket]:
    """A socket that has received an update of its board."""
    with person.open(board) as socket:
        version = socket.message()["version"]
        olga.new_card(board, "It follows")
        assert titles(socket.until(version + 1)[-1]) == ["It follows"]
        yield socket


def test_archiving_the_board_closes_its_open_pages(olga, people, board):
    invited(board, olga, people["ed"])
    with opened(people["ed"], board, olga) as socket:
        olga.post(f"/board/{board['id']}/archival", archived="1")
        assert socket.close_code() == 4404


def test_deleting_the_board_closes_its_open_pages(olga, board):
    with opened(olga, board, olga) as socket:
        olga.post(f"/board/{board['id']}/archival", archived="1")
        olga.post(f"/board/{board['id']}/deletion", title="Launch")
        assert socket.close_code() == 4404


def test_a_removed_members_socket_is_closed_and_others_stay_open(olga, people, board):
    ed, vera = people["ed"], people["vera"]
    invited(board, olga, ed, vera)
    with opened(ed, board, olga) as his, opened(vera, board, olga) as hers:
        olga.post(f"/board/{board['id']}/members/{ed.id}/removal")
        assert his.close_code() == 4403
        assert hers.message()["changed"][0]["kind"] == "members"


def test_signing_out_closes_that_browser_and_no_other(olga, people, board):
    pia = people["pia"]
    invited(board, olga, pia)
    with pia.elsewhere() as signing_out, opened(pia, board, olga) as here, opened(signing_out, board, olga) as there:
        signing_out.post("/sign-out")
        assert there.close_code() == 4401
        version = olga_adds(olga, board)
        assert here.until(version)[-1]["version"] == version


def olga_adds(olga: Person, board: dict) -> int:
    """Add a card and return the board's version after it."""
    olga.new_card(board, "Still here?")
    with olga.open(board, since=0) as socket:
        return socket.message()["version"]


def test_a_new_password_closes_every_page_and_the_browser_that_set_it_can_reconnect(olga, people, board):
    pia = people["pia"]
    invited(board, olga, pia)
    new = {"oldpassword": PASSWORD, "password1": "another horse battery", "password2": "another horse battery"}
    with pia.elsewhere() as setting, opened(pia, board, olga) as there, opened(setting, board, olga) as here:
        setting.post("/settings/password", **new)
        assert (there.close_code(), here.close_code()) == (4401, 4401)
        with pia.open(board) as again:
            assert again.close_code() == 4401
        with opened(setting.at_present(), board, olga):
            pass


def test_deactivating_an_account_closes_its_pages(olga, people, board):
    vera, otto = people["vera"], people["otto"]
    invited(board, olga, vera)
    with opened(vera, board, olga) as socket:
        otto.post("/admin/accounts/user/", action="deactivate", _selected_action=vera.id)
        assert socket.close_code() == 4401
    otto.post("/admin/accounts/user/", action="activate", _selected_action=vera.id)


@pytest.mark.parametrize(
    "frame", ["garbage", '{"type": "board.changed", "version": 9}', "", b"\x00\xff", "x" * 100_000]
)
def test_a_client_that_sends_something_is_closed_with_4400(olga, board, frame):
    with olga.open(board, since=1) as quiet, olga.open(board, since=1) as loud:
        loud.connection.send(frame)
        assert loud.close_code() == 4400
        olga.new_card(board, "After")
        assert titles(quiet.message()) == ["After"]


FRAME = b"\x81\x8a" + b"\x00" * 4 + b"0123456789"  # ten letters, masked with zeros


def test_of_a_flood_of_frames_the_server_reads_only_the_first(olga, board):
    """Otherwise the server would be busy with them for minutes, and every page of everybody would wait."""
    with olga.open(board, since=1) as quiet, olga.open(board, since=1) as loud:
        with contextlib.suppress(OSError):  # it is closed before all are sent
            for _number in range(1000):
                loud.connection.socket.sendall(FRAME * 1000)
        assert loud.is_cut()
        olga.new_card(board, "After")
        assert titles(quiet.message()) == ["After"]


def test_pings_are_answered_and_a_flood_of_them_closes_the_socket(olga, board):
    with olga.open(board, since=1) as socket:
        for _number in range(20):
            assert socket.connection.ping().wait(10)
        with contextlib.suppress(ConnectionClosed):
            for _number in range(200):
                socket.connection.ping()
        assert socket.is_cut()


def test_a_huge_frame_closes_its_own_socket_only(olga, board):
    with olga.open(board, since=1) as quiet, olga.open(board, since=1) as loud:
        with contextlib.suppress(ConnectionClosed):  # it is closed before all of it is sent
            loud.connection.send("x" * 2_000_000)
        assert loud.is_cut()
        olga.new_card(board, "After")
        assert titles(quiet.message()) == ["After"]


def test_a_text_frame_that_is_not_utf_8_closes_its_socket_only(olga, board):
    with olga.open(board, since=1) as quiet, olga.open(board, since=1) as loud:
        loud.connection.send(b"\xff\xfe", text=True)
        assert loud.is_cut()
        olga.new_card(board, "After")
        assert titles(quiet.message()) == ["After"]


def test_a_socket_that_is_reset_does_no_harm(olga, board):
    with olga.open(board, since=1) as socket:
        with olga.open(board, since=1) as cut:
            cut.connection.socket.setsockopt(tcp.SOL_SOCKET, tcp.SO_LINGER, struct.pack("ii", 1, 0))  # a reset
            cut.connection.close_socket()
        olga.new_card(board, "After")
        assert titles(socket.message()) == ["After"]


def test_a_client_that_stops_reading_is_sent_the_sum_when_it_reads_on(olga, board):
    """Sending every change in between would make the server keep them all in memory."""
    for number in range(40):
        olga.new_card(board, f"{number} " + '"' * 490)  # six times as long in HTML
    changes = 60
    with small_window(olga) as connection, olga.open(board, since=41, sock=connection, max_queue=1) as socket:
        for number in range(changes):  # every second change sends all cards
            olga.post(f"/list/{board['lists'][0]['id']}/archival", archived=str(1 - number % 2))
        messages = socket.until(41 + changes)
    assert len(messages) < changes - 5
    assert len(titles(messages[-1])) == 40


@contextmanager
def small_window(person: Person) -> Iterator[tcp.socket]:
    """A connection with a small receive buffer."""
    address = urlsplit(person.url)
    with tcp.socket() as connection:
        connection.setsockopt(tcp.SOL_SOCKET, tcp.SO_RCVBUF, 4096)
        connection.connect((address.hostname, address.port))
        yield connection


def test_a_socket_address_without_an_upgrade_is_answered_404(olga, board):
    assert olga.browser.get(f"/ws/board/{board['id']}").status_code == 404


def test_a_server_that_stops_tells_its_pages_to_come_back(any_database, tmp_path):
    with prepared_services() as services:
        environment = {**services, "TASKBOARD_DATA": str(prepared_data(tmp_path))}
        with serving(environment) as running, settle(environment, running.url, "olga") as people:
            olga = people["olga"]
            with ExitStack() as pages:
                board = olga.new_board()
                sockets = [pages.enter_context(olga.open(board)) for _page in range(20)]
                for socket in sockets:
                    socket.message()
                code, _out, err = running.stop(signal.SIGTERM)
                assert [socket.close_code() for socket in sockets] == [4500] * 20
                assert (code, err) == (0, "")


def other_sessions(person: Person) -> set[str]:
    """Return the addresses that end the person's sessions in other browsers. A busy service notes a session later."""
    rows = person.browser.get("/settings/security").text.split('class="token factor"')
    others = " ".join(row for row in rows if ">this browser<" not in row)
    return set(re.findall(r'action="(/settings/security/sessions/[^/"]+/end)"', others))


def test_a_session_that_is_ended_in_another_browser_closes_its_pages_and_no_others(olga, board):
    before = other_sessions(olga)
    with olga.elsewhere() as there, there.open(board, since=1) as ended, olga.open(board, since=1) as kept:
        olga.new_card(board, "Before")
        assert titles(ended.message()) == titles(kept.message()) == ["Before"]
        [other] = wait_until(lambda: other_sessions(olga) - before)
        olga.post(other)
        assert ended.close_code() == 4401
        olga.new_card(board, "After")
        assert titles(kept.message()) == ["After"]
