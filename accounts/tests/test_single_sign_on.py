"""Single sign-on: who comes back from the provider gets their own account, and nobody another's."""

import time

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from accounts.sign_in.confirmation import CONFIRMED_AT
from accounts.sign_in.provider import journey
from accounts.tests.conftest import _mail_server, is_signed_in, page, sign_in
from accounts.tests.factors import add_app, hidden
from accounts.tests.fake_provider import ISSUER, OTHER_KEY, FakeProvider, asked_in, provider, public
from boards.actions import caps
from boards.actions.boards.board import create_board
from boards.actions.people.groups import give_group
from boards.actor import Actor
from boards.models.verbs import Door
from cliauth import grants
from conftest import person, web
from security.models import EventKind, SecurityEvent
from web.tests.browsing import browser, text_of

__all__ = ["_mail_server", "page", "provider"]

pytestmark = pytest.mark.django_db

SECURITY = "/settings/security"


def confirmed(user: User) -> User:
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def linked(user: User, subject: str = "s-1") -> User:
    SocialAccount.objects.create(user=user, provider=ISSUER, uid=subject)
    return user


def policy_of(answer) -> str:
    parts = answer["Content-Security-Policy"].split(";")
    return next(part.strip() for part in parts if part.strip().startswith("form-action"))


def test_without_settings_there_is_nothing_of_it(client, olga):
    assert "oidc" not in client.get("/sign-in").text
    assert client.post("/sign-in/oidc")["Location"] == "/sign-in"
    assert client.get("/sign-in/oidc/callback").status_code == 400
    assert "link_provider" not in browser(olga).get(SECURITY).text
    assert policy_of(client.get("/sign-in")) == "form-action 'self'"


def test_the_browser_is_sent_with_state_nonce_and_pkce(client, provider):
    asked = asked_in(client.post("/sign-in/oidc"))
    assert asked["response_type"] == "code"
    assert asked["redirect_uri"] == "http://127.0.0.1:8000/sign-in/oidc/callback"
    assert asked["scope"] == "openid profile email"
    assert asked["code_challenge_method"] == "S256"
    assert min(len(asked[name]) for name in ("state", "nonce", "code_challenge")) >= 43
    assert asked["state"] != asked_in(client.post("/sign-in/oidc"))["state"]


def test_the_form_needs_a_csrf_token(provider):
    assert Client(enforce_csrf_checks=True).post("/sign-in/oidc").status_code == 403


def test_only_pages_that_lead_to_the_provider_name_it_in_their_policy(provider, client, page, settings):
    settings.OIDC_ORIGINS = ["https://other.example.com"]
    leading = "form-action 'self' https://login.example.com https://other.example.com"
    assert policy_of(client.get("/sign-in")) == policy_of(client.get("/sign-up")) == leading
    assert policy_of(page.get(SECURITY)) == policy_of(page.get("/account/confirm")) == leading
    for path in ("/", "/help", "/settings/profile", "/settings/tokens", "/settings/password"):
        assert policy_of(page.get(path)) == "form-action 'self'", path


@pytest.mark.parametrize("told,language", [("zh-CN", "zh-hans"), ("de_AT", "de"), ("xx", "en")])
def test_a_new_account_has_the_nearest_language_to_that_of_the_provider(client, provider, told, language):
    provider.claims |= {"locale": told}
    provider.sign_in(client, "/settings/profile")
    assert User.objects.get().language == language


def test_a_new_account_has_what_the_provider_says(client, provider):
    provider.claims |= {"name": "Ólga Ø", "locale": "pt-PT", "zoneinfo": "Europe/Lisbon"}
    answer = provider.sign_in(client, "/settings/profile")
    assert (answer.status_code, answer["Location"]) == (302, "/settings/profile")
    user = User.objects.get()
    assert (user.email, user.name, user.language, user.time_zone) == (
        *("olga@example.com", "Ólga Ø", "pt-br", "Europe/Lisbon"),
    )
    assert not user.has_usable_password()
    assert EmailAddress.objects.get().verified
    assert is_signed_in(client)
    kinds = list(SecurityEvent.objects.order_by("id").values_list("kind", "details"))
    assert kinds == [(EventKind.SIGNED_UP, {"via": "provider"}), (EventKind.SIGNED_IN, {"via": "provider"})]
    form = provider.forms[0]
    assert form["Authorization"].startswith("Basic ")
    assert len(form["code_verifier"]) >= 43


