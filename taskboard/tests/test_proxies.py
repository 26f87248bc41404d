"""operating/deploy/nginx and operating/deploy/caddy, run by the real nginx and Caddy before the processes of operating/deploy/systemd."""

import json
import re
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from taskboard.tests.people import LIKE_A_BROWSER
from taskboard.tests.prepared import prepared_cast, prepared_data, prepared_services
from taskboard.tests.processes import Process, of_unit, processes
from taskboard.tests.servers import PLAIN_HTTP, ROOT, free_port, last_words, serving, wait_for_port
from taskboard.tests.waiting import PATIENCE, wait_until

HOST = "boards.example.com"
NGINX = """
daemon off; master_process off; pid {folder}/pid; error_log stderr;
events {{ worker_connections 64; }}
http {{
    access_log off; client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
    uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
    {deployed}
}}
"""


@pytest.fixture(scope="module")
def service(
    services: None, any_database: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Process]]:
    """gunicorn and two Daphnes, by the ports that operating/deploy/ gives them."""
    logs = tmp_path_factory.mktemp("logs")
    with prepared_services() as given:
        data = {"TASKBOARD_DATA": str(prepared_data(tmp_path_factory.mktemp("data")))}
        settings = {
            "TASKBOARD_BASE_URL": f"https://{HOST}",
            "TASKBOARD_TRUSTED_PROXIES": "1",
            "TASKBOARD_ACCESS_LOG": "1",
        }
        environment = given | data | settings
        gunicorn, daphne = of_unit("taskboard-http.service"), of_unit("taskboard-live@.service")
        commands = {"8001": gunicorn, "8002": daphne, "8003": daphne}
        started = {port: Process(command, environment, logs / port) for port, command in commands.items()}
        started["8001"].cast = prepared_cast(environment)
        with processes(*started.values()):
            yield started


def deployed(name: str) -> str:
    return (ROOT / "operating" / "deploy" / name).read_text()


def adapted(lines: str, ports: dict[str, int]) -> str:
    """Put the ports of the test into the lines, and nothing else."""
    for deployed_port, port in ports.items():
        assert f"127.0.0.1:{deployed_port}" in lines
        lines = lines.replace(f"127.0.0.1:{deployed_port}", f"127.0.0.1:{port}")
    return lines


@contextmanager
def run(command: list[str], port: int) -> Iterator[int]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for_port(port, process)
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE)


@contextmanager
def run_nginx(program: str, lines: str, folder: Path) -> Iterator[int]:
    port = free_port()
    file = folder / "nginx.conf"
    lines = lines.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    file.write_text(NGINX.format(folder=folder, deployed=lines))
    with run([program, "-p", str(folder), "-c", str(file)], port):
        yield port


@contextmanager
def run_caddy(program: str, lines: str, folder: Path) -> Iterator[int]:
    port = free_port()
    lines = lines.replace(f"{HOST} {{", f"http://{HOST}:{port} {{", 1)
    file = folder / "Caddyfile"
    file.write_text(f"{{\n    admin off\n    auto_https off\n}}\n{lines}\n")
    with run([program, "run", "--adapter", "caddyfile", "--config", str(file)], port):
        yield port


PROXIES: dict[str, tuple[Callable, str]] = {
    "nginx": (run_nginx, "nginx/{}.conf"),
    "caddy": (run_caddy, "caddy/{}.Caddyfile"),
}


