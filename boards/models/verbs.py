from django.db import models
from django.utils.translation import gettext_lazy as _


class Door(models.TextChoices):
    """The door that a change came through: pages, REST, MCP, an import, the admin, or a command."""

    WEB = "web", _("web")
    API = "api", _("API")
    AGENT = "agent", _("agent")
    IMPORT = "import", _("import")
    ADMIN = "admin", _("admin")
    COMMAND = "command", _("command line")


class Verb(models.TextChoices):
    """The verb of a change. The label is for filters. Its sentence is in reading/sentences.py, its data in records.py."""

    BOARD_CREATED = "board.created", _("Board created")
    BOARD_CHANGED = "board.changed", _("Board changed")
    BOARD_ARCHIVED = "board.archived", _("Board archived")
    BOARD_RESTORED = "board.restored", _("Board restored")
    BOARD_DELETED = "board.deleted", _("Board deleted")
    MEMBER_ADDED = "member.added", _("Member added")
    MEMBER_CHANGED = "member.changed", _("Role changed")
    MEMBER_REMOVED = "member.removed", _("Member removed")
    MEMBER_LEFT = "member.left", _("Member left")
    OWNER_CHANGED = "owner.changed", _("Board transferred")
    OFFER_CREATED = "offer.created", _("Board offered")
    OFFER_DECLINED = "offer.declined", _("Offer declined")
    OFFER_WITHDRAWN = "offer.withdrawn", _("Offer withdrawn")
    INVITATION_LINK_CREATED = "invitation_link.created", _("Invitation link created")
    INVITATION_LINK_WITHDRAWN = "invitation_link.withdrawn", _("Invitation link withdrawn")
    GROUP_ADDED = "group.added", _("Group added")
    GROUP_CHANGED = "group.changed", _("Role of a group changed")
    GROUP_REMOVED = "group.removed", _("Group removed")
    LINK_CREATED = "link.created", _("Public link turned on")
    LINK_CHANGED = "link.changed", _("Public link changed")
    LINK_RENEWED = "link.renewed", _("Public link replaced")
    LINK_WITHDRAWN = "link.withdrawn", _("Public link turned off")
    LIST_CREATED = "list.created", _("List created")
    LIST_CHANGED = "list.changed", _("List renamed")
    LIST_LIMITED = "list.limited", _("Card limit changed")
    LIST_MOVED = "list.moved", _("List moved")
    LIST_SORTED = "list.sorted", _("List sorted")
    LIST_ARCHIVED = "list.archived", _("List archived")
    LIST_RESTORED = "list.restored", _("List restored")
    LIST_DELETED = "list.deleted", _("List deleted")
    CARD_CREATED = "card.created", _("Card created")
    CARD_CHANGED = "card.changed", _("Card changed")
    CARD_MOVED = "card.moved", _("Card moved")
    CARD_LEFT = "card.left", _("Card moved to another board")
    CARD_ARRIVED = "card.arrived", _("Card moved here from another board")
    CARD_COMPLETED = "card.completed", _("Card done")
    CARD_REOPENED = "card.reopened", _("Card reopened")
    CARD_ARCHIVED = "card.archived", _("Card archived")
    CARD_RESTORED = "card.restored", _("Card restored")
    CARD_DELETED = "card.deleted", _("Card deleted")
    CARD_LABELLED = "card.labelled", _("Label added to a card")
    CARD_UNLABELLED = "card.unlabelled", _("Label removed from a card")
    CARD_ASSIGNED = "card.assigned", _("Person assigned")
    CARD_UNASSIGNED = "card.unassigned", _("Person unassigned")
    LABEL_CREATED = "label.created", _("Label created")
    LABEL_CHANGED = "label.changed", _("Label changed")
    LABEL_DELETED = "label.deleted", _("Label deleted")
    LABEL_RESTORED = "label.restored", _("Label restored")
    CHECKLIST_CREATED = "checklist.created", _("Checklist created")
    CHECKLIST_CHANGED = "checklist.changed", _("Checklist changed")
    CHECKLIST_MOVED = "checklist.moved", _("Checklist moved")
    CHECKLIST_DELETED = "checklist.deleted", _("Checklist deleted")
    CHECKLIST_RESTORED = "checklist.restored", _("Checklist restored")
    ITEM_CREATED = "item.created", _("Checklist item created")
    ITEM_CHANGED = "item.changed", _("Checklist item changed")
    ITEM_MOVED = "item.moved", _("Checklist item moved")
    ITEM_DELETED = "item.deleted", _("Checklist item deleted")
    ITEM_RESTORED = "item.restored", _("Checklist item restored")
    COMMENT_CREATED = "comment.created", _("Comment added")
    COMMENT_CHANGED = "comment.changed", _("Comment edited")
    COMMENT_DELETED = "comment.deleted", _("Comment deleted")
    COMMENT_RESTORED = "comment.restored", _("Comment restored")
    ATTACHMENT_CREATED = "attachment.created", _("File attached")
    ATTACHMENT_RENAMED = "attachment.renamed", _("File renamed")
    ATTACHMENT_DELETED = "attachment.deleted", _("File deleted")
    ATTACHMENT_RESTORED = "attachment.restored", _("File restored")


def doors() -> list[tuple[str, object]]:
    """Return the choices of a model field. As they are given by a callable, a new door needs no migration."""
    return list(Door.choices)


def verbs() -> list[tuple[str, object]]:
    """Return the choices of a model field. As they are given by a callable, a new verb needs no migration."""
    return list(Verb.choices)
