"""The migration that gives waiting tasks the paths to which their functions moved."""

from importlib import import_module

from django.apps import apps
from django.utils.module_loading import import_string
from django_tasks_db.models import DBTaskResult

from operating.tidying import tidy_hourly

migration = import_module("jobs.migrations.0003_moved_tasks")


def test_a_task_that_waits_has_the_path_of_its_function_and_the_old_one_if_that_is_undone(db):
    tidy_hourly.enqueue()
    migration.undo(apps, None)
    assert DBTaskResult.objects.get().task_path == "taskboard.tidying.tidy_hourly"
    migration.follow_them(apps, None)
    assert DBTaskResult.objects.get().task_path == tidy_hourly.module_path


def test_every_path_leads_to_a_task():
    assert [path for path in migration.MOVED.values() if import_string(path).module_path != path] == []
