"""Push in Chromium: the button with a push service that the page is given, and the service worker by messages of its own.

There is no push service for Chromium without a head, so PushManager.subscribe is replaced in the page.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from notifications.models import PushBrowser
from notifications.tests.push_service import Subscription
from taskboard.tests.waiting import wait_on_page

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = "/settings/notifications"

STAND_IN = """subscription => {
    const kept = () => localStorage.getItem("subscribed") ? made : null
    const made = { endpoint: subscription.endpoint, options: {}, toJSON: () => subscription,
        unsubscribe: async () => { localStorage.removeItem("subscribed"); return true } }
    PushManager.prototype.getSubscription = async () => kept()
    PushManager.prototype.subscribe = async (options) => { if (!options.userVisibleOnly) throw new Error(); localStorage.setItem("subscribed", 1); return made }
    Notification.requestPermission = async () => (window.permissions ??= []).push(1) && "granted"
    Object.defineProperty(Notification, "permission", { get: () => window.permission ?? "default" })
}"""


@pytest.fixture
def settings_of(chrome: Browser, live_server: Any, client: Any) -> Iterator[Callable[[Any], Page]]:
    contexts: list[BrowserContext] = []

    def open_page(user: Any) -> Page:
        client.force_login(user)
        context = chrome.new_context(base_url=live_server.url)  # none that is lent: service workers would stay
        contexts.append(context)
        session = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        page = context.new_page()
        page.goto(PAGE)
        expect(page.locator("#push[data-wired]")).to_be_attached()
        return page

    yield open_page
    for context in contexts:
        context.close()


def with_stand_in(page: Page, endpoint: str = "https://push.example.com/1") -> Page:
    form = Subscription(endpoint).form
    subscription = {"endpoint": endpoint, "keys": {"p256dh": form["p256dh"], "auth": form["auth"]}}
    page.add_init_script(f"({STAND_IN})({json.dumps(subscription)})")
    return reloaded(page)


def reloaded(page: Page) -> Page:
    page.reload()
    expect(page.locator("#push[data-wired]")).to_be_attached()
    return page


def test_one_button_turns_push_on_in_this_browser(settings_of, ed):
    page = with_stand_in(settings_of(ed))
    button = page.get_by_role("button", name="Turn on in this browser")
    expect(button).to_be_visible()
    assert page.evaluate("() => window.permissions") is None, "nobody is asked before the click"
    button.click()
    expect(page.get_by_text("This browser receives push notifications.")).to_be_visible()
    expect(page.locator("#push h3")).to_contain_text("this browser")
    expect(button).to_be_hidden()
    assert PushBrowser.objects.get().endpoint == "https://push.example.com/1"


def test_turning_off_takes_the_subscription_back_in_the_browser_too(settings_of, ed):
    page = with_stand_in(settings_of(ed))
    page.get_by_role("button", name="Turn on in this browser").click()
    expect(page.locator("#push h3")).to_contain_text("this browser")
    page.locator("#push form[data-here] button").click()
    expect(page.get_by_text("no longer receives push notifications")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on in this browser")).to_be_visible()
    assert not PushBrowser.objects.exists()


def test_what_the_browser_blocks_is_said_in_words(settings_of, ed):
    page = settings_of(ed)
    page.add_init_script("window.permission = 'denied'")
    page = with_stand_in(page)
    expect(page.get_by_text("Notifications are blocked in this browser.")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on in this browser")).to_be_hidden()


def test_without_a_push_manager_there_is_no_button(settings_of, ed):
    page = settings_of(ed)
    page.add_init_script("delete window.PushManager")
    reloaded(page)
    expect(page.get_by_text("This browser cannot receive push notifications from here.")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on in this browser")).to_be_hidden()


def test_a_refusal_of_the_browser_is_told(settings_of, ed):
    page = with_stand_in(settings_of(ed))
    page.evaluate("() => { PushManager.prototype.subscribe = async () => { throw new Error('no') } }")
    button = page.get_by_role("button", name="Turn on in this browser")
    button.click()
    expect(page.get_by_text("The browser did not turn on push notifications.")).to_be_visible()
    expect(button).to_be_enabled()


def pushed(page: Page, text: str) -> dict[str, Any]:
    """Have the service worker handle a message, and return what it shows. Chromium without a head may show nothing."""
    page.evaluate(
        "async () => { await navigator.serviceWorker.register('/service-worker.js'); await navigator.serviceWorker.ready }"
    )
    line, found = page.context.new_cdp_session(page), []
    line.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    line.send("ServiceWorker.enable")
    (worker,) = page.context.service_workers
    worker.evaluate(RECORD)
    wait_on_page(page, lambda: found)
    origin = page.evaluate("() => location.origin + '/'")
    line.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": origin, "registrationId": found[-1]["registrationId"], "data": text},
    )
    return worker.evaluate("() => self.shown")


RECORD = """() => {
    self.shown = new Promise((resolve) => {
        ServiceWorkerRegistration.prototype.showNotification = async (title, options) => resolve({ title, ...options })
    })
}"""


def test_the_service_worker_shows_title_and_sentence(settings_of, ed):
    message = {"title": "<b>Launch", "body": "Olga assigned you to X #1", "tag": "1", "lang": "de"}
    leads = {"open": "/notification/1", "page": "/card/1"}
    assert pushed(settings_of(ed), json.dumps(message | leads)) == message | {"data": leads}


@pytest.mark.parametrize("text", ["", "no JSON", "null"])
def test_a_message_that_cannot_be_read_is_shown_by_name_alone(settings_of, ed, text):
    shown = pushed(settings_of(ed), text)
    assert (shown["title"], shown["data"]["open"]) == ("Taskboard", "/notifications")


@pytest.mark.parametrize(
    "data, windows, opened, focused",
    [
        ({"open": "/notification/1", "page": "/card/1"}, ["/"], ["{own}/notification/1"], []),
        ({"open": "/notification/1", "page": "/card/1"}, ["/", "/card/1"], [], ["/card/1"]),
        ({"open": "https://evil.example/x", "page": "//evil.example/y"}, ["/"], ["{own}/notifications"], []),
        ({}, [], ["{own}/notifications"], []),
    ],
)
def test_a_click_opens_or_shows_a_page_of_this_service_alone(settings_of, ed, data, windows, opened, focused):
    page = settings_of(ed)
    found = page.context.browser.new_context(bypass_csp=True).new_page()
    try:
        found.goto(page.url)
        answer = found.evaluate(RUN, {"data": data, "windows": windows})
    finally:
        found.context.close()
    own = page.evaluate("() => location.origin")
    assert answer["opened"] == [one.format(own=own) for one in opened]
    assert answer["focused"] == focused
    assert answer["fetched"] == ([f"{own}/notification/1"] if focused else [])


def test_a_subscription_that_the_browser_renews_takes_the_place_of_the_former_one(settings_of, ed):
    page = with_stand_in(settings_of(ed))
    page.get_by_role("button", name="Turn on in this browser").click()
    expect(page.locator("#push h3")).to_contain_text("this browser")
    form = Subscription("https://push.example.com/2").form
    keys = {"p256dh": form["p256dh"], "auth": form["auth"]}
    page.evaluate(
        "async () => { await navigator.serviceWorker.register('/service-worker.js'); await navigator.serviceWorker.ready }"
    )
    (worker,) = page.context.service_workers
    worker.evaluate(RENEW, {"endpoint": form["endpoint"], "keys": keys})
    assert PushBrowser.objects.get().endpoint == "https://push.example.com/2"


RENEW = """async (subscription) => {
    const event = new Event("pushsubscriptionchange")
    let done
    event.waitUntil = (promise) => { done = promise }
    event.oldSubscription = { endpoint: "https://push.example.com/1" }
    event.newSubscription = { toJSON: () => subscription }
    self.dispatchEvent(event)
    await done
}"""

# Runs the script of the service worker in a page, with what a worker has in the place of the page's.
RUN = """async ({ data, windows }) => {
    const opened = [], focused = [], fetched = [], listeners = {}
    const script = await (await fetch("/service-worker.js")).text()
    const clients = {
        matchAll: async () => windows.map((path) => ({ url: location.origin + path, focus: async () => focused.push(path) })),
        openWindow: async (url) => { opened.push(url) },
    }
    const names = ["addEventListener", "clients", "fetch", "registration"]
    const given = [(name, listener) => listeners[name] = listener, clients, async (url) => { fetched.push(url) }, {}]
    new Function(...names, script)(...given)
    let done
    listeners.notificationclick({ notification: { data, close() {} }, waitUntil: (promise) => { done = promise } })
    await done
    return { opened, focused, fetched }
}"""
