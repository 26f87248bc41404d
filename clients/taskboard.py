#!/usr/bin/env python3
"""Taskboard from the command line. One file, Python 3.9 or newer, nothing to install. docs/cli.md describes it."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import functools
import http.client
import itertools
import json
import mimetypes
import os
import platform
import re
import shutil
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
import zoneinfo
from collections.abc import Iterator
from datetime import date, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any, Callable, NoReturn, TextIO

VERSION = "1"
LOCAL = "http://127.0.0.1:8000"
TIMEOUT = 30  # seconds for one call
ATTEMPTS = 4  # how often one call is sent when its answer is lost
SHOWN = 10  # titles or ids in one message
SEE_ALL = "See all with: taskboard.py boards"
LONGEST_WAIT = 3600  # seconds; the command fails when a server asks for more
LONGEST_OUTAGE = 60  # seconds that one call waits in all while the server says that it is not available
PAGE, MOST_PAGES = 200, 50  # rows of one page, pages of one collection
LIMIT = 200  # cards that one command shows
SET_ATTEMPTS = 8  # how often labels or people are set when others change the card meanwhile
CHUNK = 1 << 16  # bytes of a file that are read at a time
UNSEEN = ("Cc", "Cf", "Cs")  # Unicode categories of what steers a terminal and shows nothing itself
ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
OPTIONS = {"dueDate": "--due", "startDate": "--start", "dueBefore": "--due-before"}  # by the API's names
NO_BOARD = "There is no board yet. Make one with: taskboard.py board new TITLE"
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DATES = "today, tomorrow, a weekday such as fri, +3d, +2w, next week, or a date such as 2026-12-01"

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
        for field, option in OPTIONS.items():
            sentence = sentence.replace(field, option)
        super().__init__(sentence, SIGNED_OUT if status == 401 else REFUSED)
        self.status = status


# Output


def say(text: str = "") -> None:
    """Print for people, to standard error. Standard output is for scripts."""
    write(printable(text), sys.stderr)


def write(text: str, stream: TextIO) -> None:
    """Print. Where nobody reads it any more, go on without, so that all that was asked for is done. Raises Failure."""
    try:
        print(text, file=stream, flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # otherwise Python complains when it ends
        if not isinstance(error, BrokenPipeError):
            raise Failure(f"The answer cannot be written: {error.strerror}.") from None


def printable(text: str) -> str:
    """Return the text without control characters, because titles of other people could steer the terminal by them."""
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in UNSEEN)


def json_line(value: Json) -> str:
    """Return the value as JSON on one line, which escapes what `printable` leaves out."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(json.dumps(c)[1:-1] if unicodedata.category(c) in UNSEEN else c for c in text)


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

    def create(self, path: str, body: Json | Upload) -> Json:
        """POST `body` and return the answer. It is sent again if the answer is lost; a key prevents duplicates."""
        return self.call("POST", path, body, {"Idempotency-Key": str(uuid.uuid4())})[1]

    def act(self, path: str, body: Json) -> Json:
        """POST an act, which may be repeated without harm, and return the answer."""
        return self.call("POST", path, body, repeatable=True)[1]

    def pages(self, path: str, query: list[tuple[str, str]], name: str) -> Iterator[Json]:
        """Yield the rows of a collection; the next page is asked for when it is needed."""
        more: list[tuple[str, str]] = []
        for _page in range(MOST_PAGES):
            found = self.get(f"{path}?{urllib.parse.urlencode([*query, *more])}")
            yield from found[name]
            if not found.get("nextCursor"):
                return
            more = [("cursor", found["nextCursor"])]
        say(f"There is more than {MOST_PAGES} pages; the rest was not asked for.")

    def call(
        self,
        method: str,
        path: str,
        body: Json | Upload | None = None,
        headers: Json | None = None,
        repeatable: bool = False,
    ) -> tuple[int, Json]:
        """Return the status and the answer. Waits if the server asks to. Raises Refusal, or Failure if no answer comes."""
        data: Any = body if body is None or isinstance(body, Upload) else json.dumps(body).encode()
        sent = {"User-Agent": f"taskboard.py/{VERSION} ({platform.system()})", **(headers or {})}
        if isinstance(body, Upload):
            sent.update({"Content-Type": body.content_type, "Content-Length": str(body.length)})
        elif body is not None:
            sent["Content-Type"] = "application/json"
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(self.url + path, data, sent, method=method)
        repeatable = repeatable or method != "POST" or "Idempotency-Key" in sent
        lost, waited = 0, 0
        while True:
            try:
                with self.opener.open(request, timeout=TIMEOUT) as answer:
                    return answer.status, self._json(answer.read())
            except urllib.error.HTTPError as error:
                with error:
                    waited += self._waited_for(error, waited) or self._refused(error)
            except urllib.error.URLError as error:
                if isinstance(body, Upload) and isinstance(error.reason, (BrokenPipeError, ConnectionResetError)):
                    raise Failure("The server ended the connection while it was sent: it may be too large.") from None
                raise self._unreachable(error.reason) from None
            except (http.client.HTTPException, OSError) as error:
                lost += 1
                if lost == ATTEMPTS or not repeatable:
                    raise self._unreachable(error) from None
                time.sleep(2**lost / 4)

    def _waited_for(self, error: urllib.error.HTTPError, waited: int) -> int:
        """Wait as the server asks. Return the seconds, 0 if it asks for no wait or for one that is too long."""
        wait = retry_after(error.headers.get("Retry-After", "")) if error.code in (429, 503) else 0
        if error.code == 503 and waited + wait > LONGEST_OUTAGE:
            return 0
        if wait > 2 or (wait and error.code == 503 and not waited):
            say(f"The server asks to wait {wait} s ...")
        time.sleep(wait)
        return wait

    def _refused(self, error: urllib.error.HTTPError) -> NoReturn:
        if 300 <= error.code < 400:
            place = error.headers.get("Location", "")
            raise Failure(f"{self.url} sends on to {place}. Give that address to: taskboard.py login", UNREACHABLE)
        sentence = ""
        with contextlib.suppress(ValueError, OSError, http.client.HTTPException, AttributeError):
            sentence = json.loads(error.read().decode()).get("error", "")
        if error.code == 401 and self.token:
            sentence = "You are not signed in: the token was revoked or has expired. Sign in with: taskboard.py login"
            if self.token == token_of_environment():  # which signing in would not change
                sentence = (
                    "The token in TASKBOARD_TOKEN was revoked or has expired. Set it to another one, or unset it."
                )
        raise Refusal(error.code, str(sentence) or f"{self.url} answered {error.code}. Is it a Taskboard server?")

    def _json(self, body: bytes) -> Json:
        try:
            value = json.loads(body.decode()) if body else {}
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise self.other_answer()
        return value

    def other_answer(self) -> Failure:
        return Failure(f"{self.url} does not answer like a Taskboard server. Check the address.", UNREACHABLE)

    def _unreachable(self, reason: object) -> Failure:
        return Failure(f"{self.url} cannot be reached ({reason}). Check the address and the network.", UNREACHABLE)


