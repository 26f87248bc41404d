"""Upload and download a file of 20 MB, beside plain nginx with the same bytes: MB a second, and memory above rest.

    .venv/bin/python -m benchmarks.attachments [turns]

nginx takes and gives files by itself (`dav_methods PUT`): it checks nothing, computes no digest, writes no row. What stands
between its figures and ours is the price of all that. gunicorn and `bin/serve` answer without nginx in front of them.
"""

import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import httpx

from benchmarks import servers
from benchmarks.export import embedded_database, resident
from benchmarks.results import record

SIZE = 20_000_000  # bytes
AT_ONCE = 4
NGINX = """
worker_processes 1; pid {folder}/pid; error_log {folder}/errors; daemon off;
events {{ worker_connections 64; }}
http {{
    access_log off; client_max_body_size 30m; client_body_temp_path {folder}/bodies; proxy_temp_path {folder}/p;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s; sendfile on;
    server {{ listen 127.0.0.1:{port}; root {folder}/files; dav_methods PUT; }}
}}
"""


@contextlib.contextmanager
def nginx() -> Iterator[tuple[int, int]]:
    """Run nginx with a folder of its own; yield its port and process id."""
    folder, port = Path(tempfile.mkdtemp(prefix="taskboard-nginx-")), servers.free_port()
    folder.chmod(0o755)
    (folder / "files").mkdir(mode=0o777)
    (folder / "files").chmod(0o777)
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=port))
    process = subprocess.Popen(["/usr/sbin/nginx", "-c", str(folder / "nginx.conf"), "-p", str(folder)])
    try:
        servers.wait_for(port)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(10)


def peak_of(pid: int, work: Callable[[], None]) -> tuple[float, float]:
    """Return the seconds that the work took, and by how many MB the process and its children grew at most."""
    rest = peak = resident(pid)
    with ThreadPoolExecutor(1) as pool:
        began = time.perf_counter()
        running = pool.submit(work)
        while not running.done():
            peak = max(peak, resident(pid))
            time.sleep(0.02)
        running.result()
        return time.perf_counter() - began, peak - rest


def told(what: str, pid: int, turns: int, once: Callable[[], None]) -> None:
    for at_once in (1, AT_ONCE):
        timed = [peak_of(pid, partial(side_by_side, once, at_once)) for _turn in range(turns)]
        rate = statistics.median(at_once * SIZE / 1e6 / took for took, _more in timed)
        more = max(more for _took, more in timed)
        print(f"{what}, {at_once} at once: {rate:.0f} MB/s, {more:.0f} MB more memory", flush=True)
        memory = f", {more:.0f} MB" if round(more) else ""
        record("attachments", what, {"1" if at_once == 1 else f"{at_once} at once": f"{rate:.0f} MB/s{memory}"})


def side_by_side(once: Callable[[], None], times: int) -> None:
    with ThreadPoolExecutor(times) as pool:
        for running in [pool.submit(once) for _time in range(times)]:
            running.result()


def downloaded(client: httpx.Client, address: str) -> None:
    got = 0
    with client.stream("GET", address) as answer:
        answer.raise_for_status()
        for part in answer.iter_raw(256 * 1024):
            got += len(part)
    assert got == SIZE, got


def plain(turns: int, content: bytes) -> None:
    with (
        nginx() as (port, pid),
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False) as client,
    ):
        names = iter(range(10_000))

        def upload() -> None:
            client.put(f"/{next(names)}", content=content).raise_for_status()

        told("nginx, upload", pid, turns, upload)
        told("nginx, download", pid, turns, lambda: downloaded(client, "/0"))


def ours(kind: str, port: int, pid: int, turns: int, content: bytes) -> None:
    session, card = made_card()
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120, trust_env=False) as client:
        client.cookies.set("sessionid", session, domain="127.0.0.1")
        client.get(f"/board/{card.board_id}").raise_for_status()
        token = client.cookies["csrftoken"]

        def upload() -> None:
            answer = client.post(
                f"/card/{card.pk}/attachments",
                files={"file": ("some.bin", content)},
                headers={"X-CSRFToken": token, "HX-Request": "true", "Origin": str(client.base_url)},
            )
            answer.raise_for_status()

        told(f"{kind}, upload", pid, turns, upload)
        address = f"/attachments/{card.attachments.order_by('pk')[0].pk}"
        told(f"{kind}, download", pid, turns, lambda: downloaded(client, address))


def made_card():  # type: ignore[no-untyped-def]  # Django is set up here, not at the import
    import django

    django.setup()
    from accounts.models import Plan, User
    from boards.actions.boards.board import create_board
    from boards.actions.cards.card import create_card
    from boards.actor import Actor
    from taskboard.tests.settle import signed_in

    Plan.objects.update(max_board_bytes=None, max_account_bytes=None)
    user = User.objects.create_user("much@example.com", None, name="Much", plan_id="pro")
    board = create_board(actor=Actor(user), title="Board", template="kanban")
    return signed_in(user), create_card(actor=Actor(user), list_id=board.lists.all()[0].pk, title="Card")


def run(kind: str, turns: int) -> None:
    content = os.urandom(SIZE)
    if kind == "nginx":
        plain(turns, content)
    elif kind == "gunicorn":
        with servers.database(), servers.gunicorn_process() as (port, pid):
            ours(kind, port, pid, turns, content)
    else:
        with embedded_database(), servers.embedded_process() as (port, pid):
            ours(kind, port, pid, turns, content)


def main(turns: int) -> None:
    for kind in (
        "nginx",
        "gunicorn",
        "embedded",
        "nginx",
    ):  # in a process each; nginx twice, for the noise of the machine
        subprocess.run([sys.executable, "-m", "benchmarks.attachments", str(turns), kind], cwd=servers.ROOT, check=True)


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    if len(sys.argv) > 2:
        run(sys.argv[2], wanted)
    else:
        main(wanted)
