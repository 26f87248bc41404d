"""The admin pages of accounts: what operators see and can do."""

import re
from datetime import timedelta
from html import unescape

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.sessions.models import Session
from django.db import IntegrityError, connection, transaction
from django.db.models.signals import post_save
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from accounts.admin import forms, users
from accounts.models import ApiToken, Bounds, DefaultPlan, LastLook, Plan, TrustedBrowser, User, WorkFilter
from accounts.tokens import create_token, find_live_token, reserve_slot, revoke_token
from boards.actions.boards.board import create_board
from conftest import join, person, web
from security.models import SecurityEvent
from taskboard.tests.admin_pages import INLINE, act, page, said
from web.tests.browsing import text_of

# Rows that their owner alone sees, a mark that the page of a plan shows, and what agents have seen
NOT_LISTED = {TrustedBrowser, WorkFilter, DefaultPlan, LastLook}
OWN = [model for model in apps.get_app_config("accounts").get_models() if model not in NOT_LISTED]
MODELS = [*OWN, EmailAddress, LogEntry]
PASSWORD = "a long enough phrase"


def form_of(user, **changes):
    """Return the form of an account's page with `changes`. None leaves a checkbox unchecked."""
    data = {
        "email": user.email,
        "name": user.name,
        "plan": user.plan_id,
        "language": user.language,
        "time_zone": user.time_zone,
        "theme": user.theme,
        "density": user.density,
        "is_active": "on" if user.is_active else None,
        "is_staff": "on" if user.is_staff else None,
        "is_superuser": "on" if user.is_superuser else None,
    }
    return {name: value for name, value in (data | changes).items() if value is not None}


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def kinds_of(user):
    return list(SecurityEvent.objects.filter(user=user).values_list("kind", flat=True))


def errors_of(response):
    return response.context["adminform"].form.errors


@pytest.fixture
def operator(client, otto):
    client.force_login(otto)
    return client


@pytest.fixture
def helper(db):
    """A member of staff who may change accounts, but is not a superuser."""
    user = person("hal", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=["view_user", "change_user", "add_user"]))
    return user


def grow(times):
    for _time in range(times):
        number = User.objects.count()
        plan = Plan.objects.create(key=f"plan-{number}", name=f"Plan {number}", max_tokens=20)
        user = person(f"someone{number}", plan=plan, last_login=timezone.now())
        group = Group.objects.create(name=f"Group {number}")
        for account in (user, User.objects.order_by("pk").first()):
            account.groups.add(group)
            account.user_permissions.add(Permission.objects.all()[number])
        create_token(user, f"Token {number}")
        EmailAddress.objects.create(user=user, email=user.email, primary=True)
        log = admin.site.get_model_admin(User).log_change
        request = type("Request", (), {"user": user})
        log(request, user, "Changed.")


def statements(client, address):
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_list_and_page_take_the_same_number_of_statements_for_any_number_of_rows(every_address, operator, model):
    grow(2)
    addresses = [page(model, "changelist"), page(model, "change", model._default_manager.order_by("pk").first().pk)]
    [statements(operator, address) for address in addresses]  # fills the cache of content types
    before = [statements(operator, address) for address in addresses]
    grow(4)
    assert [statements(operator, address) for address in addresses] == before


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_pages_need_no_exception_from_the_content_security_policy(every_address, operator, model):
    grow(1)
    addresses = [page(model, "changelist"), page(model, "change", model._default_manager.first().pk)]
    for address in (*addresses, reverse("admin:index"), page(User, "add"), page(Plan, "add")):
        response = operator.get(address)
        assert {"script-src 'self'", "style-src 'self'"} <= set(response["Content-Security-Policy"].split("; "))
        assert not INLINE.findall(response.text)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_staff_without_the_permission_see_nothing(every_address, client, db, model):
    client.force_login(person("hal", is_staff=True))
    assert client.get(page(model, "changelist")).status_code == 403


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_list_can_be_searched(operator, model):
    grow(1)
    assert operator.get(page(model, "changelist"), {"q": "no such thing"}).context["cl"].result_count == 0


# Signing in


@pytest.mark.parametrize("address", ["/admin/", "/admin/accounts/user/?q=olga"])
def test_signed_out_people_are_redirected_to_the_sites_sign_in_page_and_back(client, db, address):
    response = client.get(address, follow=True)
    assert response.redirect_chain[-1][0].partition("?")[0] == reverse("account_login")
    assert response.context["request"].GET["next"] == address


def test_the_address_without_a_slash_leads_to_the_admin(client, db):
    assert client.get("/admin")["Location"] == "/admin/"


