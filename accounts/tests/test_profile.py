import re
from datetime import UTC, datetime

import pytest

from accounts.models import User
from accounts.time_zones import with_offset

PROFILE = {"name": "Olga Kern", "language": "en", "time_zone": "Europe/Berlin", "theme": "dark"}


def save(page, **changes: str):
    return page.post("/settings/profile", {**PROFILE, **changes})


def test_name_language_zone_and_theme_are_saved(page, olga):
    assert save(page, language="ja")["Location"] == "/settings/profile"
    olga.refresh_from_db()
    assert (olga.name, olga.language, olga.time_zone, olga.theme) == ("Olga Kern", "ja", "Europe/Berlin", "dark")


def test_forms_of_dates_and_the_first_day_of_the_week_are_saved_and_by_language_again(page, olga):
    for chosen in (("saturday", "iso", "12"), ("", "", "")):
        save(page, **dict(zip(("week_start", "date_form", "clock"), chosen, strict=True)))
        olga.refresh_from_db()
        assert (olga.week_start, olga.date_form, olga.clock) == chosen


def test_the_page_shows_its_dates_in_the_chosen_form_and_tells_scripts(page, olga):
    User.objects.filter(pk=olga.pk).update(date_joined=datetime(2024, 3, 2, 12, tzinfo=UTC))
    save(page, date_form="dots", clock="24")
    html = page.get("/settings/profile").content.decode()
    assert "<dd>02.03.2024</dd>" in html
    assert re.search(r"It is \d\d:\d\d there now", html)
    assert 'data-dates="dots" data-clock="24"' in html


def test_the_density_is_saved_and_kept_by_forms_without_it(page, olga):
    for sent, kept in (
        ({"density": "compact"}, "compact"),
        ({}, "compact"),
        ({"density": "comfortable"}, "comfortable"),
    ):
        save(page, **sent)
        olga.refresh_from_db()
        assert olga.density == kept
        html = page.get("/settings/profile").content.decode()
        assert ('data-density="compact"' in html) == (kept == "compact")


def test_the_start_page_is_saved_and_kept_by_forms_without_it(page, olga):
    for sent, kept in (({"start_page": "my"}, "my"), ({}, "my"), ({"start_page": ""}, "")):
        save(page, **sent)
        olga.refresh_from_db()
        assert olga.start_page == kept


def test_the_answer_is_in_the_new_language_and_theme(page):
    save(page, language="de")
    html = page.get("/settings/profile").content.decode()
    assert re.search(r'<html lang="de" dir="ltr"\s+data-theme="dark"', html)


def test_saving_is_confirmed_in_a_status_message(page):
    answer = page.post("/settings/profile", PROFILE, follow=True)
    assert '<div class="toast"><span>Profile saved.</span></div>' in answer.content.decode()


@pytest.mark.parametrize(
    "field,value",
    [
        ("time_zone", "Mars/Olympus"),
        ("time_zone", "../../etc/passwd"),
        ("time_zone", ""),
        ("language", "tlh"),
        ("theme", "sepia"),
        ("density", "tight"),
        ("start_page", "elsewhere"),
        ("week_start", "tuesday"),
        ("date_form", "Y"),
        ("clock", "13"),
        ("name", "x" * 101),
        ("name", "a\x00b"),
        ("name", "a\u2028b"),
    ],
)
def test_a_value_that_is_not_offered_is_refused_at_its_field(page, olga, field, value):
    assert save(page, **{field: value}).context["form"].errors.keys() == {field}
    olga.refresh_from_db()
    assert (olga.name, olga.time_zone, olga.language, olga.theme) == ("Olga", "UTC", "en", "system")


def test_no_other_field_of_the_account_can_be_changed_here(page, olga):
    save(page, plan="pro", is_staff="1", email="new@example.com")
    olga.refresh_from_db()
    assert (olga.plan_id, olga.is_staff, olga.email) == ("free", False, "olga@example.com")