def test_claims_of_a_hostile_provider_do_not_break_the_account(client, provider):
    provider.claims |= {"name": "a\u202eb" * 99, "locale": ["x"], "zoneinfo": {"a": 1}, "groups": {"a": 1}}
    provider.sign_in(client)
    assert (User.objects.get().name, User.objects.get().time_zone) == ("", "UTC")


def test_sign_up_that_is_closed_is_closed(client, provider, settings):
    settings.SIGNUP_OPEN = False
    answer = provider.sign_in(client)
    assert answer.status_code == 403
    assert "sign-up is closed" in text_of(answer)
    assert not User.objects.exists()


@pytest.mark.parametrize("verified", [False, None, "true", 1, "absent"])
def test_an_address_that_is_not_verified_links_and_makes_nothing(client, provider, olga, verified):
    confirmed(olga)
    provider.claims["email_verified"] = verified
    if verified == "absent":
        del provider.claims["email_verified"]
    for email in (olga.email, "new@example.com"):
        provider.claims["email"] = email
        answer = provider.sign_in(client)
        assert answer.status_code == 403
        assert "does not confirm your email address" in text_of(answer)
    assert not SocialAccount.objects.exists()
    assert not is_signed_in(client)


@pytest.mark.usefixtures("_mail_server")
def test_an_account_with_a_confirmed_address_is_linked_and_told(client, provider, olga):
    confirmed(olga)
    provider.sign_in(client)
    assert is_signed_in(client)
    assert SocialAccount.objects.get().user == olga
    assert mail.outbox[0].to == [olga.email]
    assert "linked" in mail.outbox[0].subject
    assert SecurityEvent.objects.filter(kind=EventKind.PROVIDER_LINKED, user=olga).count() == 1


def test_an_account_that_a_stranger_may_have_made_is_not_linked(client, provider, olga):
    EmailAddress.objects.create(user=olga, email=olga.email, verified=False, primary=True)
    answer = provider.sign_in(client)
    assert "Sign in to it, then link it" in text_of(answer)
    assert not SocialAccount.objects.exists()
    assert not is_signed_in(client)


def test_the_subject_decides_whatever_address_the_provider_says(client, provider, olga):
    linked(olga)
    provider.claims |= {"email": "olga.new@example.com", "email_verified": False}
    provider.sign_in(client)
    assert is_signed_in(client)
    olga.refresh_from_db()
    assert (olga.email, User.objects.count()) == ("olga@example.com", 1)


def test_another_subject_with_the_address_does_not_get_a_linked_account(client, provider, olga):
    linked(confirmed(olga), "s-0")
    answer = provider.sign_in(client)
    assert "already linked" in text_of(answer)
    assert not is_signed_in(client)


def test_subjects_may_be_as_long_as_the_standard_has_them(client, provider):
    for last in ("a", "b"):
        provider.claims |= {"sub": "s" * 254 + last, "email": f"{last}@example.com"}
        for _time in range(2):
            assert provider.sign_in(client).status_code == 302
            client.post("/sign-out")
    assert User.objects.count() == 2


def test_the_same_subject_of_a_former_provider_is_nobody(client, provider, olga):
    SocialAccount.objects.create(user=olga, provider="https://old.example.com", uid="s-1")
    assert provider.sign_in(client).status_code == 403
    assert not is_signed_in(client)


def test_a_deactivated_account_is_refused(client, provider, olga):
    linked(olga)
    User.objects.update(is_active=False)
    assert provider.sign_in(client)["Location"] == "/account/inactive"
    assert not is_signed_in(client)


def test_the_second_step_of_the_account_is_still_asked_for(client, provider, olga):
    add_app(browser(olga))
    linked(olga)
    assert provider.sign_in(client)["Location"].startswith("/sign-in/second-step")
    assert not is_signed_in(client)


