"""The sentences of the history: one for each verb, and more exact ones for some.

The history on the page of a card has sentences of its own, without the card's name. Why not put "this card" into the
same placeholder: most languages need another case or preposition there, and a translator cannot add one to a
placeholder.
"""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from boards.models import Verb

IMPORTED: Final = "board.created by an import"
JOINED: Final = "member.added by themselves"
JOINED_BY_LINK: Final = "member.added by an invitation link"
JOINED_BY_GROUP: Final = "member.added by a group"
CHANGED_BY_GROUP: Final = "member.changed by a group"
LEFT_BY_GROUP: Final = "member.left by a group"
TOOK_OVER: Final = "owner.changed by the new owner"
MOVED_WITHIN: Final = "card.moved within its list"
TICKED: Final = "item.changed to done"
UNTICKED: Final = "item.changed to not done"
UNLIMITED: Final = "list.limited no more"

SENTENCES: dict[str, Promise] = {
    Verb.BOARD_CREATED: _("{person} created the board {subject}"),
    Verb.BOARD_CHANGED: _("{person} changed the board"),
    Verb.BOARD_ARCHIVED: _("{person} archived the board"),
    Verb.BOARD_RESTORED: _("{person} restored the board"),
    Verb.BOARD_DELETED: _("{person} deleted the board {subject}"),
    Verb.MEMBER_ADDED: _("{person} added {new} as {role}"),
    Verb.MEMBER_CHANGED: _("{person} changed {new}'s role to {role}"),
    Verb.MEMBER_REMOVED: _("{person} removed {old} from the board"),
    Verb.MEMBER_LEFT: _("{person} left the board"),
    Verb.OWNER_CHANGED: _("{person} transferred the board to {new}"),
    Verb.OFFER_CREATED: _("{person} offered to transfer the board to {new}"),
    Verb.OFFER_DECLINED: _("{person} declined the transfer of the board"),
    Verb.OFFER_WITHDRAWN: _("{person} withdrew the offer to transfer the board to {old}"),
    Verb.INVITATION_LINK_CREATED: _("{person} created the invitation link {subject} with the role {role}"),
    Verb.INVITATION_LINK_WITHDRAWN: _("{person} withdrew the invitation link {subject}"),
    Verb.GROUP_ADDED: _("{person} gave the group {subject} the role {role}"),
    Verb.GROUP_CHANGED: _("{person} changed the role of the group {subject} to {role}"),
    Verb.GROUP_REMOVED: _("{person} removed the group {subject} from the board"),
    Verb.LINK_CREATED: _("{person} turned on the public link of the board"),
    Verb.LINK_CHANGED: _("{person} changed the public link of the board"),
    Verb.LINK_RENEWED: _("{person} gave the public link of the board a new address"),
    Verb.LINK_WITHDRAWN: _("{person} turned off the public link of the board"),
    Verb.LIST_CREATED: _("{person} added the list {subject}"),
    Verb.LIST_CHANGED: _("{person} renamed the list {old} to {new}"),
    Verb.LIST_LIMITED: _("{person} set the card limit of the list {subject} to {new}"),
    Verb.LIST_MOVED: _("{person} moved the list {subject}"),
    Verb.LIST_SORTED: _("{person} sorted the list {subject}"),
    Verb.LIST_ARCHIVED: _("{person} archived the list {subject}"),
    Verb.LIST_RESTORED: _("{person} restored the list {subject}"),
    Verb.LIST_DELETED: _("{person} permanently deleted the list {subject} and its cards"),
    Verb.CARD_CREATED: _("{person} added {card} to {new}"),
    Verb.CARD_CHANGED: _("{person} changed {card}"),
    Verb.CARD_MOVED: _("{person} moved {card} from {old} to {new}"),
    Verb.CARD_LEFT: _("{person} moved {card} to another board"),
    Verb.CARD_ARRIVED: _("{person} moved {card} from another board to {new}"),
    Verb.CARD_COMPLETED: _("{person} marked {card} as done"),
    Verb.CARD_REOPENED: _("{person} reopened {card}"),
    Verb.CARD_ARCHIVED: _("{person} archived {card}"),
    Verb.CARD_RESTORED: _("{person} restored {card}"),
    Verb.CARD_DELETED: _("{person} permanently deleted {card}"),
    Verb.CARD_LABELLED: _("{person} added the label {new} to {card}"),
    Verb.CARD_UNLABELLED: _("{person} removed the label {old} from {card}"),
    Verb.CARD_ASSIGNED: _("{person} assigned {new} to {card}"),
    Verb.CARD_UNASSIGNED: _("{person} unassigned {old} from {card}"),
    Verb.LABEL_CREATED: _("{person} created the label {subject}"),
    Verb.LABEL_CHANGED: _("{person} changed the label {subject}"),
    Verb.LABEL_DELETED: _("{person} deleted the label {subject}"),
    Verb.LABEL_RESTORED: _("{person} restored the label {subject}"),
    Verb.CHECKLIST_CREATED: _("{person} added the checklist {subject} to {card}"),
    Verb.CHECKLIST_CHANGED: _("{person} renamed the checklist {old} to {new} on {card}"),
    Verb.CHECKLIST_MOVED: _("{person} moved the checklist {subject} on {card}"),
    Verb.CHECKLIST_DELETED: _("{person} deleted the checklist {subject} from {card}"),
    Verb.CHECKLIST_RESTORED: _("{person} restored the checklist {subject} on {card}"),
    Verb.ITEM_CREATED: _("{person} added {subject} to a checklist on {card}"),
    Verb.ITEM_CHANGED: _("{person} edited {subject} in a checklist on {card}"),
    Verb.ITEM_MOVED: _("{person} moved {subject} in a checklist on {card}"),
    Verb.ITEM_DELETED: _("{person} deleted {subject} from a checklist on {card}"),
    Verb.ITEM_RESTORED: _("{person} restored {subject} in a checklist on {card}"),
    Verb.COMMENT_CREATED: _("{person} commented on {card}"),
    Verb.COMMENT_CHANGED: _("{person} edited a comment on {card}"),
    Verb.COMMENT_DELETED: _("{person} deleted a comment on {card}"),
    Verb.COMMENT_RESTORED: _("{person} restored a comment on {card}"),
    Verb.ATTACHMENT_CREATED: _("{person} attached {subject} to {card}"),
    Verb.ATTACHMENT_RENAMED: _("{person} renamed the file {old} to {new} on {card}"),
    Verb.ATTACHMENT_DELETED: _("{person} deleted the file {subject} from {card}"),
    Verb.ATTACHMENT_RESTORED: _("{person} restored the file {subject} on {card}"),
}
MORE_EXACT: dict[str, Promise] = {
    IMPORTED: _("{person} imported the board {subject}"),
    JOINED: _("{person} joined as {role}, invited by {inviter}"),
    JOINED_BY_LINK: _("{person} joined as {role} with an invitation link from {inviter}"),
    JOINED_BY_GROUP: _("{person} joined as {role} by the group {group}"),
    CHANGED_BY_GROUP: _("{person} got the role {role} by the group {group}"),
    LEFT_BY_GROUP: _("{person} lost the access that the group {group} gave"),
    TOOK_OVER: _("{person} took over the board from {old}"),
    MOVED_WITHIN: _("{person} moved {card} within its list"),
    TICKED: _("{person} checked off {subject} on {card}"),
    UNTICKED: _("{person} unchecked {subject} on {card}"),
    UNLIMITED: _("{person} removed the card limit of the list {subject}"),
}
ON_ITS_CARD: dict[str, Promise] = {
    Verb.CARD_CREATED: _("{person} added the card to {new}"),
    Verb.CARD_CHANGED: _("{person} changed the card"),
    Verb.CARD_MOVED: _("{person} moved the card from {old} to {new}"),
    Verb.CARD_LEFT: _("{person} moved the card to another board"),
    Verb.CARD_ARRIVED: _("{person} moved the card from another board to {new}"),
    Verb.CARD_COMPLETED: _("{person} marked the card as done"),
    Verb.CARD_REOPENED: _("{person} reopened the card"),
    Verb.CARD_ARCHIVED: _("{person} archived the card"),
    Verb.CARD_RESTORED: _("{person} restored the card"),
    Verb.CARD_DELETED: _("{person} permanently deleted the card"),
    Verb.CARD_LABELLED: _("{person} added the label {new}"),
    Verb.CARD_UNLABELLED: _("{person} removed the label {old}"),
    Verb.CARD_ASSIGNED: _("{person} assigned {new}"),
    Verb.CARD_UNASSIGNED: _("{person} unassigned {old}"),
    Verb.CHECKLIST_CREATED: _("{person} added the checklist {subject}"),
    Verb.CHECKLIST_CHANGED: _("{person} renamed the checklist {old} to {new}"),
    Verb.CHECKLIST_MOVED: _("{person} moved the checklist {subject}"),
    Verb.CHECKLIST_DELETED: _("{person} deleted the checklist {subject}"),
    Verb.CHECKLIST_RESTORED: _("{person} restored the checklist {subject}"),
    Verb.ITEM_CREATED: _("{person} added {subject} to a checklist"),
    Verb.ITEM_CHANGED: _("{person} edited {subject} in a checklist"),
    Verb.ITEM_MOVED: _("{person} moved {subject} in a checklist"),
    Verb.ITEM_DELETED: _("{person} deleted {subject} from a checklist"),
    Verb.ITEM_RESTORED: _("{person} restored {subject} in a checklist"),
    Verb.COMMENT_CREATED: _("{person} commented"),
    Verb.COMMENT_CHANGED: _("{person} edited a comment"),
    Verb.COMMENT_DELETED: _("{person} deleted a comment"),
    Verb.COMMENT_RESTORED: _("{person} restored a comment"),
    Verb.ATTACHMENT_CREATED: _("{person} attached {subject}"),
    Verb.ATTACHMENT_RENAMED: _("{person} renamed the file {old} to {new}"),
    Verb.ATTACHMENT_DELETED: _("{person} deleted the file {subject}"),
    Verb.ATTACHMENT_RESTORED: _("{person} restored the file {subject}"),
    MOVED_WITHIN: _("{person} moved the card within its list"),
    TICKED: _("{person} checked off {subject}"),
    UNTICKED: _("{person} unchecked {subject}"),
}