class Upload:
    """The form that carries a file. Whenever it is sent, the file is read from the disk, piece by piece."""

    def __init__(self, path: Path) -> None:
        boundary = uuid.uuid4().hex
        name = re.sub(r'["\r\n]', lambda found: f"%{ord(found[0]):02X}", path.name)  # as browsers do
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\nContent-Type: {kind}\r\n\r\n'
        self.path, self.size = path, path.stat().st_size
        self.head, self.tail = head.encode(errors="replace"), f"\r\n--{boundary}--\r\n".encode()
        self.content_type = f"multipart/form-data; boundary={boundary}"
        self.length = len(self.head) + self.size + len(self.tail)

    def __iter__(self) -> Iterator[bytes]:
        yield self.head
        left = self.size
        with open(self.path, "rb") as file:
            while left:
                piece = file.read(min(CHUNK, left))
                if not piece:
                    raise Failure(f"{self.path} became shorter while it was sent.")
                left -= len(piece)
                yield piece
        yield self.tail


def retry_after(header: str) -> int:
    return max(1, int(header)) if header.isdecimal() and int(header) <= LONGEST_WAIT else 0


def is_this_machine(url: str) -> bool:
    host = urllib.parse.urlsplit(url).hostname or ""
    return host in ("localhost", "::1") or bool(re.fullmatch(r"127(\.\d+){3}", host))


def address(given: str, insecure: bool) -> str:
    """Return the base address of the server. It must be https, but for this machine or `insecure`. Raises Failure."""
    url = given if "://" in given else f"https://{given}"
    try:
        parts = urllib.parse.urlsplit(url.rstrip("/"))
        host = parts.netloc.encode("idna").decode().lower()  # as the network knows a name of other letters
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if not usable or parts.query or parts.fragment or parts.username or not parts.path.isascii():
        raise Failure(f"{given} is not an address such as https://boards.example.com.", USAGE)
    url = parts._replace(netloc=host).geturl()
    if parts.scheme == "http" and not is_this_machine(url) and not insecure:
        raise Failure(
            f"{given} is not encrypted: others on the way could read your token. Use https://, or --insecure-http in a "
            "network that you trust.",
            USAGE,
        )
    return url


def token_of_environment() -> str:
    return os.environ.get("TASKBOARD_TOKEN", "").strip()


