"""/settings/data: the user's exports, and the form for another one."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.sign_in.confirmation import password_confirmed
from boards.models import Board
from boards.reader import Reader
from core.files.storage import open_path
from core.http.ranges import sent
from core.http.requests import SignedInRequest, form_of_account
from core.ids import parse_id
from exporter import kept
from exporter.models import Export, Form
from security.events import log_event
from security.limits import TooMany, count, require_room
from security.models import EventKind

EVERYTHING = "all"
TYPES = {Form.ZIP: "application/zip", Form.JSON: "application/json", Form.CSV: "text/csv; charset=utf-8"}
FORMS = [
    (Form.ZIP, gettext_lazy("Zip: pages to read, all files and the JSON")),
    (Form.JSON, gettext_lazy("JSON: for programs, without files")),
    (Form.CSV, gettext_lazy("CSV: the cards of one board, for spreadsheets")),
]


class ExportForm(forms.Form):
    board = forms.ChoiceField(label=gettext_lazy("Boards"), widget=forms.Select(attrs={"class": "input"}))
    form = forms.ChoiceField(label=gettext_lazy("Format"), choices=FORMS, initial=Form.ZIP, widget=forms.RadioSelect)

    def __init__(self, *args: Any, boards: list[Board], **options: Any) -> None:
        super().__init__(*args, **options)
        self.boards = {str(board.pk): board for board in boards}
        field: Any = self.fields["board"]
        field.choices = [(EVERYTHING, _("All boards")), *((pk, board.title) for pk, board in self.boards.items())]

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        if found.get("form") == Form.CSV and found.get("board") == EVERYTHING:
            self.add_error("board", _("A CSV file has the cards of one board. Choose which."))
        return found

    @property
    def chosen(self) -> Board | None:
        return self.boards.get(self.cleaned_data["board"])


@login_required
@never_cache
@require_safe
def data(request: SignedInRequest) -> HttpResponse:
    board = parse_id(request.GET.get("board"))
    initial = {"board": str(board)} if board else {}
    return page(request, ExportForm(initial=initial, boards=boards_of(request)))


def boards_of(request: SignedInRequest) -> list[Board]:
    return list(Board.objects.visible_to(Reader(request.user)).order_by("created_at", "pk"))


def page(
    request: SignedInRequest,
    form: ExportForm,
    refusal: str = "",
    status: int = 200,
    template: str = "exporter/data.html",
) -> HttpResponse:
    """Show the page. `minutes` says how long to wait after too many exports; `refusal` why there can be none now."""
    minutes = 0
    try:
        require_room("export", str(request.user.pk))
    except TooMany as error:
        minutes = error.usage.reset // 60 + 1
    try:
        kept.require_room(request.user)
        full = ""
    except kept.ExportRefused as error:
        full = error.message
    context = {"form": form, "minutes": minutes, "full": full, "refusal": refusal, **exports_of(request)}
    return render(request, template, context, status=status)


def exports_of(request: SignedInRequest) -> dict[str, object]:
    found = list(Export.objects.shown().filter(user=request.user))
    return {"exports": found, "is_active": any(export.is_active for export in found)}


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def exports(request: SignedInRequest) -> HttpResponse:
    """GET: the part of the page about exports, for scripts that watch it. POST: ask for an export."""
    if request.method in ("GET", "HEAD"):
        answer = page(request, ExportForm(boards=boards_of(request)), template="exporter/_panel.html")
        answer["X-Answer"] = "fragments"
        return answer
    return _asked_when_confirmed(request) if request.POST.get("board") == EVERYTHING else _asked(request)


def _asked(request: SignedInRequest) -> HttpResponse:
    form = ExportForm(request.POST, boards=boards_of(request))
    if not form.is_valid():
        return page(request, form, status=422)
    try:
        kept.require_room(request.user)
        count(request, "export", str(request.user.pk))
        kept.request_export(request.user, form=form.cleaned_data["form"], board=form.chosen, request=request)
    except kept.ExportRefused as error:
        return page(request, form, error.message, status=409)
    except TooMany:
        return page(request, form, status=429)
    return redirect("data")


_asked_when_confirmed = password_confirmed(_asked)


@login_required
@never_cache
@require_safe
def export_file(request: SignedInRequest, export_id: UUID) -> HttpResponseBase:
    """Send a kept export to whom it belongs. It never changes, so that a download goes on after it broke."""
    export = get_object_or_404(Export.objects.kept(), pk=export_id, user=request.user)
    etag = f'"{export.pk}"'
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        return unchanged
    try:
        file = open_path(export.path)
    except FileNotFoundError:
        raise Http404 from None
    if request.method == "GET":
        log_event(
            EventKind.EXPORTED,
            request,
            user=request.user,
            form=export.form,
            board=export.title or None,
            step="download",
        )
    answer = sent(request, file, etag)  # type: ignore[arg-type]
    if answer.status_code in (200, 206):
        answer["Content-Type"] = TYPES[Form(export.form)]
        answer["Content-Disposition"] = content_disposition_header(True, export.file_name) or "attachment"
    answer["ETag"], answer["Cache-Control"] = etag, "no-store"
    return answer


@form_of_account
def cancellation(request: SignedInRequest, export_id: UUID) -> HttpResponse:
    require_own(request, export_id)
    if kept.cancel(request.user, export_id):
        messages.success(request, _("The export was canceled."))
    return redirect("data")


@form_of_account
def deletion(request: SignedInRequest, export_id: UUID) -> HttpResponse:
    require_own(request, export_id)
    if kept.delete(request.user, export_id):
        messages.success(request, _("The export was deleted."))
    return redirect("data")


def require_own(request: HttpRequest, export_id: UUID) -> None:
    get_object_or_404(Export, pk=export_id, user=request.user)
