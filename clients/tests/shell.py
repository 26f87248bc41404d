"""The client as people run it, a process of its own, and a server that answers it as a test says."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from taskboard.tests.needs import ROOT
from taskboard.tests.servers import PATIENCE, heed_ctrl_c

PROGRAM = ROOT / "clients" / "taskboard.py"
GUIDE = (ROOT / "docs" / "cli.md").read_text()
HURRIED = str(Path(__file__).parent / "hurried")
NOWHERE = "http://127.0.0.1:9"  # nothing listens there
LOST = 0  # in place of a status: the connection ends without an answer
UNKNOWN = (404, {"error": "There is nothing at this path."})

Answers = dict[str, list[tuple[int, object]]]


@dataclass
class Call:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@contextmanager
def answering(
    answers: Answers, calls: list[Call] | None = None, headers: dict[str, str] | None = None
) -> Iterator[str]:
    """Run a server that gives each path its answers in turn, the last one again and again; yield its address.

    A path may be one of `METHOD path`, path with query, and path. What the server is sent is added to `calls`.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if calls is not None:
                calls.append(Call(self.command, self.path, dict(self.headers), body))
            names = (f"{self.command} {self.path}", self.path, self.path.partition("?")[0])
            coming = next((answers[name] for name in names if name in answers), [UNKNOWN])
            status, answer = coming.pop(0) if len(coming) > 1 else coming[0]
            if status == LOST:
                return
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        do_POST = do_PATCH = do_DELETE = do_GET

        def log_message(self, *_arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class Shell:
    """Runs the client in a home folder of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.kept = home / "config" / "taskboard" / "token.json"
        ours = ("TASKBOARD_", "PYTHON", "LANG", "LC_", "COLUMNS", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        self.environment = inherited | {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "LC_ALL": "C"}

    def start(self, *arguments: str, **environment: str) -> "subprocess.Popen[str]":
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        command = [sys.executable, str(PROGRAM), *arguments]
        everything = self.environment | environment
        return subprocess.Popen(command, env=everything, encoding="utf-8", preexec_fn=heed_ctrl_c, **pipes)

    def run(self, *arguments: str, given: str = "", **environment: str) -> tuple[int, str, str]:
        """Run the client; return its exit code, standard output and standard error."""
        process = self.start(*arguments, **environment)
        out, err = process.communicate(given, timeout=PATIENCE)
        return process.returncode, out, err

    def rows(self, *arguments: str, **environment: str) -> list[dict[str, Any]]:
        """Run the client, which must do what it is told; return its answers as JSON."""
        code, out, err = self.run("--json", *arguments, **environment)
        assert code == 0, err
        return [json.loads(line) for line in out.splitlines()]

    def sign_in(self, url: str, token: str) -> None:
        self.kept.parent.mkdir(parents=True, exist_ok=True)
        self.kept.write_text(json.dumps({"url": url, "token": token}))
