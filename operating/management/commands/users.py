import sys
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError
from django.db import transaction

from accounts.models import Plan, User
from accounts.operations import put_on_plan, sign_out_everywhere, switch
from accounts.plans import lock_default_plan
from core.ids import parse_id
from operating.commands.arguments import VerbCommand
from operating.commands.finding import account_of, accounts, add_by_argument, matching, operator_of
from operating.commands.printing import add_json_argument, add_list_arguments, as_json, print_list
from operating.commands.users import COLUMNS, counted, delete, require_another_operator, row_of_account, what_goes


class Command(VerbCommand):
    help = "Lists and finds accounts; disables, enables, signs out and deletes one, or puts it on a plan."

    def add_verbs(self) -> None:
        parser = self.verb("list", self.show, "Lists accounts, the oldest first.")
        parser.add_argument("--plan", metavar="KEY", help="those on this plan")
        parser.add_argument("--operators", action="store_true", help="operators alone")
        parser.add_argument("--disabled", action="store_true", help="deactivated accounts alone")
        add_list_arguments(parser)
        parser = self.verb("find", self.find, "Finds accounts by a part of the address or name, or by ID.")
        parser.add_argument("text", metavar="TEXT")
        add_list_arguments(parser)
        self.deed("disable", self.disable, "Deactivates an account: its sessions and API tokens end for good.")
        self.deed("enable", self.enable, "Activates an account again.")
        self.deed("sign-out", self.sign_out, "Signs an account out everywhere. Its API tokens stay.")
        parser = self.deed("plan", self.plan, "Puts an account on another plan.")
        parser.add_argument("key", metavar="KEY", help="of the plan, such as pro")
        parser = self.deed("delete", self.delete, "Deletes an account for good, as its owner could.")
        parser.add_argument(
            "--delete-board", metavar="ID", action="append", default=[], help="also delete this board with its members"
        )
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def deed(self, name: str, do: Any, words: str) -> Any:
        parser = self.verb(name, do, words)
        parser.add_argument("who", metavar="ACCOUNT", help="email address or ID")
        add_by_argument(parser)
        if name != "delete":
            add_json_argument(parser)
        return parser

    def show(self, plan: str | None, operators: bool, disabled: bool, **options: Any) -> None:
        found = accounts()
        if plan is not None:
            found = found.filter(plan=plan_of(plan))
        if operators:
            found = found.filter(is_staff=True)
        if disabled:
            found = found.filter(is_active=False)
        print_list(self, counted(found), row_of_account, COLUMNS, options)

    def find(self, text: str, **options: Any) -> None:
        print_list(self, counted(matching(text)), row_of_account, COLUMNS, options)

    def disable(self, who: str, by: str | None, **options: Any) -> None:
        user, operator = account_of(who), operator_of(by)
        with transaction.atomic():
            lock_default_plan()  # as deletions do, so that two at once leave one operator
            require_another_operator(user)
            if user.is_active:
                switch(user, False, None, operator)
        self.tell(user, "disabled. Its sessions and API tokens have ended.", options)

    def enable(self, who: str, by: str | None, **options: Any) -> None:
        user, operator = account_of(who), operator_of(by)
        if not user.is_active:
            switch(user, True, None, operator)
        self.tell(user, "enabled.", options)

    def sign_out(self, who: str, by: str | None, **options: Any) -> None:
        user = account_of(who)
        sign_out_everywhere(user, None, operator_of(by))
        self.tell(user, "signed out everywhere.", options)

    def plan(self, who: str, key: str, by: str | None, **options: Any) -> None:
        user, plan, operator = account_of(who), plan_of(key), operator_of(by)
        if user.plan_id != plan.pk:
            put_on_plan(user, plan, operator)
        self.tell(user, f"on the plan {plan.pk}.", options)

    def delete(self, who: str, by: str | None, delete_board: list[str], yes: bool, **options: Any) -> None:
        user, operator = account_of(who), operator_of(by)
        boards = {board_id(text) for text in delete_board}
        require_another_operator(user)
        if not yes:
            for line in what_goes(user):
                self.stdout.write(line)
            self.stdout.write(f"Type {user.email} to delete it:")
            if sys.stdin.readline().strip().lower() != user.email:
                raise CommandError("Nothing was deleted. Type the address as shown, or give --yes.")
        email = user.email
        delete(user, boards, operator)
        self.stdout.write(f"{email} deleted.")

    def tell(self, user: User, words: str, options: dict[str, Any]) -> None:
        if options["json"]:
            self.stdout.write(as_json(row_of_account(counted(accounts()).get(pk=user.pk))))
        else:
            self.stdout.write(f"{user.email} is {words}")


def plan_of(key: str) -> Plan:
    plan = Plan.objects.filter(pk=key).first()
    if plan is None:
        raise CommandError(
            f"There is no plan {key}. Write one of {', '.join(Plan.objects.values_list('key', flat=True))}."
        )
    return plan


def board_id(text: str) -> UUID:
    found = parse_id(text)
    if found is None:
        raise CommandError(f"--delete-board: “{text}” is not an ID.")
    return found
