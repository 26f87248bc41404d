"""Files of cards, as the API takes and shows them."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apiv1.fields import Line
from apiv1.shapes import PersonOut, person
from boards import text
from boards.dates import timestamp
from boards.models import Attachment
from boards.reading.cards import id_in, timestamp_in


@extend_schema_field(OpenApiTypes.BINARY)
class Upload(serializers.FileField):
    """The bytes of a file. It is for the description; uploads.py reads the form."""


class AttachmentIn(serializers.Serializer):
    file = Upload(help_text="One file, with its name. Its type is told by its bytes.")


class AttachmentChange(serializers.Serializer):
    fileName = Line(required=False, min_length=1, max_length=text.FILE_NAME, help_text="Without folders.")


class AttachmentOut(serializers.Serializer):
    id = serializers.UUIDField()
    fileName = serializers.CharField()
    contentType = serializers.CharField()
    size = serializers.IntegerField(help_text="Bytes.")
    sha256 = serializers.CharField()
    uploadedBy = PersonOut()
    createdAt = serializers.DateTimeField()
    url = serializers.CharField(help_text="The path of the file in this API.")


class AttachmentAnswer(serializers.Serializer):
    attachment = AttachmentOut()


class AttachmentsAnswer(serializers.Serializer):
    attachments = AttachmentOut(many=True)


def attachment_out(row: Attachment) -> dict[str, Any]:
    """Return the attachment, which was read with its file and who uploaded it."""
    file, uploader = row.file, row.uploaded_by
    known = (row.file_name, file.content_type, file.size, file.sha256)
    return _out(str(row.pk), *known, timestamp(row.created_at), person(uploader.pk, uploader.name, uploader.email))


def listed_out(
    pk: str, file_name: str, content_type: str, size: int, sha256: str, created: str, *uploader: str
) -> dict[str, Any]:
    """Return the attachment from a row of FILES."""
    uploader_id, name, email = uploader
    known = (file_name, content_type, size, sha256)
    return _out(id_in(pk), *known, timestamp_in(created), person(id_in(uploader_id), name, email))


def _out(
    pk: str, file_name: str, content_type: str, size: int, sha256: str, created: str, uploader: dict[str, str]
) -> dict[str, Any]:
    return {
        "id": pk,
        "fileName": file_name,
        "contentType": content_type,
        "size": size,
        "sha256": sha256,
        "uploadedBy": uploader,
        "createdAt": created,
        "url": f"/api/v1/attachments/{pk}/file",
    }
