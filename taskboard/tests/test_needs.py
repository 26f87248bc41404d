"""Tests that lack a browser or a service are skipped with a reason, and fail where it is required."""

import subprocess
import sys
from pathlib import Path

import pytest

from taskboard.tests import needs

SERVICES = {"DATABASE_URL": "postgres://postgres@127.0.0.1/test", "REDIS_URL": "redis://127.0.0.1"}


def test_a_test_without_its_service_is_skipped_with_a_reason() -> None:
    with pytest.raises(pytest.skip.Exception, match="set DATABASE_URL and REDIS_URL"):
        needs.require("services", {"REDIS_URL": "redis://127.0.0.1"})


def test_a_test_without_its_service_fails_where_that_is_required() -> None:
    with pytest.raises(pytest.fail.Exception, match="set DATABASE_URL and REDIS_URL"):
        needs.require("services", {"TASKBOARD_TEST_REQUIRE": "chromium,services"})


def test_services_that_are_there_are_no_reason_to_skip() -> None:
    assert needs.missing("services", SERVICES) == ""


def test_a_test_without_a_browser_fails_where_that_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needs, "found_chromium", lambda: None)
    with pytest.raises(pytest.fail.Exception, match="Chromium"):
        needs.require("chromium", {"TASKBOARD_TEST_REQUIRE": "chromium"})


def test_a_test_without_a_browser_is_skipped_with_a_reason_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needs, "found_chromium", lambda: None)
    with pytest.raises(pytest.skip.Exception, match="Chromium"):
        needs.require("chromium", {"TASKBOARD_TEST_REQUIRE": "services"})


def test_firefox_needs_its_driver_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(needs, "found", lambda names: f"/usr/bin/{names[0]}")
    monkeypatch.setattr(needs, "FIREFOX", tmp_path)
    with pytest.raises(pytest.fail.Exception, match="bin/peers"):
        needs.require("firefox", {"TASKBOARD_TEST_REQUIRE": "firefox"})


def test_root_needs_a_user_for_a_postgresql_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needs, "program", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(needs.os, "geteuid", lambda: 0)
    monkeypatch.setattr(needs, "has_account", lambda name: False)
    assert "user postgres" in needs.missing("own_services", {})


def test_hosts_need_the_permission_to_make_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needs, "program", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(needs, "may_make_namespaces", lambda: False)
    assert "permission to make network namespaces" in needs.missing("namespaces", {})


def test_a_test_that_did_not_ask_for_processes_can_start_none() -> None:
    with pytest.raises(AssertionError, match="fixture `processes` gives"):
        subprocess.Popen([sys.executable, "-c", "pass"])


def test_a_test_that_asked_for_processes_can_start_one(processes: None) -> None:
    assert subprocess.run([sys.executable, "-c", "pass"]).returncode == 0


@pytest.mark.parametrize("need", ["chromium", "axe", "own_services", "namespaces", "any_database"])
def test_what_was_not_asked_for_is_refused(need: str) -> None:
    with pytest.raises(AssertionError, match=f"fixture `{need}` gives"):
        needs.asked_for(need)
