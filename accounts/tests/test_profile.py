import pytest

from accounts.models import User

PROFILE = {"name": "Olga Kern", "language": "en", "time_zone": "Europe/Berlin", "theme": "dark"}


def save(page, **changes: str):
    return page.post("/settings/profile", {**PROFILE, **changes})


def test_name_language_zone_and_theme_are_saved(page, olga):
    assert save(page, language="ja")["Location"] == "/settings/profile"
    olga.refresh_from_db()
    assert (olga.name, olga.language, olga.time_zone, olga.theme) == ("Olga Kern", "ja", "Europe/Berlin", "dark")


def test_the_answer_is_in_the_new_language_and_theme(page):
    save(page, language="de")
    html = page.get("/settings/profile").content.decode()
    assert '<html lang="de" dir="ltr" data-theme="dark">' in html


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
    assert '<option value="America/Argentina/Buenos_Aires" selected>Argentina/Buenos Aires</option>' in html


def test_only_operators_are_shown_the_link_to_the_admin(page, olga):
    assert 'href="/admin/"' not in page.get("/settings/profile").content.decode()
    User.objects.filter(pk=olga.pk).update(is_staff=True)
    assert 'href="/admin/"' in page.get("/settings/profile").content.decode()