def test_where_a_factor_is_demanded_the_provider_counts_only_if_the_operator_says_so(provider, olga, settings):
    linked(olga)
    settings.SECOND_FACTOR = "all"
    provider.claims["amr"] = ["pwd", "mfa"]
    first = Client()
    provider.sign_in(first)
    assert first.get("/")["Location"] == SECURITY
    settings.OIDC_SECOND_FACTOR = ["mfa"]
    second = Client()
    provider.sign_in(second)
    assert second.get("/").status_code == 200


# Attacks


def test_an_answer_without_a_journey_is_refused_and_not_logged(client, provider):
    for query in ({}, {"state": "x", "code": "good"}, {"error": "access_denied"}):
        answer = client.get("/sign-in/oidc/callback", query)
        assert (answer.status_code, "Start again" in text_of(answer)) == (400, True)
    assert not SecurityEvent.objects.exists()


def test_a_state_works_once_and_in_its_own_browser(client, provider, olga):
    linked(olga)
    begun = client.post("/sign-in/oidc")
    assert provider.come_back(Client(), begun).status_code == 400
    assert provider.come_back(client, begun).status_code == 302
    client.post("/sign-out")
    assert provider.come_back(client, begun).status_code == 400


def test_a_state_ends_after_ten_minutes_and_the_next_sign_in_leads_where_that_was_to_lead(
    client, provider, monkeypatch
):
    begun = client.post("/sign-in/oidc", {"next": "/my"})
    now = time.time()
    monkeypatch.setattr(journey.time, "time", lambda: now + journey.LASTS + 5)
    answer = provider.come_back(client, begun)
    assert answer.status_code == 400
    assert 'href="/sign-in?next=%2Fmy"' in answer.content.decode()
    elsewhere = provider.come_back(Client(), begun)
    assert "next=" not in elsewhere.content.decode()


def test_a_journey_of_somebody_signed_out_does_not_end_in_a_session(client, provider, olga, ed):
    """Else a stranger's account could be linked, or their answer confirm, in the browser of somebody else."""
    linked(olga)
    begun = client.post("/sign-in/oidc")
    client.force_login(ed)
    assert provider.come_back(client, begun).status_code == 400
    assert int(client.session["_auth_user_id"].replace("-", ""), 16) == ed.pk.int


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"nonce": "another"}, "nonce"),
        ({"aud": "another-app"}, "Audience"),
        ({"aud": ["taskboard", "another-app"]}, "party"),
        ({"aud": ["taskboard", "another-app"], "azp": "another-app"}, "party"),
        ({"azp": "another-app"}, "party"),
        ({"iss": "https://evil.example.com"}, "Issuer"),
        ({"exp": 1_000}, "expired"),
        ({"iat": 9_999_999_999}, "yet valid"),
        ({"sub": ""}, "subject"),
    ],
)
def test_a_token_that_is_not_for_this_sign_in_is_refused(client, provider, olga, change, why):
    linked(olga)
    provider.claims |= change
    assert_untrue(provider, client, why)


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
def test_a_token_without_a_signature_of_the_provider_is_refused(client, provider, olga, algorithm):
    linked(olga)
    provider.algorithm = algorithm
    provider.key = "hush" * 20
    assert_untrue(provider, client, "algorithm")


def test_a_token_signed_with_another_key_is_refused(client, provider, olga):
    linked(olga)
    provider.key = OTHER_KEY
    assert_untrue(provider, client, "Signature")


def assert_untrue(provider: FakeProvider, client: Client, why: str) -> None:
    answer = provider.sign_in(client)
    assert (answer.status_code, "could not be trusted" in text_of(answer)) == (403, True)
    assert not is_signed_in(client)
    told = SecurityEvent.objects.get(kind=EventKind.SIGN_IN_FAILED).details["why"]
    assert told.startswith("untrue")
    assert why.lower() in told.lower()


