from datetime import UTC, datetime

import pytest
import time_machine

from apiv1.tests.calls import is_refused, token_of
from boards.models import Board

NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
ENDPOINTS = [
    ("GET", "/api/v1/me", 120),
    ("GET", "/api/v1/boards", 120),
    ("POST", "/api/v1/boards", 30),
    ("POST", "/api/v1/cards", 30),
    ("DELETE", "/api/v1/token", 30),
]


@pytest.fixture
def at_noon():
    """Stop the clock at noon, so that no window ends during a test; the test may move it."""
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.fixture
def two_a_minute(at_noon, settings):
    settings.LIMITS = dict.fromkeys(settings.LIMITS, "2/m")


def figures(answer):
    return tuple(int(answer.headers[f"RateLimit-{name}"]) for name in ("Limit", "Remaining", "Reset"))


@pytest.mark.parametrize("method, path, limit", ENDPOINTS)
def test_each_endpoint_has_its_own_limit_per_minute(as_olga, method, path, limit):
    answer = as_olga.request(method, path)
    allowed, remaining, reset = figures(answer)
    assert (allowed, remaining) == (limit, limit - 1)
    assert 0 <= reset <= 60


def test_thirty_posts_pass_and_the_next_is_refused(as_olga, at_noon):
    answers = [as_olga.post("/api/v1/cards", json={"title": "Nowhere"}) for _time in range(31)]
    assert [answer.status_code for answer in answers] == [400] * 30 + [429]
    assert [figures(answer)[1] for answer in answers] == [*range(29, -1, -1), 0]


def test_a_refusal_says_how_long_to_wait_and_does_nothing(as_paula, at_noon, two_a_minute):
    for title in ("One", "Two"):
        as_paula.post("/api/v1/boards", json={"title": title})
    refused = as_paula.post("/api/v1/boards", json={"title": "Three"})
    limit, remaining, reset = figures(refused)
    assert (limit, remaining) == (2, 0)
    assert refused.headers["Retry-After"] == str(max(1, reset))
    assert is_refused(refused, 429, "2 a minute", f"{max(1, reset)} s")
    assert Board.objects.count() == 2


def test_waiting_as_long_as_told_is_enough(as_olga, at_noon, two_a_minute):
    for _time in range(2):
        as_olga.get("/api/v1/me")
    wait = int(as_olga.get("/api/v1/me").headers["Retry-After"])
    at_noon.shift(wait + 1)
    assert figures(as_olga.get("/api/v1/me"))[:2] == (2, 1)


def test_refused_calls_do_not_prolong_the_wait(as_olga, at_noon, two_a_minute):
    answers = [as_olga.get("/api/v1/me") for _time in range(10)]
    resets = {figures(answer)[2] for answer in answers}
    assert len(resets) == 1, "the window is the same however often one tries"
    at_noon.shift(resets.pop() + 1)
    assert [as_olga.get("/api/v1/me").status_code for _time in range(3)] == [200, 200, 429]


def test_the_window_lasts_a_minute(as_olga, at_noon):
    limit, remaining, reset = figures(as_olga.get("/api/v1/me"))
    at_noon.shift(reset)
    assert figures(as_olga.get("/api/v1/me")) == (limit, remaining - 1, 0)
    at_noon.shift(1)
    assert figures(as_olga.get("/api/v1/me")) == (limit, remaining, 59)


def test_retry_after_is_at_least_one_second(as_olga, at_noon, two_a_minute):
    _limit, _remaining, reset = figures(as_olga.get("/api/v1/me"))
    at_noon.shift(reset)
    answers = [as_olga.get("/api/v1/me") for _time in range(2)]
    assert figures(answers[-1]) == (2, 0, 0)
    assert answers[-1].headers["Retry-After"] == "1"


def test_endpoints_are_counted_separately(as_olga, two_a_minute):
    for _time in range(2):
        as_olga.get("/api/v1/boards")
    assert as_olga.get("/api/v1/boards").status_code == 429
    assert as_olga.get("/api/v1/me").status_code == 200
    assert as_olga.post("/api/v1/boards", json={"title": "Garden"}).status_code == 201