def signed_in() -> Server:
    token = token_of_environment()
    if not re.fullmatch("[!-~]*", token):
        raise Failure("TASKBOARD_TOKEN is not a token: it has spaces or letters that no token has.", USAGE)
    if token:
        return Server(address(os.environ.get("TASKBOARD_URL") or LOCAL, insecure=False), token)
    kept = read_kept()
    if not kept:
        raise Failure("You are not signed in. Sign in with: taskboard.py login https://your.server", SIGNED_OUT)
    return Server(kept["url"], kept["token"])


# What people call things: titles, names, numbers, addresses, days


class Workspace:
    """Finds boards, lists, labels, people and cards by what people call them. Each board is read once."""

    def __init__(self, server: Server, board: str | None = None) -> None:
        self.server = server
        self.named = (os.environ.get("TASKBOARD_BOARD") or None) if board is None else board
        self.wholes: dict[str, Json] = {}

    @functools.cached_property
    def boards(self) -> list[Json]:
        found: list[Json] = self.server.get("/api/v1/boards")["boards"]
        return found

    @functools.cached_property
    def zone(self) -> tzinfo | None:
        """The time zone of the account, or None for this machine's if the server does not tell it."""
        try:
            found = self.server.get("/api/v1/account")
            return zoneinfo.ZoneInfo(found.get("account", found)["timeZone"])
        except Refusal as refusal:
            if refusal.status == 401:
                raise
        except (KeyError, TypeError, ValueError, OSError):  # no such zone on this machine
            pass
        return None

    def board(self) -> Json:
        """Return the board of --board or TASKBOARD_BOARD, or else the only one. Raises Failure."""
        if self.named is not None:
            return one_of(self.boards, self.named, "board")
        if not self.boards:
            raise Failure(NO_BOARD)
        if len(self.boards) > 1:
            raise Failure(f"Say where, with --board. {some_of(self.boards, 'board')}", USAGE)
        return self.boards[0]

    def row(self, wanted: str, board: Json | None = None) -> Json:
        """Return the list with this id or title: of the board, or else of the named one, or else of any."""
        if board is None and self.named is not None and not ID.fullmatch(wanted):
            board = self.board()
        within = [board] if board else self.boards
        rows = [{**row, "on": each["title"], "boardId": each["id"]} for each in within for row in each["lists"]]
        return one_of(rows, wanted, "list")

    def whole(self, board_id: str) -> Json:
        """Return the board with its labels and members, which have their name as title too."""
        if board_id not in self.wholes:
            found = self.server.get(f"/api/v1/boards/{board_id}")["board"]
            for each in [*found["labels"], *found["members"]]:
                each["title"] = each["name"]
            self.wholes[board_id] = found
        return self.wholes[board_id]

    def label(self, board_id: str, wanted: str) -> Json:
        return one_of(self.whole(board_id)["labels"], wanted, "label")

    def person(self, board_id: str, wanted: str) -> Json:
        if wanted.casefold() == "me":
            wanted = self.server.get("/api/v1/me")["user"]["id"]
        return one_of(self.whole(board_id)["members"], wanted, "person")

    def card(self, wanted: str, board_id: str | None = None) -> Json:
        """Return the card with this number on the board, or this id or address, in full. Raises Failure."""
        path = self._path_of_card(wanted, board_id)
        try:
            card: Json = self.server.get(path)["card"]
        except Refusal as refusal:
            if refusal.status != 404:
                raise
            raise Failure(f"There is no card {wanted}, or you cannot see it.") from None
        return card

    def _path_of_card(self, wanted: str, board_id: str | None) -> str:
        number = re.fullmatch(r"#?([0-9]{1,9})", wanted.strip())
        if number:
            return f"/api/v1/boards/{board_id or self.board()['id']}/cards/{int(number[1])}"
        try:
            address = urllib.parse.urlsplit(wanted)
        except ValueError:  # no address either
            address = urllib.parse.urlsplit("")
        if address.scheme and not wanted.startswith(f"{self.server.url}/"):
            raise Failure(f"{wanted} is not on {self.server.url}, where you are signed in.")
        found = ID.fullmatch(urllib.parse.parse_qs(address.query).get("card", [wanted])[0])
        if not found:
            raise Failure(f"{wanted!r} is not a card. Give its number, as in 12, its id or its address.", USAGE)
        return f"/api/v1/cards/{found[0]}"

    def day(self, wanted: str | None, option: str) -> str | None:
        """Return the date that the words mean, as the API takes it; None for none. Raises Failure."""
        words = " ".join(("none" if wanted is None else wanted).split()).casefold()
        if words == "none" or re.match(r"[0-9]{4}-?[0-9]{2}-?[0-9]{2}", words):
            return None if words == "none" else wanted
        found = day_in_words(words, lambda: datetime.now(self.zone).date())
        if found is None:
            raise Failure(f"{option} {wanted!r} is not understood. Write {DATES}.", USAGE)
        return found.isoformat()


