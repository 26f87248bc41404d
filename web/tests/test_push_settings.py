"""Push on the page of the settings: its column, the browsers, and what their scripts send."""

import json

import pytest

from conftest import person
from notifications.kinds import Kind
from notifications.models import PushBrowser, Way
from notifications.push.keys import public_key
from notifications.tests.push_service import Subscription
from security.models import BrowserSession, SecurityEvent
from web.tests.browsing import browser, text_of

pytestmark = pytest.mark.django_db
PAGE, ADDRESS = "/settings/notifications", "/settings/notifications/push"
ENDPOINT = "https://push.example.com/send/1"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


def turned_on(user, endpoint=ENDPOINT, **more):
    client = browser(user)
    BrowserSession.objects.filter(user=user).update(browser=FIREFOX)
    answer = client.post(ADDRESS, Subscription(endpoint).form | more)
    assert answer.status_code == 302
    return client


def test_a_browser_is_turned_on_for_the_session_and_listed_by_name(ed):
    client = turned_on(ed)
    made = PushBrowser.objects.get()
    assert (made.user, made.endpoint) == (ed, ENDPOINT)
    assert made.session == BrowserSession.objects.get(session=client.session.session_key)
    page = client.get(PAGE)
    assert "This browser receives push notifications." in text_of(page)
    assert "Firefox on Linux this browser" in text_of(page)
    assert "none yet" in text_of(page)
    assert f'data-endpoint="{ENDPOINT}"' in page.content.decode()
    assert SecurityEvent.objects.get(kind="push-on").user == ed


def test_another_browser_of_the_person_lists_it_too_and_can_turn_it_off(ed):
    turned_on(ed)
    other = browser(ed)
    page = other.get(PAGE)
    assert "Firefox on Linux" in text_of(page)
    assert 'data-endpoint=""' in page.content.decode()
    answer = other.post(f"{ADDRESS}/{PushBrowser.objects.get().pk}/withdrawal")
    assert answer["Location"] == PAGE
    assert not PushBrowser.objects.exists()
    assert "“Firefox on Linux” no longer receives push notifications." in text_of(other.get(PAGE))


def test_somebody_elses_browser_is_not_listed_and_cannot_be_turned_off(ed, stan):
    turned_on(ed)
    assert "Firefox on Linux" not in text_of(browser(stan).get(PAGE))
    assert browser(stan).post(f"{ADDRESS}/{PushBrowser.objects.get().pk}/withdrawal").status_code == 404
    assert PushBrowser.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": "http://push.example.com/1"},
        {"endpoint": "https://127.0.0.1/1"},
        {"endpoint": "https://169.254.169.254/1"},
        {"endpoint": "https://push.example.com:8000/1"},
        {"endpoint": "https://push.example.com/" + "x" * 1000},
        {"endpoint": ""},
        {"p256dh": "AAAA"},
        {"p256dh": "BA" + "A" * 85},
        {"p256dh": "ü" * 87},
        {"p256dh": "A" * 100_000},
        {"auth": "short"},
        {"auth": ""},
        {"key": "of somebody else"},
    ],
)
def test_what_no_browser_sends_is_refused(ed, wrong):
    answer = browser(ed).post(ADDRESS, Subscription(ENDPOINT).form | wrong)
    assert answer.status_code == 422
    assert not PushBrowser.objects.exists()
    assert not SecurityEvent.objects.filter(kind="push-on").exists()


def test_an_endpoint_that_the_browser_gave_up_is_replaced_silently(ed):
    client = turned_on(ed)
    told = json.loads(client.get(ADDRESS).content)
    assert told["key"] == public_key()
    assert told["token"]
    client.post(ADDRESS, Subscription(f"{ENDPOINT}2").form | {"former": ENDPOINT})
    assert PushBrowser.objects.get().endpoint == f"{ENDPOINT}2"
    assert SecurityEvent.objects.filter(kind="push-on").count() == 1


def test_nobody_gives_up_the_endpoint_of_somebody_else(ed, stan):
    turned_on(ed)
    turned_on(stan, f"{ENDPOINT}2", former=ENDPOINT)
    assert set(PushBrowser.objects.values_list("user__name", flat=True)) == {"Ed", "Stan"}
    assert SecurityEvent.objects.filter(kind="push-on").count() == 2


def test_the_column_is_saved_beside_the_others(ed):
    client = browser(ed)
    client.post(PAGE, {"in_app": ["mentioned", "due"], "push": ["due", "nonsense"]})
    assert list(Way.objects.filter(user=ed, push=True).values_list("kind", flat=True)) == [Kind.DUE]
    page = client.get(PAGE).content.decode()
    assert 'name="push" value="due" checked' in " ".join(page.split())


@pytest.mark.usefixtures("stopped_clock")
def test_turning_on_has_a_limit(settings):
    settings.LIMITS = {**settings.LIMITS, "push-browsers": "2/h"}
    client = browser(person("greta"))
    answers = [client.post(ADDRESS, Subscription(f"{ENDPOINT}{n}").form).status_code for n in range(3)]
    assert answers == [302, 302, 429]


def test_the_service_worker_is_at_the_root_and_never_kept(client):
    answer = client.get("/service-worker.js")
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["Cache-Control"] == "no-cache"
    assert "connect-src 'self'" in answer["Content-Security-Policy"]
    script = answer.content.decode()
    listeners = script.count("addEventListener(")
    assert listeners == 3, "push, notificationclick and pushsubscriptionchange"
    for word in ('fetch"', "caches", "skipWaiting", "importScripts"):
        assert word not in script
