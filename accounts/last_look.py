"""The holder of a token says up to which change of each board it has seen. Reading moves nothing."""

from collections.abc import Mapping
from uuid import UUID

from django.db import transaction

from accounts.models import ApiToken, LastLook


def seen_by(token: ApiToken) -> dict[UUID, int]:
    """Return, by the id of a board, the number of the last change that the token's holder has seen: one statement."""
    versions = LastLook.objects.filter(token=token.pk).values_list("versions", flat=True).first()
    return {UUID(board): version for board, version in (versions or {}).items()}


def mark_seen(token: ApiToken, versions: Mapping[UUID, int]) -> None:
    """Note that the holder has seen these boards up to these changes. A mark never goes back, and a revoked token has none.

    The token's row is locked, so that calls at the same time lose nothing of each other's.
    """
    with transaction.atomic():
        live = ApiToken.objects.select_for_update(no_key=True, of=("self",)).filter(pk=token.pk, revoked_at=None)
        if not live.values("pk").first():
            return
        seen = seen_by(token)
        moved = {board: version for board, version in versions.items() if version > seen.get(board, -1)}
        if moved:
            stored = {board.hex: version for board, version in {**seen, **moved}.items()}
            LastLook.objects.update_or_create(token_id=token.pk, defaults={"versions": stored})
