"""Files of cards over the API: uploaded once, whole or not at all; listed, renamed, deleted; downloaded in parts."""

import errno
import hashlib
import json
import os
import socket
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from django.core.files.storage import FileSystemStorage
from django.test import RequestFactory

from accounts.models import Plan
from apiv1.errors import answer_for
from apiv1.models import KeptAnswer
from apiv1.tests.calls import at_once, is_refused, token_of, without_length
from apiv1.tests.stacks import Line, embedded, gunicorn
from boards.actions.boards.board import archive_board
from boards.actions.cards.archive import archive_card
from boards.actions.files.attachments import attach_file, set_cover_picture
from boards.actions.people.members import remove_member
from boards.models import Activity, Attachment, Card, StoredFile
from boards.tests.world import a_picture
from conftest import web
from core.files.storage import StorageFails, delete_file, store
from taskboard.tests.prepared import prepared_cast, prepared_data
from taskboard.tests.waiting import wait_until

CONTENT = b"0123456789" * 10
LARGE = 4 * 1024 * 1024  # more than is kept in memory
UNKNOWN = "00000000-0000-7000-8000-000000000000"
OF_FORM = {"Content-Type": "multipart/form-data; boundary=cut"}
BEGIN = b'--cut\r\nContent-Disposition: form-data; name="file"; filename="Cut.bin"\r\n\r\n'
END = b"\r\n--cut--\r\n"


@pytest.fixture(autouse=True)
def folder(settings, tmp_path: Path) -> Path:
    backend = settings.STORAGES["default"]["BACKEND"]
    place = tmp_path / "files"
    settings.STORAGES = {**settings.STORAGES, "default": {"BACKEND": backend, "OPTIONS": {"location": str(place)}}}
    return place


def files_in(folder: Path) -> int:
    return sum(path.is_file() for path in folder.rglob("*"))


def path_of(card: Card) -> str:
    return f"/api/v1/cards/{card.pk}/attachments"


def send(client: httpx.Client, card: Card, content: bytes = CONTENT, name: str = "Größe.txt", key: str | None = None):
    headers = {} if key is None else {"Idempotency-Key": key}
    return client.post(path_of(card), files={"file": (name, content, "text/html")}, headers=headers)


@pytest.fixture
def attached(ed, card) -> Attachment:
    stored = store([CONTENT], most=1000)
    return attach_file(actor=web(ed), card_id=card.pk, stored=stored, file_name="Größe.txt")


def one(attachment: Attachment, rest: str = "") -> str:
    return f"/api/v1/attachments/{attachment.pk}{rest}"


# Uploads


def test_an_upload_answers_what_is_known_of_the_file(as_ed, ed, card):
    made = send(as_ed, card)
    assert made.status_code == 201
    row = Attachment.objects.get()
    shown = made.json()["attachment"]
    assert shown.pop("createdAt").endswith("Z")
    assert shown == {
        "id": str(row.pk),
        "fileName": "Größe.txt",
        "contentType": "text/plain",
        "size": 100,
        "sha256": hashlib.sha256(CONTENT).hexdigest(),
        "uploadedBy": {"id": str(ed.pk), "name": "Ed"},
        "url": one(row, "/file"),
    }
    assert (row.door, row.token_name, row.card_id) == ("api", "Script", card.pk)
    assert as_ed.get(shown["url"]).content == CONTENT


def test_a_large_file_arrives_as_it_was_sent(as_ed, card):
    content = os.urandom(LARGE)
    made = send(as_ed, card, content, "Large.bin").json()["attachment"]
    assert (made["size"], made["contentType"]) == (LARGE, "application/octet-stream")
    assert as_ed.get(made["url"]).content == content


def test_an_empty_file_can_be_attached(as_ed, card):
    made = send(as_ed, card, b"", "Empty.txt").json()["attachment"]
    assert (made["size"], as_ed.get(made["url"]).content) == (0, b"")


def test_the_name_holds_no_folders(as_ed, card):
    assert send(as_ed, card, name="a/b\\..\\c.txt").json()["attachment"]["fileName"] == "c.txt"


