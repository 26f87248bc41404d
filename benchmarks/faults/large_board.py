"""Fill a board of a service with this environment: cards with a comment each, and a long history. In SQL, so within a minute.

python -m benchmarks.faults.large_board BOARD CARDS CHANGES
"""

import os
import sys

import django

COUNT = "WITH RECURSIVE place(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM place WHERE n < %s) "
ROWS = {
    "boards_card": """INSERT INTO boards_card
        (id, board_id, list_id, version, number, position, title, search_text, recurrence, created_by_id, created_at, updated_at)
        SELECT {card}, {board}, {list}, n, n, n * 4294967296, 'Card ' || n, 'card ' || n, '', {user}, {long_ago}, {long_ago}
        FROM place""",
    "boards_comment": """INSERT INTO boards_comment
        (id, board_id, card_id, version, author_id, body, door, token_name, html, html_version, created_at)
        SELECT {comment}, {board}, {card}, n, {user}, 'Comment ' || n, 'web', '', '<p>Comment</p>', 1, {long_ago} FROM place""",
    "boards_activity": """INSERT INTO boards_activity
        (id, board_id, card_id, version, verb, user_id, door, token_name, subject, data, created_at)
        SELECT {activity}, {board}, {card_of_change}, n + 1, 'card_edited', {user}, 'web', '',
            '{{"kind": "card", "id": "01a20000-0000-7000-8000-000000000001", "title": "A card", "number": 1}}',
            '{{"title": ["A card of before", "A card with another title"]}}', {long_ago} FROM place""",
    "boards_formervalues": """INSERT INTO boards_formervalues (activity_id, "values")
        SELECT {activity}, '{{"description": "A text that was replaced, of a few words more"}}' FROM place WHERE n %% 10 = 0""",
}


def main(board_id: str, cards: int, changes: int) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "taskboard.settings"
    django.setup()
    from django.db import connection

    from boards.models import Board, List, Membership

    def key(value: object) -> str:
        return f"'{value}'" if connection.vendor == "postgresql" else f"'{value}'".replace("-", "")

    def numbered(kind: int, number: str = "n") -> str:
        """Return SQL for the id of row n of this kind, of a version 7 as all ids, so that they are in order."""
        if connection.vendor == "postgresql":
            return f"('01a200007{kind:03}8000' || lpad(to_hex({number}), 16, '0'))::uuid"
        return f"'01a200007{kind:03}8000' || printf('%%016x', {number})"

    board = Board.objects.get(pk=board_id)
    names = {
        "board": key(board.pk),
        "list": key(List.objects.filter(board=board).values_list("pk", flat=True)[0]),
        "user": key(Membership.objects.values_list("user", flat=True).get(board=board, role="owner")),
        "card": numbered(0),
        "comment": numbered(1),
        "activity": numbered(2),
        "card_of_change": numbered(0, f"n %% {cards} + 1"),
        "long_ago": "'2020-01-01 00:00:00'" + ("::timestamptz" if connection.vendor == "postgresql" else ""),
    }
    with connection.cursor() as cursor:
        for table, statement in ROWS.items():
            number = changes if table in ("boards_activity", "boards_formervalues") else cards
            cursor.execute(COUNT + statement.format(**names), [number])
        if connection.vendor == "postgresql":
            cursor.execute("ANALYZE")
    Board.objects.filter(pk=board.pk).update(version=changes + 1, last_card_number=cards)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
