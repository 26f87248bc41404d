import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, Plan, User
from accounts.tests.conftest import PASSWORD, at_once, sign_in
from accounts.tokens import create_token, find_live_token
from web.tests.browsing import text_of


def make(page: Client, **fields: str):
    return page.post("/settings/tokens", {"name": "laptop", "expires": "", **fields})


def value_in(answer) -> str | None:
    found = re.search(r"tbk_[\w-]{43}", answer.content.decode())
    return found and found[0]


def test_a_token_works_and_carries_its_name(page, olga):
    token = find_live_token(value_in(make(page, name=" laptop ")))
    assert (token.user, token.name, token.made_by, token.expires_at) == (olga, "laptop", "web", None)


def test_its_value_is_shown_once_and_stored_nowhere(page):
    value = value_in(make(page))
    assert value not in page.get("/settings/tokens").content.decode()
    kept = [str(Session.objects.get().get_decoded()), str(ApiToken.objects.values()), str(page.cookies)]
    assert not any(value in place for place in kept)


def test_answers_with_a_value_are_never_cached(page):
    assert "no-store" in make(page)["Cache-Control"]
    assert "no-store" in page.get("/settings/tokens")["Cache-Control"]


def test_a_ready_command_line_names_the_real_address(page, settings):
    settings.BASE_URL = "https://boards.example.com"
    answer = make(page)
    line = f'curl -H "Authorization: Bearer {value_in(answer)}" https://boards.example.com/api/v1/me'
    assert line in answer.content.decode()


@pytest.mark.parametrize("name", ["", "   ", "\u200b", "x" * 101, "a\x1bb"])
def test_a_name_must_be_one_visible_line_of_at_most_100_characters(page, name):
    assert make(page, name=name).context["form"].errors.keys() == {"name"}
    assert not ApiToken.objects.exists()


def test_a_token_expires_at_the_end_of_the_chosen_day_in_the_owners_time_zone(page, olga):
    User.objects.filter(pk=olga.pk).update(time_zone="Asia/Tokyo")
    make(page, expires="date", until="2999-06-30")
    assert ApiToken.objects.get().expires_at == datetime(2999, 6, 30, 14, 59, 59, tzinfo=UTC)


@pytest.mark.parametrize("day", ["2020-01-01", "9999-12-31", "30.6.2030", "2030-02-30", "soon"])
def test_an_expiry_that_has_passed_is_too_late_or_is_not_a_date_is_refused(page, day):
    assert make(page, expires="date", until=day).context["form"].errors.keys() == {"until"}
    assert not ApiToken.objects.exists()


def test_at_the_plans_limit_the_page_says_so_and_creates_no_token(page, olga):
    create_token(olga, "first")
    assert "1 of 1 used" in page.get("/settings/tokens").content.decode()
    answer = make(page)
    assert "Your plan allows 1 API token. Revoke it to create another." in answer.content.decode()
    assert value_in(answer) is None
    assert ApiToken.objects.count() == 1


def form_id_in(answer) -> str:
    return re.search(r'name="form_id" value="([\w-]+)"', answer.content.decode())[1]


def test_a_form_that_is_sent_again_creates_no_other_token(page):
    Plan.objects.filter(pk="free").update(max_tokens=None)
    form_id = form_id_in(page.get("/settings/tokens"))
    first, again = make(page, form_id=form_id), make(page, form_id=form_id)
    assert (value_in(first) is None, value_in(again)) == (False, None)
    assert "This form was already sent" in again.content.decode()
    assert ApiToken.objects.count() == 1
    assert value_in(make(page, form_id=form_id_in(again))) is not None


def test_at_the_plans_limit_and_after_revoking_a_repeat_is_still_a_repeat(page):
    form_id = form_id_in(page.get("/settings/tokens"))
    make(page, form_id=form_id)
    assert "This form was already sent" in make(page, form_id=form_id).content.decode()
    page.post(f"/settings/tokens/{form_id}/revoke")
    assert "This form was already sent" in make(page, form_id=form_id).content.decode()
    assert find_live_token(value_in(make(page))) is not None


def test_a_form_with_another_users_form_id_creates_nothing_and_changes_nothing(page, ed):
    token, value = create_token(ed, "Eds own")
    assert "This form was already sent" in make(page, form_id=str(token.pk)).content.decode()
    assert find_live_token(value).user == ed


def test_a_form_with_a_mistake_keeps_its_id(page):
    form_id = form_id_in(page.get("/settings/tokens"))
    assert form_id_in(make(page, form_id=form_id, name="")) == form_id


def test_without_a_limit_the_page_only_counts(page, olga):
    Plan.objects.filter(pk="free").update(max_tokens=None)
    for name in ("first", "second"):
        create_token(olga, name)
    assert "2 in use" in page.get("/settings/tokens").content.decode()


