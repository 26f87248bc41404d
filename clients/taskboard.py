#!/usr/bin/env python3
"""Taskboard from the command line. One file, Python 3.9 or newer, nothing to install. docs/cli.md describes it."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import http.client
import json
import os
import platform
import re
import socket
import sys
import tempfile
import time
import unicodedata
import urllib.error
import urllib.parse
import urllib.request
import uuid
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

VERSION = "1"
LOCAL = "http://127.0.0.1:8000"
TIMEOUT = 30  # seconds for one call
ATTEMPTS = 4  # how often one call is sent when its answer is lost
SHOWN = 10  # titles or ids in one message
SEE_ALL = "See all with: taskboard.py boards"
LONGEST_WAIT = 3600  # seconds; the command fails when a server asks for more

OK, REFUSED, USAGE, SIGNED_OUT, UNREACHABLE, INTERRUPTED = 0, 1, 2, 3, 4, 130

Json = dict[str, Any]


class Failure(Exception):
    """Ends the command, with a sentence that says what to do and an exit code."""

    def __init__(self, sentence: str, code: int = REFUSED) -> None:
        super().__init__(sentence)
        self.code = code


class Refusal(Failure):
    """The server answered with an error."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence, SIGNED_OUT if status == 401 else REFUSED)
        self.status = status


# Output


def say(text: str = "") -> None:
    """Print for people, to standard error. Standard output is for scripts."""
    print(printable(text), file=sys.stderr, flush=True)


def show(text: str) -> None:
    print(printable(text))


def printable(text: str) -> str:
    """Return the text without control characters, because titles of other people could steer the terminal by them."""
    return "".join(c for c in text if c == "\n" or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))


# The token file: it holds the server's address and the token, and only its owner can read it


def kept_file() -> Path:
    if os.name == "nt":
        folder = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    else:
        folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return folder / "taskboard" / "token.json"


def read_kept() -> Json:
    try:
        kept = json.loads(kept_file().read_text(encoding="utf-8"))
        return {"url": str(kept["url"]), "token": str(kept["token"])}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError):
        raise Failure(
            f"{kept_file()} cannot be read. Delete it, then sign in again with: taskboard.py login", SIGNED_OUT
        ) from None


def keep(url: str, token: str) -> None:
    path = kept_file()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent)  # mode 0600 from the start
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            json.dump({"url": url, "token": token}, file)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def forget() -> None:
    with contextlib.suppress(FileNotFoundError):
        kept_file().unlink()


# The server


