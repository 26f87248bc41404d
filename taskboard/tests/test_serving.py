"""The steps of a start, one by one."""

import errno
import os
import socket
from http.client import responses
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from accounts.models import User
from taskboard.migration_names import known_migrations
from taskboard.serving import address, database, static_files
from taskboard.serving.data_folder import hold_data_folder, leave_address
from taskboard.serving.greeting import greeting, warning
from taskboard.serving.refusal import CannotStart
from taskboard.serving.requests import Request


@pytest.mark.parametrize(
    "arguments, url",
    [
        ([], "http://127.0.0.1:8000"),
        (["--port", "9000"], "http://127.0.0.1:9000"),
        (["--host", "boards.local", "--verbosity", "0"], "http://boards.local:8000"),
        (["--host=0.0.0.0"], "http://127.0.0.1:8000"),
        (["--host", "fd00::7"], "http://[fd00::7]:8000"),
    ],
)
def test_the_base_url_follows_host_and_port(monkeypatch: pytest.MonkeyPatch, arguments: list[str], url: str) -> None:
    monkeypatch.setenv("TASKBOARD_BASE_URL", " ")
    address.assume_base_url(arguments)
    assert os.environ["TASKBOARD_BASE_URL"] == url


def test_a_base_url_that_is_set_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TASKBOARD_BASE_URL", "https://boards.example.com")
    address.assume_base_url(["--port", "9000"])
    assert os.environ["TASKBOARD_BASE_URL"] == "https://boards.example.com"


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="This machine has no IPv6.")
def test_every_address_of_ipv6_includes_those_of_ipv4() -> None:
    """The greeting and the health check of `--host ::` name 127.0.0.1."""
    with address.listen("::", 0) as listener:
        port = listener.getsockname()[1]
        for host in (address.shown("::"), "::1"):
            socket.create_connection((host, port), timeout=5).close()


@pytest.mark.parametrize("host", ["192.0.2.1", "no.such.host.invalid", "999.1.1.1"])
def test_an_address_of_another_machine_is_refused(host: str) -> None:
    with pytest.raises(CannotStart, match="is not an address of this machine"):
        address.listen(host, 8000)


def test_a_port_of_the_system_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*args: object, **options: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket, "create_server", forbidden)
    with pytest.raises(CannotStart, match="Choose one from 1024 on"):
        address.listen("127.0.0.1", 80)


def test_without_redis_a_data_folder_serves_one_process(settings, tmp_path: Path) -> None:
    settings.DATA, settings.REDIS_URL = tmp_path, ""
    with hold_data_folder() as lock:
        leave_address(lock)
        with pytest.raises(CannotStart, match="The service is running already"):
            hold_data_folder()
    hold_data_folder().close()


def test_a_command_that_holds_the_data_folder_is_not_taken_for_the_service_before_it(settings, tmp_path: Path) -> None:
    settings.DATA, settings.REDIS_URL = tmp_path, ""
    with hold_data_folder() as lock:
        leave_address(lock)
    with hold_data_folder(), pytest.raises(CannotStart, match="A command prepares the data folder"):
        hold_data_folder()


def test_an_unusable_data_folder_is_refused(settings, tmp_path: Path) -> None:
    settings.DATA = tmp_path / "file"
    settings.DATA.touch()
    with pytest.raises(CannotStart, match="cannot be written to"):
        hold_data_folder()


@pytest.mark.django_db
def test_an_up_to_date_database_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "call_command", lambda *args, **options: pytest.fail("migrated again"))
    database.prepare_database()
    assert not MigrationExecutor(connection).migration_plan(MigrationExecutor(connection).loader.graph.leaf_nodes())


def test_the_names_of_migrations_are_those_that_django_knows() -> None:
    assert known_migrations() == MigrationLoader(None).disk_migrations.keys()


@pytest.mark.django_db
def test_the_database_of_a_newer_version_is_refused() -> None:
    MigrationRecorder(connection).record_applied("boards", "9999_from_the_future")
    with pytest.raises(CannotStart, match=r"newer version of Taskboard: it has boards\.9999_from_the_future"):
        database.prepare_database()


@pytest.mark.django_db
def test_migrations_of_packages_that_are_gone_do_no_harm() -> None:
    MigrationRecorder(connection).record_applied("no_longer_installed", "0001_initial")
    database.prepare_database()
    assert connection.is_usable()


