"""Commands with a word for what to do, as in `bin/manage users disable olga@example.com`."""

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.locks import AccountChanged
from boards.admin.operating import sentence_for_operators
from boards.errors import DomainError

Do = Callable[..., None]


class VerbCommand(BaseCommand):
    """Each verb has a parser of its own and a method that is called with all options."""

    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        self.verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
        self.add_verbs()

    def add_verbs(self) -> None:
        raise NotImplementedError

    def verb(self, name: str, do: Do, words: str) -> ArgumentParser:
        parser: ArgumentParser = self.verbs.add_parser(name, help=words, description=words)
        parser.set_defaults(do=do)
        return parser

    def handle(self, *args: Any, do: Do, **options: Any) -> None:
        try:
            do(**options)
        except DomainError as error:
            raise CommandError(sentence_for_operators(error)) from None
        except AccountChanged:
            raise CommandError("The account was changed meanwhile. Nothing was done. Run this again.") from None
