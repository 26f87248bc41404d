"""The contexts that browser tests are lent are as good as new."""

import subprocess
import sys

import pytest
from playwright.sync_api import Page

from taskboard.tests.browsers import give_back, lend_context, open_tab, tabs
from taskboard.tests.servers import ROOT

pytestmark = pytest.mark.django_db(transaction=True)

LEAVE = """async () => {
  localStorage.setItem("left", "yes")
  sessionStorage.setItem("left", "yes")
  document.cookie = "left=yes"
  await new Promise(done => { indexedDB.open("left").onsuccess = event => { event.target.result.close(); done() } })
  await caches.open("left")
}"""
FIND = """async () => ({
  local: localStorage.length,
  session: sessionStorage.length,
  cookies: document.cookie.replace(/=\\S+/g, ""),
  databases: (await indexedDB.databases()).length,
  caches: (await caches.keys()).length,
  clipboard: (await navigator.permissions.query({ name: "clipboard-read" })).state,
  online: navigator.onLine,
})"""
SENT = (
    "() => performance.getEntriesByType('resource').filter(one => one.name.endsWith('.js') && one.transferSize).length"
)


@pytest.fixture
def lend(chrome, live_server):
    """Lends the same context again and again, with a new page in it."""
    lent = []

    def lend() -> Page:
        while lent:
            give_back(lent.pop())
        lent.append(lend_context(chrome, live_server.url, reduced_motion="reduce"))
        page = open_tab(lent[0])
        page.goto("/sign-in")
        return page

    yield lend
    while lent:
        give_back(lent.pop())


def test_nothing_that_a_test_left_is_there_for_the_next_but_the_scripts(lend):
    first = lend()
    first.wait_for_load_state("networkidle")  # scripts that come late are in the cache, too
    clean = first.evaluate(FIND)
    first.context.add_cookies([{"name": "sessionid", "value": "left", "url": first.url}])
    first.context.grant_permissions(["clipboard-read"])
    first.evaluate(LEAVE)
    first.context.set_offline(True)
    first.route("**/*", lambda route: route.abort())
    left = first.evaluate(FIND)
    assert not [name for name in clean if left[name] == clean[name]]

    second = lend()
    assert second.context is first.context
    assert first.is_closed()
    assert tabs(second.context) == [second]
    assert second.evaluate(FIND) == clean
    assert "left" not in {cookie["value"] for cookie in second.context.cookies()}
    assert second.evaluate(SENT) == 0


def test_a_context_with_another_clock_or_that_was_closed_is_not_lent_again(lend):
    first = lend()
    first.clock.install()
    second = lend()
    assert second.context is not first.context
    second.context.close()
    assert lend().context not in (first.context, second.context)


def test_what_two_tests_have_at_the_same_time_are_two_contexts(chrome, live_server):
    one, other = (lend_context(chrome, live_server.url) for _ in range(2))
    assert one is not other
    give_back(one)
    give_back(other)


def test_between_its_tests_the_browser_leaves_room_for_other_loops(processes):
    script = """
import asyncio
from taskboard.tests.browsers import end_browser, started_chromium

async def story():
    return "told"

for _ in range(2):
    with started_chromium() as browser:
        browser.new_context().close()
    print(asyncio.run(story()))
end_browser()
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("told\ntold\n", "")
