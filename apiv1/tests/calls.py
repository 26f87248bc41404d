"""Helpers that tests of the API share."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx

from accounts.models import User
from accounts.tokens import create_token


def token_of(user: User, name: str = "Script", **fields: object) -> str:
    """Return the value of a new token."""
    return create_token(user, name, **fields)[1]


def is_refused(answer: httpx.Response, status: int, *words: str) -> bool:
    """Assert that the answer is an error of this status in the common shape, whose sentence contains these words."""
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "application/json"
    assert list(answer.json()) == ["error"]
    sentence = answer.json()["error"]
    assert sentence.endswith(".")
    for word in words:
        assert word in sentence
    return True


def at_once(times: int, call: Callable[[int], httpx.Response]) -> list[httpx.Response]:
    """Send this many calls at the same moment; return their answers."""
    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(call, range(times)))


def without_length(client: httpx.Client, path: str, **options: object) -> httpx.Response:
    request = client.build_request("POST", path, **options)
    del request.headers["Content-Length"]
    return client.send(request)
