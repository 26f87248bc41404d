"""How soon open pages are back after `bin/serve` was killed, and when the last of them has the next change.

    .venv/bin/python -m benchmarks.faults.comeback [pages] [seconds down]

It runs on SQLite, or on what DATABASE_URL and REDIS_URL name. The client that holds the pages needs a processor too:
with two processors the figures are about half of what the service alone could do.
"""

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from taskboard.tests.pages import OpenPage, open_pages
from taskboard.tests.people import Person, settle
from taskboard.tests.prepared import begin_run, end_run, prepared_data, prepared_services
from taskboard.tests.servers import ROOT, Running, bare_environment, free_port, wait_for

PATIENCE = 600  # seconds


@contextmanager
def served(environment: dict[str, str], port: int) -> Iterator[Running]:
    """Run `bin/serve`. What it logs is seen at once; a pipe that nobody reads would stop it."""
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    process = subprocess.Popen(command, cwd=ROOT, env=bare_environment() | environment, stdout=subprocess.DEVNULL)
    try:
        running = Running(process, f"http://127.0.0.1:{port}")
        wait_for(running)
        yield running
    finally:
        process.kill()
        process.wait()


async def story(environment: dict[str, str], number: int, down: float) -> None:
    port = free_port()
    with ExitStack() as stack:
        running = stack.enter_context(served(environment, port))
        olga = stack.enter_context(settle(environment, running.url, "olga"))["olga"]
        board = olga.new_board()
        began, spent = time.monotonic(), processor(running)
        async with asyncio.timeout(PATIENCE), open_pages(olga, board, number) as pages:
            took = time.monotonic() - began
            say(f"{number} pages were opened in {took:.1f} s, {processor(running) - spent:.1f} s of processor")
            await pushed(olga, board, pages)
            running.process.kill()
            for page in pages:
                await page.becomes(lambda page: not page.is_back.is_set())
            await asyncio.sleep(down)
            running = await asyncio.to_thread(stack.enter_context, served(environment, port))
            spent = processor(running)
            await returned(pages)
            say(f"the service took {processor(running) - spent:.1f} s of processor for them")
            await pushed(olga, board, pages)


def say(words: str) -> None:
    print(words, flush=True)


async def returned(pages: list[OpenPage]) -> None:
    answers, times = time.monotonic(), []

    async def one(page: OpenPage) -> None:
        await page.is_back.wait()
        times.append(time.monotonic() - answers)

    await asyncio.gather(*(one(page) for page in pages))
    half, most = times[len(times) // 2], times[len(times) * 99 // 100]
    say(f"back after the service answers: half {half:.1f} s, 99 % {most:.1f} s, all {times[-1]:.1f} s")
    say(f"they were asked to spread over {max(page.spread for page in pages):.0f} s")


def processor(running: Running) -> float:
    """Return the seconds of processor time that the service has used."""
    fields = Path(f"/proc/{running.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def pushed(olga: Person, board: dict, pages: list[OpenPage]) -> None:
    version = max(page.version for page in pages) + 1
    await asyncio.to_thread(olga.new_card, board)
    answered = time.monotonic()
    await asyncio.gather(*(page.becomes(lambda page: page.version >= version) for page in pages))
    say(f"a change is on the last page {time.monotonic() - answered:.2f} s after its answer")


def main(number: int, down: float) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    begin_run()
    try:
        with prepared_services() as services, tempfile.TemporaryDirectory() as folder:
            data = prepared_data(Path(folder) / "data")
            environment = {**services, "TASKBOARD_DATA": str(data), "TASKBOARD_LIMITS": "off"}
            asyncio.run(story(environment, number, down))
    finally:
        end_run()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000, float(sys.argv[2]) if len(sys.argv) > 2 else 2)