class StaysPut(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, because that could send the token to another server."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class Server:
    def __init__(self, url: str, token: str = "") -> None:
        self.url, self.token = url, token
        proxies: dict[str, str] | None = {} if is_this_machine(url) else None
        self.opener = urllib.request.build_opener(StaysPut, urllib.request.ProxyHandler(proxies))

    def get(self, path: str) -> Json:
        return self.call("GET", path)[1]

    def create(self, path: str, body: Json) -> Json:
        """POST `body` and return the answer. It is sent again if the answer is lost; a key prevents duplicates."""
        return self.call("POST", path, body, {"Idempotency-Key": str(uuid.uuid4())})[1]

    def call(self, method: str, path: str, body: Json | None = None, headers: Json | None = None) -> tuple[int, Json]:
        """Return the status and the answer. Waits if the server asks to. Raises Refusal, or Failure if no answer comes."""
        data = None if body is None else json.dumps(body).encode()
        sent = {"User-Agent": f"taskboard.py/{VERSION} ({platform.system()})", **(headers or {})}
        if data is not None:
            sent["Content-Type"] = "application/json"
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(self.url + path, data, sent, method=method)
        repeatable = method != "POST" or "Idempotency-Key" in sent
        lost = 0
        while True:
            try:
                with self.opener.open(request, timeout=TIMEOUT) as answer:
                    return answer.status, self._json(answer.read())
            except urllib.error.HTTPError as error:
                with error:
                    self._refused(error)  # raises, or returns after the wait that the server asked for
            except urllib.error.URLError as error:
                raise self._unreachable(error.reason) from None
            except (http.client.HTTPException, OSError) as error:
                lost += 1
                if lost == ATTEMPTS or not repeatable:
                    raise self._unreachable(error) from None
                time.sleep(2**lost / 4)

    def _refused(self, error: urllib.error.HTTPError) -> None:
        if error.code in (429, 503) and "Retry-After" in error.headers:
            wait = retry_after(error.headers["Retry-After"])
            if wait is not None:
                if wait > 2:
                    say(f"The server asks to wait {wait} s ...")
                time.sleep(wait)
                return
        if 300 <= error.code < 400:
            place = error.headers.get("Location", "")
            raise Failure(f"{self.url} sends on to {place}. Give that address to: taskboard.py login", UNREACHABLE)
        sentence = ""
        with contextlib.suppress(ValueError, OSError, http.client.HTTPException, AttributeError):
            sentence = json.loads(error.read().decode()).get("error", "")
        if error.code == 401 and self.token:
            sentence = "You are not signed in: the token was revoked or has expired. Sign in with: taskboard.py login"
        raise Refusal(error.code, str(sentence) or f"{self.url} answered {error.code}. Is it a Taskboard server?")

    def _json(self, body: bytes) -> Json:
        try:
            value = json.loads(body.decode()) if body else {}
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise Failure(f"{self.url} does not answer like a Taskboard server. Check the address.", UNREACHABLE)
        return value

    def _unreachable(self, reason: object) -> Failure:
        return Failure(f"{self.url} cannot be reached ({reason}). Check the address and the network.", UNREACHABLE)


def retry_after(header: str) -> int | None:
    return int(header) if header.isdecimal() and int(header) <= LONGEST_WAIT else None


def is_this_machine(url: str) -> bool:
    host = urllib.parse.urlsplit(url).hostname or ""
    return host in ("localhost", "::1") or bool(re.fullmatch(r"127(\.\d+){3}", host))


def address(given: str, insecure: bool) -> str:
    """Return the base address of the server. It must be https, but for this machine or `insecure`. Raises Failure."""
    url = given if "://" in given else f"https://{given}"
    parts = urllib.parse.urlsplit(url.rstrip("/"))
    try:
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if not usable or parts.query or parts.fragment or parts.username:
        raise Failure(f"{given} is not an address such as https://boards.example.com.", USAGE)
    if parts.scheme == "http" and not is_this_machine(url) and not insecure:
        raise Failure(
            f"{given} is not encrypted: others on the way could read your token. Use https://, or --insecure-http in a "
            "network that you trust.",
            USAGE,
        )
    return url.rstrip("/")


def signed_in() -> Server:
    token = os.environ.get("TASKBOARD_TOKEN", "")
    if token:
        return Server(address(os.environ.get("TASKBOARD_URL") or LOCAL, insecure=False), token)
    kept = read_kept()
    if not kept:
        raise Failure("You are not signed in. Sign in with: taskboard.py login https://your.server", SIGNED_OUT)
    return Server(kept["url"], kept["token"])


# Commands


def login(options: argparse.Namespace) -> None:
    url = options.url or os.environ.get("TASKBOARD_URL") or read_kept().get("url") or LOCAL
    server = Server(address(url, options.insecure_http))
    _status, flow = server.call(
        "POST", "/api/v1/cli/auth", {"clientName": socket.gethostname()[:100] or "taskboard.py"}
    )
    page = str(flow["verificationUriComplete"])
    say(f"Your code is  {flow['userCode']}")
    say("Compare it and approve here:")
    say(page)
    if not options.no_browser:
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(page)
    token = wait_for_token(server, flow)
    owner = Server(server.url, token).get("/api/v1/me")["user"]
    previous = read_kept_quietly()
    keep(server.url, token)
    revoke_quietly(previous)
    answer(
        options, {"user": owner, "url": server.url}, f"Signed in at {server.url} as {owner['name']} ({owner['email']})."
    )


def wait_for_token(server: Server, flow: Json) -> str:
    told = ""
    while True:
        time.sleep(float(flow.get("interval", 5)))
        try:
            status, found = server.call("POST", "/api/v1/cli/auth/token", {"deviceCode": flow["deviceCode"]})
        except Refusal as refusal:
            words = {403: "Denied in the browser.", 410: "The code has expired. Start again with: taskboard.py login"}
            raise Failure(words.get(refusal.status, str(refusal))) from None
        if status == 200:
            return str(found["token"])
        reason = str(found.get("reason", ""))
        if reason and reason != told:
            say(reason)
            told = reason


def read_kept_quietly() -> Json:
    try:
        return read_kept()
    except Failure:
        return {}


def revoke_quietly(kept: Json) -> None:
    """Revoke the token of the previous sign-in, which nobody could use any more. Failures do not matter."""
    if kept:
        with contextlib.suppress(Failure):
            Server(kept["url"], kept["token"]).call("DELETE", "/api/v1/token")


def logout(options: argparse.Namespace) -> None:
    kept = read_kept()
    if not kept:
        answer(options, {"signedOut": True}, "You were not signed in.")
        return
    try:
        Server(kept["url"], kept["token"]).call("DELETE", "/api/v1/token")
    except Refusal as refusal:
        if refusal.status != 401:  # revoked or expired already
            raise
    except Failure as failure:
        forget()
        raise Failure(
            f"{failure} The token is forgotten here but still valid: revoke it at {kept['url']}/settings/tokens.",
            UNREACHABLE,
        ) from None
    forget()
    answer(options, {"signedOut": True}, f"Signed out of {kept['url']}; the token is revoked.")


def whoami(options: argparse.Namespace) -> None:
    server = signed_in()
    owner = server.get("/api/v1/me")["user"]
    answer(options, {"user": owner, "url": server.url}, f"{owner['name']} ({owner['email']}) at {server.url}")


def boards(options: argparse.Namespace) -> None:
    found = signed_in().get("/api/v1/boards")
    lines = []
    for board in found["boards"]:
        lines.append(f"{board['id']}  {board['title']}")
        lines += [f"{row['id']}    {row['title']}" for row in board["lists"]]
    answer(options, found, "\n".join(lines) or "There is no board yet. Make one with: taskboard.py board new TITLE")


def board_new(options: argparse.Namespace) -> None:
    server = signed_in()
    made = server.create("/api/v1/boards", {"title": options.title, "template": options.template})
    answer(options, made, f"{server.url}{made['board']['url']}")


def add(options: argparse.Namespace) -> None:
    """Add one card with the given words as title, or one for each line of standard input. A refused line is skipped."""
    server = signed_in()
    place = destination(server, options.board, options.list)
    titles = [" ".join(options.title)] if options.title and options.title != ["-"] else titles_from_input()
    failed = 0
    for title in titles:
        body = {**place, "title": title, **({"dueDate": options.due} if options.due else {})}
        try:
            card = server.create("/api/v1/cards", body)["card"]
        except Refusal as refusal:
            if "dueDate" in str(refusal):  # which no other line would change
                raise Failure(str(refusal).replace("dueDate", "--due"), USAGE) from None
            if refusal.status != 400 or options.title not in ([], ["-"]):
                raise
            failed += 1
            say(f"Not added: {title[:60]!r}: {refusal}")
            continue
        answer(options, card, f"{server.url}{card['url']}")
    if failed:
        raise Failure(f"{failed} of the lines could not be added; the others were.")


def titles_from_input() -> Iterator[str]:
    if sys.stdin.isatty():
        say("One card a line; end with Ctrl-D.")
    for line in sys.stdin:
        if line.strip():
            yield line.strip()


def destination(server: Server, board: str | None, row: str | None) -> Json:
    """Return listId or boardId for POST cards, found by the id or title given; else the only board that there is."""
    found: list[Json] = server.get("/api/v1/boards")["boards"]
    if board is not None:
        found = [one_of(found, board, "board")]
    if row is not None:
        rows = [{**each, "on": each_board["title"]} for each_board in found for each in each_board["lists"]]
        return {"listId": one_of(rows, row, "list")["id"]}
    if not found:
        raise Failure("There is no board yet. Make one with: taskboard.py board new TITLE")
    if len(found) > 1:
        raise Failure(f"Say where, with --board or --list. {some_of(found)}", USAGE)
    return {"boardId": found[0]["id"]}


def one_of(things: list[Json], wanted: str, kind: str) -> Json:
    """Return the one with this id, or else the only one with this title, in any case. Raises Failure."""
    same = [thing for thing in things if thing["id"] == wanted]
    same = same or [thing for thing in things if thing["title"].casefold() == wanted.casefold()]
    if len(same) == 1:
        return same[0]
    if not same:
        raise Failure(f"There is no {kind} {wanted!r}. {some_of(things, like=wanted)}")
    more = "" if len(same) <= SHOWN else f", and {len(same) - SHOWN} more. {SEE_ALL}"
    raise Failure(f"Several are called {wanted!r}. Give the id of one: {', '.join(map(with_id, same[:SHOWN]))}{more}")


def some_of(things: list[Json], like: str = "") -> str:
    """Return a sentence with the titles; where there are many, with those that are most like what was wanted."""
    titles = {thing["title"].casefold(): thing["title"] for thing in things}
    if len(titles) <= SHOWN:
        return f"There are: {', '.join(titles.values()) or 'none'}."
    near = difflib.get_close_matches(like.casefold(), titles, SHOWN)
    some = [titles[title] for title in near] or list(titles.values())[:SHOWN]
    return f"There are {len(titles)}, {'the nearest' if near else 'some of them'}: {', '.join(some)}. {SEE_ALL}"


def with_id(thing: Json) -> str:
    return f"{thing['id']} on {thing['on']}" if "on" in thing else thing["id"]


def answer(options: argparse.Namespace, value: Json, text: str) -> None:
    if options.json:
        print(json.dumps(value, ensure_ascii=False), flush=True)
    else:
        show(text)


# The command line


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="taskboard.py",
        description="Taskboard from the command line.",
        epilog="Exit codes: 0 done, 1 refused, 2 wrong usage, 3 not signed in, 4 server not reached, 130 interrupted.",
    )
    top.add_argument("--version", action="version", version=f"taskboard.py {VERSION}")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(  # without a default, which would overwrite what is given before the command
        "--json", action="store_true", default=argparse.SUPPRESS, help="answer with JSON, for scripts"
    )
    top.add_argument("--json", action="store_true", help="answer with JSON, for scripts")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(name: str, function: Any, text: str, within: Any = commands) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = within.add_parser(name, help=text, description=text, parents=[common])
        made.set_defaults(run=function)
        return made

    entry = command("login", login, "Sign in: shows a code that you approve in the browser.")
    entry.add_argument("url", metavar="URL", nargs="?", help=f"the server's address; the last one, or {LOCAL}")
    entry.add_argument("--no-browser", action="store_true", help="do not open a browser")
    entry.add_argument("--insecure-http", action="store_true", help="send the token unencrypted to another machine")
    command("logout", logout, "Sign out: revokes the token and forgets it.")
    command("whoami", whoami, "Show whose account this is.")
    command("boards", boards, "Show the boards and their lists, with their ids.")
    card = command("add", add, "Add a card, or one for each line of standard input.")
    card.add_argument("--board", metavar="B", help="id or title of the board; its first list is used")
    card.add_argument("--list", metavar="L", help="id or title of the list")
    card.add_argument("--due", metavar="D", help="due date, as in 2026-12-01 or 2026-12-01T09:00")
    card.add_argument(
        "title", metavar="TITLE", nargs="*", help="its words; without, or with -, one card a line of input"
    )
    board = commands.add_parser("board", help="Work on boards.", description="Work on boards.", parents=[common])
    new = command("new", board_new, "Make a board.", board.add_subparsers(metavar="COMMAND", required=True))
    new.add_argument("title", metavar="TITLE")
    new.add_argument("--template", metavar="T", default="blank", help="blank, kanban, content or personal")
    return top


def main() -> int:
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    options = parser().parse_args()
    try:
        options.run(options)
        sys.stdout.flush()
    except Failure as failure:
        say(str(failure))
        return failure.code
    except KeyboardInterrupt:
        say("Interrupted.")
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # otherwise Python complains when it ends
        return OK
    return OK


if __name__ == "__main__":
    sys.exit(main())