@pytest.mark.parametrize("issuer", ["https://evil.example.com", ""])
def test_the_answer_of_another_provider_is_refused_before_the_code_is_used(client, provider, issuer):
    provider.more["authorization_response_iss_parameter_supported"] = True
    answer = provider.sign_in(client, iss=issuer)
    assert answer.status_code == 403
    assert provider.forms == []


def test_userinfo_of_another_person_is_refused(client, provider):
    del provider.claims["email"]
    provider.userinfo = {"sub": "s-2", "email": "olga@example.com", "email_verified": True}
    assert_untrue(provider, client, "subject")
    provider.userinfo["sub"] = "s-1"
    provider.sign_in(client)
    assert is_signed_in(client)


@pytest.mark.parametrize("named_by", ["token", "userinfo"])
def test_an_address_of_one_source_is_not_verified_by_the_other(client, provider, olga, named_by):
    confirmed(olga)
    del provider.claims["groups"]  # so that userinfo is asked
    if named_by == "token":
        provider.claims["email"] = olga.email
        del provider.claims["email_verified"]
        provider.userinfo = {"sub": "s-1", "email": "else@example.com", "email_verified": True}
    else:
        del provider.claims["email"]
        provider.claims["email_verified"] = True
        provider.userinfo = {"sub": "s-1", "email": olga.email}
    assert provider.sign_in(client).status_code == 403
    assert not is_signed_in(client)


def test_userinfo_cannot_say_who_somebody_is(client, provider, olga, ed):
    linked(olga)
    linked(ed, "s-2")
    del provider.claims["groups"]
    provider.userinfo = {"sub": "s-1", "aud": "x", "amr": ["mfa"], "groups": ["a"], "nonce": "y"}
    assert provider.sign_in(client).status_code == 302


def test_new_keys_of_the_provider_are_found(client, provider, olga):
    linked(olga)
    provider.sign_in(client)
    client.post("/sign-out")
    provider.key, provider.keys = OTHER_KEY, [{**public(OTHER_KEY, "one"), "kid": "two"}]
    assert provider.sign_in(client).status_code == 403  # named as the old key: its signature is wrong
    provider.token = lambda: __import__("jwt").encode(  # type: ignore[method-assign]
        {**provider.claims, "iss": ISSUER, "aud": "taskboard", "iat": int(time.time()), "exp": time.time() + 60}
        | {"nonce": provider.nonce},
        OTHER_KEY,
        algorithm="RS256",
        headers={"kid": "two"},
    )
    assert provider.sign_in(client).status_code == 302


@pytest.mark.parametrize(
    "onward", ["https://evil.example.com/", "//evil.example.com", "/\\evil.example.com", "javascript:x"]
)
def test_nobody_is_led_to_another_site_afterwards(client, provider, olga, onward):
    linked(olga)
    assert provider.sign_in(client, onward)["Location"] == "/"


def test_errors_of_the_provider_are_said_in_our_words(client, provider):
    for error, words in (
        ("access_denied", "You did not agree at Example Login"),
        ("temporarily_unavailable", "Example Login refused: temporarily_unavailable"),
        ("<b>Pay here</b>", "Example Login refused: unknown"),
    ):
        answer = provider.sign_in(client, code="", error=error, error_description="Call 0800 EVIL")
        assert answer.status_code == 403
        assert words in text_of(answer)
        assert "EVIL" not in text_of(answer)


def test_a_code_that_the_provider_does_not_take_is_said(client, provider):
    assert "not completed in time" in text_of(provider.sign_in(client, code="stale"))


CLI, KEPT = "/cli?code=BCDF-GHJK", "/sign-in?next=%2Fcli%3Fcode%3DBCDF-GHJK"


def test_a_sign_in_that_is_refused_keeps_where_one_wanted_to_go(client, provider):
    assert f'href="{KEPT}"' in provider.sign_in(client, CLI, error="access_denied").text
    assert 'href="/sign-in"' in provider.sign_in(client, error="access_denied").text
    assert 'href="/sign-in"' in provider.sign_in(client, "https://example.com/", error="access_denied").text


def test_a_provider_that_is_away_keeps_where_one_wanted_to_go(client, provider):
    provider.is_away = True
    assert f'href="{KEPT}"' in client.post("/sign-in/oidc", {"next": CLI}).text


