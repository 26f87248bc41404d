"""One's own picture: taken on the profile, shown wherever the name is, gone when it is removed."""

import os
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

import pytest
from django.conf import settings as configured
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from PIL import Image

from account_deletion.deletion import delete_account
from accounts.models import User
from accounts.pictures import PEOPLE, set_picture
from boards.actions.cards.assignments import assign
from boards.actions.sharing.public_links import create_public_link
from conftest import web
from core.files import pictures
from operating.tidying import tidy

FORM = "/settings/profile/picture"


@pytest.fixture(autouse=True)
def folder(settings, tmp_path: Path) -> Path:
    backend = settings.STORAGES["default"]["BACKEND"]
    settings.STORAGES = {**settings.STORAGES, "default": {"BACKEND": backend, "OPTIONS": {"location": str(tmp_path)}}}
    return tmp_path


def photo(colour: str = "red", kind: str = "JPEG") -> SimpleUploadedFile:
    file = BytesIO()
    Image.new("RGB", (400, 300), colour).save(file, kind)
    return SimpleUploadedFile(f"me.{kind.lower()}", file.getvalue())


def send(page: Client, *, file: SimpleUploadedFile | None = None):
    return page.post(FORM, {"picture": file or photo()})


def files(folder: Path) -> list[str]:
    return sorted(path.stem for path in (folder / "people").glob("*"))


def picture_of(user: User) -> str:
    return User.objects.get(pk=user.pk).picture


def test_a_picture_is_stored_as_our_own_bytes_under_a_random_name(
    page, olga, folder, django_capture_on_commit_callbacks
):
    assert send(page)["Location"] == "/settings/profile"
    name = picture_of(olga)
    assert files(folder) == [name]
    assert len(name) == 32
    stored = (folder / "people" / f"{name}.webp").read_bytes()
    assert (stored[:4], stored[8:12]) == (b"RIFF", b"WEBP")


def test_nobody_but_the_service_can_read_the_files(page, folder):
    send(page)
    modes = {path.stat().st_mode & 0o777 for path in (folder / "people", *(folder / "people").glob("*"))}
    assert modes == {0o700, 0o600}


def test_it_is_shown_in_place_of_the_initials_which_stay_behind_it(page, olga):
    send(page)
    html = page.get("/settings/profile", follow=True).content.decode()
    assert f'O<img src="/people/{picture_of(olga)}" alt="" loading="lazy"></span>' in html
    assert "Remove picture" in html


def test_a_new_picture_has_a_new_name_and_the_old_file_goes_with_the_commit(
    page, olga, folder, django_capture_on_commit_callbacks
):
    send(page)
    old = picture_of(olga)
    with django_capture_on_commit_callbacks() as waiting:
        send(page, file=photo("blue"))
    assert len(files(folder)) == 2, "the old one is there until the commit"
    for callback in waiting:
        callback()
    assert files(folder) == [picture_of(olga)]
    assert picture_of(olga) != old


def test_it_is_removed_with_its_file(page, olga, folder, django_capture_on_commit_callbacks):
    send(page)
    with django_capture_on_commit_callbacks(execute=True):
        answer = page.post(FORM, {"remove": "1"}, follow=True)
    assert "Picture removed." in answer.content.decode()
    assert (picture_of(olga), files(folder)) == ("", [])
    assert "Remove picture" not in answer.content.decode()


