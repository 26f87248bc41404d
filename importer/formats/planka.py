"""Planka, by its REST API: a board each, with a token typed in for this once.

Answers are kept as JSON, one a line, so that the boards are written from the same data as the report.
"""

import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import NamedTemporaryFile
from typing import IO, Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boards.losses import Loss
from boards.outlines import BoardOutline
from core.http.outgoing import Unreachable, fetch, is_allowed, origin
from importer.formats.json_reading import storable
from importer.formats.planka_boards import board_of
from importer.formats.source import Question, Source, SourceKind, Unreadable
from importer.formats.things import Thing
from importer.report import Report

TITLE = "Planka"
HELP = gettext_lazy(
    "Boards are fetched from a Planka server on the internet. You need its address and an access token."
)
NEEDS_FILE = False
BESIDE_REPORT = ()

FETCHING = 15 * 60  # seconds, for all answers together
MOST, SECONDS = 30_000_000, 30.0  # bytes of an answer, and how long it may take
MOST_FILE = 250_000_000
KEPT = 500_000_000  # bytes of all answers
BOARDS, PAGES = 500, 40
TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{1,500}")
ID = re.compile(r"[A-Za-z0-9_-]{1,40}")


def looks_like(source: Source) -> bool:
    return False


def questions(source: Source) -> list[Question]:
    return [
        Question(
            "address",
            gettext_lazy("Planka address"),
            SourceKind.TEXT,
            help="https://planka.example.com",
            required=True,
        ),
        Question("token", gettext_lazy("Access token"), SourceKind.SECRET, required=True),
    ]


def read(source: Source, report: Report) -> Iterator[BoardOutline]:
    api = Api(source)
    zone = ZoneInfo(source.time_zone)
    if not source.path.stat().st_size:
        api.keep_all(report)
    with source.path.open(encoding="utf-8") as file:
        for place, line in enumerate(file):
            kept = json.loads(line)
            if kept.get("missing"):
                report.lose(Loss.FIELD_LEFT_OUT, _("board %(id)s") % {"id": kept["missing"]})
            else:
                yield board_of(Thing(kept["board"], f"boards[{place}]", report, zone), kept["comments"], api.opener)


class Api:
    """The server that the person named. Raises Unreadable; nothing that it raises holds the token or the address's path."""

    def __init__(self, source: Source) -> None:
        self._path, self._still_wanted = source.path, source.still_wanted
        self._until = time.monotonic() + FETCHING
        address, token = (
            str(source.choices.get("address") or "").strip(),
            str(source.choices.get("token") or "").strip(),
        )
        self._base = address.rstrip("/").removesuffix("/api")
        if not is_allowed(f"{self._base}/", settings.IMPORT_SERVERS):
            raise Unreadable(
                _("Enter the address of your Planka server with https, such as https://planka.example.com.")
            )
        if not TOKEN.fullmatch(token):
            raise Unreadable(_("This isn't a Planka access token. Copy it again."))
        self._headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}

    def __repr__(self) -> str:
        return "Api()"  # without the token

    def keep_all(self, report: Report) -> None:
        """Fetch the boards that the token may see, and put them into the file together.

        Nothing is kept of a reading that failed or was killed: what it leaves beside the file is swept
        (importer/storing.py).
        """
        found = Thing(self._get("/api/projects"), "projects", Report())
        boards = [one.key("id") for one in found.thing("included").things("boards")]
        boards = list(dict.fromkeys(key for key in boards if ID.fullmatch(key)))
        if not boards:
            raise Unreadable(_("This token has no access to any board in Planka."))
        if len(boards) > BOARDS:
            raise Unreadable(
                _("There are more than %(most)s boards. Use a token with access to fewer.") % {"most": BOARDS}
            )
        with NamedTemporaryFile("w", encoding="utf-8", dir=self._path.parent, delete=False) as draft:
            try:
                for key in boards:
                    json.dump(self._board(key), draft)
                    draft.write("\n")
                    if draft.tell() > KEPT:
                        raise Unreadable(
                            _("These boards are too large to be fetched. Use a token with access to fewer.")
                        )
                draft.flush()
                os.replace(draft.name, self._path)
            except BaseException:
                os.unlink(draft.name)
                raise

    def _board(self, key: str) -> dict[str, Any]:
        board = self._get(f"/api/boards/{key}", may_be_missing=True)
        if board is None:
            return {"missing": key}
        cards = [one.key("id") for one in Thing(board, "", Report()).thing("included").things("cards")]
        return {"board": board, "comments": {card: self._comments(card) for card in cards if ID.fullmatch(card)}}

    def _comments(self, card: str) -> list[Any]:
        """Return the comments of a card: rows of their own since version 2, actions before."""
        found: list[Any] = []
        seen: set[str] = set()
        before = ""
        for _page in range(PAGES):
            answer = self._get(f"/api/cards/{card}/comments{before}", may_be_missing=True)
            if answer is None:
                answer = self._get(f"/api/cards/{card}/actions{before}", may_be_missing=True) or {}
            items = answer.get("items")
            rows = [one for one in items if isinstance(one, dict)] if isinstance(items, list) else []
            new = [one for one in rows if str(one.get("id", "")) not in seen]
            found += new
            seen |= {str(one.get("id", "")) for one in new}
            last = str(new[-1].get("id", "")) if new else ""
            if len(new) < 10 or not ID.fullmatch(last):
                break
            before = f"?beforeId={last}"
        return found

    def _get(self, path: str, *, may_be_missing: bool = False) -> Any:
        if time.monotonic() > self._until:
            raise Unreadable(
                _(
                    "This Planka server responds too slowly. Try again later, or use a token with access to fewer boards."
                )
            )
        try:
            with self._fetched(f"{self._base}{path}", MOST) as answer:
                if answer.status == 404 and may_be_missing:
                    return None
                if answer.status in (401, 403):
                    raise Unreadable(_("Planka doesn't accept this token. Create a new one and enter it."))
                if answer.status != 200:
                    raise Unreadable(
                        _("Planka answered with the error %(status)s. Try again later.") % {"status": answer.status}
                    )
                found = json.load(answer.body, object_pairs_hook=_storable_object)
        except Unreadable:
            raise
        except (Unreachable, ValueError, RecursionError) as error:
            raise Unreadable(
                _("%(host)s doesn't seem to be a Planka server. Check the address.") % {"host": origin(self._base)}
            ) from error
        if not isinstance(found, dict):
            raise Unreadable(
                _("%(host)s doesn't seem to be a Planka server. Check the address.") % {"host": origin(self._base)}
            )
        return found

    def _fetched(self, address: str, most: int) -> Any:
        return fetch(
            address,
            headers=self._headers,
            most=most,
            seconds=SECONDS,
            servers=settings.IMPORT_SERVERS,
            still_wanted=self._still_wanted,
        )

    def opener(self, address: str) -> Any:
        """Return what opens a file of this server, None for one of another: the token goes to no other."""
        whole = f"{self._base}{address}" if address.startswith("/") else address
        return _Opener(self, whole) if origin(whole) == origin(self._base) else None

    @contextmanager
    def file(self, address: str) -> Iterator[IO[bytes]]:
        with self._fetched(address, MOST_FILE) as answer:
            if answer.status != 200:
                raise Unreachable(f"{origin(address)}: {answer.status}")
            yield answer.body


def _storable_object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    return {storable(name): storable(value) for name, value in members}


class _Opener:
    def __init__(self, api: Api, address: str) -> None:
        self._api, self._address = api, address

    def __call__(self) -> Any:
        return self._api.file(self._address)
