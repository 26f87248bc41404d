from boards.models.activity import Activity, Verb
from boards.models.board import Board
from boards.models.card import Assignment, Card, CardLabel
from boards.models.checklist import Checklist, ChecklistItem
from boards.models.comment import Comment
from boards.models.label import Label
from boards.models.list import List
from boards.models.membership import Membership, Role

__all__ = [
    "Activity",
    "Assignment",
    "Board",
    "Card",
    "CardLabel",
    "Checklist",
    "ChecklistItem",
    "Comment",
    "Label",
    "List",
    "Membership",
    "Role",
    "Verb",
]