def test_revoking_is_immediate_and_frees_the_slot(page, olga):
    token, value = create_token(olga, "first")
    answer = page.post(f"/settings/tokens/{token.pk}/revoke", follow=True)
    assert "“first” was revoked." in answer.content.decode()
    assert "0 of 1 used" in answer.content.decode()
    assert find_live_token(value) is None
    assert value_in(make(page)) is not None


def test_revoking_twice_changes_nothing_more(page, olga):
    token, _value = create_token(olga, "first")
    page.post(f"/settings/tokens/{token.pk}/revoke")
    revoked_at = ApiToken.objects.get().revoked_at
    assert page.post(f"/settings/tokens/{token.pk}/revoke").status_code == 302
    assert ApiToken.objects.get().revoked_at == revoked_at


def test_an_expired_token_is_marked_and_frees_its_slot(page, olga):
    create_token(olga, "old", expires_at=timezone.now() - timedelta(seconds=1))
    html = page.get("/settings/tokens").content.decode()
    assert "Expired" in html
    assert "0 of 1 used" in html
    assert value_in(make(page)) is not None


def test_a_slot_that_a_command_line_may_still_fetch_is_shown_and_counted(page, olga):
    soon = timezone.now() + timedelta(minutes=5)
    ApiToken.objects.create(user=olga, name="my laptop", made_by="cli", reserved_until=soon)
    html = page.get("/settings/tokens").content.decode()
    assert "Pending" in html
    assert "1 of 1 used" in html


def test_a_slot_that_was_not_fetched_in_time_is_not_shown_or_counted(page, olga):
    over = timezone.now() - timedelta(seconds=1)
    ApiToken.objects.create(user=olga, name="my laptop", made_by="cli", reserved_until=over)
    html = page.get("/settings/tokens").content.decode()
    assert "my laptop" not in html
    assert "0 of 1 used" in html


def test_another_users_token_is_not_found(page, ed):
    token, value = create_token(ed, "Eds own")
    assert page.post(f"/settings/tokens/{token.pk}/revoke").status_code == 404
    assert "Eds own" not in page.get("/settings/tokens").content.decode()
    assert find_live_token(value) is not None


@pytest.mark.parametrize("token_id", ["01930000-0000-7000-8000-000000000000", "1", "not-an-id"])
def test_a_token_that_does_not_exist_is_not_found(page, token_id):
    assert page.post(f"/settings/tokens/{token_id}/revoke").status_code == 404


def test_only_a_post_of_the_owner_revokes_a_token(page, olga, client):
    token, value = create_token(olga, "first")
    assert page.get(f"/settings/tokens/{token.pk}/revoke").status_code == 405
    assert Client().post(f"/settings/tokens/{token.pk}/revoke")["Location"].startswith("/sign-in")
    assert find_live_token(value) is not None


@pytest.mark.django_db(transaction=True)
def test_of_twenty_requests_at_once_exactly_one_gets_the_only_slot():
    User.objects.create_user("olga@example.com", PASSWORD)
    browser = Client()
    sign_in(browser, "olga@example.com")

    def ask() -> str | None:
        client = Client()
        client.cookies = browser.cookies
        return value_in(make(client))

    values = at_once(20, ask)
    assert len(values) == 20
    assert len([value for value in values if value]) == 1
    assert ApiToken.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_form_sent_ten_times_at_once_creates_one_token():
    User.objects.create_user("olga@example.com", PASSWORD)
    Plan.objects.filter(pk="free").update(max_tokens=None)
    browser = Client()
    sign_in(browser, "olga@example.com")
    form_id = form_id_in(browser.get("/settings/tokens"))

    def ask() -> str | None:
        client = Client()
        client.cookies = browser.cookies
        return value_in(make(client, form_id=form_id))

    assert len([value for value in at_once(10, ask) if value]) == 1
    assert ApiToken.objects.count() == 1


@pytest.mark.parametrize("made_up", ["00000000-0000-0000-0000-000000000000", "c0ffee00-1234-4abc-8def-000000000000"])
def test_a_form_id_of_ones_own_making_gives_a_token_that_can_be_revoked(page, made_up):
    assert value_in(make(page, form_id=made_up)) is not None
    assert page.get("/settings/tokens").status_code == 200


@pytest.mark.parametrize(
    "cap, advice, other", [(1, "allows one at a time", "separate token"), (20, "separate token", "one at a time")]
)
def test_the_page_advises_as_many_tokens_as_the_plan_allows(page, cap, advice, other):
    Plan.objects.filter(pk="free").update(max_tokens=cap)
    text = text_of(page.get("/settings/tokens"))
    assert advice in text
    assert other not in text