def test_the_admin_has_no_sign_in_form_of_its_own(client, otto):
    response = client.post(reverse("admin:login"), {"username": otto.email, "password": "correct horse"})
    assert response["Location"].startswith(reverse("account_login"))
    assert "_auth_user_id" not in client.session


def test_a_signed_in_operator_cannot_try_passwords_of_others_there(operator, otto, olga):
    response = operator.post(reverse("admin:login"), {"username": olga.email, "password": "correct horse"})
    assert response["Location"] == reverse("admin:index")
    assert operator.session["_auth_user_id"] == str(otto.pk)


def test_a_user_who_is_not_an_operator_gets_403_and_no_redirect_loop(client, olga):
    client.force_login(olga)
    assert client.get("/admin/", follow=True).status_code == 403


def test_sign_in_to_the_admin_never_redirects_to_another_site(operator, client):
    elsewhere = {"next": "https://example.org/"}
    assert operator.get(reverse("admin:login"), elsewhere)["Location"] == reverse("admin:index")
    assert "example.org" not in Client().get(reverse("admin:login"), elsewhere)["Location"]


def test_operators_change_their_own_password_on_the_sites_page(operator):
    assert operator.get(reverse("admin:password_change"))["Location"] == reverse("account_change_password")


def test_allauths_models_are_listed_under_accounts(operator):
    apps = {app["app_label"]: app for app in operator.get("/admin/").context["app_list"]}
    assert {model["object_name"] for model in apps["accounts"]["models"]} == {
        "ApiToken",
        "EmailAddress",
        "Plan",
        "User",
    }
    assert "account" not in apps


# Accounts


