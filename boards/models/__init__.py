from boards.models.activity import Activity, FormerValues, OwnerActivity
from boards.models.allowance import Counted, Use
from boards.models.board import Board
from boards.models.card import Assignment, Card, CardLabel
from boards.models.checklist import Checklist, ChecklistItem
from boards.models.comment import Comment
from boards.models.invitation import Invitation
from boards.models.label import Label
from boards.models.list import List
from boards.models.membership import Membership, Role
from boards.models.offer import Offer
from boards.models.verbs import Door, Verb

__all__ = [
    "Activity",
    "Assignment",
    "Board",
    "Card",
    "CardLabel",
    "Checklist",
    "ChecklistItem",
    "Comment",
    "Counted",
    "Door",
    "FormerValues",
    "Invitation",
    "Label",
    "List",
    "Membership",
    "Offer",
    "OwnerActivity",
    "Role",
    "Use",
    "Verb",
]