def day_in_words(words: str, today: Callable[[], date]) -> date | None:
    """Return the day; a weekday is the next one after today, and next week begins on Monday. None for other words."""
    ahead = re.fullmatch(r"\+ ?([0-9]{1,4}) ?([dw])", words)
    weekday = [place for place, name in enumerate(WEEKDAYS) if len(words) > 2 and name.startswith(words)]
    if words in ("today", "tomorrow"):
        return today() + timedelta(words == "tomorrow")
    if ahead:
        return today() + timedelta(int(ahead[1]) * (7 if ahead[2] == "w" else 1))
    if not weekday and words not in ("next week", "next-week"):
        return None
    now = today()
    return now + timedelta((sum(weekday) - now.weekday() - 1) % 7 + 1)


def one_of(things: list[Json], wanted: str, kind: str) -> Json:
    """Return the one with this id, or else the only one with this title, in any case. Raises Failure."""
    same = [thing for thing in things if thing["id"] == wanted]
    same = same or [thing for thing in things if thing["title"].casefold() == wanted.casefold()]
    if len(same) == 1:
        return same[0]
    if not same:
        raise Failure(f"There is no {kind} {wanted!r}. {some_of(things, kind, like=wanted)}")
    more = "" if len(same) <= SHOWN else f", and {len(same) - SHOWN} more.{see_all(kind)}"
    raise Failure(f"Several are called {wanted!r}. Give the id of one: {', '.join(map(with_id, same[:SHOWN]))}{more}")


def some_of(things: list[Json], kind: str, like: str = "") -> str:
    """Return a sentence with the titles; where there are many, with those that are most like what was wanted."""
    titles = {thing["title"].casefold(): thing["title"] for thing in things}
    if len(titles) <= SHOWN:
        return f"There are: {', '.join(titles.values()) or 'none'}."
    near = difflib.get_close_matches(like.casefold(), titles, SHOWN)
    some = [titles[title] for title in near] or list(titles.values())[:SHOWN]
    return f"There are {len(titles)}, {'the nearest' if near else 'some of them'}: {', '.join(some)}.{see_all(kind)}"


def see_all(kind: str) -> str:
    return f" {SEE_ALL}" if kind in ("board", "list") else ""


def with_id(thing: Json) -> str:
    return f"{thing['id']} on {thing['on']}" if "on" in thing else thing["id"]


# Commands: signing in, boards, new cards


def login(options: argparse.Namespace) -> None:
    url = options.url or os.environ.get("TASKBOARD_URL") or read_kept().get("url") or LOCAL
    server = Server(address(url, options.insecure_http))
    _status, flow = server.call(
        "POST", "/api/v1/cli/auth", {"clientName": socket.gethostname()[:100] or "taskboard.py"}
    )
    if not {"deviceCode", "userCode", "verificationUriComplete"} <= flow.keys():
        raise server.other_answer()
    page = str(flow["verificationUriComplete"])
    say(f"Your code is  {flow['userCode']}")
    say("Compare it and approve here:")
    say(page)
    if not options.no_browser and page.startswith(("https://", "http://")):  # others could start a program
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(page)
    token = wait_for_token(server, flow)
    previous = read_kept_quietly()
    try:
        owner = Server(server.url, token).get("/api/v1/me")["user"]
        keep(server.url, token)
    except BaseException as error:
        revoke_quietly({"url": server.url, "token": token})  # nobody could use it
        if isinstance(error, OSError):
            raise Failure(f"{kept_file()} cannot be written: {error.strerror}.") from None
        raise
    revoke_quietly(previous)
    answer(
        options, {"user": owner, "url": server.url}, f"Signed in at {server.url} as {owner['name']} ({owner['email']})."
    )
    if token_of_environment():
        say("Commands still use the token in TASKBOARD_TOKEN. To use this sign-in, unset TASKBOARD_TOKEN.")


def wait_for_token(server: Server, flow: Json) -> str:
    told = ""
    while True:
        time.sleep(float(flow.get("interval", 5)))
        try:
            code = {"deviceCode": flow["deviceCode"]}
            status, found = server.call("POST", "/api/v1/cli/auth/token", code, repeatable=True)
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
    space = Workspace(signed_in(), options.board)
    fields = fields_of_new(space, options)
    titles = [" ".join(options.title)] if options.title and options.title != ["-"] else titles_from_input()
    failed = 0
    for title in titles:
        try:
            card = space.server.create("/api/v1/cards", {**fields, "title": title})["card"]
        except Refusal as refusal:
            if "--due" in str(refusal) or "--start" in str(refusal):  # which no other line would change
                raise Failure(str(refusal), USAGE) from None
            if refusal.status != 400 or options.title not in ([], ["-"]):
                raise
            failed += 1
            say(f"Not added: {title[:60]!r}: {refusal}")
            continue
        if options.top:
            fields["place"] = {"after": card["id"]}  # so that lines stay in their order
        answer(options, card, f"{space.server.url}{card['url']}")
    if failed:
        raise Failure(f"{failed} of the lines could not be added; the others were.")