@pytest.mark.parametrize(
    "name,content,sentence",
    [
        ("me.png", b"<html><script>alert(1)</script>", "cannot be read as a picture"),
        ("me.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "cannot be read as a picture"),
        ("me.jpg", b"", "This file is empty"),
        ("me.jpg", bytes(pictures.MOST_BYTES + 1), "larger than 10 MB"),
    ],
)
def test_anything_else_is_refused_in_words_at_the_field(page, olga, folder, name, content, sentence):
    send(page)
    before = picture_of(olga)
    answer = send(page, file=SimpleUploadedFile(name, content, "image/png"))
    assert sentence in answer.content.decode()
    assert (picture_of(olga), files(folder)) == (before, [before])


def test_a_form_without_a_file_is_refused(page, olga):
    assert page.post(FORM, {}).context["picture_form"].errors.keys() == {"picture"}
    assert picture_of(olga) == ""


def test_a_file_beyond_every_bound_is_refused_by_its_head(page):
    answer = page.post(FORM, b"", content_type="multipart/form-data; boundary=x", CONTENT_LENGTH=str(30 * 1024**2))
    assert answer.status_code == 413
    assert "This is more than 10 MB" in answer.content.decode()


def test_other_forms_take_no_files(page):
    answer = page.post("/settings/profile", {"file": SimpleUploadedFile("x", bytes(2 * 1024**2))})
    assert answer.status_code == 413
    assert "This is more than 1 MB" in answer.content.decode()


def test_the_page_says_the_bound_before(page):
    html = page.get("/settings/profile").content.decode()
    assert f"up to {pictures.MOST_BYTES // 1024**2} MB" in html
    assert f'data-most="{pictures.MOST_BYTES}" data-too-large="This file is larger than 10 MB.' in html


def test_the_bound_of_a_body_leaves_room_for_the_largest_picture():
    assert configured.LARGE_BODIES[FORM] > pictures.MOST_BYTES


def test_when_others_send_pictures_too_it_is_busy(page, olga, monkeypatch):
    monkeypatch.setattr(pictures.turns, "_patience", 0)
    with pictures.turns.take("somebody else"):
        assert send(page).status_code == 503
    assert picture_of(olga) == ""
    assert send(page).status_code == 302


def test_the_file_is_served_as_what_it_is_and_kept_by_browsers(page, olga):
    send(page)
    answer = page.get(f"/people/{picture_of(olga)}")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/webp"
    assert answer["Cache-Control"] == "private, max-age=31536000, immutable"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert set(answer["Content-Security-Policy"].split("; ")) == {"default-src 'none'", "sandbox"}
    assert Image.open(BytesIO(answer.content)).size == (256, 256)


def test_pictures_are_for_people_who_are_signed_in(page, olga, client):
    send(page)
    assert Client().get(f"/people/{picture_of(olga)}").status_code == 302


@pytest.mark.parametrize("name", ["a" * 32, "a" * 31, "a" * 33, "..", "../secret_key", "a" * 29 + "%2F."])
def test_other_names_are_not_found(page, name):
    assert page.get(f"/people/{name}").status_code == 404


def test_others_see_it_on_the_board_and_a_change_shows_with_the_next_page(page, olga, ed, board, todo, card):
    assign(actor=web(olga), card_id=card.pk, user_id=olga.pk)
    others = Client()
    others.force_login(ed)
    pages = []
    for colour in ("red", "blue"):
        send(page, file=photo(colour))
        html = others.get(board.get_absolute_url()).content.decode()
        pages.append(html)
        assert html.count(f'src="/people/{picture_of(olga)}"') >= 2, "on the tile and among the members"
    assert f"/people/{picture_of(olga)}" not in pages[0]
    page.post(FORM, {"remove": "1"})
    html = others.get(board.get_absolute_url()).content.decode()
    assert 'src="/people/' not in html


def test_public_links_show_initials_alone(page, olga, board, card):
    send(page)
    assign(actor=web(olga), card_id=card.pk, user_id=olga.pk)
    link = create_public_link(actor=web(olga), board_id=board.pk, shows_names=True, shows_comments=True)
    for address in (f"/public/{link.key}", f"/public/{link.key}/card/{card.pk}"):
        html = Client().get(address).content.decode()
        assert 'class="avatar' in html
        assert "/people/" not in html


def test_one_changes_the_own_picture_only(page, olga, ed):
    page.post(FORM, {"picture": photo(), "user": str(ed.pk), "id": str(ed.pk)})
    assert (bool(picture_of(olga)), picture_of(ed)) == (True, "")


def test_it_goes_with_the_account(page, olga, ed, folder, django_capture_on_commit_callbacks):
    set_picture(ed, b"a picture")
    with django_capture_on_commit_callbacks(execute=True):
        delete_account(User.objects.get(pk=ed.pk), deleting=set(), request=None)
    assert (picture_of(ed), files(folder)) == ("", [])


def test_files_without_an_account_go_after_an_hour(olga, folder):
    set_picture(olga, b"a picture")
    for name in ("o" * 32, "n" * 32):
        default_storage.save(PEOPLE.path_of(name), ContentFile(b"left behind"))
    (folder / "people" / "notes.txt").write_text("not ours")
    now = timezone.now()
    past = (now - timedelta(hours=2)).timestamp()
    for name in ("o" * 32, picture_of(olga)):
        os.utime(folder / "people" / f"{name}.webp", (past, past))
    assert tidy()["pictures"] == 1
    assert files(folder) == sorted(["n" * 32, "notes", picture_of(olga)])


def test_where_nobody_has_a_picture_nothing_is_tidied(db):
    assert PEOPLE.delete_unused(datetime(2030, 1, 1, tzinfo=UTC)) == 0


def test_operators_remove_a_picture(client, olga, ed, folder, django_capture_on_commit_callbacks):
    User.objects.filter(pk=olga.pk).update(is_staff=True, is_superuser=True)
    set_picture(ed, b"a picture")
    client.force_login(User.objects.get(pk=olga.pk))
    assert f"/people/{picture_of(ed)}" in client.get(f"/admin/accounts/user/{ed.pk}/change/").content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        form = {"action": "remove_pictures", "_selected_action": [str(ed.pk), str(olga.pk)]}
        answer = client.post("/admin/accounts/user/", form, follow=True)
    assert "1 picture removed." in answer.content.decode()
    assert (picture_of(ed), files(folder)) == ("", [])
