"""A page whose connection to the real server loses everything, in Chromium."""

import re
from pathlib import Path

from playwright.sync_api import Browser, expect

from taskboard.tests.people import settle
from taskboard.tests.prepared import prepared_data
from taskboard.tests.proxy import Proxy
from taskboard.tests.servers import serving


def test_a_page_whose_packets_vanish_is_right_again(chrome: Browser, tmp_path: Path):
    data = {"TASKBOARD_DATA": str(prepared_data(tmp_path / "data"))}
    with serving(data) as running, settle(data, running.url, "olga") as people:
        olga, proxy = people["olga"], Proxy(running.url, 80)
        board = olga.new_board()
        page = chrome.new_page(base_url=proxy.url)
        page.context.add_cookies([{"name": "sessionid", "value": olga.session, "url": proxy.url}])
        page.clock.install()
        page.goto(f"/board/{board['id']}")
        olga.new_card(board, "Before")
        expect(page.locator(".card .title")).to_have_text([re.compile("Before")])
        proxy.swallow()
        olga.new_card(board, "Meanwhile")
        page.clock.run_for(30_000)
        expect(page.locator(".card .title")).to_have_text([re.compile("Before"), re.compile("Meanwhile")])
        page.close()
        proxy.down()
