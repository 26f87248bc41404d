"""Addresses that people name are fetched from the internet alone. The server here stands in for those of others."""

import gzip
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from core.http import outgoing
from core.http.outgoing import Unreachable, fetch, is_allowed
from core.tests.web_server import WebServer, web_server
from taskboard.tests.waiting import PATIENCE, wait_until


@pytest.fixture
def server():
    with web_server() as found:
        yield found


@pytest.fixture
def raw_server() -> Iterator[Callable[[Callable[[socket.socket], object]], str]]:
    """Serve one connection by a function of the test; return the address."""
    opened: list[socket.socket] = []
    threads: list[threading.Thread] = []

    def serve(talk: Callable[[socket.socket], object]) -> str:
        listener = socket.create_server(("127.0.0.1", 0))

        def accept() -> None:
            line, _peer = listener.accept()
            opened.append(line)
            with suppress(OSError):
                talk(line)
                line.shutdown(socket.SHUT_WR)

        opened.append(listener)
        threads.append(threading.Thread(target=accept))
        threads[-1].start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    yield serve
    for one in threads:
        one.join(PATIENCE)
    for one in opened:
        one.close()


def body_of(address: str, server: WebServer | None = None, **more) -> bytes:
    options = {"headers": {}, "most": 1000, "seconds": 5, "servers": [server.address] if server else []} | more
    with fetch(address, **options) as answer:
        return answer.body.read()


@pytest.mark.parametrize(
    "address",
    [
        "http://example.com/", "https://127.0.0.1/", "https://[::1]/", "https://10.0.0.1/", "https://169.254.169.254/latest",
        "https://user@example.com/", "file:///etc/passwd", "ftp://example.com", "https://example.com:22/", "https://",
        "https://example.com/a b", "https://exa\\mple.com/", "", "javascript:alert(1)", "https://example.com:x/",
    ],
)  # fmt: skip
def test_addresses_that_lead_elsewhere_are_not_called(address):
    assert not is_allowed(address)
    with pytest.raises(Unreachable):
        body_of(address)


@pytest.mark.parametrize("address", ["https://example.com/", "https://example.com:1337/x?y=z", "https://8.8.8.8/"])
def test_addresses_of_the_internet_are_called(address):
    assert is_allowed(address)


