"""Changes that must not need a migration."""

import pytest
from django.core.management import call_command

from accounts.models import User
from boards.models import Activity, Comment


def test_one_more_language_is_no_migration(db, settings):
    settings.LANGUAGES = [*settings.LANGUAGES, ("it", "Italiano")]
    assert ("it", "Italiano") in User._meta.get_field("language").choices
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)  # exits when there is something to make


@pytest.mark.parametrize("model, name", [(Activity, "verb"), (Activity, "door"), (Comment, "door")])
def test_one_more_verb_or_door_is_no_migration(model, name):
    """A migration keeps the name of the callable, and not the choices."""
    _name, _path, _arguments, options = model._meta.get_field(name).deconstruct()
    assert callable(options["choices"])
