import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django_tasks.signals import task_enqueued

from accounts.models import User
from conftest import run_jobs
from core.bus import bus

PASSWORD = "correct horse"  # what conftest.person gives everybody


@pytest.fixture
def page(client: Client, olga: User) -> Client:
    """Olga's browser."""
    client.force_login(olga)
    return client


@pytest.fixture
def _mail_server(settings: Any) -> Iterator[None]:
    """Mails go to django.core.mail.outbox, sent by a worker that is quick."""
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True

    def work(**enqueued: object) -> None:
        run_jobs()

    task_enqueued.connect(work)
    yield
    task_enqueued.disconnect(work)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Callable) -> Callable:
    """Runs what it is given and answers with the messages that went to live pages after commit."""
    sent: list[tuple[str, dict]] = []
    monkeypatch.setattr(bus, "publish", lambda group, message: sent.append((group, message)))

    def run(act: Callable[[], Any]) -> list[tuple[str, dict]]:
        with django_capture_on_commit_callbacks(execute=True):
            act()
        return sent

    return run


def sign_in(client: Client, email: str, password: str = PASSWORD, **more: str) -> Any:
    return client.post("/sign-in", {"login": email, "password": password, **more})


def is_signed_in(client: Client) -> bool:
    return client.get("/settings/profile").status_code == 200


def at_once(times: int, act: Callable[[], Any]) -> list[Any]:
    """What `act` gives in as many threads at the same moment, each with a connection of its own."""
    everybody_is_here = threading.Barrier(times)

    def run(_number: int) -> Any:
        everybody_is_here.wait(30)
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(run, range(times)))
