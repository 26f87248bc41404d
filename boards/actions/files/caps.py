"""Cap the bytes of files of a board and an account: by the plan of the board's owner, held under locks.

A board uses the bytes of each stored file that is on one of its cards, archived or not, once. An account uses what all
boards use that it owns. docs/decisions/attachments.md says why.
"""

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING
from uuid import UUID

from django.db.models import Sum
from django.utils.translation import gettext as _

from boards import statements
from boards.access import not_found
from boards.errors import Conflict, LimitReached
from boards.models import Attachment, Board, Membership, Role, StoredFile
from core.text.sizes import size_in_words

if TYPE_CHECKING:
    from accounts.models import Plan, User

Owners = dict[UUID, "User"]  # accounts with their plans, by the board that they own


def lock_owners(board_ids: Iterable[UUID]) -> Owners:
    """Lock the accounts that own these boards until the transaction ends; accounts are locked before boards.

    Call `require_room_for_files` with them once the boards are locked too.
    """
    return {owned.board_id: owned.user for owned in statements.lock_owners(set(board_ids))}


def plan_of_owner(board_id: UUID) -> "Plan":
    """Return the plan that decides how large the files of a board may be. Raise NotFound for a board without owner."""
    if (membership := statements.read_owner(board_id)) is None:
        raise not_found()
    return membership.user.plan


def require_room_for_files(owners: Owners, board: Board, files: Collection[StoredFile]) -> None:
    """Raise LimitReached if the board or its owner's account has no room for these files. The board must be locked.

    Files that the board has already take no room. Raises Conflict if the board has another owner than the locked one.
    """
    owner = owners.get(board.pk)
    if owner is None or not Membership.objects.filter(board=board, user=owner, role=Role.OWNER).exists():
        raise Conflict(_("The owner of this board has just changed. Try again."))
    here = (
        set(Attachment.objects.filter(board=board, file__in=files).values_list("file_id", flat=True)) if files else ()
    )
    more = sum(file.size for file in {file.pk: file for file in files if file.pk not in here}.values())
    if more:
        _require_room(owner, board, more)


def require_room_for_board_of(account: "User", board: Board) -> None:
    """Raise LimitReached if the account, which is locked, has no room for the files of a board that it is to own."""
    if used := used_by_board(board.pk):
        _require_room(account, board, used, has_them=True)


def _require_room(owner: "User", board: Board, more: int, *, has_them: bool = False) -> None:
    """Raise LimitReached if `more` bytes exceed a cap; with `has_them`, the board has them already, the account not yet."""
    plan, new = owner.plan, 0 if has_them else more
    if plan.max_board_bytes is not None and (used := used_by_board(board.pk)) + new > plan.max_board_bytes:
        raise LimitReached(
            _("The files of this board take up %(used)s of %(most)s. Delete some files to attach others.")
            % {"used": size_in_words(used), "most": size_in_words(plan.max_board_bytes)},
            StoredFile,
        )
    if plan.max_account_bytes is not None and (used := used_by_account(owner.pk)) + more > plan.max_account_bytes:
        raise LimitReached(
            _(
                "The files on all boards of this board's owner take up %(used)s of %(most)s. Delete some files "
                "there to attach others."
            )
            % {"used": size_in_words(used), "most": size_in_words(plan.max_account_bytes)},
            StoredFile,
        )


def require_small_file(size: int, most: int | None) -> None:
    if most is not None and size > most:
        raise too_large(most)


def too_large(most: int) -> LimitReached:
    return LimitReached(_("This file is too large. The limit is %(most)s.") % {"most": size_in_words(most)})


def used_by_board(board_id: UUID) -> int:
    """Return the bytes of the files on the board's cards, each counted once."""
    files = Attachment.objects.filter(board=board_id).order_by().values("file_id")
    return StoredFile.objects.filter(pk__in=files).aggregate(used=Sum("size"))["used"] or 0


def used_by_account(user_id: UUID) -> int:
    """Return the bytes that all boards use which this account owns, archived ones too."""
    boards = Membership.objects.filter(user=user_id, role=Role.OWNER).values("board_id")
    pairs = (
        Attachment.objects.filter(board__in=boards).order_by().values("board_id", "file_id", "file__size").distinct()
    )
    return sum(pair["file__size"] for pair in pairs)
