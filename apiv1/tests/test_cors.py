import pytest

from apiv1.tests.calls import is_refused

THEIRS = {"Origin": "https://dashboard.example"}
PREFLIGHT = THEIRS | {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
}
PATHS = ["/api/v1/me", "/api/v1/boards", "/api/v1/cards", "/api/v1/nothing"]


@pytest.fixture
def listed(settings):
    settings.CORS_ALLOWED_ORIGINS = ["https://dashboard.example"]
    settings.CORS_URLS_REGEX = r"^/api/v1/"


def granted(answer):
    return {name for name in answer.headers if name.startswith("access-control-")}


def words(answer, name):
    return {word.strip().lower() for word in answer.headers[name].split(",")}


@pytest.mark.parametrize("path", PATHS)
def test_no_other_site_may_call_unless_the_operator_lists_it(as_olga, path):
    assert granted(as_olga.get(path, headers=THEIRS)) == set()
    preflight = as_olga.options(path, headers=PREFLIGHT)
    assert granted(preflight) == set()
    assert preflight.status_code in (404, 405)
    assert is_refused(preflight, preflight.status_code)


def test_a_listed_site_may_send_a_preflight_request(anyone, listed):
    answer = anyone.options("/api/v1/cards", headers=PREFLIGHT)
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Allow-Origin"] == "https://dashboard.example"
    assert words(answer, "Access-Control-Allow-Methods") == {"get", "post", "patch", "delete"}
    ours = {"authorization", "content-type", "idempotency-key"}
    ours |= {"if-match", "if-none-match", "mcp-protocol-version", "mcp-method", "mcp-name"}
    assert words(answer, "Access-Control-Allow-Headers") == ours


def test_a_listed_site_may_read_answers_errors_and_rate_limits(as_olga, listed):
    for answer in (as_olga.get("/api/v1/me", headers=THEIRS), as_olga.put("/api/v1/me", headers=THEIRS)):
        assert answer.headers["Access-Control-Allow-Origin"] == "https://dashboard.example"
        figures = {"ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "retry-after"}
        ours = figures | {"etag", "link", "ignored-fields", "idempotency-replayed"}
        assert words(answer, "Access-Control-Expose-Headers") == ours


def test_other_sites_can_never_use_a_session(as_olga, listed):
    assert "Access-Control-Allow-Credentials" not in as_olga.get("/api/v1/me", headers=THEIRS).headers


@pytest.mark.parametrize("origin", ["https://dashboard.example.evil", "http://dashboard.example", "null", "://"])
def test_sites_that_are_not_listed_are_granted_nothing(as_olga, anyone, listed, origin):
    assert granted(as_olga.get("/api/v1/me", headers={"Origin": origin})) == set()
    assert granted(anyone.options("/api/v1/me", headers=PREFLIGHT | {"Origin": origin})) == set()


def test_no_other_site_may_read_pages(anyone, listed):
    for path in ("/", "/api/docs"):
        assert granted(anyone.get(path, headers=THEIRS)) == set()
