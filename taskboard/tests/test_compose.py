"""compose.yaml: its parts, started as processes with its own commands and settings, are a service behind its Caddy."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from operating.backup.reading import open_backup
from taskboard.serving import health_check, readiness
from taskboard.serving.refusal import CannotStart, NotYet
from taskboard.tests.own_services import own_postgresql, own_redis
from taskboard.tests.people import Person, settle
from taskboard.tests.prepared import prepared_data, with_static_files
from taskboard.tests.servers import PLAIN_HTTP, ROOT, bare_environment, free_port, is_open, serving
from taskboard.tests.waiting import PATIENCE, wait_until

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
PARTS = ("web", "live", "worker")
GIVEN = ("Notes.txt", b"Kept on the way.\n" * 20, "text/plain")


class Parts:
    """The parts of the profile `scale`, each on a port of its own, with one data folder, as the volume is one."""

    def __init__(self, folder: Path, database_url: str, redis_url: str) -> None:
        self.folder, self.redis_url = folder, redis_url
        self.secret = folder / "database_url"
        self.secret.write_text(f"{database_url}\n")
        self.ports = {name: free_port() for name in ("web", "live", "caddy")}
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def environment(self, name: str) -> dict[str, str]:
        """Return what compose.yaml gives a part, at the addresses of this test."""
        given = dict(SERVICES[name]["environment"])
        assert given.pop("DATABASE_URL_FILE") == "/run/secrets/database_url"
        assert given.pop("REDIS_URL") == "redis://redis:6379/0"
        assert given.pop("TASKBOARD_BASE_URL") == "${TASKBOARD_BASE_URL:-https://localhost}"
        here = {"DATABASE_URL_FILE": str(self.secret), "REDIS_URL": self.redis_url}
        here |= {
            "TASKBOARD_BASE_URL": f"http://127.0.0.1:{self.ports['caddy']}",
            "TASKBOARD_DATA": str(self.folder),
            "TASKBOARD_HOST": "127.0.0.1",
        }
        return bare_environment() | given | here

    def command(self, name: str, *more: str) -> list[str]:
        port = ["--port", str(self.ports[name])] if name in self.ports else []
        return [sys.executable, "manage.py", *SERVICES[name]["command"], *port, *more]

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()

    def start(self, name: str) -> None:
        with (self.folder / f"{name}.log").open("wb") as log:
            self.running[name] = subprocess.Popen(
                self.command(name), cwd=ROOT, env=self.environment(name), stdout=log, stderr=log
            )

    def has_begun(self, name: str) -> bool:
        """Tell whether the part answers, or works. One that has waited for the migrations for too long starts again."""
        assert SERVICES[name]["restart"] == "unless-stopped"
        if self.running[name].poll() is not None and "Waiting for that" in self.log(name):
            self.start(name)
        if name == "worker":
            return "started" in self.log(name)
        return is_open(self.ports[name]) and self.health(name) == 0

    def health(self, name: str) -> int:
        """Return the exit code of the health check that compose.yaml gives the part."""
        kind, program, *words = SERVICES[name]["healthcheck"]["test"]
        assert (kind, program) == ("CMD", "taskboard")
        command = [sys.executable, "manage.py", *words, "--port", str(self.ports[name])]
        return subprocess.run(command, cwd=ROOT, env=self.environment(name), capture_output=True).returncode

    def run(self, *command: str) -> "subprocess.CompletedProcess[str]":
        words = [sys.executable, "manage.py", *command]
        return subprocess.run(words, cwd=ROOT, env=self.environment("web"), capture_output=True, text=True, check=True)

    def stop(self) -> None:
        for process in self.running.values():
            process.terminate()
        for process in self.running.values():
            process.wait(PATIENCE)


@contextmanager
def caddy_before(parts: Parts, program: str) -> Iterator[str]:
    """Run compose.yaml's Caddyfile, where the names of containers are ports of this machine. Yield its address."""
    address = parts.environment("web")["TASKBOARD_BASE_URL"]
    [mounted] = [one for one in SERVICES["caddy"]["volumes"] if one.endswith(":/etc/caddy/Caddyfile:ro")]
    lines = (ROOT / mounted.partition(":")[0]).read_text()
    for name in ("web", "live"):
        assert f"{name}:8000" in lines
        lines = lines.replace(f"{name}:8000", f"127.0.0.1:{parts.ports[name]}")
    file = parts.folder / "Caddyfile"
    file.write_text(f"{{\n    admin off\n}}\n{lines}")
    given = bare_environment() | {"TASKBOARD_BASE_URL": address, "HOME": str(parts.folder)}
    command = [program, "run", "--adapter", "caddyfile", "--config", str(file)]
    process = subprocess.Popen(command, env=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield address
    finally:
        process.terminate()
        process.wait(PATIENCE)


@pytest.fixture
def parts(own_services: None, tmp_path: Path) -> Iterator[Parts]:
    with own_postgresql() as postgres, own_redis() as redis:
        parts = Parts(tmp_path, postgres.url, redis.url)
        yield parts
        parts.stop()


@contextmanager
def answering(parts: Parts, caddy: str) -> Iterator[str]:
    """Yield the address of Caddy once the parts that were started answer behind it."""
    with caddy_before(parts, caddy) as address:
        for name in PARTS:
            wait_until(lambda name=name: parts.has_begun(name), lambda name=name: parts.log(name))
        wait_until(lambda: answers(address))
        yield address


@pytest.mark.timeout(240)
def test_the_parts_wait_for_the_one_that_migrates_and_are_a_service_behind_caddy(parts: Parts, caddy: str) -> None:
    for name in PARTS:
        parts.start(name)
    for name in PARTS:
        wait_until(
            lambda name=name: "Waiting for that, at most 60 seconds" in parts.log(name),
            lambda name=name: parts.log(name),
        )
    assert parts.health("web") == 1
    parts.run(*parts.command("migrate")[2:])
    with answering(parts, caddy) as address, closing(settled(parts, address)) as olga:
        board = olga.new_board()
        assert olga.browser.get(f"/board/{board['id']}").status_code == 200
        with olga.open(board) as page:
            assert page.message()["board"] == board["id"]
    for name in PARTS:
        assert parts.running[name].poll() is None


@pytest.mark.timeout(300)
def test_one_process_grows_to_all_parts_by_backup_and_restore_and_these_are_saved(
    parts: Parts, caddy: str, tmp_path: Path
) -> None:
    small = {"TASKBOARD_DATA": str(prepared_data(tmp_path / "small"))}
    kept = tmp_path / "backup"
    words = tmp_path / "words"
    words.write_text("correct horse battery")
    with serving(small) as running, settle(small, running.url, "olga") as people:
        board, attachment, link = filled(people["olga"])
        before = held(people["olga"], attachment, link)
        run(small, "backup", kept, "--passphrase-file", words)

    with_static_files(parts.folder)
    parts.run("restore", str(kept), "--passphrase-file", str(words))
    for name in PARTS:
        parts.start(name)
    with answering(parts, caddy) as address, replace(people["olga"], url=address).elsewhere() as olga:
        assert held(olga, attachment, link) == before
        with olga.open(board) as page:
            version = page.message()["version"]
            olga.new_card(board, "Made by the parts")
            page.until(version + 1)
        parts.run("backup", str(kept), "--force", "--passphrase-file", str(words))
    with open_backup(kept, words.read_text()) as backup:
        [cards] = [part for part in backup.manifest.of("tables/") if part.table == "boards_card"]
        assert b"Made by the parts" in b"".join(backup.lines(cards))


def filled(olga: Person) -> tuple[dict[str, Any], str, str]:
    """Make a board, with a card, a file and a public link; return it, and the addresses of these two."""
    board = olga.new_board()
    card = olga.new_card(board, "Choose the cover", description="**Bold**", dueDate="2030-01-02")
    headers = {"X-CSRFToken": olga.browser.cookies["csrftoken"]}
    attached = olga.browser.post(f"/card/{card['id']}/attachments", files={"file": GIVEN}, headers=headers)
    olga.post(f"/board/{board['id']}/public-link", embedding="nobody")
    public = re.search(r"/public/[\w-]{20,}", olga.browser.get(f"/board/{board['id']}/public-link").text)
    assert public is not None
    return board, f"/attachments/{attached.headers['X-Attachments'].strip()}", public[0]


def held(olga: Person, attachment: str, link: str) -> dict[str, Any]:
    """Return what the service has of Olga's: all boards, what her token reads, a file, and that a public link works."""
    export = olga.browser.get("/api/export").json()
    stranger = httpx.get(f"{olga.url}{link}", **PLAIN_HTTP)
    return {
        "export": {name: value for name, value in export.items() if name != "exportedAt"},
        "token": olga.script.get("/api/v1/me").json(),
        "boards": olga.script.get("/api/v1/boards").json(),
        "file": olga.browser.get(attachment, follow_redirects=True).content,
        "public": (stranger.status_code, "Choose the cover" in stranger.text),
    }


def run(environment: dict[str, str], *command: object) -> None:
    words = [sys.executable, "manage.py", *map(str, command)]
    subprocess.run(words, cwd=ROOT, env=bare_environment() | environment, check=True, capture_output=True)


def settled(parts: Parts, address: str) -> Person:
    """Return Olga, with whom the service has just got its first accounts."""
    command = [sys.executable, "-m", "taskboard.tests.settle"]
    done = subprocess.run(command, cwd=ROOT, env=parts.environment("web"), capture_output=True, text=True, check=True)
    return Person(address, **json.loads(done.stdout)["olga"], name="olga")


def answers(address: str) -> bool:
    try:
        return httpx.get(f"{address}/livez", **PLAIN_HTTP).status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.parametrize("part", ["web", "live"])
def test_a_part_alone_is_refused_with_what_it_needs(processes: None, tmp_path: Path, part: str) -> None:
    given = bare_environment() | {"TASKBOARD_DATA": str(tmp_path)}
    refused = subprocess.run([sys.executable, "manage.py", part], cwd=ROOT, env=given, capture_output=True, text=True)
    assert refused.returncode == 1
    assert f"The part '{part}' needs DATABASE_URL of a PostgreSQL and REDIS_URL." in refused.stderr


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "PATIENCE", 0.0)
    monkeypatch.setattr(readiness, "reach", lambda: None)