@pytest.fixture(scope="module", params=PROXIES)
def proxy(request: pytest.FixtureRequest, service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    start, file = PROXIES[request.param]
    lines = adapted(
        deployed(file.format("several-processes")), {port: process.port for port, process in service.items()}
    )
    with start(request.getfixturevalue(request.param), lines, tmp_path_factory.mktemp(request.param)) as port:
        yield port


PATHS = ["/sign-in", "/api/v1/me", "/mcp"]  # a page and two calls


def ask(proxy: int, path: str, **headers: str) -> httpx.Response:
    return httpx.get(f"http://127.0.0.1:{proxy}{path}", headers={"Host": HOST, **headers}, **PLAIN_HTTP)


def test_pages_are_passed_on_compressed_and_under_the_name_that_was_asked_for(proxy, service):
    answer = ask(proxy, "/sign-in", **{"Accept-Encoding": "gzip"})
    assert answer.status_code == 200
    assert answer.headers["Content-Encoding"] == "gzip"


def test_the_address_of_the_client_is_what_the_proxy_saw(proxy, service):
    ask(proxy, f"/sign-in?{proxy}", **{"X-Forwarded-For": "203.0.113.9"})
    line = service["8001"].log.read_text().splitlines()[-1]
    assert " 127.0.0.1 GET sign-in 200 " in line


def test_the_id_of_a_request_is_that_of_the_proxy_and_not_of_the_client(proxy, service):
    chosen = ask(proxy, "/sign-in", **{"X-Request-Id": "chosen"}).headers["X-Request-Id"]
    assert re.fullmatch(r"[0-9a-f]{32}|[0-9a-f-]{36}", chosen)
    assert f"[{chosen}]" in service["8001"].log.read_text()


def test_open_boards_connect_under_a_real_name_to_every_daphne(proxy, service):
    assert_boards_open(proxy, service["8001"].cast["olga"])


def test_open_boards_connect_while_one_daphne_is_killed(proxy, service):
    olga = service["8001"].cast["olga"]
    service["8003"].kill()
    try:
        assert_boards_open(proxy, olga)
    finally:
        service["8003"].start()


def assert_boards_open(proxy: int, olga: dict[str, Any]) -> None:
    headers = {"Host": HOST, "Authorization": f"Bearer {olga['tokens'][0]}"}
    url = f"http://127.0.0.1:{proxy}/api/v1/boards"
    board = httpx.post(url, json={"title": "Launch", "template": "kanban"}, headers=headers, **PLAIN_HTTP).json()[
        "board"
    ]
    with ExitStack() as open_boards:
        for _page in range(4):
            options = {
                "origin": f"https://{HOST}",
                "additional_headers": {"Cookie": f"__Host-sessionid={olga['session']}"},
            }
            line = socket.create_connection(("127.0.0.1", proxy))
            page = open_boards.enter_context(
                connect(f"ws://{HOST}/ws/board/{board['id']}", sock=line, **LIKE_A_BROWSER, **options)
            )
            assert json.loads(page.recv(timeout=PATIENCE))["board"] == board["id"]


def test_while_gunicorn_is_away_clients_are_told_when_to_come_back(proxy, service):
    service["8001"].stop()
    try:
        answers = [ask(proxy, path) for path in PATHS]
    finally:
        service["8001"].start()
    assert_told_to_come_back(*answers)
    wait_until(lambda: ask(proxy, "/livez").status_code == 200)


def assert_told_to_come_back(page: httpx.Response, *calls: httpx.Response) -> None:
    assert (page.status_code, page.headers["Retry-After"]) == (503, "2")
    assert page.headers["Content-Type"].startswith("text/html")
    assert "Taskboard is starting" in page.text
    for call in calls:
        assert (call.status_code, call.headers["Retry-After"]) == (503, "2")
        assert call.headers["Content-Type"] == "application/json"
        assert call.json() == {"error": "The service is starting. Try again in a moment."}


@pytest.mark.parametrize("name", PROXIES)
def test_before_bin_serve_pages_and_open_boards_are_passed_on_and_clients_told_when_it_is_away(
    processes: None, request: pytest.FixtureRequest, tmp_path: Path, name: str
):
    start, file = PROXIES[name]
    port = free_port()
    lines = adapted(deployed(file.format("one-process")), {"8000": port})
    data = {"TASKBOARD_DATA": str(prepared_data(tmp_path / "data"))}
    environment = data | {"TASKBOARD_BASE_URL": f"https://{HOST}", "TASKBOARD_TRUSTED_PROXIES": "1"}
    with start(request.getfixturevalue(name), lines, tmp_path) as proxy:
        with serving(environment, port=port) as running:
            page = ask(proxy, "/sign-in")
            assert page.status_code == 200, page.text + last_words(running)
            assert_boards_open(proxy, prepared_cast(environment)["olga"])
        assert_told_to_come_back(*(ask(proxy, path) for path in PATHS))