def fields_of_new(space: Workspace, options: argparse.Namespace) -> Json:
    """Return the fields of POST cards that the options give; the place is the only board if they give none."""
    due, start = space.day(options.due, "--due"), space.day(options.start, "--start")
    row = space.row(options.list) if options.list is not None else None
    board = row["boardId"] if row else space.board()["id"]
    fields: Json = {"listId": row["id"]} if row else {"boardId": board}
    fields.update({name: value for name, value in (("dueDate", due), ("startDate", start)) if value})
    if options.label:
        fields["labelIds"] = [space.label(board, name)["id"] for name in options.label]
    if options.assign:
        fields["assigneeIds"] = [space.person(board, name)["id"] for name in options.assign]
    if options.top:
        fields["place"] = "top"
    return fields


def titles_from_input() -> Iterator[str]:
    if sys.stdin.isatty():
        say("One card a line; end with Ctrl-D.")
    for line in sys.stdin:
        if line.strip():
            yield line.strip()


def answer(options: argparse.Namespace, value: Json, text: str) -> None:
    write(json_line(value) if options.json else printable(text), sys.stdout)


# Commands: cards


def list_cards(options: argparse.Namespace) -> None:
    """Show cards by list. The server searches all boards at once, so cards that are elsewhere are left out here."""
    space = Workspace(signed_in(), options.board)
    row = space.row(options.list) if options.list is not None else None
    everywhere = options.board is None and (options.mine or options.words)
    board_id = row["boardId"] if row else None if everywhere else space.board()["id"]
    path = f"/lists/{row['id']}" if row else f"/boards/{board_id}" if board_id else ""
    path = f"/api/v1{'' if options.words else path}/cards"
    found = space.server.pages(path, filters(space, options, board_id), "cards")
    name, home = ("listId", row["id"]) if row else ("boardId", board_id)
    cards = list(itertools.islice((card for card in found if home in (None, card[name])), options.limit + 1))
    shown = cards[: options.limit]
    if options.json:
        for card in shown:
            answer(options, card, "")
    else:
        write(printable("\n".join(card_table(space, shown)) or "There are no such cards."), sys.stdout)
    if len(cards) > len(shown):
        say(f"There are more than {options.limit}. Show more with --limit.")


def filters(space: Workspace, options: argparse.Namespace, board_id: str | None) -> list[tuple[str, str]]:
    states = {"done": ["done"], "archived": ["archived"], "all": ["open", "done", "archived"]}
    query = [("status", state) for state in states.get(options.state, ["open"])]
    query += [("q", " ".join(options.words))] if options.words else [("sort", "board")]
    query += [("limit", str(PAGE if options.words else min(PAGE, options.limit + 1)))]
    query += [("assignee", "me")] * options.mine
    query += [("label", found) for name in options.label for found in labels_called(space, name, board_id)]
    before = space.day(options.due_before, "--due-before")
    return [*query, ("dueBefore", before)] if before else query


def labels_called(space: Workspace, name: str, board_id: str | None) -> list[str]:
    """Return the ids of all labels with this name on the board, or on all boards. Raises Failure if there is none."""
    boards = [board_id] if board_id else [board["id"] for board in space.boards]
    labels = [label for each in boards for label in space.whole(each)["labels"]]
    found = [label["id"] for label in labels if name.casefold() == label["title"].casefold()]
    return found or [one_of(labels, name, "label")["id"]]


def show_card(options: argparse.Namespace) -> None:
    space = Workspace(signed_in(), options.board)
    card = space.card(options.card)
    path = f"/api/v1/cards/{card['id']}/comments"
    found = space.server.pages(path, [("limit", str(PAGE))], "comments") if card["commentCount"] else iter(())
    card["comments"] = list(found)
    answer(options, card, "" if options.json else "\n".join(card_page(space, card)))


def act(options: argparse.Namespace) -> None:
    """Complete, reopen, archive or restore cards."""
    space = Workspace(signed_in(), options.board)

    def act_on(wanted: str) -> None:
        found = space.server.act(f"/api/v1/cards/{space.card(wanted)['id']}/{options.act}", {})
        card, following = found["card"], found.get("next")
        words = {"complete": "done", "reopen": "open again", "archive": "archived", "restore": "restored"}[options.act]
        if following:  # the next occurrence of a card that repeats
            card["next"] = following
            words += f"; the next one is #{following['number']}, due {due_of(space, following)}"
        tell(options, card, words)

    for_each(options.card, act_on)


