"""Boards in the operators' admin: read only, with the few actions that they can call there."""

from boards.admin import boards, cards, comments, files, groups, history, members, parts

__all__ = ["boards", "cards", "comments", "files", "groups", "history", "members", "parts"]
