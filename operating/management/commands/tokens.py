from typing import Any

from accounts.models import ApiToken
from accounts.operations import revoke
from operating.commands.arguments import VerbCommand
from operating.commands.finding import account_of, add_by_argument, operator_of, row_of
from operating.commands.printing import Columns, Row, add_json_argument, add_list_arguments, as_json, print_list

SHOWN = 13  # letters of an id: the time of its making to the millisecond
COLUMNS: Columns = {
    "ID": lambda row: row["id"][:SHOWN],
    "NAME": "name",
    "OWNER": "owner",
    "STATE": "state",
    "ACCESS": "access",
    "DELETES": "deletes",
    "BOARDS": lambda row: "all" if row["boardIds"] is None else len(row["boardIds"]),
    "LAST USED": "lastUsedAt",
    "EXPIRES": "expiresAt",
}


class Command(VerbCommand):
    help = "Lists API tokens and revokes one. Their values are stored nowhere, so they are never shown."

    def add_verbs(self) -> None:
        parser = self.verb("list", self.show, "Lists API tokens, the oldest first.")
        parser.add_argument("--user", metavar="ACCOUNT", help="those of this account: its email address or ID")
        parser.add_argument("--revoked", action="store_true", help="also those that were revoked")
        add_list_arguments(parser)
        parser = self.verb("revoke", self.revoke, "Revokes an API token. It stops working at once, for good.")
        parser.add_argument("id", metavar="ID", help="or the beginning of it that the list shows")
        add_by_argument(parser)
        add_json_argument(parser)

    def show(self, user: str | None, revoked: bool, **options: Any) -> None:
        found = ApiToken.objects.all() if revoked else ApiToken.objects.held()
        if user is not None:
            found = found.filter(user=account_of(user))
        print_list(self, found.select_related("user"), row_of_token, COLUMNS, options)

    def revoke(self, id: str, by: str | None, **options: Any) -> None:
        tokens = ApiToken.objects.select_related("user")
        token = row_of(tokens, id, what="API token", command="bin/manage tokens list")
        revoke(token, None, operator_of(by))
        token.refresh_from_db()
        if options["json"]:
            self.stdout.write(as_json(row_of_token(token)))
        else:
            self.stdout.write(f"The API token “{token.name}” of {token.user.email} is revoked.")


def row_of_token(token: ApiToken) -> Row:
    return {
        "id": str(token.pk),
        "name": token.name,
        "owner": token.user.email,
        "ownerId": str(token.user_id),
        "state": token.state.value,
        "access": token.access,
        "deletes": token.deletes,
        "boardIds": token.board_ids,
        "madeBy": token.made_by,
        "createdAt": token.created_at,
        "lastUsedAt": token.last_used_at,
        "expiresAt": token.expires_at,
        "revokedAt": token.revoked_at,
    }