def for_each(wanted: list[str], do: Callable[[str], None]) -> None:
    """Do it for each, and go on after one that is refused, which then is the exit code."""
    failed = 0
    for each in wanted:
        try:
            do(each)
        except Failure as failure:
            if failure.code != REFUSED or len(wanted) == 1:
                raise
            failed += 1
            say(f"{each}: {failure}")
    if failed:
        raise Failure(f"{failed} of {len(wanted)} were refused; the others are done.")


def move(options: argparse.Namespace) -> None:
    """Move a card on its board, or to another one. Without --list it stays in its list, or goes beside its neighbor."""
    neighbors = [each for each in (options.before, options.after) if each is not None]
    if not (options.list or options.to_board is not None or options.top or neighbors):
        raise Failure("Say where to, with --list, --to-board, --top, --before or --after.", USAGE)
    space = Workspace(signed_in(), options.board)
    card = space.card(options.card)
    there = (
        one_of(space.boards, options.to_board, "board")
        if options.to_board is not None
        else space.whole(card["boardId"])
    )
    body: Json = {"place": "top" if options.top else "bottom"}
    if neighbors:
        neighbor = space.card(neighbors[0], there["id"])
        body = {"place": {"before" if options.after is None else "after": neighbor["id"]}, "listId": neighbor["listId"]}
    if options.list is not None:
        body["listId"] = space.row(options.list, None if ID.fullmatch(options.list) else there)["id"]
    elif options.to_board is not None and "listId" not in body:
        if not there["lists"]:
            raise Failure(f"There is no list on {there['title']} yet.")
        body["listId"] = there["lists"][0]["id"]
    moved = space.server.act(f"/api/v1/cards/{card['id']}/move", body)["card"]
    tell(options, moved, f"moved to {place_of(space, moved)}")


def due(options: argparse.Namespace) -> None:
    space = Workspace(signed_in(), options.board)
    day = space.day(" ".join(options.day), "The date")
    path = f"/api/v1/cards/{space.card(options.card)['id']}"
    card = space.server.call("PATCH", path, {"dueDate": day})[1]["card"]
    tell(options, card, f"due {due_of(space, card) or 'on no day'}")


def comment(options: argparse.Namespace) -> None:
    space = Workspace(signed_in(), options.board)
    text = sys.stdin.read() if options.text == ["-"] else " ".join(options.text)
    card = space.card(options.card)
    made = space.server.create(f"/api/v1/cards/{card['id']}/comments", {"body": text.strip()})["comment"]
    answer(options, made, f"#{card['number']} {card['title']}: commented")


def change_set(options: argparse.Namespace) -> None:
    """Add labels or people to a card, or remove them. What others change in the set meanwhile stays."""
    space = Workspace(signed_in(), options.board)
    card, field = space.card(options.card), options.field
    find = space.label if field == "labelIds" else space.person
    named = [find(card["boardId"], name)["id"] for name in options.name]
    for attempt in range(SET_ATTEMPTS):
        wanted = [each for each in card[field] if each not in named] + named * (not options.remove)
        if set(wanted) == set(card[field]):
            break
        match = {"If-Match": f'"{card["version"]}"'}
        try:
            card = space.server.call("PATCH", f"/api/v1/cards/{card['id']}", {field: wanted}, match)[1]["card"]
            break
        except Refusal as refusal:
            if refusal.status != 412:
                raise
        time.sleep(attempt / 4)
        card = space.card(card["id"])
    else:
        raise Failure("Others changed the card each time. Try again.")
    tell(options, card, f"{'labels' if field == 'labelIds' else 'people'}: {names_in(space, card, field) or 'none'}")


def attach(options: argparse.Namespace) -> None:
    space = Workspace(signed_in(), options.board)
    card = space.card(options.card)

    def attach_one(name: str) -> None:
        try:
            if Path(name).exists() and not Path(name).is_file() and not Path(name).is_dir():
                raise Failure("It is not a regular file. Save it to one, and attach that.")
            with open(name, "rb"):  # a reason now rather than in the middle of the call
                upload = Upload(Path(name))
        except OSError as error:
            raise Failure(f"It cannot be read: {error.strerror}.") from None
        made = space.server.create(f"/api/v1/cards/{card['id']}/attachments", upload)["attachment"]
        answer(options, made, f"#{card['number']} {card['title']}: attached {made['fileName']}")

    for_each(options.file, attach_one)


def tell(options: argparse.Namespace, card: Json, words: str) -> None:
    answer(options, card, f"#{card['number']} {card['title']}: {words}")


# Cards as text


