"""Origin checks: only pages of the service itself may open a socket, by the host and scheme of its address."""

import pytest

from web.live.routing import is_own_origin


@pytest.fixture(autouse=True)
def _https_service(settings) -> None:
    settings.ALLOWED_HOSTS = ["boards.example.com", "10.0.0.1", "[::1]"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://boards.example.com"]
    settings.SESSION_COOKIE_SECURE = True


@pytest.mark.parametrize(
    "origin, host",
    [
        ("https://boards.example.com", "boards.example.com"),
        ("https://BOARDS.example.com", "Boards.Example.com"),
        ("https://boards.example.com:8443", "boards.example.com:8443"),
        ("https://[::1]:8000", "[::1]:8000"),
        ("https://boards.example.com", "10.0.0.1:8002"),  # behind a proxy that sends a Host of its own
    ],
)
def test_pages_of_the_service_may_open_a_socket(origin, host):
    assert is_own_origin(origin, host)


@pytest.mark.parametrize(
    "origin, host",
    [
        ("", "boards.example.com"),
        ("null", "boards.example.com"),
        ("http://boards.example.com", "boards.example.com"),  # a man in the middle can answer plain HTTP
        ("https://boards.example.com.evil.example", "boards.example.com"),
        ("https://boards.example.com@evil.example", "boards.example.com"),
        ("https://evil.example", "evil.example"),
        ("https://boards.example.com", "evil.example"),
        ("https://boards.example.com", ""),
        ("https://10.0.0.1:1", "10.0.0.1:2"),
        ("https://", ""),
    ],
)
def test_other_pages_may_not_open_a_socket(origin, host):
    assert not is_own_origin(origin, host)


def test_without_https_both_schemes_are_accepted(settings):
    settings.SESSION_COOKIE_SECURE = False
    assert is_own_origin("http://10.0.0.1:8000", "10.0.0.1:8000")
    assert is_own_origin("https://10.0.0.1:8000", "10.0.0.1:8000")
    assert not is_own_origin("ftp://10.0.0.1:8000", "10.0.0.1:8000")