def test_markup_in_a_name_is_shown_as_text(page):
    save(page, name="<b>Olga</b>")
    html = page.get("/settings/profile").content.decode()
    assert "&lt;b&gt;Olga&lt;/b&gt;" in html
    assert "<b>Olga</b>" not in html


def test_every_time_zone_that_a_sign_up_may_bring_can_be_shown(page, olga):
    User.objects.filter(pk=olga.pk).update(time_zone="America/Argentina/Buenos_Aires")
    html = page.get("/settings/profile").content.decode()
    assert 'value="America/Argentina/Buenos Aires (UTC−3)" list="time-zones"' in html


def test_the_page_suggests_places_with_their_offset(page):
    html = page.get("/settings/profile").content.decode()
    suggested = re.findall(r'<option value="([^"]+)">', html.partition('<datalist id="time-zones">')[2])
    assert suggested[0] == "UTC"
    assert {"Asia/Tokyo (UTC+9)", "Asia/Kolkata (UTC+5:30)", "Pacific/Honolulu (UTC−10)"} < set(suggested)
    assert not [name for name in suggested if name.startswith(("Etc/", "US/"))]


@pytest.mark.parametrize(
    "month,zone",
    [(1, "Europe/Berlin (UTC+1)"), (7, "Europe/Berlin (UTC+2)"), (1, "America/St Johns (UTC−3:30)")],
)
def test_the_offset_of_a_zone_is_that_of_the_moment(month, zone):
    name = zone.partition(" (")[0].replace(" ", "_")
    assert with_offset(name, datetime(2026, month, 1, tzinfo=UTC)) == zone


@pytest.mark.parametrize(
    "typed,zone",
    [
        ("America/New York (UTC−5)", "America/New_York"),
        ("america/new_york", "America/New_York"),
        ("sao paulo", "America/Sao_Paulo"),
        (" Berlin ", "Europe/Berlin"),
        ("US/Pacific", "US/Pacific"),
        ("utc", "UTC"),
    ],
)
def test_a_zone_is_understood_as_people_type_it(page, olga, typed, zone):
    save(page, time_zone=typed)
    olga.refresh_from_db()
    assert olga.time_zone == zone


@pytest.mark.parametrize("typed", ["Atlantis", "Louisville", "Factory", "(UTC+1)"])
def test_what_names_no_zone_or_two_is_refused_and_stays_in_the_field(page, olga, typed):
    answer = save(page, time_zone=typed)
    assert answer.context["form"].errors == {"time_zone": ["Choose a time zone such as Europe/Berlin."]}
    assert f'name="time_zone" value="{typed}"' in answer.content.decode()
    olga.refresh_from_db()
    assert olga.time_zone == "UTC"


def test_only_operators_are_shown_the_link_to_the_admin(page, olga):
    assert 'href="/admin/"' not in page.get("/settings/profile").content.decode()
    User.objects.filter(pk=olga.pk).update(is_staff=True)
    assert 'href="/admin/"' in page.get("/settings/profile").content.decode()


def test_with_a_zone_that_the_machine_does_not_know_pages_are_in_that_of_the_service_until_another_is_chosen(
    page, olga, board, card
):
    User.objects.filter(pk=olga.pk).update(time_zone="Nowhere/Land")
    assert User.objects.get(pk=olga.pk).zone.key == "UTC"
    html = page.get(f"{board.get_absolute_url()}?card={card.pk}").content.decode()
    assert 'data-zone="UTC"' in html
    for address in ("/", "/settings/profile", "/settings/notifications", "/notifications"):
        assert page.get(address).status_code == 200
    assert save(page).status_code == 302
    assert User.objects.get(pk=olga.pk).zone.key == "Europe/Berlin"


def test_the_service_says_which_zone_that_is(settings, olga):
    settings.TIME_ZONE = "Asia/Tokyo"
    olga.time_zone = "../etc/passwd"
    assert olga.zone.key == "Asia/Tokyo"
