"""Lists of the admin cannot be filtered by a secret, which would tell it letter by letter (`?password__startswith=`)."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.templatetags.admin_urls import admin_urlname
from django.db.models import Model
from django.test import Client
from django.urls import reverse

SECRETS = {"password", "digest", "device_digest", "session_hash", "session_key", "session_data"}
DEEPEST = 3  # relations to follow
GUESSES = ("", "__startswith", "__regex", "__gte", "__isnull", "__in")
MODELS = [model for model in apps.get_models() if admin.site.is_registered(model)]


def paths_to_secrets(model: type[Model], deepest: int = DEEPEST) -> Iterator[str]:
    """Return the lookup of each secret of the model, and of what is related to it, forwards and backwards."""
    for field in model._meta.get_fields():
        if field.is_relation and field.related_model and deepest:
            for path in paths_to_secrets(field.related_model, deepest - 1):
                yield f"{field.name}__{path}"
        elif field.name in SECRETS:
            yield field.name


def is_refused(client: Client, model: type[Model], lookup: str, value: str = "pbkdf2") -> bool:
    """Whether the list is not shown: an error, or a way back to the list that says that the filter does not exist."""
    address = reverse(admin_urlname(model._meta, "changelist"))
    answer = client.get(address, {lookup: value})
    return answer.status_code == 400 or (answer.status_code == 302 and answer["Location"] == f"{address}?e=1")


@pytest.fixture
def operator(every_address, client: Client, otto) -> Client:
    client.force_login(otto)
    return client


def test_every_password_can_be_reached_by_some_path():
    paths = {path for model in MODELS for path in paths_to_secrets(model)}
    assert {"password", "user__password", "owner__password", "board__memberships__user__password", "digest"} <= paths


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_no_list_can_be_filtered_by_a_secret(operator, model):
    paths = {"password", "user__password", *paths_to_secrets(model)}
    assert [path for path in sorted(paths) if not is_refused(operator, model, f"{path}__startswith")] == []


@pytest.mark.parametrize("guess", GUESSES)
def test_no_lookup_of_a_secret_is_let_through(operator, guess):
    for model in MODELS:
        for path in sorted(paths_to_secrets(model, 1)):
            assert is_refused(operator, model, path + guess, "1"), (model, path)


def test_a_filter_that_the_page_offers_is_taken(operator, otto):
    [accounts] = [model for model in MODELS if model.__name__ == "User"]
    assert not is_refused(operator, accounts, "is_staff__exact", "1")
