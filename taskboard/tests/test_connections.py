"""One connection or address takes a bounded share of the embedded server. Time is a clock that the tests turn."""

import errno
import io
import json
import tempfile
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.protocol import Factory, Protocol
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.web.http import Request

from apiv1.tests.stacks import Answer, Line
from taskboard.serving.channel import BODY_WITHIN, HEAD_WITHIN, LARGE_AT_ONCE, LARGE_WITHIN, LINGER, Channel
from taskboard.serving.connection_caps import HASTE, ConnectionCaps
from taskboard.serving.requests import Request as DaphneRequest
from taskboard.tests.prepared import prepared_cast
from taskboard.tests.served import environment_on_sqlite
from taskboard.tests.servers import Running, serving

__all__ = ["environment_on_sqlite"]

HUGE = 200_000_000
PICTURE = "/settings/profile/picture"
FORM_WITH_FILE = f"POST {PICTURE} HTTP/1.1\r\nContent-Length: 2000000\r\n\r\n".encode()


class Answered(Request):
    """Answers with the length of the body that it was given."""

    def process(self) -> None:
        self.write(b"read %d" % len(self.content.read()))
        self.finish()


class Wire(StringTransport):
    aborted = half_closed = False

    def loseWriteConnection(self) -> None:
        self.half_closed = True

    def abortConnection(self) -> None:
        self.aborted = True


class Connection:
    def __init__(self) -> None:
        self.clock, self.wire, self.channel = Clock(), Wire(), Channel()
        self.channel.requestFactory, self.channel.callLater = Answered, self.clock.callLater
        self.channel.timeOut = 60
        self.channel.makeConnection(self.wire)

    def send(self, data: bytes) -> None:
        self.channel.dataReceived(data)

    @property
    def answer(self) -> bytes:
        return self.wire.value()

    def status(self) -> int:
        assert self.wire.half_closed
        return int(self.answer.split()[1])


@pytest.fixture
def connection() -> Connection:
    return Connection()


def test_a_head_that_drips_is_cut_off(connection: Connection) -> None:
    connection.send(b"GET / HTTP/1.1\r\n")
    for _second in range(int(HEAD_WITHIN)):
        assert not connection.answer
        connection.send(b"x")
        connection.clock.advance(1)
    assert connection.status() == 408


def test_a_body_that_drips_is_cut_off(connection: Connection) -> None:
    connection.send(b"POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\n")
    for _second in range(int(BODY_WITHIN)):
        assert not connection.answer
        connection.send(b"x")
        connection.clock.advance(1)
    assert connection.status() == 408


@pytest.fixture
def large() -> Iterator[list[Connection]]:
    """As many connections as may send a file at a time, each with its first byte."""
    sending = [Connection() for _number in range(LARGE_AT_ONCE)]
    for one in sending:
        one.send(FORM_WITH_FILE + b"x")
    yield sending
    for one in sending:
        one.channel.connectionLost()


def test_a_form_with_a_file_has_more_time(large: list[Connection]) -> None:
    for _half_minute in range(int(LARGE_WITHIN / 30)):
        assert not large[0].answer
        large[0].send(b"x")
        large[0].clock.advance(30)
    assert large[0].status() == 408


def test_few_forms_with_files_are_read_at_a_time(large: list[Connection], connection: Connection) -> None:
    connection.send(FORM_WITH_FILE)
    assert connection.status() == 503


def test_a_form_with_a_file_that_is_answered_makes_room(large: list[Connection], connection: Connection) -> None:
    large[0].send(b"x" * 1_999_999)
    assert b"read 2000000" in large[0].answer
    connection.send(FORM_WITH_FILE)
    assert not connection.answer
    connection.channel.connectionLost()


def test_a_form_with_a_file_whose_client_leaves_makes_room(large: list[Connection], connection: Connection) -> None:
    large[0].channel.connectionLost()
    connection.send(FORM_WITH_FILE)
    assert not connection.answer
    connection.channel.connectionLost()


