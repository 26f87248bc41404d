"""What operators see of boards, and the few of our actions that they can call."""

from boards.admin import boards, cards, comments, history, members, parts

__all__ = ["boards", "cards", "comments", "history", "members", "parts"]
