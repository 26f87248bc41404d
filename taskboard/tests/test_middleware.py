"""The address that a client has behind as many proxies as the operator declares; compression."""

import re

import pytest
from django.contrib.staticfiles import finders
from django.http import HttpResponse
from django.test import RequestFactory

from boards.models import Board
from cliauth.tests.conftest import CommandLine
from taskboard.middleware import ClientAddress

PROXY = "10.0.0.1"  # the address that connects to the service


@pytest.mark.parametrize(
    "proxies, forwarded, address",
    [
        (0, "203.0.113.9", PROXY),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.1, 203.0.113.9", "203.0.113.9"),  # the first was written by the client itself
        (2, "198.51.100.1,203.0.113.9 , 10.0.0.2", "203.0.113.9"),
        (2, "203.0.113.9", PROXY),  # did not pass the outermost proxy
        (1, "", PROXY),
        (1, None, PROXY),
        (1, " ", PROXY),
        (1, "203.0.113.9, ", PROXY),  # nothing where the outermost proxy writes
        (1, "198.51.100.1, 203.0.113.9:50123", "203.0.113.9"),
        (1, "[2001:db8::7]:443", "2001:db8::7"),
        (1, "2001:DB8:0::7", "2001:db8::7"),
        (1, "fe80::7%eth0", "fe80::7"),
        (1, "::ffff:203.0.113.9", "203.0.113.9"),
        (1, "203.0.113.9, unknown", PROXY),
        (1, "203.0.113.9, unix:", PROXY),
        (1, "x" * 60, PROXY),
        (1, "203.0.113.9\r", "203.0.113.9"),
    ],
)
def test_a_client_has_the_address_that_the_outermost_trusted_proxy_saw(db, settings, proxies, forwarded, address):
    settings.TRUSTED_PROXIES = proxies
    headers = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    line = CommandLine(REMOTE_ADDR=PROXY, **headers)
    line.start()
    assert line.grant.address == address


@pytest.mark.parametrize("peer", ["", "unix:", "x" * 60, "203.0.113.9.7"])
def test_a_peer_that_is_no_address_breaks_nothing(db, peer):
    line = CommandLine(REMOTE_ADDR=peer)
    line.start()
    assert line.grant.address == ""


def test_a_server_that_names_no_peer_breaks_nothing():
    request = RequestFactory().get("/")
    del request.META["REMOTE_ADDR"]
    ClientAddress(lambda request: HttpResponse())(request)
    assert request.META["REMOTE_ADDR"] == ""


def test_pages_ask_browsers_for_nothing_but_passkeys_and_the_clipboard(client, db):
    answer = client.get("/sign-in")["Permissions-Policy"]
    assert {"camera=()", "geolocation=()", "microphone=()", "publickey-credentials-get=(self)"} <= {*answer.split(", ")}


def test_pages_are_compressed(client, board: Board, olga):
    client.force_login(olga)
    page = client.get(f"/board/{board.pk}", headers={"Accept-Encoding": "gzip"})
    assert page["Content-Encoding"] == "gzip"
    assert int(page["Content-Length"]) == len(page.content)
    assert len(page.content) < len(client.get(f"/board/{board.pk}").content) / 2


def test_what_is_no_page_is_left_as_it_is(client, db):
    assert "Content-Encoding" not in client.get("/api/v1/openapi.json", headers={"Accept-Encoding": "gzip"})


def test_every_page_names_the_manifest_with_which_browsers_install_the_site(client, db):
    [address] = re.findall(r'<link rel="manifest" href="([^"]+)"', client.get("/").text)
    answer = client.get(address)
    assert answer["Content-Type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["name"], manifest["start_url"], manifest["display"]) == ("Taskboard", "/", "standalone")
    assert finders.find(manifest["icons"][0]["src"].removeprefix("/static/"))


def test_robots_are_told_to_stay_on_the_front_page(client):
    answer = client.get("/robots.txt")
    assert answer["Content-Type"].startswith("text/plain")
    assert answer.text == "User-agent: *\nAllow: /$\nAllow: /static/\nAllow: /public/\nDisallow: /\n"
