"""Properties of every account page."""

import re

import pytest
from django.test import Client, RequestFactory
from django.views.defaults import server_error

from accounts.tokens import create_token

FOR_EVERYBODY = [
    "/sign-in",
    "/sign-up",
    "/password/reset",
    "/password/reset/sent",
    "/password/reset/done",
    "/password/reset/abc-def",
    "/account/inactive",
    "/account/email/sent",
    "/account/email/abc",
]
FOR_ACCOUNTS = ["/settings/profile", "/settings/password", "/settings/tokens", "/settings/email", "/sign-out"]

ID = "01930000-0000-7000-8000-000000000000"
# These take forms, and show no page
FORMS_ALONE = [
    "/settings/profile/picture",
    "/settings/security/app/remove",
    "/settings/security/passkeys/1/name",
    "/settings/security/passkeys/1/remove",
    "/settings/security/browsers/forget",
    f"/settings/security/browsers/{ID}/forget",
    "/settings/security/provider/remove",
    "/settings/security/sessions/end",
    f"/settings/security/sessions/{ID}/end",
    f"/settings/tokens/{ID}/revoke",
    f"/settings/data/exports/{ID}/cancellation",
    f"/settings/data/exports/{ID}/deletion",
    f"/settings/data/import/{ID}/start",
    f"/settings/data/import/{ID}/cancel",
]


@pytest.fixture
def busy(olga, page) -> Client:
    """Olga's browser, with tokens to list."""
    olga.plan_id = "pro"
    olga.save()
    for number in range(5):
        create_token(olga, f"token {number}")
    return page


@pytest.mark.parametrize("path", FOR_ACCOUNTS)
def test_pages_of_an_account_ask_others_to_sign_in(client, db, path):
    answer = client.get(path)
    assert answer.status_code == 302
    assert answer["Location"] in ("/", f"/sign-in?next={path}")


@pytest.mark.parametrize("path", FORMS_ALONE)
def test_a_form_whose_session_has_ended_leads_through_sign_in_to_its_page(client, db, path):
    """Its own address shows no page: whoever signed in there would get an empty 405."""
    answer = client.post(path, headers={"referer": "http://testserver/settings/security?a=1"})
    assert answer["Location"] == "/sign-in?next=/settings/security%3Fa%3D1"
    assert client.post(path)["Location"] == "/sign-in?next=/"


@pytest.mark.parametrize("path", FOR_EVERYBODY + FOR_ACCOUNTS + ["/nowhere"])
def test_every_page_carries_the_headers_that_protect_it(busy, client, path):
    answer = busy.get(path, follow=path not in FOR_ACCOUNTS)
    policy = answer["Content-Security-Policy"]
    for rule in (
        "default-src 'none'",
        "script-src 'self';",
        "style-src 'self';",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    ):
        assert rule in f"{policy};"
    assert "unsafe" not in policy
    assert (answer["X-Frame-Options"], answer["X-Content-Type-Options"]) == ("DENY", "nosniff")
    assert answer["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("path", FOR_EVERYBODY + FOR_ACCOUNTS)
def test_no_page_contains_inline_scripts_or_styles(busy, path):
    client = busy if path in FOR_ACCOUNTS else Client()
    html = client.get(path).content.decode()
    assert "<style" not in html
    assert " style=" not in html
    assert " onclick=" not in html
    assert html.count("<script") == html.count("<script defer src=") + html.count('<script type="module" src=')


@pytest.mark.parametrize("path", FOR_EVERYBODY + FOR_ACCOUNTS)
def test_every_page_has_one_heading_a_title_and_a_skip_link(busy, path):
    client = busy if path in FOR_ACCOUNTS else Client()
    html = client.get(path).content.decode()
    assert html.count("<h1") == 1
    assert "<title> · Taskboard</title>" not in html
    assert html.count('href="#main"') == html.count('id="main"') == 1


@pytest.mark.parametrize("page_of", ["profile", "password", "email", "tokens", "data"])
def test_the_headings_of_all_settings_look_alike(busy, page_of):
    html = busy.get(f"/settings/{page_of}").content.decode()
    assert re.search(r'<h1 class="page-title">|<div class="page-title">\s*<h1>', html)


@pytest.mark.parametrize(
    "path,most",
    [
        ("/settings/profile", 3),
        ("/settings/password", 2),
        ("/settings/tokens", 6),
        ("/settings/email", 2),
        ("/sign-out", 2),
    ],
)
def test_a_page_costs_a_known_number_of_statements(busy, django_assert_num_queries, path, most):
    with django_assert_num_queries(most):
        busy.get(path)


@pytest.mark.parametrize("path", ["/sign-in", "/sign-up", "/password/reset", "/account/inactive"])
def test_a_page_for_signed_out_people_costs_no_statement(client, db, django_assert_num_queries, path):
    with django_assert_num_queries(0):
        client.get(path)


def test_an_unknown_address_shows_a_page_with_a_link_back(client, db):
    answer = client.get("/nowhere")
    assert answer.status_code == 404
    assert "Page not found" in answer.content.decode()
    assert 'href="/"' in answer.content.decode()


@pytest.mark.usefixtures("stopped_clock")
def test_too_many_attempts_show_a_page_with_a_link_back(client, db):
    answers = [client.post("/sign-up", {}) for _attempt in range(61)]
    assert answers[-1].status_code == 429
    assert "Too many requests" in answers[-1].content.decode()
    assert 'href="/"' in answers[-1].content.decode()


def test_the_page_for_server_errors_needs_neither_account_nor_database(django_assert_num_queries, db):
    with django_assert_num_queries(0):
        answer = server_error(RequestFactory().get("/"))
    assert answer.status_code == 500
    assert "Something went wrong" in answer.content.decode()
    assert 'href="/"' in answer.content.decode()


@pytest.mark.parametrize(
    "header,language", [("de", "de"), ("pt-BR", "pt-br"), ("ja;q=0.8,xx", "ja"), ("zh-CN", "zh-hans"), ("xx", "en")]
)
def test_pages_for_signed_out_people_follow_the_browsers_language(client, db, header, language):
    answer = client.get("/sign-in", headers={"accept-language": header})
    assert f'<html lang="{language}"' in answer.content.decode()
    assert answer["Content-Language"] == language
    assert "Accept-Language" in answer["Vary"]
