"""The state of an open page: the card that is open on it, and where its reader is typing. It goes over the bus to the
process that serves the page's socket (web/live/presence.py), and is stored nowhere.
"""

import re
from uuid import UUID

from core.bus import bus

FORM = re.compile("[0-9a-z]{16,40}")  # of the name that a page gives itself
PAGE = "page."


def presence_group(board_id: UUID) -> str:
    return f"presence.{board_id}"


def page_group(page: str) -> str:
    return f"{PAGE}{page}"


def tell_page(page: str, user_id: UUID, card_id: UUID | None, typing: str) -> None:
    bus.publish(page_group(page), {"user": str(user_id), "card": str(card_id or ""), "typing": typing})
