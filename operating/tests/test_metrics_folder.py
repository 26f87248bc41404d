"""The folder in which processes count: what they share, what outlives them, and when it is emptied."""

import errno
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from core.measures import LOCK_WAIT, REQUESTS, SOCKETS, join
from operating.metrics import folder
from operating.metrics.recording import Recorder
from operating.tests.scrapes import Scrape
from taskboard.tests.servers import ROOT, bare_environment


class Part:
    """A process that counts. It does what it is told before `tell` returns."""

    def __init__(self, place: Path) -> None:
        environment = bare_environment() | {
            "DJANGO_SETTINGS_MODULE": "taskboard.settings",
            "TASKBOARD_DATA": str(place),
        }
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        command = [sys.executable, "-W", "ignore", "-m", "operating.tests.counting", str(place / "metrics")]
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment, **pipes)

    def tell(self, *lines: str) -> None:
        for line in lines:
            self.process.stdin.write(f"{line}\n")
            self.process.stdin.flush()
            assert self.process.stdout.readline() == "done\n"

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def part(processes: None, tmp_path: Path) -> Iterator[Callable[[], Part]]:
    parts: list[Part] = []

    def start() -> Part:
        parts.append(Part(tmp_path))
        return parts[-1]

    yield start
    for one in parts:
        one.kill()


def seen(recorder: Recorder) -> tuple[float, float, float]:
    """Return the requests, those of the histogram, and the open sockets."""
    found = Scrape(recorder.counted())
    return found["taskboard_requests_total"], found["taskboard_request_seconds_count"], found["taskboard_sockets"]


def test_what_processes_count_is_added_up(part, recorder):
    first, second = part(), part()
    first.tell("count", "count", "sockets 3")
    second.tell("count", "sockets 2")
    assert seen(recorder) == (3, 3, 5)


def test_a_dead_process_leaves_its_counts_but_no_sockets(part, recorder):
    staying, dying = part(), part()
    staying.tell("count", "sockets 1")
    dying.tell("count", "count", "sockets 4")
    dying.kill()
    assert seen(recorder) == (3, 3, 1)
    again = part()
    again.tell("count", "sockets 2")
    assert seen(recorder) == (4, 4, 3)


def test_the_dead_leave_no_files_of_their_own(part, recorder, tmp_path):
    part().tell("join")
    for _restart in range(3):
        dying = part()
        dying.tell("count")
        dying.kill()
    assert seen(recorder)[0] == 3
    assert len(list((tmp_path / "metrics").glob("*.alive"))) == 2
    assert len(list((tmp_path / "metrics").glob("*.db"))) == 2 * len(folder.ROOM) + 2


def test_one_that_finds_nobody_begins_anew(part, recorder):
    dying = part()
    dying.tell("count", "sockets 1")
    dying.kill()
    assert seen(recorder) == (0, 0, 0)


def test_counts_outlive_the_only_worker_of_a_master_that_has_joined(part, recorder):
    master, worker = part(), part()
    master.tell("join")
    worker.tell("count")
    worker.kill()
    part().tell("count")
    assert seen(recorder)[0] == 2


def test_a_fork_counts_for_itself(part, recorder):
    parent = part()
    parent.tell("count", "sockets 1", "fork", "count", "fork")
    assert seen(recorder) == (4, 4, 1)


def test_two_parts_with_the_same_number_do_not_disturb_each_other(recorder, tmp_path):
    """As in containers, where each is process 1."""
    other = Recorder(tmp_path / "metrics")
    REQUESTS.add("GET", "/", "200")
    other.add(SOCKETS, (), 1)
    assert other.folder.identity() != recorder.folder.identity()
    assert seen(recorder) == (1, 0, 1)
    other.folder.leave()


def test_a_folder_that_cannot_be_written_stops_nothing_and_is_one_line_of_the_log(recorder, tmp_path, caplog):
    (tmp_path / "metrics").write_text("a file")
    for _repeat in range(3):
        REQUESTS.add("GET", "/", "200")
        with LOCK_WAIT.timed("board"):
            pass
    recorder.join()
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        "this process counts nothing for /metrics for 60 s"
    ]


@pytest.mark.parametrize(
    "count", [lambda: REQUESTS.add("GET", "/", "200"), lambda: LOCK_WAIT.observe(1, "board"), join]
)
def test_counting_stops_nothing_whatever_is_raised(recorder, monkeypatch, caplog, count):
    monkeypatch.setattr(recorder.folder, "identity", lambda: {}["nothing"])
    count()
    assert "this process counts nothing" in caplog.text


def test_a_scrape_tells_the_other_figures_whatever_is_raised(recorder, monkeypatch, caplog):
    monkeypatch.setattr(recorder.folder, "tidy", lambda: {}["nothing"])
    assert recorder.counted() == []
    assert "the counts of the processes cannot be read" in caplog.text


