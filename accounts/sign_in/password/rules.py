"""Refuse new passwords that attackers try first. There are no rules about which characters a password has.
docs/decisions/accounts.md says where the list comes from.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.models import User

LIST = Path(__file__).parent / "common_passwords" / "list.txt"
# Seasons and months of our languages. With a year and a sign they are what rules about characters lead to.
SEASONS = """
spring summer autumn fall winter january february march april may june july august september october november december
frühling fruehling sommer herbst januar februar märz maerz mai juni juli oktober dezember
printemps été ete automne hiver janvier février fevrier mars avril juin juillet août aout septembre octobre novembre
décembre decembre primavera verano otoño otono invierno enero febrero marzo abril mayo junio julio agosto septiembre
octubre noviembre diciembre verão verao outono inverno janeiro fevereiro março marco maio junho julho setembro outubro
novembro dezembro haru natsu aki fuyu
"""
SEASON_NAMES = frozenset(SEASONS.split())
LETTERS_OF = str.maketrans("013457@$!", "oleastasi")  # p@ssw0rd
FRINGE = 6  # so many digits and signs around a word make it no harder to guess
DIFFERENT = 4  # characters, at least


class GuessValidator(CommonPasswordValidator):
    """Refuse common passwords, the names of this service, seasons with a year, and few characters repeated."""

    def validate(self, password: str, user: User | None = None) -> None:
        text = unicodedata.normalize("NFKC", password).casefold().strip()
        if len(set(text)) < DIFFERENT:
            raise ValidationError(
                _("This password has too few different characters. Use several unrelated words instead."),
                code="password_too_monotonous",
            )
        if any(self.is_common(guess) for guess in guesses(text)):
            raise ValidationError(
                _("This password is too common. Use several unrelated words instead."), code="password_too_common"
            )
        names = names_of_service()
        if is_made_of(text, names) or is_made_of(text.translate(LETTERS_OF), names):
            raise ValidationError(
                _("This password is little more than the name of this service. Use several unrelated words instead."),
                code="password_of_service",
            )

    def is_common(self, guess: str) -> bool:
        return guess in self.passwords or guess in SEASON_NAMES or is_listed(guess)


def guesses(text: str) -> Iterator[str]:
    """Yield what the text is a variation of: without digits and signs around it, with letters for signs, said once."""
    half = text[: len(text) // 2]
    for whole in {text, half} if half * 2 == text else {text}:
        head = re.sub(r"[\W\d_]+$", "", whole)
        core = re.sub(r"^[\W\d_]+", "", head)
        yield whole
        yield whole.translate(LETTERS_OF)
        if len(whole) - len(head) <= FRINGE:
            yield head.translate(LETTERS_OF)
        if len(whole) - len(core) <= FRINGE:
            yield core
            yield core.translate(LETTERS_OF)


def is_made_of(text: str, names: set[str]) -> bool:
    """Return whether little is left of the text without these names."""
    if not any(name in text for name in names):
        return False
    for name in names:
        text = text.replace(name, "")
    return len(text) < FRINGE


def names_of_service() -> set[str]:
    """Return "taskboard" and the parts of the host name that people type."""
    host = urlsplit(settings.BASE_URL).hostname or ""
    try:
        ip_address(host)
    except ValueError:
        return {"taskboard", *(part for part in host.split(".") if len(part) > 3)}
    return {"taskboard"}


def is_listed(guess: str) -> bool:
    """Return whether the list has a line with this text, by binary search."""
    text, wanted = common(), guess.encode(errors="replace")
    low, high = 0, len(text)  # both at the beginning of a line
    while low < high:
        begin = text.rfind(b"\n", low, (low + high) // 2) + 1 or low
        end = text.index(b"\n", begin)
        line = text[begin:end]
        if line == wanted:
            return True
        low, high = (end + 1, high) if line < wanted else (low, begin)
    return False


@cache
def common() -> bytes:
    """Return the list: words in lower case, sorted, one a line. 400 kB, read with the first new password."""
    return LIST.read_bytes()
