"""The pages of imports: /settings/data/import and what follows from it."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from boards.errors import DomainError, NotFound
from boards.losses import Loss
from core.http.requests import SignedInRequest, form_of_account
from importer import steps
from importer.formats import FORMATS
from importer.formats.source import SourceKind, Unreadable
from importer.forms import BOARDS_TO_CHOOSE, PEOPLE_TO_MATCH, QuestionsForm, UploadForm, boards_left_out, chosen_people
from importer.models import Import, ImportState
from importer.room import lack_of_room
from importer.words import beside_in_words, in_words, things_in_words
from security.events import log_event
from security.models import EventKind

SHOWN = 10  # imports on the page


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def imports(request: SignedInRequest) -> HttpResponse:
    """Choose a file, and see earlier imports."""
    if request.method != "POST":
        return _imports(request, UploadForm())
    form = UploadForm(request.POST, request.FILES)
    if form.is_valid():
        file, format = form.cleaned_data["file"], form.cleaned_data["format"]
        try:
            row = (
                steps.upload(request.user, file, file.name, format)  # type: ignore[arg-type]
                if file
                else steps.upload_nothing(request.user, format)  # type: ignore[arg-type]
            )
            _go_on(row)
        except DomainError as error:
            form.add_error(None, error.message)
        except OSError:
            form.add_error(None, _("There is no space left for this file. Ask the operator of this service."))
        else:
            return redirect(row)
    return _imports(request, form)


def _imports(request: SignedInRequest, form: UploadForm) -> HttpResponse:
    earlier = Import.objects.filter(user=request.user)[:SHOWN]
    context = {
        "form": form,
        "earlier": earlier,
        "formats": FORMATS.values(),
        "is_busy": any(one.is_busy for one in earlier),
    }
    return render(request, "importer/imports.html", context, status=422 if form.errors else 200)


def _go_on(row: Import) -> None:
    """Have the report made if nothing must be asked before. What cannot be read ends the import, in words."""
    try:
        if not steps.missing(row, steps.questions_of(row)):
            steps.begin_reading(row)
    except Unreadable as error:
        steps.give_up(row, str(error))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def one_import(request: SignedInRequest, import_id: UUID) -> HttpResponse:
    """Show the state of the import: questions, the report, progress, the boards that were made. POST answers the
    questions.
    """
    row = _own(request, import_id)
    if request.method == "POST":
        return _answered(request, row)
    return _page(request, row)


def _answered(request: SignedInRequest, row: Import) -> HttpResponse:
    try:
        steps.answer(row, request.POST.dict(), chosen_people(row, request.POST))  # type: ignore[arg-type]
        if "again" not in request.POST:
            _go_on(row)
    except (Unreadable, FileNotFoundError) as error:
        steps.give_up(row, _in_words(error))
    except DomainError as error:
        return _page(request, row, error.message, 422)
    return redirect(row)


def _in_words(error: Unreadable | FileNotFoundError) -> str:
    return str(error) if isinstance(error, Unreadable) else _("The file is no longer there.")


def _page(request: SignedInRequest, row: Import, refusal: str = "", status: int = 200) -> HttpResponse:
    format = FORMATS.get(row.format)
    context: dict[str, Any] = {
        "one": row,
        "format": format and format.TITLE,
        "refusal": refusal,
        "State": ImportState,
    }
    if row.state == ImportState.ASKING or (row.state == ImportState.REPORTED and "change" in request.GET):
        try:
            questions = steps.questions_of(row)
        except (Unreadable, FileNotFoundError) as error:
            steps.give_up(row, _in_words(error))
            return redirect(row)
        context["form"] = QuestionsForm(questions=questions, given=row.choices | row.secrets)
    elif row.state == ImportState.REPORTED:
        context |= _report(row, request.POST)
    elif row.can_be_taken_back:
        context["boards"] = steps.boards_to_take_back(row)
    return render(request, "importer/import.html", context, status=status)


def _report(row: Import, sent: Mapping[str, str]) -> dict[str, Any]:
    """Return what the page says of the report. `sent` has the fields of a form that was refused."""
    boards, people = row.report.get("boards", []), row.report.get("people", [])
    things = row.report.get("things")  # reports that an earlier version made have none
    chosen = {row.report.get("me", ""): str(row.user_id)} | row.people | chosen_people(row, sent)
    return {
        "things": things and things_in_words(things),
        "lack_of_room": lack_of_room(row),
        "boards": [{**board, "words": in_words(board["counts"])} for board in boards],
        "may_choose": 1 < len(boards) <= BOARDS_TO_CHOOSE,
        "losses": [
            {
                "text": Loss(loss["loss"]).label % {"number": loss["count"]},
                "places": loss["places"],
                "more": loss["count"] - len(loss["places"]),
            }
            for loss in row.report["losses"]
            if loss["loss"] in Loss.values
        ],
        "people": [{**person, "chosen": chosen.get(person["key"], "")} for person in people[:PEOPLE_TO_MATCH]],
        "unnamed": max(0, len(people) - PEOPLE_TO_MATCH),
        "me": str(row.user_id),
        "candidates": [{"id": str(one.pk), "name": one.display_name} for one in steps.people_for(row.user)],
        "has_questions": bool(row.answers.keys() - {one.name for one in FORMATS[row.format].BESIDE_REPORT}),
        "beside": _beside(row, sent),
        "beside_words": beside_in_words(row),
    }


def _beside(row: Import, sent: Mapping[str, str]) -> QuestionsForm | None:
    """Return the form with the questions beside the report, None where no answer could change it."""
    questions = steps.asked_beside(row)
    if not questions:
        return None
    typed = {one.name: sent[one.name] for one in questions if one.kind is SourceKind.TEXT and one.name in sent}
    return QuestionsForm(questions=questions, given=row.answers | typed)


@form_of_account
def start(request: SignedInRequest, import_id: UUID) -> HttpResponse:
    row = _own(request, import_id)
    if row.state == ImportState.REPORTED and steps.changes_report(row, request.POST):
        return _answered(request, row)  # no board is made from a report that is out of date
    try:
        steps.begin_writing(row, people=chosen_people(row, request.POST), left_out=boards_left_out(row, request.POST))
    except DomainError as error:
        return _page(request, row, error.message, 422)
    log_event(EventKind.IMPORTED, request, user=request.user, name=row.file_name, boards=len(row.boards))
    return redirect(row)


@form_of_account
def stop(request: SignedInRequest, import_id: UUID) -> HttpResponse:
    row = _own(request, import_id)
    try:
        steps.cancel(row)
    except DomainError as error:
        return _page(request, row, error.message, 409)
    messages.success(request, _("Import canceled."))
    return redirect(row if row.made else "imports")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def taking_back(request: SignedInRequest, import_id: UUID) -> HttpResponse:
    """Say what would be lost, then delete the boards of the import."""
    row = _own(request, import_id)
    if not row.can_be_taken_back:
        return redirect(row)
    if request.method != "POST":
        return render(request, "importer/taking_back.html", {"one": row, "boards": steps.boards_to_take_back(row)})
    try:
        number = steps.take_back(row)
    except DomainError as error:
        return _page(request, row, error.message, 409)
    words = ngettext("%(number)s board deleted.", "%(number)s boards deleted.", number)
    messages.success(request, words % {"number": number})
    return redirect(row)


def _own(request: SignedInRequest, import_id: UUID) -> Import:
    try:
        return steps.own_import(request.user, import_id)  # type: ignore[arg-type]
    except NotFound as error:
        raise Http404 from error
