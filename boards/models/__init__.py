from boards.models.activity import Activity, FormerValues, OwnerActivity
from boards.models.allowance import Counted, Use
from boards.models.attachment import Attachment, Preview, StoredFile
from boards.models.board import Board
from boards.models.board_view import BoardView
from boards.models.card import Assignment, Card, CardLabel
from boards.models.checklist import Checklist, ChecklistItem
from boards.models.comment import Comment
from boards.models.group import BoardGroup, GroupMembership
from boards.models.invitation import Invitation
from boards.models.invitation_link import InvitationLink
from boards.models.invitation_mail import InvitationMail, InvitationStop
from boards.models.label import Label
from boards.models.list import List
from boards.models.membership import Membership, Role
from boards.models.offer import Offer
from boards.models.own_template import OwnTemplate
from boards.models.public_link import PublicLink
from boards.models.renumbering import Renumbering
from boards.models.verbs import Door, Verb

__all__ = [
    "Activity",
    "Assignment",
    "Attachment",
    "Board",
    "BoardGroup",
    "BoardView",
    "Card",
    "CardLabel",
    "Checklist",
    "ChecklistItem",
    "Comment",
    "Counted",
    "Door",
    "FormerValues",
    "GroupMembership",
    "Invitation",
    "InvitationLink",
    "InvitationMail",
    "InvitationStop",
    "Label",
    "List",
    "Membership",
    "Offer",
    "OwnTemplate",
    "OwnerActivity",
    "Preview",
    "PublicLink",
    "Renumbering",
    "Role",
    "StoredFile",
    "Use",
    "Verb",
]
