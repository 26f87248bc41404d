"""bin/manage import: what /settings/data/import does, for any account."""

import getpass
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from boards.errors import DomainError, Invalid
from boards.losses import Loss
from core.files.storage import StorageFails
from core.text.lists import join_items
from core.text.locale import locale_of
from importer import steps
from importer.attempts import TooLong
from importer.formats import FORMATS
from importer.formats.source import Question, SourceKind, Unreadable
from importer.models import Import, ImportState
from importer.room import lack_of_room
from importer.words import beside_in_words, in_words, things_in_words
from security.events import log_event
from security.models import EventKind

NOT_DONE = 2  # the exit code where the file could be read but was not imported


class Command(BaseCommand):
    help = "Imports boards from a file into an account: first a report of what will be made, then the boards."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the account's email address")
        parser.add_argument("file", type=Path, nargs="?", help="the file; not for a format that needs none")
        parser.add_argument(
            "--format", choices=list(FORMATS), help="the service or form of the file; by default it is recognized"
        )
        parser.add_argument(
            "--answer", metavar="NAME=VALUE", action="append", default=[], help="answers a question of the format"
        )
        parser.add_argument(
            "--map",
            metavar="NAME=EMAIL",
            action="append",
            default=[],
            help="match a person of the file with an account",
        )
        parser.add_argument("--dry-run", action="store_true", help="only print the report")
        parser.add_argument("--yes", action="store_true", help="do not ask before the import")

    def handle(self, *args: Any, **options: Any) -> None:
        user = get_user_model().objects.filter(email=options["email"].lower(), is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active account with the address {options['email']}.")
        with locale_of(user):
            try:
                self._import(user, options)
            except (DomainError, Unreadable, TooLong) as error:
                raise CommandError(str(error)) from None
            except StorageFails:
                raise CommandError(
                    "The file could not be stored, as its storage does not answer. Try again later."
                ) from None
            except OSError as error:
                raise CommandError(f"{error.filename or options['file']}: {error.strerror}.") from None

    def _import(self, user: Any, options: dict[str, Any]) -> None:
        row = self._uploaded(user, options)
        try:
            self._answer(row, dict(pair(one, "--answer") for one in options["answer"]))
            self._report(row)
            people = people_of(row, dict(pair(one, "--map") for one in options["map"]))
            asks = sys.stdin.isatty() and not options["dry_run"] and not options["yes"]
            if self._answered_beside(row, asks=asks):
                self._report(row)
                self.stdout.write(beside_in_words(row))
            if options["dry_run"]:
                return
            if not options["yes"] and not self._agreed():
                raise CommandError("Nothing was imported.", returncode=NOT_DONE)
            steps.begin_writing(row, people=people, left_out=(), at_once=True)
            log_event(EventKind.IMPORTED, None, user=user, name=row.file_name, boards=len(row.boards))
            steps.write_now(row)
            row.refresh_from_db()
        finally:
            if row.is_open:
                steps.cancel(row)
        if row.state != ImportState.DONE:
            raise CommandError(row.error or "The import did not finish.")
        self.stdout.write(f"Imported boards: {len(row.made)}.")

    def _uploaded(self, user: Any, options: dict[str, Any]) -> Import:
        if options["file"] is None:
            if not options["format"] or FORMATS[options["format"]].NEEDS_FILE:
                raise CommandError("Name the file to import.")
            return steps.upload_nothing(user, options["format"])
        with options["file"].open("rb") as file:
            return steps.upload(user, file, options["file"].name, options["format"] or "")

    def _answer(self, row: Import, answers: dict[str, str]) -> None:
        """Take the answers that were given, and of the questions before the report the guesses of the format."""
        beside = FORMATS[row.format].BESIDE_REPORT
        known: dict[str, None] = {}  # the names of all questions
        for _round in range(10):  # a question may depend on an earlier answer
            questions = steps.questions_of(row)
            known |= dict.fromkeys(one.name for one in [*questions, *beside])
            open_ones = steps.missing(row, [*questions, *(one for one in beside if one.name in answers)])
            if not open_ones:
                break
            given = {one.name: answers.get(one.name, one.answer) for one in open_ones}
            unanswered = [one for one in open_ones if one.required and not given[one.name]]
            if unanswered:
                lines = [f"  --answer {one.name}=…  {one.label} {choices_of(one)}" for one in unanswered]
                raise CommandError("\n".join(["Some answers are missing:", *lines]))
            steps.answer(row, given)
        require_known(answers, known)

    def _report(self, row: Import) -> None:
        steps.begin_reading(row, at_once=True)
        row.refresh_from_db()
        if row.state != ImportState.REPORTED:
            raise CommandError(row.error or "The file could not be read.")
        self._print(row)

    def _answered_beside(self, row: Import, *, asks: bool) -> bool:
        """Ask what the page asks beside the report, or say how to answer. Return whether the report is to be made anew."""
        questions = steps.asked_beside(row)
        if not questions or any(row.answers.get(one.name) for one in questions):
            return False
        self.stdout.write(beside_in_words(row))
        if not asks:
            self.stdout.write("\n".join(f"  --answer {one.name}=…  {one.label}" for one in questions))
            return False
        while any((given := {one.name: self._typed(one) for one in questions}).values()):
            try:
                steps.answer(row, given)
            except Invalid as error:
                self.stdout.write(error.message)
            else:
                return True
        return False

    def _typed(self, question: Question) -> str:
        if question.help:
            self.stdout.write(str(question.help))
        ask = getpass.getpass if question.kind is SourceKind.SECRET else input
        try:
            return ask(f"{question.label}: ")
        except EOFError:  # the end of the input, as by Ctrl-D
            return ""

    def _print(self, row: Import) -> None:
        self.stdout.write(things_in_words(row.report["things"]))
        for board in row.report["boards"]:
            self.stdout.write(f"{board['title']}: {in_words(board['counts'])}")
        for loss in row.report["losses"]:
            self.stdout.write(f"{told(loss)} ({'; '.join(loss['places'][:5])})")
        if lacking := lack_of_room(row):
            self.stdout.write(lacking)
        if names := [person["name"] or person["key"] for person in row.report["people"]]:
            self.stdout.write(f"People: {join_items(names)}")

    def _agreed(self) -> bool:
        if not sys.stdin.isatty():
            raise CommandError("Add --yes to import without being asked.", returncode=NOT_DONE)
        return input("Import? [y/N] ").strip().lower() in ("y", "yes")


def told(loss: dict[str, Any]) -> str:
    known = Loss(loss["loss"]) if loss["loss"] in Loss.values else None
    return known.label % {"number": loss["count"]} if known else f"{loss['count']} × {loss['loss']}"


def pair(text: str, option: str) -> tuple[str, str]:
    name, equals, value = text.rpartition("=") if option == "--map" else text.partition("=")
    if not equals or not name:
        raise CommandError(f"{option} {text} is not of the form NAME=VALUE.")
    return name, value


def require_known(answers: Iterable[str], known: Collection[str]) -> None:
    for name in answers:
        if name not in known:
            asked = f"It asks for {', '.join(known)}." if known else "It asks nothing."
            raise CommandError(f"--answer {name}: this file asks for no such thing. {asked}")


def choices_of(question: Question) -> str:
    return f"({', '.join(choice.value for choice in question.choices if choice.value)})" if question.choices else ""


def people_of(row: Import, wanted: dict[str, str]) -> dict[str, str]:
    """Return ids of users by the keys of people, from addresses by names. Raises CommandError for a name or address
    that is not there.
    """
    keys: dict[str, list[str]] = {}
    for person in row.report["people"]:
        keys.setdefault(person["name"], []).append(person["key"])
    users = {user.email: str(user.pk) for user in [row.user, *steps.people_for(row.user)]}
    found: dict[str, str] = {}
    for name, email in wanted.items():
        if name not in keys:
            raise CommandError(f"The file names no person called {name}.")
        if email.lower() not in users:
            raise CommandError(f"{email} is neither this account nor somebody with whom it shares a board.")
        found |= dict.fromkeys(keys[name], users[email.lower()])
    return found
