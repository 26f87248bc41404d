from accounts.models import User
from apiv1.tests.calls import token_of

ME = "/api/v1/me"


def test_me_tells_whose_token_it_is(as_olga, olga):
    answer = as_olga.get(ME)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.json() == {"user": {"id": str(olga.pk), "name": "Olga", "email": "olga@example.com"}}


def test_a_good_answer_lists_no_methods(as_olga):
    assert "Allow" not in as_olga.get(ME).headers


def test_name_is_the_part_before_the_at_sign_when_none_was_given(base_url, connect):
    nameless = User.objects.create_user("nobody.in.particular@example.com")
    assert connect(token_of(nameless)).get(ME).json()["user"]["name"] == "nobody.in.particular"


def test_head_answers_as_get_without_a_body(as_olga):
    get, head = as_olga.get(ME), as_olga.head(ME)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["Content-Type"] == "application/json"
    assert head.headers["Content-Length"] == get.headers["Content-Length"]
