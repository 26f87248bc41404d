import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from accounts.models import User
from accounts.sign_in.password.rules import common, is_listed


def codes(password: str, user: User | None = None) -> set[str]:
    try:
        validate_password(password, user)
    except ValidationError as refusal:
        return {error.code for error in refusal.error_list}
    return set()


@pytest.mark.parametrize(
    "password",
    [
        "Password1",
        "passw0rd1234",
        "P@ssw0rd!",
        "letmein!!!",
        "passwordpassword",
        "Qwertyuiop",
        "!!dragon!!",
        "Welcome2026",
    ]
    + ["$unshine", "ｐａｓｓｗｏｒｄ", " password "],
)
def test_common_passwords_and_their_variations_are_refused(password):
    assert "password_too_common" in codes(password)


@pytest.mark.parametrize(
    "password", ["Summer2026!", "Winter24!!", "Sommer2026", "Printemps2026", "Verano2026!", "März2026!!", "Outubro26"]
)
def test_a_season_or_month_with_a_year_is_refused(password):
    assert codes(password) == {"password_too_common"}


@pytest.mark.parametrize("password", [" " * 12, "\u3000" * 8, "aaaaaaaaaaaa", "ababababab", "........"])
def test_blanks_alone_and_few_characters_repeated_are_refused(password):
    assert "password_too_monotonous" in codes(password)


@pytest.mark.parametrize("password", ["taskboard", "Taskboard1", "T@skb0ard2026", "example99", "boards-taskboard"])
def test_the_names_of_the_service_are_refused(password, settings):
    settings.BASE_URL = "https://boards.example.com"
    assert codes(password) & {"password_of_service", "password_too_common"}


def test_an_address_of_digits_is_no_name(settings):
    settings.BASE_URL = "http://127.0.0.1:8000"
    assert codes("plum 127 tart") == set()


@pytest.mark.parametrize("password", ["olga.kern1", "OlgaKern2026", "kern@olga.de"])
def test_name_and_address_of_the_account_are_refused(password):
    assert "password_too_similar" in codes(password, User(email="olga.kern@example.com", name="Olga Kern"))


def test_sign_up_holds_the_password_against_the_name(client, db):
    fields = {"email": "n@example.com", "name": "Wilhelmina Nordström", "password1": "wilhelmina!", "language": "en"}
    assert client.post("/sign-up", fields).context["form"].errors.keys() == {"password1"}


@pytest.mark.parametrize(
    "password",
    ["correct horse", "plum tart on sunday", "taskboard is where I plan", "summer in the far north", "x7#Kq9!z"]
    + [
        "пирог со сливами",
        "日曜日のすもものケーキ",
        "31415926 53589793 kg",
        "ä" * 4 + "öüß xyz",
        "a" * 64 + "bcdefgh" * 10,
    ],
)
def test_whatever_is_hard_to_guess_is_taken_without_rules_about_characters(password):
    assert codes(password) == set()


@pytest.mark.parametrize("length,taken", [(7, False), (8, True), (128, True), (1000, True)])
def test_eight_characters_are_enough_and_very_many_are_free(client, olga, length, taken):
    password = ("k7 wq" * 200)[: length - 1] + "Z"
    assert ("password_too_short" not in codes(password)) is taken
    assert (codes(password) == set()) is taken
    if taken:
        client.force_login(olga)
        fields = {"oldpassword": "correct horse", "password1": password, "password2": password}
        assert client.post("/settings/password", fields).status_code == 302
        assert User.objects.get().check_password(password)


def test_every_word_of_the_list_is_found_and_nothing_else():
    words = common().decode().splitlines()
    assert all(is_listed(word) for word in words)
    assert not any(is_listed(guess) for guess in ("", "zzzzzzzz-", "!", "plum tart", "\n", "12345678\n", "\ud800"))


class Searched:
    """The list, of which only single lines can be read, and are counted."""

    def __init__(self) -> None:
        self.text, self.lines = common(), 0

    def __len__(self) -> int:
        return len(self.text)

    def __getitem__(self, place: slice) -> bytes:
        line = self.text[place]
        assert b"\n" not in line
        self.lines += 1
        return line

    def rfind(self, sign: bytes, begin: int, end: int) -> int:
        return self.text.rfind(sign, begin, end)

    def index(self, sign: bytes, begin: int) -> int:
        return self.text.index(sign, begin)


def test_the_list_is_long_and_few_of_its_lines_are_read(monkeypatch):
    assert common().count(b"\n") > 49_000
    monkeypatch.setattr("accounts.sign_in.password.rules.common", lambda: searched)
    for word in ("plum tart on monday", "000000", "zzzzzz"):
        searched = Searched()
        is_listed(word)
        assert 0 < searched.lines <= len(searched).bit_length()


def test_the_operators_command_holds_to_the_same_rules(db):
    from django.core.management import CommandError, call_command

    with pytest.raises(CommandError, match="too common"):
        call_command("adduser", "olga@example.com", "--password", "Summer2026!")
    assert not User.objects.exists()
