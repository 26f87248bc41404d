from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7


class Door(models.TextChoices):
    """Through which door a change came in."""

    WEB = "web", _("web")
    API = "api", _("API")
    AGENT = "agent", _("agent")
    IMPORT = "import", _("import")
    ADMIN = "admin", _("admin")
    COMMAND = "command", _("command line")


class Verb(models.TextChoices):
    """What a change did. The labels are what people filter by; sentences are in web/history.py."""

    BOARD_CREATED = "board.created", _("Board created")
    BOARD_CHANGED = "board.changed", _("Board changed")
    BOARD_ARCHIVED = "board.archived", _("Board archived")
    BOARD_RESTORED = "board.restored", _("Board restored")
    MEMBER_ADDED = "member.added", _("Member added")
    MEMBER_CHANGED = "member.changed", _("Role changed")
    MEMBER_REMOVED = "member.removed", _("Member removed")
    MEMBER_LEFT = "member.left", _("Member left")
    OWNER_CHANGED = "owner.changed", _("Board handed over")
    LIST_CREATED = "list.created", _("List created")
    LIST_CHANGED = "list.changed", _("List renamed")
    LIST_MOVED = "list.moved", _("List moved")
    LIST_ARCHIVED = "list.archived", _("List archived")
    LIST_RESTORED = "list.restored", _("List restored")
    LIST_DELETED = "list.deleted", _("List deleted")
    CARD_CREATED = "card.created", _("Card created")
    CARD_CHANGED = "card.changed", _("Card changed")
    CARD_MOVED = "card.moved", _("Card moved")
    CARD_LEFT = "card.left", _("Card moved to another board")
    CARD_ARRIVED = "card.arrived", _("Card moved from another board")
    CARD_COMPLETED = "card.completed", _("Card done")
    CARD_REOPENED = "card.reopened", _("Card reopened")
    CARD_ARCHIVED = "card.archived", _("Card archived")
    CARD_RESTORED = "card.restored", _("Card restored")
    CARD_DELETED = "card.deleted", _("Card deleted")
    CARD_LABELLED = "card.labelled", _("Label added to a card")
    CARD_UNLABELLED = "card.unlabelled", _("Label taken off a card")
    CARD_ASSIGNED = "card.assigned", _("Person assigned")
    CARD_UNASSIGNED = "card.unassigned", _("Person unassigned")
    LABEL_CREATED = "label.created", _("Label created")
    LABEL_CHANGED = "label.changed", _("Label changed")
    LABEL_DELETED = "label.deleted", _("Label deleted")
    CHECKLIST_CREATED = "checklist.created", _("Checklist created")
    CHECKLIST_CHANGED = "checklist.changed", _("Checklist changed")
    CHECKLIST_MOVED = "checklist.moved", _("Checklist moved")
    CHECKLIST_DELETED = "checklist.deleted", _("Checklist deleted")
    ITEM_CREATED = "item.created", _("Checklist item created")
    ITEM_CHANGED = "item.changed", _("Checklist item changed")
    ITEM_MOVED = "item.moved", _("Checklist item moved")
    ITEM_DELETED = "item.deleted", _("Checklist item deleted")
    COMMENT_CREATED = "comment.created", _("Comment written")
    COMMENT_CHANGED = "comment.changed", _("Comment edited")
    COMMENT_DELETED = "comment.deleted", _("Comment deleted")


class Activity(models.Model):
    """One change of one board: its number, who did it through which door, and the old and new values.

    `subject` is what was changed, `{"kind", "id", "title"}`; `data` holds `{"field": [old, new]}`; `removed` names the
    rows that are gone from the board for good, `[{"kind", "id"}]`, so that catching up learns of them.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    board = models.ForeignKey("boards.Board", on_delete=models.CASCADE, related_name="activities")
    version = models.BigIntegerField(editable=False)
    verb = models.CharField(_("what"), max_length=30, choices=Verb)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    door = models.CharField(_("door"), max_length=10, choices=Door)
    token_id = models.UUIDField(null=True)
    token_name = models.CharField(_("token"), max_length=100, blank=True)
    card_id = models.UUIDField(null=True)
    subject = models.JSONField(encoder=DjangoJSONEncoder, default=dict)
    data = models.JSONField(encoder=DjangoJSONEncoder, default=dict)
    removed = models.JSONField(encoder=DjangoJSONEncoder, null=True)
    created_at = models.DateTimeField(_("when"), default=timezone.now, editable=False)

    class Meta:
        ordering = ["-version"]
        verbose_name = _("activity")
        verbose_name_plural = _("activities")
        constraints = [models.UniqueConstraint(fields=["board", "version"], name="one_activity_a_change")]
        indexes = [models.Index(fields=["card_id", "-version"], name="activity_by_card")]

    def __str__(self) -> str:
        return f"{self.version} · {self.get_verb_display()}"
