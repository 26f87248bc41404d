"""Tests are given a copy of a database that has every migration there is, in place of migrating."""

import sqlite3
from contextlib import closing
from pathlib import Path

from taskboard.migration_names import applied_migrations, known_migrations
from taskboard.tests import migrated


def test_the_database_of_the_tests_has_every_migration(db: None) -> None:
    assert applied_migrations() == known_migrations()


def test_a_copy_of_the_kept_file_has_every_migration(tmp_path: Path) -> None:
    migrated.copy_to_file(tmp_path / "copy.sqlite3")
    with closing(sqlite3.connect(tmp_path / "copy.sqlite3")) as database:
        assert {*database.execute("SELECT app, name FROM django_migrations")} == known_migrations()


def test_a_new_or_changed_migration_is_another_state(tmp_path: Path) -> None:
    states = [migrated.state_of([tmp_path])]
    for text in ("# a migration", "# another one"):
        (tmp_path / "0001_initial.py").write_text(text)
        states.append(migrated.state_of([tmp_path]))
    assert len({*states}) == 3
