"""Idempotency-Key: a repeat with the same token, path and key within 24 hours gets the kept 201 answer again."""

import hashlib
import re
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from django.db import IntegrityError, OperationalError, transaction
from django.utils import timezone
from rest_framework.request import Request

from apiv1.errors import Refused
from apiv1.models import KeptAnswer
from boards.access import sees_all
from boards.actor import Actor
from boards.reader import Reader
from core.sql import LOCK_NOT_AVAILABLE, sqlstate_of

KEPT_FOR = timedelta(hours=24)
KEY_LENGTH = 255
LONGEST_PATH = 200  # characters, as the column has it
KEY = re.compile(rf"[!-~]{{1,{KEY_LENGTH}}}")
KEY_RULE = f"must be 1 to {KEY_LENGTH} visible ASCII characters."
NOT_SEEN = (
    "The answer for this Idempotency-Key is about a board that does not exist, or that you don't have access to. Nothing was "
    "changed now."
)


class Once(NamedTuple):
    answer: bytes
    is_replay: bool = False


def key_of(request: Request) -> str | None:
    """Return the key of a call. None for a path that no database keeps: with such an id it finds nothing anyway."""
    if len(request.path) > LONGEST_PATH or "\0" in request.path:
        return None
    return request.META.get("HTTP_IDEMPOTENCY_KEY")  # request.headers would read all of them


def once(request: Request, actor: Actor, make: Callable[[], bytes], body: bytes | None = None) -> Once:
    """Return what `make` returns, or the answer kept for the request's Idempotency-Key. Without a key, `make` runs.

    `make` changes boards as this actor. `body` stands for the bytes of the request where those are not what has to be the same.
    """
    key = key_of(request)
    if key is None:
        return Once(make())
    sent = request._request.body if body is None else body
    return once_a_key(actor, request.path, key, sent, make)


def kept(request: Request, actor: Actor, body: bytes) -> Once | None:
    """Return the answer kept for the request's Idempotency-Key, None if there is none yet. Raises Refused (400, 404, 422).

    Nothing is locked, so that what takes long can be done before `once`, which decides.
    """
    key = key_of(request)
    if key is None:
        return None
    require_key(key)
    names = {"token_id": actor.token_id, "path": request.path, "key": key}
    row = KeptAnswer.objects.filter(**names, created_at__gt=timezone.now() - KEPT_FOR).first()
    if row is None:
        return None
    require_same(row, digest_of(body))
    return replay(row, actor.reader)


def once_a_key(actor: Actor, path: str, key: str, body: bytes, make: Callable[[], bytes]) -> Once:
    """Return what `make` returns, or the answer kept for this actor's token, path, key and body.

    The key's row and what `make` writes are committed in one transaction (docs/decisions/api.md). So a second request
    waits at the row until the first ends, and a first request that was refused or killed leaves the key free. Raises
    Refused: 400 for an impossible key, 422 for a key used with another body, 409 while the first is still running, 404 for
    an answer about a board that the actor does not see any more.
    """
    require_key(key)
    digest = digest_of(body)
    with transaction.atomic():
        row = claim(actor.token_id, path, key, digest)
        if row.answer:
            return replay(row, actor.reader)
        answer = make()
        KeptAnswer.objects.filter(pk=row.pk).update(answer=packed(answer, actor.touched))
        return Once(answer)


def replay(row: KeptAnswer, reader: Reader) -> Once:
    board_ids, answer = unpacked(bytes(row.answer))
    if not sees_all(board_ids, reader):
        raise Refused(404, NOT_SEEN)
    return Once(answer, is_replay=True)


def packed(answer: bytes, board_ids: Iterable[UUID]) -> bytes:
    """Return what is kept: the ids of the boards that the answer is about, on a line before it."""
    return b"%b\n%b" % (" ".join(pk.hex for pk in board_ids).encode(), answer)


def unpacked(kept: bytes) -> tuple[list[UUID], bytes]:
    """Return the boards and the answer. One from before boards were kept is JSON alone, on one line."""
    ids, line_end, answer = kept.partition(b"\n")
    return ([UUID(pk) for pk in ids.decode().split()], answer) if line_end else ([], kept)


def require_key(key: str) -> None:
    if not KEY.fullmatch(key):
        raise Refused(400, f"Idempotency-Key {KEY_RULE}")


def digest_of(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def require_same(kept: KeptAnswer, digest: str) -> None:
    if kept.body_digest != digest:
        raise Refused(422, "This Idempotency-Key was used with another body. Use a new key for a new request.")


def claim(token_id: UUID | None, path: str, key: str, digest: str) -> KeptAnswer:
    """Insert a row for this key, or return the kept one. Raises Refused (422, 409) as `once_a_key` does."""
    names = {"token_id": token_id, "path": path, "key": key}
    try:
        with transaction.atomic():  # a savepoint, because PostgreSQL runs nothing more after an error without one
            return KeptAnswer.objects.create(**names, body_digest=digest)
    except IntegrityError:
        kept = KeptAnswer.objects.filter(**names).first()
    except OperationalError as trouble:
        if sqlstate_of(trouble) != LOCK_NOT_AVAILABLE:  # lock_timeout, set in settings.py
            raise
        kept = None
    if kept is None:
        raise Refused(409, "A request with this Idempotency-Key is still running. Try again in a moment.")
    if kept.created_at <= timezone.now() - KEPT_FOR:
        kept.delete()
        return claim(token_id, path, key, digest)
    require_same(kept, digest)
    return kept
