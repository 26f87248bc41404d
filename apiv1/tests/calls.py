"""What tests of the API say often."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx

from accounts.models import User
from accounts.tokens import create_token


def token_of(user: User, name: str = "Script", **fields: object) -> str:
    """The value of a new token."""
    return create_token(user, name, **fields)[1]


def is_refused(answer: httpx.Response, status: int, *words: str) -> bool:
    """Whether the answer is an error of this status, in the one shape, whose sentence holds these words."""
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "application/json"
    assert list(answer.json()) == ["error"]
    sentence = answer.json()["error"]
    assert sentence.endswith(".")
    for word in words:
        assert word in sentence
    return True


def at_once(times: int, call: Callable[[int], httpx.Response]) -> list[httpx.Response]:
    """The answers to so many calls, all sent together."""
    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(call, range(times)))


def without_length(client: httpx.Client, path: str, **options: object) -> httpx.Response:
    request = client.build_request("POST", path, **options)
    del request.headers["Content-Length"]
    return client.send(request)