def test_operator_adds_an_account_that_can_sign_in(operator):
    data = {
        "email": "Nina@Example.com",
        "name": "Nina",
        "plan": "pro",
        "language": "de",
        "time_zone": "Europe/Berlin",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    assert operator.post(page(User, "add"), data).status_code == 302
    nina = User.objects.get(email="nina@example.com")
    assert (nina.plan_id, nina.language, nina.time_zone, nina.is_staff) == ("pro", "de", "Europe/Berlin", False)
    assert nina.check_password(PASSWORD)
    address = EmailAddress.objects.get(user=nina)
    assert (address.email, address.primary, address.verified) == ("nina@example.com", True, True)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("email", "OLGA@example.com"),
        ("email", "nobody"),
        ("time_zone", "Europe/Atlantis"),
        ("language", "tlh"),
        ("password2", "something else"),
        ("password1", ""),
        ("name", "two\nlines"),
    ],
)
def test_an_account_with_a_wrong_field_is_not_added(operator, olga, field, value):
    data = {
        "email": "nina@example.com",
        "name": "Nina",
        "plan": "free",
        "language": "en",
        "time_zone": "UTC",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    response = operator.post(page(User, "add"), data | {field: value})
    assert field in errors_of(response)
    assert User.objects.count() == 2


def test_operator_changes_an_account(operator, olga):
    data = form_of(olga, name="Olga O.", plan="pro", language="ja", time_zone="Asia/Tokyo", theme="dark")
    assert operator.post(page(User, "change", olga.pk), data).status_code == 302
    olga.refresh_from_db()
    assert (olga.name, olga.plan_id, olga.language, olga.time_zone, olga.theme) == (
        "Olga O.",
        "pro",
        "ja",
        "Asia/Tokyo",
        "dark",
    )


def test_a_form_writes_back_nothing_that_another_request_has_changed(operator, olga, monkeypatch):
    def demoted_meanwhile(pk):
        User.objects.filter(pk=pk).update(is_staff=False, language="ja")

    User.objects.filter(pk=olga.pk).update(is_staff=True)
    data = form_of(User.objects.get(pk=olga.pk), name="Olga O.")
    monkeypatch.setattr(users, "lock_undeleted_account", demoted_meanwhile)
    operator.post(page(User, "change", olga.pk), data)
    olga.refresh_from_db()
    assert (olga.name, olga.is_staff, olga.language) == ("Olga O.", False, "ja")


def test_a_password_by_the_operator_activates_no_account_that_was_deactivated_meanwhile(operator, olga, monkeypatch):
    def deactivated_meanwhile(user):
        User.objects.filter(pk=user.pk).update(is_active=False)

    monkeypatch.setattr(forms, "recover", deactivated_meanwhile)
    data = {"password1": PASSWORD, "password2": PASSWORD, "usable_password": "true", "set-password": "Change"}
    operator.post(reverse("admin:auth_user_password_change", args=[olga.pk]), data)
    olga.refresh_from_db()
    assert olga.check_password(PASSWORD)
    assert not olga.is_active


def test_operator_appoints_an_operator(operator, olga):
    group = Group.objects.create(name="Helpers")
    operator.post(page(User, "change", olga.pk), form_of(olga, is_staff="on", groups=[group.pk]))
    olga.refresh_from_db()
    assert olga.is_staff
    assert list(olga.groups.all()) == [group]


def test_a_new_address_replaces_the_old_one_at_sign_in(operator, olga):
    EmailAddress.objects.create(user=olga, email=olga.email, primary=True, verified=True)
    operator.post(page(User, "change", olga.pk), form_of(olga, email="Olga@New.example"))
    olga.refresh_from_db()
    assert olga.email == "olga@new.example"
    assert list(EmailAddress.objects.filter(user=olga).values_list("email", "primary", "verified")) == [
        ("olga@new.example", True, True)
    ]


def test_saving_without_a_new_address_confirms_nothing(operator, olga):
    EmailAddress.objects.create(user=olga, email=olga.email, primary=True)
    operator.post(page(User, "change", olga.pk), form_of(olga, name="O."))
    assert not EmailAddress.objects.get(user=olga).verified


def test_an_address_that_another_account_has_confirmed_is_refused(operator, olga, stan):
    EmailAddress.objects.create(user=stan, email="both@example.com", verified=True)
    response = operator.post(page(User, "change", olga.pk), form_of(olga, email="Both@example.com"))
    assert errors_of(response)["email"] == ["Another account uses this address. Choose a different one."]
    olga.refresh_from_db()
    assert olga.email == "olga@example.com"


def test_operator_sets_a_password_and_the_sessions_of_that_account_end(operator, olga):
    hers = signed_in(olga)
    assert hers.get("/admin/", follow=True).status_code == 403
    data = {"password1": PASSWORD, "password2": PASSWORD, "usable_password": "true", "set-password": "Change"}
    operator.post(reverse("admin:auth_user_password_change", args=[olga.pk]), data)
    olga.refresh_from_db()
    assert olga.check_password(PASSWORD)
    assert hers.get("/admin/login/").status_code == 302  # as for any signed-out user


def test_the_page_for_a_password_says_what_disabling_it_does(operator, olga):
    form = operator.get(reverse("admin:auth_user_password_change", args=[olga.pk])).text
    assert "To lock someone out, deactivate the account instead." in form


def test_no_page_shows_the_hash_of_a_password(operator, client, helper, olga):
    hashed = olga.password.split("$")[-1]
    assert hashed not in operator.get(page(User, "change", olga.pk)).text
    helper.user_permissions.set(Permission.objects.filter(codename="view_user"))
    client.force_login(helper)
    response = client.get(page(User, "change", olga.pk))
    assert response.status_code == 200
    assert hashed not in response.text


def test_accounts_cannot_be_deleted(operator, olga):
    assert operator.post(page(User, "delete", olga.pk), {"post": "yes"}).status_code == 403
    act(operator, "delete_selected", olga, post="yes")
    assert User.objects.filter(pk=olga.pk).exists()


def test_a_deactivated_account_loses_access_at_once_and_for_good(operator, olga):
    hers, (_token, value) = signed_in(olga), create_token(olga, "laptop")
    assert hers.get("/admin/login/").status_code == 403
    assert said(act(operator, "deactivate", olga)) == ["1 account deactivated."]
    assert hers.get("/admin/login/").status_code == 302
    assert find_live_token(value) is None
    assert "1 account activated." in said(act(operator, "activate", olga))
    assert find_live_token(value) is None
    assert hers.get("/admin/login/").status_code == 302
    assert signed_in(User.objects.get(pk=olga.pk)).get("/settings/profile").status_code == 200
    assert kinds_of(olga) == ["activated", "deactivated"]


def test_deactivating_saves_each_account_so_that_signals_are_sent(operator, olga, ed):
    saved = []

    def note(instance, update_fields, **rest):
        saved.append((instance.email, set(update_fields or ())))

    post_save.connect(note, sender=User)
    act(operator, "deactivate", olga, ed)
    post_save.disconnect(note, sender=User)
    assert [email for email, _fields in saved] == ["ed@example.com", "olga@example.com"]


def test_deactivating_twice_counts_nothing(operator, olga):
    act(operator, "deactivate", olga)
    assert said(act(operator, "deactivate", olga))[-1] == "0 accounts deactivated."
    assert LogEntry.objects.count() == 1


def test_operators_cannot_deactivate_themselves_by_accident(operator, otto, olga):
    assert said(act(operator, "deactivate", otto, olga)) == [
        "Your own account was not deactivated. Ask another operator to do it.",
        "1 account deactivated.",
    ]
    otto.refresh_from_db()
    assert otto.is_active


@pytest.mark.parametrize("flag", ["is_active", "is_staff", "is_superuser"])
def test_operators_cannot_demote_themselves_by_accident(operator, otto, flag):
    response = operator.post(page(User, "change", otto.pk), form_of(otto, **{flag: None}))
    assert errors_of(response)[flag] == ["You cannot remove this from your own account. Ask another operator to do it."]
    otto.refresh_from_db()
    assert getattr(otto, flag)


def test_operators_can_demote_each_other(operator):
    other = person("olaf", is_staff=True, is_superuser=True)
    operator.post(page(User, "change", other.pk), form_of(other, is_staff=None, is_superuser=None))
    other.refresh_from_db()
    assert (other.is_staff, other.is_superuser) == (False, False)


def test_staff_who_are_not_superusers_cannot_appoint_operators(client, helper, olga):
    client.force_login(helper)
    data = form_of(olga, name="O.", is_staff="on", is_superuser="on")
    assert client.post(page(User, "change", olga.pk), data).status_code == 302
    olga.refresh_from_db()
    assert (olga.name, olga.is_staff, olga.is_superuser) == ("O.", False, False)


def test_staff_who_are_not_superusers_cannot_change_operators(client, helper, otto):
    client.force_login(helper)
    for user in (otto, helper):
        assert client.post(page(User, "change", user.pk), form_of(user, is_superuser="on")).status_code == 403
        password = reverse("admin:auth_user_password_change", args=[user.pk])
        assert client.post(password, {"password1": PASSWORD, "password2": PASSWORD}).status_code == 403
    assert said(act(client, "deactivate", otto)) == [
        "otto@example.com is an operator. Only a superuser can change this account.",
        "0 accounts deactivated.",
    ]
    otto.refresh_from_db()
    assert otto.is_active
    assert otto.check_password("correct horse")


def test_staff_with_view_permission_only_are_offered_no_action(client, helper, olga):
    helper.user_permissions.set(Permission.objects.filter(codename="view_user"))
    client.force_login(helper)
    act(client, "deactivate", olga)
    olga.refresh_from_db()
    assert olga.is_active


def test_a_restricted_operator_is_offered_only_permissions_that_have_an_effect(operator, olga):
    offered = operator.get(page(User, "change", olga.pk)).context["adminform"].form.fields["user_permissions"].queryset
    names = set(offered.values_list("codename", flat=True))
    assert {"view_user", "change_apitoken", "delete_board", "delete_user", "change_task", "view_securityevent"} <= names
    assert not {"view_keptanswer", "view_cardlabel", "add_board", "change_activity"} & names


def test_saving_an_account_takes_no_permission_away_that_is_not_offered(operator, helper):
    held = Permission.objects.get(codename="view_cardlabel")
    helper.user_permissions.set([held])
    address = page(User, "change", helper.pk)
    assert re.search(rf'<option value="{held.pk}" selected>', operator.get(address).text)
    assert operator.post(address, form_of(helper, user_permissions=[held.pk])).status_code == 302
    assert list(helper.user_permissions.all()) == [held]


def test_long_names_are_cut_in_the_list_so_that_plan_and_state_are_in_view(operator):
    email, name = f"{'a' * 50}@example.com", "Maximiliane " * 8
    person("long", plan_id="pro")
    User.objects.filter(email="long@example.com").update(email=email, name=name)
    text = operator.get(page(User, "changelist")).text
    assert f'<span title="{email}">{"a" * 31}…</span>' in text
    assert f'title="{name}"' in text
    columns = operator.get(page(User, "changelist")).context["cl"].list_display
    assert columns[1:4] == ["address", "plan", "is_active"]


def test_the_list_shows_when_an_account_was_last_seen(operator, olga):
    seen = timezone.now() - timedelta(days=3)
    User.objects.filter(pk=olga.pk).update(last_login=seen - timedelta(days=20), seen_at=seen)
    listed = operator.get(page(User, "changelist"), {"q": "olga"})
    assert f'<td class="field-last_seen nowrap">{date_format(seen, "DATETIME_FORMAT")}</td>' in listed.text


@pytest.mark.parametrize("model", [User, ApiToken, EmailAddress, LogEntry], ids=lambda model: model.__name__)
def test_hashes_of_passwords_cannot_be_guessed_by_a_query(operator, olga, model):
    lookup = "password__startswith" if model is User else "user__password__startswith"
    answers = [operator.get(page(model, "changelist"), {lookup: start}) for start in (olga.password[:20], "x")]
    assert [answer.status_code for answer in answers] == [400, 400]


# What an account has, on its page


def has(client, user):
    return client.get(page(User, "change", user.pk))


def test_the_page_of_an_account_shows_its_tokens(operator, olga, stan):
    token, value = create_token(olga, "laptop", expires_at=timezone.now() + timedelta(days=3))
    create_token(stan, "of somebody else")
    ApiToken.objects.filter(pk=token.pk).update(last_used_at=timezone.now())
    token.refresh_from_db()
    response = has(operator, olga)
    assert page(ApiToken, "change", token.pk) in response.text
    words = ["laptop", f"tbk_…{value[-4:]}", "valid"]
    words += [date_format(at, "DATETIME_FORMAT") for at in (token.last_used_at, token.expires_at)]
    assert " ".join(words) in text_of(response)
    assert "of somebody else" not in response.text
    assert value not in response.text


def test_a_token_that_a_command_line_has_not_fetched_is_shown_as_that(operator, olga):
    reserve_slot(olga, "my-laptop", timezone.now() + timedelta(minutes=5))
    assert "my-laptop – approved, waiting for the command line" in text_of(has(operator, olga))


def test_the_page_of_an_account_shows_its_boards_with_the_role(operator, olga, ed):
    board = create_board(actor=web(olga), title="Launch")
    join(ed, board, "editor")
    create_board(actor=web(olga), title="Secret of Olga")
    response = has(operator, ed)
    assert page(type(board), "change", board.pk) in response.text
    assert "Launch Editor" in text_of(response)
    assert "Secret of Olga" not in response.text
    assert "Launch Owner" in text_of(has(operator, olga))


def test_the_links_of_the_page_lead_to_all_of_the_same_account(operator, olga, stan):
    for user in (olga, stan):
        create_token(user, f"laptop of {user.name}")
        create_board(actor=web(user), title=f"Board of {user.name}")
        SecurityEvent.objects.create(kind="signed-in", user=user)
    text = unescape(has(operator, olga).text)
    for name in ("accounts_apitoken", "boards_membership", "security_securityevent"):
        [link] = re.findall(rf'href="({reverse(f"admin:{name}_changelist")}\?[^"]+)"', text)
        assert {row.user for row in operator.get(link).context["cl"].result_list} == {olga}


def test_the_page_of_an_account_shows_what_happened_to_it(operator, otto, olga):
    act(operator, "sign_out", olga)
    SecurityEvent.objects.create(kind="sign-in-failed", user=olga, address="192.0.2.7")
    text = text_of(has(operator, olga))
    assert "sign-in failed 192.0.2.7 –" in text
    assert f"sessions ended 127.0.0.1 {otto.email}" in text


def test_only_the_latest_are_shown(operator, olga):
    for number in range(12):
        SecurityEvent.objects.create(kind="signed-in", user=olga, address=f"192.0.2.{number}")
    events = has(operator, olga).context["events"]
    assert [event.address for event in events] == [f"192.0.2.{number}" for number in range(11, 1, -1)]


def test_the_page_of_an_account_counts_its_sessions(operator, olga, stan):
    assert "No active sessions." in text_of(has(operator, olga))
    signed_in(olga), signed_in(olga), signed_in(stan)
    text = text_of(has(operator, olga))
    assert "2 active sessions. Last used: " in text


def test_sessions_that_ended_are_not_counted(operator, olga):
    signed_in(olga)
    act(operator, "sign_out", olga)
    expired = signed_in(User.objects.get(pk=olga.pk))
    Session.objects.filter(pk=expired.session.session_key).update(expire_date=timezone.now())
    assert "No active sessions." in text_of(has(operator, olga))


def test_staff_see_of_an_account_only_what_they_may_view(client, helper, olga):
    create_token(olga, "laptop")
    create_board(actor=web(olga), title="Launch")
    SecurityEvent.objects.create(kind="signed-in", user=olga, address="192.0.2.7")
    client.force_login(helper)
    text = text_of(has(client, olga))
    assert not [word for word in ("laptop", "Launch", "192.0.2.7") if word in text]
    helper.user_permissions.add(Permission.objects.get(codename="view_apitoken"))
    assert "laptop" in text_of(has(client, olga))


# Addresses


def test_a_primary_address_cannot_be_deleted_but_another_can(operator, olga):
    primary = EmailAddress.objects.create(user=olga, email=olga.email, primary=True)
    other = EmailAddress.objects.create(user=olga, email="olga@other.example")
    assert operator.post(page(EmailAddress, "delete", primary.pk), {"post": "yes"}).status_code == 403
    assert operator.post(page(EmailAddress, "delete", other.pk), {"post": "yes"}).status_code == 302
    assert act(operator, "delete_selected", primary, post="yes").status_code == 403
    assert list(EmailAddress.objects.filter(user=olga)) == [primary]


def test_operator_confirms_an_address(operator, olga):
    address = EmailAddress.objects.create(user=olga, email=olga.email, primary=True)
    act(operator, "make_verified", address)
    address.refresh_from_db()
    assert address.verified


def test_staff_with_view_permission_only_cannot_confirm_an_address(client, helper, olga):
    helper.user_permissions.set(Permission.objects.filter(codename="view_emailaddress"))
    client.force_login(helper)
    address = EmailAddress.objects.create(user=olga, email=olga.email, primary=True)
    act(client, "make_verified", address)
    address.refresh_from_db()
    assert not address.verified


# Plans


def test_operator_edits_a_plan_and_an_empty_limit_means_no_limit(operator):
    data = {"key": "other", "name": "Free of charge", "max_tokens": "3", "max_boards": ""}
    assert operator.post(page(Plan, "change", "free"), data).status_code == 302
    plan = Plan.objects.get(key="free")
    assert (plan.name, plan.max_tokens, plan.max_boards) == ("Free of charge", 3, None)
    assert not Plan.objects.filter(key="other").exists()


def test_operator_adds_and_deletes_a_plan_that_nobody_has(operator):
    operator.post(page(Plan, "add"), {"key": "team", "name": "Team", "max_tokens": "5", "max_boards": "50"})
    assert Plan.objects.filter(key="team").exists()
    operator.post(page(Plan, "delete", "team"), {"post": "yes"})
    assert not Plan.objects.filter(key="team").exists()


def test_a_plan_in_use_is_not_deleted_and_the_page_says_why(operator):
    team = Plan.objects.create(key="team", name="Team")
    for name in ("anna", "bert"):
        person(name, plan=team)
    reason = "2 accounts are on the Team plan. Move them to another plan first."
    assert reason in operator.post(page(Plan, "delete", "team"), {"post": "yes"}).text
    assert reason in act(operator, "delete_selected", team, post="yes").text
    assert Plan.objects.filter(key="team").exists()


def test_the_plan_of_new_accounts_is_not_deleted_even_when_nobody_has_it(operator, otto):
    User.objects.update(plan="pro")
    response = operator.post(page(Plan, "delete", "free"), {"post": "yes"})
    assert (
        "New accounts start on the Free plan, so it cannot be deleted. Choose another plan for new accounts first."
        in response.text
    )
    assert Plan.objects.filter(key="free").exists()


def test_operator_lets_new_accounts_start_on_another_plan(operator):
    data = {"name": "Pro", "max_tokens": "20", "max_boards": "", "is_default": "on"}
    assert operator.post(page(Plan, "change", "pro"), data).status_code == 302
    assert [person("nina").plan_id, DefaultPlan.objects.get().plan_id] == ["pro", "pro"]
    operator.post(page(Plan, "delete", "pro"), {"post": "yes"})
    assert Plan.objects.filter(key="pro").exists()


def test_the_mark_moves_only_to_another_plan(operator):
    data = {"name": "Free", "max_tokens": "1", "max_boards": "10"}
    assert operator.post(page(Plan, "change", "free"), data).status_code == 302
    assert DefaultPlan.objects.get().plan_id == "free"
    assert "disabled" in operator.get(page(Plan, "change", "free")).text.partition('name="is_default"')[2][:80]


def test_the_database_holds_one_default_plan(db):
    for wrong in (
        lambda: DefaultPlan.objects.create(id=2, plan_id="pro"),
        lambda: DefaultPlan.objects.create(plan_id="pro"),
        lambda: DefaultPlan.objects.update(plan=None),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            wrong()
    assert DefaultPlan.objects.get().plan_id == "free"


# API tokens


def test_no_page_shows_more_of_a_token_than_the_last_four_characters_of_its_value(operator, olga):
    token, value = create_token(olga, "laptop")
    for address in (page(ApiToken, "changelist"), page(ApiToken, "change", token.pk)):
        text = operator.get(address).text
        assert f"…{value[-4:]}" in text
        assert value not in text
        assert token.digest not in text


def test_operator_revokes_a_token_and_it_stops_working_at_once(operator, olga, stan):
    (token, value), (_other, others) = create_token(olga, "laptop"), create_token(stan, "desktop")
    assert said(act(operator, "revoke", token)) == ["1 API token revoked."]
    assert find_live_token(value) is None
    assert find_live_token(others) is not None
    assert LogEntry.objects.get().get_change_message() == "Revoked."


def address_to_revoke(token):
    return reverse("admin:accounts_apitoken_revoke", args=[token.pk])


def revoke_on_its_page(client, token):
    return client.post(address_to_revoke(token))


def test_operator_revokes_a_token_on_its_own_page(operator, otto, olga):
    token, value = create_token(olga, "laptop")
    assert address_to_revoke(token) in operator.get(page(ApiToken, "change", token.pk)).text
    response = revoke_on_its_page(operator, token)
    assert response["Location"] == page(ApiToken, "change", token.pk)
    assert said(response) == ["1 API token revoked."]
    assert find_live_token(value) is None
    event = SecurityEvent.objects.get(kind="token-revoked")
    assert (event.user, event.by, event.details) == (olga, otto, {"name": "laptop"})
    assert LogEntry.objects.get().get_change_message() == "Revoked."


def test_a_revoked_token_is_not_offered_to_be_revoked_again(operator, olga):
    token, _value = create_token(olga, "laptop")
    revoke_on_its_page(operator, token)
    assert address_to_revoke(token) not in operator.get(page(ApiToken, "change", token.pk)).text
    assert said(revoke_on_its_page(operator, token))[-1] == "0 API tokens revoked."
    assert SecurityEvent.objects.filter(kind="token-revoked").count() == 1


def test_revoking_needs_post_and_a_token_that_exists(operator, olga):
    token, value = create_token(olga, "laptop")
    assert operator.get(address_to_revoke(token)).status_code == 405
    assert find_live_token(value) is not None
    for unknown in (olga.pk, "nonsense"):
        assert operator.post(reverse("admin:accounts_apitoken_revoke", args=[unknown])).status_code == 404


def test_staff_with_view_permission_only_cannot_revoke_a_token_on_its_page(client, helper, olga):
    token, value = create_token(olga, "laptop")
    helper.user_permissions.set(Permission.objects.filter(codename="view_apitoken"))
    client.force_login(helper)
    assert address_to_revoke(token) not in client.get(page(ApiToken, "change", token.pk)).text
    assert revoke_on_its_page(client, token).status_code == 403
    assert find_live_token(value) is not None


def test_revoking_twice_counts_nothing(operator, olga):
    token, _value = create_token(olga, "laptop")
    act(operator, "revoke", token)
    assert said(act(operator, "revoke", token))[-1] == "0 API tokens revoked."
    assert LogEntry.objects.count() == 1


def test_operator_limits_a_token_to_reading_and_forbids_another_to_delete(operator, olga, stan):
    first, other = create_token(olga, "laptop")[0], create_token(stan, "desktop")[0]
    assert said(act(operator, "limit_to_reading", first)) == ["1 API token restricted."]
    assert said(act(operator, "limit_to_reading", first))[-1] == "0 API tokens restricted."
    act(operator, "forbid_deleting", other)
    first.refresh_from_db()
    other.refresh_from_db()
    assert (first.access, first.deletes, other.access, other.deletes) == ("read", True, "readWrite", False)
    assert {entry.get_change_message() for entry in LogEntry.objects.all()} == {"Restricted."}


A_BOARD = "01930000-0000-7000-8000-000000000000"


def narrow_on_its_page(client, token, **data):
    return client.post(reverse("admin:accounts_apitoken_narrow", args=[token.pk]), data)


def test_operator_takes_boards_from_a_token_and_lets_it_end_earlier(operator, otto, olga):
    token, _value = create_token(olga, "laptop")
    kept, lost = A_BOARD, A_BOARD.replace("7000", "7001")
    narrow_on_its_page(operator, token, boards=f"{lost}\n{kept} ")
    response = narrow_on_its_page(operator, token, boards=kept.upper(), until="2999-12-31")
    assert response["Location"] == page(ApiToken, "change", token.pk)
    assert said(response)[-1] == "1 API token restricted."
    token.refresh_from_db()
    assert (token.board_ids, token.expires_at.date().isoformat()) == ([kept], "2999-12-31")
    events = SecurityEvent.objects.filter(kind="token-narrowed")
    assert {(event.user, event.by) for event in events} == {(olga, otto)}


def test_what_an_operator_leaves_empty_stays(operator, olga):
    token, _value = create_token(olga, "laptop")
    assert said(narrow_on_its_page(operator, token, boards=" ", until=""))[-1] == "0 API tokens restricted."
    token.refresh_from_db()
    assert (token.board_ids, token.expires_at) == (None, None)


@pytest.mark.parametrize(
    "data, sentence",
    [
        ({"boards": "Launch"}, "“Launch” is not the ID of a board."),
        (
            {"boards": A_BOARD.replace("7000", "7001")},
            "This token is limited to fewer boards. Create a new one to reach others.",
        ),
        ({"until": "2999-01-01"}, "This token expires earlier. Create a new one that works for longer."),
        ({"until": "2001-01-01"}, "This date has passed. Choose today or a later date."),
    ],
)
def test_an_operator_cannot_widen_a_token_or_name_nonsense(operator, olga, data, sentence):
    end = timezone.now() + timedelta(days=7)
    token, _value = create_token(olga, "laptop", bounds=Bounds("readWrite", [A_BOARD], deletes=True), expires_at=end)
    assert said(narrow_on_its_page(operator, token, **data)) == [sentence]
    assert SecurityEvent.objects.filter(kind="token-narrowed").count() == 0


def test_a_token_is_narrowed_on_its_page_by_those_who_may_change_tokens(client, helper, operator, olga):
    token, _value = create_token(olga, "laptop")
    address = reverse("admin:accounts_apitoken_narrow", args=[token.pk])
    assert address in operator.get(page(ApiToken, "change", token.pk)).text
    helper.user_permissions.set(Permission.objects.filter(codename="view_apitoken"))
    client.force_login(helper)
    assert address not in client.get(page(ApiToken, "change", token.pk)).text
    assert narrow_on_its_page(client, token, until="2999-12-31").status_code == 403


def test_the_admin_shows_what_a_token_may_do(operator, olga):
    token, _value = create_token(olga, "laptop", bounds=Bounds("read", [A_BOARD], deletes=False))
    for address in (page(ApiToken, "changelist"), page(ApiToken, "change", token.pk)):
        assert A_BOARD in operator.get(address).text


def test_staff_with_view_permission_only_cannot_narrow_tokens(client, helper, olga):
    token, _value = create_token(olga, "laptop")
    helper.user_permissions.set(Permission.objects.filter(codename="view_apitoken"))
    client.force_login(helper)
    act(client, "limit_to_reading", token)
    token.refresh_from_db()
    assert token.access == "readWrite"


def test_tokens_cannot_be_added_changed_or_deleted_by_hand(operator, olga):
    token, value = create_token(olga, "laptop")
    for address in (page(ApiToken, "add"), page(ApiToken, "change", token.pk), page(ApiToken, "delete", token.pk)):
        assert operator.post(address, {"name": "x", "user": olga.pk, "post": "yes"}).status_code == 403
    assert find_live_token(value).name == "laptop"


def test_staff_with_view_permission_only_cannot_revoke_tokens(client, helper, olga):
    token, value = create_token(olga, "laptop")
    helper.user_permissions.set(Permission.objects.filter(codename="view_apitoken"))
    client.force_login(helper)
    assert client.get(page(ApiToken, "changelist")).context["action_form"] is None
    act(client, "revoke", token)
    assert find_live_token(value) is not None


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({}, "valid"),
        ({"revoked_at": timedelta(hours=-1)}, "revoked"),
        ({"expires_at": timedelta(hours=-1)}, "expired"),
        (
            {"digest": None, "last_four": "", "reserved_until": timedelta(hours=1)},
            "approved, waiting for the command line",
        ),
        ({"digest": None, "last_four": "", "reserved_until": timedelta(hours=-1)}, "expired"),
    ],
)
def test_the_state_of_a_token_is_shown_in_words(operator, olga, fields, state):
    token, _value = create_token(olga, "laptop")
    values = {name: timezone.now() + value if isinstance(value, timedelta) else value for name, value in fields.items()}
    ApiToken.objects.filter(pk=token.pk).update(**values)
    assert f'<td class="field-state">{state}</td>' in operator.get(page(ApiToken, "changelist")).text


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize(("chosen", "names"), [("yes", ["laptop"]), ("no", ["old"])])
def test_the_list_can_be_filtered_by_live_tokens(operator, olga, stan, chosen, names):
    create_token(olga, "laptop")
    revoke_token(create_token(stan, "old")[0])
    found = operator.get(page(ApiToken, "changelist"), {"live": chosen}).context["cl"].result_list
    assert [token.name for token in found] == names


# The log


def test_nobody_can_rewrite_the_log(operator, otto, olga):
    act(operator, "deactivate", olga)
    entry = LogEntry.objects.get()
    assert operator.post(page(LogEntry, "delete", entry.pk), {"post": "yes"}).status_code == 403
    assert operator.post(page(LogEntry, "change", entry.pk), {"object_repr": "x"}).status_code == 403
    assert "Deactivated." in operator.get(page(LogEntry, "changelist")).text