def test_tokens_are_counted_separately_even_for_one_person(connect, paula, two_a_minute):
    one, other = connect(token_of(paula, "One")), connect(token_of(paula, "Other"))
    assert [one.get("/api/v1/me").status_code for _time in range(3)] == [200, 200, 429]
    assert other.get("/api/v1/me").status_code == 200


def test_all_tokens_of_one_person_are_counted_together_too(connect, paula, as_olga, at_noon, two_a_minute):
    clients = [connect(token_of(paula, str(number))) for number in range(5)]
    answers = [client.get("/api/v1/me") for client in clients for _time in range(2)]
    assert [answer.status_code for answer in answers] == [200] * 8 + [429] * 2
    assert {figures(answer)[0] for answer in answers[:8]} == {2}, "the headers tell the limit of the token"
    assert is_refused(answers[-1], 429, "8 a minute are allowed for all of your tokens together")
    assert figures(answers[-1])[:2] == (8, 0)
    assert answers[-1].headers["Retry-After"] == str(max(1, figures(answers[-1])[2]))
    assert as_olga.get("/api/v1/me").status_code == 200


def test_a_new_token_does_not_begin_the_count_anew(connect, olga, at_noon, settings):
    settings.LIMITS = {**settings.LIMITS, "cards": "2/m"}
    statuses = []
    for number in range(6):
        client = connect(token_of(olga, str(number)))
        statuses += [client.post("/api/v1/cards", json={"title": "Nowhere"}).status_code for _time in range(2)]
        assert client.delete("/api/v1/token").status_code == 204
    assert statuses == [400] * 8 + [429] * 4


def test_head_counts_as_get(as_olga, two_a_minute):
    assert [as_olga.head("/api/v1/me").status_code for _time in range(2)] == [200, 200]
    assert as_olga.get("/api/v1/me").status_code == 429


def test_a_wrong_method_is_counted_too(as_olga, two_a_minute):
    assert [as_olga.put("/api/v1/me").status_code for _time in range(3)] == [405, 405, 429]


ERRORS = [
    (400, "POST", "/api/v1/boards", {"json": {}}),
    (404, "POST", "/api/v1/cards", {"json": {"title": "Lost", "listId": "x"}}),
    (405, "PUT", "/api/v1/me", {}),
    (415, "POST", "/api/v1/cards", {"content": "title=x"}),
    (422, "POST", "/api/v1/boards", {"json": {"title": "Other"}, "headers": {"Idempotency-Key": "used"}}),
]


@pytest.mark.parametrize("status, method, path, options", ERRORS)
def test_errors_carry_the_rate_limit_headers_as_well(as_olga, status, method, path, options):
    as_olga.post("/api/v1/boards", json={"title": "Garden"}, headers={"Idempotency-Key": "used"})
    answer = as_olga.request(method, path, **options)
    assert answer.status_code == status
    assert figures(answer)[0] > figures(answer)[1]


def test_a_crash_carries_the_rate_limit_headers_as_well(as_olga, monkeypatch):
    monkeypatch.setattr("apiv1.boards.views.boards_with_lists", lambda user: 1 / 0)
    answer = as_olga.get("/api/v1/boards")
    assert is_refused(answer, 500)
    assert figures(answer)[:2] == (120, 119)


def test_calls_that_are_not_counted_carry_no_rate_limit_headers(anyone, two_a_minute):
    for path in ("/api/v1/me", "/api/v1/nothing", "/api/v1/openapi.json"):
        assert "RateLimit-Limit" not in anyone.get(path).headers


def test_limits_can_be_turned_off(as_olga, unlimited):
    answers = [as_olga.post("/api/v1/boards", json={}) for _time in range(31)]
    assert {answer.status_code for answer in answers} == {400}
    assert "RateLimit-Limit" not in answers[-1].headers
