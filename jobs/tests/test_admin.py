"""Operators see the work beside requests, and can do one thing about it."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.contrib.messages import get_messages
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import NoReverseMatch, reverse

from boards.actions.boards.board import create_board
from conftest import person, run_jobs, web
from jobs.clock import set_clock
from jobs.followers import meet_followers
from jobs.models import Cursor, Follower, Task, Turn
from jobs.tests import chores
from taskboard.tests.admin_pages import INLINE, page

MODELS = [Task, Cursor, Follower, Turn]


def statements(client, address):
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


@pytest.fixture
def operator(client, otto):
    client.force_login(otto)
    return client


def grow(olga, times):
    meet_followers()
    set_clock()
    for number in range(times):
        create_board(actor=web(olga), title=f"Board {number}")
        chores.write.enqueue("a secret word")
        chores.despair.enqueue()
        chores.stumble.enqueue()
    run_jobs()


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_list_and_page_take_the_same_number_of_statements_whatever_there_is(every_address, operator, olga, model):
    grow(olga, 2)
    addresses = [page(model, "changelist"), page(model, "change", model._default_manager.order_by("pk").first().pk)]
    [statements(operator, address) for address in addresses]  # fills the cache of content types
    before = [statements(operator, address) for address in addresses]
    grow(olga, 4)
    assert [statements(operator, address) for address in addresses] == before


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_nothing_can_be_added_changed_or_deleted_by_hand(every_address, operator, olga, model):
    grow(olga, 1)
    one = model._default_manager.first()
    for address in (page(model, "add"), page(model, "change", one.pk), page(model, "delete", one.pk)):
        assert operator.post(address, {"post": "yes"}).status_code == 403
    assert model._default_manager.filter(pk=one.pk).exists()


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_pages_need_no_exception_from_the_content_security_policy(every_address, operator, olga, model):
    grow(olga, 1)
    for address in (page(model, "changelist"), page(model, "change", model._default_manager.first().pk)):
        assert not INLINE.findall(operator.get(address).text)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_pages_are_for_operators(every_address, client, olga, model):
    client.force_login(olga)
    assert client.get(page(model, "changelist"), follow=True).status_code == 403


def test_arguments_and_results_of_tasks_are_shown_nowhere(operator, olga):
    grow(olga, 1)
    for task in Task.objects.all():
        assert "secret" not in operator.get(page(Task, "change", task.pk)).text.lower()
    assert "secret" not in operator.get(page(Task, "changelist")).text.lower()
    with pytest.raises(NoReverseMatch):
        reverse("admin:django_tasks_database_dbtaskresult_changelist")


def test_what_went_wrong_is_shown(operator, olga):
    grow(olga, 1)
    listed = operator.get(page(Task, "changelist")).text
    assert "ValueError: a stone  in the way" in listed
    assert "jobs.tests.chores.Hopeless" in listed


def test_cursors_that_fail_come_first(operator, olga):
    grow(olga, 3)
    failing = Cursor.objects.order_by("pk")[1]
    Cursor.objects.filter(pk=failing.pk).update(attempts=2, error="RuntimeError: broken")
    assert operator.get(page(Cursor, "changelist")).context["cl"].result_list[0] == failing


def again(client, *tasks):
    data = {"action": "try_again", "_selected_action": [str(task.pk) for task in tasks]}
    answer = client.post(page(Task, "changelist"), data)
    return [str(message) for message in get_messages(answer.wsgi_request)]


def test_a_task_that_was_given_up_gets_one_more_try(operator, olga):
    chores.despair.enqueue()
    run_jobs()
    assert again(operator, Task.objects.get()) == ["1 task will be retried."]
    assert Task.objects.get().status == "READY"
    assert LogEntry.objects.get().get_change_message() == "Retried."
    run_jobs()
    assert (Task.objects.get().status, len(Task.objects.get().worker_ids)) == ("FAILED", 2)


def test_a_task_that_was_not_given_up_is_left_alone(operator, olga):
    chores.write.enqueue("hello")
    run_jobs()
    assert again(operator, Task.objects.get()) == ["Only failed tasks can be retried."]
    assert Task.objects.get().status == "SUCCESSFUL"
    assert not LogEntry.objects.exists()


def test_who_may_only_look_cannot_try_again(client, db):
    hal = person("hal", is_staff=True)
    hal.user_permissions.set(Permission.objects.filter(codename="view_task"))
    client.force_login(hal)
    chores.despair.enqueue()
    run_jobs()
    assert client.get(page(Task, "changelist")).status_code == 200
    again(client, Task.objects.get())
    assert Task.objects.get().status == "FAILED"