def test_what_an_upload_answers_is_what_reading_answers(as_ed, as_vera, card):
    made = [send(as_ed, card, name=name).json()["attachment"] for name in ("One.txt", "Two.txt")]
    assert as_vera.get(path_of(card)).json() == {"attachments": made}
    assert as_vera.get(f"/api/v1/cards/{card.pk}").json()["card"]["attachments"] == made
    assert as_vera.get(f"/api/v1/attachments/{made[0]['id']}").json() == {"attachment": made[0]}


def test_an_upload_is_one_change_of_the_card(as_ed, card):
    send(as_ed, card)
    assert Activity.objects.filter(verb="attachment.created", door="api", card_id=card.pk).count() == 1


def test_a_viewer_may_not_upload(as_vera, card, folder):
    assert is_refused(send(as_vera, card), 403, "editor")
    assert files_in(folder) == 0


def test_for_a_stranger_there_is_no_such_card(as_stan, card, folder):
    assert is_refused(send(as_stan, card), 404)
    assert is_refused(as_stan.post("/api/v1/cards/x/attachments", files={"file": ("a", b"b")}), 404)
    assert is_refused(as_stan.get(path_of(card)), 404)
    assert files_in(folder) == 0


def test_an_upload_without_a_token_is_refused(anyone, card):
    assert is_refused(send(anyone, card), 401)


def test_nothing_is_attached_to_an_archived_card(as_ed, ed, card, folder):
    archive_card(actor=web(ed), card_id=card.pk)
    assert is_refused(send(as_ed, card), 409, "Restore it")
    assert files_in(folder) == 0


def test_nothing_is_attached_on_an_archived_board(as_ed, as_vera, as_stan, olga, card, board, folder):
    archive_board(actor=web(olga), board_id=board.pk)
    assert is_refused(send(as_ed, card), 409, "Restore it")
    assert is_refused(send(as_vera, card), 403)
    assert is_refused(send(as_stan, card), 404)
    assert files_in(folder) == 0


