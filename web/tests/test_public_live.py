"""The socket of a page that is open by a public link: what it gets, and what closes it."""

import asyncio
import json
from collections.abc import Coroutine
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.db import connections
from django.test import Client
from django.utils import timezone

from accounts.models import User
from boards.actions.boards.background import set_background_picture
from boards.actions.boards.board import archive_board
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import update_card
from boards.actions.cards.comments import add_comment
from boards.actions.people.members import remove_member
from boards.actions.sharing.public_links import (
    change_public_link,
    create_public_link,
    renew_public_link,
    withdraw_public_link,
)
from boards.models import Board, Card, PublicLink
from conftest import web
from core.bus.access_check import check_access
from web.live import public
from web.live.routing import websockets

pytestmark = pytest.mark.django_db(transaction=True)

GONE = 4404
WITHIN = 40  # seconds
CHOICES = {"expires_at": None, "shows_comments": False, "shows_names": False, "frames": ""}


@asynccontextmanager
async def page(link: PublicLink, cookies: str = "", since: int | None = None) -> Any:
    version = since if since is not None else await sync_to_async(lambda: Board.objects.get(pk=link.board_id).version)()
    headers = [(b"host", b"testserver"), (b"origin", b"http://testserver"), (b"cookie", cookies.encode())]
    path = f"/ws/public/{link.key}?since={version}&language=en&beats&bell&page={'p' * 20}"
    socket = WebsocketCommunicator(websockets, path, headers=headers)
    assert (await socket.connect())[0]
    try:
        yield socket
    finally:
        await socket.disconnect()


async def told(socket: WebsocketCommunicator) -> Any:
    """Return the next message that is no beat, or the code with which the socket is closed."""
    while True:
        output = await socket.receive_output(WITHIN)
        if output["type"] == "websocket.close":
            return output["code"]
        message = json.loads(output["text"])
        if "beat" not in message:
            return message
        assert message == {"beat": 12, "spread": 0, "user": ""}


async def is_up_to_date(socket: WebsocketCommunicator) -> bool:
    """Wait until the page has been brought to the present version; what it is told afterwards comes by a hint."""
    return "beat" in json.loads((await socket.receive_output(WITHIN))["text"])


def run(play: Coroutine[Any, Any, None]) -> None:
    """Run it, and close the connection to the database of the thread in which it calls what is not asynchronous."""

    async def story() -> None:
        try:
            await play
        finally:
            await sync_to_async(connections.close_all)()

    asyncio.run(story())


@pytest.fixture(autouse=True)
def without_regular_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public, "CHECKS_EVERY", 3600)


@pytest.fixture
def link(olga: User, ed: User, board: Board) -> PublicLink:
    return create_public_link(actor=web(olga), board_id=board.pk)


def test_a_change_arrives_without_the_people_in_it(link, olga, ed, board, card: Card):
    def change() -> None:
        assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
        add_comment(actor=web(ed), card_id=card.pk, text="Remarkable")
        update_card(actor=web(olga), card_id=card.pk, title="Landed", description="Secretly begun")
        remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)

    async def play() -> None:
        async with page(link) as socket:
            assert await is_up_to_date(socket)
            await sync_to_async(change)()
            seen = ""
            while "Landed" not in seen:
                seen += json.dumps(await told(socket))
            for hidden in ("Ed", "avatar", "Remarkable", "Secretly", str(ed.pk), str(board.pk), "member", "Comments"):
                assert hidden not in seen

    run(play())


def test_a_new_picture_behind_the_lists_arrives_with_the_address_of_the_link(link, olga, board):
    async def play() -> None:
        async with page(link) as socket:
            assert await is_up_to_date(socket)
            await sync_to_async(set_background_picture)(actor=web(olga), board_id=board.pk, content=b"a picture")
            seen = json.dumps(await told(socket))
            assert f"/public/{link.key}/background/" in seen
            assert str(board.pk) not in seen

    run(play())


@pytest.mark.parametrize("how", ["withdraw", "renew", "password", "archive", "deactivate", "expire"])
def test_what_ends_the_link_closes_its_pages(how, link, olga, board):
    def end() -> None:
        match how:
            case "withdraw":
                withdraw_public_link(actor=web(olga), board_id=board.pk)
            case "renew":
                renew_public_link(actor=web(olga), board_id=board.pk)
            case "password":
                change_public_link(actor=web(olga), board_id=board.pk, password="correct horse", **CHOICES)
            case "archive":
                archive_board(actor=web(olga), board_id=board.pk)
            case "deactivate":
                User.objects.filter(pk=olga.pk).update(is_active=False)
                check_access(olga.pk)

    async def play() -> None:
        async with page(link) as socket:
            assert how == "expire" or await is_up_to_date(socket)
            await sync_to_async(end)()
            assert await told(socket) == GONE

    if how == "expire":
        PublicLink.objects.update(expires_at=timezone.now() + timedelta(seconds=1))
        link.refresh_from_db()
    run(play())


def test_a_change_of_the_choices_makes_pages_read_everything_anew(link, olga, board):
    async def play() -> None:
        async with page(link) as socket:
            assert await is_up_to_date(socket)
            choices = CHOICES | {"shows_names": True}
            await sync_to_async(change_public_link)(actor=web(olga), board_id=board.pk, **choices)
            message = await told(socket)
            assert (message["reload"], message["restored"]) == (True, True)

    run(play())


def test_with_a_password_only_browsers_that_know_it_get_a_socket(link, olga, board):
    change_public_link(actor=web(olga), board_id=board.pk, password="correct horse", **CHOICES)
    link.refresh_from_db()
    browser = Client()
    browser.post(f"/public/{link.key}/unlocking", {"password": "correct horse"})
    cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in browser.cookies.items())

    async def play() -> None:
        async with page(link) as socket:
            assert await told(socket) == GONE
        async with page(link, cookie) as socket:
            assert await is_up_to_date(socket)

    run(play())


def test_a_wrong_key_gets_none(link):
    async def play() -> None:
        headers = [(b"host", b"testserver"), (b"origin", b"http://testserver")]
        socket = WebsocketCommunicator(websockets, f"/ws/public/{'A' * 43}?since=0", headers=headers)
        assert (await socket.connect())[0]
        assert await told(socket) == GONE
        await socket.disconnect()

    run(play())


def test_one_link_has_so_many_places(link, settings):
    settings.SOCKETS_PER_LINK = 1

    async def play() -> None:
        async with page(link) as first:
            assert await is_up_to_date(first)
            async with page(link) as second:
                assert await told(second) == 4429

    run(play())
