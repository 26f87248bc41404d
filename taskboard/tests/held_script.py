"""A script of a service that is sent only when a test lets it be. Until then each request for it keeps a thread."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from taskboard.tests.servers import Running
from taskboard.tests.waiting import wait_until

PLAIN = {"headers": {"Accept-Encoding": "identity"}}  # else a compressed file is sent, which nobody holds


class HeldScript:
    def __init__(self, data: Path) -> None:
        """Give the data folder static files of its own, before its service starts."""
        folder = data / "static"
        if folder.is_symlink():
            shared = folder.resolve()
            folder.unlink()
            shutil.copytree(shared, folder, copy_function=os.symlink)
        self.file = min(folder.glob("js/*.*.js"))
        self.path = f"/static/{self.file.relative_to(folder)}"
        self.content = self.file.read_bytes()

    @contextmanager
    def held(self, running: Running) -> Iterator[int]:
        """Replace the file by a pipe and yield the end to write into. A request waits for that, or for the end of the block."""
        assert (
            running.get(self.path, **PLAIN).content == self.content
        )  # the service only looks once what kind of file it is
        self.file.unlink()
        os.mkfifo(self.file)
        pipe = os.open(self.file, os.O_RDWR)
        try:
            yield pipe
        finally:
            os.close(pipe)
            self.file.unlink()
            self.file.write_bytes(self.content)

    def wait_for_readers(self, running: Running, number: int) -> None:
        wait_until(lambda: self.readers(running) == number, lambda: f"{self.readers(running)} requests read it")

    def readers(self, running: Running) -> int:
        links = []
        for link in Path(f"/proc/{running.process.pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # closed since it was listed
                links.append(os.readlink(link))
        return links.count(str(self.file.resolve()))