def raising(error: Exception) -> Callable[[], None]:
    def require() -> None:
        raise error

    return require


@pytest.mark.django_db
def test_a_part_that_waited_long_enough_says_what_it_waited_for(patience: None, monkeypatch, capsys) -> None:
    monkeypatch.setattr(readiness, "require_migrated", raising(NotYet("There are no tables.")))
    with pytest.raises(NotYet, match="There are no tables"):
        readiness.wait_for_tables()


@pytest.mark.django_db
def test_no_part_waits_for_a_newer_database(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr(readiness, "reach", lambda: None)
    monkeypatch.setattr(readiness, "require_migrated", raising(CannotStart("The database belongs to a newer version.")))
    with pytest.raises(CannotStart, match="newer version"):
        readiness.wait_for_tables()
    assert "Waiting" not in capsys.readouterr().err


def test_where_nothing_listens_the_health_check_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    port = free_port()
    assert health_check.main(["--port", str(port)]) == 1
    assert f"Nothing answers at 127.0.0.1, port {port}" in capsys.readouterr().err


def test_the_health_check_asks_without_loading_django(processes: None) -> None:
    command = [sys.executable, "-X", "importtime", "manage.py", "healthcheck", "--port", str(free_port())]
    asked = subprocess.run(command, cwd=ROOT, env=bare_environment(), capture_output=True, text=True)
    assert "Nothing answers" in asked.stderr
    assert "django.db" not in asked.stderr
