"""Files on cards: attached by a form, listed on the card, downloaded by those who see it, in parts and never twice."""

from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from accounts.models import Plan
from boards.actions.files.attachments import attach_file, set_cover_picture
from boards.actions.people.members import remove_member
from boards.models import Activity, Attachment, Board, Card, Preview, StoredFile
from conftest import run_jobs, web
from core.files.storage import delete_file, store
from web.tests.browsing import SCRIPTED, browser, text_of


def photo(kind: str = "JPEG", size: tuple[int, int] = (640, 400), **options) -> bytes:
    file = BytesIO()
    Image.new("RGB", size, "red").save(file, kind, **options)
    return file.getvalue()


def send(user, card: Card, *files: tuple[str, bytes], **headers):
    uploads = [SimpleUploadedFile(name, content, "text/html") for name, content in files]
    return browser(user).post(f"/card/{card.pk}/attachments", {"file": uploads}, **headers)


@pytest.fixture
def attached(ed, card) -> Attachment:
    content = b"0123456789" * 10
    return attach_file(actor=web(ed), card_id=card.pk, stored=store([content], most=1000), file_name="Größe.txt")


def download(user, attachment: Attachment, rest: str = "", **headers):
    return browser(user).get(f"/attachments/{attachment.pk}{rest}", **headers)


def read(user, attachment: Attachment, rest: str = "", **headers):
    """Return the answer to a download that was read to its end."""
    answer = download(user, attachment, rest, **headers)
    body_of(answer)
    return answer


def body_of(answer) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def test_a_form_attaches_each_of_its_files_in_a_change_of_its_own(ed, card):
    answer = send(ed, card, ("One.txt", b"One"), ("Two.pdf", b"%PDF-1.7"))
    assert (answer.status_code, answer.url) == (302, card.get_absolute_url())
    assert list(Attachment.objects.values_list("file_name", "file__content_type", "file__size")) == [
        ("One.txt", "text/plain", 3),
        ("Two.pdf", "application/pdf", 8),
    ]
    assert Activity.objects.filter(verb="attachment.created").count() == 2
    page = text_of(browser(ed).get(card.get_absolute_url(), follow=True))
    assert "One.txt 3" in page


def test_a_script_gets_the_section_and_the_tile(ed, card):
    answer = send(ed, card, ("One.txt", b"One"), **SCRIPTED)
    assert 'data-part="attachments"' in answer.content.decode()
    assert f'id="card-{card.pk}"' in answer.content.decode()


def test_a_file_that_is_too_large_is_refused_in_words_and_does_not_stop_the_others(ed, card):
    Plan.objects.update(max_file_bytes=5)
    answer = send(ed, card, ("Small.txt", b"12345"), ("Large.txt", b"123456"), **SCRIPTED)
    assert answer.status_code == 200
    assert "1 file attached. Large.txt: This file is too large. The limit is 5" in answer.content.decode().replace(
        "\xa0", " "
    )
    alone = send(ed, card, ("Large.txt", b"123456"), **SCRIPTED)
    assert alone.status_code == 403
    assert Attachment.objects.get().file_name == "Small.txt"


def test_a_form_without_a_file_says_so(ed, card):
    answer = browser(ed).post(f"/card/{card.pk}/attachments", {}, **SCRIPTED)
    assert answer.status_code == 422
    assert "Choose a file first." in answer.content.decode()


def test_the_download_has_the_name_the_type_and_nothing_that_runs(vera, attached):
    answer = download(vera, attached)
    assert body_of(answer) == b"0123456789" * 10
    assert answer["Content-Disposition"] == "attachment; filename*=utf-8''Gr%C3%B6%C3%9Fe.txt"
    assert answer["Content-Type"] == "text/plain"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in answer["Content-Security-Policy"]
    assert "default-src 'none'" in answer["Content-Security-Policy"]
    assert answer["Content-Length"] == "100"
    assert answer["Cache-Control"] == "private, no-cache"


def test_only_known_pictures_are_shown_where_that_is_asked_for(ed, card):
    kinds = {"photo.png": photo("PNG"), "page.html": b"<html><script>alert(1)</script>", "a.svg": b"<svg/>"}
    shown = {}
    for name, content in kinds.items():
        stored = store([content], most=len(content))
        made = attach_file(actor=web(ed), card_id=card.pk, stored=stored, file_name=name)
        answer = download(ed, made, "?inline")
        shown[name] = (answer["Content-Disposition"].partition(";")[0], answer["Content-Type"])
        body_of(answer)
    assert shown == {
        "photo.png": ("inline", "image/png"),
        "page.html": ("attachment", "text/plain"),
        "a.svg": ("attachment", "text/plain"),
    }


@pytest.mark.parametrize(
    ("asked", "status", "content", "told"),
    [
        ("bytes=0-9", 206, b"0123456789", "bytes 0-9/100"),
        ("bytes=95-", 206, b"56789", "bytes 95-99/100"),
        ("bytes=-3", 206, b"789", "bytes 97-99/100"),
        ("bytes=90-500", 206, b"0123456789", "bytes 90-99/100"),
        ("bytes=100-", 416, b"", "bytes */100"),
        ("bytes=-0", 416, b"", "bytes */100"),
        ("bytes=9-3", 200, b"0123456789" * 10, None),
        ("bytes=0-1,4-5", 200, b"0123456789" * 10, None),
        ("lines=1-2", 200, b"0123456789" * 10, None),
    ],
)
def test_a_part_is_sent_where_one_is_asked_for(vera, attached, asked, status, content, told):
    answer = download(vera, attached, HTTP_RANGE=asked)
    assert (answer.status_code, body_of(answer), answer.get("Content-Range")) == (status, content, told)