def test_a_password_that_is_refused_for_the_provider_keeps_where_one_wanted_to_go(client, provider, olga, settings):
    settings.OIDC_ONLY = True
    assert sign_in(client, olga.email, next=CLI)["Location"] == "/sign-in?next=/cli%3Fcode%3DBCDF-GHJK"


def test_a_provider_that_is_away_is_asked_once_and_the_page_says_so(client, provider):
    assert "could not be reached" not in text_of(client.get("/sign-in"))
    provider.is_away = True
    answer = client.post("/sign-in/oidc")
    assert (answer.status_code, "cannot be reached right now" in text_of(answer)) == (503, True)
    provider.is_away = False
    assert client.post("/sign-in/oidc").status_code == 503  # nobody asks for half a minute
    assert "could not be reached" in text_of(client.get("/sign-in"))
    assert provider.used == []


def test_what_the_provider_says_of_itself_is_asked_for_once(provider, olga):
    linked(olga)
    for _time in range(3):
        provider.sign_in(Client())
    asked = [url.rpartition("/")[2] for url in provider.used]
    assert (asked.count("openid-configuration"), asked.count("keys"), asked.count("token")) == (1, 1, 3)


def test_a_provider_that_calls_itself_otherwise_is_not_used(client, provider):
    provider.more["issuer"] = "https://login.example.com/other"
    assert client.post("/sign-in/oidc").status_code == 503


@pytest.mark.parametrize("place", ["http://login.example.com/auth", "javascript:alert(1)", None])
def test_a_provider_without_https_is_not_used(client, provider, place):
    provider.more["authorization_endpoint"] = place
    assert client.post("/sign-in/oidc").status_code == 503


def test_an_endpoint_elsewhere_is_reached_by_a_link(client, provider):
    provider.more["authorization_endpoint"] = "https://elsewhere.example.com/auth?tenant=1"
    answer = client.post("/sign-in/oidc")
    assert answer.status_code == 200
    assert 'href="https://elsewhere.example.com/auth?tenant=1&amp;response_type=code' in answer.text


# Linking, unlinking, confirming


def test_somebody_signed_in_links_and_unlinks(page, provider, olga):
    assert "Link Example Login" in text_of(page.get(SECURITY))
    provider.claims |= {"email": "else@example.com", "email_verified": False}
    assert provider.come_back(page, page.post(f"{SECURITY}/provider"))["Location"] == SECURITY
    assert "You can sign in with Example Login" in text_of(page.get(SECURITY))
    other = browser(olga)
    page.post(f"{SECURITY}/provider/remove")
    assert not SocialAccount.objects.exists()
    assert is_signed_in(page)
    assert not is_signed_in(other)


def test_to_link_one_confirms_first(page, provider):
    session = page.session
    session[CONFIRMED_AT] = 0
    session.save()
    for path in ("/provider", "/provider/remove"):
        assert page.post(f"{SECURITY}{path}").status_code == 403


def test_what_is_linked_to_somebody_else_is_refused(page, provider, olga, ed):
    linked(ed)
    answer = provider.come_back(page, page.post(f"{SECURITY}/provider"))
    assert "linked to another account here" in text_of(answer)
    assert not SocialAccount.objects.filter(user=olga).exists()


def test_the_only_way_in_is_not_unlinked(client, provider):
    provider.sign_in(client)
    assert "only way to sign in" in text_of(client.post(f"{SECURITY}/provider/remove", follow=True))
    assert SocialAccount.objects.exists()


def unconfirmed(client: Client) -> Client:
    session = client.session
    session[CONFIRMED_AT] = 0
    session.save()
    return client