def card_table(space: Workspace, cards: list[Json]) -> list[str]:
    """Return the lines of a table of cards by list, which fits the terminal: titles are the last to be cut."""
    groups: dict[str, list[list[str]]] = {}
    for card in cards:
        state = "archived" if card["archivedAt"] else "done" if card["completed"] else due_of(space, card)
        labels, people = names_in(space, card, "labelIds"), names_in(space, card, "assigneeIds")
        cells = [f"#{card['number']}", card["title"], state, f"[{labels}]" if labels else "", people]
        groups.setdefault(place_of(space, card), []).append([re.sub(r"[\n\t]", " ", printable(cell)) for cell in cells])
    widths = column_widths([row for rows in groups.values() for row in rows])
    lines: list[str] = []
    for place, rows in groups.items():
        lines += ["", place] if lines else [place]
        lines += [table_line(row, widths) for row in rows]
    return lines


def column_widths(rows: list[list[str]]) -> list[int]:
    """Return the width of each column: people, labels and titles become narrower, in this order, where there is no room."""
    if not rows:
        return []
    widths = [max(width(row[place]) for row in rows) for place in range(len(rows[0]))]
    fixed = os.environ.get("COLUMNS", "").isdecimal() or sys.stdout.isatty()
    room = shutil.get_terminal_size().columns if fixed else sys.maxsize
    for place, least in ((4, 0), (3, 0), (1, 8)):
        excess = 2 * sum(size > 0 for size in widths) + sum(widths) - room
        widths[place] -= max(0, min(excess, widths[place] - least))
    return widths


def table_line(row: list[str], widths: list[int]) -> str:
    cells = [fitted(cell, room) for cell, room in zip(row, widths) if room]
    return f"  {'  '.join(cells)}".rstrip()


def fitted(text: str, room: int) -> str:
    """Return the text with as many columns as there is room for: filled with spaces, or cut."""
    if width(text) > room:
        text = text[: sum(taken < room for taken in itertools.accumulate(map(width, text)))] + "…"
    return text + " " * (room - width(text))


def width(text: str) -> int:
    """Return the columns that the text takes in a terminal."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.category(c) in ("Mn", "Me") for c in text)


def card_page(space: Workspace, card: Json) -> Iterator[str]:
    """Yield the lines that tell all of a card."""
    yield f"#{card['number']} {card['title']}"
    facts = {
        "List": place_of(space, card),
        "State": "archived" if card["archivedAt"] else "done" if card["completed"] else "",
        "Start": day_text(card["startDate"]),
        "Due": due_of(space, card),
        "Repeats": card["recurrence"],
        "Labels": names_in(space, card, "labelIds"),
        "People": names_in(space, card, "assigneeIds"),
        "Page": f"{space.server.url}{card['url']}",
    }
    yield from (f"{name:8} {fact}" for name, fact in facts.items() if fact)
    if card["description"]:
        yield f"\n{card['description'].strip()}"
    for checklist in card["checklists"]:
        yield f"\n{checklist['title']}"
        yield from (f"  [{'x' if item['done'] else ' '}] {item['text']}" for item in checklist["items"])
    if card["attachments"]:
        yield "\nFiles"
    for file in card["attachments"]:
        yield f"  {file['fileName']} ({-(-file['size'] // 1000)} kB)  {space.server.url}{file['url']}"
    for each in card["comments"]:
        edited = " (edited)" if each["editedAt"] else ""
        yield f"\n{each['author']['name']}, {moment_text(space, each['createdAt'])}{edited}"
        yield from (f"  {line}" for line in each["body"].splitlines())


def place_of(space: Workspace, card: Json) -> str:
    board = space.whole(card["boardId"])
    title = next((row["title"] for row in board["lists"] if row["id"] == card["listId"]), "an archived list")
    return f"{board['title']} / {title}"


def names_in(space: Workspace, card: Json, field: str) -> str:
    """Return the names of the card's labels or people. One that came after the board was read has none here."""
    board = space.whole(card["boardId"])
    names = {each["id"]: each["name"] for each in [*board["labels"], *board["members"]]}
    return ", ".join(names.get(each, "?") for each in card[field])


def due_of(space: Workspace, card: Json) -> str:
    if card["dueDay"] or not card["dueDate"]:
        return day_text(card["dueDay"])
    return moment_text(space, card["dueDate"])


def day_text(day: str | None) -> str:
    return f"{date.fromisoformat(day):%a} {day}" if day else ""


def moment_text(space: Workspace, moment: str) -> str:
    """Return the moment in the account's time zone, to the minute."""
    try:
        there = datetime.fromisoformat(f"{moment[:19]}+00:00").astimezone(space.zone)
        return f"{there:%a} {there.isoformat(' ')[:16]}"
    except (ValueError, OverflowError, OSError):
        return moment


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
    board = commands.add_parser("board", help="Work on boards.", description="Work on boards.", parents=[common])
    new = command("new", board_new, "Make a board.", board.add_subparsers(metavar="COMMAND", required=True))
    new.add_argument("title", metavar="TITLE")
    new.add_argument("--template", metavar="T", default="blank", help="blank, kanban, content or personal")
    add_finding(command)
    add_changing(command)
    return top