def test_a_process_that_could_not_count_tries_again_after_a_while(recorder, tmp_path, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    (tmp_path / "metrics").write_text("a file")
    REQUESTS.add("GET", "/", "200")
    (tmp_path / "metrics").unlink()
    REQUESTS.add("GET", "/", "200")
    assert not (tmp_path / "metrics").exists()
    now[0] += 60
    REQUESTS.add("GET", "/", "200")
    assert seen(recorder)[0] == 1


DAMAGED = (1 << 20).to_bytes(4, "little") + b"\xff" * (1 << 21)


def test_a_damaged_file_of_a_living_process_does_not_stop_a_scrape(part, recorder, tmp_path, caplog):
    part().tell("count")
    recorder.join()
    for file in (tmp_path / "metrics").glob("counter_*.db"):
        file.write_bytes(DAMAGED)
    assert Scrape(recorder.counted()).families == []
    assert "the counts of the processes cannot be read" in caplog.text


def test_a_damaged_file_of_a_dead_process_is_dropped(part, recorder, tmp_path, caplog):
    dying = part()
    dying.tell("count")
    recorder.join()
    REQUESTS.add("GET", "/", "200")
    (tmp_path / "metrics" / f"counter_{name_of(dying, tmp_path)}.db").write_bytes(DAMAGED)
    dying.kill()
    assert seen(recorder) == (1, 1, 0)
    assert "are lost, as it cannot be read" in caplog.text


def name_of(part: Part, tmp_path: Path) -> str:
    [alive] = (tmp_path / "metrics").glob(f"{part.process.pid}-*.alive")
    return alive.stem


def full(*_args: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_noticed_before_a_file_is_mapped_and_leaves_nothing(recorder, tmp_path, monkeypatch, caplog):
    """Writing to a mapped file without blocks would kill the process."""
    with monkeypatch.context() as patched:
        patched.setattr(folder.os, "posix_fallocate", full)
        REQUESTS.add("GET", "/", "200")
    assert "No space left on device" in caplog.text
    assert list((tmp_path / "metrics").iterdir()) == []
    assert seen(recorder) == (0, 0, 0)


def test_the_second_file_that_finds_no_room_takes_the_first_along(recorder, tmp_path, monkeypatch):
    rooms = iter([lambda *_args: None, full])
    monkeypatch.setattr(folder.os, "posix_fallocate", lambda *args: next(rooms)(*args))
    recorder.join()
    assert list((tmp_path / "metrics").iterdir()) == []


def test_counts_of_the_dead_wait_for_room_on_a_full_disk(part, recorder, tmp_path, monkeypatch, caplog):
    recorder.join()
    dying = part()
    dying.tell("count", "sockets 2")
    dying.kill()
    with monkeypatch.context() as patched:
        patched.setattr(folder.os, "posix_fallocate", full)
        assert seen(recorder) == (1, 1, 0)
    assert "cannot be added up now: [Errno 28] No space left on device" in caplog.text
    assert not list((tmp_path / "metrics").glob("*past*"))
    assert seen(recorder) == (1, 1, 0)
    assert len(list((tmp_path / "metrics").glob("*.alive"))) == 1


@pytest.mark.parametrize("left", ["counter_past.db", "counter_1-abc.db", "gauge_livesum_1-abc.db", "counter_past.new"])
def test_what_an_older_version_or_a_kill_left_unfinished_is_dropped(part, recorder, tmp_path, left):
    recorder.join()
    (tmp_path / "metrics" / left).write_bytes(b"")
    dying = part()
    dying.tell("count")
    dying.kill()
    assert seen(recorder) == (1, 1, 0)
    assert not (tmp_path / "metrics" / left).exists() or left == "counter_past.db"
    assert {file.stat().st_size for file in (tmp_path / "metrics").glob("*past.db")} == {1 << 21}


def test_without_fallocate_the_files_are_zeros(recorder, tmp_path, monkeypatch):
    monkeypatch.delattr(folder.os, "posix_fallocate")
    REQUESTS.add("GET", "/", "200")
    assert seen(recorder) == (1, 0, 0)
    sizes = [file.stat() for file in (tmp_path / "metrics").glob("*.db")]
    assert all(one.st_blocks * 512 >= one.st_size for one in sizes)


class TestAnotherAccount:
    @pytest.fixture
    def tmp_path(self) -> Iterator[Path]:
        """A folder that another account finds, unlike that of other tests."""
        with TemporaryDirectory() as path:
            yield Path(path)

    @pytest.fixture
    def leave_root(self, tmp_path: Path) -> Iterator[Callable[[], None]]:
        """Have this process act as another account than root, whose folder it is."""
        if os.geteuid() != 0:
            pytest.skip("only root can act as two accounts")

        def leave() -> None:
            tmp_path.chmod(0o755)  # the parts have made it their own
            os.chown(tmp_path / "metrics", 65534, -1)
            os.seteuid(65534)

        yield leave
        os.seteuid(0)

    @pytest.mark.parametrize("mode, counted", [(0o644, 2), (0o600, 0)])
    def test_what_commands_of_root_left_stops_no_other_account(
        self, part, recorder, tmp_path, leave_root, mode, counted
    ):
        place = tmp_path / "metrics"
        part().tell("join")
        past, dying = part(), part()
        past.tell("count")
        past.kill()
        dying.tell("count")
        part().tell("join")  # adds up what the first counted
        dying.kill()
        for file in place.iterdir():
            file.chmod(mode)
        leave_root()
        recorder.join()
        assert seen(recorder)[0] == counted
        assert not list(place.glob(f"*{dying.process.pid}-*"))


def test_one_that_holds_the_folder_for_long_stops_nobody(recorder, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(folder, "PATIENCE", 0.05)
    other = folder.Folder(tmp_path / "metrics")
    with other.guarded():
        REQUESTS.add("GET", "/", "200")
    assert "is held by another process" in caplog.text


def test_the_files_are_for_the_service_alone(recorder, tmp_path):
    recorder.join()
    assert (tmp_path / "metrics").stat().st_mode & 0o077 == 0