def test_an_account_without_password_confirms_at_the_provider(client, provider):
    provider.sign_in(client)
    asked_for = unconfirmed(client).post(
        f"{SECURITY}/provider/remove", headers={"Referer": f"http://testserver{SECURITY}"}
    )
    assert asked_for.status_code == 403
    assert "Confirm with Example Login" in text_of(asked_for)
    begun = client.post("/account/confirm/provider", {"next": SECURITY})
    asked = asked_in(begun)
    assert (asked["prompt"], asked["max_age"]) == ("login", "0")
    provider.claims["auth_time"] = int(time.time())
    assert provider.come_back(client, begun)["Location"] == SECURITY
    assert "only way to sign in" in text_of(client.post(f"{SECURITY}/provider/remove", follow=True))


def test_after_confirming_at_the_provider_one_is_back_at_the_code_of_the_command_line(page, provider, olga):
    """After a wrong password on the page that asks, too: that page is not the one with the form."""
    linked(olga)
    grant, _code = grants.start(client_name="laptop", address="203.0.113.7", browser="")
    form, here = f"/cli?code={grant.shown_code}", {"Referer": f"http://testserver/cli?code={grant.shown_code}"}
    answer = {"code": grant.shown_code, "answer": "approve"}
    asked = unconfirmed(page).post("/cli", answer, headers=here)
    assert hidden(asked, "next") == form
    wrong = {**answer, "password_again": "wrong", "next": form}
    assert asked.text.count(f'name="next" value="{form}"') == 2
    again = page.post("/cli", wrong, headers={"Referer": "http://testserver/cli"})
    begun = page.post("/account/confirm/provider", {"next": hidden(again, "next")})
    provider.claims["auth_time"] = int(time.time())
    assert provider.come_back(page, begun)["Location"] == form


@pytest.mark.parametrize(
    "change", [{}, {"auth_time": 1_000}, {"auth_time": "now"}, {"auth_time": True}, {"sub": "s-2"}]
)
def test_an_answer_that_is_not_fresh_or_of_another_confirms_nothing(client, provider, change):
    provider.sign_in(client)
    begun = unconfirmed(client).post("/account/confirm/provider")
    provider.claims |= {"auth_time": int(time.time()), **change} if change else {}
    answer = provider.come_back(client, begun)
    assert answer.status_code == 403
    assert client.session[CONFIRMED_AT] == 0


@pytest.mark.usefixtures("_mail_server")
@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/settings/password/set", {"password1": "plum tart on sunday", "password2": "plum tart on sunday"}),
        ("/settings/email", {"email": "thief@example.com"}),
    ],
)
def test_without_a_password_one_confirms_before_one_sets_it_or_changes_the_address(client, provider, path, form):
    provider.sign_in(client)
    assert "Confirm with Example Login" in text_of(unconfirmed(client).post(path, form))
    assert not User.objects.get().has_usable_password()
    assert not EmailAddress.objects.filter(email="thief@example.com").exists()


def test_a_recovered_account_is_not_linked_to_whoever_had_it(olga, provider):
    linked(olga, "of a thief")
    call_command("adduser", olga.email, "--password", "plum tart on sunday")
    assert not SocialAccount.objects.exists()


# Groups


@pytest.fixture
def _grouped(settings) -> None:
    settings.OIDC_OPERATOR_GROUP = "admins"
    settings.OIDC_PLAN_GROUPS = {"paying": "pro"}


@pytest.mark.usefixtures("_grouped")
def test_groups_make_operators_and_plans_at_each_sign_in(provider, olga, otto):
    linked(olga)
    for groups, is_operator, plan in (
        (["admins", "paying"], True, "pro"),
        ([], False, "free"),
        (["Admins"], False, "free"),
    ):
        provider.claims["groups"] = groups
        provider.sign_in(Client())
        olga.refresh_from_db()
        assert (olga.is_staff, olga.is_superuser, olga.plan_id) == (is_operator, is_operator, plan)


@pytest.mark.usefixtures("_grouped")
def test_the_last_operator_stays(provider, otto):
    linked(otto)
    person("gone", is_staff=True, is_superuser=True, is_active=False)
    provider.sign_in(Client())
    otto.refresh_from_db()
    assert otto.is_staff