def add_finding(command: Any) -> None:
    shown = command("list", list_cards, "Show the cards of a board, by list.")
    found = command("search", list_cards, "Search the cards of all boards.")
    found.add_argument("words", metavar="WORDS", nargs="+", help="all of them occur in the title or description")
    shown.set_defaults(words=[])
    for each in (shown, found):
        each.add_argument("--board", metavar="B", help="id or title of the board")
        each.add_argument("--list", metavar="L", help="id or title of the list")
        each.add_argument("--mine", action="store_true", help="only cards that are assigned to you")
        each.add_argument("--label", metavar="NAME", action="append", default=[], help="only with it; repeated: any")
        states = each.add_mutually_exclusive_group()
        for state in ("done", "archived", "all"):
            text = "open, done and archived cards" if state == "all" else f"{state} cards instead of open ones"
            states.add_argument(f"--{state}", action="store_const", dest="state", const=state, help=text)
        each.add_argument("--due-before", metavar="D", help=f"only due before this day: {DATES}")
        each.add_argument("--limit", metavar="N", type=positive, default=LIMIT, help=f"at most N cards; {LIMIT}")
    about_card(command("show", show_card, "Show one card in full."))


def add_changing(command: Any) -> None:
    card = command("add", add, "Add a card, or one for each line of standard input.")
    card.add_argument("--board", metavar="B", help="id or title of the board; its first list is used")
    card.add_argument("--list", metavar="L", help="id or title of the list")
    card.add_argument("--due", metavar="D", help=f"due date: {DATES}, with a time as in 2026-12-01T09:00")
    card.add_argument("--start", metavar="D", help="start date")
    card.add_argument("--label", metavar="NAME", action="append", help="a label; may be repeated")
    card.add_argument("--assign", metavar="NAME", action="append", help="a person, or me; may be repeated")
    card.add_argument("--top", action="store_true", help="at the top of the list")
    card.add_argument(
        "title", metavar="TITLE", nargs="*", help="its words; without, or with -, one card a line of input"
    )
    for name, path, text in (("done", "complete", "Mark cards as done."), ("reopen", "reopen", "Mark cards as open.")):
        about_card(command(name, act, text), many=True).set_defaults(act=path)
    undo: Json = {"dest": "act", "action": "store_const", "const": "restore", "default": "archive"}
    about_card(command("archive", act, "Archive cards."), many=True).add_argument("--undo", **undo, help="restore them")
    moving = about_card(command("move", move, "Move a card."))
    moving.add_argument("--list", metavar="L", help="id or title of the list")
    moving.add_argument("--to-board", metavar="B", help="id or title of another board")
    places = moving.add_mutually_exclusive_group()
    places.add_argument("--top", action="store_true", help="to the top of the list")
    places.add_argument("--before", metavar="CARD", help="above this card")
    places.add_argument("--after", metavar="CARD", help="below this card")
    day = about_card(command("due", due, "Change or clear the due date of a card."))
    day.add_argument("day", metavar="D", nargs="+", help=f"{DATES}, or none")
    body = about_card(command("comment", comment, "Comment on a card."))
    body.add_argument("text", metavar="TEXT", nargs="+", help="Markdown; - reads standard input")
    for name, field, whom in (("label", "labelIds", "a label"), ("assign", "assigneeIds", "a person, or me")):
        one = about_card(command(name, change_set, f"{name.capitalize()} a card."))
        one.add_argument("name", metavar="NAME", nargs="+", help=whom)
        one.add_argument("--remove", action="store_true", help="remove them instead")
        one.set_defaults(field=field)
    about_card(command("attach", attach, "Attach files to a card.")).add_argument("file", metavar="FILE", nargs="+")


def about_card(command: argparse.ArgumentParser, many: bool = False) -> argparse.ArgumentParser:
    command.add_argument("card", metavar="CARD", nargs="+" if many else None, help="number as in 12, id or address")
    command.add_argument("--board", metavar="B", help="id or title of the board whose numbers are meant")
    return command


def positive(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= PAGE * MOST_PAGES:
        raise argparse.ArgumentTypeError(f"a whole number from 1 to {PAGE * MOST_PAGES}")
    return int(text)


def main() -> int:
    for name, mode, encoding in (("stdin", "r", "utf-8-sig"), ("stdout", "w", "utf-8"), ("stderr", "w", "utf-8")):
        if getattr(sys, name) is None:  # it is closed, as in `<&-`
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
        getattr(sys, name).reconfigure(encoding=encoding, errors="replace")
    options = parser().parse_args()
    try:
        options.run(options)
    except Failure as failure:
        say(str(failure))
        return failure.code
    except KeyboardInterrupt:
        say("Interrupted.")
        return INTERRUPTED
    return OK


if __name__ == "__main__":
    sys.exit(main())
