"""The database work of the endpoints in bare psycopg: only the statements of one call."""

import json
from collections.abc import Callable
from uuid import UUID

import psycopg
from uuid_utils.compat import uuid7

TOKEN = """SELECT t.id, t.name, t.last_used_at, u.id, u.email, u.name, u.language, u.time_zone, p.key, p.max_boards
    FROM accounts_apitoken t JOIN accounts_user u ON u.id = t.user_id JOIN accounts_plan p ON p.key = u.plan_id
    WHERE t.digest = %s AND u.is_active AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())"""


class Bare:
    def __init__(self, address: str, digest: str, user: UUID, list_id: UUID) -> None:
        self.connection = psycopg.connect(address, autocommit=True, prepare_threshold=None)
        self.digest, self.user, self.list = digest, user, list_id

    def me(self) -> None:
        self.connection.execute(TOKEN, [self.digest]).fetchone()

    def boards(self) -> None:
        self.connection.execute(TOKEN, [self.digest]).fetchone()
        boards = self.connection.execute(
            """SELECT b.* FROM boards_board b JOIN boards_membership m ON m.board_id = b.id
            WHERE m.user_id = %s AND b.archived_at IS NULL ORDER BY b.created_at, b.id""",
            [self.user],
        ).fetchall()
        self.connection.execute(
            "SELECT * FROM boards_list WHERE board_id = ANY(%s) AND archived_at IS NULL ORDER BY position",
            [[row[0] for row in boards]],
        ).fetchall()

    def create_card(self) -> None:
        run = self.connection.execute
        token = run(TOKEN, [self.digest]).fetchone()
        with self.connection.transaction():
            board = run(
                """SELECT * FROM boards_board WHERE id = (SELECT board_id FROM boards_list WHERE id = %s)
                FOR NO KEY UPDATE""",
                [self.list],
            ).fetchone()
            run("SELECT * FROM boards_list WHERE id = %s AND board_id = %s", [self.list, board[0]]).fetchone()
            run(
                "SELECT role FROM boards_membership WHERE board_id = %s AND user_id = %s", [board[0], self.user]
            ).fetchone()
            (last,) = run("SELECT max(position) FROM boards_card WHERE list_id = %s", [self.list]).fetchone()
            card, version, number = uuid7(), board[3] + 1, board[4] + 1
            run(
                """INSERT INTO boards_card (id, version, board_id, list_id, number, position, title, search_text,
                    recurrence, created_by_id, created_at, updated_at)
                VALUES (%s, %s, %s, %s, %s, %s, %s, %s, '', %s, now(), now())""",
                [card, version, board[0], self.list, number, (last or 0) + 2**32, "A card", "a card", self.user],
            )
            run(
                """INSERT INTO boards_activity (id, board_id, version, verb, user_id, door, token_id, token_name, card_id,
                    subject, data, created_at)
                VALUES (%s, %s, %s, 'card.created', %s, 'api', %s, %s, %s, %s, %s, now())""",
                [
                    uuid7(),
                    board[0],
                    version,
                    self.user,
                    token[0],
                    token[1],
                    card,
                    json.dumps({"kind": "card", "id": str(card), "title": "A card"}),
                    json.dumps({"list": [None, "To do"]}),
                ],
            )
            run(
                "UPDATE boards_board SET version = %s, last_card_number = %s, changed_at = now() WHERE id = %s",
                [version, number, board[0]],
            )


def calls(bare: Bare) -> dict[str, Callable[[], None]]:
    return {"GET me": bare.me, "GET boards": bare.boards, "POST cards": bare.create_card}