def test_a_part_of_another_version_is_not_sent(vera, attached):
    etag = read(vera, attached)["ETag"]
    sent = [download(vera, attached, HTTP_RANGE="bytes=0-1", HTTP_IF_RANGE=known) for known in (etag, '"other"')]
    assert [len(body_of(answer)) for answer in sent] == [2, 100]


def test_who_has_the_file_already_is_told_so_but_not_who_may_not_see_it_any_more(olga, vera, attached, board):
    etag = read(vera, attached)["ETag"]
    again = download(vera, attached, HTTP_IF_NONE_MATCH=etag)
    assert (again.status_code, again.content) == (304, b"")
    remove_member(actor=web(olga), board_id=board.pk, user_id=vera.pk)
    assert download(vera, attached, HTTP_IF_NONE_MATCH=etag).status_code == 404


def test_a_head_request_has_the_head_of_the_download(vera, attached):
    answer = browser(vera).head(f"/attachments/{attached.pk}")
    assert (answer.status_code, answer["Content-Length"], body_of(answer)) == (200, "100", b"")


def test_a_file_that_is_gone_is_answered_404(vera, attached):
    delete_file(attached.file.name)
    assert download(vera, attached).status_code == 404


def test_a_picture_gets_a_preview_and_a_thumbnail_beside_the_request(ed, card):
    send(ed, card, ("photo.jpg", photo(size=(2000, 1000))))
    made = Attachment.objects.select_related("file").get()
    assert (made.file.width, made.file.height, made.file.preview) == (2000, 1000, Preview.WAITING)
    assert download(ed, made, "/preview").status_code == 404
    run_jobs()
    for kind, size in {"preview": (1000, 500), "thumbnail": (320, 160)}.items():
        answer = download(ed, made, f"/{kind}")
        assert (answer["Content-Type"], answer["Content-Disposition"]) == (
            "image/webp",
            'inline; filename="photo.jpg.webp"',
        )
        assert Image.open(BytesIO(body_of(answer))).size == size


def test_what_only_begins_as_a_picture_stays_a_plain_file(ed, card):
    send(ed, card, ("photo.jpg", b"\xff\xd8\xff\xe0 and nothing more"))
    run_jobs()
    assert StoredFile.objects.get().preview == Preview.NONE
    cut = photo(size=(2000, 1000), quality=95)[:4000]
    send(ed, card, ("cut.jpg", cut))
    run_jobs()
    assert StoredFile.objects.latest("created_at").preview == Preview.FAILED


def test_a_picture_of_the_card_becomes_its_cover_and_another_file_does_not(ed, card, attached):
    send(ed, card, ("photo.png", photo("PNG")))
    picture = Attachment.objects.get(file_name="photo.png")
    form = f"/card/{card.pk}/cover-picture"
    assert browser(ed).post(form, {"attachment": str(picture.pk)}).status_code == 302
    assert Card.objects.get().cover_attachment_id == picture.pk
    assert browser(ed).post(form, {"attachment": str(attached.pk)}).status_code == 409
    browser(ed).post(form, {"attachment": ""})
    assert Card.objects.get().cover_attachment_id is None


def test_deleting_the_cover_takes_it_off_and_undo_brings_both_back(ed, card, board):
    send(ed, card, ("photo.png", photo("PNG")))
    picture = Attachment.objects.get()
    set_cover_picture(actor=web(ed), card_id=card.pk, attachment_id=picture.pk)
    browser(ed).post(f"/attachments/{picture.pk}/deletion")
    assert Card.objects.get().cover_attachment_id is None
    change = Board.objects.get().version
    browser(ed).post(f"/board/{board.pk}/undo", {"change": f"{board.pk}:{change}"})
    assert Attachment.objects.get() == picture
    assert Card.objects.get().cover_attachment_id == picture.pk


def test_a_thumbnail_is_kept_by_the_browser_of_one_person(ed, card):
    made = attach_file(actor=web(ed), card_id=card.pk, stored=store([photo()], most=100_000), file_name="Cat.jpg")
    assert "immutable" not in download(ed, made, "/thumbnail").get("Cache-Control", "")  # it is not there yet
    run_jobs()
    answer = read(ed, made, "/thumbnail")
    assert answer["Cache-Control"] == "private, max-age=86400, immutable"
    assert "Cookie" in answer["Vary"]
    assert read(ed, made, "/preview")["Cache-Control"] == "private, no-cache"


def test_nginx_is_told_where_the_file_is_once_access_was_checked(vera, stan, attached, settings):
    settings.ACCEL_REDIRECT = "/files-of-cards/"
    answer = download(vera, attached, HTTP_RANGE="bytes=0-1")
    name = attached.file.name
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer["X-Accel-Redirect"] == f"/files-of-cards/attachments/{name[:2]}/{name}"
    assert answer["Content-Type"] == "text/plain"
    assert answer["Content-Disposition"].startswith("attachment")
    refused = download(stan, attached)
    assert (refused.status_code, "X-Accel-Redirect" in refused) == (404, False)


def test_a_file_that_the_storage_has_lost_is_marked(ed, card, attached):
    assert ">Missing" not in "".join(browser(ed).get(card.get_absolute_url()).text.split())
    StoredFile.objects.update(missing_since=attached.created_at)
    assert ">Missing" in "".join(browser(ed).get(card.get_absolute_url()).text.split())
