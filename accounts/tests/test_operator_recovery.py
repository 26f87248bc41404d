"""Operators recover accounts that somebody else has got into."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.tests.conftest import is_signed_in
from accounts.tests.test_admin import act, form_of, page, said, signed_in
from accounts.tokens import create_token, find_live_token
from conftest import person
from security.models import SecurityEvent

NEW = "plum tart on sunday"


@pytest.fixture
def operator(client, otto):
    client.force_login(otto)
    return client


@pytest.fixture
def intruded(olga) -> str:
    """Somebody else has a token of Olga's account, its value here, and has entered another address."""
    EmailAddress.objects.create(user=olga, email="evil@example.com")
    return create_token(olga, "evil")[1]


def set_in_admin(operator: Client, user: User) -> None:
    data = {"password1": NEW, "password2": NEW, "usable_password": "true", "set-password": "Change"}
    operator.post(reverse("admin:auth_user_password_change", args=[user.pk]), data)


def set_by_command(operator: Client, user: User) -> None:
    call_command("adduser", user.email, "--password", NEW)


@pytest.mark.usefixtures("_mail_server")
@pytest.mark.parametrize("set_password", [set_in_admin, set_by_command])
def test_a_password_that_an_operator_sets_recovers_the_account(operator, olga, intruded, set_password):
    hers = signed_in(olga)
    set_password(operator, olga)
    olga.refresh_from_db()
    assert olga.check_password(NEW)
    assert find_live_token(intruded) is None
    assert not EmailAddress.objects.filter(email="evil@example.com").exists()
    assert not is_signed_in(hers)
    assert [(message.to, message.subject) for message in mail.outbox] == [
        (["olga@example.com"], "[Taskboard] Your password was changed")
    ]
    assert "The operator of this service did this" in mail.outbox[0].body
    assert "If you didn't ask for this, contact the operator" in mail.outbox[0].body
    assert SecurityEvent.objects.get(kind="password-changed").user == olga


def test_adduser_without_a_new_password_ends_nothing(olga, intruded, monkeypatch):
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("getpass.getpass", lambda prompt: "")
    call_command("adduser", olga.email, "--plan", "pro")
    assert find_live_token(intruded) is not None
    assert EmailAddress.objects.filter(email="evil@example.com").exists()


def test_adduser_writes_back_nothing_that_changed_while_it_asked(olga, monkeypatch):
    def demoted_meanwhile(prompt):
        User.objects.filter(pk=olga.pk).update(is_staff=False)
        return NEW

    User.objects.filter(pk=olga.pk).update(is_staff=True)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("getpass.getpass", demoted_meanwhile)
    call_command("adduser", olga.email, "--name", "Olga O.")
    olga.refresh_from_db()
    assert (olga.name, olga.is_staff, olga.check_password(NEW)) == ("Olga O.", False, True)


@pytest.mark.usefixtures("_mail_server")
def test_an_address_that_an_operator_changes_ends_the_waiting_one_and_is_told_to_the_old(operator, olga, intruded):
    operator.post(page(User, "change", olga.pk), form_of(olga, email="new@example.com"))
    assert list(EmailAddress.objects.filter(user=olga).values_list("email", flat=True)) == ["new@example.com"]
    assert mail.outbox[0].to == ["olga@example.com"]
    assert "from olga@example.com to new@example.com" in mail.outbox[0].body
    event = SecurityEvent.objects.get(kind="address-changed")
    assert (event.user, event.by.email, event.details["after"]) == (olga, "otto@example.com", "new@example.com")


def test_an_account_deactivated_on_its_page_does_not_get_its_sessions_back(operator, olga, intruded):
    hers = signed_in(olga)
    operator.post(page(User, "change", olga.pk), form_of(olga, is_active=None))
    olga.refresh_from_db()
    operator.post(page(User, "change", olga.pk), form_of(olga, is_active="on"))
    assert User.objects.get(pk=olga.pk).is_active
    assert not is_signed_in(hers)
    assert find_live_token(intruded) is None
    assert not EmailAddress.objects.filter(email="evil@example.com").exists()


def test_operators_sign_an_account_out_everywhere_but_its_tokens_stay(operator, olga, ed):
    hers, his, (_token, value) = signed_in(olga), signed_in(ed), create_token(olga, "laptop")
    assert said(act(operator, "sign_out", olga)) == ["1 account signed out."]
    assert not is_signed_in(hers)
    assert is_signed_in(his)
    assert find_live_token(value) is not None
    assert is_signed_in(signed_in(User.objects.get(pk=olga.pk)))
    event = SecurityEvent.objects.get(kind="sessions-ended")
    assert (event.user, event.by.email) == (olga, "otto@example.com")


def test_staff_cannot_sign_operators_out(client, otto):
    from django.contrib.auth.models import Permission

    helper, his = person("hal", is_staff=True), signed_in(otto)
    helper.user_permissions.set(Permission.objects.filter(codename__in=["view_user", "change_user"]))
    client.force_login(helper)
    act(client, "sign_out", otto)
    assert is_signed_in(his)


def test_an_accounts_page_leads_to_its_part_of_the_log(operator, olga, ed):
    signed_in(ed).post("/sign-out")
    signed_in(olga).post("/sign-out")
    link = f"/admin/security/securityevent/?user__id__exact={olga.pk}"
    assert f'href="{link}"' in operator.get(page(User, "change", olga.pk)).text
    assert [event.user for event in operator.get(link).context["cl"].queryset] == [olga]