def test_a_name_that_leads_into_an_own_network_is_not_called(monkeypatch):
    found = [(socket.AF_INET, 1, 6, "", ("10.0.0.8", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *rest, **more: found)
    monkeypatch.setattr("urllib3.util.connection.create_connection", lambda *rest, **more: pytest.fail("called"))
    with pytest.raises(Unreachable):
        body_of("https://planka.example/")


def test_a_server_that_the_operator_names_may_be_anywhere(server):
    server.give("/x?y=1", b"hello")
    assert body_of(f"{server.address}/x?y=1", server) == b"hello"
    with pytest.raises(Unreachable):
        body_of(f"{server.address}/x?y=1")


def test_servers_are_named_in_capitals_too():
    assert is_allowed("http://planka.internal/x", ["http://Planka.internal"])


def test_where_one_address_of_a_name_does_not_answer_the_next_is_called(server, monkeypatch):
    look_up = socket.getaddrinfo

    def two(host, *rest, **more):
        hosts = ["127.0.0.2", "127.0.0.1"] if host == "planka.example" else [host]
        return [found for one in hosts for found in look_up(one, *rest, **more)]

    monkeypatch.setattr(socket, "getaddrinfo", two)
    server.give("/x", b"hello")
    address = server.address.replace("127.0.0.1", "planka.example")
    assert body_of(f"{address}/x", servers=[address]) == b"hello"


def test_an_answer_that_is_too_long_is_not_kept(server):
    server.give("/x", b"x" * 1001)
    with pytest.raises(Unreachable):
        body_of(f"{server.address}/x", server)


def test_an_answer_that_is_cut_short_is_not_taken_for_the_whole(raw_server):
    address = raw_server(lambda line: line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"))
    with pytest.raises(Unreachable, match="IncompleteRead"):
        body_of(address, servers=[address])


def test_an_answer_is_not_decompressed(server):
    bomb = gzip.compress(b"x" * 10_000)
    server.give("/x", bomb, **{"Content-Encoding": "gzip"})
    assert body_of(f"{server.address}/x", server) == bomb


def test_the_host_is_told_as_the_address_has_it(raw_server):
    asked = []

    def answer(line: socket.socket) -> None:
        asked.append(line.recv(65_536))
        line.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")

    address = raw_server(answer).replace("127.0.0.1", "localhost")
    body_of(f"{address}/x", servers=[address])
    assert f"\r\nHost: {address.removeprefix('http://')}\r\n".encode() in asked[0]


def test_a_proxy_of_the_environment_is_not_asked(server, monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    server.give("/x", b"hello")
    assert body_of(f"{server.address}/x", server) == b"hello"


def test_a_header_that_is_none_does_not_put_the_address_into_the_log(raw_server, caplog):
    address = raw_server(lambda line: line.sendall(b"HTTP/1.1 204 No Content\r\nno header\r\n\r\n"))
    body_of(f"{address}/secret", servers=[address])
    assert "secret" not in caplog.text


def test_redirects_are_followed_only_where_they_are_wanted(server):
    server.give("/a", b"", 302, Location="/b")
    server.give("/b", b"there")
    assert body_of(f"{server.address}/a", server, redirects=1) == b"there"
    with pytest.raises(Unreachable):
        body_of(f"{server.address}/a", server)


def test_a_redirect_into_an_own_network_is_not_followed(server):
    server.give("/a", b"", 302, Location="http://127.0.0.1:1/secret")
    with pytest.raises(Unreachable):
        body_of(f"{server.address}/a", server, redirects=3)


def test_a_redirect_to_no_address_is_not_followed(server):
    server.give("/a", b"", 302, Location="https://[")
    with pytest.raises(Unreachable):
        body_of(f"{server.address}/a", server, redirects=1)


def test_a_token_goes_to_the_first_server_alone(server):
    with web_server() as other:
        server.give("/a", b"", 302, Location=f"{other.address}/b")
        other.give("/b", b"there")
        both = [server.address, other.address]
        token = {"Authorization": "Bearer secret"}
        assert body_of(f"{server.address}/a", headers=token, servers=both, redirects=1) == b"there"
        assert server.asked == [("/a", "Bearer secret")]
        assert other.asked == [("/b", None)]


def test_an_error_does_not_tell_the_address():
    with pytest.raises(Unreachable) as error:
        body_of("https://127.0.0.1/?token=secret")
    assert "secret" not in str(error.value)


def test_a_name_that_nobody_resolves_ends_with_the_deadline(monkeypatch):
    """The resolver of the system waits as long as it likes."""
    go_on = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *rest, **more: go_on.wait(60))
    try:
        with pytest.raises(Unreachable, match="TimeoutError"):
            body_of("https://planka.example/", seconds=0.05)
    finally:
        go_on.set()


@pytest.mark.parametrize(
    "scheme, start",
    [
        ("http", b"HTTP/1.1 200 OK\r\nX: "),
        ("http", b"HTTP/1.1 200 OK\r\n\r\n"),
        ("http", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n"),
        ("https", b"\x16\x03\x03\x3f\xff\x02\x00\x3f\xfb"),
    ],
    ids=["head", "body", "chunk", "TLS"],
)
def test_an_answer_that_drips_ends_with_the_deadline_and_its_connection_too(raw_server, monkeypatch, scheme, start):
    monkeypatch.setattr(outgoing, "CONNECTING", 1.0)
    is_over = threading.Event()

    def drip(line: socket.socket) -> None:
        line.sendall(start)
        wait_until(lambda: is_shut(line))
        is_over.set()

    address = raw_server(drip).replace("http", scheme)
    with pytest.raises(Unreachable, match="TimeoutError"):
        body_of(f"{address}/", servers=[address], most=10**6, seconds=0.2)
    assert is_over.wait(PATIENCE)


def is_shut(line: socket.socket) -> bool:
    """Send a byte."""
    try:
        line.sendall(b"x")
    except OSError:
        return True
    return False


def test_what_is_not_wanted_any_more_is_not_fetched(server):
    def still_wanted() -> None:
        raise Stop

    server.give("/x", b"hello")
    with pytest.raises(Stop):
        body_of(f"{server.address}/x", server, still_wanted=still_wanted)
    assert server.asked == []


def test_it_ends_while_an_answer_is_waited_for(monkeypatch):
    monkeypatch.setattr(outgoing, "LISTEN", 0.01)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        asked = iter(range(20))

        def still_wanted() -> None:
            if next(asked, None) is None:
                raise Stop

        with pytest.raises(Stop):
            body_of(f"{address}/", servers=[address], seconds=60, still_wanted=still_wanted)


class Stop(Exception):
    pass