@pytest.mark.parametrize(
    "form, told",
    [
        ({"data": {"name": "x"}}, "name"),
        ({"files": {"picture": ("a.txt", b"a")}}, "picture"),
        ({"files": [("file", ("a.txt", b"a")), ("file", ("b.txt", b"b"))]}, "2 files"),
        ({"files": [("file", ("a.txt", b"a"))], "data": {"file": "b"}}, "file is missing"),
        ({"files": {"file": (None, b"text")}}, "file is missing"),
        ({"files": {"file": ("", b"text")}}, "file is missing"),
        ({"files": {"file": ("..", b"text")}}, "file is missing"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_form_of_anything_but_one_file_is_refused_in_words(as_ed, card, folder, form, told):
    both = {"files": {"file": ("a.txt", b"a")}} | form if "data" in form else form
    assert is_refused(as_ed.post(path_of(card), **both), 400, told)
    assert (files_in(folder), Attachment.objects.count()) == (0, 0)


def test_an_unknown_query_parameter_is_named(as_ed, card):
    assert is_refused(as_ed.post(f"{path_of(card)}?name=x", files={"file": ("a", b"a")}), 400, "name")
    assert is_refused(as_ed.get(f"{path_of(card)}?limit=2"), 400, "limit")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nothing of a form",
        BEGIN + b"abc",
        BEGIN + b"abc\r\n--cut",
        BEGIN + b"abc\r\n--other--\r\n",
        b"--cut\r\n" + b"X-Long: " + b"x" * 5000 + b"\r\n\r\nabc" + END,
        b'--cut\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n'
        b"Content-Transfer-Encoding: base64\r\n\r\nYWJ" + END,
        b"--cut\r\nContent-Disposition: form-data; name=\"file\"; filename*=nonsense''a\r\n\r\nabc" + END,
        b'--cut\r\nContent-Disposition: form-data; name="file"; filename="\xff"\r\n\r\nabc' + END,
        b'--cut\r\nContent-Disposition: form-data; name="x"\r\n\r\n' + b"x" * 2_000_000 + END,
    ],
)
def test_what_is_no_valid_form_is_refused(as_ed, card, folder, body):
    assert is_refused(as_ed.post(path_of(card), content=body, headers=OF_FORM), 400)
    assert (files_in(folder), Attachment.objects.count()) == (0, 0)


def test_an_ending_that_no_file_can_have_is_refused(as_ed, card):
    assert is_refused(send(as_ed, card, os.urandom(LARGE), "a." + "x" * 250), 400, "too long")


@pytest.mark.parametrize("boundary", ["", "; boundary=", "; boundary=é", "; boundary=a; charset=rot13"])
def test_a_form_without_the_boundary_it_names_is_refused(as_ed, card, boundary):
    headers = {"Content-Type": f"multipart/form-data{boundary}".encode()}
    assert as_ed.post(path_of(card), content=BEGIN + b"abc" + END, headers=headers).status_code in (400, 415)


def test_a_type_in_capitals_with_a_strange_charset_is_read(as_ed, card):
    headers = {"Content-Type": "Multipart/Form-Data; charset=rot13; boundary=cut"}
    assert as_ed.post(path_of(card), content=BEGIN + b"abc" + END, headers=headers).status_code == 201


def test_a_body_that_is_no_form_is_refused(as_ed, card):
    assert is_refused(as_ed.post(path_of(card), json={"file": "x"}), 415, "multipart/form-data")
    packed = OF_FORM | {"Content-Encoding": "gzip"}
    assert is_refused(as_ed.post(path_of(card), content=BEGIN + b"abc" + END, headers=packed), 415, "Content-Encoding")


def test_a_body_without_a_length_is_refused(as_ed, card):
    assert is_refused(without_length(as_ed, path_of(card), headers=OF_FORM), 411)


def test_a_form_above_the_cap_of_the_service_is_refused_by_its_head(as_ed, card, settings, folder):
    settings.LARGEST_UPLOAD_FORM = 2 * 1024 * 1024
    assert is_refused(send(as_ed, card, os.urandom(LARGE)), 413, "2 MiB")
    assert files_in(folder) == 0


def test_a_file_above_the_cap_of_the_plan_is_refused_in_words(as_ed, card, folder):
    Plan.objects.update(max_file_bytes=99)
    assert is_refused(send(as_ed, card), 403, "too large")
    Plan.objects.update(max_file_bytes=100)
    assert send(as_ed, card).status_code == 201
    assert files_in(folder) == 1


def test_the_file_that_finds_no_room_on_the_board_is_deleted(as_ed, card, folder):
    Plan.objects.update(max_board_bytes=150)
    assert send(as_ed, card).status_code == 201
    assert is_refused(send(as_ed, card), 403, "take up")
    assert (files_in(folder), StoredFile.objects.count()) == (1, 1)


def test_the_checks_come_in_the_order_of_all_calls(as_stan, card, settings):
    settings.LARGEST_UPLOAD_FORM = 1024
    assert is_refused(as_stan.request("PUT", path_of(card), content=b"x" * 2000), 405)
    assert is_refused(as_stan.post(path_of(card), content=b"x" * 2000), 413)
    assert is_refused(as_stan.post(path_of(card), content=b"x"), 415)
    assert is_refused(as_stan.post(path_of(card), content=b"x", headers=OF_FORM), 400)
    assert is_refused(send(as_stan, card, b"x" * 500), 404)


def test_while_the_storage_is_away_the_answer_says_so(as_ed, card, monkeypatch):
    def fail(*_args: object, **_named: object) -> None:
        raise StorageFails

    monkeypatch.setattr("apiv1.attachments.views.store", fail)
    refused = send(as_ed, card)
    assert is_refused(refused, 503, "Files cannot be stored")
    assert refused.headers["Retry-After"] == "5"


def test_a_full_disk_is_told():
    refused = answer_for(OSError(errno.ENOSPC, "full"), RequestFactory().post("/api/v1/cards"))
    assert (refused.status_code, "no space left" in json.loads(refused.content)["error"]) == (507, True)


def test_the_description_names_the_form_and_the_bytes(anyone):
    document = anyone.get("/api/v1/openapi.json").json()
    takes = document["paths"]["/api/v1/cards/{card_id}/attachments"]["post"]["requestBody"]["content"]
    assert takes == {"multipart/form-data": {"schema": {"$ref": "#/components/schemas/AttachmentIn"}}}
    gives = document["paths"]["/api/v1/attachments/{attachment_id}/file"]["get"]["responses"]["200"]["content"]
    binary = {"type": "string", "format": "binary"}
    assert gives == {"application/octet-stream": {"schema": binary}, "*/*": {"schema": binary}}
    assert document["components"]["schemas"]["AttachmentIn"]["properties"]["file"].items() >= binary.items()


# Uploads that are cut


def head_of(path: str, token: str, host: str, length: int) -> bytes:
    lines = [
        f"POST {path} HTTP/1.1",
        f"Host: {host}",
        f"Authorization: Bearer {token}",
        "Content-Type: multipart/form-data; boundary=cut",
        f"Content-Length: {length}",
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def test_of_an_upload_that_is_cut_off_nothing_is_left(base_url, ed, card, folder):
    host, port = base_url.removeprefix("http://").split(":")
    token = token_of(ed)
    for size in (50, LARGE // 2):  # kept in memory, and in a temporary file
        body = BEGIN + b"x" * 2 * size + END
        with closing(socket.create_connection((host, int(port)), timeout=60)) as line:
            line.sendall(head_of(path_of(card), token, f"{host}:{port}", len(body)) + body[: len(body) // 2])
            line.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda line=line: line.recv(10_000), b""))
        assert b" 400 " in answer.partition(b"\r\n")[0]
        assert b"ended before its Content-Length" in answer
    assert (files_in(folder), StoredFile.objects.count(), Attachment.objects.count()) == (0, 0, 0)


STACKS = {"embedded": embedded, "gunicorn": lambda environment: gunicorn(environment, "--threads", "4")}


@pytest.mark.parametrize("stack", STACKS)
def test_real_servers_take_a_whole_upload_and_leave_nothing_of_a_cut_one(processes, tmp_path, stack):
    (temporary := tmp_path / "temporary").mkdir()
    data = prepared_data(tmp_path / "data")
    environment = {"TASKBOARD_DATA": str(data), "TASKBOARD_LIMITS": "off", "TMPDIR": str(temporary)}
    with STACKS[stack](environment) as running:
        token = prepared_cast(environment)["paula"]["tokens"][0]
        client = httpx.Client(base_url=running.url, headers={"Authorization": f"Bearer {token}"}, trust_env=False)
        with client:
            board = client.post("/api/v1/boards", json={"title": "Files", "template": "kanban"}).json()["board"]
            card = client.post("/api/v1/cards", json={"boardId": board["id"], "title": "Some"}).json()["card"]
            path = f"/api/v1/cards/{card['id']}/attachments"
            body, own = BEGIN + b"x" * LARGE + END, len(running.unnamed_files(temporary))
            with Line(running) as line:
                line.send(head_of(path, token, "127.0.0.1", len(body)), body[: LARGE // 2])
                line.socket.shutdown(socket.SHUT_WR)
                cut = line.read()
            assert cut is None or cut.status == 400  # the embedded server closes, as nobody waits for an answer
            assert client.get(path).json() == {"attachments": []}
            wait_until(lambda: len(running.unnamed_files(temporary)) == own)  # gunicorn has some of its own
            assert files_in(data / "files") == files_in(temporary) == 0
            made = client.post(path, files={"file": ("Whole.bin", b"x" * LARGE)})
            assert (made.status_code, made.json()["attachment"]["size"]) == (201, LARGE)
            assert len(client.get(made.json()["attachment"]["url"]).content) == LARGE
            assert client.post("/api/v1/cards/x/attachments", files={"file": ("a", b"x" * LARGE)}).status_code == 404
            assert files_in(data / "files") == 1


# Idempotency-Key


def test_a_repeat_gets_the_kept_answer_and_stores_nothing_more(as_ed, card, folder):
    first, again = (send(as_ed, card, key="once") for _time in range(2))
    assert first.request.headers["Content-Type"] != again.request.headers["Content-Type"]  # its boundary
    assert (first.status_code, again.status_code, again.content) == (201, 201, first.content)
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert (files_in(folder), StoredFile.objects.count(), Attachment.objects.count()) == (1, 1, 1)


def test_another_file_or_name_with_a_used_key_is_refused(as_ed, card, folder):
    send(as_ed, card, key="once")
    assert is_refused(send(as_ed, card, CONTENT + b"!", key="once"), 422)
    assert is_refused(send(as_ed, card, name="Other.txt", key="once"), 422)
    assert (files_in(folder), Attachment.objects.count()) == (1, 1)


def test_a_repeat_is_answered_as_for_other_calls_when_the_card_is_archived_meanwhile(as_ed, ed, card):
    first = send(as_ed, card, key="once")
    archive_card(actor=web(ed), card_id=card.pk)
    assert send(as_ed, card, key="once").content == first.content
    assert is_refused(send(as_ed, card, b"other", key="once"), 422)


def test_a_refused_upload_leaves_its_key_free(as_ed, card):
    Plan.objects.update(max_file_bytes=99)
    assert is_refused(send(as_ed, card, key="once"), 403)
    Plan.objects.update(max_file_bytes=100)
    assert send(as_ed, card, key="once").status_code == 201


def test_a_key_is_forgotten_after_a_day(as_ed, card):
    send(as_ed, card, key="once")
    row = KeptAnswer.objects.get()
    KeptAnswer.objects.update(created_at=row.created_at - timedelta(days=1))
    again = send(as_ed, card, b"other", key="once")
    assert (again.status_code, Attachment.objects.count()) == (201, 2)


@pytest.mark.parametrize("key", ["a b", ""])
def test_an_impossible_key_is_refused(as_ed, card, folder, key):
    assert is_refused(send(as_ed, card, key=key), 400, "Idempotency-Key")
    assert files_in(folder) == 0


def test_of_uploads_at_once_with_one_key_one_is_kept(connect, ed, card, folder, unlimited):
    clients = [connect(token) for token in [token_of(ed)] * 4]
    answers = at_once(4, lambda number: send(clients[number], card, key="once"))
    kept = [answer for answer in answers if answer.status_code == 201]
    assert {answer.status_code for answer in answers} <= {201, 409}
    assert len({answer.content for answer in kept}) == 1
    assert (files_in(folder), StoredFile.objects.count(), Attachment.objects.count()) == (1, 1, 1)


def test_the_file_of_an_upload_that_was_slower_is_deleted(as_ed, card, folder, monkeypatch):
    first = send(as_ed, card, key="once")
    monkeypatch.setattr("apiv1.attachments.views.kept", lambda *_args: None)  # as it was before the first had ended
    assert send(as_ed, card, key="once").content == first.content
    assert is_refused(send(as_ed, card, b"other", key="once"), 422)
    assert (files_in(folder), Attachment.objects.count()) == (1, 1)


# One attachment


def test_an_editor_renames_a_file(as_ed, as_vera, attached):
    renamed = as_ed.patch(one(attached), json={"fileName": " Plan.txt "})
    assert (renamed.status_code, renamed.json()["attachment"]["fileName"]) == (200, "Plan.txt")
    assert as_vera.get(one(attached)).json() == renamed.json()


def test_a_name_that_does_not_differ_changes_nothing(as_ed, attached, board):
    board.refresh_from_db()
    for body in ({}, {"fileName": "Größe.txt"}):
        assert as_ed.patch(one(attached), json=body).status_code == 200
    version = board.version
    board.refresh_from_db()
    assert board.version == version


@pytest.mark.parametrize(
    "body, told",
    [
        ({"fileName": None}, "fileName cannot be null"),
        ({"fileName": ""}, "fileName"),
        ({"fileName": 3}, "fileName"),
        ({"fileName": "x" * 256}, "fileName"),
        ({"name": "x"}, "fileName"),
        ({"size": 3}, "size"),
    ],
)
def test_a_wrong_name_is_refused(as_ed, attached, body, told):
    assert is_refused(as_ed.patch(one(attached), json=body), 400, told)


def test_an_editor_deletes_a_file_and_the_cover_with_it(as_ed, ed, card):
    stored = a_picture()
    picture = attach_file(actor=web(ed), card_id=card.pk, stored=stored, file_name="A.png")
    set_cover_picture(actor=web(ed), card_id=card.pk, attachment_id=picture.pk)
    gone = as_ed.delete(one(picture))
    assert (gone.status_code, gone.content) == (204, b"")
    card.refresh_from_db()
    assert card.cover_attachment_id is None
    for method, rest in (("GET", ""), ("DELETE", ""), ("GET", "/file")):
        assert is_refused(as_ed.request(method, one(picture, rest)), 404)


def test_a_viewer_reads_and_changes_nothing(as_vera, attached):
    assert as_vera.get(one(attached)).status_code == 200
    assert as_vera.get(one(attached, "/file")).status_code == 200
    assert is_refused(as_vera.patch(one(attached), json={"fileName": "x"}), 403)
    assert is_refused(as_vera.patch(one(attached), json={}), 403)
    assert is_refused(as_vera.delete(one(attached)), 403)


@pytest.mark.parametrize("pk", [UNKNOWN, "x", "1", UNKNOWN.upper()])
def test_what_a_stranger_cannot_see_is_answered_as_what_is_not_there(as_stan, attached, pk):
    for path in (one(attached), f"/api/v1/attachments/{pk}"):
        answers = [
            as_stan.get(path),
            as_stan.get(f"{path}/file"),
            as_stan.patch(path, json={"fileName": "x"}),
            as_stan.delete(path),
        ]
        assert all(is_refused(answer, 404, "does not exist") for answer in answers)


@pytest.mark.parametrize("archived", ["card", "board"])
def test_of_what_is_archived_files_are_read_and_not_changed(as_ed, as_vera, olga, card, board, attached, archived):
    if archived == "card":
        archive_card(actor=web(olga), card_id=card.pk)
    else:
        archive_board(actor=web(olga), board_id=board.pk)
    assert len(as_vera.get(path_of(card)).json()["attachments"]) == 1
    assert as_vera.get(one(attached)).json()["attachment"]["id"] == str(attached.pk)
    assert as_vera.get(one(attached, "/file")).content == CONTENT
    assert is_refused(as_ed.patch(one(attached), json={"fileName": "x"}), 409, "Restore it")
    assert is_refused(as_ed.delete(one(attached)), 409, "Restore it")


def test_for_a_member_who_was_removed_the_files_are_not_there(as_vera, olga, vera, card, board, attached):
    etag = as_vera.get(one(attached, "/file")).headers["ETag"]
    remove_member(actor=web(olga), board_id=board.pk, user_id=vera.pk)
    assert is_refused(as_vera.get(path_of(card)), 404)
    assert is_refused(as_vera.get(one(attached)), 404)
    assert is_refused(as_vera.get(one(attached, "/file"), headers={"If-None-Match": etag}), 404)


def test_if_match_cannot_be_used(as_ed, card, attached):
    match = {"If-Match": '"1"'}
    answers = [
        as_ed.get(one(attached), headers=match),
        as_ed.get(one(attached, "/file"), headers=match),
        as_ed.patch(one(attached), json={"fileName": "x"}, headers=match),
        as_ed.delete(one(attached), headers=match),
        as_ed.post(path_of(card), files={"file": ("a", b"a")}, headers=match),
    ]
    assert all(is_refused(answer, 400, "If-Match") for answer in answers)


def test_calls_are_counted_as_uploads_reads_and_writes(as_ed, card, attached):
    answers = [
        send(as_ed, card),
        as_ed.get(path_of(card)),
        as_ed.get(one(attached)),
        as_ed.get(one(attached, "/file")),
        as_ed.patch(one(attached), json={}),
        as_ed.delete(one(attached)),
    ]
    assert [answer.headers["RateLimit-Limit"] for answer in answers] == ["60", "300", "300", "300", "120", "120"]


# The file


def test_the_file_has_its_name_its_type_and_nothing_that_runs(as_vera, attached):
    answer = as_vera.get(one(attached, "/file"))
    assert answer.content == CONTENT
    assert answer.headers["Content-Disposition"] == "attachment; filename*=utf-8''Gr%C3%B6%C3%9Fe.txt"
    assert answer.headers["Content-Type"] == "text/plain"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert {"sandbox", "default-src 'none'"} <= set(answer.headers["Content-Security-Policy"].split("; "))
    assert answer.headers["Content-Length"] == "100"
    assert answer.headers["Accept-Ranges"] == "bytes"
    assert answer.headers["Cache-Control"] == "private, no-cache"


def test_the_file_needs_a_token(anyone, attached):
    assert is_refused(anyone.get(one(attached, "/file")), 401)


@pytest.mark.parametrize(
    "asked, status, content, told",
    [
        ("bytes=0-9", 206, b"0123456789", "bytes 0-9/100"),
        ("bytes=95-", 206, b"56789", "bytes 95-99/100"),
        ("bytes=-3", 206, b"789", "bytes 97-99/100"),
        ("bytes=9-3", 200, CONTENT, None),
        ("bytes=0-1,4-5", 200, CONTENT, None),
    ],
)
def test_a_part_is_sent_where_one_is_asked_for(as_vera, attached, asked, status, content, told):
    answer = as_vera.get(one(attached, "/file"), headers={"Range": asked})
    assert (answer.status_code, answer.content, answer.headers.get("Content-Range")) == (status, content, told)


def test_a_part_that_is_not_there_is_refused_in_words(as_vera, attached):
    refused = as_vera.get(one(attached, "/file"), headers={"Range": "bytes=100-"})
    assert is_refused(refused, 416, "Range")
    assert refused.headers["Content-Range"] == "bytes */100"


def test_a_part_of_another_version_is_not_sent(as_vera, attached):
    etag = as_vera.get(one(attached, "/file")).headers["ETag"]
    asked = [{"Range": "bytes=0-1", "If-Range": known} for known in (etag, '"other"')]
    assert [len(as_vera.get(one(attached, "/file"), headers=headers).content) for headers in asked] == [2, 100]


def test_a_caller_who_has_the_file_is_told_so(as_vera, attached):
    etag = as_vera.get(one(attached, "/file")).headers["ETag"]
    assert etag == f'"{attached.file.sha256}"'
    for known in (etag, f"W/{etag}", "*"):
        again = as_vera.get(one(attached, "/file"), headers={"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", etag)
    assert as_vera.get(one(attached, "/file"), headers={"If-None-Match": '"other"'}).content == CONTENT


def test_head_has_the_head_of_the_file(as_vera, attached):
    head, get = (as_vera.request(method, one(attached, "/file")) for method in ("HEAD", "GET"))
    assert (head.status_code, head.content) == (200, b"")
    for name in ("Content-Length", "Content-Type", "Content-Disposition", "ETag", "Accept-Ranges"):
        assert head.headers[name] == get.headers[name]


def test_a_file_that_the_storage_has_lost_is_not_found(as_vera, attached):
    delete_file(attached.file.name)
    assert is_refused(as_vera.get(one(attached, "/file")), 404)


def test_nginx_is_told_where_the_file_is_once_access_was_checked(as_vera, as_stan, attached, settings):
    settings.ACCEL_REDIRECT = "/files-of-cards/"
    answer = as_vera.get(one(attached, "/file"))
    name = attached.file.name
    assert answer.headers["X-Accel-Redirect"] == f"/files-of-cards/attachments/{name[:2]}/{name}"
    assert (answer.content, answer.headers["Content-Type"]) == (b"", "text/plain")
    assert is_refused(as_stan.get(one(attached, "/file")), 404)


class Bucket(FileSystemStorage):
    def url(self, name: str, parameters: dict[str, str]) -> str:
        return f"https://bucket.example/{name}?as={parameters['ResponseContentType']}"


def test_a_download_is_sent_on_to_the_bucket_where_that_is_set(as_vera, as_stan, attached, settings):
    bucket = {"BACKEND": "apiv1.tests.test_attachments.Bucket"}
    settings.STORAGES = {**settings.STORAGES, "default": bucket}
    settings.S3_BUCKET, settings.S3_REDIRECT = "files", True
    answer = as_vera.get(one(attached, "/file"))
    assert (answer.status_code, answer.headers["Cache-Control"]) == (302, "no-store")
    assert answer.headers["Location"].startswith("https://bucket.example/attachments/")
    assert is_refused(as_stan.get(one(attached, "/file")), 404)


# Statements


@pytest.mark.parametrize("number", [2, 200])
def test_the_files_of_a_card_take_two_statements_however_many_there_are(
    connect, vera, card, attached, statements, number
):
    rows = [
        Attachment(
            board_id=card.board_id,
            card=card,
            file=attached.file,
            file_name=f"{count}.txt",
            uploaded_by=attached.uploaded_by,
            version=1,
        )
        for count in range(number - 1)
    ]
    Attachment.objects.bulk_create(rows)
    client = connect(token_of(vera))
    client.get("/api/v1/me")
    statements.clear()
    assert len(client.get(path_of(card)).json()["attachments"]) == number
    assert len(statements) == 2, statements


def test_one_file_takes_as_many_statements_as_its_bytes(connect, vera, attached, statements):
    client = connect(token_of(vera))
    client.get("/api/v1/me")
    for rest in ("", "/file"):
        statements.clear()
        assert client.get(one(attached, rest)).status_code == 200
        assert len(statements) == 2, statements