@pytest.mark.usefixtures("_grouped")
def test_groups_may_lie_deeper_and_a_plan_may_be_missing(provider, olga, otto, settings):
    linked(olga)
    settings.OIDC_GROUPS_CLAIM = "realm_access.roles"
    settings.OIDC_PLAN_GROUPS = {"paying": "gold"}
    provider.claims["realm_access"] = {"roles": ["admins", "paying", 5]}
    provider.sign_in(Client())
    olga.refresh_from_db()
    assert (olga.is_staff, olga.plan_id) == (True, "free")


@pytest.fixture
def crew(board, otto):
    """Members of the group crew view Olga's board Launch."""
    return give_group(actor=Actor(otto, door=Door.ADMIN), board_id=board.pk, group="crew", role="viewer")


def test_a_group_opens_a_board_and_closes_it_at_the_next_sign_in(provider, stan, board, crew):
    linked(stan)
    provider.claims["groups"] = ["crew"]
    his = Client()
    provider.sign_in(his)
    assert his.get(board.get_absolute_url()).status_code == 200
    provider.claims["groups"] = []
    provider.sign_in(Client())
    assert his.get(board.get_absolute_url()).status_code == 404
    events = SecurityEvent.objects.filter(kind=EventKind.GROUPS_APPLIED, user=stan).order_by("id")
    assert [event.details for event in events] == [{"boards": 1, "joined": 1}, {"boards": 1, "left": 1}]


def test_a_board_that_refuses_stops_neither_the_sign_in_nor_other_boards(
    provider, stan, olga, otto, board, crew, monkeypatch
):
    linked(stan)
    other = create_board(actor=web(olga), title="Other")
    give_group(actor=Actor(otto, door=Door.ADMIN), board_id=other.pk, group="crew", role="editor")
    monkeypatch.setattr(caps, "MEMBERS", 3)
    provider.claims["groups"] = ["crew"]
    his = Client()
    provider.sign_in(his)
    assert his.get(other.get_absolute_url()).status_code == 200
    assert his.get(board.get_absolute_url()).status_code == 404
    refused = SecurityEvent.objects.filter(kind=EventKind.GROUPS_APPLIED, user=stan).latest("id").details
    assert (refused["board"], "3 members" in refused["refused"]) == (str(board.pk), True)
    assert "A board refused a group" in text_of(his.get("/settings/security/activity"))


def test_who_unlinks_the_provider_loses_what_its_groups_gave(provider, stan, board, crew):
    linked(stan)
    provider.claims["groups"] = ["crew"]
    provider.sign_in(Client())
    his = browser(stan)
    assert his.get(board.get_absolute_url()).status_code == 200
    his.post("/settings/security/provider/remove")
    assert his.get(board.get_absolute_url()).status_code == 404


# Only so


@pytest.fixture
def _only(settings) -> None:
    settings.OIDC_ONLY = True


@pytest.mark.usefixtures("_only")
def test_only_shows_no_password_and_takes_it_of_operators_alone(client, provider, olga, otto):
    shown = client.get("/sign-in")
    assert 'name="password"' not in shown.text
    assert "Continue with Example Login" in text_of(shown)
    assert 'name="password"' in client.get("/sign-in?password").text
    assert client.get("/sign-up")["Location"] == "/sign-in"
    refused = sign_in(client, olga.email)
    assert refused["Location"] == "/sign-in"
    assert "for operators only" in text_of(client.get("/sign-in"))
    assert not is_signed_in(client)
    sign_in(client, otto.email)
    assert is_signed_in(client)


@pytest.mark.usefixtures("_only")
def test_only_makes_accounts_where_sign_up_is_closed(client, provider, settings):
    settings.SIGNUP_OPEN = False
    provider.sign_in(client)
    assert is_signed_in(client)


@pytest.mark.usefixtures("_only", "_mail_server")
def test_only_lets_nobody_in_by_a_new_password(client, provider, olga):
    confirmed(olga)
    client.post("/password/reset", {"email": olga.email})
    address = next(word for word in mail.outbox[0].body.split() if "/password/reset/" in word).partition("8000")[2]
    form = client.get(address, follow=True)
    client.post(form.request["PATH_INFO"], {"password1": "plum tart on sunday", "password2": "plum tart on sunday"})
    assert not is_signed_in(client)
