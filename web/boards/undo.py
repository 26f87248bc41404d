"""Undo: takes back changes that the reader has made, as many of them as can be, the newest first."""

from collections.abc import Iterable
from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.actions.inverses.undoing import taken_back_by
from boards.actions.undo import undo_change, undone_together
from boards.errors import DomainError
from boards.models import Activity, List, Verb
from boards.reading.reach import visible_board
from boards.richtext import without_ids
from core.http.requests import SignedInRequest, back
from web.cards.answers import open_card_among
from web.cards.limits import with_warnings
from web.http.answers import back_to, fragments, is_partial, toast
from web.http.changed import fragments_since
from web.http.guard import actor, reader, signed_in
from web.http.made import named_changes
from web.http.refusals import sentence_of

BRINGS_BACK = (Verb.CARD_MOVED, Verb.CARD_LEFT, Verb.CARD_ARRIVED, Verb.CARD_ARCHIVED, Verb.CARD_DELETED)


@signed_in("POST")
def undo(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """Take back each `change` of the form. If none of them can be, answer with the reason of the first."""
    shown, _role = visible_board(board_id, reader(request))
    done: list[Activity] = []
    refused: list[DomainError] = []
    changes = named_changes(request, board_id)
    with undone_together(actor(request), changes):
        for board, number in changes:
            try:
                done.append(undo_change(actor=actor(request), board_id=board, number=number))
            except DomainError as error:
                refused.append(error)
    if not done:
        raise refused[0]
    is_redone = _is_redone(done)
    text = with_warnings(_summary(done, refused, is_redone, is_new=bool(actor(request).changes)), _filled(done))
    button = _("Undo") if is_redone else _("Redo")
    if not is_partial(request):
        return back_to(request, back(request), text, button=button)
    cards = {line.card_id for line in done if line.card_id}
    changed = fragments_since(request, shown, shown.version)
    return fragments(*open_card_among(request, cards), *changed, toast(text, request, button=button))


def _filled(done: list[Activity]) -> Iterable[List]:
    """Return the lists with a limit into which cards may have come back."""
    cards = {line.card_id for line in done if line.verb in BRINGS_BACK and line.card_id}
    if not cards:
        return []
    return List.objects.filter(cards__in=cards, cards__archived_at=None, card_limit__isnull=False).distinct()


def _summary(done: list[Activity], refused: list[DomainError], is_redone: bool, *, is_new: bool) -> str:
    if not is_new:
        return _("This has already been undone.")
    if len(done) + len(refused) == 1:
        [line] = done
        values = {"change": line.get_verb_display(), "title": without_ids(line.subject.get("title", ""))}
        return (_("Redone: “%(title)s”") if is_redone else _("Undone: %(change)s, “%(title)s”")) % values
    if is_redone:
        text = ngettext("Redone: %(number)s change.", "Redone: %(number)s changes.", len(done))
    else:
        text = ngettext("Undone: %(number)s change.", "Undone: %(number)s changes.", len(done))
    text %= {"number": len(done)}
    return f"{text} {_why(refused)}" if refused else text


def _is_redone(done: list[Activity]) -> bool:
    """Whether the first line that was taken back had itself taken back another: an undo of an undo makes a change again."""
    return len(taken_back_by(done[0])) % 2 == 1


def _why(refused: list[DomainError]) -> str:
    """Say how many could not be undone, and why the first of them."""
    text = ngettext(
        "%(number)s could not be undone: %(reason)s", "%(number)s could not be undone: %(reason)s", len(refused)
    )
    return text % {"number": len(refused), "reason": sentence_of(refused[0])}
