"""The filters of *My work* that a user keeps by name: save, replace, rename, delete, restore."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.http import HttpResponse
from django.urls import reverse

from accounts.models.work_filter import NAME
from accounts.work_filters import (
    FilterExists,
    FilterLimitReached,
    NoSuchFilter,
    delete_filter,
    filters_of,
    rename_filter,
    save_filter,
)
from boards.access import not_found
from boards.errors import Conflict, LimitReached
from boards.reading.search_words import QUERY
from boards.text import clean_line, clean_text
from core.http.requests import SignedInRequest
from web.http.guard import signed_in
from web.http.saved_filters import Said, answer, delete_sent, rename_sent, save_sent
from web.my.asked import Asked, asked_of


def saved_context(request: SignedInRequest, current: Asked, page: str = "my_work") -> dict[str, object]:
    """Return the context of templates/web/partials/board/saved_filters.html, on a page by its name: one statement."""
    return {
        "page": reverse(page),
        "saving": reverse("work_filters"),
        "may_save": True,
        "saved": [(one, asked_of(one.query).saved) for one in filters_of(request.user)],
        "query": current.saved,
        "longest_name": NAME,
    }


@signed_in("POST")
def work_filters(request: SignedInRequest) -> HttpResponse:
    def save(name: str, query: str, replace: bool) -> str:
        asked = asked_of(query)
        clean_text(asked.filter.query, "query", QUERY)
        return save_filter(request.user, _clean(name), asked.saved, replace=replace)

    with _refusals():
        return _answer(request, save_sent(request, save))


@signed_in("POST")
def renaming(request: SignedInRequest) -> HttpResponse:
    def rename(name: str, to: str) -> None:
        rename_filter(request.user, name, _clean(to))

    with _refusals():
        return _answer(request, rename_sent(request, rename))


@signed_in("POST")
def deletion(request: SignedInRequest) -> HttpResponse:
    return _answer(request, delete_sent(request, lambda name: delete_filter(request.user, name)))


def _clean(name: str) -> str:
    return clean_line(name, "name", NAME)


@contextmanager
def _refusals() -> Iterator[None]:
    """Turn what the account refuses into errors that pages answer."""
    try:
        yield
    except FilterLimitReached as refusal:
        raise LimitReached(str(refusal)) from refusal
    except FilterExists as refusal:
        raise Conflict(str(refusal)) from refusal
    except NoSuchFilter as refusal:
        raise not_found() from refusal


def _answer(request: SignedInRequest, said: Said) -> HttpResponse:
    return answer(request, said, lambda: saved_context(request, asked_of(request.POST.get("query", ""))))
