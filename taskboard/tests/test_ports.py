"""Tests that start services at the same time are given other ports."""

from taskboard.tests.servers import free_port


def test_a_port_is_given_once():
    given = [free_port() for _service in range(400)]
    assert len(set(given)) == len(given)


def test_two_workers_are_given_other_ports(monkeypatch):
    given = []
    monkeypatch.setenv("PYTEST_XDIST_WORKER_COUNT", "3")
    for worker in ("gw0", "gw1", "gw5"):  # the last replaces one that died
        monkeypatch.setenv("PYTEST_XDIST_WORKER", worker)
        given.append({free_port() // 2 % 3 for _service in range(100)})
    assert given == [{0}, {1}, {2}]
