"""Kept answers in the admin: it shows which calls were made, never what was answered."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.tokens import create_token
from apiv1.models import KeptAnswer
from conftest import person

LIST = reverse("admin:apiv1_keptanswer_changelist")


@pytest.fixture
def operator(client, otto):
    client.force_login(otto)
    return client


def keep(times):
    for _time in range(times):
        number = KeptAnswer.objects.count()
        token, _value = create_token(person(f"someone{number}"), f"Token {number}")
        KeptAnswer.objects.create(
            token=token, path="/api/v1/boards", key=f"key-{number}", body_digest="d1g357" * 10, answer=b"a secret plan"
        )


def address_of(answer):
    return reverse("admin:apiv1_keptanswer_change", args=[answer.pk])


def statements(client, address):
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


def test_list_and_page_take_the_same_number_of_statements_however_many_rows_there_are(operator):
    keep(2)
    addresses = [LIST, address_of(KeptAnswer.objects.first())]
    [statements(operator, address) for address in addresses]  # fills the cache of content types
    before = [statements(operator, address) for address in addresses]
    keep(4)
    assert [statements(operator, address) for address in addresses] == before


def test_the_answer_is_not_shown(operator):
    keep(1)
    for address in (LIST, address_of(KeptAnswer.objects.get())):
        text = operator.get(address).text
        assert "key-0" in text
        assert "secret" not in text
        assert "d1g357" not in text


def test_kept_answers_are_found_by_the_address_of_their_owner(operator):
    keep(2)
    found = operator.get(LIST, {"q": "someone1@"}).context["cl"].result_list
    assert [answer.key for answer in found] == ["key-1"]


def test_kept_answers_cannot_be_added_changed_or_deleted(operator):
    keep(1)
    answer = KeptAnswer.objects.get()
    for name, args in (("add", []), ("change", [answer.pk]), ("delete", [answer.pk])):
        address = reverse(f"admin:apiv1_keptanswer_{name}", args=args)
        assert operator.post(address, {"key": "other", "post": "yes"}).status_code == 403
    answer.refresh_from_db()
    assert answer.key == "key-0"


def test_staff_without_the_permission_see_nothing(client, db):
    client.force_login(person("hal", is_staff=True))
    assert client.get(LIST).status_code == 403


def test_kept_answers_are_found_by_the_id_of_the_token_and_of_the_account(operator):
    keep(2)
    wanted = KeptAnswer.objects.get(key="key-1")
    for pk in (wanted.token_id, wanted.token.user_id):
        assert list(operator.get(LIST, {"q": str(pk)}).context["cl"].result_list) == [wanted]
