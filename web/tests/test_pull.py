"""The board is scrolled by pulling what lies beside its lists."""

import pytest
from playwright.sync_api import expect

from boards.actions.lists.list import create_list
from conftest import web
from taskboard.tests.waiting import wait_on_page
from web.tests.looking import box
from web.tests.open_board import OpenBoard

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def shown(opened, vera, olga, board, card) -> OpenBoard:
    for number in range(8):
        create_list(actor=web(olga), board_id=board.pk, title=f"List {number}")
    shown = opened(vera)
    wait_on_page(shown.page, lambda: is_pulled(shown), lambda: "the script has not come")
    return shown


def is_pulled(shown: OpenBoard) -> bool:
    """Pull the board by five pixels and back, and tell whether it followed."""
    mouse = shown.page.mouse
    mouse.move(800, 500)
    mouse.down()
    mouse.move(795, 500)
    follows = scrolled(shown) == 5
    mouse.move(800, 500)
    mouse.up()
    return follows


def scrolled(shown: OpenBoard) -> int:
    return shown.page.locator(".lists").evaluate("lists => lists.scrollLeft")


def test_pulling_the_empty_board_scrolls_it_there_and_back(shown):
    mouse, lists = shown.page.mouse, shown.page.locator(".lists")
    mouse.move(800, 500)
    mouse.down()
    mouse.move(500, 480)
    assert scrolled(shown) == 300
    expect(lists).to_contain_class("pulled")
    mouse.move(700, 480)
    assert scrolled(shown) == 100
    mouse.up()
    mouse.move(300, 480)
    assert scrolled(shown) == 100
    expect(lists).not_to_contain_class("pulled")


@pytest.mark.parametrize("button, on_tile", [("right", False), ("left", True)])
def test_another_button_and_a_press_on_a_tile_do_not(shown, card, button, on_tile):
    mouse, tile = shown.page.mouse, box(shown.tile(card))
    mouse.move(*((tile["left"] + 9, tile["top"] + 9) if on_tile else (800, 500)))
    mouse.down(button=button)
    mouse.move(100, 480)
    mouse.up(button=button)
    assert scrolled(shown) == 0
