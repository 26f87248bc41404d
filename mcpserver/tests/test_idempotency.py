import pytest

from boards.models import Board, Card, List


@pytest.fixture
def makers(board, todo):
    return [
        ("create_board", {"title": "Garden"}, Board),
        ("create_list", {"title": "Later", "boardId": board.pk}, List),
        ("create_task", {"title": "Print", "listId": todo.pk}, Card),
    ]


def test_the_same_key_gives_the_first_answer_and_writes_nothing(agent, makers, subtests):
    for tool, arguments, model in makers:
        with subtests.test(tool=tool):
            first = agent.call(tool, idempotencyKey="once", **arguments)
            count = model.objects.count()
            assert agent.call(tool, idempotency_key="once", **arguments) == first
            assert model.objects.count() == count


def test_the_same_key_with_other_arguments_is_refused(agent, makers, subtests):
    for tool, arguments, model in makers:
        with subtests.test(tool=tool):
            agent.call(tool, idempotencyKey="once", **arguments)
            count = model.objects.count()
            refusal = agent.refused(tool, idempotencyKey="once", **arguments | {"title": "Other"})
            assert refusal.startswith("This idempotencyKey was used with other arguments.")
            assert model.objects.count() == count


def test_a_call_that_was_refused_leaves_the_key_free(agent, todo):
    agent.refused("create_task", title="Print", listId="nonsense", idempotencyKey="once")
    agent.call("create_task", title="Print", listId=todo.pk, idempotencyKey="once")
    assert Card.objects.count() == 1


def test_a_key_belongs_to_one_token_and_one_tool(agent, agent_of, ed, board, todo):
    agent.call("create_task", title="Print", listId=todo.pk, idempotencyKey="once")
    agent_of(ed).call("create_task", title="Print", listId=todo.pk, idempotencyKey="once")
    agent.call("create_list", title="Print", boardId=board.pk, idempotencyKey="once")
    assert Card.objects.count() == 2


@pytest.mark.parametrize("key", ["", "a b", "é", "x" * 256, 5])
def test_an_impossible_key_is_refused(agent, todo, key):
    assert "1 to 255 visible ASCII" in agent.refused("create_task", title="x", listId=todo.pk, idempotencyKey=key)
