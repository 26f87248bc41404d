from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts.first_account import make_link
from accounts.models import DefaultPlan, Plan, User
from accounts.tests.conftest import at_once, is_signed_in
from conftest import person

OTTO = {"email": "Otto@example.com", "password1": "plum tart on sunday", "language": "de"}


@pytest.fixture
def link(db, settings) -> str:
    return make_link().removeprefix(settings.BASE_URL)


@pytest.mark.parametrize("mail", [{}, {"EMAIL_HOST": "mail.example.com"}], ids=["no mail", "mail"])
def test_it_makes_the_operators_account_and_signs_in(client, link, settings, mail):
    settings.MAIL, settings.ACCOUNT_EMAIL_VERIFICATION = mail, "mandatory" if mail else "none"
    settings.SIGNUP_OPEN = False
    assert client.post(link, OTTO)["Location"] == "/"
    otto = User.objects.get()
    assert (otto.email, otto.is_staff, otto.is_superuser) == ("otto@example.com", True, True)
    assert list(EmailAddress.objects.values_list("email", "verified", "primary")) == [(otto.email, True, True)]
    assert is_signed_in(client)
    assert client.get("/admin/").status_code == 200


def test_looking_makes_nothing(client, link):
    assert 'name="password1"' in client.get(link).text
    assert not User.objects.exists()


@pytest.mark.parametrize("limits, start", [({}, "free"), ({"limits": "yes"}, "free"), ({"limits": "no"}, "pro")])
def test_it_is_on_pro_and_its_owner_chooses_the_plan_of_the_others(client, link, limits, start):
    assert client.post(link, {**OTTO, **limits})["Location"] == "/"
    assert User.objects.get().plan_id == "pro"
    assert person("nina").plan_id == start


def test_another_answer_makes_nothing(client, link):
    assert client.post(link, {**OTTO, "limits": "maybe"}).context["form"].errors.keys() == {"limits"}
    assert not User.objects.exists()
    assert DefaultPlan.objects.get().plan_id == "free"


def test_the_question_is_asked_with_yes_chosen(client, link):
    form = client.get(link).context["form"]
    assert (form.fields["limits"].label, form["limits"].value()) == ("Limit people's tokens and boards?", "yes")
    assert client.get(link).text.count('name="limits"') == 2


def test_the_first_to_sign_up_is_on_pro_and_the_next_on_the_default(client, db):
    for name in ("otto", "nina"):
        Client().post("/sign-up", {**OTTO, "email": f"{name}@example.com"})
    assert dict(User.objects.values_list("email", "plan")) == {"otto@example.com": "pro", "nina@example.com": "free"}


def test_without_the_plan_pro_the_first_account_starts_on_the_default(client, link):
    Plan.objects.filter(key="pro").delete()
    client.post(link, OTTO)
    assert User.objects.get().plan_id == "free"


@pytest.mark.parametrize("options, plan", [({}, "pro"), ({"plan": "free"}, "free")])
def test_adduser_makes_a_first_account_on_pro_unless_it_is_told_another(db, options, plan):
    call_command("adduser", "otto@example.com", password="plum tart on sunday", **options)
    call_command("adduser", "nina@example.com", password="plum tart on sunday")
    assert dict(User.objects.values_list("email", "plan")) == {"otto@example.com": plan, "nina@example.com": "free"}


def test_it_works_once(client, link):
    client.post(link, OTTO)
    for again in (Client().get(link), Client().post(link, {**OTTO, "email": "evil@example.com"})):
        assert again.status_code == 404
        assert "This link no longer works" in again.text
    assert User.objects.count() == 1


def test_it_is_dead_as_soon_as_anybody_has_an_account(client, link, olga):
    assert client.get(link).status_code == 404
    assert client.post(link, OTTO).status_code == 404
    assert not User.objects.filter(is_staff=True).exists()


def test_beside_the_demo_it_still_makes_the_operators_account_and_works_once(client, link, settings, capsys):
    call_command("demo")
    assert "Operator:  nobody yet. bin/manage firstlink prints the link" in capsys.readouterr().out
    call_command("firstlink")
    for address in (link, capsys.readouterr().out.strip().removeprefix(settings.BASE_URL)):
        assert client.get(address).status_code == 200
    assert client.post(link, OTTO)["Location"] == "/"
    assert [user.email for user in User.objects.filter(is_staff=True, is_superuser=True)] == ["otto@example.com"]
    assert Client().post(link, {**OTTO, "email": "evil@example.com"}).status_code == 404
    call_command("demo", "--yes")
    assert "Operator" not in capsys.readouterr().out
    assert Client().get(link).status_code == 404


def test_it_is_dead_where_the_account_of_the_demo_is_an_operators(client, link):
    call_command("demo")
    assert client.get(link).status_code == 200
    call_command("adduser", "demo@example.com", password="plum tart on sunday", operator=True)
    assert client.get(link).status_code == 404


@pytest.mark.parametrize(
    "path", ["/first/abc", "/first/Im9wZXJhdG9yIg:1tAAAA:abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG"]
)
def test_a_link_that_is_not_ours_is_refused(client, db, path):
    assert client.post(path, OTTO).status_code == 404
    assert not User.objects.exists()


@pytest.mark.parametrize("hours,status", [(23, 200), (25, 404)])
def test_it_lives_for_a_day(client, link, hours, status):
    with time_machine.travel(timezone.now() + timedelta(hours=hours)):
        assert client.get(link).status_code == status


def test_the_rules_for_passwords_hold(client, link):
    assert client.post(link, {**OTTO, "password1": "Summer2026!"}).context["form"].errors.keys() == {"password1"}
    assert not User.objects.exists()


def test_the_command_prints_one_and_refuses_once_there_is_an_account(client, db, settings, capsys):
    call_command("firstlink")
    printed = capsys.readouterr().out.strip()
    assert client.get(printed.removeprefix(settings.BASE_URL)).status_code == 200
    client.post(printed.removeprefix(settings.BASE_URL), OTTO)
    with pytest.raises(CommandError, match="adduser EMAIL --operator"):
        call_command("firstlink")


@pytest.mark.django_db(transaction=True)
def test_of_four_at_once_one_becomes_the_operator(settings):
    link = make_link().removeprefix(settings.BASE_URL)
    numbers = iter(range(4))
    answers = at_once(4, lambda: Client().post(link, {**OTTO, "email": f"otto{next(numbers)}@example.com"}))
    assert sorted(answer.status_code for answer in answers) == [302, 404, 404, 404]
    assert User.objects.count() == 1