@pytest.mark.parametrize("fails", ["making", "write", "seek"])
def test_a_body_for_whose_file_there_is_no_room_is_refused(
    connection: Connection, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    def full(*arguments: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    file = type("Full", (io.BytesIO,), {fails: full})
    monkeypatch.setattr(tempfile, "TemporaryFile", full if fails == "making" else file)
    server = SimpleNamespace(protocol_connected=str, protocol_disconnected=str)
    connection.channel.factory, connection.channel.requestFactory = SimpleNamespace(server=server), DaphneRequest
    connection.send(FORM_WITH_FILE + b"x" * 2_000_000)
    assert connection.status() == 507
    connection.channel.connectionLost()


def test_a_socket_that_is_asked_for_with_a_file_takes_no_room(connection: Connection) -> None:
    connection.send(FORM_WITH_FILE.replace(b"\r\n", b"\r\nUpgrade: websocket\r\n", 1))
    assert connection.status() == 413


def test_one_request_after_the_other_has_time_of_its_own(connection: Connection) -> None:
    for number in range(1, 6):
        connection.send(b"GET / HTTP/1.1\r\nHost: x\r\n")
        connection.clock.advance(HEAD_WITHIN - 1)
        connection.send(b"\r\n")
        connection.clock.advance(HEAD_WITHIN - 1)
        assert connection.answer.count(b"read 0") == number
    assert not connection.wire.half_closed


def test_a_request_that_waits_behind_another_has_its_time_from_its_turn_on(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = Answered.process
    monkeypatch.setattr(Answered, "process", lambda request: None)
    connection.send(b"GET / HTTP/1.1\r\n\r\n")
    connection.send(b"GET / HTTP/1.1\r\n\r\n")
    connection.clock.advance(HEAD_WITHIN)
    assert not connection.answer
    monkeypatch.setattr(Answered, "process", answer)
    connection.channel.requests[0].process()
    assert connection.answer.count(b"read 0") == 2


def test_too_many_headers_are_told_so(connection: Connection) -> None:
    connection.send(b"GET / HTTP/1.1\r\n" + b"X: x\r\n" * 600)
    assert connection.status() == 431


@pytest.mark.parametrize("target", [b"http://[::1", b"http://[x]/"])
def test_a_whole_url_that_is_none_is_refused(connection: Connection, target: bytes) -> None:
    connection.send(b"GET %b HTTP/1.1\r\nHost: boards.example\r\n\r\n" % target)
    assert connection.status() == 400
    assert json.loads(connection.answer.partition(b"\r\n\r\n")[2]) == {"error": "This is not a valid HTTP request."}


def test_an_idle_connection_is_closed_after_a_minute(connection: Connection) -> None:
    connection.clock.advance(59)
    assert not connection.wire.disconnecting
    connection.clock.advance(2)
    assert connection.wire.disconnecting


def test_after_a_refusal_the_rest_is_dropped_and_the_connection_cut(connection: Connection) -> None:
    connection.send(b"nonsense\r\n\r\n")
    before = connection.answer
    connection.send(b"GET / HTTP/1.1\r\n\r\n")
    assert connection.answer == before
    connection.clock.advance(LINGER)
    assert connection.wire.aborted


def test_after_a_refusal_the_rest_is_read_though_no_answer_was_taken(connection: Connection) -> None:
    """A client that writes all of its body before it reads would wait, and never read the refusal."""
    connection.channel.pauseProducing()
    assert connection.wire.producerState == "paused"
    connection.send(b"nonsense\r\n\r\n")
    assert (connection.wire.producerState, connection.wire.producer) == ("producing", None)


def test_a_refusal_at_the_last_byte_of_a_body_cuts_the_connection_too(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Answered, "handleContentChunk", lambda request, data: request.channel.refuse(507, "Full."))
    connection.send(b"POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx")
    assert connection.status() == 507
    connection.clock.advance(LINGER)
    assert connection.wire.aborted


def test_a_client_that_leaves_early_is_forgotten(connection: Connection) -> None:
    connection.send(b"GET / HTTP/1.1\r\n")
    connection.channel.connectionLost(None)
    assert connection.clock.getDelayedCalls() == []


class Place:
    """A connection that waits at the door."""

    def __init__(self, door: ConnectionCaps, address: IPv4Address | IPv6Address) -> None:
        self.protocol = door.buildProtocol(address)
        if self.protocol is not None:
            self.protocol.makeConnection(StringTransport(peerAddress=address))

    @property
    def is_in(self) -> bool:
        return self.protocol is not None

    def leave(self) -> None:
        self.protocol.connectionLost(None)


def from_ipv4(last: int) -> IPv4Address:
    return IPv4Address("TCP", f"203.0.113.{last}", 4000)


@pytest.fixture
def door() -> ConnectionCaps:
    return ConnectionCaps(Factory.forProtocol(Protocol), most=4, most_each=2)


def test_one_address_gets_a_part_of_the_places(door: ConnectionCaps) -> None:
    assert [Place(door, from_ipv4(1)).is_in for _number in range(3)] == [True, True, False]
    assert Place(door, from_ipv4(2)).is_in


def test_addresses_of_one_ipv6_network_share_their_part(door: ConnectionCaps) -> None:
    several = [IPv6Address("TCP", f"2001:db8::{number}", 4000) for number in (1, 2, 3)]
    assert [Place(door, address).is_in for address in several] == [True, True, False]


def test_no_more_are_let_in_than_there_are_places_until_one_leaves(door: ConnectionCaps) -> None:
    places = [Place(door, from_ipv4(number)) for number in range(5)]
    assert [place.is_in for place in places] == [True, True, True, True, False]
    places[0].leave()
    assert Place(door, from_ipv4(9)).is_in


def test_while_most_places_are_taken_idle_ones_are_closed_sooner(door: ConnectionCaps) -> None:
    waits = [getattr(Place(door, from_ipv4(number)).protocol.wrappedProtocol, "timeOut", None) for number in range(4)]
    assert waits == [None, None, None, HASTE]


def test_behind_a_proxy_its_address_may_take_all_places(settings) -> None:
    settings.TRUSTED_PROXIES = 1
    all_in = ConnectionCaps(Factory.forProtocol(Protocol))
    assert all_in.most_each == all_in.most


@pytest.fixture(scope="module")
def running(environment: dict[str, str]) -> Iterator[Running]:
    """A running server, which logs the faults of these requests."""
    with serving(environment) as running:
        yield running


def answer_to_a_head(running: Running, path: str, *headers: str) -> Answer:
    """Return the answer to a request of which nothing but the head is sent."""
    with Line(running) as line:
        line.send("\r\n".join([f"POST {path} HTTP/1.1", "Host: 127.0.0.1", *headers, "", ""]).encode())
        answer = line.read()
        assert answer is not None
        assert line.read() is None
        return answer


@pytest.mark.parametrize("path", ["/sign-in", "/", "/boards/new", "http://127.0.0.1/sign-in"])
def test_a_huge_body_is_refused_before_it_is_sent(running: Running, path: str) -> None:
    assert answer_to_a_head(running, path, f"Content-Length: {HUGE}").status == 413
    assert answer_to_a_head(running, path, "Transfer-Encoding: chunked").status == 411


def test_the_api_refuses_a_huge_body_before_it_is_sent_after_its_other_checks(
    running: Running, environment: dict[str, str]
) -> None:
    token = f"Authorization: Bearer {prepared_cast(environment)['paula']['tokens'][0]}"
    huge = f"Content-Length: {HUGE}"
    assert answer_to_a_head(running, "/api/v1/cards", huge, "Expect: 100-continue", token).status == 413
    assert answer_to_a_head(running, "/api/v1/cards", "Transfer-Encoding: chunked", token).status == 411
    assert answer_to_a_head(running, "/api/v1/cards", huge).status == 401
    assert answer_to_a_head(running, "/api/v1/me", huge, token).status == 405
    assert answer_to_a_head(running, "/api/v1/nothing", huge).status == 404


@pytest.mark.parametrize("path, status", [("/sign-in", 413), ("/api/v1/cards", 401)])
def test_a_client_that_sends_its_huge_body_all_the_same_reads_the_refusal(
    running: Running, path: str, status: int
) -> None:
    with Line(running) as line:
        line.send(f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4000000\r\n\r\n".encode())
        line.send(b"x" * 4_000_000)
        answer = line.read()
    assert answer is not None
    assert (answer.status, answer.headers["connection"], *json.loads(answer.body)) == (status, "close", "error")


def test_a_form_with_a_picture_is_read_and_a_larger_one_is_refused_by_a_page(running: Running) -> None:
    with Line(running) as line:
        head = f"POST {PICTURE} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4000000\r\n\r\n"
        line.send(head.encode(), b"x" * 4_000_000)
        answer = line.read()
    assert answer is not None
    assert answer.status == 403, "it came to the check of the form's token"
    refused = answer_to_a_head(running, PICTURE, f"Content-Length: {HUGE}")
    assert refused.status == 413
    assert b"This is more than 10 MB" in refused.body
    assert answer_to_a_head(running, PICTURE, "Transfer-Encoding: chunked").status == 411


def test_a_script_of_a_page_reads_in_words_that_its_form_is_too_large(running: Running) -> None:
    refused = answer_to_a_head(running, "/boards/new", f"Content-Length: {HUGE}", "HX-Request: true")
    assert (refused.status, refused.headers["x-answer"]) == (413, "fragments")
    assert b"This is more than 1 MB, so it was not accepted. Shorten it" in refused.body


def test_a_head_that_is_too_large_is_told_so(running: Running) -> None:
    many = [f"X-{number}: {'x' * 6_000}" for number in range(10)]
    assert answer_to_a_head(running, "/sign-in", f"X-Long: {'x' * 60_000}").status == 431
    assert answer_to_a_head(running, "/sign-in", *many).status == 431
    assert running.get("/sign-in").status_code == 200
