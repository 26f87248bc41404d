"""What people name an address of is fetched from the internet alone. The server here stands in for those of others."""

import socket
import threading

import pytest

from core import reaching
from core.fetcher import Unreachable, fetch, is_allowed
from core.tests.web_server import WebServer, web_server


@pytest.fixture
def server():
    with web_server() as found:
        yield found


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
    monkeypatch.setattr(socket, "create_connection", lambda *rest, **more: pytest.fail("called"))
    with pytest.raises(Unreachable):
        body_of("https://planka.example/")


def test_a_server_that_the_operator_names_may_be_anywhere(server):
    server.give("/x?y=1", b"hello")
    assert body_of(f"{server.address}/x?y=1", server) == b"hello"
    with pytest.raises(Unreachable):
        body_of(f"{server.address}/x?y=1")


def test_an_answer_that_is_too_long_is_not_kept(server):
    server.give("/x", b"x" * 1001)
    with pytest.raises(Unreachable):
        body_of(f"{server.address}/x", server)


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


def test_what_is_not_wanted_any_more_is_not_fetched(server):
    def still_wanted() -> None:
        raise Stop

    server.give("/x", b"hello")
    with pytest.raises(Stop):
        body_of(f"{server.address}/x", server, still_wanted=still_wanted)
    assert server.asked == []


def test_it_ends_while_an_answer_is_waited_for(monkeypatch):
    monkeypatch.setattr(reaching, "LISTEN", 0.01)
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
