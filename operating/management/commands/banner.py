from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.utils import timezone

from operating.banner.memory import READ_EVERY
from operating.commands.arguments import VerbCommand
from operating.commands.printing import Row, add_json_argument, as_json, in_words
from operating.commands.times import moment
from operating.models import Banner, Level


class Command(VerbCommand):
    help = "Shows everybody a text at the top of all pages, as the admin's page Banner does."

    def add_verbs(self) -> None:
        parser = self.verb("set", self.put, "Sets the text, in place of the former one.")
        parser.add_argument("text", metavar="TEXT", help="plain text; at most 200 characters")
        parser.add_argument("--level", choices=Level.values, default=Level.INFORMATION.value)
        parser.add_argument(
            "--from", dest="starts", metavar="TIME", help="as in 2026-12-01T09:00 (UTC) or 2026-12-01T09:00+01:00"
        )
        parser.add_argument("--until", dest="ends", metavar="TIME", help="when it goes (default: when you clear it)")
        self.verb("clear", self.clear, "Takes the banner away.")
        parser = self.verb("show", self.show, "Prints the banner.")
        add_json_argument(parser)

    def put(self, text: str, level: str, starts: str | None, ends: str | None, **options: Any) -> None:
        banner = Banner.objects.first() or Banner()
        banner.text, banner.level = " ".join(text.split()), level
        banner.starts_at = None if starts is None else moment("--from", starts)
        banner.ends_at = None if ends is None else moment("--until", ends)
        try:
            banner.full_clean()
        except ValidationError as error:
            names = {"text": "TEXT", "ends_at": "--until"}
            raise CommandError(
                "\n".join(f"{names.get(name, name)}: {' '.join(said)}" for name, said in error.message_dict.items())
            ) from None
        if banner.ends_at is not None and banner.ends_at <= timezone.now():
            raise CommandError("--until: this time has passed.")
        banner.save()
        self.stdout.write(f"The banner is set. Every page that is opened shows it within {READ_EVERY:.0f} seconds.")

    def clear(self, **options: Any) -> None:
        Banner.objects.all().delete()
        self.stdout.write("There is no banner.")

    def show(self, **options: Any) -> None:
        banner = Banner.objects.first()
        if options["json"]:
            self.stdout.write("null" if banner is None else as_json(row_of(banner)))
        elif banner is None:
            self.stdout.write("There is no banner.")
        else:
            for name, value in row_of(banner).items():
                self.stdout.write(f"{name:<9} {in_words(value)}")


def row_of(banner: Banner) -> Row:
    return {
        "text": banner.text,
        "level": banner.level,
        "startsAt": banner.starts_at,
        "endsAt": banner.ends_at,
        "isShown": banner.is_shown(timezone.now()),
    }
