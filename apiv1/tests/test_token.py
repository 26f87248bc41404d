from accounts.models import ApiToken
from accounts.tokens import create_token
from apiv1.tests.calls import is_refused, token_of

TOKEN = "/api/v1/token"


def test_delete_revokes_the_token_of_the_request(connect, paula):
    mine, other = connect(token_of(paula, "Mine")), connect(token_of(paula, "Other"))
    assert mine.delete(TOKEN).status_code == 204
    assert is_refused(mine.get("/api/v1/me"), 401)
    assert other.get("/api/v1/me").status_code == 200
    assert list(ApiToken.objects.filter(revoked_at=None).values_list("name", flat=True)) == ["Other"]


def test_the_answer_has_no_body_and_no_content_type(as_olga):
    answer = as_olga.delete(TOKEN)
    assert answer.content == b""
    assert "Content-Type" not in answer.headers


def test_a_revoked_token_cannot_be_revoked_again(as_olga):
    as_olga.delete(TOKEN)
    assert is_refused(as_olga.delete(TOKEN), 401)


def test_its_slot_is_free_at_once(as_olga, connect, olga):
    as_olga.delete(TOKEN)
    _row, value = create_token(olga, "The next")
    assert connect(value).get("/api/v1/me").status_code == 200


def test_a_body_must_be_json_without_fields(as_olga):
    for content, kind, status in ((b"\xff not json", "text/plain", 415), (b"{", "application/json", 400)):
        assert is_refused(as_olga.request("DELETE", TOKEN, content=content, headers={"Content-Type": kind}), status)
    assert as_olga.get("/api/v1/me").status_code == 200


def test_a_token_cannot_be_read_or_made_here(as_olga):
    assert is_refused(as_olga.get(TOKEN), 405, "DELETE")
    assert is_refused(as_olga.post(TOKEN, json={}), 405, "DELETE")
    assert as_olga.get("/api/v1/me").status_code == 200
