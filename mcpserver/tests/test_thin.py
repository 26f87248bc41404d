def test_a_session_of_work(agent, board, todo, doing):
    assert agent.call("list_boards")["boards"][0]["title"] == "Launch"
    task = agent.call("create_task", listId=todo.pk, title="Write", description="# Hi", dueDate="2026-12-01")["task"]
    assert task["dueDate"] == "2026-12-01T23:59:59Z"
    assert agent.call("search_tasks", query="WRI")["tasks"] == [task]
    assert agent.call("complete_task", taskId=task["id"])["task"]["completed"]
    assert not agent.call("reopen_task", task_id=task["id"])["task"]["completed"]
    assert agent.call("move_task", taskId=task["id"], listId=doing.pk)["task"]["listId"] == str(doing.pk)
    assert agent.call("add_comment", taskId=task["id"], text="done")["task"]["id"] == task["id"]
    assert agent.call("update_task", taskId=task["id"], dueDate=None)["task"]["dueDate"] is None
    assert agent.call("get_task", cardId=task["id"])["comments"][0]["text"] == "done"
    assert agent.call("archive_task", taskId=task["id"])["task"]["id"] == task["id"]
    assert agent.refused("complete_task", taskId=task["id"])
    print(agent.refused("create_task", listId="To do", titel="x"))
    print(agent.refused("create_task", listId="To do", title="x"))
    print(agent.refused("move_task", taskId="x", listId="y"))
    print(agent.send({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "1"}}).body)
    print(len(agent.send({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).body))
