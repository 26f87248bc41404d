from django.contrib import admin
from django.contrib.admin import display
from django.utils.translation import gettext_lazy

from boards.admin.read_only import ReadOnlyAdmin
from boards.models import Attachment, StoredFile
from core.text.sizes import size_in_words


@admin.register(Attachment)
class AttachmentAdmin(ReadOnlyAdmin):
    list_display = ("file_name", "card", "board", "bytes", "uploaded_by", "created_at")
    list_select_related = ("card", "board", "file", "uploaded_by")
    search_fields = ("file_name", "card__title", "uploaded_by__email")
    id_fields = ("pk", "board", "card", "file", "uploaded_by")
    fields = ("id", "board", "card", "file", "file_name", "uploaded_by", "door", "token_name", "created_at", "version")

    @display(description=gettext_lazy("size"), ordering="file__size")
    def bytes(self, attachment: Attachment) -> str:
        return size_in_words(attachment.file.size)


@admin.register(StoredFile)
class StoredFileAdmin(ReadOnlyAdmin):
    """Does not show the bytes: files of a board are for its members."""

    list_display = ("name", "bytes", "content_type", "preview", "created_at", "unused_since", "missing_since")
    list_filter = ("preview", "content_type")
    search_fields = ("name", "sha256")
    id_fields = ("pk", "attachments__board", "attachments__card")
    fields = (
        "id",
        "name",
        "size",
        "content_type",
        "sha256",
        "width",
        "height",
        "preview",
        "created_at",
        "unused_since",
        "missing_since",
    )

    @display(description=gettext_lazy("size"), ordering="size")
    def bytes(self, file: StoredFile) -> str:
        return size_in_words(file.size)