@pytest.mark.django_db
def test_a_failing_migration_is_reported_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **options: object) -> None:
        raise ValueError("column\nis in the way")

    monkeypatch.setattr(database, "call_command", fail)
    MigrationRecorder(connection).record_unapplied("boards", "0001_initial")
    with pytest.raises(CannotStart, match="could not be brought up to date: column is in the way"):
        database.prepare_database()


@pytest.fixture
def own_static(settings, tmp_path: Path) -> Path:
    """The folder of the only static file that there is."""
    settings.STATICFILES_DIRS = [tmp_path / "sources"]
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": "taskboard.static.Storage"}}
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATIC_ROOT = tmp_path / "data" / "static"
    source = tmp_path / "sources" / "site.css"
    source.parent.mkdir()
    source.write_text("body { margin: 0 }")
    return source


def test_static_files_are_collected_once(own_static: Path, settings, monkeypatch: pytest.MonkeyPatch) -> None:
    static_files.prepare_static_files()
    assert (settings.STATIC_ROOT / "site.css").read_text() == "body { margin: 0 }"
    monkeypatch.setattr(static_files, "call_command", lambda *args, **options: pytest.fail("collected again"))
    static_files.prepare_static_files()


def test_changed_static_files_are_collected_again(own_static: Path, settings) -> None:
    static_files.prepare_static_files()
    own_static.write_text("body { margin: 4px }")
    static_files.prepare_static_files()
    assert (settings.STATIC_ROOT / "site.css").read_text() == "body { margin: 4px }"


def test_an_interrupted_collection_is_done_again_even_for_the_files_of_before(
    own_static: Path, settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*args: object, **options: object) -> None:
        (settings.STATIC_ROOT / "site.css").write_text("half of it")
        raise OSError("No space left on device")

    static_files.prepare_static_files()
    before = own_static.stat().st_mtime_ns
    own_static.write_text("body { margin: 4px }")
    with monkeypatch.context() as patch:
        patch.setattr(static_files, "call_command", interrupted)
        with pytest.raises(CannotStart, match="No space left on device"):
            static_files.prepare_static_files()
    own_static.write_text("body { margin: 0 }")
    os.utime(own_static, ns=(before, before))
    static_files.prepare_static_files()
    assert (settings.STATIC_ROOT / "site.css").read_text() == "body { margin: 0 }"


def test_a_bug_in_the_collection_is_not_told_as_if_it_were_the_disk(own_static: Path, monkeypatch) -> None:
    def broken(*args: object, **options: object) -> None:
        raise AttributeError("a bug")

    monkeypatch.setattr(static_files, "call_command", broken)
    with pytest.raises(AttributeError, match="a bug"):
        static_files.prepare_static_files()


@pytest.mark.django_db
@pytest.mark.parametrize("is_open", [True, False])
def test_an_empty_service_gives_the_link_to_the_first_account(client, settings, is_open: bool) -> None:
    settings.BASE_URL = "http://boards.local:8000"
    settings.SIGNUP_OPEN = is_open
    link = greeting().rpartition(" ")[2]
    assert link.startswith("http://boards.local:8000/first/")
    assert "Create the first account" in client.get(link.removeprefix("http://boards.local:8000")).text


@pytest.mark.django_db
def test_beside_the_demo_the_link_to_the_first_account_is_still_given() -> None:
    call_command("demo")
    assert "Nobody but the demo has an account yet. Create yours" in greeting()


def test_a_service_with_accounts_says_only_its_address(olga: User, settings) -> None:
    assert greeting() == f"Taskboard is ready at {settings.BASE_URL}"


def test_a_service_that_others_can_reach_but_not_use_warns(settings) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", "127.0.0.1"]
    assert "Set TASKBOARD_ALLOWED_HOSTS" in warning("0.0.0.0")


def test_a_service_with_allowed_names_does_not_warn(settings) -> None:
    settings.ALLOWED_HOSTS = ["boards.example.com"]
    assert warning("0.0.0.0") == ""


def test_a_service_for_its_own_machine_does_not_warn() -> None:
    assert warning("127.0.0.1") == ""


# Answers


@pytest.mark.parametrize("status, name", [(status, responses[status].encode()) for status in (200, 422, 429)])
def test_a_status_has_the_name_that_the_other_server_gives_it(status, name):
    request = Request.__new__(Request)
    request.setResponseCode(status)
    assert (request.code, request.code_message) == (status, name)
