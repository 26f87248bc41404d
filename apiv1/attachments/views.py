"""Files of cards."""

from typing import Any
from uuid import UUID

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request

from apiv1.attachments import shapes
from apiv1.attachments.uploads import FIELD, identity_of, sent_form
from apiv1.base import ApiView, answer
from apiv1.errors import error
from apiv1.idempotency import kept, key_of
from apiv1.schema import NOTHING_THERE, call, errors, if_none_match, refusal
from boards.access import not_found
from boards.actions.files.attachments import attach_file, delete_attachment, rename_attachment, require_attachable
from boards.actions.unchanged import UNCHANGED
from boards.models import Attachment
from boards.reading.card_rows import whole_card
from boards.reading.reach import visible_attachment
from core.files.storage import delete_file, store
from core.http.downloads import answered, confined
from core.ids import parse_id

NO_SUCH_PART = "The file does not have the bytes that Range asks for; Content-Range says how many it has."
OF_FORMS = {
    413: "The form is larger than this service takes.",
    415: "The body is not multipart/form-data, or it has a Content-Encoding.",
    422: "This Idempotency-Key was used with another file, or with another name of it.",
}
part = OpenApiParameter(
    "Range",
    str,
    OpenApiParameter.HEADER,
    description="A part of the file, as in bytes=0-499, bytes=500- or bytes=-500.",
)


class CardAttachmentsView(ApiView):
    counted_as = {"GET": "read", "POST": "upload"}

    @call("listAttachments", "Get the files of a card", shapes.AttachmentsAnswer, says="The files, oldest first.")
    def get(self, request: Request, card_id: str) -> HttpResponse:
        """Those of an archived card, and of an archived board, too."""
        rows = whole_card(self.reader, parse_id(card_id)).files
        return answer({"attachments": [shapes.listed_out(*row) for row in rows]})

    @call(
        "attachFile",
        "Attach a file to a card",
        shapes.AttachmentAnswer,
        status=201,
        says="The file was attached.",
        takes={"multipart/form-data": shapes.AttachmentIn},
        key=True,
        meanings=OF_FORMS,
    )
    def post(self, request: Request, card_id: str) -> HttpResponse:
        """One file, as large as the plan of the board's owner allows. A key goes with the file and its name."""
        with sent_form(request._request) as form:
            self.check_names(form.names, [FIELD])
            file, pk = form.file, parse_id(card_id)
            identity = None if key_of(request) is None else identity_of(file)
            if identity and (repeat := kept(request, self.actor, identity)):
                return self.answered_once(repeat)
            require_attachable(self.actor, pk, file.size or 0)
            return self.attach(pk, file, identity)

    def attach(self, card_id: UUID | None, file: UploadedFile, identity: bytes | None) -> HttpResponse:
        """Store the file, then attach it. It is deleted again if another upload with the same key was quicker."""
        stored = store(file.chunks(), most=file.size or 0)
        is_taken = False

        def make() -> dict[str, Any]:
            nonlocal is_taken
            is_taken = True  # from here on the action sees to the file
            made = attach_file(actor=self.actor, card_id=card_id, stored=stored, file_name=file.name or "")
            return {"attachment": shapes.attachment_out(made)}

        try:
            return self.created(make, identity)
        finally:
            if not is_taken:
                delete_file(stored.name)


class AttachmentView(ApiView):
    counted_as = {"GET": "read", "PATCH": "write", "DELETE": "write"}

    @call("getAttachment", "Get what is known of a file", shapes.AttachmentAnswer, says="The attachment.")
    def get(self, request: Request, attachment_id: str) -> HttpResponse:
        """The file itself is at its `url`."""
        return self.shown(parse_id(attachment_id))

    @call(
        "updateAttachment",
        "Rename a file",
        shapes.AttachmentAnswer,
        says="The attachment as it is now.",
        takes=shapes.AttachmentChange,
    )
    def patch(self, request: Request, attachment_id: str) -> HttpResponse:
        """The type stays: it is told by the bytes."""
        data, pk = self.patched(shapes.AttachmentChange), parse_id(attachment_id)
        name = data.get("fileName", UNCHANGED)
        rename_attachment(actor=self.actor, attachment_id=self.found_row(pk).pk, file_name=name)
        return self.shown(pk)

    @call("deleteAttachment", "Delete a file from its card", status=204, says="It is gone.")
    def delete(self, request: Request, attachment_id: str) -> HttpResponse:
        """If it is the cover of the card, the card has none then."""
        self.take_no_fields()
        delete_attachment(actor=self.actor, attachment_id=self.found_row(parse_id(attachment_id)).pk)
        return HttpResponse(status=204)

    def found_row(self, pk: UUID | None) -> Attachment:
        return visible_attachment(pk, self.reader, archived_board=True)

    def shown(self, pk: UUID | None) -> HttpResponse:
        return answer({"attachment": shapes.attachment_out(self.found_row(pk))})


class AttachmentFileView(ApiView):
    counted_as = {"GET": "read"}

    @extend_schema(
        operation_id="getAttachmentFile",
        summary="Download a file",
        parameters=[part, if_none_match],
        responses={
            (200, "application/octet-stream"): OpenApiResponse(OpenApiTypes.BINARY, "The bytes, with their type."),
            (200, "*/*"): OpenApiResponse(OpenApiTypes.BINARY, "The bytes, with their type."),
            (206, "application/octet-stream"): OpenApiResponse(OpenApiTypes.BINARY, "The part that Range asks for."),
            (206, "*/*"): OpenApiResponse(OpenApiTypes.BINARY, "The part that Range asks for."),
            302: OpenApiResponse(None, "The file is in a bucket, at the address in Location for a minute."),
            304: OpenApiResponse(None, "The caller has this file."),
            **errors(400, 401, 429),
            404: refusal(NOTHING_THERE),
            416: refusal(NO_SUCH_PART),
        },
    )
    def get(self, request: Request, attachment_id: str) -> HttpResponseBase:
        """With its name, an ETag, and by parts. It is always a download, which no browser runs."""
        found = visible_attachment(parse_id(attachment_id), self.reader, archived_board=True)
        try:
            response = answered(request._request, found, inline=False)
        except FileNotFoundError:
            raise not_found() from None
        if response.status_code == 416:
            return error(416, NO_SUCH_PART, {"Content-Range": response["Content-Range"]})
        return confined(response)
